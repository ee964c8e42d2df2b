"""The searching and the reading thread, on a real library."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtTest import QSignalSpy
from pytestqt.qtbot import QtBot

from notesearch.config import Settings
from notesearch.errors import NotesearchError
from notesearch.gui.session.index_worker import IndexBridge
from notesearch.gui.session.read_worker import (
    AheadRequest,
    MatchRequest,
    Reading,
    ReadRequest,
    ReadWorker,
    text_spans,
)
from notesearch.gui.session.search_worker import (
    MeaningWorker,
    SearchAnswer,
    SearchRequest,
    WordsWorker,
)
from notesearch.gui.session.vault_session import VaultSession
from notesearch.library import NoteLibrary
from notesearch.results import Scope
from notesearch.status import Phase, Progress
from tests.gui.made import section

if TYPE_CHECKING:
    from notesearch.embedding.model import Embedder
    from notesearch.library import Watch


@pytest.fixture
def library(notes: Path, words_only: Settings) -> Iterator[NoteLibrary]:
    with NoteLibrary.open(notes, settings=words_only) as opened:
        opened.refresh()
        yield opened


@pytest.fixture
def session(qtbot: QtBot, library: NoteLibrary) -> Iterator[VaultSession]:
    opened = VaultSession(lambda: library)
    try:
        with qtbot.waitSignal(opened.opened):
            opened.start()
        yield opened
    finally:
        opened.close()


@pytest.fixture
def reading(library: NoteLibrary) -> Iterator[ReadWorker]:
    worker = ReadWorker(library)
    worker.start()
    yield worker
    worker.stop()
    worker.wait()


def request(text: str, *, generation: int = 1, repeat: bool = False) -> SearchRequest:
    return SearchRequest(generation, text, time.monotonic(), repeat=repeat)


@pytest.mark.parametrize(
    ("text", "repeat", "finals"),
    [
        ("food", False, [False, True]),  # by words, and with meaning; either first
        ("fo", False, [True]),  # too short to mean anything
        ("food", True, [True]),  # the index changed: one answer
        ("f", False, [True]),
    ],
)
def test_answers(
    qtbot: QtBot, session: VaultSession, text: str, repeat: bool, finals: list[bool]
) -> None:
    answers = QSignalSpy(session.main.answered)
    session.main.search(request(text, repeat=repeat))
    qtbot.waitUntil(lambda: answers.count() == len(finals))
    given: list[SearchAnswer] = [answers.at(n)[0] for n in range(answers.count())]
    assert sorted(answer.final for answer in given) == finals
    assert all(answer.result and answer.result.sections for answer in given)


def test_the_newest_keystroke_wins(qtbot: QtBot, session: VaultSession) -> None:
    answers = QSignalSpy(session.main.answered)
    for generation, text in enumerate(["f", "fo", "foo", "food"]):
        session.main.search(request(text, generation=generation))
    qtbot.waitUntil(lambda: answers.count() > 0 and answers.at(answers.count() - 1)[0].final)
    given = [answers.at(n)[0].request.text for n in range(answers.count())]
    assert given[-2:] == ["food", "food"]
    assert "foo" not in given[given.index("food") :]


def test_a_query_asked_before_the_library_is_open_is_answered(
    qtbot: QtBot, library: NoteLibrary
) -> None:
    early = VaultSession(lambda: library)
    answers = QSignalSpy(early.main.answered)
    early.main.search(request("food"))
    early.start()
    qtbot.waitUntil(lambda: answers.count() == 2)
    early.close()


@pytest.mark.parametrize("asked", [True, False])
def test_a_folder_is_followed_once_nobody_waits_for_an_answer(
    qtbot: QtBot, library: NoteLibrary, monkeypatch: pytest.MonkeyPatch, asked: bool
) -> None:
    early, answers, before, watch = VaultSession(lambda: library), [], list[int](), library.watch
    early.main.answered.connect(lambda answer: answers.append(answer.final))

    def watched(*words: Any, **named: Any) -> "Watch":
        before.append(sum(answers))
        return watch(*words, **named)

    monkeypatch.setattr(library, "watch", watched)
    if asked:
        early.main.search(request("food"))
    early.start()
    try:
        qtbot.waitUntil(lambda: bool(before))
    finally:
        early.close()
    assert before == [int(asked)]


def test_an_index_is_made_again_though_nobody_follows_the_folder_yet(
    qtbot: QtBot, library: NoteLibrary, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("notesearch.gui.session.vault_session._PAINTED_MS", 60_000)
    early = VaultSession(lambda: library)
    failed = QSignalSpy(early.index_failed)
    early.main.search(request("food"))
    with qtbot.waitSignal(early.opened):
        early.start()
    early.rebuild()
    try:
        qtbot.waitUntil(lambda: failed.count() == 1)
    finally:
        early.close()


def test_a_session_closed_while_it_opens_leaves_nothing(library: NoteLibrary) -> None:
    early = VaultSession(lambda: library)
    early.start()
    early.close()
    assert early.library is None


def test_an_index_that_is_not_there_gives_no_result(
    qtbot: QtBot, notes: Path, words_only: Settings
) -> None:
    with NoteLibrary.open(notes, settings=words_only) as empty:
        worker = WordsWorker(lambda: empty)
        worker.start()
        with qtbot.waitSignal(worker.answered) as answered:
            worker.ask(request("fo"))
        worker.stop()
        worker.wait()
    assert answered.args is not None
    assert answered.args[0].result is None


@pytest.mark.parametrize("error", [NotesearchError("No."), RuntimeError("a bug")])
def test_a_library_that_cannot_be_opened_is_told(qtbot: QtBot, error: Exception) -> None:
    def failing() -> NoteLibrary:
        raise error

    worker = WordsWorker(failing)
    with qtbot.waitSignal(worker.failed) as failed:
        worker.start()
    worker.wait()
    assert failed.args is not None
    assert isinstance(failed.args[0], NotesearchError)


def test_no_more_sections_than_a_list_can_use(library: NoteLibrary, notes: Path) -> None:
    most = library.settings.results
    text = "".join(f"# Heading {n}\n\nfood\n\n" for n in range(most + 50))
    (notes / "Long.md").write_text(text)
    library.refresh()
    worker = MeaningWorker(library)
    answers = QSignalSpy(worker.answered)
    worker.work(request("food"))
    found = answers.at(0)[0].result
    assert len(found.sections) == most
    assert found.total > most


def test_snippets_are_sharpened_after_the_answer(
    qtbot: QtBot, notes: Path, embedder: "Embedder"
) -> None:
    told = "We spoke of nothing much while the kettle sang and the rain went on outside. " * 3
    (notes / "Tea.md").write_text(f"# Afternoon\n\n{told} The dog needs a walk at dusk.\n")
    with NoteLibrary.open(notes, embedder=embedder) as library:
        library.refresh()
        worker = MeaningWorker(library)
        answers, sharper = QSignalSpy(worker.answered), QSignalSpy(worker.completed)
        worker.work(request("take puppy outdoors in the evening"))
        worker.work(request("food"))  # in every section that it finds
    assert [answer[0].final for answer in (answers.at(0), answers.at(1))] == [True, True]
    first = {s.path: s.snippet.text for s in answers.at(0)[0].result.sections}
    second = {s.path: s.snippet.text for s in sharper.at(0)[0].result.sections}
    assert list(first) == list(second)
    assert "dog" not in first["Tea.md"]
    assert "The dog needs a walk" in second["Tea.md"]


def read(worker: ReadWorker, qtbot: QtBot, **changes: object) -> Reading:
    values: dict[str, object] = {
        "result": section("travel/Trip to Japan.md", "Kyoto > Food"),
        "path": "travel/Trip to Japan.md",
        "line": 9,
        "scope": Scope.SECTION,
        "query": "food",
    }
    with qtbot.waitSignal(worker.loaded) as loaded:
        worker.ask(ReadRequest(**(values | changes)))  # type: ignore[arg-type]
    assert loaded.args is not None
    reading = loaded.args[0]
    assert isinstance(reading, Reading)
    return reading


def test_a_section_is_read_and_rendered(qtbot: QtBot, reading: ReadWorker) -> None:
    found = read(reading, qtbot)
    assert found.text is not None
    assert found.text.section_path == ("Kyoto", "Food")
    assert "still warm" in found.html
    assert "Rain until noon" not in found.html
    assert found.modified > 0
    assert [link.heading for link in found.outline][:3] == ["Trip to Japan", "Kyoto", "Food"]


def test_a_wider_scope_reads_more(qtbot: QtBot, reading: ReadWorker) -> None:
    parent = read(reading, qtbot, scope=Scope.PARENT)
    note = read(reading, qtbot, scope=Scope.NOTE)
    assert "Rain until noon" in parent.html
    assert "Shoes" not in parent.html
    assert "Shoes" in note.html


@pytest.mark.parametrize(
    ("link", "heading"),
    [
        ("%23Packing", "Packing"),
        ("Recipes", "Recipes"),
        ("Recipes%23Dashi", "Dashi"),
        ("Recipes.md%23Dashi", "Dashi"),
        ("../kitchen/Recipes.md", "Recipes"),
        ("Japan%20budget%23Meals", "Meals"),
        ("Trip%20to%20Japan%23Kyoto%23Day%203", "Day 3"),
        ("Recipes%23No%20such%20heading", "Recipes"),
    ],
)
def test_links_lead_to_their_section(
    qtbot: QtBot, reading: ReadWorker, link: str, heading: str
) -> None:
    found = read(reading, qtbot, link=link)
    assert found.text is not None, found.problem
    assert found.text.heading == heading


@pytest.mark.parametrize("link", ["No%20such%20note", "../../outside", "%2Fetc%2Fpasswd"])
def test_links_that_lead_nowhere_say_so(qtbot: QtBot, reading: ReadWorker, link: str) -> None:
    found = read(reading, qtbot, link=link)
    assert found.text is None
    assert found.problem


def test_a_note_that_is_gone_says_so(qtbot: QtBot, reading: ReadWorker, notes: Path) -> None:
    (notes / "travel/Trip to Japan.md").unlink()
    found = read(reading, qtbot)
    assert found.text is None
    assert "moved or deleted" in found.problem


def test_matches_are_found_in_the_text_on_show(qtbot: QtBot, reading: ReadWorker) -> None:
    with qtbot.waitSignal(reading.matched) as matched:
        reading.ask(MatchRequest(7, "food", "Warm food, foods and wood."))
    assert matched.args is not None
    ticket, found = matched.args
    assert ticket == 7
    assert (5, 9) in found.spans
    assert len(found.spans) == 2


@pytest.mark.parametrize(
    ("said", "text", "spans"),
    [
        ("Warm soup helps.", "Head\nWarm\nsoup helps. Then", [(5, 21)]),
        ("so (it) is", "is so it is, so (it) is", [(3, 11), (13, 23)]),
        ("gone", "text", []),
        ("", "text", []),
        ("!?", "text", []),
        ("a+b", "an a+b", [(3, 6)]),
    ],
)
def test_a_sentence_is_found_however_it_is_set(
    said: str, text: str, spans: list[tuple[int, int]]
) -> None:
    assert text_spans(said, text) == spans


def test_the_whole_note_comes_with_its_properties(
    qtbot: QtBot, reading: ReadWorker, notes: Path
) -> None:
    file = notes / "travel/Trip to Japan.md"
    front = "---\ntags: [asia, spring]\nwith: <b>Ann</b>\n---\n"
    file.write_text(front + file.read_text("utf-8"), "utf-8")
    note = read(reading, qtbot, scope=Scope.NOTE)
    assert '<td class="key">tags</td><td>asia, spring</td>' in note.html
    assert "&lt;b&gt;Ann" in note.html
    assert "asia" not in read(reading, qtbot, scope=Scope.SECTION).html


def test_formulas_that_take_longer_come_after_the_text(
    qtbot: QtBot, reading: ReadWorker, notes: Path
) -> None:
    formulas = " and ".join(f"$\\frac{{a_{{{n}}}}}{{b}}$" for n in range(12))
    (notes / "kitchen/Recipes.md").write_text(f"# Recipes\n\n{formulas}\n", "utf-8")
    seen: list[Reading] = []
    reading.loaded.connect(seen.append)
    result = section("kitchen/Recipes.md", "Recipes")
    reading.ask(ReadRequest(result, "kitchen/Recipes.md", 1, Scope.SECTION, ""))
    qtbot.waitUntil(lambda: bool(seen) and 'class="math"' not in seen[-1].html)
    assert len(seen) == 2
    assert seen[0].html.count("math:") < seen[1].html.count("math:") == 12


class Shortest:
    """A model that finds short passages the best answers."""

    def score(self, query: str, texts: Sequence[str]) -> list[float]:
        return [-float(len(text)) for text in texts]


@pytest.fixture
def reranking(library: NoteLibrary) -> NoteLibrary:
    library.reranking.name, library.reranking._model = "shortest", Shortest()
    return library


def finals(qtbot: QtBot, session: VaultSession, asked: SearchRequest) -> list[list[str]]:
    """The passages of the answer by words, and of the final one."""
    answers = QSignalSpy(session.main.answered)
    session.main.search(asked)
    qtbot.waitUntil(lambda: answers.count() == 2)
    given: list[SearchAnswer] = [answers.at(n)[0] for n in range(2)]
    given.sort(key=lambda answer: answer.final)
    return [[s.title + s.section for s in answer.result.sections] for answer in given]  # type: ignore[union-attr]


def test_a_chosen_reranker_orders_the_second_answer_alone(
    qtbot: QtBot, reranking: NoteLibrary, session: VaultSession
) -> None:
    first, second = finals(qtbot, session, request("food"))
    plain = reranking.search("food", limit=50, per_note=50)
    assert first == [s.title + s.section for s in plain.sections]
    assert second == [s.title + s.section for s in reranking.reranking.of(plain).sections]
    assert first != second


def test_the_newest_first_are_not_reranked(
    qtbot: QtBot, reranking: NoteLibrary, session: VaultSession
) -> None:
    _, second = finals(qtbot, session, replace(request("food"), newest=True))
    newest = reranking.search("food", limit=50, per_note=50, newest=True)
    assert second == [s.title + s.section for s in newest.sections]


def test_a_reranker_that_is_not_there_changes_nothing(
    qtbot: QtBot, library: NoteLibrary, session: VaultSession
) -> None:
    library.reranking.name = "nowhere"
    first, second = finals(qtbot, session, request("food"))
    assert first == second


def test_sections_are_read_ahead_unless_something_else_is_asked(
    qtbot: QtBot, reading: ReadWorker
) -> None:
    path = "travel/Trip to Japan.md"
    near = [ReadRequest(section(path, "x"), path, line, Scope.SECTION, "") for line in (9, 1)]
    missing = ReadRequest(section("no.md", "x"), "no.md", 1, Scope.SECTION, "")
    loaded = QSignalSpy(reading.loaded)
    reading.ask(AheadRequest((near[0], missing, near[1])))
    qtbot.waitUntil(lambda: loaded.count() == 2)
    assert [(told.ahead, told.request) for told in (loaded.at(0)[0], loaded.at(1)[0])] == [
        (True, near[0]),
        (True, near[1]),
    ]


def test_reading_ahead_makes_way(library: NoteLibrary) -> None:
    path = "travel/Trip to Japan.md"
    near = ReadRequest(section(path, "x"), path, 9, Scope.SECTION, "")
    stopped = ReadWorker(library)  # its thread never runs: what it is asked for waits
    loaded = QSignalSpy(stopped.loaded)
    stopped.ask(near)
    stopped.work(AheadRequest((near,)))
    assert loaded.count() == 0
    assert stopped.slot.take() == near
    assert not stopped.slot.outdated(), "another section has other ones beside it"


def test_matches_are_found_before_the_rest_is_read_ahead(library: NoteLibrary) -> None:
    path = "travel/Trip to Japan.md"
    near = tuple(ReadRequest(section(path, "x"), path, n, Scope.SECTION, "") for n in (9, 1))
    stopped, matches = ReadWorker(library), MatchRequest(1, "kyoto", "To Kyoto")
    stopped.ask(matches)
    stopped.work(AheadRequest(near))
    assert [stopped.slot.take(), stopped.slot.take()] == [matches, AheadRequest(near)]
    stopped.ask(AheadRequest(near[1:]))
    stopped.work(AheadRequest(near))
    assert stopped.slot.take() == AheadRequest(near[1:]), "the newest wins"


def test_the_rest_of_a_long_section_makes_way(
    library: NoteLibrary, notes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It takes a second or so: who has gone on meanwhile does not wait for its end."""
    path = "kitchen/Recipes.md"
    (notes / path).write_text("# Recipes\n\n" + "Words of a paragraph.\n\n" * 1_000, "utf-8")
    stopped = ReadWorker(library)
    loaded, wanted = QSignalSpy(stopped.loaded), iter([True, True])
    monkeypatch.setattr(stopped.slot, "replaced", lambda _: not next(wanted, False))
    stopped.work(ReadRequest(section(path, "Recipes"), path, 1, Scope.NOTE, "", lines=40))
    assert [loaded.at(n)[0].whole for n in range(loaded.count())] == [False]


def test_progress_is_told_no_more_often_than_it_is_seen_but_each_end_is(
    qtbot: QtBot, library: NoteLibrary
) -> None:
    bridge = IndexBridge(library)
    told = QSignalSpy(bridge.progress_made)
    counted = [Progress(Phase.WORDS, done, 9) for done in range(3)]
    for progress in (*counted, Progress(Phase.IDLE), Progress(Phase.IDLE), counted[1]):
        bridge.progressed(progress)
    phases = [told.at(n)[0] for n in range(told.count())]
    assert phases == [counted[0], Progress(Phase.IDLE), Progress(Phase.IDLE), counted[1]]
