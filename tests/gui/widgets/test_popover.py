"""Popovers with choices: rows, filter, keys, and how they close."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QAction, QFontMetrics, QKeySequence
from PySide6.QtTest import QAbstractItemModelTester, QSignalSpy, QTest
from PySide6.QtWidgets import QLabel, QLineEdit, QMainWindow
from pytestqt.qtbot import QtBot

from notesearch.gui.session.actions import KEYS, show_actions
from notesearch.gui.widgets.choices import Choice, ChoiceModel
from notesearch.gui.widgets.keys import KeyHint
from notesearch.gui.widgets.popovers import ChoicePopover, WhyPopover
from notesearch.gui.widgets.theme import DARK, LIGHT, Role, font

Key = Qt.Key

FRUIT = [
    Choice("Apple pie", "Ctrl+A", value="Apple pie"),
    Choice("Pear", detail="kitchen", ends_group=True, value="Pear"),
    Choice("Plum", badge="3", depth=1, strong=True, ends_group=True, value="Plum"),
]


@pytest.fixture
def window(qtbot: QtBot) -> Iterator[QMainWindow]:
    """A window with only a line edit."""
    made = QMainWindow()
    qtbot.addWidget(made)
    line = QLineEdit()
    made.setCentralWidget(line)
    made.resize(700, 500)
    with qtbot.waitExposed(made):
        made.show()
    made.activateWindow()
    line.setFocus()
    yield made
    made.hide()


@pytest.fixture
def fruit(window: QMainWindow) -> ChoicePopover:
    """An open popover with fruit to choose from."""
    popover = ChoicePopover(window, LIGHT)
    offer_fruit(popover, [])
    return popover


def offer_fruit(popover: ChoicePopover, heard: list[str]) -> None:
    """Offer the fruit; what Ctrl+Enter chooses is heard with an exclamation mark."""
    popover.offer(
        "Fruit",
        FRUIT,
        heard.append,
        opened=lambda value: heard.append(f"{value}!"),
        prompt="Filter fruit",
        current=1,
    )


def press(window: QMainWindow, key: Key, modifier: Qt.KeyboardModifier | None = None) -> None:
    QTest.keyClick(window.focusWidget(), key, modifier or Qt.KeyboardModifier.NoModifier)


def names(popover: ChoicePopover) -> list[str]:
    return [choice.text for choice in popover.model.shown]


def test_the_model_is_valid_and_lines_are_only_between_groups() -> None:
    model = ChoiceModel()
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    model.set_choices(FRUIT)
    rows = [model.data(model.index(row)) for row in range(model.rowCount())]
    assert rows == ["Apple pie, Ctrl+A", "Pear, kitchen", None, "Plum, 3"]
    assert not model.flags(model.index(2)) & Qt.ItemFlag.ItemIsEnabled
    model.filter("p")
    assert [model.data(model.index(row)) is None for row in range(model.rowCount())] == [False] * 3


@pytest.mark.parametrize(
    ("typed", "left", "selected"),
    [
        ("p", ["Apple pie", "Pear", "Plum"], "Pear"),
        ("PIE app", ["Apple pie"], "Apple pie"),
        ("kit", ["Pear"], "Pear"),
        ("x", [], None),
    ],
)
def test_typing_filters(
    window: QMainWindow, fruit: ChoicePopover, typed: str, left: list[str], selected: str | None
) -> None:
    QTest.keyClicks(window.focusWidget(), typed)
    assert names(fruit) == left
    assert (fruit.current.text if fruit.current else None) == selected


def test_the_card_that_says_why_is_as_high_as_its_text(window: QMainWindow) -> None:
    why = WhyPopover(window)
    why.ask()
    why.field.setText("Plums")
    heights = []
    for lines in (1, 9, 1):
        why.answer("Plums", ["It has none of your words."] * lines)
        heights.append(why.card.height())
    assert heights[0] == heights[2] < heights[1]


def test_a_long_sentence_in_place_of_the_rows_is_in_full_view(window: QMainWindow) -> None:
    popover = ChoicePopover(window, LIGHT)
    nothing = "There is no fruit on this tree. " * 6
    popover.offer("Fruit", [], print, prompt="Filter fruit", nothing=nothing)
    [label] = popover.card.findChildren(QLabel, options=Qt.FindChildOption.FindDirectChildrenOnly)
    assert label.height() >= label.heightForWidth(label.width())
    assert popover.card.rect().contains(label.geometry())
    assert popover.card.width() < window.width() * 0.8


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        ([], "Pear"),
        ([Key.Key_Down], "Plum"),
        ([Key.Key_Down, Key.Key_Down], "Plum"),
        ([Key.Key_Up, Key.Key_Up], "Apple pie"),
        ([Key.Key_PageDown], "Plum"),
        ([Key.Key_PageDown, Key.Key_PageUp], "Apple pie"),
        ([Key.Key_Home], "Apple pie"),
        ([Key.Key_Home, Key.Key_Down], "Pear"),
        ([Key.Key_Home, Key.Key_End], "Plum"),
    ],
)
def test_arrows_select_and_enter_chooses(
    window: QMainWindow, fruit: ChoicePopover, keys: list[Key], expected: str
) -> None:
    heard = list[str]()
    offer_fruit(fruit, heard)
    for key in keys:
        press(window, key)
    press(window, Key.Key_Return)
    assert heard == [expected]
    assert not fruit.is_open


def test_home_and_end_move_in_a_typed_text(window: QMainWindow, fruit: ChoicePopover) -> None:
    field = window.focusWidget()
    assert isinstance(field, QLineEdit)
    QTest.keyClicks(field, "p")
    press(window, Key.Key_Home)
    assert field.cursorPosition() == 0
    press(window, Key.Key_End, Qt.KeyboardModifier.ControlModifier)
    assert fruit.current
    assert fruit.current.text == "Plum"


def test_ctrl_enter_opens_even_if_the_window_uses_that_key(
    window: QMainWindow, fruit: ChoicePopover
) -> None:
    action = QAction("Elsewhere", window)
    action.setShortcut(QKeySequence("Ctrl+Return"))
    window.addAction(action)
    elsewhere, heard = QSignalSpy(action.triggered), list[str]()
    offer_fruit(fruit, heard)
    press(window, Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert (heard, elsewhere.count()) == (["Pear!"], 0)


def test_enter_without_a_selection_does_nothing(window: QMainWindow, fruit: ChoicePopover) -> None:
    QTest.keyClicks(window.focusWidget(), "nothing")
    press(window, Key.Key_Return)
    assert fruit.is_open


def test_an_empty_list_says_that_nothing_matches(window: QMainWindow, fruit: ChoicePopover) -> None:
    def visible_texts() -> list[str]:
        return [label.text() for label in fruit.card.findChildren(QLabel) if label.isVisible()]

    assert visible_texts() == []
    QTest.keyClicks(window.focusWidget(), "xyzzy")
    assert visible_texts() == ["Nothing matches"]
    offer_fruit(fruit, [])
    assert visible_texts() == []


def test_a_click_chooses(window: QMainWindow, fruit: ChoicePopover) -> None:
    heard = list[str]()
    offer_fruit(fruit, heard)
    place = fruit.list.visualRect(fruit.model.find(2)).center()
    QTest.mouseClick(fruit.list.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert heard == ["Plum"]


def test_a_list_replaces_another_and_each_name_closes_its_own(
    window: QMainWindow, fruit: ChoicePopover
) -> None:
    heard = list[str]()
    fruit.offer("Nuts", [Choice("Walnut", value="Walnut")], heard.append, prompt="Filter nuts")
    assert (fruit.shows("Fruit"), fruit.shows("Nuts")) == (False, True)
    assert not fruit.close_list("Fruit")
    press(window, Key.Key_Return)
    assert heard == ["Walnut"]
    assert window.focusWidget() is window.centralWidget()
    assert not fruit.close_list("Nuts"), "it is closed already"


def test_escape_closes_it_and_restores_the_focus(window: QMainWindow, fruit: ChoicePopover) -> None:
    assert window.focusWidget() is not window.centralWidget()
    QTest.keyClicks(window.focusWidget(), "pe")
    press(window, Key.Key_Escape)
    assert not fruit.is_open
    assert window.focusWidget() is window.centralWidget()


def test_a_click_outside_closes_it(window: QMainWindow, fruit: ChoicePopover) -> None:
    inside = fruit.card.geometry().topLeft() + QPoint(3, 3)
    QTest.mouseClick(fruit, Qt.MouseButton.LeftButton, pos=inside)
    assert fruit.is_open
    QTest.mouseClick(fruit, Qt.MouseButton.LeftButton, pos=QPoint(2, 2))
    assert not fruit.is_open


def test_it_closes_when_it_loses_the_focus_or_the_window_hides(
    window: QMainWindow, fruit: ChoicePopover
) -> None:
    line = window.centralWidget()
    assert line is not None
    line.setFocus()
    assert not fruit.is_open
    offer_fruit(fruit, [])
    window.hide()
    assert not fruit.is_open


def test_tab_stays_inside(window: QMainWindow, fruit: ChoicePopover) -> None:
    press(window, Key.Key_Tab)
    assert fruit.isAncestorOf(window.focusWidget())


@pytest.mark.parametrize("size", [(700, 500), (300, 180)])
def test_the_card_stays_inside_the_window_and_cuts_no_row(
    window: QMainWindow, fruit: ChoicePopover, size: tuple[int, int]
) -> None:
    window.resize(*size)
    fruit.set_theme(DARK)
    assert fruit.rect().contains(fruit.card.geometry())
    if size[0] > 500:
        last = fruit.list.visualRect(fruit.model.find(2))
        assert last.bottom() < fruit.list.viewport().height()


@pytest.mark.parametrize("place", [QPoint(500, 500), QPoint(-450, -250)])
@pytest.mark.parametrize("has_anchor", [False, True])
def test_the_card_is_on_the_screen_when_the_window_is_not_wholly(
    window: QMainWindow, fruit: ChoicePopover, place: QPoint, has_anchor: bool
) -> None:
    """The list of Ctrl+K opened out of sight."""
    fruit.close_up()
    window.move(place)
    anchor = window.centralWidget() if has_anchor else None
    fruit.offer("Fruit", FRUIT, print, prompt="Filter fruit", anchor=anchor)
    card = QRect(fruit.card.mapToGlobal(QPoint()), fruit.card.size())
    assert window.screen().availableGeometry().contains(card)


def test_an_open_card_keeps_its_size_when_the_colours_change(window: QMainWindow) -> None:
    popover = ChoicePopover(window, LIGHT)
    hints = [KeyHint(("Enter",), "Eat"), KeyHint(("Ctrl", "Enter"), "Keep for winter")]
    popover.offer("Fruit", FRUIT, print, prompt="Filter fruit", hints=hints)
    before = popover.card.size()
    popover.set_theme(DARK)
    assert popover.card.size() == before


def test_a_long_name_is_not_cut_for_the_keys_of_other_rows(window: QMainWindow) -> None:
    window.resize(320, 400)
    name, keys = "Show the section around this one", "Ctrl+Alt+Shift+Page Down"
    popover = ChoicePopover(window, LIGHT)
    popover.offer("Actions", [Choice(name), Choice("Undo", keys)], print, prompt="Find")
    metrics = QFontMetrics(font(Role.ROW))
    needed = metrics.horizontalAdvance(name)
    row = popover.list.visualRect(popover.model.index(0))
    assert needed < row.width() < needed + metrics.horizontalAdvance(keys)
    image = popover.list.viewport().grab(row).toImage()
    dark = {
        x
        for x in range(image.width())
        for y in range(image.height())
        if image.pixelColor(x, y).lightness() < 128
    }
    assert max(dark) - min(dark) > needed - 6


# The command palette


def new_action(text: str, keys: str = "", *, widget_key: str = "") -> QAction:
    action = QAction(text)
    action.setShortcut(QKeySequence(keys))
    if widget_key:
        action.setProperty(KEYS, widget_key)
    return action


def test_actions_are_grouped_and_show_their_keys(window: QMainWindow) -> None:
    opening, copying, off = (
        new_action("Open", widget_key="Return"),
        new_action("Copy", "Ctrl+Shift+C"),
        new_action("Off"),
    )
    off.setEnabled(False)
    shown = ChoicePopover(window, LIGHT)
    show_actions(shown, [[opening, off], [off], [copying]])
    assert [one.text for one in shown.model.shown] == ["Open", "Copy"]
    assert [choice.keys for choice in shown.model.shown] == ["Enter", "Ctrl+Shift+C"]
    assert shown.model.rowCount() == 3, "a line between the groups, none at the end"


def test_the_chosen_action_runs_after_the_list_closes(window: QMainWindow) -> None:
    seen: list[bool] = []
    shown, action = ChoicePopover(window, LIGHT), new_action("Copy path")
    action.triggered.connect(lambda: seen.append(shown.is_open))
    show_actions(shown, [[new_action("Open"), action]])
    QTest.keyClicks(window.focusWidget(), "copy")
    press(window, Key.Key_Return)
    assert seen == [False]
    assert window.focusWidget() is window.centralWidget()


def test_an_action_that_is_triggered_by_its_keys_closes_the_list(window: QMainWindow) -> None:
    """Ctrl+P once asked for a printer while the list stayed open below."""
    shown, printing = ChoicePopover(window, LIGHT), new_action("Print", "Ctrl+P")
    window.addAction(printing)
    for _ in range(2):
        show_actions(shown, [[printing]])
        triggered = QSignalSpy(printing.triggered)
        press(window, Key.Key_P, Qt.KeyboardModifier.ControlModifier)
        assert (triggered.count(), shown.is_open) == (1, False)


def test_opening_it_again_closes_it(window: QMainWindow) -> None:
    shown = ChoicePopover(window, LIGHT)
    for expected in (True, False):
        show_actions(shown, [[new_action("Open")]])
        assert shown.is_open is expected


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("smco", ["Smart Connections"]),
        ("sc", ["Smart Connections", "Second cellar"]),
        ("smacon", ["Smart Connections"]),
        ("cosm", []),
        ("art", ["Smart Connections"]),
        ("se ce", ["Second cellar"]),
    ],
)
def test_a_filter_may_abbreviate(typed: str, found: list[str]) -> None:
    model = ChoiceModel()
    model.set_choices([Choice("Smart Connections"), Choice("Second cellar")])
    model.filter(typed)
    assert [choice.text for choice in model.shown] == found


@pytest.mark.parametrize(
    ("typed", "selected"),
    [
        ("why is", "Why is a note not here?"),
        ("note", "Note outline"),
        ("whole", "Show whole note"),
        ("his res", "Why this result?"),
        ("", "Show whole note"),
    ],
)
def test_the_filter_selects_what_it_means_most_likely(
    window: QMainWindow, typed: str, selected: str
) -> None:
    names = "Show whole note", "Why this result?", "Why is a note not here?", "Note outline"
    shown = ChoicePopover(window, LIGHT)
    show_actions(shown, [[new_action(name) for name in names]])
    QTest.keyClicks(window.focusWidget(), typed)
    assert shown.current is not None
    assert shown.current.text == selected


@pytest.mark.parametrize(
    "typed",
    [
        "ban" + "ana" * 12 + "x",  # one beginning could be cut in millions of ways
        "banana" * 700,  # it took minutes to filter by pasted text without spaces
    ],
)
def test_a_list_is_filtered_at_once_whatever_is_typed(typed: str) -> None:
    model = ChoiceModel()
    model.set_choices([Choice("banana " * 8)] * 300)
    model.filter(typed)
    assert model.shown == []
