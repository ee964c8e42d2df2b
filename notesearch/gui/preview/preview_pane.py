"""The preview pane: one section of a note, as its author sees it, with the matches marked.

The text is read and rendered in the reading thread; what the query matches in the text on show is
found there too, so the pane asks for it and takes the newest answer.
"""

import html as escaping
import re
from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QLabel, QPushButton, QStackedWidget, QVBoxLayout, QWidget

from notesearch.gui import wording
from notesearch.gui.preview.browser import SectionBrowser
from notesearch.gui.preview.head import PreviewHead
from notesearch.gui.preview.images import Pictures
from notesearch.gui.preview.marks import linked
from notesearch.gui.translation import translate
from notesearch.gui.widgets.breadcrumb import Crumb
from notesearch.gui.widgets.held_paint import HeldPaint
from notesearch.gui.widgets.theme import Theme, px
from notesearch.notes import Span
from notesearch.results import Scope, SectionLink, SectionResult, SectionText

_MAX_LINKS = 200
_ADDRESS = re.compile(r"\w[.:@]\S")
"""Stands in every query that may ask where a link leads."""


class PreviewPane(QWidget):
    """Head, text, and a sentence instead of both when there is nothing to show.

    Args:
        compact: The head is short: quick search.

    Signals:
        scope_requested: The user wants more or less of the note: a ``Scope``.
        section_requested: The user wants another section: path of the note, line.
        outline_requested: The outline of the note is wanted.
        open_requested: The note is to be opened in the editor.
        update_requested: The index is behind and shall be brought up to date.
        link_activated: A link was clicked: ``http:``, ``https:``, ``mailto:``, or ``note:`` with
            what the link names, percent-encoded, to be looked up in the index.
        link_hovered: The same for a link under the mouse; empty when it is left.
        matches_wanted: What does the query match in the text on show? A ticket, the query, the
            text and, where the query may have an address, its links. The answer goes to
            ``show_matches`` with the ticket; a late one is dropped.
    """

    scope_requested = Signal(object)
    section_requested = Signal(str, int)
    outline_requested = Signal()
    open_requested = Signal()
    update_requested = Signal()
    link_activated = Signal(str)
    link_hovered = Signal(str)
    matches_wanted = Signal(int, str, str, tuple)

    def __init__(
        self, theme: Theme, parent: QWidget | None = None, *, compact: bool = False
    ) -> None:
        super().__init__(parent)
        self._compact = compact
        self._theme = theme
        self._zoom = 100
        self._text: SectionText | None = None
        self._query = ""
        self._ticket = 0
        self.head = PreviewHead(theme, compact=compact)
        self.browser = SectionBrowser(theme)
        self._message = QLabel()
        self._message.setTextFormat(Qt.TextFormat.PlainText)
        self._message.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._message.setWordWrap(True)
        self._message.setProperty("tone", "text2")
        self._update = QPushButton(translate("preview", "Update index"))
        self._update.clicked.connect(self.update_requested)
        self._lay_out()
        self._connect()
        self.set_theme(theme)

    def setFocus(self, reason: Qt.FocusReason = Qt.FocusReason.OtherFocusReason, /) -> None:
        """Give the keyboard to the text.

        As its proxy the text would catch every Tab that goes round: the field was never reached.
        """
        self.browser.setFocus(reason)

    def set_theme(self, theme: Theme) -> None:
        """Take colours and sizes from ``theme`` and the font; what is on show stays."""
        self._theme = theme
        self._paint.let()  # all around it is painted anew, and would be seen in its place
        self.head.set_theme(theme)
        self.browser.set_theme(theme, self._zoom)
        self._message.setMargin(px(24))

    @property
    def zoom(self) -> int:
        """How large the text is, per cent of the usual size."""
        return self._zoom

    def set_zoom(self, zoom: int) -> None:
        """Show text larger or smaller: per cent of the usual size, within reason."""
        self._zoom = max(50, min(zoom, 250))
        self.browser.set_theme(self._theme, self._zoom)

    def show_section(
        self,
        text: SectionText,
        result: SectionResult | None,
        query: str,
        *,
        html: str,
        pictures: Pictures | None = None,
        scope: Scope = Scope.SECTION,
        modified: float = 0.0,
        outline: Sequence[SectionLink] = (),
        again: bool = False,
    ) -> None:
        """Show ``text`` from its start, and ask for its matches.

        For another query both are painted at once, if they come soon: a letter, one painting.

        Args:
            text: What to show.
            result: The result it belongs to; pointed out when more than its section is shown.
            query: Its words are marked.
            html: ``text`` rendered, by a thread.
            pictures: Those in ``html``, read by that thread.
            scope: How much of the note ``text`` is.
            modified: When the note was changed, seconds since the epoch.
            outline: The note's sections; with them the headings above become links.
            again: It is on show, and there is more of it now: the place in it stays.
        """
        if query.strip() and query != self._query:
            self._paint.hold()
        self._text, self._query = text, query
        crumbs = _crumbs(text, outline)
        line = result.line if result and result.path == text.path else text.line
        meta = (_short_meta if self._compact else _meta)(text.path, line, modified)
        self.head.show_place(crumbs, scope, meta)
        whole = f"<body>{html}{_links(text.subsections)}</body>"
        self._pages.setCurrentIndex(1)  # before the text, which is laid out for its width
        self.browser.show_html(whole, pictures, again=again)
        if scope is not Scope.SECTION and result and result.path == text.path:
            self._point_out(result)
        self._ask_for_matches()

    def show_matches(self, ticket: int, spans: Sequence[Span]) -> None:
        """Mark ``spans`` of the text that was sent with ``ticket``."""
        if ticket == self._ticket and self._text is not None:
            self.browser.show_marks(spans)
            self._paint.let()

    def show_nearest(self, ticket: int, span: Span) -> None:
        """Tint the sentence of that text that is nearest to the query."""
        if ticket == self._ticket and self._text is not None:
            self.browser.show_nearest(span)

    def show_message(self, message: str, *, behind: bool = False) -> None:
        """Show one sentence instead of a section; offer an update where the index is ``behind``."""
        self._text = None
        self._ticket += 1
        self.browser.show_html("")
        self._message.setText(message)
        self._update.setVisible(behind)
        self._pages.setCurrentIndex(0)
        self._paint.let()

    def clear(self) -> None:
        """Show nothing."""
        self.show_message("")

    @property
    def text(self) -> SectionText | None:
        """What is on show."""
        return self._text

    def picture_room(self) -> int:
        """Return how wide pictures can be, in device pixels, also before the first is shown."""
        return self.browser.picture_room(self.width())

    def scroll_lines(self, lines: int) -> None:
        """Scroll by lines, from the keyboard of another widget."""
        bar = self.browser.verticalScrollBar()
        bar.setValue(bar.value() + lines * bar.singleStep())

    def scroll_pages(self, pages: int) -> None:
        """Scroll by pages, from the keyboard of another widget."""
        bar = self.browser.verticalScrollBar()
        bar.setValue(bar.value() + pages * bar.pageStep())

    @Slot()
    def next_match(self) -> None:
        """Go to the next match."""
        self.browser.step(1)

    @Slot()
    def previous_match(self) -> None:
        """Go to the previous match."""
        self.browser.step(-1)

    def _lay_out(self) -> None:
        section = QWidget()
        column = QVBoxLayout(section)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.head)
        column.addWidget(self.browser, 1)
        self._pages = QStackedWidget()
        self._paint = HeldPaint(self._pages)
        told = QWidget()
        middle = QVBoxLayout(told)
        middle.addStretch(1)
        middle.addWidget(self._message)
        middle.addWidget(self._update, 0, Qt.AlignmentFlag.AlignHCenter)
        middle.addStretch(1)
        self._pages.addWidget(told)
        self._pages.addWidget(section)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self._pages)

    def _connect(self) -> None:
        self.head.scope_requested.connect(self.scope_requested)
        self.head.outline_requested.connect(self.outline_requested)
        self.head.open_requested.connect(self.open_requested)
        self.head.crumb_chosen.connect(self._go_to_line)
        self.head.step_requested.connect(self.browser.step)
        self.browser.marks_changed.connect(self.head.set_matches)
        self.browser.link_hovered.connect(self.link_hovered)
        self.browser.link_activated.connect(self._follow)
        for keys, slot in (
            (("F3", "Ctrl+G"), self.next_match),
            (("Shift+F3", "Ctrl+Shift+G"), self.previous_match),
        ):
            for key in keys:
                QShortcut(QKeySequence(key), self).activated.connect(slot)

    def _ask_for_matches(self) -> None:
        self._ticket += 1
        if self._query.strip():
            text = self.browser.plain_text()
            may_ask = _ADDRESS.search(self._query)
            found = linked(self.browser.document(), text) if may_ask else ()
            self.matches_wanted.emit(self._ticket, self._query, text, found)

    def _point_out(self, result: SectionResult) -> None:
        """Set the bar beside the section that was found, with its sub-sections."""
        headings = self.browser.headings()
        end = len(self.browser.plain_text())
        own = next((at for at, h in enumerate(headings) if h.line == result.line), None)
        if own is None:
            first = headings[0].position if headings else end
            span = (0, first) if result.level == 0 else None
        else:
            after = (h.position for h in headings[own + 1 :] if h.level <= headings[own].level)
            span = (headings[own].position, next(after, end))
        if span:
            self.browser.point_out(span)

    @Slot(int)
    def _go_to_line(self, line: int) -> None:
        if self._text is not None:
            self.section_requested.emit(self._text.path, line)

    @Slot(str)
    def _follow(self, address: str) -> None:
        scheme, _, rest = address.partition(":")
        if scheme == "section":
            self._go_to_line(int(rest))
        else:
            self.link_activated.emit(address)


def _crumbs(text: SectionText, outline: Sequence[SectionLink]) -> list[Crumb]:
    """Return the note's title and the headings down to the text's own."""
    path = text.section_path
    if path[:1] == (text.title,):
        path = path[1:]
    crumbs = [Crumb(text.title, 0)]
    for depth in range(1, len(path) + 1):
        above = text.section_path[: len(text.section_path) - len(path) + depth]
        lines = [link.line for link in outline if link.path == above and link.line <= text.line]
        crumbs.append(Crumb(path[depth - 1], max(lines, default=None)))
    return crumbs


def _meta(path: str, line: int, modified: float) -> str:
    parts = [path, _line_text(line)]
    then = wording.moment_of(modified) if modified > 0 else None
    if then is not None:
        parts.append(translate("preview", "edited {day}").format(day=wording.day_text(then)))
    return " · ".join(parts)


def _line_text(line: int) -> str:
    return translate("preview", "line {number}").format(number=wording.number(line))


def _short_meta(path: str, line: int, modified: float) -> str:
    day = wording.modified_text(modified) if modified > 0 else ""
    return " · ".join(part for part in (wording.folder_text(path), _line_text(line), day) if part)


def _links(subsections: Sequence[SectionLink]) -> str:
    """Return links to the sections below that were too long to be shown with their parent."""
    if not subsections:
        return ""
    top = min(link.level for link in subsections)
    title, untitled = translate("preview", "In this section"), translate("preview", "Untitled")
    lines = "".join(
        f'<p class="below" style="margin-left: {px(22) * (link.level - top)}px">'
        f'<a href="section:{link.line}">{escaping.escape(link.heading or untitled)}</a>'
        f' <span class="more">{wording.words_text(link.words) if link.words else ""}</span></p>'
        for link in subsections[:_MAX_LINKS]
    )
    return f'<h4 class="belows">{escaping.escape(title)}</h4>{lines}'
