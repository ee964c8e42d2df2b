"""The list: mouse, selection and painting. Hovering changes nothing, headers cannot be selected."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QModelIndex, QPoint, QSize, Qt
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
from tests.gui.made import note, section

NOTES = (
    note("Trip.md", "Kyoto > Food", "Kyoto > Day 3", "Packing", "Snacks"),
    note("B.md", "Dashi"),
)


def view(qtbot: QtBot) -> ResultsView:
    model = ResultsModel()
    made = ResultsView(model, LIGHT)
    model.setParent(made)
    qtbot.addWidget(made)
    made.resize(400, 500)
    model.set_notes(NOTES)
    with qtbot.waitExposed(made):
        made.show()
    made.select(model.first_section())
    return made


def centre(shown: ResultsView, row: int) -> QPoint:
    return shown.visualRect(shown.model().index(row, 0)).center()


def test_a_click_selects_and_a_double_click_opens(qtbot: QtBot) -> None:
    shown = view(qtbot)
    opened, touched = QSignalSpy(shown.opened), QSignalSpy(shown.touched)
    QTest.mouseClick(shown.viewport(), Qt.MouseButton.LeftButton, pos=centre(shown, 2))
    assert shown.currentIndex().row() == 2
    assert (opened.count(), touched.count()) == (0, 1)
    QTest.mouseDClick(shown.viewport(), Qt.MouseButton.LeftButton, pos=centre(shown, 2))
    assert opened.count() == 1


def test_a_click_on_a_header_changes_nothing(qtbot: QtBot) -> None:
    shown = view(qtbot)
    for where in (centre(shown, 0), QPoint(100, 490)):
        QTest.mouseClick(shown.viewport(), Qt.MouseButton.LeftButton, pos=where)
        assert shown.currentIndex().row() == 1
        assert shown.selectionModel().isSelected(shown.currentIndex())


def test_hovering_does_not_select(qtbot: QtBot) -> None:
    shown = view(qtbot)
    selected = QSignalSpy(shown.selected)
    for row in (3, 2, 4):
        QTest.mouseMove(shown.viewport(), centre(shown, row))
    assert selected.count() == 0
    assert shown.currentIndex().row() == 1


def test_the_row_under_the_mouse_is_shaded(qtbot: QtBot) -> None:
    shown = view(qtbot)
    QTest.mouseMove(shown.viewport(), centre(shown, 3))
    image = shown.viewport().grab().toImage()
    boxes = [shown.visualRect(shown.model().index(row, 0)) for row in (1, 2, 3)]
    fills = [image.pixelColor(box.center().x(), box.bottom() - 3) for box in boxes]
    assert fills[0] == QColor(LIGHT.accent_soft)
    assert fills[2] == QColor(LIGHT.hover) != fills[1]


def test_a_new_list_has_the_row_under_the_resting_mouse_shaded(qtbot: QtBot) -> None:
    shown = view(qtbot)
    place = centre(shown, 3)
    QTest.mouseMove(shown.viewport(), place)
    model = shown.model()
    assert isinstance(model, ResultsModel)
    model.set_notes([*NOTES])
    box = shown.visualRect(shown.indexAt(place))
    colour = shown.viewport().grab().toImage().pixelColor(box.center().x(), box.bottom() - 3)
    assert colour == QColor(LIGHT.hover)


def test_a_row_that_is_half_above_the_list_is_not_shaded(qtbot: QtBot) -> None:
    shown = view(qtbot)
    shown.resize(400, 120)
    row = shown.visualRect(shown.model().index(2, 0))
    shown.verticalScrollBar().setValue(row.top() + 1)
    box = shown.visualRect(shown.model().index(2, 0))
    assert box.top() < 0 < box.bottom()
    colour = shown.viewport().grab().toImage().pixelColor(box.center().x(), box.bottom() - 3)
    assert colour != QColor(LIGHT.hover), "the mouse is elsewhere"


def test_a_click_on_a_more_row_unfolds_the_note(qtbot: QtBot) -> None:
    shown = view(qtbot)
    QTest.mouseClick(shown.viewport(), Qt.MouseButton.LeftButton, pos=centre(shown, 4))
    assert shown.section is not None
    assert shown.section.section == "Snacks"


def test_arrows_pass_over_headers_and_more_rows(qtbot: QtBot) -> None:
    shown = view(qtbot)
    shown.setFocus()
    names = []
    for key in (*(Qt.Key.Key_Down,) * 4, *(Qt.Key.Key_Up,) * 4, Qt.Key.Key_PageDown):
        QTest.keyClick(shown, key)
        assert shown.section is not None
        names.append(shown.section.section)
    assert names == [
        "Day 3",
        "Packing",
        "Dashi",
        "Dashi",
        "Packing",
        "Day 3",
        "Food",
        "Food",
        "Dashi",
    ]


def test_the_right_key_shows_all_sections_of_the_selected_note(qtbot: QtBot) -> None:
    shown = view(qtbot)
    shown.setFocus()
    QTest.keyClick(shown, Qt.Key.Key_Right)
    assert shown.section is not None
    assert shown.section.section == "Food", "the selection stays"
    for _ in range(3):
        QTest.keyClick(shown, Qt.Key.Key_Down)
    assert shown.section.section == "Snacks"
    QTest.keyClick(shown, Qt.Key.Key_Right)
    assert shown.section.section == "Snacks", "nothing is left to show"


def test_selecting_the_first_section_scrolls_to_its_header(qtbot: QtBot) -> None:
    shown = view(qtbot)
    shown.resize(400, 120)
    shown.setFocus()
    QTest.keyClick(shown, Qt.Key.Key_End)
    assert shown.verticalScrollBar().value() > 0
    QTest.keyClick(shown, Qt.Key.Key_Home)
    assert shown.verticalScrollBar().value() == 0


@pytest.mark.parametrize("key", [Qt.Key.Key_End, Qt.Key.Key_Down])
def test_the_last_section_is_in_view_with_the_rows_that_end_the_list(
    qtbot: QtBot, key: Qt.Key
) -> None:
    shown = view(qtbot)
    model = shown.model()
    assert isinstance(model, ResultsModel)
    model.set_notes(NOTES[:1], cap=3)
    shown.select(model.first_section())
    shown.resize(400, 160)
    shown.setFocus()
    for _ in range(3):
        QTest.keyClick(shown, key)
    assert shown.section is not None
    assert shown.section.section == "Packing"
    rows = [model.index(row, 0) for row in (3, 4, 5)]
    assert [type(model.rows[index.row()]) for index in rows] == [ResultRow, MoreRow, CapRow]
    assert all(shown.viewport().rect().contains(shown.visualRect(index)) for index in rows)


def test_the_selected_row_stays_in_view_in_a_smaller_window_and_with_higher_rows(
    qtbot: QtBot,
) -> None:
    shown = view(qtbot)
    shown.select(shown.model().index(3, 0))
    shown.resize(400, 120)
    assert shown.viewport().rect().contains(shown.visualRect(shown.currentIndex()))
    shown.resize(400, 300)
    shown.set_theme(replace(LIGHT, snippets=False))
    shown.select(shown.model().index(5, 0))
    shown.set_theme(LIGHT)  # higher rows
    assert shown.viewport().rect().contains(shown.visualRect(shown.currentIndex()))


def test_a_selected_row_that_was_scrolled_away_stays_away(qtbot: QtBot) -> None:
    shown = view(qtbot)
    shown.resize(400, 150)
    shown.verticalScrollBar().setValue(shown.verticalScrollBar().maximum())
    shown.resize(400, 140)
    assert shown.visualRect(shown.currentIndex()).top() < 0


def test_rows_have_one_line_for_a_snippet_where_the_longest_fits_into_it(qtbot: QtBot) -> None:
    shown = view(qtbot)
    food = section("Trip.md", "Food", "Long snippet " * 12)
    shown._results.set_notes([replace(NOTES[0], sections=(food,))])
    shown.select(shown._results.first_section())

    def height() -> int:
        return shown.visualRect(shown.model().index(1, 0)).height()

    two_lines = height()
    shown.resize(1_400, 500)
    qtbot.waitUntil(lambda: height() < two_lines)
    assert shown.viewport().rect().contains(shown.visualRect(shown.currentIndex()))
    shown.set_theme(replace(LIGHT, text="#111111"))
    assert height() < two_lines
    shown.resize(400, 500)
    qtbot.waitUntil(lambda: height() == two_lines)


def test_a_row_is_as_high_as_its_snippet(qtbot: QtBot) -> None:
    shown = view(qtbot)
    long = section("Trip.md", "Food", "*Long* snippet " * 12)
    unknown = replace(section("Trip.md", "Day 3", ""), cut=False)
    nothing = section("Trip.md", "Packing", "")
    short = section("Trip.md", "Snacks", "A *short* one")
    shown._results.set_notes([replace(NOTES[0], sections=(long, unknown, nothing))])
    heights = [shown.visualRect(shown.model().index(row, 0)).height() for row in (1, 2, 3)]
    shown._results.set_notes([replace(NOTES[0], sections=(short,))])
    one_line = shown.visualRect(shown.model().index(1, 0)).height()
    assert heights[0] == heights[1] > one_line > heights[2]


def test_only_a_snippet_with_marks_needs_room_for_bold_letters(qtbot: QtBot) -> None:
    shown = view(qtbot)
    metrics = shown._delegate._metrics
    plain, words = QFontMetrics(metrics.snippet), "market soup"
    while plain.horizontalAdvance(f"{words} m") <= metrics._room:
        words += " m"
    rows = (section("Trip.md", "Food", words), section("Trip.md", "Day 3", f"*{words}*"))
    shown._results.set_notes([replace(NOTES[0], sections=rows)])
    heights = [shown.visualRect(shown.model().index(row, 0)).height() for row in (1, 2)]
    assert heights == [metrics.height_of(1), metrics.height_of(2)]


def test_a_late_snippet_moves_no_row(qtbot: QtBot) -> None:
    shown = view(qtbot)
    boxes = [shown.visualRect(shown.model().index(row, 0)) for row in range(7)]
    before = shown.viewport().grab().toImage()
    shown._results.update_snippets([section("Trip.md", "Packing", "Long snippet " * 12, line=30)])
    assert boxes == [shown.visualRect(shown.model().index(row, 0)) for row in range(7)]
    after = shown.viewport().grab().toImage()
    others = [box for row, box in enumerate(boxes) if row != 3]
    assert all(before.copy(box) == after.copy(box) for box in others)
    assert before != after


def test_painting_asks_the_model_only_for_the_selected_row(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []
    flags = ResultsModel.flags

    def record(self: ResultsModel, index: QModelIndex) -> Qt.ItemFlag:
        asked.append(index.row())
        return flags(self, index)

    monkeypatch.setattr(ResultsModel, "flags", record)
    shown = view(qtbot)
    shown.grab()
    asked.clear()
    shown.grab()
    assert set(asked) <= {1}


def test_a_late_snippet_is_painted_without_a_new_layout(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    measured: list[int] = []
    painted: list[int] = []
    measure, paint = ResultsDelegate.sizeHint, ResultsDelegate.paint_row

    def record_size(
        self: ResultsDelegate, option: QStyleOptionViewItem, index: QModelIndex
    ) -> QSize:
        measured.append(index.row())
        return measure(self, option, index)

    def record_paint(
        self: ResultsDelegate, canvas: Canvas, row: Row, number: int, top: int
    ) -> None:
        painted.append(number)
        paint(self, canvas, row, number, top)

    monkeypatch.setattr(ResultsDelegate, "sizeHint", record_size)
    monkeypatch.setattr(ResultsDelegate, "paint_row", record_paint)
    shown = view(qtbot)
    model = shown.model()
    assert isinstance(model, ResultsModel)
    qtbot.waitUntil(lambda: 6 in painted)

    def is_quiet() -> bool:
        """A window that becomes active, or has the mouse above it, is painted once more."""
        painted.clear()
        QApplication.processEvents()
        return not painted

    qtbot.waitUntil(is_quiet)
    measured.clear()
    model.update_snippets([section("B.md", "Dashi", "Kombu", line=10)])
    qtbot.waitUntil(lambda: bool(painted))
    assert (painted, set(measured)) == ([6], {0, 6})  # 0: the header at the top


def test_the_selection_in_a_new_list_is_emitted_after_it_is_painted(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    happened: list[str] = []
    shown, paint = view(qtbot), ResultsDelegate.paint_row

    def record_paint(*args: object) -> None:
        happened.append("painted")
        paint(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(ResultsDelegate, "paint_row", record_paint)
    model = shown.model()
    assert isinstance(model, ResultsModel)
    shown.selected.connect(lambda section: happened.append(section.section))
    model.set_notes(NOTES[1:])
    shown.restore(None)
    qtbot.waitUntil(lambda: "Dashi" in happened)
    assert (happened[0], happened.count("Dashi")) == ("painted", 1)
    model.set_notes(NOTES)
    shown.restore(None)
    QTest.keyClick(shown, Qt.Key.Key_Down)
    assert happened[-1] == "Day 3"
    before = len(happened)
    qtbot.waitUntil(lambda: len(happened) > before)
    assert set(happened[before:]) == {"painted"}


def test_a_screen_reader_can_read_the_rows(qtbot: QtBot) -> None:
    shown = view(qtbot)
    interface = QAccessible.queryAccessibleInterface(shown)
    assert interface.text(QAccessible.Text.Name) == "Search results"
    rows = [interface.child(n) for n in range(interface.childCount())]
    assert rows[1].text(QAccessible.Text.Name) == "Trip, Kyoto, Food. Some text"
    assert [bool(row.state().focusable) for row in rows[:2]] == [False, True]


def test_dimmed_and_focused_rows_look_different(qtbot: QtBot) -> None:
    shown = view(qtbot)
    shown.clearFocus()
    plain = shown.grab().toImage()
    shown.set_dimmed(True)
    assert shown.grab().toImage() != plain
    shown.set_dimmed(False)
    shown.activateWindow()
    qtbot.waitUntil(shown.isActiveWindow)
    shown.setFocus()
    assert shown.grab().toImage() != plain, "the focus is visible"


def test_the_selected_row_has_an_outline_in_high_contrast(qtbot: QtBot) -> None:
    shown = view(qtbot)
    colours = high_contrast(QPalette(), dark=False)
    shown.set_theme(colours)
    picture, row = shown.grab().toImage(), shown.visualRect(shown.currentIndex())
    top = [picture.pixelColor(row.center().x(), row.top() + n).name() for n in range(4)]
    assert colours.accent.lower() in top


def test_an_error_while_a_row_is_painted_does_not_end_the_program(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown, painters = view(qtbot), []

    def fail(_: ResultsDelegate, canvas: Canvas, *row: object) -> None:
        painters.append(canvas.painter)
        raise RuntimeError("a row that cannot be painted")

    monkeypatch.setattr(ResultsDelegate, "paint_row", fail)
    with qtbot.captureExceptions() as caught:
        shown.viewport().update()
        qtbot.waitUntil(lambda: bool(caught))
    assert "a row that cannot be painted" in str(caught[0][1])
    # The exception keeps its frames alive, and with them this painter.
    assert not painters[0].isActive(), "a second painter on the same window would end the process"
    monkeypatch.undo()
    shown.viewport().repaint()


@pytest.fixture
def scrolled(qtbot: QtBot) -> ResultsView:
    """A low list of two notes, scrolled so that the first rows are above it."""
    shown = view(qtbot)
    shown.resize(400, 150)
    bar = shown.verticalScrollBar()
    bar.setValue(shown.visualRect(shown.model().index(2, 0)).top())
    return shown


def test_the_header_of_the_top_section_stays_in_sight(scrolled: ResultsView) -> None:
    assert scrolled.indexAt(QPoint(50, 4)).row() == 0
    assert scrolled.visualRect(scrolled.model().index(0, 0)).bottom() < 0


def test_the_next_header_pushes_the_sticky_one_out(scrolled: ResultsView) -> None:
    scrolled.resize(400, 70)
    bar = scrolled.verticalScrollBar()
    next_header = scrolled.model().index(5, 0)
    bar.setValue(bar.value() + scrolled.visualRect(next_header).top() - 10)
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
    QTest.mouseClick(scrolled.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(50, 4))
    assert scrolled.visualRect(scrolled.model().index(0, 0)).top() == 0
    assert scrolled.currentIndex() == before


def test_the_caption_of_recent_sections_is_at_the_foot_of_its_row(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = view(qtbot)
    written = dict[str, float]()

    def recorded(_canvas: Canvas, line: LaidOutLine, _left: float, top: float) -> None:
        written[line._layout.text()] = top + line.height

    monkeypatch.setattr(Canvas, "write", recorded)
    shown._results.set_recent([section("Trip.md", "Kyoto")])
    shown.grab()
    row = shown.visualRect(shown._results.index(0))
    assert row.center().y() < written["Recently opened"] < row.bottom()


@pytest.mark.parametrize(
    ("title", "width", "named"),
    [
        ("Osaka", 400, "Work/trips/2025/"),
        ("Osaka", 210, "Work"),
        ("A long title " * 9, 400, "Work"),
    ],
)
def test_a_header_names_the_vault_whole(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, title: str, width: int, named: str
) -> None:
    shown = view(qtbot)
    shown.resize(width, 500)
    written = list[str]()
    write = Canvas.write

    def recorded(canvas: Canvas, line: LaidOutLine, left: float, top: float) -> None:
        written.append(line._layout.text())
        write(canvas, line, left, top)

    monkeypatch.setattr(Canvas, "write", recorded)
    found = replace(note("Work/trips/2025/a.md", "Trains"), title=title, vault="Work")
    shown._results.set_notes((found,))
    shown.grab()
    assert named in written


def test_a_header_shows_no_part_of_a_folder(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    """A header once showed "sqli…". Now whole names are left out, never letters."""
    written = list[str]()
    monkeypatch.setattr(
        Canvas, "write", lambda _canvas, line, *_place: written.append(line._layout.text())
    )
    shown = view(qtbot)
    shown._results.set_notes((note("sqlite/functions/a.md", "Trains"),))
    for width in range(150, 400, 20):
        shown.resize(width, 500)
        shown.grab()
    assert {text for text in written if text.startswith("sq")} == {"sqlite/functions/"}


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
