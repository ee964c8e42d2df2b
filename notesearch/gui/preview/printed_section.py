"""A section on paper: black on white, with its place, its pictures and its formulas."""

from dataclasses import replace
from html import escape

from PySide6.QtCore import QRectF, QSize, QSizeF, QUrl
from PySide6.QtGui import (
    QAbstractTextDocumentLayout,
    QGuiApplication,
    QPagedPaintDevice,
    QPageLayout,
    QPainter,
    QPalette,
    QTextBlock,
    QTextDocument,
)

from notesearch.gui.preview.backdrop import Backdrop
from notesearch.gui.preview.content import PreviewContent
from notesearch.gui.preview.document import correct_layout, deferred_layout
from notesearch.gui.preview.document_images import DisplayFormat, DocumentImages
from notesearch.gui.preview.formula_pictures import extract_formulas
from notesearch.gui.preview.geometry import visible_blocks, visible_span
from notesearch.gui.preview.preview_style import apply_style
from notesearch.gui.widgets.theme import LIGHT, Role, palette, points

_POINTS = 10.5
_SHARPNESS = 3.0
"""Pixels of pictures and formulas for each of a screen's."""
_PLACE = " › "


class PrintedSection(QTextDocument):
    """The pages of a section, painted one by one.

    Args:
        content: The section as the preview shows it.
        device: The paper; its size and margins are set already.
        family: The font of the text; empty for that of the program.
    """

    def __init__(self, content: PreviewContent, device: QPagedPaintDevice, family: str) -> None:
        super().__init__()
        self._theme = replace(LIGHT, preview_font=family)
        dots = QGuiApplication.primaryScreen().logicalDotsPerInch()
        inches = device.pageLayout().paintRect(QPageLayout.Unit.Inch).size()
        self._page = QSizeF(inches.width() * dots, inches.height() * dots)
        self._scale = device.logicalDpiX() / dots
        html, formulas = extract_formulas(_headed(content))
        self._images = DocumentImages(content.pictures, formulas)
        apply_style(self, self._theme, round(100 * _POINTS / points(Role.BODY)))
        width = int(self._page.width())
        self._format = DisplayFormat(self._theme, self.defaultFont(), width, _SHARPNESS)
        self.setUndoRedoEnabled(False)
        self.setHtml(html)
        with deferred_layout(self):
            correct_layout(self, html, width, self._reserved_size, on_paper=True)
        self.setPageSize(self._page)
        self._backdrop = Backdrop(self, self._theme, has_inline_boxes=True)
        self._first = QTextBlock()

    def loadResource(self, kind: int, name: QUrl | str) -> object:
        """Return a picture that was read with the section; nothing is read for paper."""
        if QTextDocument.ResourceType(kind) != QTextDocument.ResourceType.ImageResource:
            return None
        address = bytes(QUrl(name).toEncoded().data()).decode("ascii", "replace")
        return self._images.image(address, self._format)

    def paint_page(self, painter: QPainter, page: int) -> None:
        """Paint one page, from 0, in the units of the paper."""
        height = self._page.height()
        area = QRectF(0, page * height, self._page.width(), height)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.scale(self._scale, self._scale)
        painter.translate(0, -area.top())
        painter.setClipRect(area)
        self._first, last = visible_blocks(self, area, self._first)
        self._backdrop.paint(painter, self._first, visible_span(area, self._first, last))
        context = QAbstractTextDocumentLayout.PaintContext()
        context.palette = QPalette(palette(self._theme))
        context.clip = area
        self.documentLayout().draw(painter, context)
        painter.restore()

    def _reserved_size(self, address: str, width: int) -> QSize | None:
        return self._images.reserved_size(self._format, address, width)


def _headed(content: PreviewContent) -> str:
    """Return the HTML of a section below the headings that lead to it and the path of its note."""
    text = content.text
    above = text.section_path[:-1] if text.section_path[-1:] == (text.heading,) else ()
    names = [text.title, *(name for name in above if name != text.title)]
    place = f'<p class="more">{escape(_PLACE.join(names))}<br>{escape(text.path)}</p>'
    return content.html.replace("<body>", f"<body>{place}", 1)
