"""The preview's document view: shows safe HTML, reads pictures of the vault only, paints marks.

Qt's own browser would read any file that an address names and open what is clicked. Here
``loadResource`` never asks it, and a click is only told to whoever listens.
"""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QMimeData, QPoint, QRectF, Qt, QTimer, QUrl, Signal, Slot
from PySide6.QtGui import (
    QContextMenuEvent,
    QFontMetricsF,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QTextBlock,
    QTextCursor,
    QTextDocument,
    QWheelEvent,
)
from PySide6.QtWidgets import QFrame, QTextBrowser, QWidget

from notesearch.gui.preview.backdrop import Backdrop
from notesearch.gui.preview.document import (
    Heading,
    headings,
    set_margins,
    touch_up,
    without_layout,
)
from notesearch.gui.preview.formula_pictures import set_apart
from notesearch.gui.preview.geometry import (
    block_top,
    text_rectangles,
    visible_blocks,
    visible_text,
)
from notesearch.gui.preview.images import Pictures
from notesearch.gui.preview.marks import Marks, same_start, utf16_spans
from notesearch.gui.preview.menu import copy_menu
from notesearch.gui.preview.place import Place
from notesearch.gui.preview.resources import Resources, Screen
from notesearch.gui.preview.style import RING, dress
from notesearch.gui.translation import translate
from notesearch.gui.widgets.theme import Theme, px
from notesearch.notes import Span

_LIVE_SCHEMES = frozenset({"http", "https", "mailto", "note", "section"})
_INVISIBLE = str.maketrans(
    {"\ufffc": None, "\u200b": None, "\u00a0": " ", "\u2029": "\n", "\u2028": "\n"}
)
_INSET = 24
_RIGHT = 30
_ABOVE = 12
_INDENT = 22
_LONGEST_LINE = 780
_REFIT_MS = 150
_LEAST_LINES = 30
_BOXED = ("<code", 'class="kbd"', 'class="mark"')
"""What has a box of its own within the lines."""
_FITTED = ('"image:', '"math:', 'class="grid"')
"""What is made for the width of the text."""


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
        self._on_show: tuple[str, Pictures | None] = ("", None)
        self._resources = Resources()
        self._marks = Marks(self.document())
        self._backdrop = Backdrop(self.document(), theme)
        self._bar: Span | None = None
        self._place = Place(self.verticalScrollBar(), self.document())
        self._match = self._fitted_to = 0
        self._first = QTextBlock()
        self._refit = QTimer(self, singleShot=True, interval=_REFIT_MS)
        self._refit.timeout.connect(self._fill_again)
        self.setObjectName("previewText")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setLineWrapMode(QTextBrowser.LineWrapMode.FixedPixelWidth)
        self.setOpenLinks(False)
        self.setUndoRedoEnabled(False)
        self.setAcceptDrops(False)
        self.viewport().setAcceptDrops(False)
        self.setAccessibleName(translate("preview", "Preview of the selected section"))
        self.anchorClicked.connect(self._activate)
        self.highlighted.connect(self._hover)
        self.set_theme(theme)

    def set_theme(self, theme: Theme, zoom: int = 100) -> None:
        """Show the same document in other colours or sizes; ``zoom`` is per cent."""
        self._theme = theme
        dress(self.document(), theme, zoom)
        self._fill_again()

    def show_html(
        self, html: str, pictures: Pictures | None = None, *, again: bool = False
    ) -> None:
        """Show ``html`` and the ``pictures`` in it, from its start and without marks.

        ``again``: what is on show already, of which there is more now: the place in it stays.
        """
        before = self.plain_text() if again else ""
        known, self._on_show, self._bar = self._on_show, (html, pictures), None
        with self._place.kept(again=again):
            if known != self._on_show:  # else somebody types, and the section is still the best
                self._html, formulas = set_apart(html)
                self._resources = Resources(pictures, formulas)
                self._fill()
            elif not again:
                _forget_selection(self)
        self._match = self._marks.current if again else 0
        self._marks = self._marks.up_to(same_start(before, self.plain_text()) if again else 0)
        self._colour_marks()

    def picture_room(self, width: int) -> int:
        """Return how wide pictures can be in a pane of some ``width``, in device pixels."""
        return round(_room(width) * self.devicePixelRatioF())

    def lines_shown(self) -> float:
        """Return how many lines of letters fill the window; lines of text stand further apart."""
        letters = QFontMetricsF(self.document().defaultFont()).height()
        return max(_LEAST_LINES, self.viewport().height() / letters)

    def plain_text(self) -> str:
        """Return the text that ``show_marks`` counts in."""
        return self.document().toPlainText()

    def headings(self) -> list[Heading]:
        """Return the headings on show."""
        return headings(self.document())

    def show_marks(self, spans: Sequence[Span]) -> None:
        """Mark ``spans`` (characters of ``plain_text``).

        The first becomes the current one; where a section was pointed out, its first.
        """
        converted = utf16_spans(self.plain_text(), spans) if spans else ()
        start = self._bar[0] if self._bar else 0
        self._marks = Marks(self.document(), converted, start, self._match)
        self._match = 0
        self._colour_marks()
        if self._marks.span and self._bar is None and not self._place.has_moved:
            self._bring_into_view(self._marks.span)

    def show_nearest(self, span: Span) -> None:
        """Tint ``span`` (characters of ``plain_text``): what says it best where no word matches."""
        self._marks.nearest = utf16_spans(self.plain_text(), [span])[0]
        if not self._marks.spans and self._bar is None and not self._place.has_moved:
            self._bring_into_view(self._marks.nearest)
        self.viewport().update()

    def step(self, by: int) -> None:
        """Go to the next (1) or the previous (-1) match, round and round."""
        self._marks.step(by)
        self._colour_marks()
        if self._marks.span:
            self._bring_into_view(self._marks.span)

    def point_out(self, span: Span) -> None:
        """Set a bar beside the text between two positions, and scroll it to the top.

        Neither this nor a mark takes a reader along who has scrolled since the text is there.
        """
        self._bar = span
        if not self._place.has_moved:
            self._place.lead_to(round(block_top(self.document(), span[0])) - px(_ABOVE))
        self.viewport().update()

    def loadResource(self, kind: int, name: QUrl | str) -> object:
        """Return a picture of the vault or one of ours; the base class is never asked."""
        if QTextDocument.ResourceType(kind) != QTextDocument.ResourceType.ImageResource:
            return None
        return self._resources.image(_address(QUrl(name)), self._screen())

    def createMimeDataFromSelection(self) -> QMimeData:
        """Copy plain text: what a note says must not carry its addresses along."""
        copied = QMimeData()
        copied.setText(self.textCursor().selectedText().translate(_INVISIBLE))
        return copied

    def canInsertFromMimeData(self, source: QMimeData) -> bool:
        """Take nothing that is dropped or pasted."""
        return False

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Offer what can be copied."""
        menu = copy_menu(self, event.pos())
        menu.exec(event.globalPos())
        menu.deleteLater()

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Walk through the links with Tab, and tell where each leads."""
        stays = super().focusNextPrevChild(forward)
        cursor = self.textCursor()
        self._hover(QUrl(cursor.charFormat().anchorHref() if cursor.hasSelection() else ""))
        return stays

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Scroll; Ctrl with the wheel would change only the text that no style sheet sizes."""
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            event.ignore()
        else:
            super().wheelEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint code boxes, the bar and the marks, then Qt's text over them."""
        with QPainter(self.viewport()) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            shown, span = self._seen()
            painter.translate(-shown.topLeft())
            self._backdrop.paint(painter, self._first, span)
            if self._bar:
                self._backdrop.paint_bar(painter, self._bar, px(_INSET) / 2 - px(3))
            self._marks.paint(painter, self._theme, *span)
        if not self._marks.are_coloured(*span):
            self.setExtraSelections(self._marks.selections(self._theme))
        super().paintEvent(event)

    def _seen(self) -> tuple[QRectF, Span]:
        """Return what the window shows of the document, and of its text; laid out so far."""
        scrolled = QPoint(_scrolled_across(self), self.verticalScrollBar().value())
        shown = QRectF(self.viewport().rect().translated(scrolled))
        self._first, last = visible_blocks(self.document(), shown, self._first)
        return shown, visible_text(shown, self._first, last)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep lines readable in a wide pane, and pictures as wide as the text."""
        super().resizeEvent(event)
        self._set_width()
        if self._room() != self._fitted_to and any(kind in self._html for kind in _FITTED):
            self._refit.start()

    def _fill(self) -> None:
        """Make the document and lay it out, once: a bar that came meanwhile would have it anew."""
        document = self.document()
        self._fitted_to = self._room()
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        document.setLayoutEnabled(False)
        self.setHtml(self._html)
        self._set_width()
        reserved = partial(self._resources.reserved, self._screen())
        with without_layout(document):
            set_margins(document, px(_ABOVE), px(_INSET), _left())
            touch_up(document, self._html, self._room(), reserved)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        has_boxes = any(kind in self._html for kind in _BOXED)
        self._backdrop = Backdrop(document, self._theme, has_boxes=has_boxes)
        self._first = QTextBlock()

    @Slot()
    def _fill_again(self) -> None:
        """Make the same document anew: other colours, another width for pictures."""
        if self._html:
            with self._place.kept(again=True):
                self._fill()
            self._colour_marks()

    def _room(self) -> int:
        """Return how wide text may be, scroll bar or not; a longer line would tire the eye."""
        return _room(self.width())

    def _screen(self) -> Screen:
        face, ratio = self.document().defaultFont(), self.devicePixelRatioF()
        return Screen(self._theme, face, self._room(), ratio)

    def _set_width(self) -> None:
        if (width := _left() + self._room()) != self.lineWrapColumnOrWidth():
            self.setLineWrapColumnOrWidth(width)

    def _colour_marks(self) -> None:
        self._marks.forget_colours()
        if self._marks.spans:  # coloured only while it is painted, all would be painted again
            self._marks.are_coloured(*self._seen()[1])
        self.setExtraSelections(self._marks.selections(self._theme))
        self.viewport().update()
        self.marks_changed.emit(self._marks.current + 1, len(self._marks.spans))

    def _bring_into_view(self, span: Span) -> None:
        """Scroll to ``span`` unless it is on show; the start of the text is its best place."""
        bar, height = self.verticalScrollBar(), self.viewport().height()
        place = next(text_rectangles(self.document(), span), QRectF())
        margin = px(_INSET)
        if place.top() < bar.value() + margin / 2 or place.bottom() > bar.value() + height - margin:
            fits_at_start = place.bottom() < height - margin
            self._place.lead_to(0 if fits_at_start else round(place.top() - height / 3))

    @Slot(QUrl)
    def _activate(self, url: QUrl) -> None:
        """Follow a link: inside the document here, elsewhere only by telling."""
        address = _address(url)
        if address.startswith("#fn-"):
            self.scrollToAnchor(url.fragment(QUrl.ComponentFormattingOption.FullyEncoded))
        elif url.scheme().lower() in _LIVE_SCHEMES:
            self.link_activated.emit(address)

    @Slot(QUrl)
    def _hover(self, url: QUrl) -> None:
        self.link_hovered.emit(_address(url) if url.scheme().lower() in _LIVE_SCHEMES else "")


def _forget_selection(browser: QTextBrowser) -> None:
    """Be at the start of the text, its lines too, with nothing selected: as in a document anew."""
    browser.setTextCursor(QTextCursor(browser.document()))
    browser.horizontalScrollBar().setValue(0)  # after the cursor, which has itself shown


def _scrolled_across(browser: QTextBrowser) -> int:
    """Return what is out of view at the left; the bar begins at the right where reading does."""
    bar = browser.horizontalScrollBar()
    return bar.maximum() - bar.value() if browser.isRightToLeft() else bar.value()


def _left() -> int:
    """Return how far in the text begins: below that of the head, which has no ring around it."""
    return px(_INSET) - RING


def _room(width: int) -> int:
    return min(px(_LONGEST_LINE), width - px(_INSET) - px(_RIGHT))


def _address(url: QUrl) -> str:
    return bytes(url.toEncoded().data()).decode("ascii", "replace")
