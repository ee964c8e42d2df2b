"""Ways for tests to use the main window and to read its contents."""

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QToolButton
from pytestqt.qtbot import QtBot

from notesearch.gui.app import App
from notesearch.gui.results.results_model import HeaderRow, MoreRow, ResultRow
from notesearch.gui.results.results_pane import ResultsPane, ResultsSummary

Key = Qt.Key
Modifier = Qt.KeyboardModifier
NONE, CONTROL, ALT, SHIFT = (
    Modifier.NoModifier,
    Modifier.ControlModifier,
    Modifier.AltModifier,
    Modifier.ShiftModifier,
)


def typed(qtbot: QtBot, app: App, text: str) -> None:
    """Type into the focused widget, and wait for the final answer."""
    target = app.window.focusWidget()
    with qtbot.waitSignal(app.pane.search.settled):
        QTest.keyClicks(target, text)
    asked = app.window.shows_results and app.window.results.view.section
    qtbot.waitUntil(lambda: not asked or app.pane.preview.shows(asked))


def press(qtbot: QtBot, app: App, key: Key, modifier: Qt.KeyboardModifier | None = None) -> None:
    target = app.window.focusWidget()
    QTest.keyClick(target, key, modifier or Qt.KeyboardModifier.NoModifier)


def listed(app: App) -> list[str]:
    """Return the list as a person reads it."""
    lines = []
    for row in app.model.rows:
        match row:
            case HeaderRow(note):
                lines.append(note.title)
            case ResultRow(result):
                lines.append("  " + " > ".join(result.section_path))
            case MoreRow(hidden=hidden):
                lines.append(f"  +{hidden}")
    return lines


def seen_order(summary: ResultsSummary) -> str:
    """Return the text at the end of the line above the list; empty if nothing is shown there."""
    buttons = [b for b in summary.findChildren(QToolButton) if b is not summary.narrow_button]
    return " ".join(button.text() for button in buttons if not button.isHidden())


def seen_correction(pane: ResultsPane) -> str:
    """Return what the pane says about how the query was read, with the label of its button."""
    said = pane.findChild(QLabel, "correction")
    assert said is not None
    parts = (said, pane.offer_button)
    return " ".join(part.text() for part in parts if not part.isHidden())


def heading(app: App) -> str:
    section = app.window.results.view.section
    return section.section if section else ""


def previewed(app: App) -> str:
    return app.window.preview.browser.toPlainText()


def write_pdf(app: App, path: Path) -> None:
    """Write the section in the preview as PDF."""
    content = app.pane.preview.content
    assert content is not None
    app.pane.printer.write(content, str(path))


def has_tick(app: App) -> bool:
    """Return whether the short message in the status bar has a tick."""
    line = app.window.bar._flash
    return line is not None and line.icon == "check"
