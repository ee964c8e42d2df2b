"""Choosing a folder: those found on this computer, and choices that look like a mistake."""

import errno
import json
import os
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QLabel, QMessageBox, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from notesearch.config import Paths, Settings, Vault
from notesearch.gui.app import App
from notesearch.gui.window import folder_chooser
from notesearch.gui.window.folder_chooser import MANY, _counted, count_notes, find_vaults
from tests.file_permissions import denied
from tests.folders import write
from tests.gui.fixture_types import StartApp

Action = Qt.DropAction

SUFFIXES = (".md", ".markdown")


def never() -> bool:
    return False


@pytest.fixture
def at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home with a vault of Obsidian and a folder with a common name."""
    home = tmp_path / "me"
    write(home / "Documents/Personal", {"a.md": "# A", "b.md": "# B", "deep/c.MD": "# C"})
    write(home / "Documents/Personal", {".trash/d.md": "# D", "picture.png": ""})
    write(home / "notes", {"x.markdown": "# X"})
    (home / "Documents/notes").mkdir()
    vaults = {
        "1": {"path": str(home / "gone"), "ts": 3},
        "2": {"path": str(home / "Documents/Personal"), "ts": 2},
        "3": {"ts": 1},
        "4": "no vault",
    }
    register = home / ".config/obsidian/obsidian.json"
    register.parent.mkdir(parents=True)
    register.write_text(json.dumps({"vaults": vaults}))
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    return home


@pytest.mark.skipif(sys.platform != "linux", reason="Obsidian's list is elsewhere")
def test_obsidian_vaults_and_common_folders_are_found(at_home: Path) -> None:
    found = find_vaults(at_home, SUFFIXES, never)
    assert [(vault.path.name, vault.of_obsidian, vault.notes) for vault in found] == [
        ("Personal", True, 3),
        ("notes", False, 1),
    ]


@pytest.mark.skipif(sys.platform != "linux", reason="Obsidian's list is elsewhere")
@pytest.mark.parametrize(("is_stopped", "offered"), [(False, 5), (True, 1)])
def test_few_folders_are_offered(at_home: Path, is_stopped: bool, offered: int) -> None:
    folders = {str(number): {"path": str(at_home / f"vault {number}")} for number in range(7)}
    write(at_home, {f"vault {number}/a.md": "# A" for number in folders})
    (at_home / ".config/obsidian/obsidian.json").write_text(json.dumps({"vaults": folders}))
    assert len(find_vaults(at_home, SUFFIXES, lambda: is_stopped)) == offered


@pytest.mark.skipif(sys.platform != "linux", reason="Obsidian's list is elsewhere")
def test_an_unreadable_vault_does_not_hide_others(at_home: Path) -> None:
    with denied(at_home / "Documents"):
        found = find_vaults(at_home, SUFFIXES, never)
    assert [vault.path.name for vault in found] == ["notes"]


@pytest.mark.parametrize("text", ["", "{", "[]", '{"vaults": 3}', '{"vaults": {"1": {"path": 7}}}'])
def test_an_invalid_list_of_vaults_is_ignored(at_home: Path, text: str) -> None:
    (at_home / ".config/obsidian/obsidian.json").write_text(text)
    assert [vault.path.name for vault in find_vaults(at_home, SUFFIXES, never)] == ["notes"]


def test_counting_can_be_interrupted(at_home: Path) -> None:
    assert count_notes(at_home / "Documents/Personal", SUFFIXES, lambda: True) == 2


@pytest.fixture
def first(qtbot: QtBot, at_home: Path, start: StartApp) -> App:
    """The program on its first start."""
    app = start(None)
    qtbot.waitUntil(app.window.page.suggestions.isVisible)
    return app


def texts(row: QPushButton) -> list[str]:
    return [label.text() for label in row.findChildren(QLabel)]


def test_the_first_page_offers_found_folders(qtbot: QtBot, first: App) -> None:
    page = first.window.page
    assert [button.text() for button in page.buttons] == ["Choose folder…", "Try the sample notes"]
    assert first.window.focusWidget() is page.buttons[0]
    assert [texts(row) for row in page.suggestions.buttons] == [
        ["Obsidian vault “Personal”", "~/Documents/Personal", "3 notes"],
        ["Folder “notes”", "~/notes", "1 note"],
    ]
    assert not first.window.folder.isVisible()
    for stop in (page.buttons[1], *page.suggestions.buttons):
        QTest.keyClick(page.window().focusWidget(), Qt.Key.Key_Tab)
        assert first.window.focusWidget() is stop, "as one reads"
    QTest.keyClicks(first.window.focusWidget(), "food")
    assert first.window.field.text == "", "there is nothing to search yet"
    with qtbot.waitSignal(first.vault.idle):
        QTest.mouseClick(page.suggestions.buttons[1], Qt.MouseButton.LeftButton)
    assert not page.suggestions.isVisible()
    first.preferences.close()
    assert Settings.load(Paths.choose()).vault.endswith("notes")


def test_only_the_folder_that_was_chosen_last_is_opened(
    qtbot: QtBot, first: App, at_home: Path
) -> None:
    with qtbot.waitSignal(first.folders.chosen) as chosen:
        first.folders.take(str(at_home / "Documents/Personal"))
        first.folders.take(str(at_home / "notes"))
    assert chosen.args == [at_home / "notes"]


def choose(monkeypatch: pytest.MonkeyPatch, app: App, folder: Path) -> None:
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(folder))
    app.actions.choose_folder.trigger()


def test_the_sample_notes_are_not_where_the_own_folder_is_sought(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, first: App, at_home: Path
) -> None:
    started_at: list[str] = []

    def cancel(_parent: QWidget, _title: str, folder: str) -> str:
        started_at.append(folder)
        return ""

    monkeypatch.setattr(QFileDialog, "getExistingDirectory", cancel)
    with qtbot.waitSignal(first.vault.idle):
        first.actions.sample_notes.trigger()
    first.actions.choose_folder.trigger()
    with qtbot.waitSignal(first.vault.idle):
        first.open_folder(at_home / "notes")
    first.actions.choose_folder.trigger()
    assert started_at == [str(at_home), str(at_home / "notes")]


def test_a_folder_without_notes_is_refused(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, first: App, at_home: Path
) -> None:
    choose(monkeypatch, first, at_home / "Documents/notes")
    page = first.window.page
    qtbot.waitUntil(lambda: page.page.title == "No Markdown files in this folder")
    assert first.vault.path is None
    assert [button.text() for button in page.buttons] == ["Choose folder…", "Try the sample notes"]


@pytest.mark.parametrize("name", ["plan.org", "scan.PDF", "list.txt"])
def test_a_folder_of_other_files_that_are_searched_is_opened(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, first: App, at_home: Path, name: str
) -> None:
    write(at_home / "papers", {name: "A quokka.\n"})
    choose(monkeypatch, first, at_home / "papers")
    qtbot.waitUntil(lambda: first.vault.path == at_home / "papers")


def test_a_folder_too_slow_to_count_is_opened(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, first: App, at_home: Path
) -> None:
    """The program once said that such a folder has no notes."""
    monkeypatch.setattr(folder_chooser, "_SECONDS", -1.0)
    write(at_home / "deep", {"pictures/1.png": "", "z/note.md": "# Note\n"})
    assert count_notes(at_home / "deep", SUFFIXES, never) is None
    choose(monkeypatch, first, at_home / "deep")
    qtbot.waitUntil(lambda: first.vault.path == at_home / "deep")


def test_a_folder_without_notes_is_reported_while_a_vault_is_open(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, app: App, at_home: Path
) -> None:
    vault = app.vault.path
    choose(monkeypatch, app, at_home / "Documents/notes")
    qtbot.waitUntil(app.window.banner.isVisible)
    assert app.window.banner.text.startswith("There are no Markdown files in")
    assert app.window.banner.buttons == ["Choose folder…"]
    assert app.vault.path == vault


def test_a_folder_inside_a_known_one_is_opened_with_an_explanation(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, start: StartApp, at_home: Path
) -> None:
    whole = at_home / "Documents/Personal"
    app = start(None, Settings(model="none", vaults=(Vault(str(whole)),)))
    with qtbot.waitSignal(app.vault.idle):
        choose(monkeypatch, app, whole / "deep")
    assert app.vault.path == whole / "deep"
    (box,) = app.window.findChildren(QMessageBox)
    assert box.text() == "“deep” is inside “Personal”."
    box.close()


def test_a_very_large_folder_needs_a_confirmation(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, first: App, at_home: Path
) -> None:
    monkeypatch.setattr(folder_chooser, "MANY", 2)
    choose(monkeypatch, first, at_home / "Documents/Personal")
    qtbot.waitUntil(lambda: bool(first.window.findChildren(QMessageBox)))
    (box,) = first.window.findChildren(QMessageBox)
    assert "notes in this folder" in box.text()
    assert first.vault.path is None
    with qtbot.waitSignal(first.vault.idle):
        box.accept()
    assert first.vault.path == at_home / "Documents/Personal"
    assert MANY == 50_000


def dropped(target: QWidget, path: Path) -> bool:
    """Drop the file or folder at ``path``; return whether the window took it."""
    carried = QMimeData()
    carried.setUrls([QUrl.fromLocalFile(str(path))])
    action, button = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton
    entering = QDragEnterEvent(
        QPoint(5, 5), action, carried, button, Qt.KeyboardModifier.NoModifier
    )
    entering.ignore()
    QApplication.sendEvent(target, entering)
    if entering.isAccepted():
        drop = QDropEvent(QPoint(5, 5), action, carried, button, Qt.KeyboardModifier.NoModifier)
        QApplication.sendEvent(target, drop)
    return entering.isAccepted()


def test_a_folder_without_permission_is_not_called_empty(
    qtbot: QtBot, app: App, tmp_path: Path
) -> None:
    write(tmp_path / "secret", {"a.md": "# A"})
    vault = app.vault.path
    with denied(tmp_path / "secret"):
        assert dropped(app.window, tmp_path / "secret")
        told = f"You have no permission to read {tmp_path / 'secret'}. Choose another folder."
        qtbot.waitUntil(lambda: app.window.banner.text == told)
    assert app.vault.path == vault


def test_a_folder_on_a_failing_disk_is_not_called_forbidden(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(_: object) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    monkeypatch.setattr(os, "scandir", failing)
    problem = _counted(tmp_path, (".md",)).problem
    assert "permission" not in problem
    assert os.strerror(errno.EIO) in problem


def test_a_dropped_folder_is_opened(qtbot: QtBot, app: App, tmp_path: Path) -> None:
    write(tmp_path / "more notes", {"a.md": "# A"})
    vault = app.vault.path
    assert dropped(app.window, tmp_path / "more notes/a.md")
    told = "“a.md” is not a folder. Choose the folder of your notes."
    qtbot.waitUntil(lambda: app.window.banner.text == told)
    assert app.vault.path == vault
    with qtbot.waitSignal(app.vault.idle):
        assert dropped(app.window, tmp_path / "more notes")
    assert app.vault.path == tmp_path / "more notes"
    (tmp_path / "empty").mkdir()
    assert dropped(app.window, tmp_path / "empty")
    qtbot.waitUntil(lambda: "There are no Markdown files" in app.window.banner.text)
    assert app.vault.path == tmp_path / "more notes"


@pytest.mark.parametrize(
    ("offered", "taken"),
    [
        (Action.MoveAction | Action.CopyAction | Action.LinkAction, Action.LinkAction),
        (Action.MoveAction | Action.CopyAction, Action.CopyAction),
        (Action.MoveAction, None),
    ],
)
def test_a_dropped_folder_is_never_moved(
    app: App, tmp_path: Path, offered: Action, taken: Action | None
) -> None:
    """A program that is told that its folder was moved may delete it."""
    carried = QMimeData()
    carried.setUrls([QUrl.fromLocalFile(str(tmp_path))])
    button, modifier = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    event = QDragEnterEvent(QPoint(5, 5), offered, carried, button, modifier)
    event.setDropAction(Action.MoveAction)
    event.ignore()
    QApplication.sendEvent(app.window, event)
    assert (event.dropAction() if event.isAccepted() else None) == taken


def test_the_window_says_what_a_dragged_folder_is_for(app: App, tmp_path: Path) -> None:
    before = app.window.bar.text
    carried = QMimeData()
    carried.setUrls([QUrl.fromLocalFile(str(tmp_path))])
    action, button = Action.LinkAction, Qt.MouseButton.LeftButton
    event = QDragEnterEvent(QPoint(5, 5), action, carried, button, Qt.KeyboardModifier.NoModifier)
    QApplication.sendEvent(app.window, event)
    assert app.window.bar.text == "Drop the folder here to search its notes"
    QApplication.sendEvent(app.window, QDragLeaveEvent())
    assert app.window.bar.text == before


def test_a_result_that_is_dropped_where_it_was_is_no_folder(app: App, notes: Path) -> None:
    class OfTheList(QDragEnterEvent):
        def source(self) -> QWidget:
            return app.window.results.view

    carried = QMimeData()
    carried.setUrls([QUrl.fromLocalFile(str(notes / "travel/Trip to Japan.md"))])
    action, button = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton
    event = OfTheList(QPoint(5, 5), action, carried, button, Qt.KeyboardModifier.NoModifier)
    event.ignore()
    app.window.dragEnterEvent(event)
    assert not event.isAccepted()
