"""A section on paper: as a PDF file, page by page."""

import re
from operator import sub
from pathlib import Path

import pypdfium2
import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QColor, QImage, QPageSize, QPainter, QPdfWriter
from PySide6.QtPrintSupport import QPrintDialog
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QLineEdit
from pytestqt.qtbot import QtBot

from notesearch.config import Settings
from notesearch.gui.app import App
from notesearch.gui.preview.document import blocks_from, text_rectangles
from notesearch.gui.preview.vault_images import Pictures
from notesearch.gui.session.section_printer import PrintedSection
from notesearch.markdown.render import render
from notesearch.results import SectionText
from tests.gui.fixture_types import StartApp
from tests.gui.preview_contents import content_of
from tests.gui.using_window import typed, write_pdf

BLUE = QColor("#31577d")
TINT = (237, 244, 240)
NOTE = """# Kyoto

## Food: 1/2

Nishiki market.

![](blue.png)

> [!tip] Early
> Come before nine.
"""


@pytest.fixture
def app(qtbot: QtBot, start: StartApp, vault: Path, words_only: Settings) -> App:
    """Show the section about food, in a dark window."""
    image = QImage(200, 100, QImage.Format.Format_RGB32)
    image.fill(BLUE)
    image.save(str(vault / "blue.png"))
    days = "".join(f"## Day {n}\n\n{'Rain all day. ' * 90}\n\n" for n in range(6))
    (vault / "Trip.md").write_text(NOTE)
    (vault / "Diary.md").write_text(f"# Diary\n\nA year.\n\n{days}")
    app = start(vault)
    typed(qtbot, app, "nishiki")
    qtbot.waitUntil(lambda: app.pane.preview.is_complete)
    return app


def rgb(colour: QColor) -> tuple[int, int, int]:
    return colour.red(), colour.green(), colour.blue()


def chosen_file(app: App, path: Path) -> None:
    """Ask for a PDF and choose the file."""
    app.actions.export_pdf.trigger()
    dialog = app.window.findChild(QFileDialog)
    assert dialog is not None
    assert dialog.isVisible(), "the window goes on meanwhile"
    name = dialog.findChild(QLineEdit)
    assert name is not None
    assert name.text() == "Food- 1-2.pdf"
    name.setText(str(path))
    QTest.keyClick(name, Qt.Key.Key_Return)


def test_a_pdf_that_is_asked_for_during_another_one_is_written_too(
    qtbot: QtBot, app: App, tmp_path: Path
) -> None:
    files = [tmp_path / f"{number}.pdf" for number in range(3)]
    for file in files:
        write_pdf(app, file)
    qtbot.waitUntil(lambda: all(file.exists() for file in files))


def test_a_section_becomes_a_pdf_file(qtbot: QtBot, app: App, tmp_path: Path) -> None:
    file = tmp_path / "food.pdf"
    chosen_file(app, file)
    qtbot.waitUntil(file.exists)
    written = file.read_bytes()
    assert written.startswith(b"%PDF-")
    assert len(re.findall(rb"/Type /Page\b(?!s)", written)) == 1
    assert "food.pdf" in app.window.bar.text


def test_a_long_note_takes_several_pages(qtbot: QtBot, app: App, tmp_path: Path) -> None:
    app.window.field.focus_all()
    typed(qtbot, app, "diary")
    app.actions.whole_note.trigger()
    qtbot.waitUntil(lambda: app.pane.preview.is_complete)
    file = tmp_path / "diary.pdf"
    write_pdf(app, file)
    qtbot.waitUntil(file.exists)
    assert len(re.findall(rb"/Type /Page\b(?!s)", file.read_bytes())) > 1


@pytest.mark.parametrize("on_paper", [False, True])
def test_a_note_that_vanishes_while_a_place_is_chosen_is_written(
    qtbot: QtBot, app: App, vault: Path, tmp_path: Path, on_paper: bool
) -> None:
    file = tmp_path / "food.pdf"
    action = app.actions.print_section if on_paper else app.actions.export_pdf
    action.trigger()
    (vault / "Trip.md").unlink()
    app.vault.refresh()
    qtbot.waitUntil(lambda: app.pane.preview.content is None)
    dialog = app.window.findChild(QPrintDialog if on_paper else QFileDialog)
    assert dialog is not None
    name = dialog.findChild(QLineEdit, "filename" if on_paper else "fileNameEdit")
    assert name is not None
    name.setText(str(file))
    dialog.accept()
    qtbot.waitUntil(lambda: app.window.bar.text == "Written to food.pdf")
    assert "Nishiki" in pypdfium2.PdfDocument(file)[0].get_textpage().get_text_range()


def test_a_file_that_cannot_be_written_is_told(qtbot: QtBot, app: App, tmp_path: Path) -> None:
    write_pdf(app, tmp_path / "nowhere" / "food.pdf")
    assert app.window.notice.text.startswith("The PDF was not written: ")
    assert not (tmp_path / "nowhere").exists()
    write_pdf(app, tmp_path / "food.pdf")
    qtbot.waitUntil((tmp_path / "food.pdf").exists)
    qtbot.waitUntil(app.window.notice.isHidden)


def test_a_printer_is_asked_for(qtbot: QtBot, app: App) -> None:
    app.actions.print_section.trigger()
    dialog = app.window.findChild(QPrintDialog)
    assert dialog is not None
    assert dialog.isVisible(), "the window goes on meanwhile"
    dialog.reject()


def printed(app: App, file: Path) -> None:
    """Ask for a printer and choose the file."""
    app.actions.print_section.trigger()
    dialog = app.window.findChild(QPrintDialog)
    assert dialog is not None
    name = dialog.findChild(QLineEdit, "filename")
    assert name is not None
    name.setText(str(file))
    dialog.accept()


def test_printing_tells_where_the_pages_are(qtbot: QtBot, app: App, tmp_path: Path) -> None:
    printed(app, tmp_path / "food.pdf")
    qtbot.waitUntil(lambda: app.window.bar.text == "Written to food.pdf")
    assert (tmp_path / "food.pdf").read_bytes().startswith(b"%PDF-")


@pytest.mark.qt_log_ignore("QPainter::")
def test_pages_that_cannot_be_printed_are_told(qtbot: QtBot, app: App, tmp_path: Path) -> None:
    stick = tmp_path / "stick"
    stick.mkdir()
    printed(app, stick / "food.pdf")
    stick.rmdir()
    qtbot.waitUntil(lambda: app.window.notice.text.startswith("Nothing was printed."))


def test_the_page_is_white_and_has_the_pictures(app: App, tmp_path: Path) -> None:
    content = app.pane.preview.content
    assert content is not None
    section = PrintedSection(content, QPdfWriter(str(tmp_path / "x.pdf")), "")
    text = section.toPlainText()
    lines = text.replace("\u2028", "\n").splitlines()
    assert lines[:4] == ["Kyoto", "Trip.md", "Food: 1/2", "Nishiki market."]
    scale = section._scale
    image = QImage(QSize(800, 600), QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.white)
    with QPainter(image) as painter:
        painter.scale(1 / scale, 1 / scale)
        section.paint_page(painter, 0)
    colours = {
        rgb(image.pixelColor(x, y))
        for x in range(0, image.width(), 4)
        for y in range(0, image.height(), 4)
    }
    assert rgb(BLUE) in colours, "the picture"
    assert image.pixelColor(700, 20) == QColor("white")
    assert any(max(map(abs, map(sub, colour, TINT))) <= 2 for colour in colours), "the callout"


def test_the_number_of_an_item_is_as_large_as_its_text(qapp: QApplication, tmp_path: Path) -> None:
    device = QPdfWriter(str(tmp_path / "x.pdf"))
    text = SectionText("a.md", "A", "A", ("A",), 1, 1, 9, "1. ox")
    section = PrintedSection(content_of(text, render("1. ox")), device, "")
    with QPainter(device) as painter:
        section.paint_page(painter, 0)
    with pypdfium2.PdfDocument(tmp_path / "x.pdf") as pdf:
        page = pdf[0].get_textpage()
        heights: dict[str, float] = {}
        for index in range(page.count_chars()):
            _, bottom, _, top = page.get_charbox(index)
            heights[page.get_text_range(index, 1)] = top - bottom
    assert heights["x"] < heights["1"] < 2 * heights["x"]


_WORDS = "Nishiki market opens at nine, before the crowd. " * 20
_COLUMNS = "\n".join(f"|{cell * 14}" for cell in ("internationalisation|", "-|", "cell|"))


@pytest.mark.parametrize("size", [QPageSize.PageSizeId.A4, QPageSize.PageSizeId.A5])
@pytest.mark.parametrize("source", [_WORDS, _COLUMNS], ids=["words", "a wide table"])
def test_nothing_is_wider_than_the_paper(
    qapp: QApplication, tmp_path: Path, size: QPageSize.PageSizeId, source: str
) -> None:
    device = QPdfWriter(str(tmp_path / "x.pdf"))
    device.setPageSize(QPageSize(size))
    text = SectionText("a.md", "A", "A", ("A",), 1, 1, 9, source)
    section = PrintedSection(content_of(text, render(source)), device, "")
    assert section.textWidth() * section._scale == pytest.approx(device.width(), rel=0.001)
    assert section.size().width() * section._scale <= device.width() * 1.01


def test_the_widest_column_gives_way_to_short_words(qapp: QApplication, tmp_path: Path) -> None:
    device = QPdfWriter(str(tmp_path / "x.pdf"))
    device.setPageSize(QPageSize(QPageSize.PageSizeId.A5))
    words = "Description Type Default Required Since".split()
    source = f"|Name|{'|'.join(words)}|\n{'|-' * 6}|\n|`{'aLongIdentifier' * 3}`|{'x|' * 5}"
    text = SectionText("a.md", "A", "A", ("A",), 1, 1, 9, source)
    section = PrintedSection(content_of(text, render(source)), device, "")
    lines = {block.text(): block.layout().lineCount() for block in blocks_from(section.begin())}
    assert [lines[word] for word in words] == [1] * len(words)


def test_no_line_is_cut_at_the_end_of_a_page(app: App, tmp_path: Path) -> None:
    """Each page break moves all lines below it, which Qt then has to lay out again."""
    below = "Nine yen.\n\n" * 70
    source = f"![](a.png)\n\n|Tin|\n|-|\n|Jar|\n\n{below}|Tin|\n|-|\n|Jar|\n\n{below}"
    text = SectionText("a.md", "A", "Prices", ("Prices",), 2, 1, 9, source)
    pages = set[float]()
    for height in range(800, 1040, 4):
        image = QImage(400, height, QImage.Format.Format_RGB32)
        pictures = Pictures(images={"a.png": image}, sizes={"a.png": image.size()})
        content = content_of(text, f"<body>{render(source)}</body>", pictures=pictures)
        section = PrintedSection(content, QPdfWriter(str(tmp_path / "x.pdf")), "")
        length = section._page.height()
        for block in blocks_from(section.begin()):
            for letters in text_rectangles(section, (block.position(), block.position() + 1)):
                page = (letters.top() + 1) // length
                assert page == (letters.bottom() - 1) // length, (height, block.text())
        pages.add(page)
    assert len(pages) > 1
