"""The threads of a vault: the order in which they start, and that they end."""

import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QSignalSpy
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from notesearch.config import Paths, Settings
from notesearch.errors import NotesearchError, VaultMissingError
from notesearch.gui.session.search_worker import SearchRequest
from notesearch.gui.session.vault_session import VaultSession
from notesearch.libraries import NoteLibraries
from notesearch.library import NoteLibrary
from notesearch.messages import Sentence
from notesearch.status import Phase, Progress, Report, Status
from tests.folders import write

if TYPE_CHECKING:
    from notesearch.library import Watch


def request(text: str, *, generation: int = 1, repeat: bool = False) -> SearchRequest:
    return SearchRequest(generation, text, time.monotonic(), repeat=repeat)


@pytest.mark.parametrize("asked", [True, False])
def test_watching_starts_after_the_first_answer(
    qtbot: QtBot, library: NoteLibrary, monkeypatch: pytest.MonkeyPatch, asked: bool
) -> None:
    # On a busy computer, an answer may take longer than indexing waits for it.
    monkeypatch.setattr("notesearch.gui.session.vault_session._STARTED_MS", 60_000)
    # There, the test may hear of an answer later than the session does.
    monkeypatch.setattr("notesearch.gui.session.vault_session._PAINTED_MS", 500)
    early, answers, before, watch = VaultSession(lambda: library), [], list[int](), library.watch
    early.main.words.answered.connect(lambda answer: answers.append(answer.final))
    early.main.meaning.answered.connect(lambda answer: answers.append(answer.final))

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


def test_a_new_folder_is_indexed_though_a_query_waits(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """No words match in an empty index, so the answer by meaning is not worth waiting for."""
    monkeypatch.setattr("notesearch.gui.session.vault_session._STARTED_MS", 60_000)
    vault = tmp_path / "new"
    vault.mkdir()
    (vault / "Food.md").write_text("Soup", encoding="utf-8")
    early = VaultSession(lambda: NoteLibrary.open(vault, home=tmp_path / "home"))
    monkeypatch.setattr(early.main.meaning, "work", lambda _request: None)
    early.main.search(request("food"))
    try:
        with qtbot.waitSignal(early.index_updated):
            early.start()
    finally:
        early.close()


def test_the_status_is_known_before_a_query_of_the_start_is_answered(
    qtbot: QtBot, library: NoteLibrary, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The status line said for 1.5 seconds that the notes, already listed, were being opened."""
    monkeypatch.setattr("notesearch.gui.session.vault_session._STARTED_MS", 60_000)
    early = VaultSession(lambda: library)
    monkeypatch.setattr(early.main.meaning, "work", lambda _request: None)
    early.main.search(request("food"))
    try:
        with qtbot.waitSignal(early.status_changed) as known:
            early.start()
    finally:
        early.close()
    assert known.args[0].notes == library.status().notes


def test_an_index_can_be_rebuilt_before_watching_starts(
    qtbot: QtBot, library: NoteLibrary, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("notesearch.gui.session.vault_session._PAINTED_MS", 60_000)
    early = VaultSession(lambda: library)
    failed = QSignalSpy(early.index_failed)
    early.main.search(request("food"))
    with qtbot.waitSignal(early.main.words.opened):
        early.start()
    early.rebuild()
    try:
        qtbot.waitUntil(lambda: failed.count() == 1)
    finally:
        early.close()


def test_a_session_can_be_closed_while_it_opens(library: NoteLibrary) -> None:
    early = VaultSession(lambda: library)
    early.start()
    early.close()
    assert early.quick.library is None


@pytest.mark.usefixtures("qapp")
def test_progress_is_limited_but_each_change_of_phase_is_emitted(library: NoteLibrary) -> None:
    session = VaultSession(lambda: library)
    made = QSignalSpy(session.progress_made)
    counted = [Progress(Phase.WORDS, done, 9) for done in range(3)]
    for progress in (*counted, Progress(Phase.IDLE), Progress(Phase.IDLE), counted[1]):
        session.progressed(progress)
    emitted = [made.at(n)[0] for n in range(made.count())]
    assert emitted == [counted[0], Progress(Phase.IDLE), Progress(Phase.IDLE), counted[1]]


@pytest.mark.usefixtures("qapp")
def test_the_status_comes_before_the_progress_of_a_new_phase(library: NoteLibrary) -> None:
    session, heard = VaultSession(lambda: library), list[str]()
    session.main.words.library = library
    session.status_changed.connect(lambda status: heard.append(f"{status.notes} notes"))
    session.progress_made.connect(lambda progress: heard.append(progress.phase.name))
    session.progressed(Progress(Phase.WORDS, 1, 3))
    assert heard == ["3 notes", "WORDS"]


@pytest.mark.usefixtures("qapp")
def test_a_status_that_takes_long_to_count_is_counted_now_and_then(
    library: NoteLibrary, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As that of 200 folders, of which each reports its own changes."""
    seconds, status = [0.0], library.status()

    def counted() -> Status:
        seconds[0] += 2
        return status

    clock = SimpleNamespace(monotonic=lambda: seconds[0])
    monkeypatch.setattr("notesearch.gui.session.vault_session.time", clock)
    monkeypatch.setattr(library, "status", counted)
    session = VaultSession(lambda: library)
    session.main.words.library = library
    heard = QSignalSpy(session.status_changed)
    session.progressed(Progress(Phase.WORDS, 1, 200))
    for _ in range(15):
        session.updated(Report())
        seconds[0] += 1
    assert heard.count() == 1
    session.failed(VaultMissingError("vault_missing", vault="a"), "a")
    assert heard.count() == 1, "the other folders go on"
    seconds[0] += 3
    session.progressed(Progress(Phase.WORDS, 90, 200))
    assert heard.count() == 2
    session.updated(Report())
    session.progressed(Progress(Phase.IDLE))
    assert heard.count() == 3, "the last one is right"
    session.failed(VaultMissingError("vault_missing", vault="a"))
    assert heard.count() == 4


@pytest.fixture
def several(qapp: QApplication, tmp_path: Path, words_only: Settings) -> Iterator[VaultSession]:
    """The session of two folders; indexing is paused."""
    for name in ("home", "office"):
        write(tmp_path / name, {"soup.md": "# Soup\n"})
    folders = {name: tmp_path / name for name in ("home", "office")}
    paths = Paths.choose(tmp_path / "own")
    opened = NoteLibraries.open_joined(folders, home=paths, settings=words_only)
    session = VaultSession(lambda: opened, paused=True)
    session.main.words.library = opened
    yield session
    session.close()


def test_reports_name_notes_with_their_vaults(several: VaultSession) -> None:
    reports = list[Report]()
    several.index_updated.connect(reports.append, Qt.ConnectionType.DirectConnection)
    several.updated(Report(added=("tea.md",), moved=("b.md",), moved_from=("a.md",)), "home")
    assert reports == [
        Report(added=("home/tea.md",), moved=("home/b.md",), moved_from=("home/a.md",))
    ]


def test_a_failure_lasts_until_its_own_vault_is_updated(several: VaultSession) -> None:
    failures = list[NotesearchError]()
    several.index_updated.connect(lambda _: failures.clear())
    several.index_failed.connect(failures.append)
    several.failed(VaultMissingError("vault_missing", vault="/office"), "office")
    several.updated(Report(), "home")
    assert [str(one) for one in failures] == [
        f"“office” is not up to date: {Sentence('vault_missing', vault='/office')}"
    ]
    several.updated(Report(), "office")
    assert failures == []


def test_changes_in_each_of_several_folders_are_reported(
    qtbot: QtBot, several: VaultSession, tmp_path: Path
) -> None:
    paths = set[str]()
    several.index_updated.connect(lambda report: paths.update(report.added))
    several.rebuild()
    several.set_paused(False)
    qtbot.waitUntil(lambda: {"home/soup.md", "office/soup.md"} <= paths)
    (tmp_path / "home" / "tea.md").write_text("# Tea\n")
    qtbot.waitUntil(lambda: "home/tea.md" in paths)
