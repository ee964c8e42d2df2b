"""How callouts, nested lists and formulas in tables look: colours and places on the screen."""

import re
from itertools import pairwise

import pytest
from PySide6.QtCore import QBuffer, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFontInfo, QFontMetricsF, QImage, QPainter, QPalette, QTextCursor
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from notesearch.gui.preview.backdrop import Backdrop
from notesearch.gui.preview.document import (
    block_top,
    blocks_from,
    fragments_of,
    quotes,
    text_rectangles,
)
from notesearch.gui.preview.preview_pane import PreviewPane
from notesearch.gui.preview.preview_style import TASK_BOX, TASK_GAP, Tone
from notesearch.gui.widgets.theme import DARK, LIGHT, Theme, contrast, high_contrast, palette, px
from notesearch.markdown.render.qt_html import CODE_PADDING
from notesearch.markdown.render.sanitizer import COLOURS
from tests.gui.preview_contents import show_note
from tests.gui.trip_note import shown

INSIDE = 300
MARGIN = 24
BAR = 3


@pytest.fixture
def pane(qtbot: QtBot, qapp: QApplication) -> PreviewPane:
    return shown(qtbot, qapp)


def place(pane: PreviewPane, text: str) -> QRectF:
    cursor = pane.browser.document().find(text)
    span = cursor.selectionStart(), cursor.selectionEnd()
    return next(text_rectangles(pane.browser.document(), span))


def look(pane: PreviewPane) -> QImage:
    return pane.browser.viewport().grab().toImage()


def inked(image: QImage) -> QImage:
    """Return the part of ``image`` that is not as its upper left corner."""
    ground = image.pixel(0, 0)
    inside = QRect()
    for x in range(image.width()):
        for y in range(image.height()):
            if image.pixel(x, y) != ground:
                inside |= QRect(x, y, 1, 1)
    return image.copy(inside)


def tinted(background: QColor, colour: QColor) -> QColor:
    """Return 8 % of ``colour`` over ``background``."""
    pairs = zip(channels(background), channels(colour), strict=True)
    return QColor(*(round(0.92 * below + 0.08 * above) for below, above in pairs))


def channels(colour: QColor) -> tuple[int, int, int]:
    return colour.red(), colour.green(), colour.blue()


def line_gaps(pane: PreviewPane) -> list[float]:
    """Return the distances of the lines of the first paragraph.

    No object of Qt's layout outlives this call: PySide would take a frame of the next document for
    it, if Qt puts the frame at the same address.
    """
    layout = pane.browser.document().begin().layout()
    tops = [layout.lineAt(number).y() for number in range(layout.lineCount())]
    return [below - above for above, below in pairwise(tops)]


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
        [(_, found)] = quotes(pane.browser.document())
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


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_a_highlight_has_the_colour_that_the_note_asks_for(pane: PreviewPane, theme: Theme) -> None:
    pane.set_theme(theme)
    show_note(pane, 'A <mark style="background: #f00">stern</mark> and <mark>a keel</mark>')
    image = look(pane)
    grounds = []
    for word in ("stern", "keel"):
        box = place(pane, word)
        grounds.append(image.pixelColor(round(box.right()), round(box.center().y())))
    red, yellow = grounds
    assert yellow == QColor(theme.warn_soft)
    assert red.red() > max(red.green(), red.blue()) + 20


@pytest.mark.parametrize("dark", [False, True])
def test_a_coloured_highlight_keeps_its_hue_in_high_contrast(pane: PreviewPane, dark: bool) -> None:
    theme = high_contrast(QPalette(), dark=dark)
    pane.set_theme(theme)
    pane.browser.setPalette(palette(theme))
    show_note(pane, 'A <mark style="background: #f00">stern</mark>')
    box = place(pane, "stern")
    red = look(pane).pixelColor(round(box.right()), round(box.center().y()))
    assert red.red() > max(red.green(), red.blue()) + 20


@pytest.mark.parametrize("dark", [False, True])
def test_a_highlight_has_an_outline_in_high_contrast(pane: PreviewPane, dark: bool) -> None:
    theme = high_contrast(QPalette(), dark=dark)
    pane.set_theme(theme)
    pane.browser.setPalette(palette(theme))
    edges: list[list[str]] = []
    for source in ("some keel", "some ==keel=="):
        show_note(pane, source)
        box, image = place(pane, "keel"), look(pane)
        rows = range(round(box.top()) - 2, round(box.top()) + 3)
        edges.append([image.pixelColor(round(box.center().x()), y).name() for y in rows])
    assert edges[0] != edges[1]


@pytest.mark.parametrize("dark", [False, True])
def test_code_has_an_outline_in_high_contrast(pane: PreviewPane, dark: bool) -> None:
    theme = high_contrast(QPalette(), dark=dark)
    pane.set_theme(theme)
    pane.browser.setPalette(palette(theme))
    show_note(pane, "```\nkeel\n```")
    box, image = place(pane, "keel"), look(pane)
    row = [image.pixelColor(x, round(box.center().y())).name() for x in range(round(box.left()))]
    assert {*row} > {QColor(theme.base).name()}


@pytest.mark.parametrize("source", ["1. keel", "2024. keel", '<ol type="i"><li>keel</li></ol>'])
def test_the_number_of_an_item_is_not_left_of_the_text(pane: PreviewPane, source: str) -> None:
    show_note(pane, f"Above\n\n{source}")
    number = QFontMetricsF(pane.browser.document().defaultFont()).horizontalAdvance("2024.")
    room = place(pane, "keel").left() - place(pane, "Above").left()
    assert room > (number if "1." not in source else 0)


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_coloured_text_is_readable(pane: PreviewPane, theme: Theme) -> None:
    pane.set_theme(theme)
    for colour in COLOURS:
        show_note(pane, f'A <font color="{colour}">stern</font>')
        cursor = pane.browser.document().find("stern")
        own = cursor.charFormat().foreground().color().name()
        assert own != QColor(theme.text).name()
        assert contrast(own, theme.base) >= 4.5


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize(
    "source",
    [
        '<span style="color: {ink}; background: {ground}">stern</span>',
        '<font color="{ink}"><mark style="background: {ground}">stern</mark></font>',
        '<mark style="background: {ground}"><font color="{ink}">stern</font></mark>',
        '<mark style="background: {ground}">the *<font color="{ink}">stern</font>*</mark>',
    ],
)
def test_coloured_text_on_a_coloured_highlight_is_readable(
    pane: PreviewPane, theme: Theme, source: str
) -> None:
    pane.set_theme(theme)
    pane.browser.setPalette(palette(theme))
    for ground in COLOURS:
        for ink in ("red", "green", "grey"):
            show_note(pane, source.format(ink=ink, ground=ground))
            own = pane.browser.document().find("stern").charFormat().foreground().color()
            box, image = place(pane, "stern"), look(pane)
            behind = image.pixelColor(round(box.right()), round(box.center().y()))
            assert contrast(own.name(), behind.name()) >= 4.5, (ink, ground)


def test_a_number_in_a_quote_has_the_colour_of_its_text(pane: PreviewPane) -> None:
    for source, ink in (("1. HHHH", LIGHT.text), ("> 1. HHHH", LIGHT.text2)):
        show_note(pane, source)
        words = place(pane, "HHHH")
        number = QRect(round(words.left()) - px(14), round(words.top()), px(14), px(14))
        image = look(pane).copy(number)
        pixels = [image.pixelColor(x, y) for x in range(px(14)) for y in range(px(14))]
        darkest = min(pixels, key=lambda pixel: pixel.lightness())
        assert is_near(darkest, QColor(ink))


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_code_in_a_callout_stands_out_from_its_tint(pane: PreviewPane, theme: Theme) -> None:
    pane.set_theme(theme)
    callout = "> [!warning] Heads up\n> Code `within`\n>\n> | `cell` |\n> |-|"
    show_note(pane, f"Code `outside`\n\n{callout}\n\n> Quoted `words`")
    image = look(pane)
    fills = {"outside": theme.code, "within": theme.base, "cell": theme.base, "words": theme.code}
    for word, fill in fills.items():
        box = place(pane, word)
        assert image.pixelColor(round(box.left()) - 1, round(box.center().y())) == QColor(fill)


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


@pytest.mark.parametrize(
    "formula", [r"\sqrt{x}", r"\rho", r"\frac{a}{b}", r"\sum_{i=1}^{n} x_i", r"\int_0^1 f(x)\,dx"]
)
def test_all_cells_of_a_row_with_formulas_have_one_baseline(
    pane: PreviewPane, formula: str
) -> None:
    show_note(pane, f"| a | b | c |\n|---|---|---|\n| word | ${formula}$ | half ${formula}$ |")
    document = pane.browser.document()
    baselines = []
    for block in blocks_from(document.find("word").block()):
        if QTextCursor(block).currentTable():
            line = block.layout().lineAt(0)
            baselines.append(block_top(document, block.position()) + line.y() + line.ascent())
    assert len(baselines) == 3
    assert max(baselines) - min(baselines) < 0.5, baselines


def test_the_lines_of_nested_lists_are_equally_far_apart(pane: PreviewPane) -> None:
    show_note(pane, "- one\n  - two\n    - three\n- four")
    tops = [place(pane, word).top() for word in ("one", "two", "three", "four")]
    gaps = [below - above for above, below in pairwise(tops)]
    assert max(gaps) - min(gaps) <= 2, gaps


def test_a_nested_list_at_the_end_of_a_list_is_as_near_as_in_its_middle(pane: PreviewPane) -> None:
    show_note(pane, "- one\n- two\n  - half\n  - quarter\n\nbelow\n\nlast")
    words = ("one", "two", "half", "quarter", "below", "last")
    tops = [place(pane, word).top() for word in words]
    *within, after, between = (below - above for above, below in pairwise(tops))
    assert max(within) - min(within) < 1, within
    assert abs(after - between) < 1, "as far from the text below as two paragraphs"


def test_lines_with_formulas_are_as_far_apart_as_other_lines(pane: PreviewPane) -> None:
    gaps: list[float] = []
    for formula in ("x", "$x$", "$f(x)$", "$[y_1]$"):
        show_note(pane, f"{'word ' * 60} {formula}")
        gaps += line_gaps(pane)
    size = QFontInfo(pane.browser.document().defaultFont()).pixelSize()
    assert set(gaps) == {round(1.55 * size)}, "whole pixels, as Qt rounds letters and bullets apart"


@pytest.mark.parametrize(
    "formula", ["x_{i,j}", "x_{i_j}", r"x(\log n)", r"x\sum_i", r"x\frac{1}{2}"]
)
@pytest.mark.parametrize("beside", ["", r"$\int_0^1$"])
def test_formulas_stand_on_the_line_of_the_text(
    pane: PreviewPane, formula: str, beside: str
) -> None:
    pane.browser.set_theme(LIGHT, 300)  # so that a small shift is several pixels
    depths = []
    for written in ("x", formula):
        show_note(pane, f"HH ${written}$ {beside}")
        words = place(pane, "HH")
        image = look(pane)
        text = lowest_ink(image, range(round(words.left()), round(words.right())))
        letter = range(round(words.right()) + px(15), round(words.right()) + px(24))
        depths.append(lowest_ink(image, letter) - text)
    assert abs(depths[1] - depths[0]) <= 2, depths


def lowest_ink(image: QImage, columns: range) -> int:
    rows = range(image.height() - 1, 0, -1)
    return next(y for y in rows for x in columns if image.pixelColor(x, y).lightness() < 128)


@pytest.mark.parametrize(
    "inner", ["> nested", "```\ncode\n```", "| a |\n|---|\n| b |"], ids=["quote", "code", "table"]
)
def test_a_quote_ends_at_the_end_of_what_is_in_it(pane: PreviewPane, inner: str) -> None:
    gaps = []
    for content in ("text", f"text\n\n{inner}"):
        show_note(pane, "\n".join(f"> {line}" for line in content.split("\n")) + "\n\nbelow")
        last = pane.browser.document().find("below").block().previous().previous()
        while not last.text():
            last = last.previous()
        word = place(pane, last.text())
        gaps.append(place(pane, "below").top() - word.bottom())
    assert gaps[1] - gaps[0] < 12, "room for the padding of code and cells, not for a line"


def test_a_rule_is_as_far_from_the_text_below_as_from_that_above(pane: PreviewPane) -> None:
    show_note(pane, "above\n\n---\n\nbelow")
    above, below, image = place(pane, "above"), place(pane, "below"), look(pane)
    rows = range(round(above.bottom()), round(below.top()))
    rule = next(y for y in rows if image.pixelColor(INSIDE, y) != QColor(LIGHT.base))
    assert abs((rule - above.bottom()) - (below.top() - rule)) <= 8


def test_a_callout_with_a_hebrew_title_is_as_wide_as_others(pane: PreviewPane) -> None:
    show_note(pane, "> [!tip] Tea\n> green\n\nand\n\n> [!tip] לזכור\n> steep")
    image = look(pane)
    widths = []
    for word in ("green", "steep"):
        y = round(place(pane, word).bottom()) + 2
        tint = image.pixelColor(INSIDE, y)
        widths.append([x for x in range(image.width()) if is_near(image.pixelColor(x, y), tint)])
    assert widths[0] == widths[1]


def test_a_hebrew_callout_is_the_mirror_image_of_an_english_one(pane: PreviewPane) -> None:
    show_note(pane, "> [!tip] Tea\n> green\n\nand\n\n> [!tip] לזכור\n> תה")
    image = look(pane)
    tint = tinted(QColor(LIGHT.base), QColor(LIGHT.ok))
    boxes = []
    for word in ("green", "תה"):
        box = place(pane, word)
        x, y = round(box.center().x()), round(box.center().y())
        rows = [
            n for n in range(max(y - 60, 0), y + 40) if is_near(image.pixelColor(INSIDE, n), tint)
        ]
        columns = [n for n in range(image.width()) if is_near(image.pixelColor(n, y), tint)]
        title = place(pane, "Tea" if word == "green" else "לזכור")
        boxes.append((title.top() - rows[0], columns[0], columns[-1], x))
    (above, left, right, _), (mirrored_above, mirrored_left, mirrored_right, _) = boxes
    assert mirrored_above == pytest.approx(above, abs=2)
    assert (mirrored_left + BAR, mirrored_right + BAR) == pytest.approx((left, right), abs=2)
    icon = [
        n
        for n in range(image.width())
        if is_near(image.pixelColor(n, round(title.center().y())), QColor(LIGHT.ok))
    ]
    assert max(icon) > title.right() + 6, "the icon is before the title, not on it"


def test_lists_below_a_task_have_bullets_and_are_indented(pane: PreviewPane) -> None:
    show_note(pane, "- [ ] paint\n  - blue\n  - [x] white\n    1. deep\n       - below\n- last")
    image = look(pane)
    paint, white, last = (place(pane, word) for word in ("paint", "white", "last"))
    assert paint.left() == pytest.approx(last.left(), abs=2)
    for word, around in (("blue", paint), ("deep", white)):
        box = place(pane, word)
        assert box.left() > around.left() + 10, word
        room = range(round(box.left()) - 14, round(box.left()) - 2)
        rows = range(round(box.top()), round(box.bottom()))
        shades = [image.pixelColor(x, y).lightness() for x in room for y in rows]
        assert min(shades) < 128, f"{word} has a bullet or a number"
    assert white.left() == pytest.approx(place(pane, "blue").left(), abs=2)


@pytest.mark.parametrize(
    ("source", "depth", "number"),
    [
        ("- a\n  1. word", 1, "1. word"),
        ("- 1. word", 1, "1. word"),
        ("4. - word", 0, "4. word"),
        ("4. 1. word", 0, "4. word"),
        ("4. > word", 0, "4. word"),
        ("4. ```\n   word\n   ```", 0, "4. word"),
        ("4. | word |\n   |---|", 0, "4. word"),
        ("1. [ ] word", 0, "1. word"),
        ("- [ ] a\n  1. [x] word", 1, "1. word"),
        ("- 4. word", 0, "- word"),
        ("- - word", 0, "- word"),
        ("- א\n  1. אחד", 1, "1. אחד"),
        ("4. - אחד", 0, "4. אחד"),
        ("4. > אחד", 0, "4. אחד"),
    ],
)
def test_an_item_has_its_number_or_bullet_whatever_it_begins_with(
    pane: PreviewPane, source: str, depth: int, number: str
) -> None:
    word = number.rsplit(maxsplit=1)[-1]
    show_note(pane, word)
    edge = place(pane, word)
    markers = []
    for note, column in ((source, depth), (number, 0)):
        show_note(pane, note)
        width, line = round(pane.browser.document().indentWidth()), place(pane, word)
        left = edge.right() - (column + 1) * width if word > "z" else edge.left() + column * width
        room = QRect(round(left), round(line.top()) - 3, width - 3, round(line.height()) + 6)
        markers.append(inked(look(pane).copy(room)))
    made, usual = markers
    assert made.height() > 2
    assert abs(made.width() - usual.width()) + abs(made.height() - usual.height()) <= 1
    assert made == usual or number[0] == "-", "bullets may be half a pixel apart"


@pytest.mark.parametrize(
    ("source", "numbers"),
    [
        ("9. a\n10. b\n    1. c\n    2. d\n11. e", ["9. ", "10. ", "1. ", "2. ", "11. "]),
        ("4. 1. a\n   2. b\n5. > c", ["4. ", "1. ", "2. ", "5. "]),
        ("- a\n  1. [ ] b\n  2. ```\n     c\n     ```", ["1. ", "2. "]),
        ("7. א\n8. - ב", [" .7", " .8"]),
        ("- a\n- - b", []),
        ('<ol type="a" start="2"><li>c</li><li>d</li></ol>', ["b. ", "c. "]),
        ('<ol type="I"><li>c</li><li>d</li></ol>', ["I. ", "II. "]),
        ("2024. keel", ["2024. "]),
    ],
)
def test_each_item_of_a_numbered_list_has_its_own_number(
    pane: PreviewPane, source: str, numbers: list[str]
) -> None:
    show_note(pane, source)
    document, drawing, picture = pane.browser.document(), QBuffer(), QSvgGenerator()
    picture.setOutputDevice(drawing)
    with QPainter(picture) as painter:
        Backdrop(document, LIGHT).paint(painter, document.begin(), (0, document.characterCount()))
    drawn = bytes(drawing.data().data()).decode()
    assert re.findall("<text[^>]*>([^<]*)</text>", drawn) == numbers


@pytest.mark.parametrize("source", ["1. word", "1. \u05d0\u05d1"])
def test_a_number_in_a_mirrored_window_is_the_same(
    pane: PreviewPane, qapp: QApplication, source: str
) -> None:
    show_note(pane, source)
    usual = inked(look(pane))
    qapp.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    mirrored = inked(look(pane))
    qapp.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
    assert mirrored == usual


@pytest.mark.parametrize(("source", "depth"), [("1. ***\n2. word", 0), ("1. ***\n2. - word", 1)])
def test_the_number_of_an_item_without_text_is_not_at_the_next_item(
    pane: PreviewPane, source: str, depth: int
) -> None:
    show_note(pane, source)
    line = place(pane, "word")
    left = round(line.left() - depth * pane.browser.document().indentWidth())
    numbers = QRect(left - 20, 0, 17, round(line.bottom()) + 3)
    assert inked(look(pane).copy(numbers)).height() > 2 * line.height()


def test_the_number_before_a_heading_is_as_large_as_the_others(pane: PreviewPane) -> None:
    heights = set[int]()
    for source in ("1. word", "1. # word"):
        show_note(pane, source)
        line = place(pane, "word")
        room = QRect(round(line.left()) - 20, round(line.top()), 17, round(line.height()))
        heights.add(inked(look(pane).copy(room)).height())
    assert len(heights) == 1


def test_an_empty_item_has_a_bullet(pane: PreviewPane) -> None:
    show_note(pane, "- one\n-\n- two")
    one, two = place(pane, "one"), place(pane, "two")
    below = QRect(round(one.left()) - 18, round(one.bottom()), 16, round(two.top() - one.bottom()))
    assert inked(look(pane).copy(below)).height() > 2


@pytest.mark.parametrize(
    "inside", ["paragraph", "```\n  code\n  ```\n\n  below", "> quote\n\n  below", "- a\n\n  below"]
)
def test_all_paragraphs_of_a_task_stand_beside_its_box(pane: PreviewPane, inside: str) -> None:
    show_note(pane, f"- [ ] task\n\n  {inside}\n")
    words = [word for word in ("paragraph", "code", "quote", "below") if word in inside]
    for word in words:
        assert place(pane, word).left() >= place(pane, "task").left() - 1, word


def test_a_selected_task_has_no_bullet_beside_its_box(pane: PreviewPane) -> None:
    show_note(pane, "- [ ] one\n- [x] two")
    margin = round(place(pane, "one").left()) - px(TASK_BOX) - px(TASK_GAP) - 6
    before = look(pane).copy(0, 0, margin, 200)
    pane.browser.selectAll()
    assert look(pane).copy(0, 0, margin, 200) == before


@pytest.mark.parametrize("source", ["- one\n- two", "> - one\n>   - two", "- אחד\n- שתיים"])
def test_bullets_stand_apart_from_the_text_and_a_selection_leaves_them(
    pane: PreviewPane, source: str
) -> None:
    show_note(pane, source)
    before = look(pane)
    pane.browser.selectAll()
    selected = look(pane)
    for word in re.findall(r"\w+", source):
        box = place(pane, word)
        middle, height = round(box.center().x()), round(box.height())
        side = box.right() + 2 if word > "z" else box.left() - 18
        beside = QRect(round(side), round(box.top()), 16, height)
        shades = [
            min(before.pixelColor(x, y).lightness() for y in range(beside.top(), beside.bottom()))
            for x in sorted(range(beside.left(), beside.right()), key=lambda x: abs(x - middle))
        ]
        assert min(shades[:4]) > 200, "a gap"
        assert min(shades) < 128, "a bullet"
        pixels = [
            selected.pixelColor(x, y)
            for x in range(beside.left(), beside.right())
            for y in range(beside.top(), beside.bottom())
        ]
        assert any(is_near(pixel, QColor(LIGHT.text2)) for pixel in pixels), word


def test_quotes_and_code_in_a_list_are_aligned_with_its_text(pane: PreviewPane) -> None:
    show_note(pane, "- item\n  > [!tip] Do\n  > it\n\n  ```\n  code\n  ```\n\n> [!tip] Out\n> side")
    image, left = look(pane), round(place(pane, "item").left())
    bars = []
    for word in ("it", "side"):
        row = pane.browser.document().find(word, place_of(pane, word)).block()
        y = round(block_top(pane.browser.document(), row.position())) + 4
        tint = image.pixelColor(INSIDE, y)
        columns = [x for x in range(image.width()) if is_near(image.pixelColor(x, y), tint)]
        bars.append((columns[0] - BAR, columns[-1]))
    assert bars[0][0] == pytest.approx(left, abs=1)
    assert bars[0][1] == pytest.approx(bars[1][1], abs=1), "both end where the text ends"
    code = place(pane, "code")
    assert code.left() == pytest.approx(left + CODE_PADDING, abs=1)


def test_quotes_and_code_in_a_definition_are_aligned_with_its_text(pane: PreviewPane) -> None:
    show_note(
        pane,
        "Oak\n:   tree\n\n    ```\n    code\n    ```\n\n"
        "    - leaf\n\n      ```\n      deep\n      ```",
    )
    for text, code in (("tree", "code"), ("leaf", "deep")):
        assert place(pane, code).left() == pytest.approx(
            place(pane, text).left() + CODE_PADDING, abs=1
        )


def place_of(pane: PreviewPane, word: str) -> int:
    return pane.browser.toPlainText().rindex(word) - 1


def test_a_long_title_of_a_callout_wraps_beside_its_icon(pane: PreviewPane) -> None:
    show_note(pane, f"> [!note] First {'and more ' * 20}last\n> text")
    first, last = (place(pane, word) for word in ("First", "last"))
    assert last.top() > first.bottom()
    line = pane.browser.document().find("last").block().layout().lineAt(1)
    lines = pane.browser.document().find("last").block().layout()
    assert line.naturalTextRect().left() == lines.lineAt(0).naturalTextRect().left()


def test_no_heading_is_smaller_than_one_below_it(pane: PreviewPane) -> None:
    show_note(pane, "\n\n".join(f"{'#' * level} head{level}" for level in range(1, 7)))
    heights = [place(pane, f"head{level}").height() for level in range(1, 7)]
    assert heights == sorted(heights, reverse=True)


def test_a_formula_in_a_heading_is_as_large_as_its_words(pane: PreviewPane) -> None:
    show_note(pane, "# Of $x$\n\nof $x$")
    sizes = [
        fragment.charFormat().toImageFormat().width()
        for block in blocks_from(pane.browser.document().begin())
        for fragment in fragments_of(block)
        if fragment.charFormat().isImageFormat()
    ]
    assert sizes[0] == pytest.approx(2 * sizes[1], rel=0.15)


@pytest.mark.parametrize(
    "source",
    ["- two\n    - half\n- last", "<ul><li>two<ul><li>half</li></ul></li><li>last</li></ul>"],
)
def test_lists_written_as_html_have_the_usual_gaps(pane: PreviewPane, source: str) -> None:
    show_note(pane, source)
    two, half, last = (place(pane, word).top() for word in ("two", "half", "last"))
    assert half - two == pytest.approx(last - half, abs=1)


def test_a_long_formula_keeps_its_size_in_a_narrow_preview(pane: PreviewPane) -> None:
    def heights() -> set[float]:
        return {
            fragment.charFormat().toImageFormat().height()
            for block in blocks_from(pane.browser.document().begin())
            for fragment in fragments_of(block)
            if fragment.charFormat().isImageFormat()
        }

    show_note(pane, "$$a^2 + b^2$$")
    usual = heights()
    pane.resize(300, 640)
    show_note(pane, f"$${'+'.join(['a^2', 'b^2'] * 20)}$$")
    assert heights() == usual
    assert pane.browser.document().begin().layout().lineCount() > 2


@pytest.mark.parametrize(
    ("columns", "above", "between", "upright", "level"),
    [
        ("cc", "", "", 0, 0),
        ("c|c", "", "", 1, 0),
        ("cc", "", r"\hline", 0, 1),
        ("|c||c|", r"\hline", r"\hline\hline", 3, 2),
        ("r@{\\;}|p{2em}", r"\hline", r"\hdashline", 1, 2),
        ("*{2}{|c}", "", "", 2, 0),
    ],
)
def test_the_lines_of_an_array_are_drawn(
    pane: PreviewPane, columns: str, above: str, between: str, upright: int, level: int
) -> None:
    show_note(
        pane, rf"$$\begin{{array}}{{{columns}}} {above} a & b \\ {between} c & d \end{{array}}$$"
    )
    drawn = inked(look(pane))
    across, down = range(drawn.width()), range(drawn.height())
    ground = QColor(LIGHT.base)

    def is_ink(x: int, y: int) -> bool:
        return drawn.pixelColor(x, y) != ground

    full_columns = [x for x in across if all(is_ink(x, y) for y in down)]
    full_rows = [y for y in down if all(is_ink(x, y) for x in across)]
    assert (groups(full_columns), groups(full_rows)) == (upright, level)


def groups(numbers: list[int]) -> int:
    """Return how many groups of neighbours ``numbers`` form."""
    return sum(number - 1 not in numbers for number in numbers)


def test_columns_of_a_matrix_stand_apart(pane: PreviewPane) -> None:
    """Close together, ``4 −1`` would read as a difference."""
    widths = []
    for cells in ("4 & -1", "4 -1"):
        show_note(pane, rf"$$\begin{{matrix}} {cells} \end{{matrix}}$$")
        widths.append(inked(look(pane)).width())
    assert widths[0] > 1.2 * widths[1]


@pytest.mark.parametrize("theme", [LIGHT, DARK])
@pytest.mark.parametrize(
    "formula",
    [r"\color{red} x", r"{\color{blue} x}", r"\textcolor{yellow}{x}", r"\textcolor{#228b22}{x}"],
)
def test_a_coloured_formula_is_coloured_and_readable(
    pane: PreviewPane, theme: Theme, formula: str
) -> None:
    pane.set_theme(theme)
    show_note(pane, f"$${formula}$$")
    strongest = strongest_colour(first_line(pane))
    assert strongest.hslSaturation() > 60
    assert contrast(strongest.name(), theme.base) > 1.9


@pytest.mark.parametrize("formula", [r"x", r"\colorbox{black}{x}", r"\color[rgb]{1,0,0} x"])
def test_any_other_formula_has_the_colour_of_the_text(pane: PreviewPane, formula: str) -> None:
    pane.set_theme(DARK)
    show_note(pane, f"$${formula}$$")
    drawn = inked(first_line(pane))
    assert strongest_colour(first_line(pane)).hslSaturation() < 60
    show_note(pane, "$$x$$")
    assert abs(drawn.width() - inked(first_line(pane)).width()) <= 3


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_a_formula_has_the_colour_of_the_words_around_it(pane: PreviewPane, theme: Theme) -> None:
    pane.set_theme(theme)
    for source, colour in (("$HHH$", theme.text), ("[$HHH$](https://a.example)", theme.link)):
        show_note(pane, source)
        assert is_near(strongest_colour(first_line(pane)), QColor(colour))
    show_note(pane, "> $HHH$")
    quoted = first_line(pane)
    inside = quoted.copy(px(MARGIN) + 8, 0, 60, quoted.height())
    assert is_near(strongest_colour(inside), QColor(theme.text2))


def first_line(pane: PreviewPane) -> QImage:
    image = look(pane)
    return image.copy(0, 0, image.width(), 60)


def strongest_colour(image: QImage) -> QColor:
    """Return the colour with the most contrast to the upper left corner."""
    ground = image.pixelColor(0, 0).name()
    points = [(x, y) for x in range(image.width()) for y in range(image.height())]
    colours = {image.pixelColor(*point).name() for point in points}
    return QColor(max(colours, key=lambda colour: contrast(colour, ground)))
