"""The list: mouse, selection and painting. Hovering changes nothing, headers cannot be selected."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QModelIndex, QPoint, QRect, QSize, Qt
from PySide6.QtGui import QAccessible, QColor, QFontMetrics, QPalette
from PySide6.QtTest import QSignalSpy, QTest
from PySide6.QtWidgets import QApplication, QStyleOptionViewItem
from pytestqt.qtbot import QtBot

from notesearch.gui.results.results_delegate import Canvas, ResultsDelegate
from notesearch.gui.results.results_model import CapRow, MoreRow, ResultRow, ResultsModel, Row
from notesearch.gui.results.results_pane import ResultsPane
from notesearch.gui.results.results_view import ResultsView
from notesearch.gui.widgets.marked_line import LaidOutLine
from notesearch.gui.widgets.theme import LIGHT, high_contrast
from notesearch.gui.window.appearance import stylesheet
from tests.gui.sample_results import note, section

NOTES = (
    note("Trip.md", "Kyoto > Food", "Kyoto > Day 3", "Packing", "Snacks"),
    note("B.md", "Dashi"),
)


@pytest.fixture
def view(qtbot: QtBot) -> ResultsView:
    """A visible list of two notes, whose first section is selected.

    Its rows: 0 Trip, 1 Food, 2 Day 3, 3 Packing, 4 “1 more”, 5 B, 6 Dashi.
    """
    model = ResultsModel()
    view = ResultsView(model, LIGHT)
    model.setParent(view)
    qtbot.addWidget(view)
    view.resize(400, 500)
    model.set_notes(NOTES)
    with qtbot.waitExposed(view):
        view.show()
    view.select(model.first_section())
    return view


@pytest.fixture
def model(view: ResultsView) -> ResultsModel:
    """The model of the visible list."""
    model = view.model()
    assert isinstance(model, ResultsModel)
    return model


def box(view: ResultsView, row: int) -> QRect:
    """Return where the list shows a row."""
    return view.visualRect(view.model().index(row, 0))


def centre(view: ResultsView, row: int) -> QPoint:
    return box(view, row).center()


def selected_row(view: ResultsView) -> int:
    return view.currentIndex().row()


def selected_section(view: ResultsView) -> str:
    assert view.section is not None
    return view.section.section


def is_whole(view: ResultsView, row: int) -> bool:
    """Return whether the list shows a row from its first to its last pixel."""
    return view.viewport().rect().contains(box(view, row))


def click(view: ResultsView, place: QPoint) -> None:
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place)


def fill(view: ResultsView, row: int) -> QColor:
    """Return the colour behind the text of a row."""
    picture = view.viewport().grab().toImage()
    return picture.pixelColor(box(view, row).center().x(), box(view, row).bottom() - 3)


def test_a_click_selects_and_a_double_click_opens(view: ResultsView) -> None:
    opened, touched = QSignalSpy(view.opened), QSignalSpy(view.touched)
    click(view, centre(view, 2))
    assert selected_row(view) == 2
    assert (opened.count(), touched.count()) == (0, 1)
    QTest.mouseDClick(view.viewport(), Qt.MouseButton.LeftButton, pos=centre(view, 2))
    assert opened.count() == 1


def test_a_click_on_a_header_changes_nothing(view: ResultsView) -> None:
    for place in (centre(view, 0), QPoint(100, 490)):
        click(view, place)
        assert selected_row(view) == 1
        assert view.selectionModel().isSelected(view.currentIndex())


def test_hovering_does_not_select(view: ResultsView) -> None:
    selected = QSignalSpy(view.selected)
    for row in (3, 2, 4):
        QTest.mouseMove(view.viewport(), centre(view, row))
    assert selected.count() == 0
    assert selected_row(view) == 1


def test_the_row_under_the_mouse_is_shaded(view: ResultsView) -> None:
    QTest.mouseMove(view.viewport(), centre(view, 3))
    assert fill(view, 1) == QColor(LIGHT.accent_soft), "it is selected"
    assert fill(view, 2) != QColor(LIGHT.hover)
    assert fill(view, 3) == QColor(LIGHT.hover)


def test_a_new_list_has_the_row_under_the_resting_mouse_shaded(
    view: ResultsView, model: ResultsModel
) -> None:
    place = centre(view, 3)
    QTest.mouseMove(view.viewport(), place)
    model.set_notes([*NOTES])
    assert fill(view, view.indexAt(place).row()) == QColor(LIGHT.hover)


def test_a_row_that_is_half_above_the_list_is_not_shaded(view: ResultsView) -> None:
    view.resize(400, 120)
    view.verticalScrollBar().setValue(box(view, 2).top() + 1)
    assert box(view, 2).top() < 0 < box(view, 2).bottom()
    assert fill(view, 2) != QColor(LIGHT.hover), "the mouse is elsewhere"


def test_a_click_on_a_more_row_unfolds_the_note(view: ResultsView) -> None:
    click(view, centre(view, 4))
    assert selected_section(view) == "Snacks"


def test_arrows_pass_over_headers_and_more_rows(view: ResultsView) -> None:
    view.setFocus()
    up, down = Qt.Key.Key_Up, Qt.Key.Key_Down
    for key, section_names in (
        (down, ["Day 3", "Packing", "Dashi", "Dashi"]),
        (up, ["Packing", "Day 3", "Food", "Food"]),
        (Qt.Key.Key_PageDown, ["Dashi"]),
    ):
        for name in section_names:
            QTest.keyClick(view, key)
            assert selected_section(view) == name


def test_the_right_key_shows_all_sections_of_the_selected_note(view: ResultsView) -> None:
    view.setFocus()
    QTest.keyClick(view, Qt.Key.Key_Right)
    assert selected_section(view) == "Food", "the selection stays"
    for _ in range(3):
        QTest.keyClick(view, Qt.Key.Key_Down)
    assert selected_section(view) == "Snacks"
    QTest.keyClick(view, Qt.Key.Key_Right)
    assert selected_section(view) == "Snacks", "nothing is left to show"


def test_selecting_the_first_section_scrolls_to_its_header(view: ResultsView) -> None:
    view.resize(400, 120)
    view.setFocus()
    QTest.keyClick(view, Qt.Key.Key_End)
    assert view.verticalScrollBar().value() > 0
    QTest.keyClick(view, Qt.Key.Key_Home)
    assert view.verticalScrollBar().value() == 0


@pytest.mark.parametrize("key", [Qt.Key.Key_End, Qt.Key.Key_Down])
def test_the_last_section_is_in_view_with_the_rows_that_end_the_list(
    view: ResultsView, model: ResultsModel, key: Qt.Key
) -> None:
    model.set_notes(NOTES[:1], cap=3)
    view.select(model.first_section())
    view.resize(400, 160)
    view.setFocus()
    for _ in range(3):
        QTest.keyClick(view, key)
    assert selected_section(view) == "Packing"
    assert [type(row) for row in model.rows[3:]] == [ResultRow, MoreRow, CapRow]
    assert all(is_whole(view, row) for row in (3, 4, 5))


def test_the_selected_row_stays_in_view_in_a_smaller_window(view: ResultsView) -> None:
    view.select(view.model().index(3, 0))
    view.resize(400, 120)
    assert is_whole(view, 3)


def test_the_selected_row_stays_in_view_with_higher_rows(view: ResultsView) -> None:
    view.resize(400, 300)
    view.set_theme(replace(LIGHT, snippets=False))
    view.select(view.model().index(5, 0))
    view.set_theme(LIGHT)
    assert is_whole(view, selected_row(view))


def test_a_selected_row_that_was_scrolled_away_stays_away(view: ResultsView) -> None:
    view.resize(400, 150)
    view.verticalScrollBar().setValue(view.verticalScrollBar().maximum())
    view.resize(400, 140)
    assert view.visualRect(view.currentIndex()).top() < 0


def test_rows_have_one_line_for_a_snippet_where_the_longest_fits_into_it(
    qtbot: QtBot, view: ResultsView, model: ResultsModel
) -> None:
    food = section("Trip.md", "Food", "Long snippet " * 12)
    model.set_notes([replace(NOTES[0], sections=(food,))])
    view.select(model.first_section())
    two_lines = box(view, 1).height()
    view.resize(1_400, 500)
    qtbot.waitUntil(lambda: box(view, 1).height() < two_lines)
    assert is_whole(view, 1)
    view.set_theme(replace(LIGHT, text="#111111"))
    assert box(view, 1).height() < two_lines
    view.resize(400, 500)
    qtbot.waitUntil(lambda: box(view, 1).height() == two_lines)


def test_a_row_is_as_high_as_its_snippet(view: ResultsView, model: ResultsModel) -> None:
    long = section("Trip.md", "Food", "*Long* snippet " * 12)
    unknown = replace(section("Trip.md", "Day 3", ""), complete=False)
    empty = section("Trip.md", "Packing", "")
    short = section("Trip.md", "Snacks", "A *short* one")
    model.set_notes([replace(NOTES[0], sections=(long, unknown, empty))])
    two_lines, reserved, no_line = (box(view, row).height() for row in (1, 2, 3))
    model.set_notes([replace(NOTES[0], sections=(short,))])
    one_line = box(view, 1).height()
    assert two_lines == reserved > one_line > no_line


def test_only_a_snippet_with_marks_needs_room_for_bold_letters(
    view: ResultsView, model: ResultsModel
) -> None:
    metrics = view._delegate._metrics
    plain, words = QFontMetrics(metrics.snippet), "market soup"
    while plain.horizontalAdvance(f"{words} m") <= metrics._room:
        words += " m"
    sections = (section("Trip.md", "Food", words), section("Trip.md", "Day 3", f"*{words}*"))
    model.set_notes([replace(NOTES[0], sections=sections)])
    assert box(view, 1).height() == metrics.height_of(1)
    assert box(view, 2).height() == metrics.height_of(2)


def test_a_late_snippet_moves_no_row(view: ResultsView, model: ResultsModel) -> None:
    boxes = [box(view, row) for row in range(7)]
    before = view.viewport().grab().toImage()
    model.update_snippets([section("Trip.md", "Packing", "Long snippet " * 12, line=30)])
    assert boxes == [box(view, row) for row in range(7)]
    after = view.viewport().grab().toImage()
    others = [box for row, box in enumerate(boxes) if row != 3]
    assert all(before.copy(box) == after.copy(box) for box in others)
    assert before != after


@pytest.fixture
def asked_rows(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The rows whose flags a list that is made later asks its model for."""
    rows: list[int] = []
    flags = ResultsModel.flags

    def record(self: ResultsModel, index: QModelIndex) -> Qt.ItemFlag:
        rows.append(index.row())
        return flags(self, index)

    monkeypatch.setattr(ResultsModel, "flags", record)
    return rows


def test_painting_asks_the_model_only_for_the_selected_row(
    asked_rows: list[int], view: ResultsView
) -> None:
    view.grab()
    asked_rows.clear()
    view.grab()
    assert set(asked_rows) <= {1}


@pytest.fixture
def measured_rows(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The rows whose height a list that is made later asks for."""
    rows: list[int] = []
    measure = ResultsDelegate.sizeHint

    def record(self: ResultsDelegate, option: QStyleOptionViewItem, index: QModelIndex) -> QSize:
        rows.append(index.row())
        return measure(self, option, index)

    monkeypatch.setattr(ResultsDelegate, "sizeHint", record)
    return rows


@pytest.fixture
def painted_rows(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The rows that a list paints."""
    rows: list[int] = []
    paint = ResultsDelegate.paint_row

    def record(self: ResultsDelegate, canvas: Canvas, row: Row, number: int, top: int) -> None:
        rows.append(number)
        paint(self, canvas, row, number, top)

    monkeypatch.setattr(ResultsDelegate, "paint_row", record)
    return rows


def test_a_late_snippet_is_painted_without_a_new_layout(
    qtbot: QtBot, measured_rows: list[int], painted_rows: list[int], model: ResultsModel
) -> None:
    qtbot.waitUntil(lambda: 6 in painted_rows)

    def is_quiet() -> bool:
        """A window that becomes active, or has the mouse above it, is painted once more."""
        painted_rows.clear()
        QApplication.processEvents()
        return not painted_rows

    qtbot.waitUntil(is_quiet)
    measured_rows.clear()
    model.update_snippets([section("B.md", "Dashi", "Kombu", line=10)])
    qtbot.waitUntil(lambda: bool(painted_rows))
    assert painted_rows == [6]
    assert set(measured_rows) == {0, 6}  # 0: the header at the top


def test_the_selection_in_a_new_list_is_emitted_after_it_is_painted(
    qtbot: QtBot, view: ResultsView, model: ResultsModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    happened: list[str] = []
    paint = ResultsDelegate.paint_row

    def record_paint(*args: object) -> None:
        happened.append("painted")
        paint(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(ResultsDelegate, "paint_row", record_paint)
    view.selected.connect(lambda section: happened.append(section.section))
    model.set_notes(NOTES[1:])
    view.restore(None)
    qtbot.waitUntil(lambda: "Dashi" in happened)
    assert (happened[0], happened.count("Dashi")) == ("painted", 1)
    model.set_notes(NOTES)
    view.restore(None)
    QTest.keyClick(view, Qt.Key.Key_Down)
    assert happened[-1] == "Day 3"
    before = len(happened)
    qtbot.waitUntil(lambda: len(happened) > before)
    assert set(happened[before:]) == {"painted"}


def test_a_screen_reader_can_read_the_rows(view: ResultsView) -> None:
    interface = QAccessible.queryAccessibleInterface(view)
    assert interface.text(QAccessible.Text.Name) == "Search results"
    rows = [interface.child(n) for n in range(interface.childCount())]
    assert rows[1].text(QAccessible.Text.Name) == "Trip, Kyoto, Food. Some text"
    assert [bool(row.state().focusable) for row in rows[:2]] == [False, True]


def test_dimmed_rows_look_different(view: ResultsView) -> None:
    plain = view.grab().toImage()
    view.set_dimmed(True)
    assert view.grab().toImage() != plain


def test_the_focus_is_visible(qtbot: QtBot, view: ResultsView) -> None:
    view.clearFocus()
    plain = view.grab().toImage()
    view.activateWindow()
    qtbot.waitUntil(view.isActiveWindow)
    view.setFocus()
    assert view.grab().toImage() != plain


def test_the_selected_row_has_an_outline_in_high_contrast(view: ResultsView) -> None:
    colours = high_contrast(QPalette(), dark=False)
    view.set_theme(colours)
    picture, row = view.grab().toImage(), view.visualRect(view.currentIndex())
    top = [picture.pixelColor(row.center().x(), row.top() + n).name() for n in range(4)]
    assert colours.accent.lower() in top


def test_an_error_while_a_row_is_painted_does_not_end_the_program(
    qtbot: QtBot, view: ResultsView, monkeypatch: pytest.MonkeyPatch
) -> None:
    painters = []

    def fail(_: ResultsDelegate, canvas: Canvas, *row: object) -> None:
        painters.append(canvas.painter)
        raise RuntimeError("a row that cannot be painted")

    monkeypatch.setattr(ResultsDelegate, "paint_row", fail)
    with qtbot.captureExceptions() as caught:
        view.viewport().update()
        qtbot.waitUntil(lambda: bool(caught))
    assert "a row that cannot be painted" in str(caught[0][1])
    # The exception keeps its frames alive, and with them this painter.
    assert not painters[0].isActive(), "a second painter on the same window would end the process"
    monkeypatch.undo()
    view.viewport().repaint()


@pytest.fixture
def scrolled(view: ResultsView) -> ResultsView:
    """A low list of two notes, scrolled so that the first rows are above it."""
    view.resize(400, 150)
    view.verticalScrollBar().setValue(box(view, 2).top())
    return view


def test_the_header_of_the_top_section_stays_in_sight(scrolled: ResultsView) -> None:
    assert scrolled.indexAt(QPoint(50, 4)).row() == 0
    assert box(scrolled, 0).bottom() < 0


def test_the_next_header_pushes_the_sticky_one_out(scrolled: ResultsView) -> None:
    scrolled.resize(400, 70)
    bar = scrolled.verticalScrollBar()
    bar.setValue(bar.value() + box(scrolled, 5).top() - 10)
    assert scrolled.indexAt(QPoint(50, 2)).row() == 0
    assert scrolled.indexAt(QPoint(50, 20)).row() == 5


def test_a_section_chosen_by_keyboard_is_not_behind_the_sticky_header(
    scrolled: ResultsView,
) -> None:
    scrolled.setFocus()
    scrolled.select(scrolled.model().index(6, 0))
    for _ in range(3):
        QTest.keyClick(scrolled, Qt.Key.Key_Up)
        top = scrolled.visualRect(scrolled.currentIndex()).top()
        assert scrolled.indexAt(QPoint(50, top)) == scrolled.currentIndex()


def test_a_click_on_the_sticky_header_scrolls_to_its_note(scrolled: ResultsView) -> None:
    before = scrolled.currentIndex()
    click(scrolled, QPoint(50, 4))
    assert box(scrolled, 0).top() == 0
    assert scrolled.currentIndex() == before


@pytest.fixture
def painted_lines(monkeypatch: pytest.MonkeyPatch) -> dict[str, float]:
    """The bottom of every line of text that the list has painted, by its text."""
    bottoms = dict[str, float]()
    write = Canvas.write

    def record(canvas: Canvas, line: LaidOutLine, left: float, top: float) -> None:
        bottoms[line._layout.text()] = top + line.height
        write(canvas, line, left, top)

    monkeypatch.setattr(Canvas, "write", record)
    return bottoms


def test_the_caption_of_recent_sections_is_at_the_foot_of_its_row(
    view: ResultsView, model: ResultsModel, painted_lines: dict[str, float]
) -> None:
    model.set_recent([section("Trip.md", "Kyoto")])
    view.grab()
    row = box(view, 0)
    assert row.center().y() < painted_lines["Recently opened"] < row.bottom()


@pytest.mark.parametrize(
    ("title", "width", "name"),
    [
        ("Osaka", 400, "Work/trips/2025/"),
        ("Osaka", 210, "Work"),
        ("A long title " * 9, 400, "Work"),
    ],
)
def test_a_header_names_the_vault_whole(
    view: ResultsView,
    model: ResultsModel,
    painted_lines: dict[str, float],
    title: str,
    width: int,
    name: str,
) -> None:
    view.resize(width, 500)
    model.set_notes([replace(note("Work/trips/2025/a.md", "Trains"), title=title, vault="Work")])
    view.grab()
    assert name in painted_lines


def test_a_header_shows_no_part_of_a_folder(
    view: ResultsView, model: ResultsModel, painted_lines: dict[str, float]
) -> None:
    """A header once showed "sqli…". Now whole names are left out, never letters."""
    model.set_notes([note("sqlite/functions/a.md", "Trains")])
    for width in range(150, 400, 20):
        view.resize(width, 500)
        view.grab()
    assert {text for text in painted_lines if text.startswith("sq")} == {"sqlite/functions/"}


def test_the_line_about_the_query_is_as_high_without_an_offer(qtbot: QtBot) -> None:
    pane = ResultsPane(ResultsModel(), LIGHT)
    qtbot.addWidget(pane)
    pane.setStyleSheet(stylesheet(LIGHT))
    pane.resize(440, 400)
    pane.show()
    tops = []
    for offer in ("", "Search for “kioto”"):
        pane.set_correction("Results for “kyoto”.", offer)
        QApplication.processEvents()
        tops.append(pane.view.y())
    assert tops[0] == tops[1]
