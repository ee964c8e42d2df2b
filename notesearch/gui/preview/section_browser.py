"""The text of the preview: safe HTML with marked matches, and pictures from the vault only.

Qt's own browser would read any file to which an address refers, and open any link that is clicked.
Here, ``loadResource`` returns only pictures that were read before, and a click only emits a signal.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from itertools import islice, takewhile
from math import floor

from PySide6.QtCore import (
    QEvent,
    QMimeData,
    QPoint,
    QPointF,
    QRectF,
    Qt,
    QTimer,
    QUrl,
    Signal,
    Slot,
)
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QFontMetricsF,
    QGuiApplication,
    QImage,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QTextCursor,
    QTextDocument,
    QWheelEvent,
)
from PySide6.QtWidgets import QFrame, QMenu, QScrollBar, QTextBrowser

from notesearch.gui.preview.backdrop import Backdrop
from notesearch.gui.preview.document import (
    InView,
    PreviewContent,
    block_top,
    blocks_from,
    first_block_below,
    in_view,
    line_top,
    pictures_in,
    place_in_source,
    position_again,
    result_span,
    selected_text,
    text_rectangles,
    word_at,
)
from notesearch.gui.preview.document_images import DocumentImages, picture_target
from notesearch.gui.preview.highlights import Highlights, MatchMarks
from notesearch.gui.preview.layout import correct_layout, deferred_layout, set_margins
from notesearch.gui.preview.preview_style import DisplayFormat, apply_style
from notesearch.gui.preview.wide_tables import WideTables
from notesearch.gui.translation import translate
from notesearch.gui.widgets.theme import Theme, focus_ring, px
from notesearch.notes import Span

_LIVE_SCHEMES = frozenset({"http", "https", "mailto", "note", "section"})
_MARGIN = 24
_RIGHT_MARGIN = 30
_TOP_MARGIN = 12
_MAX_TEXT_WIDTH = 780
_REFIT_MS = 150
_UNKNOWN = -1
_MAX_LANDMARKS = 60
_OBJECT = "\ufffc"
_BLOCK_ENDS = re.compile("[\u2029\ufdd0\ufdd1]")
"""The characters with which Qt separates paragraphs and table cells."""
_MIN_LINES = 30

_SIDEWAYS = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}
_CTRL = Qt.KeyboardModifier.ControlModifier
_NO_MODIFIERS = {Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier}


class SectionBrowser(QTextBrowser):
    """Shows one section.

    Signals:
        link_activated: A link was clicked; carries its address as written. The scheme is ``http``,
            ``https``, ``mailto``, ``note`` with the percent-encoded target of a link to a note, or
            ``section`` with a line of this note.
        link_hovered: The mouse or the focus moved to a link or away from one; carries the link's
            address, empty for none.
        marks_changed: Carries the number of the current match (from 1; 0 for none), and the number
            of all matches.
        found_changed: As ``marks_changed``, but for the words found by ``seek``.
        find_requested: The user wants to find words in the text.
        copied: Text was copied to the clipboard.
        picture_chosen: A picture was clicked; carries its path, as in ``pictures``.
        place_chosen: The text was double-clicked, or clicked with Ctrl; carries the position in
            the document, -1 where there is no text. Also -1 if Enter was pressed.
        menu_opening: The context menu is about to open. Carries the menu, to which actions may be
            added, and the position below the mouse, -1 where there is no text.
        went_back: The mouse button “back” was pressed.
        went_forward: The mouse button “forward” was pressed.
    """

    link_activated = Signal(str)
    link_hovered = Signal(str)
    marks_changed = Signal(int, int)
    found_changed = Signal(int, int)
    find_requested = Signal()
    copied = Signal()
    picture_chosen = Signal(str)
    place_chosen = Signal(int)
    menu_opening = Signal(object, int)
    went_back = Signal()
    went_forward = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._content: PreviewContent | None = None
        self._images = DocumentImages()
        self._highlights = Highlights(self.document())
        self._coloured: tuple[range, range] | None = None  # the marks whose text has a colour
        self._is_over_picture = False
        self._pressed_at = QPointF()
        self._backdrop = Backdrop(self.document(), theme)
        self._wide_tables = WideTables(self.document(), self.viewport())
        self._result_span: Span | None = None
        self._position = _ScrollPosition(self.verticalScrollBar(), self.document())
        self._laid_out_width = 0
        self._refit = QTimer(self, singleShot=True, interval=_REFIT_MS)
        self._refit.timeout.connect(self._lay_out_again)
        self.setObjectName("previewText")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setLineWrapMode(QTextBrowser.LineWrapMode.FixedPixelWidth)
        self.setOpenLinks(False)
        self.setUndoRedoEnabled(False)
        self.setAcceptDrops(False)
        self.viewport().setAcceptDrops(False)
        self.setAccessibleName(translate("Preview of the selected section"))
        self.horizontalScrollBar().rangeChanged.connect(self._scroll_only_tables)
        self.anchorClicked.connect(self._activate)
        self.highlighted.connect(self._hover)

    def set_theme(self, theme: Theme, zoom: int = 100) -> None:
        """Show the same document in other colours or sizes; ``zoom`` is in percent."""
        self._theme = theme
        apply_style(self.document(), theme, zoom)
        self._lay_out_again()

    def show_content(self, content: PreviewContent, *, keep_position: bool = False) -> None:
        """Show a section with its marks, and scroll to the result or to the current match.

        With ``keep_position``, ``content`` is a better version of the section on screen: text to
        which the user scrolled stays in view, and a match to which the user went stays current. If
        the whole section is on screen and scrolled, content that lacks its end is ignored, because
        the user may be reading the end.
        """
        before = self._content
        is_whole = before is not None and before.complete
        if keep_position and is_whole and not content.complete and self._scrolled.y():
            return
        self._content = content
        self.link_hovered.emit("")
        chosen, found = self._chosen_matches() if keep_position else (None, None)
        former = self.document().toPlainText() if chosen or found else ""
        with self._position.scrolling_after(keep=keep_position):
            if not (before and (before.html, before.pictures) == (content.html, content.pictures)):
                self._images = DocumentImages(content.pictures)
                self._lay_out()
            elif not keep_position:
                self.setTextCursor(QTextCursor(self.document()))
                self._wide_tables.scroll(0 for _ in self._wide_tables.offsets)
        is_pointed_out = content.is_result_pointed_out
        self._result_span = result_span(self.document(), content.line) if is_pointed_out else None
        self._highlight(content, self._again(former, chosen), self._again(former, found))
        if not self._position.moved_by_user:
            self._scroll_to_result()
        self._show_marks()

    def _chosen_matches(self) -> tuple[Span | None, Span | None]:
        """Return the match that the user has chosen, and the current one of the words to find."""
        shown = self._highlights
        # The first version of a section may lack the snippet, so its current match may be wrong.
        return shown.matches.span if shown.matches.is_chosen else None, shown.found.span

    def _again(self, former: str, match: Span | None) -> int | None:
        """Return the position of a ``match`` in the ``former`` text of the document; None if lost.

        Formulas that have been drawn may have changed the number of matches before it.
        """
        if match is None:
            return None
        text = self.document().toPlainText()
        return match[0] if text == former else position_again(former, text, match)

    def _highlight(self, content: PreviewContent, chosen: int | None, found: int | None) -> None:
        """Set the highlights of ``content``; a match at ``chosen`` and ``found`` stays current."""
        start = max(content.snippet_at, self._result_span[0] if self._result_span else 0)
        shown = self._highlights
        is_chosen = chosen is not None
        start = start if chosen is None else chosen
        shown.matches = MatchMarks(content.marks, start, is_chosen=is_chosen)
        shown.tinted = content.target or content.nearest
        shown.find_again(found or 0)

    def show_nothing(self) -> None:
        """Empty the document."""
        if self._content is None:
            return
        self._content = None
        self._result_span = None
        self.link_hovered.emit("")
        self._images = DocumentImages()
        with self._position.scrolling_after(keep=False):
            self._lay_out()
        self._highlights.matches = MatchMarks()
        self._highlights.tinted = None
        self._highlights.find_again()
        self._show_marks()

    def picture_width(self, pane_width: int) -> int:
        """Return the maximum width of a picture in device pixels, in a pane of ``pane_width``."""
        return round(_text_width(pane_width) * self.devicePixelRatioF())

    def visible_lines(self) -> float:
        """Return how many lines of text fit into view without paragraph spacing; at least 30."""
        letters = QFontMetricsF(self.document().defaultFont()).height()
        return max(_MIN_LINES, self.viewport().height() / letters)

    def place_in_source(self, position: int = -1) -> tuple[int, int] | None:
        """Return the line and the column in the note, both from 1, of a position in the document.

        By default, the place is the current match, else the nearest sentence, else the snippet.
        None if the note does not have the text, for example because an embedded note has it.
        """
        content = self._content
        if content is None:
            return None
        span = self._highlights.matches.span or content.nearest
        if position >= 0:
            span = word_at(self.document(), position)
        elif not span and content.snippet_at:
            span = word_at(self.document(), content.snippet_at)
        return place_in_source(self.document(), content, span) if span else None

    def step(self, by: int) -> None:
        """Go to the next (1) or previous (-1) match of the sought text, else of the query.

        After the last match comes the first one.
        """
        self._highlights.stepped.step(by)
        self._go_to(self._highlights.stepped.span)

    def seek(self, text: str) -> None:
        """Find and mark ``text``, besides the query, and go to the first match in view or below.

        Empty text removes the marks. Case and the number of spaces do not matter.
        """
        found = self._highlights.found.span
        start = found[0] if found else self._in_view().span[0]
        self._highlights.seek(text, start if text else 0)
        self._go_to(self._highlights.found.span)

    def _go_to(self, match: Span | None) -> None:
        """Scroll to ``match``, if any, and end the selection, which would hide the marks in it."""
        if match:
            self._scroll_into_view(match)
            cursor = self.textCursor()
            if cursor.hasSelection():
                cursor.setPosition(match[0])
                self.setTextCursor(cursor)
        self._show_marks()

    def event(self, event: QEvent) -> bool:
        """Handle Ctrl+F here; otherwise, the window would focus its search field.

        Also emit that no link is hovered once the mouse or the focus leaves the text.
        """
        if event.type() in {QEvent.Type.Leave, QEvent.Type.FocusOut}:
            self.link_hovered.emit("")
        if (
            event.type() == QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and event.matches(QKeySequence.StandardKey.Find)
        ):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Open the find bar with Ctrl+F; emit ``copied`` after Ctrl+C; scroll wide tables.

        Enter follows the link that has the focus; without one it chooses the current match. The
        left and right arrow keys scroll the wide tables in view.
        """
        sideways = _SIDEWAYS.get(Qt.Key(event.key()), 0)
        is_enter = event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}
        if event.matches(QKeySequence.StandardKey.Find):
            self.find_requested.emit()
        elif is_enter and not self._focused_link():
            if not event.isAutoRepeat():
                self.place_chosen.emit(-1)
        elif event.matches(QKeySequence.StandardKey.Copy):
            self._copy_selected()
        elif sideways and event.modifiers() in _NO_MODIFIERS:
            self._wide_tables.step(sideways, self._in_view().span)
        else:
            super().keyPressEvent(event)

    def loadResource(self, kind: int, name: QUrl | str) -> object:
        """Return a picture that was read or drawn before; Qt's own method would read any file."""
        if QTextDocument.ResourceType(kind) != QTextDocument.ResourceType.ImageResource:
            return None
        return self._images.image(_address(QUrl(name)), self._display_format())

    def createMimeDataFromSelection(self) -> QMimeData:
        """Return the selected text as plain text, without the addresses of links."""
        copied = QMimeData()
        copied.setText(self.selected_text())
        return copied

    def selected_text(self) -> str:
        """Return the selected text as it is copied."""
        return selected_text(self.textCursor())

    def canInsertFromMimeData(self, source: QMimeData) -> bool:
        """Accept nothing that is dropped or pasted."""
        return False

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Open the context menu at the mouse."""
        menu = self.context_menu(event.pos())
        menu.exec(event.globalPos())
        menu.deleteLater()

    def context_menu(self, point: QPoint) -> QMenu:
        """Return a menu that copies the selection, or the address of the web link at ``point``."""
        menu = QMenu(self)
        copy = menu.addAction(translate("Copy"), self._copy_selected)
        copy.setEnabled(self.textCursor().hasSelection())
        self.menu_opening.emit(menu, self._position_at(point))
        address = self.anchorAt(point)
        if address.startswith(("http://", "https://", "mailto:")):
            copy_address = translate("Copy web address")
            menu.addAction(copy_address, partial(self._copy_text, address))
        menu.addSeparator()
        menu.addAction(translate("Select all"), self.selectAll)
        return menu

    def _copy_text(self, text: str) -> None:
        QGuiApplication.clipboard().setText(text)
        self.copied.emit()

    @Slot()
    def _copy_selected(self) -> None:
        if self.textCursor().hasSelection():
            self.copy()
            self.copied.emit()

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Move the focus to the next or previous link, and emit its address."""
        stays = super().focusNextPrevChild(forward)
        self._hover(QUrl(self._focused_link()))
        return stays

    def _focused_link(self) -> str:
        cursor = self.textCursor()
        return cursor.charFormat().anchorHref() if cursor.hasSelection() else ""

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Go back or forward with the mouse buttons of that name."""
        self._pressed_at = event.position()
        if event.button() == Qt.MouseButton.BackButton:
            self.went_back.emit()
        elif event.button() == Qt.MouseButton.ForwardButton:
            self.went_forward.emit()
        else:
            super().mousePressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Emit ``place_chosen`` after any click with Ctrl; else ``picture_chosen`` on a picture.

        A drag only selects text.
        """
        is_left = event.button() == Qt.MouseButton.LeftButton
        distance = (event.position() - self._pressed_at).manhattanLength()
        is_click = distance < QGuiApplication.styleHints().startDragDistance()
        if is_left and is_click and event.modifiers() == _CTRL:
            self.place_chosen.emit(self._position_at(event.position().toPoint()))
            return
        super().mouseReleaseEvent(event)
        target = self._picture_at(event.position().toPoint())
        if is_left and target and not self.textCursor().hasSelection():
            self.picture_chosen.emit(target)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Show a hand as cursor over a picture, because a click enlarges it."""
        super().mouseMoveEvent(event)
        is_over = bool(self._picture_at(event.position().toPoint()))
        if is_over != self._is_over_picture:
            self._is_over_picture = is_over
            shape = Qt.CursorShape.PointingHandCursor if is_over else Qt.CursorShape.IBeamCursor
            self.viewport().setCursor(shape)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Select the word and emit ``place_chosen``; with Ctrl, the release emits it."""
        super().mouseDoubleClickEvent(event)
        if event.button() == Qt.MouseButton.LeftButton and event.modifiers() != _CTRL:
            self.place_chosen.emit(self._position_at(event.position().toPoint()))

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Scroll the text; if the wheel turns sideways, scroll the wide table below the mouse.

        With Ctrl nothing happens: Qt's own zoom would ignore the sizes in the style sheet.
        """
        turned = event.angleDelta()
        keys = event.modifiers()
        is_sideways = abs(turned.x()) > abs(turned.y()) or keys & Qt.KeyboardModifier.ShiftModifier
        view = self._in_view()
        bar = self._wide_tables.bar_at(event.position().toPoint(), view.area, view.span)
        if keys & _CTRL:
            event.ignore()
        elif bar is not None and is_sideways:
            bar.setValue(bar.value() - (turned.x() or turned.y()))
            event.accept()
        else:
            super().wheelEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint boxes, the result's bar and marks, then let Qt paint the text above them."""
        with QPainter(self.viewport()) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            view = self._in_view()
            area = view.area
            visible = view.span
            self._wide_tables.place_bars(area, visible)
            painter.translate(-area.topLeft())
            self._backdrop.paint(painter, view.first, visible)
            self._paint_result_bar(painter)
            self._highlights.paint(painter, self._theme, visible)
        self._colour_marks(visible)
        super().paintEvent(event)
        self._paint_beside_tables(area, visible)

    def _paint_beside_tables(self, area: QRectF, visible: Span) -> None:
        """Paint over the parts of wide tables that are scrolled out of the text."""
        for hidden in self._wide_tables.outside(visible, area.width()):
            with QPainter(self.viewport()) as painter:
                painter.setRenderHint(QPainter.RenderHint.Antialiasing)
                painter.translate(-area.topLeft())
                painter.setClipRect(hidden)
                painter.fillRect(hidden, QColor(self._theme.base))
                self._backdrop.paint_quotes(painter, visible)
                self._paint_result_bar(painter)

    def _paint_result_bar(self, painter: QPainter) -> None:
        if self._result_span:
            self._backdrop.paint_bar(painter, self._result_span, px(_MARGIN) / 2 - px(3))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Limit the length of lines at once, and fit pictures to the new width a little later."""
        height = event.oldSize().height()
        if self._wrap_width == self.lineWrapColumnOrWidth() and event.size().height() == height:
            super().resizeEvent(event)
        else:
            with self._staying_in_place(height):
                super().resizeEvent(event)
                self._set_wrap_width()
        if _text_width(self.width()) != self._laid_out_width:
            self._refit.start()

    @property
    def pictures(self) -> list[tuple[str, QImage]]:
        """The pictures from the vault that the text shows, each with its path."""
        return self._images.pictures

    def first_picture(self) -> str:
        """Return the path of the first picture in view, else of the first of all; empty if none."""
        paths = [path for path, _ in self.pictures]
        view = self._in_view()
        end = view.span[1]
        for block in takewhile(lambda block: block.position() < end, blocks_from(view.first)):
            for _, address in pictures_in(block):
                if picture_target(address) in paths:
                    return picture_target(address)
        return paths[0] if paths else ""

    def _picture_at(self, point: QPoint) -> str:
        """Return the path of the picture at ``point``; empty without one or inside a link."""
        layout = self.document().documentLayout()
        target = picture_target(layout.imageAt(QPointF(point + self._scrolled)))
        is_shown = any(path == target for path, _ in self.pictures)
        return target if is_shown and not self.anchorAt(point) else ""

    def _position_at(self, point: QPoint) -> int:
        """Return the position of the letter at ``point``; -1 where there is no text."""
        exact = Qt.HitTestAccuracy.ExactHit
        return self.document().documentLayout().hitTest(QPointF(point + self._scrolled), exact)

    @property
    def _scrolled(self) -> QPoint:
        """The point of the document that is in the upper left corner of the view."""
        return QPoint(0, self.verticalScrollBar().value())

    def _in_view(self) -> InView:
        return in_view(self.document(), QRectF(self.viewport().rect().translated(self._scrolled)))

    def _lay_out(self) -> None:
        """Fill the document and lay it out once."""
        document = self.document()
        width = _text_width(self.width())
        self._laid_out_width = width
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        html = self._content.html if self._content else ""
        document.setLayoutEnabled(False)
        self.setHtml(html)
        self._set_wrap_width()
        reserved_size = partial(self._images.reserved_size, self._display_format())
        with deferred_layout(document):
            set_margins(document, px(_TOP_MARGIN), px(_MARGIN), _left_margin())
            correct_layout(document, html, width, reserved_size)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self._backdrop = Backdrop(document, self._theme)
        self._wide_tables.close()
        self._wide_tables = WideTables(document, self.viewport())

    @Slot()
    def _lay_out_again(self) -> None:
        if self._content:
            offsets = self._wide_tables.offsets
            with self._staying_in_place(self.viewport().height()):
                self._lay_out()
            self._wide_tables.scroll(offsets)
            self._show_marks()

    @Slot()
    def _scroll_only_tables(self) -> None:
        """Let only wide tables scroll sideways, not the whole text."""
        self.horizontalScrollBar().setRange(0, 0)

    def _display_format(self) -> DisplayFormat:
        face = self.document().defaultFont()
        ratio = self.devicePixelRatioF()
        return DisplayFormat(self._theme, face, _text_width(self.width()), ratio)

    @contextmanager
    def _staying_in_place(self, height: int) -> Iterator[None]:
        """After the ``with`` block, which changes the layout, show the same text as before.

        If the user has not scrolled and the current match was in view, it stays in view; else the
        uppermost text does. Before the change, the view was ``height`` pixels high.
        """
        match = self._highlights.stepped.span
        if match and (self._position.moved_by_user or not self._shows(match, height)):
            match = None
        with self._position.scrolling_after(keep=True):
            yield
        if match:
            self._scroll_into_view(match)

    @property
    def _wrap_width(self) -> int:
        return _left_margin() + _text_width(self.width())

    def _set_wrap_width(self) -> None:
        if self._wrap_width != self.lineWrapColumnOrWidth():  # Qt lays out even for the same width
            self.setLineWrapColumnOrWidth(self._wrap_width)

    def _show_marks(self) -> None:
        """Show the marks of the query and of ``seek``, and report how many there are.

        Call this after scrolling: only the marks in view are coloured, and Qt paints only once.
        """
        self._coloured = None
        matches = self._highlights.matches
        found = self._highlights.found
        has_marks = matches.spans or found.spans
        self._colour_marks(self._in_view().span if has_marks else (0, 0))
        self.viewport().update()
        self.marks_changed.emit(matches.current + 1, len(matches.spans))
        self.found_changed.emit(found.current + 1, len(found.spans))

    def _colour_marks(self, visible: Span) -> None:
        coloured = self._highlights.coloured(visible)
        if coloured != self._coloured:
            self._coloured = coloured
            self.setExtraSelections(self._highlights.selections(coloured, self._theme))

    def _scroll_to_result(self) -> None:
        content = self._content
        span = self._highlights.matches.span
        if content is not None:
            span = content.target or span or content.nearest
        if self._result_span:
            top = round(block_top(self.document(), self._result_span[0]))
            self._position.scroll_to(top - px(_TOP_MARGIN))
            if span:
                self._scroll_table(span)
        elif span:
            self._scroll_into_view(span)

    def _scroll_into_view(self, span: Span) -> None:
        """Scroll until ``span`` is in view: to the start of the text if that suffices."""
        height = self.viewport().height()
        area = self._scroll_table(span)
        if not self._shows(span, height):
            fits_at_start = area.bottom() < height - px(_MARGIN)
            top = area.top() - height / 3
            line = line_top(self.document(), top)
            if top - line < height / 3:  # no line is cut, unless it has a tall picture
                top = line
            self._position.scroll_to(0 if fits_at_start else floor(top))

    def _shows(self, span: Span, height: int) -> bool:
        """Return whether ``span`` is in view, and not near the edge of the view, of this height."""
        area = next(text_rectangles(self.document(), span), QRectF())
        scrolled = self.verticalScrollBar().value()
        is_above = area.top() < scrolled + px(_MARGIN) / 2
        is_below = area.bottom() > scrolled + height - px(_MARGIN)
        return not (is_above or is_below)

    def _scroll_table(self, span: Span) -> QRectF:
        """Scroll the wide table around ``span``, if any; return where ``span`` was before."""
        area = next(text_rectangles(self.document(), span), QRectF())
        self._wide_tables.scroll_to(span, area, self.viewport().width())
        return area

    @Slot(QUrl)
    def _activate(self, url: QUrl) -> None:
        """Scroll to a footnote; emit ``link_activated`` for any other link that may be opened."""
        address = _address(url)
        if address.startswith("#fn-"):
            self.scrollToAnchor(url.fragment(QUrl.ComponentFormattingOption.FullyEncoded))
        elif url.scheme().lower() in _LIVE_SCHEMES:
            self.link_activated.emit(address)

    @Slot(QUrl)
    def _hover(self, url: QUrl) -> None:
        self.link_hovered.emit(_address(url) if url.scheme().lower() in _LIVE_SCHEMES else "")


class _ScrollPosition:
    """Scrolls a document, and knows whether the user has scrolled it afterwards."""

    def __init__(self, bar: QScrollBar, document: QTextDocument) -> None:
        self._bar = bar
        self._document = document
        self._last_set = bar.value()

    @property
    def moved_by_user(self) -> bool:
        """Whether the user has scrolled; then the program should not scroll elsewhere."""
        return self._bar.value() != self._last_set

    def scroll_to(self, value: int) -> None:
        """Scroll to ``value``, in pixels; unless it is 0, this lays out the whole document."""
        if value:
            end = round(self._document.size().height()) - self._bar.pageStep()
            self._bar.setMaximum(max(self._bar.maximum(), end))
        self._bar.setValue(value)
        self._last_set = self._bar.value()

    @contextmanager
    def scrolling_after(self, *, keep: bool) -> Iterator[None]:
        """After the ``with`` block, which changes the document, scroll to the start.

        With ``keep``, scroll to the text that was shown before, instead.
        """
        value, moved = (self._bar.value(), self.moved_by_user) if keep else (0, False)
        known = _paragraphs(self._document, value) if value else []
        yield
        place = _place_of(self._document, known)
        self.scroll_to(value if place is None else place)
        if moved:
            self._last_set = _UNKNOWN


def _paragraphs(document: QTextDocument, top: int) -> list[tuple[str, int, float]]:
    """Return the first paragraphs below ``top``: text, number, and pixels from ``top``."""
    layout = document.documentLayout()
    start = first_block_below(document, top)
    return [
        (block.text(), block.blockNumber(), layout.blockBoundingRect(block).top() - top)
        for block in islice(blocks_from(start), _MAX_LANDMARKS)
        if block.text() and _OBJECT not in block.text()
    ]


def _place_of(document: QTextDocument, known: list[tuple[str, int, float]]) -> int | None:
    """Return the scroll position at which a paragraph of ``known`` is where it was in the view.

    ``known`` is from ``_paragraphs``, before a change. The first paragraph whose text is still in
    the document counts; if several have this text, the one that has moved least. None without any.
    """
    # This is much faster than through the blocks.
    texts = _BLOCK_ENDS.split(document.toRawText()) if known else []
    for text, before, below in known:
        numbers = (number for number, other in enumerate(texts) if other == text)
        number = min(numbers, key=lambda number: abs(number - before), default=None)
        if number is not None:
            block = document.findBlockByNumber(number)
            return round(document.documentLayout().blockBoundingRect(block).top() - below)
    return None


def _left_margin() -> int:
    """Return the left margin in pixels; the text is aligned with the links in the head."""
    return px(_MARGIN) - focus_ring()


def _text_width(pane_width: int) -> int:
    """Return the width of the text in pixels, limited because long lines are hard to read."""
    return min(px(_MAX_TEXT_WIDTH), pane_width - px(_MARGIN) - px(_RIGHT_MARGIN))


def _address(url: QUrl) -> str:
    return bytes(url.toEncoded().data()).decode("ascii", "replace")
