"""Marks cover their letters even in lines of mixed direction."""

import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter, QTextDocument
from PySide6.QtWidgets import QApplication

from notesearch.gui.preview.document import text_rectangles
from notesearch.gui.widgets.marked_line import LaidOutLine, Line, Run
from tests.gui.sample_results import marked

BLACK, WHITE = "#000000", "#ffffff"
TEXTS = [
    "אכלנו *food* too.",
    "אכלנו food *too*.",
    "the market is called *מחנה* יהודה here",
    "שילמנו *25* price",
    "שילמנו 25 *price* בשוק",
    "🎂 and *🎂* cake",
    "plain *food* here",
    "日本*食*べ物",
]


def line_of(text: str, colour: str, marks: str) -> LaidOutLine:
    """Lay out ``text`` with its marked part in the colour ``marks`` and the rest in ``colour``."""
    made = marked(text)
    ((start, end),) = made.marks
    whole = Run((0, len(made.text)), colour, strong=True)
    line = Line(made.text, (whole, Run((start, end), marks, strong=True)), made.marks)
    return LaidOutLine(line, QApplication.font(), WHITE, marks, 1e6)


def drawn(line: LaidOutLine) -> QRectF:
    """Return the bounding box of the black pixels of a line."""
    image = QImage(600, 40, QImage.Format.Format_RGB32)
    image.fill(WHITE)
    painter = QPainter(image)
    line.paint(painter, 10, 5)
    painter.end()
    columns = [
        x
        for x in range(image.width())
        if any(image.pixelColor(x, y).lightness() < 160 for y in range(image.height()))
    ]
    return QRectF(min(columns) - 10, 0, max(columns) - min(columns) + 1, 1) if columns else QRectF()


@pytest.mark.parametrize("text", [text for text in TEXTS if "🎂" not in text])
def test_a_mark_in_a_row_covers_its_letters(qapp: QApplication, text: str) -> None:
    line = line_of(text, WHITE, BLACK)
    letters = drawn(line)
    ((left, right),) = line.marked
    assert left - 2 <= letters.left()
    assert letters.right() <= right + 2
    assert right - left < letters.width() + 6


def test_a_phrase_of_mixed_direction_marks_nothing_else(qapp: QApplication) -> None:
    line = line_of("קנינו *אוכל food* too", WHITE, BLACK)
    assert len(line.marked) == 2
    (_, end), (start, _) = line.marked
    assert start > end


@pytest.mark.parametrize("text", TEXTS)
def test_the_preview_marks_the_same_letters_as_a_row(qapp: QApplication, text: str) -> None:
    made = marked(text)
    row = line_of(text, BLACK, BLACK)
    document = QTextDocument()
    document.setDefaultFont(QApplication.font())
    document.setDocumentMargin(0)
    start, end = (len(made.text[:at].encode("utf-16-le")) // 2 for at in made.marks[0])
    document.setHtml(f"<p><b>{made.text}</b></p>")
    (place,) = text_rectangles(document, (start, end))
    assert [place.width()] == [pytest.approx(right - left, abs=2) for left, right in row.marked]
