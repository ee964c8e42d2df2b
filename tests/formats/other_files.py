"""Files of other kinds than Markdown as their programs write them, made here: our own sentences."""

import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from io import BytesIO
from typing import Any

TOPICS = (
    ("Keeping bees", "A hive stands dry and faces the morning sun.", "The keeper feeds syrup."),
    ("Baking bread", "The dough rests overnight in a cool cupboard.", "Steam gives a crust."),
    ("Mending bicycles", "A worn chain skips on the smallest cog.", "Grease the bearings."),
    ("Pruning apple trees", "Cut above a bud that points outwards.", "Frost splits old bark."),
    ("Sailing at night", "A red lamp shows the port side.", "Reef before the squall."),
    ("Printing lino", "Ink the roller thinly and press by hand.", "Let every layer dry."),
    ("Tuning a piano", "The fork gives the first string its pitch.", "Felt wears in winter."),
    ("Walking the dog", "A long lead keeps her out of the reeds.", "Carry water in July."),
    ("Reading maps", "Close contours mean a steep slope.", "Declination changes slowly."),
    ("Dyeing wool", "Onion skins colour the yarn like amber.", "Alum fixes the dye."),
)
"""A title, the sentence of the first page, and that of the second."""


def with_fpdf(title: str, first: str, second: str, **more: Any) -> bytes:
    """Return a PDF with an outline, by fpdf2; keyword arguments encrypt it."""
    from fpdf import FPDF

    pdf = FPDF()
    pdf.set_title(title)
    pdf.set_creation_date(datetime(2024, 3, 5, tzinfo=UTC))
    if more:
        pdf.set_encryption(**more)
    pdf.set_font("helvetica", size=12)
    for name, sentence in (("The start", first), ("The rest", second)):
        pdf.add_page()
        pdf.start_section(name)
        pdf.multi_cell(0, 8, f"{name}\n{sentence}")
    return bytes(pdf.output())


def with_reportlab(title: str, first: str, second: str) -> bytes:
    """Return a PDF without an outline, by ReportLab, with compressed pages."""
    from reportlab.pdfgen.canvas import Canvas

    file = BytesIO()
    canvas = Canvas(file, pageCompression=1, invariant=1)
    canvas.setTitle(title)
    for sentence in (first, second):
        canvas.drawString(72, 720, sentence)
        canvas.showPage()
    canvas.save()
    return file.getvalue()


def with_qt(title: str, first: str, second: str) -> bytes:
    """Return a PDF by Qt; the font is part of it, and its letters are numbered anew."""
    from PySide6.QtCore import QBuffer, QIODevice
    from PySide6.QtGui import QPainter, QPdfWriter

    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(buffer)
    writer.setTitle(title)
    with QPainter(writer) as painter:
        painter.drawText(500, 500, first)
        writer.newPage()
        painter.drawText(500, 500, second)
    return bytes(buffer.data().data())


def by_hand(title: str, first: str, second: str) -> bytes:
    """Return a PDF of the plainest kind, without an index of its objects: readers rebuild it."""
    page = (
        b"%d 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 400 400]/Contents %d 0 R"
        b"/Resources<</Font<</F 8 0 R>>>>>>endobj\n"
        b"%d 0 obj<</Length %d>>stream\n%s\nendstream endobj\n"
    )
    drawn = [b"BT /F 12 Tf 20 300 Td (%s) Tj ET" % text.encode() for text in (first, second)]
    numbers = (4, 6)
    pages = b"".join(
        page % (number, number + 1, number + 1, len(lines), lines)
        for number, lines in zip(numbers, drawn, strict=True)
    )
    return (
        b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n"
        b"2 0 obj<</Type/Pages/Kids[4 0 R 6 0 R]/Count 2>>endobj\n"
        b"3 0 obj<</Title(" + title.encode() + b")>>endobj\n" + pages +
        b"8 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj\n"
        b"trailer<</Root 1 0 R/Info 3 0 R>>\n%%EOF\n"
    )  # fmt: skip


PRODUCERS: tuple[Callable[[str, str, str], bytes], ...] = (
    with_fpdf,
    with_reportlab,
    with_qt,
    by_hand,
)


def scanned() -> bytes:
    """Return a PDF of a page that is only a drawing."""
    from fpdf import FPDF

    pdf = FPDF()
    pdf.add_page()
    pdf.line(10, 10, 90, 90)
    return bytes(pdf.output())


def pdfs() -> Iterator[tuple[str, bytes]]:
    """Yield the names and contents of 30 PDFs that have text; each topic by three producers."""
    for number, topic in enumerate(TOPICS):
        for shift in range(3):
            make = PRODUCERS[(number + shift) % len(PRODUCERS)]
            yield f"{topic[0]} {make.__name__}.pdf", make(*topic)


def canvas(title: str, first: str, second: str) -> str:
    """Return a canvas: a group with a card of text and a note, and two cards beside it."""
    places = {"x": 40, "y": 40, "width": 100, "height": 80}
    nodes = [
        {"id": "g", "type": "group", "label": title, "x": 0, "y": 0, "width": 600, "height": 400},
        {"id": "a", "type": "text", "text": f"# Plan for {title}\n\n{first}", **places},
        {"id": "b", "type": "file", "file": "Holder.md", **places, "y": 200},
        {"id": "c", "type": "text", "text": second, **places, "x": 900},
        {"id": "d", "type": "link", "url": "https://example.org/a", **places, "x": 900, "y": 300},
    ]
    edges = [{"id": "e", "fromNode": "a", "toNode": "c", "label": "brings about"}]
    return json.dumps({"nodes": nodes, "edges": edges})


def canvases() -> Iterator[tuple[str, str]]:
    """Yield the names and contents of 20 canvases."""
    for title, first, second in TOPICS:
        yield f"{title} board.canvas", canvas(title, first, second)
        yield f"{title} turned.canvas", canvas(f"{title} again", second, first)
