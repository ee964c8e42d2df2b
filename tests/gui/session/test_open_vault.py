"""Opening and closing vaults, while indexes are deleted."""

import threading
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from notesearch.config import Settings
from notesearch.errors import NotesearchError, VaultMissingError
from notesearch.gui.session import open_vault
from notesearch.gui.session.open_vault import OpenVault, TimeLeft
from notesearch.gui.session.search_worker import OpenLibrary
from notesearch.library import NoteLibrary
from notesearch.status import Phase, Progress, Status
from tests.clock import Clock
from tests.limits import WAIT_S

NOTHING_READ = Status(vault="/notes", model="m", last_scan=1.0)


@pytest.fixture
def opened(qtbot: QtBot, words_only: Settings) -> Iterator[OpenVault]:
    def opener(folders: Mapping[str, Path]) -> OpenLibrary:
        return lambda: NoteLibrary.open(folders[""], settings=words_only)

    opened = OpenVault(opener)
    yield opened
    opened.close()


def test_a_folder_waits_until_its_index_is_deleted(
    qtbot: QtBot, opened: OpenVault, notes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The new index was once deleted while it was built, or the old one was not deleted."""
    delete, begun, disk_answers = open_vault._delete_index, threading.Event(), threading.Event()

    def slow(open_library: OpenLibrary) -> None:
        begun.set()
        disk_answers.wait(WAIT_S)
        delete(open_library)

    monkeypatch.setattr(open_vault, "_delete_index", slow)
    (other := tmp_path / "other").mkdir()
    problems = list[str]()
    opened.delete_failed.connect(problems.append)
    with qtbot.waitSignal(opened.idle):
        opened.open(notes)
    opened.leave()
    opened.remove(str(notes), with_index=True)
    opened.open(notes)
    assert opened.session is not None
    qtbot.waitUntil(begun.is_set)
    waits = not opened.session.main.words.isRunning()
    with qtbot.waitSignal(opened.idle):
        opened.open(other)  # another folder does not wait
    opened.open(notes)
    with qtbot.waitSignal(opened.idle):
        disk_answers.set()
    assert waits
    assert opened.status is not None
    assert opened.status.notes
    assert Path(opened.status.index_path).exists()
    assert problems == []


@pytest.mark.parametrize(
    ("progress", "page"),
    [
        (Progress(Phase.SCAN), ""),
        (Progress(Phase.WORDS, 3, 200), ""),
        (Progress(Phase.MEANING, 3, 200), ""),
        (Progress(Phase.IDLE), "These notes have not been read yet"),
    ],
)
def test_one_folder_that_fails_does_not_speak_for_the_others(
    opened: OpenVault, progress: Progress, page: str
) -> None:
    """200 new folders once had not been read for half a minute, it said, because one had failed."""
    opened.folders = {"a": Path("/a"), "b": Path("/b")}
    opened.problem = "“a” is not up to date."
    opened.status = replace(NOTHING_READ, last_scan=0.0)
    opened.progress = progress
    assert (opened.obstacle.title if opened.obstacle else "") == page


@pytest.mark.parametrize("phase", [Phase.SCAN, Phase.WORDS, Phase.MEANING])
def test_a_folder_is_empty_only_once_it_was_read(opened: OpenVault, phase: Phase) -> None:
    opened.folders = {"": Path("/notes")}
    opened.status = NOTHING_READ
    opened.progress = Progress(phase, 1, 2)
    assert opened.obstacle is None
    opened.progress = Progress(Phase.IDLE)
    assert opened.obstacle is not None
    assert opened.obstacle.title == "No Markdown files in this folder"


def test_reading_a_few_changed_notes_is_not_worth_telling(opened: OpenVault) -> None:
    """The number of results said “so far” for a moment after each update."""
    opened.folders = {"": Path("/notes")}
    opened.status = NOTHING_READ
    opened._on_progress(progress := Progress(Phase.WORDS, 1, 2))
    assert opened.counting is None
    opened._reading_since -= 2.0
    assert opened.counting == progress
    opened._reading_since += 2.0
    opened.status = replace(NOTHING_READ, last_scan=0.0)
    assert opened.counting == progress


def test_a_folder_that_was_left_reports_nothing_more(
    qtbot: QtBot, opened: OpenVault, notes: Path, tmp_path: Path
) -> None:
    """The last reports about it were once shown as if they were about the new folder."""
    (other := tmp_path / "other").mkdir()
    with qtbot.waitSignal(opened.idle):
        opened.open(notes)
    assert opened.session is not None
    error = NotesearchError("vault_missing", vault=str(notes), reason="it is gone")
    sending = threading.Thread(target=opened.session.index_failed.emit, args=(error,))
    sending.start()
    sending.join()
    failures = list[NotesearchError]()
    opened.failed.connect(failures.append)
    with qtbot.waitSignal(opened.idle):
        opened.open(other)
    assert (failures, opened.problem) == ([], "")
    assert opened.status is not None
    assert opened.status.vault == str(other)


RESTING = Progress(Phase.IDLE)


def embedded(done: int) -> Progress:
    return Progress(Phase.MEANING, done, 1000)


@pytest.mark.parametrize(
    ("steps", "left"),
    [
        ([(0, embedded(0))], None),
        ([(0, embedded(0)), (2, embedded(100))], None),
        ([(0, embedded(0)), (10, embedded(100))], 90),
        ([(0, embedded(400)), (10, embedded(500))], 50),
        ([(0, embedded(0)), (10, embedded(0))], None),
        ([(0, embedded(0)), (5, RESTING), (99, embedded(1)), (109, embedded(2))], 9980),
        ([(0, embedded(900)), (60, embedded(0)), (70, embedded(500))], 10),
        ([(0, Progress(Phase.WORDS, 1, 9)), (9, Progress(Phase.WORDS, 2, 9))], None),
    ],
    ids=[
        "begun", "too early to say", "a tenth in 10 s", "only what was made since counts",
        "nothing was made", "a rest does not count", "another model begins anew", "notes",
    ],
)  # fmt: skip
def test_the_estimate_follows_the_recent_pace(
    monkeypatch: pytest.MonkeyPatch, steps: list[tuple[float, Progress]], left: float | None
) -> None:
    clock = Clock()
    monkeypatch.setattr("notesearch.gui.session.open_vault.time", clock)
    time_left = TimeLeft()
    for clock.now, progress in steps:
        time_left.update(progress)
    assert time_left.seconds == (None if left is None else pytest.approx(left))


def test_no_progress_is_shown_once_the_folder_is_missing(opened: OpenVault, notes: Path) -> None:
    opened.folders = {"": notes}
    opened._on_progress(Progress(Phase.WORDS, 1, 9))
    assert opened.counting == Progress(Phase.WORDS, 1, 9)
    opened._on_failed(VaultMissingError("vault_missing", vault=str(notes)))
    assert opened.counting is None
    opened._on_progress(Progress(Phase.WORDS, 2, 9))
    assert opened.counting == Progress(Phase.WORDS, 2, 9), "the folder is there again"
