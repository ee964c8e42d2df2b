"""How callouts, nested lists and formulas in tables look: colours and places on the screen."""

from itertools import pairwise

import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from notesearch.gui.preview.document import callouts
from notesearch.gui.preview.geometry import text_rectangles
from notesearch.gui.preview.preview_pane import PreviewPane
from notesearch.gui.preview.preview_style import Tone
from notesearch.gui.widgets.theme import DARK, LIGHT, Theme
from notesearch.markdown.render.section_html import rendered
from notesearch.results import SectionText
from tests.gui.shown import content_of
from tests.gui.trip import shown

INSIDE = 300
BAR = 3


@pytest.fixture
def pane(qtbot: QtBot, qapp: QApplication) -> PreviewPane:
    return shown(qtbot, qapp)


def show_note(pane: PreviewPane, source: str) -> None:
    html = rendered(source, seconds=60).html
    text = SectionText("a.md", "A", "A", ("A",), 1, 1, 9, source)
    pane.show_content(content_of(text, html))


def place(pane: PreviewPane, text: str) -> QRectF:
    cursor = pane.browser.document().find(text)
    span = cursor.selectionStart(), cursor.selectionEnd()
    return next(text_rectangles(pane.browser.document(), span))


def look(pane: PreviewPane) -> QImage:
    return pane.browser.viewport().grab().toImage()


def tinted(background: QColor, colour: QColor) -> QColor:
    """Return 8 % of ``colour`` over ``background``."""
    pairs = zip(channels(background), channels(colour), strict=True)
    return QColor(*(round(0.92 * below + 0.08 * above) for below, above in pairs))


def channels(colour: QColor) -> tuple[int, int, int]:
    return colour.red(), colour.green(), colour.blue()


def is_near(one: QColor, other: QColor) -> bool:
    return all(abs(a - b) <= 2 for a, b in zip(channels(one), channels(other), strict=True))


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_a_callout_is_a_tinted_box_with_a_bar_and_an_icon(pane: PreviewPane, theme: Theme) -> None:
    pane.set_theme(theme)
    for kind, tone, colour in (
        ("note", Tone.NOTE, "accent"),
        ("tip", Tone.TIP, "ok"),
        ("warning", Tone.WARNING, "warn"),
        ("bug", Tone.DANGER, "danger"),
        ("example", Tone.QUIET, "text3"),
    ):
        show_note(pane, f"Above\n\n> [!{kind}] Heads up\n> Some words")
        [(_, found)] = callouts(pane.browser.document())
        assert found is tone
        title, image = place(pane, "Heads up"), look(pane)
        full, y = QColor(getattr(theme, colour)), round(place(pane, "Some words").center().y())
        left = round(place(pane, "Above").left())
        assert image.pixelColor(left + 1, y) == full, "the bar"
        tint = tinted(image.pixelColor(1, 1), full)
        assert is_near(image.pixelColor(INSIDE, y), tint)
        before = range(left + BAR + 1, round(title.left()) - 2)
        icon = [image.pixelColor(x, round(title.center().y())) for x in before]
        assert not all(is_near(pixel, tint) for pixel in icon)


def test_the_corners_of_a_callout_are_round(pane: PreviewPane) -> None:
    show_note(pane, "Above\n\n> [!tip] Do\n> Some words")
    image, left = look(pane), round(place(pane, "Above").left())
    above = round(place(pane, "Above").bottom())
    column = [image.pixelColor(left, y) for y in range(above, image.height())]
    first = next(y for y, pixel in enumerate(column) if is_near(pixel, QColor(LIGHT.ok)))
    edge = [image.pixelColor(INSIDE, y) for y in range(above, image.height())]
    top = next(y for y, pixel in enumerate(edge) if pixel != QColor(LIGHT.base))
    assert 2 <= first - top <= 6


def test_a_plain_quote_has_only_its_bar(pane: PreviewPane) -> None:
    show_note(pane, "Above\n\n> Some words")
    y = round(place(pane, "Some words").center().y())
    assert look(pane).pixelColor(INSIDE, y) == QColor(LIGHT.base)
    assert look(pane).pixelColor(round(place(pane, "Above").left()) + 1, y) == QColor(LIGHT.outline)


def test_a_callout_without_a_title_has_no_icon(pane: PreviewPane) -> None:
    show_note(pane, "Above\n\n::: code-group\nSome words\n:::")
    words = place(pane, "Some words")
    before = range(round(place(pane, "Above").left()) + BAR + 1, round(words.left()) - 2)
    image = look(pane)
    pixels = {image.pixelColor(x, round(words.center().y())).name() for x in before}
    assert len(pixels) == 1


def test_a_formula_alone_in_a_cell_stands_level_with_its_row(pane: PreviewPane) -> None:
    show_note(pane, "| a | b |\n|---|---|\n| word | $x$ |\n| next | y |")
    word, image = place(pane, "word"), look(pane)
    dark = [
        y
        for y in range(round(word.top()) - 4, round(word.bottom()) + 6)
        if any(image.pixelColor(x, y).lightness() < 128 for x in range(60, 100))
    ]
    letters = [
        y
        for y in range(round(word.top()), round(word.bottom()))
        if any(image.pixelColor(x, y).lightness() < 128 for x in range(22, round(word.right())))
    ]
    assert abs(dark[-1] - letters[-1]) <= 1, "both end at the same baseline"


def test_the_lines_of_nested_lists_are_equally_far_apart(pane: PreviewPane) -> None:
    show_note(pane, "- one\n  - two\n    - three\n- four")
    tops = [place(pane, word).top() for word in ("one", "two", "three", "four")]
    gaps = [below - above for above, below in pairwise(tops)]
    assert max(gaps) - min(gaps) <= 2, gaps
