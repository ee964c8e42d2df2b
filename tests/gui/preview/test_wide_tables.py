"""Tables wider than the text scroll by themselves, and matches in them come into view."""

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from notesearch.gui.preview.document import text_rectangles
from notesearch.gui.preview.preview_pane import PreviewPane
from notesearch.gui.widgets.theme import DARK, LIGHT
from notesearch.results import Scope, SectionText
from tests.gui.preview_contents import show_text, table_bars
from tests.gui.sample_results import section
from tests.gui.trip_note import shown

_NO_KEY = Qt.KeyboardModifier.NoModifier


@pytest.fixture
def pane(qtbot: QtBot, qapp: QApplication) -> PreviewPane:
    return shown(qtbot, qapp)


def wide_table(*before: str) -> SectionText:
    heads = " | ".join(f"A long column head {n}" for n in range(9))
    cells = " | ".join(f"value{n} internationalisation" for n in range(9))
    rows = f"| {heads} |", f"|{'---|' * 9}", f"| {cells} |"
    return SectionText("a.md", "A", "A", ("A",), 1, 1, 3, "\n".join([*before, *rows]))


def test_a_match_beyond_the_edge_of_a_wide_table_is_brought_into_view(pane: PreviewPane) -> None:
    show_text(pane, wide_table("Where is it?\n"), None, "value8 value0")
    pane.browser.viewport().grab()
    [bar] = table_bars(pane.browser)
    pane.next_match()
    assert bar.value() > bar.maximum() / 2
    assert left_of(pane, "value8") > 0
    assert left_of(pane, "Where") == left_of(pane, "Where", of_start=True), "the text stays"
    pane.next_match()
    assert bar.value() == 0


def test_the_arrow_keys_scroll_a_wide_table_in_view(pane: PreviewPane) -> None:
    show_text(pane, wide_table("Where is it?\n"))
    pane.browser.viewport().grab()
    [bar] = table_bars(pane.browser)
    QTest.keyClick(pane.browser, Qt.Key.Key_Right)
    QTest.keyClick(pane.browser, Qt.Key.Key_Right)
    assert bar.value() == 2 * bar.singleStep()
    QTest.keyClick(pane.browser, Qt.Key.Key_Left)
    assert bar.value() == bar.singleStep()
    show_text(pane, wide_table(*(f"line {n}\n" for n in range(90))))
    pane.browser.viewport().grab()
    QTest.keyClick(pane.browser, Qt.Key.Key_Right)
    assert pane.browser._wide_tables.offsets == [0], "it is not in view"


def test_a_match_beyond_the_edge_is_in_view_in_a_wider_scope(pane: PreviewPane) -> None:
    found = section("a.md", "A")
    show_text(pane, wide_table("# A\n"), found, "value8", scope=Scope.NOTE)
    pane.browser.viewport().grab()
    assert 0 < left_of(pane, "value8") < pane.browser.viewport().width()
    assert left_of(pane, "A") == left_of(pane, "A", of_start=True), "the heading stays"


@pytest.mark.parametrize("width", [400, 420, 460, 500])
def test_no_word_is_broken_where_all_words_fit(pane: PreviewPane, width: int) -> None:
    rows = (
        "| Quantity | Symbol | Value | Note |",
        "|---|---|---|---|",
        "| density | rho | 1025 | a |",
    )
    prose = "| gravity | g | 9.81 | at the equator, and a little more than that at the poles |"
    pane.resize(width, 640)
    show_text(pane, SectionText("a.md", "A", "A", ("A",), 1, 1, 3, "\n".join([*rows, prose])))
    pane.browser.viewport().grab()
    assert table_bars(pane.browser) == [], "it need not scroll"
    words = [pane.browser.document().find(word) for word in ("Quantity", "Symbol", "density")]
    assert [word.block().layout().lineCount() for word in words] == [1, 1, 1]


@pytest.mark.parametrize("width", [560, 620, 680])
def test_no_word_of_code_is_broken_in_a_table_of_few_columns(pane: PreviewPane, width: int) -> None:
    rows = (
        "| Field | Return type | Example |",
        "|---|---|---|",
        f"| `query.file.outlinksInProperties` | `Link[]` | {'rather long words ' * 8}|",
    )
    pane.resize(width, 640)
    show_text(pane, SectionText("a.md", "A", "A", ("A",), 1, 1, 3, "\n".join(rows)))
    for word in ("query.file.outlinksInProperties", "Link[]"):
        assert pane.browser.document().find(word).block().layout().lineCount() == 1, word


def test_a_table_of_few_columns_scrolls_rather_than_break_usual_words(pane: PreviewPane) -> None:
    rows = (
        "| Appearance | Description | Picture |",
        "|---|---|---|",
        "| extraordinary | comprehensible | ![](missing/a-picture-with-a-long-name.png) |",
    )
    pane.resize(420, 640)
    show_text(pane, SectionText("a.md", "A", "A", ("A",), 1, 1, 3, "\n".join(rows)))
    pane.browser.viewport().grab()
    assert table_bars(pane.browser)
    for word in ("Appearance", "extraordinary", "comprehensible"):
        assert pane.browser.document().find(word).block().layout().lineCount() == 1, word


def test_a_table_with_a_formula_as_wide_as_the_text_scrolls(pane: PreviewPane) -> None:
    formula = f"({'+'.join(f'x_{{{n}}}^2' for n in range(24))})"  # has no place to break
    rows = "| Name | Law | Remark |", "|---|---|---|", f"| sum | ${formula}$ | of squares |"
    show_text(pane, SectionText("a.md", "A", "A", ("A",), 1, 1, 3, "\n".join(rows)))
    pane.browser.viewport().grab()
    [bar] = table_bars(pane.browser)
    bar.setValue(bar.maximum())
    assert 0 < left_of(pane, "Remark") < pane.browser.viewport().width()
    remark = pane.browser.document().find("of squares")
    assert remark.block().layout().lineCount() == 1


@pytest.mark.parametrize("columns", [2, 3])
def test_pictures_side_by_side_fit_into_the_text(
    pane: PreviewPane, tmp_path: Path, columns: int
) -> None:
    QImage(900, 300, QImage.Format.Format_RGB32).save(str(tmp_path / "sea.png"))
    rows = "| A " * columns, "|---" * columns, "| ![](sea.png) " * columns
    text = SectionText("a.md", "A", "A", ("A",), 1, 1, 3, "\n".join(f"{row}|" for row in rows))
    show_text(pane, text, vault=tmp_path)
    document = pane.browser.document()
    assert document.size().width() <= pane.browser.viewport().width()


def test_a_scrolled_table_stays_out_of_the_margin(pane: PreviewPane) -> None:
    found = section("a.md", "A")
    show_text(pane, wide_table("# A\n"), found, "value0 column", scope=Scope.NOTE)
    margin = left_of(pane, "A", of_start=True) - 4  # marks are wider than their words
    before = pane.browser.viewport().grab().toImage().copy(0, 0, margin, 400)
    [bar] = table_bars(pane.browser)
    for scrolled in (60, 200, bar.maximum()):
        bar.setValue(scrolled)
        assert pane.browser.viewport().grab().toImage().copy(0, 0, margin, 400) == before


def test_a_wide_table_stays_in_its_quote(pane: PreviewPane) -> None:
    quoted = "\n".join(f"> {line}" for line in wide_table("[!tip] Wide").text.split("\n"))
    quoted = quoted.replace("> [!tip] Wide", "> [!tip] Wide\n>\n> words\n>")
    show_text(pane, replace(wide_table(), text=quoted))
    viewport = pane.browser.viewport()
    before = viewport.grab().toImage()
    [bar] = table_bars(pane.browser)
    top = bar.geometry().top() - 20
    row = [before.pixelColor(x, top) for x in range(before.width())]
    left = row.index(QColor(LIGHT.ok))
    right = len(row) - row[::-1].index(row[left + INSIDE])
    beside = [*range(left), *range(right, before.width())]
    for offset in (60, bar.maximum()):
        bar.setValue(offset)
        after = viewport.grab().toImage()
        assert {after.pixelColor(x, top).name() for x in beside} == {LIGHT.base.lower()}
        assert after.pixelColor(left, top) == QColor(LIGHT.ok), "the bar of the quote"


INSIDE = 8


def test_a_wide_table_scrolls_by_itself(pane: PreviewPane) -> None:
    text = wide_table("Where is it?\n", "> A quote.\n", "Text.\n")
    quoted = "\n".join(f"> {line}" for line in wide_table().text.splitlines())
    show_text(pane, replace(text, text=f"{text.text}\n\n{quoted}\n"))
    pane.browser.viewport().grab()
    upper, lower = table_bars(pane.browser)
    before = left_of(pane, "value1"), left_of(pane, "Where")
    place = upper.geometry().center() - QPoint(0, 30)
    turn_wheel(pane.browser.viewport(), place, QPoint(-120, 0))
    assert (left_of(pane, "value1"), left_of(pane, "Where")) == (before[0] - 120, before[1])
    assert (upper.value(), lower.value()) == (120, 0)
    turn_wheel(pane.browser.viewport(), place, QPoint(0, -120), Qt.KeyboardModifier.ShiftModifier)
    assert (upper.value(), lower.value()) == (240, 0)
    pane.set_theme(DARK)
    pane.browser.viewport().grab()
    upper, lower = table_bars(pane.browser)
    assert (upper.value(), lower.value()) == (240, 0), "other colours scroll nothing"
    lower.setValue(lower.maximum())
    assert left_of(pane, "Where") == before[1]
    assert pane.browser.horizontalScrollBar().maximum() == 0
    show_text(pane, SectionText("b.md", "B", "B", ("B",), 1, 1, 1, "Short."))
    assert table_bars(pane.browser) == []


def test_a_hebrew_table_begins_at_the_right(pane: PreviewPane) -> None:
    heads = " | ".join(f"כותרת ארוכה מאוד {n}" for n in range(9))
    cells = " | ".join(f"ערך{n} בינלאומיותיהםשלכם" for n in range(9))
    table = f"| {heads} |\n|{'---|' * 9}\n| {cells} |"
    small = "| אחת | שתיים |\n|---|---|\n| תפוח | בננה |"
    text = f"שלום\n\n{small}\n\n- פריט\n\n{table}"
    show_text(pane, SectionText("a.md", "A", "A", ("A",), 1, 1, 3, text), None, "ערך8 תפוח")
    pane.browser.viewport().grab()
    assert left_of(pane, "אחת") > left_of(pane, "שתיים")
    assert left_of(pane, "אחת") == pytest.approx(left_of(pane, "שלום"), abs=2)
    [bar] = table_bars(pane.browser)
    assert bar.value() == bar.maximum(), "the first column is in view"
    assert 0 < left_of(pane, "ערך1") < left_of(pane, "ערך0") < pane.browser.viewport().width()
    pane.next_match()
    assert bar.value() < bar.maximum() / 2
    assert 0 < left_of(pane, "ערך8") < pane.browser.viewport().width()
    pane.next_match()
    assert bar.value() < bar.maximum() / 2, "the match in the small table needs no scrolling"


@pytest.mark.parametrize("rule", ["---", "---:", ":---"])
def test_all_cells_of_a_column_are_aligned_alike_in_any_script(
    pane: PreviewPane, rule: str
) -> None:
    table = f"| כותרת ארוכה מאוד | שם |\n|{rule}|---|\n| קמח | מים |\n| flour | שמן |"
    show_text(pane, SectionText("a.md", "A", "A", ("A",), 1, 1, 3, table))
    places = [area_of(pane, text) for text in ("כותרת ארוכה מאוד", "קמח", "flour")]
    is_left = rule.startswith(":")
    sides = [place.left() if is_left else place.right() for place in places]
    assert sides == pytest.approx([sides[0]] * 3, abs=2)


def area_of(pane: PreviewPane, text: str) -> QRectF:
    cursor = pane.browser.document().find(text)
    span = cursor.selectionStart(), cursor.selectionEnd()
    return next(text_rectangles(pane.browser.document(), span))


def left_of(pane: PreviewPane, text: str, *, of_start: bool = False) -> int:
    """Return where ``text`` begins on the screen, or where the paragraphs do."""
    cursor = pane.browser.document().find(text)
    cursor.setPosition(0 if of_start else cursor.selectionStart())
    return pane.browser.cursorRect(cursor).left()


def turn_wheel(
    widget: QWidget, place: QPoint, turned: QPoint, keys: Qt.KeyboardModifier = _NO_KEY
) -> None:
    at = QPointF(place)
    phase = Qt.ScrollPhase.NoScrollPhase
    event = QWheelEvent(
        at, QPointF(widget.mapToGlobal(place)), QPoint(), turned, Qt.MouseButton.NoButton,
        keys, phase, False,
    )  # fmt: skip
    QApplication.sendEvent(widget, event)
