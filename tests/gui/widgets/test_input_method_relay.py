"""Text composed by an input method anywhere in a window goes to its search field."""

import pytest
from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QImage, QInputMethodEvent, QInputMethodQueryEvent
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from notesearch.gui.app import App
from notesearch.gui.quick.quick_search import QuickSearch
from tests.gui.using_window import previewed, typed

ENABLED, CURSOR = Qt.InputMethodQuery.ImEnabled, Qt.InputMethodQuery.ImCursorRectangle


def takes_text(widget: QWidget) -> bool:
    """Whether ``widget`` accepts input methods."""
    query = QInputMethodQueryEvent(ENABLED | CURSOR)
    QCoreApplication.sendEvent(widget, query)
    return bool(query.value(ENABLED))


def compose(widget: QWidget, text: str) -> None:
    """Compose ``text`` as an input method does: preview, then commit."""
    QCoreApplication.sendEvent(widget, QInputMethodEvent(text, []))
    event = QInputMethodEvent()
    event.setCommitString(text)
    QCoreApplication.sendEvent(widget, event)


@pytest.mark.parametrize("where", ["list", "preview"])
def test_text_composed_in_the_window_reaches_the_field(qtbot: QtBot, app: App, where: str) -> None:
    typed(qtbot, app, "food")
    qtbot.waitUntil(lambda: bool(previewed(app)))
    before = previewed(app)
    widget: QWidget = app.window.results.view if where == "list" else app.window.preview.browser
    widget.setFocus()
    assert takes_text(widget)
    with qtbot.waitSignal(app.pane.search.settled):
        compose(widget, "é 文")
        assert previewed(app) == before
    assert app.window.field.text == "foodé 文"
    assert app.window.focusWidget() is not widget


@pytest.mark.parametrize("where", ["list", "preview"])
def test_text_composed_in_quick_search_reaches_the_field(
    qtbot: QtBot, quick: QuickSearch, where: str
) -> None:
    window = quick.window
    widget: QWidget = window.results.view if where == "list" else window.preview.browser
    widget.setFocus()
    assert takes_text(widget)
    compose(widget, "é")
    assert window.field.text == "é"


def test_a_preview_of_composed_text_is_shown_in_the_field(qtbot: QtBot, app: App) -> None:
    view, field = app.window.results.view, app.window.field
    typed(qtbot, app, "food")
    view.setFocus()

    def seen() -> QImage:
        return field.grab().toImage()

    before = seen()
    QCoreApplication.sendEvent(view, QInputMethodEvent("ni", []))
    assert field.text == "food"
    assert seen() != before
    QCoreApplication.sendEvent(view, QInputMethodEvent())  # given up
    assert seen() == before
    assert app.window.focusWidget() is view
    QCoreApplication.sendEvent(view, QInputMethodEvent("ni", []))
    compose(view, " 你")
    assert field.text == "food 你"


def test_a_disabled_field_takes_no_text(app: App) -> None:
    app.window.field.set_enabled(False)
    view = app.window.results.view
    assert not takes_text(view)
    compose(view, "é")
    assert app.window.field.text == ""


@pytest.mark.parametrize("text", ["", " ", "\u3000"])
def test_blank_text_is_ignored(app: App, text: str) -> None:
    compose(app.window.results.view, text)
    assert app.window.field.text == ""
