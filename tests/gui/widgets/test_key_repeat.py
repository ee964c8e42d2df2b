"""Held keys, which an X server repeats as release and press at the same moment."""

from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from notesearch.gui.app import App
from notesearch.gui.quick.quick_search import QuickSearch
from tests.gui.opened_files import OpenedFiles
from tests.gui.using_quick import typed as typed_in_quick
from tests.gui.using_window import ALT, CONTROL, NONE, SHIFT, Key, Modifier, typed

Kind = QEvent.Type
TEXTS = {Key.Key_X: "x", Key.Key_2: "2"}


def send(window: QWidget, kind: QEvent.Type, key: Key, modifiers: Modifier, when: int) -> bool:
    """Send one key event as the desktop does; return whether it was accepted."""
    event = QKeyEvent(kind, key, modifiers, TEXTS.get(key, ""))
    event.setTimestamp(when)
    event.setAccepted(kind != Kind.ShortcutOverride)
    QCoreApplication.sendEvent(window.windowHandle(), event)
    return event.isAccepted()


def hold(window: QWidget, key: Key, modifiers: Modifier = NONE) -> None:
    send(window, Kind.KeyPress, key, modifiers, 1000)
    for when in (1660, 1700, 1740):
        send(window, Kind.KeyRelease, key, modifiers, when)
        send(window, Kind.KeyPress, key, modifiers, when)
    send(window, Kind.KeyRelease, key, modifiers, 1750)


def test_enter_held_in_the_field_opens_once(qtbot: QtBot, app: App, opened: OpenedFiles) -> None:
    typed(qtbot, app, "dashi")
    hold(app.window, Key.Key_Return)
    qtbot.waitUntil(lambda: opened.files == ["Recipes.md"])
    hold(app.window, Key.Key_Return)  # it was let go in between
    qtbot.waitUntil(lambda: opened.files == ["Recipes.md"] * 2)


def test_enter_held_in_the_list_opens_once(qtbot: QtBot, app: App, opened: OpenedFiles) -> None:
    typed(qtbot, app, "dashi")
    app.window.results.view.setFocus()
    hold(app.window, Key.Key_Return)
    qtbot.waitUntil(lambda: opened.files == ["Recipes.md"])


def test_enter_pressed_twice_opens_twice(qtbot: QtBot, app: App, opened: OpenedFiles) -> None:
    typed(qtbot, app, "dashi")
    for when in (1000, 1100):
        send(app.window, Kind.KeyPress, Key.Key_Return, NONE, when)
        send(app.window, Kind.KeyRelease, Key.Key_Return, NONE, when + 50)
    qtbot.waitUntil(lambda: opened.files == ["Recipes.md"] * 2)


def test_other_keys_repeat(qtbot: QtBot, app: App) -> None:
    typed(qtbot, app, "food")
    hold(app.window, Key.Key_X)
    assert app.window.field.text == "foodxxxx"


def test_shortcuts_that_start_programs_do_not_repeat(qtbot: QtBot, app: App) -> None:
    typed(qtbot, app, "food")
    window = app.window
    for key, modifiers, repeats in (
        (Key.Key_Return, CONTROL, False),
        (Key.Key_Enter, CONTROL | Modifier.KeypadModifier, False),
        (Key.Key_R, CONTROL | SHIFT, False),
        (Key.Key_2, ALT, False),
        (Key.Key_Down, SHIFT, True),
        (Key.Key_F3, NONE, True),
        (Key.Key_Plus, CONTROL, True),
    ):
        assert not send(window, Kind.ShortcutOverride, key, modifiers, 1000), "it may be a shortcut"
        send(window, Kind.KeyRelease, key, modifiers, 1660)
        taken = send(window, Kind.ShortcutOverride, key, modifiers, 1660)
        assert taken is not repeats, key
        send(window, Kind.KeyPress, key, modifiers, 1660)
        assert window.field.text == "food", "what is no shortcut now is no text either"
        send(window, Kind.KeyRelease, key, modifiers, 1700)


def test_enter_held_in_quick_search_opens_once(
    qtbot: QtBot, quick: QuickSearch, opened: OpenedFiles
) -> None:
    quick.show()
    typed_in_quick(qtbot, quick, "dashi")
    hold(quick.window, Key.Key_Return)
    qtbot.waitUntil(lambda: opened.files == ["Recipes.md"])


def test_actions_that_must_not_repeat_are_marked(app: App) -> None:
    """If Qt knows that a key repeats, it asks the action."""
    actions = app.actions
    assert not actions.open_second.autoRepeat()
    assert not actions.reveal.autoRepeat()
    assert actions.scroll_down.autoRepeat()
