"""Ways for tests to use quick search and to read its contents."""

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from notesearch.gui.app import App
from notesearch.gui.desktop import Desktop
from notesearch.gui.quick.quick_search import QuickSearch
from notesearch.gui.results.results_model import CaptionRow, ResultRow

Key = Qt.Key
CONTROL = Qt.KeyboardModifier.ControlModifier
PLAIN = Qt.KeyboardModifier.NoModifier


def typed(qtbot: QtBot, quick: QuickSearch, text: str) -> None:
    with qtbot.waitSignal(quick.pane.search.settled):
        QTest.keyClicks(quick.window.focusWidget(), text)
    asked = quick.window.shows_results and quick.window.results.view.section
    qtbot.waitUntil(lambda: not asked or quick.pane.preview.shows(asked))


def press(quick: QuickSearch, key: Key, modifier: Qt.KeyboardModifier = PLAIN) -> None:
    QTest.keyClick(quick.window.focusWidget(), key, modifier)


def listed(quick: QuickSearch) -> list[str]:
    """Return the list as a person reads it."""
    lines = []
    for row in quick.model.rows:
        match row:
            case CaptionRow(text):
                lines.append(f"[{text}]")
            case ResultRow():
                lines.append(" > ".join(heading.text for heading in row.breadcrumb))
    return lines


def selected(quick: QuickSearch) -> str:
    section = quick.window.results.view.section
    return section.section if section else ""


def app_of(quick: QuickSearch) -> App:
    desktop = quick.parent()
    assert isinstance(desktop, Desktop)
    return desktop._app
