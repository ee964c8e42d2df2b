"""Opening and closing vaults, while indexes are deleted."""

import threading
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from notesearch.config import Settings
from notesearch.errors import NotesearchError
from notesearch.gui.session import open_vault
from notesearch.gui.session.open_vault import OpenVault
from notesearch.gui.session.search_worker import OpenLibrary
from notesearch.library import NoteLibrary


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
    """The new index was deleted while it was built, or the deletion found it locked."""
    delete, begun, disk_answers = open_vault._delete_index, threading.Event(), threading.Event()

    def slow(open_library: OpenLibrary, ended: threading.Event) -> None:
        begun.set()
        disk_answers.wait(20)
        delete(open_library, ended)

    monkeypatch.setattr(open_vault, "_delete_index", slow)
    (other := tmp_path / "other").mkdir()
    problems = list[str]()
    opened.delete_failed.connect(problems.append)
    with qtbot.waitSignal(opened.idle, timeout=20_000):
        opened.open(notes)
    opened.leave()
    opened.remove(str(notes), with_index=True)
    opened.open(notes)
    assert opened.session is not None
    qtbot.waitUntil(begun.is_set)
    waits = not opened.session.main.words.isRunning()
    with qtbot.waitSignal(opened.idle, timeout=20_000):
        opened.open(other)  # another folder does not wait
    opened.open(notes)
    with qtbot.waitSignal(opened.idle, timeout=20_000):
        disk_answers.set()
    assert waits
    assert opened.status is not None
    assert opened.status.notes
    assert Path(opened.status.index_path).exists()
    assert problems == []


def test_a_folder_that_was_left_reports_nothing_more(
    qtbot: QtBot, opened: OpenVault, notes: Path, tmp_path: Path
) -> None:
    """What its thread had sent just before was shown as if it were about the new folder."""
    (other := tmp_path / "other").mkdir()
    with qtbot.waitSignal(opened.idle, timeout=20_000):
        opened.open(notes)
    assert opened.session is not None
    error = NotesearchError("vault_missing", vault=str(notes), reason="it is gone")
    sending = threading.Thread(target=opened.session.index.index_failed.emit, args=(error,))
    sending.start()
    sending.join()
    failures = list[NotesearchError]()
    opened.failed.connect(failures.append)
    with qtbot.waitSignal(opened.idle, timeout=20_000):
        opened.open(other)
    assert (failures, opened.problem) == ([], "")
    assert opened.status is not None
    assert opened.status.vault == str(other)
