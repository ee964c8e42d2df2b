"""In right-to-left languages both panes and their contents swap sides."""

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from notesearch.gui.app import App
from notesearch.gui.preview.preview_head import Breadcrumb, Crumb
from notesearch.gui.widgets.controls import DropDown, TickBox, text_label
from notesearch.gui.widgets.notices import SuggestedFolders
from notesearch.gui.widgets.query_edit import QueryEdit
from notesearch.gui.widgets.theme import focus_ring
from notesearch.gui.window.folder_chooser import FoundVault, suggestion
from tests.gui.fixture_types import StartApp
from tests.gui.preview_contents import table_bars
from tests.gui.using_window import press, typed


@pytest.fixture
def mirrored(qapp: QApplication, qtbot: QtBot, start: StartApp, notes: Path) -> Iterator[App]:
    """The mirrored program with a result."""
    qapp.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    app = start(notes)
    typed(qtbot, app, "dashi")
    yield app
    qapp.setLayoutDirection(Qt.LayoutDirection.LeftToRight)


def middle(part: QWidget, window: QWidget) -> int:
    return part.mapTo(window, QPoint(part.width() // 2, 0)).x()


def test_a_window_is_mirrored(mirrored: App) -> None:
    window = mirrored.window
    parts = (window.menu_button, window.folder, window.field)
    places = [middle(part, window) for part in parts]
    assert places == sorted(places)
    assert middle(mirrored.window.preview, window) < middle(window.results, window)


def test_the_rest_of_a_name_follows_the_letters_that_were_typed(mirrored: App) -> None:
    field = mirrored.window.field.findChild(QueryEdit)
    assert field is not None
    mirrored.window.field.set_text("ta")
    assert field.rest == "g:"
    image = field.grab().toImage()
    ground = image.pixel(image.width() // 2, 1)
    height = range(image.height())
    ink = [x for x in range(image.width()) if any(image.pixel(x, y) != ground for y in height)]
    gaps = [later - earlier for earlier, later in pairwise(ink)]
    assert max(gaps) < field.fontMetrics().horizontalAdvance("     ")


def test_the_selected_row_has_its_bar_at_the_right(mirrored: App) -> None:
    view = mirrored.window.results.view
    row = view.visualRect(view.currentIndex())
    image = view.viewport().grab(row).toImage()
    line = [image.pixelColor(x, image.height() // 2).name() for x in range(image.width())]
    bar = [x for x, colour in enumerate(line) if colour == mirrored.theme.accent.lower()]
    assert bar
    assert min(bar) > image.width() * 0.9


def test_matches_are_marked_in_place_even_in_wide_tables(
    qtbot: QtBot, mirrored: App, notes: Path
) -> None:
    cells = " | ".join(f"`a_long_name_{n}`" for n in range(12))
    rule = "|".join("-" for _ in range(12))
    (notes / "Wide.md").write_text(f"# Wide\n\nA quokka here.\n\n| {cells} |\n|{rule}|\n")
    with qtbot.waitSignal(mirrored.vault.index_changed):
        mirrored.actions.update_index.trigger()
    mirrored.window.field.clear()
    typed(qtbot, mirrored, "quokka")
    qtbot.waitUntil(lambda: mirrored.pane.preview.is_complete)
    browser = mirrored.window.preview.browser
    browser.viewport().grab()
    [bar] = table_bars(browser)
    bar.setValue(bar.maximum())
    found = browser.document().find("quokka")
    assert not found.isNull()
    before = QTextCursor(found)
    before.setPosition(found.selectionStart())
    corner = browser.cursorRect(before).topLeft() + QPoint(2, 3)
    colour = browser.viewport().grab().toImage().pixelColor(corner).name()
    assert colour == mirrored.theme.mark_current.lower()


def test_breadcrumb_arrows_point_left(qtbot: QtBot, mirrored: App) -> None:
    qtbot.waitUntil(lambda: mirrored.pane.preview.content is not None)
    crumbs = mirrored.window.preview.head.breadcrumb
    parts = sorted(crumbs.findChildren(QWidget), key=lambda part: -part.x())
    shown = (part for part in parts if part.isVisible())
    texts = [part.text() for part in shown if isinstance(part, QLabel | QPushButton)]
    assert texts == ["Recipes", "‹", "Dashi"]


def test_the_breadcrumb_and_the_path_begin_at_the_same_edge(mirrored: App) -> None:
    head = mirrored.window.preview.head
    upper, lower = (layout.contentsMargins() for layout in head._layouts)
    assert upper.right() + focus_ring() == lower.right() > lower.left()


def test_a_path_is_still_written_from_left_to_right(qtbot: QtBot, mirrored: App) -> None:
    found = SuggestedFolders()
    qtbot.addWidget(found)
    vault = FoundVault(Path.home() / "notes", of_obsidian=False, notes=3)
    found.show_folders([suggestion(vault)])
    shown = [label.text() for label in found.findChildren(QLabel)]
    assert "\N{LEFT-TO-RIGHT MARK}~/notes" in shown


def test_a_filter_is_still_written_from_left_to_right(qtbot: QtBot, mirrored: App) -> None:
    mirrored.window.field.clear()
    typed(qtbot, mirrored, "-path:journal dashi")
    chips = mirrored.window.field.findChildren(QToolButton, "chip")
    mark = "\N{LEFT-TO-RIGHT MARK}"
    assert [chip.text() for chip in chips if chip.isVisible()] == [f"{mark}-path:journal{mark}"]


def test_menus_open_into_the_window(qtbot: QtBot, mirrored: App) -> None:
    """Their buttons are at the left, and so are the edges that are aligned."""
    line = mirrored.window.results.summary
    line._offer_orders()
    assert line._menu.x() == line._order.mapToGlobal(QPoint()).x()
    line._menu.close()
    menu, opened = mirrored.window.menu, list[int]()

    def look() -> None:
        opened.append(menu.x())
        menu.close()

    QTimer.singleShot(0, look)
    press(qtbot, mirrored, Qt.Key.Key_F10)
    assert opened == [mirrored.window.menu_button.mapToGlobal(QPoint()).x()]


def test_the_arrow_of_the_order_follows_its_label(mirrored: App) -> None:
    assert (
        mirrored.window.results.summary._order.layoutDirection() == Qt.LayoutDirection.LeftToRight
    )


def test_actions_are_shown_above_their_hint(qtbot: QtBot, mirrored: App) -> None:
    press(qtbot, mirrored, Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier)
    card = mirrored.window.choices.card.geometry()
    assert card.left() < mirrored.window.width() - card.right()


def ink(part: QWidget, left: float, right: float) -> int:
    """Return how many pixels between two shares of the width are not of the background."""
    image = part.grab().toImage()
    inner = range(6, image.height() - 6)
    ground = image.pixel(image.width() // 2, 8)
    columns = range(round(image.width() * left), round(image.width() * right))
    return sum(image.pixel(x, y) != ground for x in columns for y in inner)


@pytest.mark.parametrize("kind", ["drop-down", "box"])
def test_boxes_and_drop_downs_are_mirrored(qtbot: QtBot, kind: str) -> None:
    part = DropDown() if kind == "drop-down" else TickBox("200 (all)")
    qtbot.addWidget(part)
    if isinstance(part, DropDown):
        part.addItem("200 (all)")
    part.resize(400, 36)
    start, end = (0.01, 0.3), (0.7, 0.99)
    usual = ink(part, *start), ink(part, *end)
    part.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    assert (ink(part, *end), ink(part, *start)) == pytest.approx(usual, abs=12)


@pytest.mark.parametrize("selectable", [False, True])
def test_labels_of_another_language_start_at_the_side_of_the_layout(
    qapp: QApplication, qtbot: QtBot, selectable: bool
) -> None:
    qapp.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    label = text_label("Folders")
    qapp.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
    qtbot.addWidget(label)
    label.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    if selectable:
        label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    label.resize(400, 36)
    assert (ink(label, 0.01, 0.3), bool(ink(label, 0.7, 0.99))) == (0, True)


def test_a_breadcrumb_keeps_the_direction_of_each_heading(qtbot: QtBot) -> None:
    breadcrumb = Breadcrumb()
    qtbot.addWidget(breadcrumb)
    breadcrumb.resize(400, 30)
    images = []
    for written in ("kyoto א", "א kyoto"):  # either has the Hebrew letter at the right
        breadcrumb.set_crumbs([Crumb(written, 0), Crumb(written, 3)])
        images.append(breadcrumb.grab().toImage())
    assert images[0] == images[1]
