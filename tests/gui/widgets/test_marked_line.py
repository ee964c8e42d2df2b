"""A line in a real font fits its width, and its marks cover their characters."""

from unicodedata import bidirectional

import pytest
from PySide6.QtGui import QFont, QFontMetricsF, QImage, QPainter
from PySide6.QtWidgets import QApplication

from notesearch.gui.widgets.marked_line import LaidOutLine, Line, Run, cut, split
from notesearch.gui.widgets.theme import LIGHT
from tests.gui.sample_results import marked

TEXTS = [
    "We walked to the *market* before nine, when the stalls open",
    "🍜🍣 ramen and *sushi* for lunch, then 🍡 again and again and again",
    "東京の*朝食*は市場で食べるのが一番おいしいと思います",
    "הלכנו לשוק *האוכל* לפני תשע כשהדוכנים נפתחים",
    "e\u0301*te\u0301* and a\u0308o\u0308u\u0308 " * 3,
    "*x*",
    "",
]


def laid_out(text: str, width: float = 1e6) -> LaidOutLine:
    made = marked(text)
    line = Line(made.text, (Run((0, len(made.text)), LIGHT.text),), made.marks)
    return LaidOutLine(line, QApplication.font(), LIGHT.mark, LIGHT.mark_text, width)


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("width", [30.0, 80.0, 200.0])
def test_it_fits_its_width(text: str, width: float) -> None:
    line = laid_out(text, width)
    assert line.width <= width
    assert all(-1 <= left <= right <= line.width + 1 for left, right in line.marked)


@pytest.mark.parametrize(
    ("text", "side"), [("הלכנו לשוק the *food* market הגדול", "R"), ("We saw הגדול", "L")]
)
def test_the_rest_of_a_line_keeps_its_direction(text: str, side: str) -> None:
    made = marked(text)
    whole = Line(made.text, (Run((0, len(made.text)), LIGHT.text),), made.marks)
    first = "הלכנו לשוק " if side == "R" else "We saw "
    width = QFontMetricsF(QApplication.font()).horizontalAdvance(first) + 2
    _, rest = split(whole, QApplication.font(), width)
    assert next(kind for kind in map(bidirectional, rest.text) if kind in "LR") == side
    assert [rest.text[start:end] for start, end in rest.marks] == ["food"] * len(made.marks)


@pytest.mark.parametrize(
    ("text", "length", "shown"),
    [
        ("He has time. We left", 14, "He has time…"),
        ("A list: one", 9, "A list…"),
        ("what? who", 6, "what?…"),
        ("... and more", 3, "...…"),
        ("a well-kept house", 7, "a well…"),
    ],
)
def test_no_comma_or_full_stop_is_before_the_ellipsis(text: str, length: int, shown: str) -> None:
    assert cut(Line(text, ()), length).text == shown


def test_a_mark_covers_its_word() -> None:
    emoji, plain = laid_out("🍜🍣 *food*"), laid_out("🍜🍣 ")
    (left, right) = emoji.marked[0]
    assert left == pytest.approx(plain.width, abs=6)
    assert right == pytest.approx(emoji.width, abs=2)


def test_a_marked_word_is_semibold(qapp: QApplication) -> None:
    font = QFont(qapp.font())
    font.setWeight(QFont.Weight.DemiBold)
    assert laid_out("*market*").width == pytest.approx(
        QFontMetricsF(font).horizontalAdvance("market")
    )
    assert laid_out("*market*").width > laid_out("market").width


def test_strong_chinese_is_bold(qapp: QApplication) -> None:
    """Its fonts often have one weight, and Qt draws semibold text with that as regular text."""
    strong = Line("東京", (Run((0, 2), LIGHT.text, strong=True),), ())
    plain = Line("東京", (Run((0, 2), LIGHT.text),), ())

    def ink(line: Line) -> int:
        image = QImage(60, 30, QImage.Format.Format_Grayscale8)
        image.fill(255)
        with QPainter(image) as painter:
            LaidOutLine(line, qapp.font(), LIGHT.mark, LIGHT.mark_text, 60).paint(painter, 0, 0)
        return sum(255 - value for value in bytes(image.constBits()))

    assert ink(strong) > ink(plain)


def test_a_long_word_does_not_leave_an_ellipsis_alone_in_its_line(qapp: QApplication) -> None:
    first, rest = split(Line("… " + "json_group_array," * 9, ()), qapp.font(), 200.0)
    assert first.text.startswith("… json_group")
    assert rest.text


def test_marks_are_painted_behind_the_text(qapp: QApplication) -> None:
    image = QImage(200, 30, QImage.Format.Format_RGB32)
    image.fill("white")
    painter = QPainter(image)
    line = laid_out("some *food*")
    line.paint(painter, 5, 5)
    painter.end()
    left, right = line.marked[0]
    inside = [
        image.pixelColor(x, 4 + int(line.height)).name() for x in range(int(left) + 8, int(right))
    ]
    assert LIGHT.mark.lower() in inside
    assert image.pixelColor(2, 8).name() == "#ffffff"


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("width", [30.0, 80.0, 200.0, 1e6])
def test_a_line_is_split_between_words(text: str, width: float) -> None:
    made = marked(text)
    whole = Line(made.text, (Run((0, len(made.text)), LIGHT.text),), made.marks)
    first, rest = split(whole, QApplication.font(), width)
    assert f"{first.text} {rest.text}".split() == made.text.split() or " " not in made.text
    assert (first.text + rest.text).replace(" ", "") == made.text.replace(" ", "")
    for part in (first, rest):
        for start, end in part.marks:
            assert part.text[start:end] in made.text
