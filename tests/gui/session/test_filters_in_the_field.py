"""The search field: filters completed with values of the notes, chips, undo, and other input."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, Qt
from PySide6.QtGui import (
    QContextMenuEvent,
    QDragEnterEvent,
    QDragMoveEvent,
    QDropEvent,
    QInputMethodEvent,
    QKeySequence,
)
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QToolButton
from pytestqt.qtbot import QtBot

from notesearch.gui.app import App
from notesearch.gui.quick.quick_search import QuickSearch
from notesearch.gui.widgets.choices import Choice
from notesearch.gui.widgets.query_edit import FILTERS, QueryEdit
from notesearch.gui.widgets.search_field import SearchField
from notesearch.library import NoteLibrary
from notesearch.search.filters import NAMES
from tests.folders import write
from tests.gui.fixture_types import StartApp, StartQuick
from tests.gui.using_window import Key, listed, seen_correction

KYOTO = """---
tags: [travel/japan]
status: done
---
# Kyoto

## Food

Tofu.
"""

NARA = """---
tags: [travel/japan, deer]
status: open
---
# Nara

Deer eat food.
"""

NOTES = {
    "travel/Kyoto.md": KYOTO,
    "travel/Nara.md": NARA,
    "home/Boiler.md": "# Boiler\n\nIt needs no food. #repairs\n",
}


@pytest.fixture
def app(start: StartApp, vault: Path) -> App:
    write(vault, NOTES)
    return start(vault)


def edit(field: SearchField) -> QueryEdit:
    found = field.findChild(QueryEdit)
    assert found is not None
    return found


def type_(field: SearchField, text: str) -> None:
    QTest.keyClicks(edit(field), text)


def has_completions(field: SearchField) -> bool:
    return bool(field.completions.offered)


def offers(field: SearchField, values: list[str]) -> bool:
    return sorted(field.completions.offered) == sorted(values)


def chips_are_selected(field: SearchField) -> list[bool]:
    return [chip.isDown() for chip in field._filter_chips]


def type_anew(field: SearchField, text: str) -> None:
    """Empty the field, and type into it."""
    field.set_text("")
    edit(field).setFocus()
    type_(field, text)


def paste(field: SearchField, text: str) -> None:
    QApplication.clipboard().setText(text)
    QTest.keySequence(edit(field), QKeySequence.StandardKey.Paste)


def composed(field: SearchField, *shown: str, final: str) -> None:
    """Compose ``final`` as an input method does that shows some texts before."""
    for text in shown:
        QApplication.sendEvent(edit(field), QInputMethodEvent(text, []))
    QApplication.sendEvent(edit(field), committed(final))


def committed(text: str) -> QInputMethodEvent:
    """Return the event by which an input method inserts ``text``."""
    event = QInputMethodEvent()
    event.setCommitString(text)
    return event


UNDO, REDO = QKeySequence.StandardKey.Undo, QKeySequence.StandardKey.Redo


def state(field: SearchField) -> tuple[list[str], str, int]:
    """Return the chips, the text after them, and the position of the cursor."""
    return field.filters, edit(field).text(), edit(field).cursorPosition()


def pressed(field: SearchField, keys: QKeySequence.StandardKey, times: int) -> list[str]:
    """Press keys some times; return the query after each."""
    queries = []
    for _ in range(times):
        QTest.keySequence(edit(field), keys)
        queries.append(field.text)
    return queries


# Completions


def test_values_of_the_notes_are_offered(qtbot: QtBot, app: App) -> None:
    field = app.window.field
    tags = "tag:travel, 2 notes", "tag:travel/japan, 2 notes", "tag:deer, 1 note"
    for typed, values in (
        ("tag:", [*tags, "tag:repairs, 1 note"]),
        ("food tag:ja", ["tag:travel/japan, 2 notes"]),
        ("-tag:de", ["-tag:deer, 1 note"]),
        ("path:tr", ["path:travel, 2 notes"]),
        ("prop:", ["prop:tags=, 2 notes", "prop:status=, 2 notes"]),
        ("prop:status=o", ["prop:status=open, 1 note"]),
        ("section:fo", ["section:Food, 1 note"]),
        ("task:", ["task:todo", "task:done"]),
        ("has:t", ["has:table", "has:task"]),
        ("after:la", ["after:last-month"]),
    ):
        type_anew(field, typed)
        qtbot.waitUntil(partial(offers, field, values))


def test_a_half_typed_filter_is_no_text_to_search_for(qtbot: QtBot, app: App) -> None:
    field = app.window.field
    type_(field, "food")
    qtbot.waitUntil(lambda: listed(app) != [])
    before = listed(app)
    with qtbot.waitSignal(app.pane.search.settled):
        type_(field, " has:t")
    qtbot.waitUntil(lambda: has_completions(field))
    assert listed(app) == before
    assert seen_correction(app.window.results) == ""
    QTest.keyClick(field.completions.view, Key.Key_Escape)
    assert "Not a filter, searched as text: “has:t”" in seen_correction(app.window.results)


def test_a_chosen_filter_is_searched_and_a_click_on_its_chip_removes_it(
    qtbot: QtBot, app: App
) -> None:
    field = app.window.field
    type_(field, "food tag:de")
    qtbot.waitUntil(lambda: has_completions(field))
    with qtbot.waitSignal(app.pane.search.settled):
        for _ in range(len(field.completions.offered) + 1):  # at the end, it goes no further
            QTest.keyClick(field.completions.view, Key.Key_Down)
        QTest.keyClick(field.completions.view, Key.Key_Return)
    assert state(field) == (["tag:deer"], "food ", 5)
    assert field.text == "tag:deer food "
    qtbot.waitUntil(lambda: listed(app) == ["Nara", "  Nara"])
    with qtbot.waitSignal(app.pane.search.settled):
        QTest.mouseClick(field._filter_chips[0], Qt.MouseButton.LeftButton)
    assert field.text == "food "


def test_a_filter_that_no_note_has_a_value_for_says_so(
    qtbot: QtBot, start: StartApp, vault: Path
) -> None:
    write(vault, {"Boiler.md": "# Boiler\n\nIt needs no tag.\n"})
    app = start(vault)
    field = app.window.field
    for typed, sentence in (
        ("tag:", "No note has a tag."),
        ("boiler -Tag:", "No note has a tag."),
        ("prop:", "No note has a property."),
        ("links:", "No note links to another."),
        ("path:", "No note is in a subfolder."),
    ):
        type_anew(field, typed)
        qtbot.waitUntil(partial(offers, field, [sentence]))
        assert field.is_completing, "it is no text to search for"
    QTest.keyClick(field.completions.view, Key.Key_Tab)
    assert field.text == ""
    assert not has_completions(field)


def test_the_field_keeps_its_frame_while_a_list_is_open(qtbot: QtBot, app: App) -> None:
    field = app.window.field
    type_(field, "tag:")
    qtbot.waitUntil(lambda: has_completions(field))
    assert field.property("active")
    QTest.keyClick(field.completions.view, Key.Key_Escape)
    assert field.property("active")
    app.window.results.view.setFocus()
    assert not field.property("active")


def press_in_completions(keys: str) -> Callable[[App], None]:
    def press(app: App) -> None:
        QTest.keySequence(app.window.field.completions.view, QKeySequence(keys))

    return press


LEAVE: dict[str, Callable[[App], None]] = {
    "by the arrow to the left": press_in_completions("Left"),
    "by Home": press_in_completions("Home"),
    "by selecting all": press_in_completions("Ctrl+A"),
    "by opening the palette": press_in_completions("Ctrl+K"),
    "to the list of results": lambda app: app.window.results.view.setFocus(),
    "by another query of the program": lambda app: app.window.field.set_text("nara"),
}


@pytest.mark.parametrize("leave", LEAVE.values(), ids=LEAVE)
def test_completions_close_once_their_filter_is_left(
    qtbot: QtBot, app: App, leave: Callable[[App], None]
) -> None:
    field = app.window.field
    type_(field, "food tag:de")
    qtbot.waitUntil(lambda: has_completions(field))
    leave(app)
    assert not has_completions(field)
    assert not field.is_completing


def test_an_offer_that_comes_after_the_cursor_has_left_is_not_shown(app: App) -> None:
    field = app.window.field
    type_(field, "tag:de")
    assert field.is_completing
    QTest.keyClick(edit(field), Key.Key_Left)
    assert not field.is_completing, "else the search would wait for it"
    field.offer("tag:de", [Choice("tag:deer", value="tag:deer")])
    assert field.completions.offered == []


def test_the_list_stays_while_a_filter_is_completed(qtbot: QtBot, app: App) -> None:
    field = app.window.field
    type_(field, "food ")
    qtbot.waitUntil(lambda: "  Nara" in listed(app))
    before = listed(app)
    with qtbot.waitSignal(app.pane.search.settled):
        type_(field, "tag:de")
    qtbot.waitUntil(lambda: field.completions.offered == ["tag:deer, 1 note"])
    assert app.window.shows_results
    assert listed(app) == before
    QTest.keyClick(field.completions.view, Key.Key_Escape)
    assert not app.window.shows_results
    with qtbot.waitSignal(app.pane.search.settled):
        type_(field, "q")  # which no tag has
    qtbot.waitUntil(lambda: "tag:deq" in app.window.page.page.title)


def test_the_list_does_not_wait_for_completions_that_fail(
    qtbot: QtBot, app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    complete = NoteLibrary.complete_filter

    def fail_for_tags(library: NoteLibrary, typed: str, limit: int = 12) -> object:
        return 1 / 0 if typed.startswith("tag:") else complete(library, typed, limit)

    monkeypatch.setattr(NoteLibrary, "complete_filter", fail_for_tags)
    with qtbot.captureExceptions():
        type_(app.window.field, "food tag:de")
        qtbot.waitUntil(lambda: "tag:de" in app.window.page.page.title)


# Chips


def test_typed_filters_become_chips(app: App) -> None:
    field = app.window.field
    for typed, chips, text in (
        ("tag:deer ", ["tag:deer"], ""),
        ("food tag:deer -path:home tofu", ["tag:deer", "-path:home"], "food tofu"),
        ('section:"two words" x', ['section:"two words"'], "x"),
        ("tag:deer", [], "tag:deer"),
        ('"tag:deer is text" x', [], '"tag:deer is text" x'),
        ("(tag:a OR tag:b) x", [], "(tag:a OR tag:b) x"),
        ("note: this after: that", [], "note: this after: that"),
        ("http://a.org tag:a ", ["tag:a"], "http://a.org "),
        ("tag:a tag:b tag:c tag:d ", ["tag:a", "tag:b", "tag:c"], "tag:d "),
    ):
        type_anew(field, typed)
        assert (field.filters, edit(field).text()) == (chips, text)
        assert edit(field).accessibleDescription() == ", ".join(chips), "for screen readers"


@pytest.mark.parametrize("width", [1100, 560])
def test_chips_leave_room_to_type(qtbot: QtBot, app: App, width: int) -> None:
    field = app.window.field
    app.window.resize(width, 500)
    field.set_text('section:"Kyoto in the spring" path:"a/long/name/of/a/folder" -tag:x food')
    chips = field.findChildren(QToolButton, "chip")[-3:]
    qtbot.waitUntil(lambda: all(chip.width() == chip.maximumWidth() for chip in chips))
    assert edit(field).width() > edit(field).fontMetrics().horizontalAdvance("food")


def test_backspace_at_the_start_removes_the_last_chip(app: App) -> None:
    field = app.window.field
    type_(field, "tag:a tag:b ")
    for left in (["tag:a"], []):
        QTest.keyClick(edit(field), Key.Key_Backspace)
        assert field.filters == left


def test_deleting_everything_removes_the_chips_too(app: App) -> None:
    field = app.window.field
    type_(field, "tag:a tag:b food")
    field.focus_all()
    QTest.keyClick(edit(field), Key.Key_Delete)
    assert (field.filters, field.text) == ([], "")


TYPE_OVER: dict[str, Callable[[App], None]] = {
    "a letter": lambda app: type_(app.window.field, "s"),
    "a letter in the window": lambda app: QTest.keyClicks(app.window, "s"),
    "pasted text": lambda app: paste(app.window.field, "s"),
    "composed text": lambda app: composed(app.window.field, final="s"),
}


def test_typing_over_everything_replaces_the_chips_too(app: App) -> None:
    field = app.window.field
    for way, type_over in TYPE_OVER.items():
        type_anew(field, "tag:travel/japan food")
        field.focus_all()
        assert chips_are_selected(field) == [True], way
        type_over(app)
        assert (field.filters, field.text) == ([], "s"), way


# Undo


def test_undo_makes_a_chip_the_text_that_it_was(app: App) -> None:
    field = app.window.field
    type_(field, "kyoto tag:deer ")
    assert state(field) == (["tag:deer"], "kyoto ", 6)
    assert pressed(field, UNDO, 1) == ["kyoto tag:deer"]
    assert state(field) == ([], "kyoto tag:deer", 14)
    type_(field, " ")
    assert state(field) == (["tag:deer"], "kyoto ", 6)


def context_menu(field: SearchField) -> QMenu:
    place = edit(field).rect().center()
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, place, edit(field).mapToGlobal(place))
    QApplication.sendEvent(edit(field), event)
    menu = edit(field).findChild(QMenu)
    assert menu is not None
    return menu


def undo_in_the_menu(field: SearchField) -> None:
    menu = context_menu(field)
    next(action for action in menu.actions() if action.objectName() == "edit-undo").trigger()
    menu.close()


def click_the_chip(field: SearchField) -> None:
    field._filter_chips[0].click()


def press_backspace_at_the_start(field: SearchField) -> None:
    edit(field).home(False)
    QTest.keyClick(edit(field), Key.Key_Backspace)


def delete_everything(field: SearchField) -> None:
    field.focus_all()
    QTest.keyClick(edit(field), Key.Key_Delete)


def type_over_everything(field: SearchField) -> None:
    field.focus_all()
    type_(field, "sushi")


def undo_by_keys(field: SearchField) -> None:
    assert pressed(field, UNDO, 1) == ["tag:deer foods"]


Action = Callable[[SearchField], None]


@pytest.mark.parametrize(
    ("remove", "undo"),
    [
        (click_the_chip, undo_by_keys),
        (press_backspace_at_the_start, undo_by_keys),
        (delete_everything, undo_by_keys),
        (type_over_everything, undo_by_keys),
        (delete_everything, undo_in_the_menu),
    ],
)
def test_undo_brings_a_removed_chip_back(app: App, remove: Action, undo: Action) -> None:
    field = app.window.field
    field.set_text("tag:deer food")
    type_(field, "s")
    remove(field)
    after = field.text
    assert field.filters == []
    undo(field)
    assert field.filters == ["tag:deer"]
    assert pressed(field, REDO, 2) == [after, after]
    assert pressed(field, UNDO, 4) == ["tag:deer foods", "tag:deer food", "", ""]


def test_everything_a_person_does_is_undone_in_its_order(qtbot: QtBot, app: App) -> None:
    field = app.window.field

    def complete() -> None:
        qtbot.waitUntil(lambda: has_completions(field))
        QTest.keyClick(field.completions.view, Key.Key_Tab)

    def type_in_the_middle() -> None:
        edit(field).setCursorPosition(4)
        type_(field, "s")

    steps: list[tuple[Callable[[], object], list[tuple[list[str], str, int]]]] = [
        (lambda: type_(field, "food ta"), [([], "food ", 5), ([], "food ta", 7)]),  # two words
        (lambda: QTest.keyClick(edit(field), Key.Key_Backspace), [([], "food t", 6)]),
        (lambda: type_(field, "ag:de"), [([], "food tag:de", 11)]),
        (complete, [(["tag:deer"], "food ", 5)]),
        (lambda: type_(field, "nara"), [(["tag:deer"], "food nara", 9)]),
        (lambda: click_the_chip(field), [([], "food nara", 9)]),
        (lambda: composed(field, "べ", final="食べ 🍜"), [([], "food nara食べ 🍜", 14)]),
        (lambda: paste(field, " -path:home\nx"), [(["-path:home"], "food nara食べ 🍜 x", 16)]),
        (type_in_the_middle, [(["-path:home"], "foods nara食べ 🍜 x", 5)]),
    ]
    states: list[tuple[list[str], str, int]] = [([], "", 0)]
    assert state(field) == states[0]
    for act, reached in steps:
        act()
        states += reached
        assert state(field) == states[-1]
    for former in states[-2::-1]:
        pressed(field, UNDO, 1)
        assert state(field) == former
    for later in states[1:]:
        pressed(field, REDO, 1)
        assert state(field) == later


def test_a_change_ends_what_can_be_done_again(app: App) -> None:
    field = app.window.field
    type_(field, "food nara")
    pressed(field, UNDO, 1)
    type_(field, "!")
    assert pressed(field, REDO, 1) == ["food !"]


def test_undo_and_the_cursor_outlive_a_narrow_field(app: App) -> None:
    field = app.window.field
    type_(field, "tag:deer -path:home food")
    edit(field).setCursorPosition(2)
    field.resize(120, field.height())
    assert state(field) == ([], "tag:deer -path:home food", 22)
    undone = [query.strip() for query in pressed(field, UNDO, 3)]
    assert undone == ["tag:deer -path:home", "tag:deer -path:home", "tag:deer"]
    field.resize(600, field.height())
    assert pressed(field, REDO, 3)[-1] == "tag:deer -path:home food"
    type_(field, "s")
    assert state(field)[0] == ["tag:deer", "-path:home"]


def test_a_chip_for_a_note_takes_its_room_from_the_others(app: App) -> None:
    field = app.window.field
    field.resize(330, field.height())
    field.set_text("tag:deer -path:home food")
    assert field.filters == ["tag:deer", "-path:home"]
    field.set_chip("in: Trip to Japan")
    field.resize(330, field.height())
    assert len(field.filters) < 2
    assert field.text == "tag:deer -path:home food"
    assert edit(field).is_at_end


def test_undo_works_while_earlier_queries_are_listed(qtbot: QtBot, app: App) -> None:
    field = app.window.field
    type_(field, "tag:deer food")
    field.offer_queries([Choice("nara", value="nara")])
    qtbot.waitUntil(lambda: has_completions(field))
    QTest.keyClicks(field.completions.view, "s")
    assert (field.filters, field.text) == ([], "s")
    QTest.keySequence(field.completions.view, UNDO)
    assert (field.filters, field.text) == (["tag:deer"], "tag:deer food")


def test_a_chosen_name_can_be_undone(qtbot: QtBot, app: App) -> None:
    field = app.window.field
    type_(field, "food prop:stat")
    qtbot.waitUntil(lambda: has_completions(field))
    QTest.keyClick(field.completions.view, Key.Key_Tab)
    assert field.text == "food prop:status="
    QTest.keySequence(edit(field), QKeySequence.StandardKey.Undo)
    assert field.text == "food prop:stat"


# Text that is pasted, composed, dropped, cut or deleted


def test_filters_stay_in_the_text_where_chips_have_no_room(app: App) -> None:
    field = app.window.field
    field.set_text("tag:deer -path:home food")
    assert field.filters == ["tag:deer", "-path:home"]
    field.resize(260, field.height())
    assert (field.filters, field.text) == (["tag:deer"], "tag:deer -path:home food")
    field.resize(120, field.height())
    assert (field.filters, edit(field).text()) == ([], "tag:deer -path:home food")
    field.resize(600, field.height())
    type_(field, "s")
    assert (field.filters, edit(field).text()) == (["tag:deer", "-path:home"], "foods")


def test_several_lines_are_pasted_as_one_query(app: App) -> None:
    field = app.window.field
    paste(field, "food\ntag:deer\r\n  nara\n")
    assert field.filters == ["tag:deer"]
    assert field.text.split() == ["tag:deer", "food", "nara"]
    assert "\n" not in edit(field).displayText()


def test_a_query_has_neither_line_breaks_nor_characters_that_nobody_sees(app: App) -> None:
    field = app.window.field
    for text, chips, rest in (
        ("food\n\n\ttofu", [], "food tofu"),
        ("f\0oo\x1bd", [], "food"),
        ("tag:deer\0 food", ["tag:deer"], "food"),
        ('section:"two\nwords" x', ['section:"two words"'], "x"),
        ("one\u2028two\x0bthree", [], "one two three"),
        ("👩\u200d👩\u200d👧 \u202eمتحف", [], "👩\u200d👩\u200d👧 \u202eمتحف"),
    ):
        field.set_text("")
        paste(field, text)
        assert (field.filters, edit(field).text()) == (chips, rest)
        assert pressed(field, UNDO, 1) == [""], "pasting is one step"
        field.set_text(text)
        assert (field.filters, edit(field).text()) == (chips, rest)


def test_composed_text_is_searched_only_once_it_is_final(app: App) -> None:
    field = app.window.field
    field.set_text("食")
    QApplication.sendEvent(edit(field), QInputMethodEvent("べもの", []))
    assert field.text == "食"
    composed(field, final="べ物 🍜")
    assert field.text == "食べ物 🍜"


def compose_elsewhere(field: SearchField, *shown: str, final: str) -> None:
    """Compose in a widget that passes what it receives to the field."""
    for text in shown:
        field.compose(QInputMethodEvent(text, []))
    field.compose(committed(final))


@pytest.mark.parametrize("compose", [composed, compose_elsewhere])
def test_text_composed_over_the_whole_query_is_undone_at_once(
    app: App, compose: Callable[..., None]
) -> None:
    field = app.window.field
    type_(field, "tag:deer food")
    field.focus_all()
    compose(field, "べ", "べも", final="食べ物")
    assert (field.filters, field.text) == ([], "食べ物")
    composed(field, "に", final="肉")
    assert pressed(field, UNDO, 2) == ["食べ物", "tag:deer food"]
    assert pressed(field, REDO, 2) == ["食べ物", "食べ物肉"]


def test_text_that_was_composed_over_and_given_up_comes_back(app: App) -> None:
    field = app.window.field
    type_(field, "tag:deer food")
    field.focus_all()
    composed(field, "べ", final="")
    assert field.text == ""
    type_(field, "s")
    assert pressed(field, UNDO, 2) == ["", "tag:deer food"]


def test_no_name_is_offered_while_text_is_composed(app: App) -> None:
    field = app.window.field
    type_(field, "ta")
    assert edit(field).rest == "g:"
    QApplication.sendEvent(edit(field), QInputMethodEvent("べ", []))
    assert edit(field).rest == ""
    QApplication.sendEvent(edit(field), QInputMethodEvent())
    assert edit(field).rest == "g:"


def test_dragged_text_is_copied_not_moved(app: App) -> None:
    field, place = edit(app.window.field), QPoint(4, 4)
    either = Qt.DropAction.CopyAction | Qt.DropAction.MoveAction
    plain = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    text = QMimeData()
    text.setText("tag:deer fo\nod")
    for event in (
        QDragEnterEvent(place, either, text, *plain),
        QDragMoveEvent(place, either, text, *plain),
        QDropEvent(place, either, text, *plain),
    ):
        event.setDropAction(Qt.DropAction.MoveAction)  # as an editor proposes
        QApplication.sendEvent(field, event)
        assert event.isAccepted()
        assert event.dropAction() == Qt.DropAction.CopyAction
    assert app.window.field.text == "tag:deer fo od"


def test_everything_is_cut_with_its_chips(app: App) -> None:
    field = app.window.field
    type_(field, "tag:travel/japan food")
    field.focus_all()
    for key, left in ((Key.Key_C, "tag:travel/japan food"), (Key.Key_X, "")):
        QApplication.clipboard().clear()
        QTest.keyClick(edit(field), key, Qt.KeyboardModifier.ControlModifier)
        assert QApplication.clipboard().text() == "tag:travel/japan food"
        assert field.text == left


def test_typing_over_a_word_keeps_the_chips(app: App) -> None:
    field = app.window.field
    type_(field, "tag:travel/japan food")
    QTest.keyClick(edit(field), Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    edit(field).deselect()
    assert chips_are_selected(field) == [False]
    edit(field).setSelection(0, 4)
    QTest.keyClicks(edit(field), "s")
    assert (field.filters, field.text) == (["tag:travel/japan"], "tag:travel/japan s")


def test_a_completed_filter_leaves_the_cursor_where_it_was(qtbot: QtBot, app: App) -> None:
    field = app.window.field
    for before, after, chips, text, cursor in (
        ("", " food", ["tag:deer"], "food", 0),
        ("nara ", " food", ["tag:deer"], "nara food", 5),
        ("🍜🍜 ", " food", ["tag:deer"], "🍜🍜 food", 5),
        ("nara ", " food path:home tofu", ["path:home", "tag:deer"], "nara food tofu", 5),
    ):
        field.set_text("")
        paste(field, after)
        edit(field).home(False)
        paste(field, before)
        type_(field, "tag:de")
        assert "tag:de" in edit(field).text(), "no chip while it is typed"
        qtbot.waitUntil(lambda: has_completions(field))
        QTest.keyClick(field.completions.view, Key.Key_Return)
        assert (sorted(field.filters), *state(field)[1:]) == (chips, text, cursor)


def test_tab_takes_the_first_filter_that_is_offered(qtbot: QtBot, app: App) -> None:
    field = app.window.field
    type_(field, "food tag:tr")
    qtbot.waitUntil(lambda: has_completions(field))
    QTest.keyClick(field.completions.view, Key.Key_Tab)
    assert (field.filters, edit(field).text()) == (["tag:travel"], "food ")
    assert edit(field).hasFocus()


def test_a_query_set_by_the_program_shows_its_filters_as_chips(app: App) -> None:
    field = app.window.field
    field.set_text("tag:deer food")
    assert (field.filters, field.text) == (["tag:deer"], "tag:deer food")
    field.set_text("food tag:deer")
    assert (field.filters, field.text) == (["tag:deer"], "tag:deer food")
    QTest.keyClick(edit(field), Key.Key_Escape)
    assert (field.filters, field.text) == ([], "")


def test_quick_search_offers_them_too(qtbot: QtBot, start_quick: StartQuick, vault: Path) -> None:
    write(vault, NOTES)
    quick: QuickSearch = start_quick(vault)
    quick.show()
    qtbot.waitUntil(quick.window.isActiveWindow)
    type_(quick.window.field, "tag:dee")
    qtbot.waitUntil(lambda: quick.window.field.completions.offered == ["tag:deer, 1 note"])
    assert quick.window.isVisible()


def test_the_field_knows_the_names_of_the_query_language() -> None:
    assert set(FILTERS) == set(NAMES)


def test_tab_makes_half_a_word_the_name_of_a_filter(qtbot: QtBot, app: App) -> None:
    field = app.window.field
    for typed, rest in (
        ("ta", "g:"),
        ("food -SEC", "tion:"),
        ("tas", "k:"),
        ("t", ""),
        ("tag", ""),
        ("data", ""),
        ("ta ", ""),
    ):
        type_anew(field, typed)
        assert edit(field).rest == rest
        assert not has_completions(field), "arrow keys and Enter still belong to the list below"
        QTest.keyClick(edit(field), Key.Key_Tab)
        assert field.text == typed + rest
        if rest == "g:":
            qtbot.waitUntil(lambda: "tag:deer, 1 note" in field.completions.offered)
        assert edit(field).hasFocus() is bool(rest)


def test_shift_ends_no_step_of_undo(app: App) -> None:
    field = app.window.field
    type_(field, "tag")
    QTest.keyPress(edit(field), Key.Key_Shift)
    QTest.keyPress(edit(field), Key.Key_Colon, Qt.KeyboardModifier.ShiftModifier)
    QTest.keyRelease(edit(field), Key.Key_Shift)
    type_(field, "d")
    assert field.text == "tag:d"
    assert pressed(field, UNDO, 1) == [""]


@pytest.mark.parametrize(
    "insert",
    [
        lambda field: edit(field).insert("fu"),  # as the middle button or a drop does
        lambda field: composed(field, final="fu"),
    ],
    ids=["by the mouse", "by an input method"],
)
def test_text_that_no_key_typed_is_a_step_of_its_own(app: App, insert: Action) -> None:
    field = app.window.field
    type_(field, "to")
    insert(field)
    type_(field, "s")
    assert pressed(field, UNDO, 3) == ["tofu", "to", ""]


def test_a_word_is_deleted_like_a_letter(app: App) -> None:
    field = app.window.field
    for cursor, rest in ((0, ["tag:a"]), (4, ["tag:a", "tag:b"])):
        field.set_text("tag:a tag:b food")
        edit(field).setCursorPosition(cursor)
        QTest.keyClick(edit(field), Key.Key_Backspace, Qt.KeyboardModifier.ControlModifier)
        assert field.filters == rest
    field.set_text("tag:a ")
    field.focus_all()
    QTest.keyClick(edit(field), Key.Key_Backspace, Qt.KeyboardModifier.ControlModifier)
    assert field.text == ""
    assert pressed(field, UNDO, 1) == ["tag:a"]


def test_a_click_selects_a_chip_without_text_no_more(app: App) -> None:
    field = app.window.field
    field.set_text("tag:a ")
    field.focus_all()
    assert chips_are_selected(field) == [True]
    QTest.mouseClick(edit(field), Qt.MouseButton.LeftButton)
    assert chips_are_selected(field) == [False]
    type_(field, "s")
    assert field.text == "tag:a s"


def test_a_query_that_is_too_long_is_said_to_be_cut(qtbot: QtBot, app: App) -> None:
    for text, is_cut in (("food " + 300 * "and " + "market", True), ("food market", False)):
        with qtbot.waitSignal(app.pane.search.settled):
            app.window.field.set_text(text)
        remark = "The middle of the query is left out, because it is so long."
        assert (remark in seen_correction(app.window.results)) == is_cut
