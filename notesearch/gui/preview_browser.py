"""The preview's document view: shows safe HTML, reads pictures of the vault only, paints marks.

Qt's own browser would read any file that an address names and open what is clicked. Here
``loadResource`` never asks it, and a click is only told to whoever listens.
"""

from collections.abc import Sequence
from pathlib import Path
from urllib.parse import quote, unquote

from PySide6.QtCore import QMimeData, QPoint, QRectF, Qt, QUrl, Signal, Slot
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QGuiApplication,
    QImage,
    QPainter,
    QPaintEvent,
    QTextDocument,
    QTextTable,
    QWheelEvent,
)
from PySide6.QtWidgets import QFrame, QMenu, QTextBrowser, QWidget

from notesearch.gui.preview_document import (
    Heading,
    box_of,
    find_code_boxes,
    headings,
    tighten_pictures,
)
from notesearch.gui.preview_images import VaultImages, drawn
from notesearch.gui.preview_marks import Marks, text_rectangles, utf16_spans
from notesearch.gui.preview_style import document_css
from notesearch.gui.theme import Role, Theme, font, px
from notesearch.notes import Span

_LIVE_SCHEMES = frozenset({"http", "https", "mailto", "note", "section"})
_INVISIBLE = str.maketrans(
    {"\ufffc": None, "\u200b": None, "\u00a0": " ", "\u2029": "\n", "\u2028": "\n"}
)
_INSET = 24
_ABOVE = 12
_INDENT = 22
_BAR = 3


class SectionBrowser(QTextBrowser):
    """Shows one document of HTML from ``markdown.render``.

    Signals:
        link_activated: A link was clicked: its address as written, of a scheme known to be safe.
        link_hovered: The address under the mouse or with the focus; empty when there is none.
        marks_changed: Which match is the current one (from 1; 0 for none), and how many there are.
    """

    link_activated = Signal(str)
    link_hovered = Signal(str)
    marks_changed = Signal(int, int)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._html = ""
        self._note = ""
        self._images: VaultImages | None = None
        self._marks = Marks(self.document())
        self._code_boxes: list[QTextTable] = []
        self._bar: Span | None = None
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setOpenLinks(False)
        self.setUndoRedoEnabled(False)
        self.setAcceptDrops(False)
        self.viewport().setAcceptDrops(False)
        self.setAccessibleName("Preview of the selected section")
        self.anchorClicked.connect(self._activate)
        self.highlighted.connect(self._hover)
        self.set_theme(theme)

    def set_vault(self, vault: Path | None) -> None:
        """Let notes show pictures that lie in ``vault``, and no others."""
        self._images = VaultImages(vault) if vault else None

    def set_theme(self, theme: Theme) -> None:
        """Show the same document in other colours or in another size of the font."""
        self._theme = theme
        document = self.document()
        document.setDefaultFont(font(Role.BODY))
        document.setDefaultStyleSheet(document_css(theme))
        document.setDocumentMargin(0)
        document.setIndentWidth(px(_INDENT))
        if self._html:
            place = self.verticalScrollBar().value()
            self._fill()
            self._colour_marks()
            self.verticalScrollBar().setValue(place)

    def show_html(self, html: str, note: str) -> None:
        """Show ``html``, of the note at ``note``, from its start and without marks."""
        self._html, self._note, self._bar = html, note, None
        if self._images:
            self._images.forget()
        self._fill()
        self.show_marks(())
        self.verticalScrollBar().setValue(0)

    def plain_text(self) -> str:
        """Return the text that ``show_marks`` counts in."""
        return self.document().toPlainText()

    def headings(self) -> list[Heading]:
        """Return the headings on show."""
        return headings(self.document())

    def show_marks(self, spans: Sequence[Span]) -> None:
        """Mark ``spans`` (characters of ``plain_text``); the first becomes the current one."""
        self._marks = Marks(self.document(), utf16_spans(self.plain_text(), spans) if spans else ())
        self._colour_marks()
        first = self._marks.span
        if first and self._bar is None:
            self._bring_into_view(first)

    def step(self, by: int) -> None:
        """Go to the next (1) or the previous (-1) match, round and round."""
        self._marks.step(by)
        self._colour_marks()
        if self._marks.span:
            self._bring_into_view(self._marks.span)

    def point_out(self, span: Span) -> None:
        """Set a bar beside the text between two positions, and scroll it to the top."""
        self._bar = span
        self.verticalScrollBar().setValue(round(self._top_of(span)) - px(_INSET) // 2)
        self.viewport().update()

    # What Qt calls

    def loadResource(self, kind: int, name: QUrl | str) -> object:
        """Return a picture of the vault or one of ours; the base class is never asked."""
        if QTextDocument.ResourceType(kind) != QTextDocument.ResourceType.ImageResource:
            return None
        address = bytes(QUrl(name).toEncoded().data()).decode("ascii", "replace")
        scheme, _, rest = address.partition(":")
        ratio = self.devicePixelRatioF()
        if scheme == "image":
            target = unquote(rest)
            found = self._images.find(target, self._note) if self._images else None
            missing = f"missing/{quote(target, safe='')}"
            return drawn(missing, self._theme, ratio) if found is None else found
        return drawn(rest, self._theme, ratio) if scheme == "ui" else QImage()

    def createMimeDataFromSelection(self) -> QMimeData:
        """Copy plain text: what a note says must not carry its addresses along."""
        copied = QMimeData()
        copied.setText(self.textCursor().selectedText().translate(_INVISIBLE))
        return copied

    def canInsertFromMimeData(self, source: QMimeData) -> bool:
        """Take nothing that is dropped or pasted."""
        return False

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Offer to copy: the selection, all, or the address of a web link."""
        menu = QMenu(self)
        copy = menu.addAction("Copy", self.copy)
        copy.setEnabled(self.textCursor().hasSelection())
        address = self.anchorAt(event.pos())
        if address.startswith(("http://", "https://", "mailto:")):
            copy_link = menu.addAction("Copy link")
            copy_link.triggered.connect(lambda: QGuiApplication.clipboard().setText(address))
        menu.addSeparator()
        menu.addAction("Select all", self.selectAll)
        menu.exec(event.globalPos())
        menu.deleteLater()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Scroll; Ctrl with the wheel would change only the text that no style sheet sizes."""
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            event.ignore()
        else:
            super().wheelEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint code boxes, the bar and the marks, then Qt's text over them."""
        painter = QPainter(self.viewport())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        scrolled = QPoint(self.horizontalScrollBar().value(), self.verticalScrollBar().value())
        painter.translate(-scrolled)
        painter.setPen(Qt.PenStyle.NoPen)
        visible = QRectF(self.viewport().rect().translated(scrolled))
        self._paint_code_boxes(painter, visible)
        if self._bar:
            self._paint_bar(painter)
        bottom_right = self.viewport().rect().bottomRight()
        first = self.cursorForPosition(QPoint(0, 0)).block().position()
        last = self.cursorForPosition(bottom_right).block()
        self._marks.paint(painter, self._theme, first, last.position() + last.length())
        painter.end()
        super().paintEvent(event)

    def _paint_code_boxes(self, painter: QPainter, visible: QRectF) -> None:
        painter.setBrush(QColor(self._theme.code))
        for table in self._code_boxes:
            box = box_of(table)
            if box.top() > visible.bottom():
                break
            if box.bottom() >= visible.top():
                painter.drawRoundedRect(box, px(4), px(4))

    def _paint_bar(self, painter: QPainter) -> None:
        assert self._bar is not None
        layout = self.document().documentLayout()
        last = self.document().findBlock(max(self._bar[0], self._bar[1] - 1))
        top, bottom = self._top_of(self._bar), layout.blockBoundingRect(last).bottom()
        painter.setBrush(QColor(self._theme.accent))
        painter.drawRoundedRect(
            QRectF(px(_INSET) // 2 - px(_BAR), top, px(_BAR), bottom - top), 1, 1
        )

    def _fill(self) -> None:
        self.setHtml(self._html)
        self._set_margins()
        self._code_boxes = find_code_boxes(self.document())
        if '<img src="' in self._html:
            tighten_pictures(self.document())

    def _set_margins(self) -> None:
        """Leave the room at the sides that the head has too, and less above."""
        frame = self.document().rootFrame()
        margins = frame.frameFormat()
        margins.setTopMargin(px(_ABOVE))
        margins.setBottomMargin(px(_INSET))
        margins.setLeftMargin(px(_INSET))
        margins.setRightMargin(px(_INSET))
        frame.setFrameFormat(margins)

    def _colour_marks(self) -> None:
        self.setExtraSelections(self._marks.selections(self._theme))
        self.viewport().update()
        self.marks_changed.emit(self._marks.current + 1, len(self._marks.spans))

    def _top_of(self, span: Span) -> float:
        block = self.document().findBlock(span[0])
        return self.document().documentLayout().blockBoundingRect(block).top()

    def _bring_into_view(self, span: Span) -> None:
        """Scroll to ``span`` unless it is on show; the start of the text is its best place."""
        bar, height = self.verticalScrollBar(), self.viewport().height()
        place = next(text_rectangles(self.document(), span), QRectF())
        margin = px(_INSET)
        if place.top() < bar.value() + margin / 2 or place.bottom() > bar.value() + height - margin:
            fits_at_start = place.bottom() < height - margin
            bar.setValue(0 if fits_at_start else round(place.top() - height / 3))

    @Slot(QUrl)
    def _activate(self, url: QUrl) -> None:
        """Follow a link: inside the document here, elsewhere only by telling."""
        address = bytes(url.toEncoded().data()).decode("ascii", "replace")
        if address.startswith("#fn-"):
            self.scrollToAnchor(url.fragment(QUrl.ComponentFormattingOption.FullyEncoded))
        elif url.scheme().lower() in _LIVE_SCHEMES:
            self.link_activated.emit(address)

    @Slot(QUrl)
    def _hover(self, url: QUrl) -> None:
        address = bytes(url.toEncoded().data()).decode("ascii", "replace")
        self.link_hovered.emit(address if url.scheme().lower() in _LIVE_SCHEMES else "")
