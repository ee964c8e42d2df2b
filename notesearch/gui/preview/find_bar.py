"""The bar below the preview in which the user writes words to find in the text."""

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLineEdit

from notesearch.gui.preview.highlights import MAX_MARKS
from notesearch.gui.translation import matches_text, translate
from notesearch.gui.widgets import icons
from notesearch.gui.widgets.controls import icon_button, text_label
from notesearch.gui.widgets.theme import Theme, px

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

    def __init__(self, theme: Theme) -> None:
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
        self.set_theme(theme)
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
