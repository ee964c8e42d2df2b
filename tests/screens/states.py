"""What is photographed: each state of the windows, as somebody would come to it."""

import json
import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QTimer
from PySide6.QtGui import QPixmap
from PySide6.QtWidgets import QApplication, QDialog, QWidget

from notesearch.config import Settings
from notesearch.gui.settings_dialog import SettingsDialog
from notesearch.gui.translation import translate
from tests.screens.stage import Stage

_FOOD = "kyoto food"
_DAY = "We walked on until it rained, and talked about nothing that matters. "


@dataclass(frozen=True, slots=True)
class State:
    """How to come to it and take its picture; ``sketch`` is that of the design."""

    name: str
    sketch: str
    shoot: Callable[[Stage], QPixmap]


def _keys(query: str, *keys: str) -> Callable[[Stage], QPixmap]:
    """Return what searches the sample notes and presses keys."""

    def shoot(stage: Stage) -> QPixmap:
        stage.start(stage.notes())
        stage.search(query)
        stage.press(*keys)
        return stage.picture()

    return shoot


def _narrow(stage: Stage) -> QPixmap:
    stage.start(stage.notes())
    stage.app.window.resize(600, 720)
    stage.search(_FOOD)
    return stage.picture()


def _digits(stage: Stage) -> QPixmap:
    stage.start(stage.notes())
    stage.search(_FOOD)
    stage.hold_alt()
    return stage.picture()


def _menu(stage: Stage) -> QPixmap:
    stage.start(stage.notes())
    taken: list[QPixmap] = []

    def take() -> None:  # the menu has a loop of its own, which ends with it
        taken.append(stage.picture())
        if menu := QApplication.activePopupWidget():
            menu.close()

    QTimer.singleShot(1_000, take)
    stage.press("F10")
    return taken[0]


def _first(stage: Stage) -> QPixmap:
    me = stage.folder / "me"
    vaults = {"Documents/Personal": 1204, "notes": 86}
    for place, notes in vaults.items():
        (me / place).mkdir(parents=True, exist_ok=True)
        for number in range(notes):
            (me / place / f"{number}.md").touch()
    register = me / ".config" / "obsidian" / "obsidian.json"
    register.parent.mkdir(parents=True, exist_ok=True)
    register.write_text(json.dumps({"vaults": {"1": {"path": str(me / "Documents/Personal")}}}))
    os.environ["HOME"] = str(me)
    stage.start(None)
    stage.until(stage.app.window.page.found.isVisible)
    stage.settle()
    return stage.picture()


def _empty_folder(stage: Stage) -> QPixmap:
    stage.start(stage.empty_folder("Photos"))
    return stage.picture()


def _start(stage: Stage) -> QPixmap:
    stage.start(stage.notes())
    return stage.picture()


def _indexing(stage: Stage) -> QPixmap:
    vault = stage.empty_folder("Diary")
    for number in range(4_000):
        text = f"# Day {number}\n\n" + _DAY * 8
        (vault / f"Day {number}.md").write_text(text, encoding="utf-8")
    stage.begin(vault, Settings(model="none"))
    stage.until(lambda: (c := stage.app.vaults.counting) is not None and c.done > 600)
    stage.type("rained")
    stage.until(lambda: bool(stage.app.model.rows) and stage.app.preview.text is not None)
    stage.settle()
    return stage.picture()


def _missing(stage: Stage) -> QPixmap:
    vault = stage.notes()
    stage.start(vault)
    shutil.rmtree(vault)
    stage.app.vaults.refresh()
    stage.until(lambda: bool(stage.app.window.banner.text))
    stage.search(_FOOD)
    return stage.picture()


def _damaged(stage: Stage) -> QPixmap:
    vault = stage.notes()
    stage.start(vault, Settings(model="none"))
    stage.end()
    for index in (stage.folder / "home").rglob("*.sqlite"):
        index.write_bytes(b"this is no index" * 4_000)
    stage.start(vault, Settings(model="none"))
    return stage.picture()


def _unread(stage: Stage) -> QPixmap:
    vault = stage.notes()
    _spoil(vault)
    stage.start(vault)
    stage.search(_FOOD)
    return stage.picture()


def _unread_list(stage: Stage) -> QPixmap:
    vault = stage.notes()
    _spoil(vault)
    stage.start(vault)
    stage.app.window.status.explained.emit()
    stage.settle()
    return stage.picture(_dialog())


def _spoil(vault: Path) -> None:
    (vault / "scan.md").write_bytes(b"\x00\x01\x02" * 500)
    (vault / "photo.md").write_bytes(b"\x89PNG\r\n\x1a\n\x00\x00" * 50)


def _editor_failed(stage: Stage) -> QPixmap:
    stage.start(stage.notes(), Settings(editor="nosuchprogram {path}:{line}"))
    stage.search(_FOOD)
    stage.press("Return")
    return stage.picture()


def _words_only(stage: Stage) -> QPixmap:
    stage.start(stage.notes(), Settings(model="nosuchmodel"))
    stage.search(_FOOD)
    return stage.picture()


def _paused(stage: Stage) -> QPixmap:
    stage.start(stage.notes())
    stage.app.vaults.set_paused(True)
    stage.settle()
    return stage.picture()


def _settings(title: str) -> Callable[[Stage], QPixmap]:
    def shoot(stage: Stage) -> QPixmap:
        stage.start(stage.notes())
        stage.app.actions.settings.trigger()
        dialog = next(w for w in QApplication.topLevelWidgets() if isinstance(w, SettingsDialog))
        dialog.show_page(translate("settings", title))
        stage.settle(1_000)
        return stage.picture(dialog)

    return shoot


def _dialog() -> QWidget:
    return next(
        w for w in QApplication.topLevelWidgets() if isinstance(w, QDialog) and w.isVisible()
    )


def _quick(*keys: str, query: str = _FOOD) -> Callable[[Stage], QPixmap]:
    def shoot(stage: Stage) -> QPixmap:
        stage.start(stage.notes(), Settings(editor="true {path}"))
        quick = stage.desktop.quick
        assert quick is not None
        quick.show()
        stage.until(quick.window.isActiveWindow)
        page = quick.window.page
        before = page.page
        stage.type(query)
        stage.until(lambda: quick.preview.text is not None or page.page != before)
        stage.settle(1_500)
        stage.press(*keys)
        return stage.picture(quick.window)

    return shoot


def _quick_recents(stage: Stage) -> QPixmap:
    stage.start(stage.notes(), Settings(editor="true {path}"))
    for query in ("sourdough", "tide", "ryokan", "gift"):
        stage.search(query)
        stage.press("Return")
    quick = stage.desktop.quick
    assert quick is not None
    quick.show()
    stage.settle(1_000)
    return stage.picture(quick.window)


_PAGES = ("Notes", "Search", "Models", "Quick search", "Editor", "Appearance", "About")

STATES = (
    State("main", "main", _keys(_FOOD)),
    State("parent", "parent", _keys(_FOOD, "Alt+Up")),
    State("note", "", _keys(_FOOD, "Alt+Shift+Up")),
    State("semantic", "semantic", _keys("where to sleep near the river")),
    State("outline", "outline", _keys(_FOOD, "Ctrl+Shift+O")),
    State("actions", "actions", _keys(_FOOD, "Ctrl+K")),
    State("in-note", "", _keys(_FOOD, "Ctrl+Shift+F")),
    State("none", "none", _keys("xyzzy")),
    State("spelling", "none", _keys("sourdouhg")),
    State("digits", "", _digits),
    State("menu", "", _menu),
    State("narrow", "narrow", _narrow),
    State("start", "", _start),
    State("first", "first", _first),
    State("empty-folder", "", _empty_folder),
    State("indexing", "indexing", _indexing),
    State("missing", "missing", _missing),
    State("damaged", "error", _damaged),
    State("unread", "", _unread),
    State("unread-list", "", _unread_list),
    State("editor-failed", "", _editor_failed),
    State("words-only", "", _words_only),
    State("paused", "", _paused),
    State("quick", "quick", _quick()),
    State("quick-actions", "", _quick("Ctrl+K")),
    State("quick-none", "", _quick(query="xyzzy")),
    State("quick-recents", "quickready", _quick_recents),
    *(
        State(f"settings-{title.lower().replace(' ', '-')}", "settings", _settings(title))
        for title in _PAGES
    ),
)
