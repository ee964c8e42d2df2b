"""Every control of every window and page has a name and a role for screen readers."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QAccessibleEvent,
    QAccessibleInterface,
)
from PySide6.QtWidgets import QApplication, QComboBox, QLabel, QWidget
from pytestqt.qtbot import QtBot

from notesearch.gui.app import App
from notesearch.gui.quick.quick_search import QuickSearch
from tests.gui.fixture_types import StartQuick
from tests.gui.settings_use import dialog_of, pages_of
from tests.gui.using_quick import app_of
from tests.gui.using_window import typed

Role = QAccessible.Role

CONTROLS = {
    Role.Button,
    Role.CheckBox,
    Role.RadioButton,
    Role.ComboBox,
    Role.EditableText,
    Role.SpinBox,
    Role.Slider,
    Role.List,
    Role.ListItem,
    Role.Link,
    Role.PageTab,
    Role.MenuItem,
    Role.ButtonMenu,
    Role.ButtonDropDown,
    Role.Dialog,
    Role.Window,
}


def below(widget: QWidget) -> Iterator[tuple[str, QAccessibleInterface]]:
    """Return the visible controls in ``widget`` in reading order, each with its path."""
    root = QAccessible.queryAccessibleInterface(widget)
    assert root is not None
    waiting = [(type(widget).__name__, root)]
    while waiting:
        way, one = waiting.pop()
        if one.state().invisible:
            continue
        yield way, one
        for place in range(one.childCount()):
            child = one.child(place)
            if child is not None and child.isValid():
                held = child.object()
                name = held.objectName() or type(held).__name__ if held else str(place)
                waiting.append((f"{way} > {name}", child))


def unnamed(widget: QWidget) -> list[str]:
    return [
        f"{way}: {one.role().name}"
        for way, one in below(widget)
        if (one.role() in CONTROLS or one.state().focusable)
        and (one.role() != Role.ListItem or one.state().selectable)  # else a line between groups
        and not one.text(QAccessible.Text.Name).strip()
    ]


def controls(widget: QWidget) -> int:
    return sum(one.role() in CONTROLS for _, one in below(widget))


@pytest.fixture
def quick(qtbot: QtBot, start_quick: StartQuick, notes: Path) -> QuickSearch:
    return start_quick(notes)


@pytest.fixture
def app(quick: QuickSearch) -> App:
    return app_of(quick)


def test_the_main_window_and_its_popovers(qtbot: QtBot, app: App) -> None:
    assert unnamed(app.window) == [], "nothing is asked"
    typed(qtbot, app, "food")
    qtbot.waitUntil(lambda: app.pane.preview.is_complete)
    assert controls(app.window) > 15
    assert unnamed(app.window) == []
    for action in (app.actions.all_actions, app.actions.outline, app.actions.why):
        action.trigger()
        assert unnamed(app.window) == [], action.text()
    app.window.banner.show_message("Something happened.", [app.actions.try_again])
    app.window.notice.show_message("Something failed.", [app.actions.choose_editor])
    assert unnamed(app.window) == []
    app.pane.search.search("xyzzy")
    qtbot.waitUntil(lambda: not app.window.shows_results)
    assert unnamed(app.window) == []


def test_quick_search(qtbot: QtBot, quick: QuickSearch) -> None:
    quick.show("food")
    qtbot.waitUntil(lambda: quick.pane.preview.content is not None)
    assert controls(quick.window) > 5
    assert unnamed(quick.window) == []
    quick.actions.all_actions.trigger()
    assert unnamed(quick.window) == []


def test_the_first_page(start_quick: StartQuick) -> None:
    app = app_of(start_quick(None))
    assert unnamed(app.window) == []


def test_the_settings(qtbot: QtBot, app: App) -> None:
    dialog = dialog_of(app)
    for title in ("Notes", "Search", "Quick search", "Editor", "Appearance", "About"):
        dialog.show_page(title)
        assert unnamed(dialog) == [], title
    assert controls(dialog) > 5


def test_drop_downs_are_read_with_their_labels(app: App) -> None:
    """On Linux, the name of a drop-down is its value. Its label is a relation."""
    pages = [page for _, page in pages_of(app)]
    labelled = [label.buddy() for page in pages for label in page.findChildren(QLabel)]
    boxes = [box for page in pages for box in page.findChildren(QComboBox)]
    assert len(boxes) > 8
    assert [box.accessibleName() for box in boxes if box not in labelled] == []


def test_dialogs_and_the_menu(qapp: QApplication, app: App) -> None:
    app.actions.keys.trigger()
    app.actions.about.trigger()
    dialogs = [w for w in qapp.topLevelWidgets() if w.isVisible() and w is not app.window]
    assert len(dialogs) >= 1
    for dialog in [*dialogs, app.window.menu]:
        assert unnamed(dialog) == []
    for dialog in dialogs:
        dialog.close()


def test_problems_and_short_messages_are_said_once(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []

    def update(event: QAccessibleAnnouncementEvent) -> None:
        said.append(event.message())

    monkeypatch.setattr(QAccessible, "updateAccessibility", update)
    for _ in range(2):  # the same problem is shown again whenever the folder is looked at
        app.window.banner.show_message("The folder is missing.", [app.actions.try_again])
    app.window.notice.show_message("Something failed.")
    app.window.flash("Copied")
    assert said == ["The folder is missing.", "Something failed.", "Copied"]


def test_how_a_query_was_read_is_said_with_its_results(
    qtbot: QtBot, app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []

    def update(event: QAccessibleEvent) -> None:
        if isinstance(event, QAccessibleAnnouncementEvent):
            said.append(event.message())

    monkeypatch.setattr(QAccessible, "updateAccessibility", update)
    typed(qtbot, app, "snacks xyzzy")
    qtbot.waitUntil(lambda: bool(said))
    results = "1 section in 1 note. Not found: “xyzzy”. Trip to Japan, Packing, Snacks"
    assert said == [results]
    app.window.field.set_text("xyzzy")
    nothing = "No sections match “xyzzy”. “xyzzy” is not in your notes"
    qtbot.waitUntil(lambda: said == [results, nothing])
