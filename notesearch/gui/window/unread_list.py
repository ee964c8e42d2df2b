"""The list of notes that could not be read, or only with a warning, each with its reason."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QDialog,
    QLabel,
    QListWidget,
    QVBoxLayout,
    QWidget,
)

from notesearch.gui import wording
from notesearch.gui.translation import sentence_text, translate
from notesearch.gui.widgets.dialogs import close_button
from notesearch.gui.widgets.theme import px
from notesearch.status import Unread


class UnreadList(QDialog):
    """Shows the notes in ``unread``. All other notes can be found."""

    def __init__(self, unread: Sequence[Unread], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        unread = sorted(unread, key=lambda note: note.remark)
        lost = sum(not note.remark for note in unread)
        self.setWindowTitle(
            translate("window", "Notes that could not be read")
            if lost
            else translate("window", "Notes with warnings")
        )
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._head = head = QLabel(wording.unread_text(lost, len(unread) - lost))
        head.setTextFormat(Qt.TextFormat.PlainText)
        head.setWordWrap(True)
        self._list = QListWidget()
        self._list.setObjectName("boxedList")
        self._list.setAccessibleName(self.windowTitle())
        self._list.setWordWrap(True)
        self._list.addItems([f"{note.path}\n{sentence_text(note.reason)}" for note in unread])
        column = QVBoxLayout(self)
        for widget in (head, self._list, close_button(self)):
            column.addWidget(widget)
        self.resize(px(520), px(320))

    @property
    def head(self) -> str:
        """The text above the list."""
        return self._head.text()

    @property
    def lines(self) -> list[str]:
        """The rows of the list."""
        return [self._list.item(row).text() for row in range(self._list.count())]
