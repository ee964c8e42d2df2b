"""The preview: a head, the text of one section and a bar to find words in it, or a sentence."""

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent, QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from notesearch.config import PROGRAM_SUFFIXES
from notesearch.gui.preview.document import PreviewContent
from notesearch.gui.preview.highlights import MAX_MARKS
from notesearch.gui.preview.picture_overlay import PictureOverlay
from notesearch.gui.preview.preview_head import PreviewHead, crumbs_of
from notesearch.gui.preview.section_browser import SectionBrowser
from notesearch.gui.translation import (
    folder_text,
    matches_text,
    modified_text,
    number_text,
    page_text,
    translate,
)
from notesearch.gui.widgets import icons
from notesearch.gui.widgets.controls import SEPARATOR, icon_button, text_label
from notesearch.gui.widgets.theme import Theme, px
from notesearch.results import SectionText

_STEPS = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}
_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class FindBar(QFrame):
    """A field for words to find, with the number of the current match; hidden until ``open``.

    Signals:
        sought: The user changed the words or closed the bar; carries the words, or "" once closed.
        stepped: A key asks for the next (1) or the previous (-1) match.
        left: The bar was closed while it had the focus.
    """

    sought = Signal(str)
    stepped = Signal(int)
    left = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("findBar")
        self.field = QLineEdit()
        self.field.setPlaceholderText(translate("Find in the preview"))
        self.field.setAccessibleName(translate("Find in the preview"))
        self.field.textChanged.connect(self._seek)
        self._count = text_label(role="meta", wrap=False)
        self.previous_button = icon_button(translate("Previous match ({keys})"), "Shift+F3")
        self.next_button = icon_button(translate("Next match ({keys})"), "F3")
        self._close = icon_button(translate("Close ({keys})"), "Esc")
        self._close.clicked.connect(self.close_up)
        self._row = QHBoxLayout(self)
        self._row.addWidget(self.field, 1)
        for widget in (self._count, self.previous_button, self.next_button, self._close):
            self._row.addWidget(widget)
        self.hide()

    @property
    def count(self) -> str:
        """The text that counts the matches, such as "2 of 5"."""
        return self._count.text()

    @property
    def is_open(self) -> bool:
        """Whether the bar is shown."""
        return not self.isHidden()

    def open(self, text: str) -> None:
        """Show the bar and focus its field. ``text`` replaces the last words unless it is empty."""
        self.show()
        self.field.setFocus()
        if text and text != self.field.text():
            self.field.setText(text)
        else:
            self._seek(self.field.text())
        self.field.selectAll()

    @Slot()
    def close_up(self) -> bool:
        """Hide the bar and end the search; return whether the bar was shown."""
        if not self.is_open:
            return False
        focused = self.window().focusWidget()
        had_focus = focused is not None and self.isAncestorOf(focused)
        self.hide()
        self.sought.emit("")
        if had_focus:
            self.left.emit()
        return True

    @Slot(int, int)
    def set_matches(self, current: int, count: int) -> None:
        """Show the number of the current match, from 1, and the ``count`` of all matches."""
        text = matches_text(current, count, capped=count == MAX_MARKS) if count else ""
        if not count and self.field.text().strip():
            text = translate("Not found here")
        self._count.setText(text)
        self.field.setAccessibleDescription(text)
        for button in (self.previous_button, self.next_button):
            button.setEnabled(count > 0)

    def set_theme(self, theme: Theme) -> None:
        """Apply the colours of ``theme`` and the sizes of the current font."""
        self._row.setContentsMargins(px(22), px(6), px(12), px(6))
        self._row.setSpacing(px(8))
        self.field.setMinimumHeight(px(28))
        buttons = (self.previous_button, self.next_button, self._close)
        for button, name in zip(buttons, ("up", "down", "clear"), strict=True):
            icons.set_icon(button, name, theme.text2, px(13))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Step with Enter and the arrow keys; close with Escape."""
        key = Qt.Key(event.key())
        if key == Qt.Key.Key_Escape:
            self.close_up()
        elif key in _ENTER:
            shift = event.modifiers() & Qt.KeyboardModifier.ShiftModifier
            self.stepped.emit(-1 if shift else 1)
        elif key in _STEPS and not event.modifiers():
            self.stepped.emit(_STEPS[key])
        else:
            super().keyPressEvent(event)

    @Slot(str)
    def _seek(self, text: str) -> None:
        self.sought.emit(text if self.is_open else "")


_MIN_ZOOM, _MAX_ZOOM, _ZOOM_STEP = 50, 250, 10
_MAX_SOUGHT = 100
"""Maximum number of characters of selected text that the find bar takes."""


class PreviewPane(QWidget):
    """Head and text of a section. ``PreviewController`` decides what it shows.

    If ``compact``, its head is short, as in quick search. ``update_button`` is shown when a note is
    missing. ``zoom`` is the size of the text in percent.
    """

    def __init__(self, theme: Theme, *, compact: bool = False) -> None:
        super().__init__()
        self._theme = theme
        self.zoom = 100
        self.head = PreviewHead(compact=compact)
        self.browser = SectionBrowser(theme)
        self.find_bar = FindBar()
        self.update_button = QPushButton(translate("Update index"))
        self._message = text_label(tone="text2")
        self._message.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._lay_out()
        for buttons in (self.head, self.find_bar):
            buttons.next_button.clicked.connect(self.next_match)
            buttons.previous_button.clicked.connect(self.previous_match)
        self.browser.marks_changed.connect(self.head.set_matches)
        self.browser.find_requested.connect(self.open_find)
        self.browser.found_changed.connect(self.find_bar.set_matches)
        self.browser.picture_chosen.connect(self.enlarge)
        self.find_bar.sought.connect(self.browser.seek)
        self.find_bar.stepped.connect(self.browser.step)
        self.find_bar.left.connect(self.setFocus)
        for keys, slot in (
            (("F3", "Ctrl+G"), self.next_match),
            (("Shift+F3", "Ctrl+Shift+G"), self.previous_match),
        ):
            for key in keys:
                QShortcut(QKeySequence(key), self).activated.connect(slot)
        self.set_theme(theme)

    def setFocus(self, reason: Qt.FocusReason = Qt.FocusReason.OtherFocusReason, /) -> None:
        """Focus the text. With a focus proxy, Tab would never lead back to the search field."""
        self.browser.setFocus(reason)

    def set_theme(self, theme: Theme) -> None:
        """Apply the colours of ``theme`` and the sizes of the current font."""
        self._theme = theme
        self.head.set_theme(theme)
        self.browser.set_theme(theme, self.zoom)
        self.find_bar.set_theme(theme)
        for overlay in self.window().findChildren(PictureOverlay):
            overlay.set_theme(theme)
        self._message.setMargin(px(24))

    def set_zoom(self, zoom: int) -> None:
        """Set the size of the text in percent, from 50 to 250."""
        zoom = max(_MIN_ZOOM, min(zoom, _MAX_ZOOM))
        if zoom != self.zoom:
            self.zoom = zoom
            self.browser.set_theme(self._theme, zoom)

    def zoom_by(self, steps: int) -> None:
        """Make the text larger by ``steps`` of ten percent, or smaller if they are negative."""
        self.set_zoom(self.zoom + steps * _ZOOM_STEP)

    def show_content(self, content: PreviewContent, *, keep_position: bool = False) -> None:
        """Show a section; ``keep_position`` if it is a better version of the one on screen."""
        text = content.text
        description = _describe(text, content.line, content.modified)
        crumbs = crumbs_of(text, content.outline)
        self.head.show_place(crumbs, content.scope, description, text.path)
        self._pages.setCurrentIndex(1)  # before the text is laid out for its width
        self.browser.show_content(content, keep_position=keep_position)

    def show_message(self, message: str, *, offer_update: bool = False) -> None:
        """Show a sentence in place of a section; if ``offer_update``, also the update button."""
        self.browser.show_nothing()
        self._message.setText(message)
        self.update_button.setVisible(offer_update)
        self._pages.setCurrentIndex(0)

    def scroll_lines(self, lines: int) -> None:
        """Scroll the text by ``lines``, down if positive."""
        bar = self.browser.verticalScrollBar()
        bar.setValue(bar.value() + lines * bar.singleStep())

    def scroll_pages(self, pages: int) -> None:
        """Scroll the text by ``pages``, down if positive."""
        bar = self.browser.verticalScrollBar()
        bar.setValue(bar.value() + pages * bar.pageStep())

    @Slot()
    def next_match(self) -> None:
        """Go to the next match of the words in the find bar, else of the query."""
        self.browser.step(1)

    @Slot()
    def previous_match(self) -> None:
        """Go to the previous match of the words in the find bar, else of the query."""
        self.browser.step(-1)

    @Slot()
    def open_find(self) -> None:
        """Open the find bar with the selected words; do nothing if no section is shown."""
        if self._pages.currentIndex() == 1:
            self.find_bar.open(" ".join(self.browser.selected_text()[:_MAX_SOUGHT].split()))

    @Slot()
    def enlarge_first(self) -> bool:
        """Show the first picture in view above the window; return whether there is one."""
        return self.enlarge(self.browser.first_picture())

    @Slot(str)
    def enlarge(self, path: str) -> bool:
        """Show the picture at ``path`` above the window; return whether the text has it."""
        pictures = self.browser.pictures
        index = next((n for n, (name, _) in enumerate(pictures) if name == path), None)
        if index is not None and self._pages.currentIndex() == 1:
            named = [(name.rpartition("/")[2], image) for name, image in pictures]
            PictureOverlay(self.window(), self._theme, named, index)
            return True
        return False

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Hide rows of the head if the pane is so short that the text needs their room."""
        super().resizeEvent(event)
        self.head.fit(self.height())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Close the find bar with Escape."""
        if event.key() != Qt.Key.Key_Escape or not self.find_bar.close_up():
            super().keyPressEvent(event)

    def _lay_out(self) -> None:
        section = QWidget()
        column = QVBoxLayout(section)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.head)
        column.addWidget(self.browser, 1)
        column.addWidget(self.find_bar)
        message = QWidget()
        middle = QVBoxLayout(message)
        middle.addStretch(1)
        middle.addWidget(self._message)
        middle.addWidget(self.update_button, 0, Qt.AlignmentFlag.AlignHCenter)
        middle.addStretch(1)
        self._pages = QStackedWidget()
        self._pages.addWidget(message)
        self._pages.addWidget(section)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self._pages)


def _describe(text: SectionText, line: int, modified: float) -> str:
    """Return folder, place and date of change, as one line for the head of the preview.

    The place is the page of a PDF, nothing for other files that open in a program of their own
    (``PROGRAM_SUFFIXES``), else the line. ``modified`` is in seconds since the epoch; 0 is unknown.
    """
    day = modified_text(modified) if modified > 0 else ""
    if text.page:
        place = page_text(text.page)
    elif text.path.lower().endswith(PROGRAM_SUFFIXES):
        place = ""
    else:
        place = translate("line {number}", number=number_text(line))
    return SEPARATOR.join(filter(None, (folder_text(text.path), place, day)))
