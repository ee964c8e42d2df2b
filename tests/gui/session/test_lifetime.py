"""When objects end: none of Qt may be left to Python's collector.

The collector runs in whichever thread happens to allocate. An object of Qt that it takes down
outside of the GUI thread ends the process, now or later.
"""

import gc
import weakref
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QObject
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from shiboken6 import Shiboken

from notesearch.config import Paths, Settings
from notesearch.gui.app import App
from notesearch.gui.desktop import Desktop
from notesearch.gui.window.main_window import FirstPaint
from tests.gui.fixture_types import StartApp


@pytest.fixture
def collector() -> Iterator[None]:
    """Let the collector run only on request, and keep its findings in ``gc.garbage``."""
    gc.collect()
    gc.disable()
    gc.set_debug(gc.DEBUG_SAVEALL)
    yield
    gc.set_debug(0)
    gc.garbage.clear()
    gc.enable()


def left_to_the_collector() -> list[str]:
    """Return the living objects of Qt that only the collector would end."""
    gc.collect()
    found = [o for o in gc.garbage if isinstance(o, QObject) and Shiboken.isValid(o)]
    return sorted(type(o).__name__ for o in found)


@pytest.mark.usefixtures("qapp", "collector")
def test_all_parts_end_when_the_program_is_released() -> None:
    app = App(FirstPaint(Settings(model="none"), Paths.choose()))
    app.close()
    parts = [weakref.ref(part) for part in (app, app.window, app.actions, app.vault)]
    del app
    assert [part() for part in parts] == [None] * 4
    assert left_to_the_collector() == []


@pytest.mark.usefixtures("qapp", "collector")
def test_all_parts_end_when_quick_search_is_released() -> None:
    app = App(FirstPaint(Settings(model="none"), Paths.choose()))
    desktop = Desktop(app)
    quick = desktop.quick
    quick.show()
    desktop.close()
    app.close()
    every = (desktop, quick, quick.window, quick.actions, quick.pane.search, app, app.window)
    parts = [weakref.ref(part) for part in every]
    del quick, desktop, app, every
    assert [part() for part in parts] == [None] * len(parts)
    assert left_to_the_collector() == []


@pytest.mark.usefixtures("collector")
def test_using_the_program_leaves_nothing_to_the_collector(
    qtbot: QtBot, qapp: QApplication, start: StartApp, notes: Path
) -> None:
    (notes / "empty.md").write_bytes(b"\x00\x00")
    app = start(notes)
    for text in ("food", "fod", "xyzzy", "soup"):
        with qtbot.waitSignal(app.pane.search.settled):
            app.window.field.clear()
            QTest.keyClicks(app.window.focusWidget(), text)
    app.actions.about.trigger()
    app.display.show_unread()
    app.appearance.update()
    with qtbot.waitSignal(app.vault.idle):
        app.actions.sample_notes.trigger()
    with qtbot.waitSignal(app.vault.idle):
        app.open_folder(notes)
    for window in qapp.topLevelWidgets():
        if window is not app.window:
            window.close()
    assert left_to_the_collector() == []
