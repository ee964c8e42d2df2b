"""The two searching threads, on a real library."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PySide6.QtTest import QSignalSpy
from pytestqt.qtbot import QtBot

from notesearch.config import Settings
from notesearch.errors import NotesearchError
from notesearch.gui.session.search_worker import (
    MeaningWorker,
    SearchAnswer,
    SearchRequest,
    WordsWorker,
)
from notesearch.gui.session.vault_session import VaultSession
from notesearch.library import NoteLibrary

if TYPE_CHECKING:
    from notesearch.embedding.embedder import Embedder


@pytest.fixture
def session(qtbot: QtBot, library: NoteLibrary) -> Iterator[VaultSession]:
    opened = VaultSession(lambda: library)
    try:
        with qtbot.waitSignal(opened.main.words.opened):
            opened.start()
        yield opened
    finally:
        opened.close()


def request(text: str, *, generation: int = 1, repeat: bool = False) -> SearchRequest:
    return SearchRequest(generation, text, time.monotonic(), repeat=repeat)


def answers_of(session: VaultSession) -> list[SearchAnswer]:
    """Collect the answers of both threads to the main window."""
    answers: list[SearchAnswer] = []
    for worker in (session.main.words, session.main.meaning):
        worker.answered.connect(answers.append)
    return answers


@pytest.mark.parametrize(
    ("text", "repeat", "finals"),
    [
        ("food", False, [False, True]),  # by words, and with meaning; either first
        ("fo", False, [True]),  # too short to mean anything
        ("food", True, [True]),  # the index changed: one answer
        ("f", False, [True]),
    ],
)
def test_each_query_gets_its_answers(
    qtbot: QtBot, session: VaultSession, text: str, repeat: bool, finals: list[bool]
) -> None:
    answers = answers_of(session)
    session.main.search(request(text, repeat=repeat))
    qtbot.waitUntil(lambda: len(answers) == len(finals))
    assert sorted(answer.final for answer in answers) == finals
    assert all(answer.result and answer.result.sections for answer in answers)


@pytest.mark.fault("F8")
def test_the_newest_keystroke_wins(qtbot: QtBot, session: VaultSession) -> None:
    answers = answers_of(session)
    for generation, text in enumerate(["f", "fo", "foo", "food"]):
        session.main.search(request(text, generation=generation))
    qtbot.waitUntil(lambda: bool(answers) and answers[-1].final)
    given = [answer.request.text for answer in answers]
    assert given[-2:] == ["food", "food"]
    assert "foo" not in given[given.index("food") :]


def test_a_query_before_the_library_is_open_is_answered(qtbot: QtBot, library: NoteLibrary) -> None:
    early = VaultSession(lambda: library)
    answers = answers_of(early)
    early.main.search(request("food"))
    early.start()
    qtbot.waitUntil(lambda: len(answers) == 2)
    early.close()


def test_a_long_note_does_not_hide_others_in_the_answer_by_words(
    qtbot: QtBot, notes: Path, words_only: Settings
) -> None:
    parts = (f"# Tea {n}\n\nTea, green tea and black tea.\n" for n in range(100))
    (notes / "tea.md").write_text("\n".join(parts))
    (notes / "pot.md").write_text("# Pot\n\nA pot which is used for making a little tea.\n")
    with NoteLibrary.open(notes, settings=words_only) as library:
        library.refresh()
        worker = WordsWorker(lambda: library)
        worker.start()
        for within, found in (("", {"tea.md", "pot.md"}), ("tea.md", {"tea.md"})):
            with qtbot.waitSignal(worker.answered) as answered:
                worker.ask(replace(request("tea"), within=within))
            assert answered.args is not None
            result = answered.args[0].result
            assert {note.path for note in result.notes} == found
            assert len(result.sections) == 60 if within else len(result.sections) < 60
        worker.stop()
        worker.wait()


def test_a_missing_index_gives_no_result(qtbot: QtBot, notes: Path, words_only: Settings) -> None:
    with NoteLibrary.open(notes, settings=words_only) as empty:
        worker = WordsWorker(lambda: empty)
        worker.start()
        with qtbot.waitSignal(worker.answered) as answered:
            worker.ask(request("fo"))
        worker.stop()
        worker.wait()
    assert answered.args is not None
    assert answered.args[0].result is None


@pytest.mark.parametrize("error", [NotesearchError("index_in_use"), RuntimeError("a bug")])
def test_a_library_that_cannot_be_opened_is_reported(qtbot: QtBot, error: Exception) -> None:
    def failing() -> NoteLibrary:
        raise error

    worker = WordsWorker(failing)
    with qtbot.waitSignal(worker.failed) as failed:
        worker.start()
    worker.wait()
    assert failed.args is not None
    assert isinstance(failed.args[0], NotesearchError)


def test_the_number_of_sections_is_limited(library: NoteLibrary, notes: Path) -> None:
    most = library.settings.results
    text = "".join(f"# Heading {n}\n\nfood\n\n" for n in range(most + 50))
    (notes / "Long.md").write_text(text)
    library.refresh()
    worker = MeaningWorker()
    worker.library = library
    answers = QSignalSpy(worker.answered)
    worker.work(request("food"))
    found = answers.at(0)[0].result
    assert len(found.sections) == most
    assert found.total > most


def test_better_snippets_follow_the_answer(qtbot: QtBot, notes: Path, embedder: "Embedder") -> None:
    told = "We spoke of nothing much while the kettle sang and the rain went on outside. " * 3
    (notes / "Tea.md").write_text(f"# Afternoon\n\n{told} The dog needs a walk at dusk.\n")
    with NoteLibrary.open(notes, embedder=embedder) as library:
        library.refresh()
        worker = MeaningWorker()
        worker.library = library
        answers, sharper = QSignalSpy(worker.answered), QSignalSpy(worker.snippets_ready)
        worker.work(request("take puppy outdoors in the evening"))
        worker.work(request("food"))  # in every section that it finds
    assert [answer[0].final for answer in (answers.at(0), answers.at(1))] == [True, True]
    first = {s.path: s.snippet.text for s in answers.at(0)[0].result.sections}
    second = {s.path: s.snippet.text for s in sharper.at(0)[0].result.sections}
    assert list(first) == list(second)
    assert "dog" not in first["Tea.md"]
    assert "The dog needs a walk" in second["Tea.md"]


class Shortest:
    """A reranker that prefers short passages."""

    def score(self, query: str, texts: Sequence[str]) -> list[float]:
        return [-float(len(text)) for text in texts]


@pytest.fixture
def reranking(library: NoteLibrary) -> NoteLibrary:
    library.reranking.name, library.reranking._model = "shortest", Shortest()
    return library


def finals(qtbot: QtBot, session: VaultSession, asked: SearchRequest) -> list[list[str]]:
    """Return the sections of the answer by words, and of the final one."""
    answers = answers_of(session)
    session.main.search(asked)
    qtbot.waitUntil(lambda: len(answers) == 2)
    answers.sort(key=lambda answer: answer.final)
    return [[s.title + s.section for s in a.result.sections] for a in answers if a.result]


def test_a_reranker_sorts_only_the_second_answer(
    qtbot: QtBot, reranking: NoteLibrary, session: VaultSession
) -> None:
    first, second = finals(qtbot, session, request("food"))
    plain = reranking.search("food", limit=50, per_note=50)
    assert first == [s.title + s.section for s in plain.sections]
    assert second == [s.title + s.section for s in reranking.reranking.rerank(plain).sections]
    assert first != second


def test_results_by_date_are_not_reranked(
    qtbot: QtBot, reranking: NoteLibrary, session: VaultSession
) -> None:
    _, second = finals(qtbot, session, replace(request("food"), newest=True))
    newest = reranking.search("food", limit=50, per_note=50, newest=True)
    assert second == [s.title + s.section for s in newest.sections]


def test_a_missing_reranker_changes_nothing(
    qtbot: QtBot, library: NoteLibrary, session: VaultSession
) -> None:
    library.reranking.name = "nowhere"
    first, second = finals(qtbot, session, request("food"))
    assert first == second
