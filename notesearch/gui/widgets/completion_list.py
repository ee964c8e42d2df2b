"""The list of completions below a line edit."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QModelIndex, QObject, QRect, Qt, Signal, Slot
from PySide6.QtWidgets import QAbstractItemView, QCompleter, QLineEdit

from notesearch.gui.widgets.choices import CHOICE, Choice, ChoiceDelegate, ChoiceModel
from notesearch.gui.widgets.theme import Theme, px

_MOST_COMPLETIONS = 12
_FRAME = 2
_NARROWEST = 280


class CompletionList(QObject):
    """Offers texts for ``edit`` in a list below it; the edit keeps the focus.

    Attributes:
        view: The list itself, for an event filter.

    Signals:
        chosen: The user chose a row; carries its text to insert.
        closed: The list has closed, or did not open because it has no rows.
    """

    chosen = Signal(str)
    closed = Signal()

    def __init__(self, edit: QLineEdit, theme: Theme) -> None:
        super().__init__(edit)
        self._edit = edit
        self._choices = ChoiceModel(self)
        self._rows = ChoiceDelegate(theme, self)
        self._completer = QCompleter(self._choices, edit)
        self._completer.setWidget(edit)
        self._completer.setCompletionMode(QCompleter.CompletionMode.UnfilteredPopupCompletion)
        self._completer.setMaxVisibleItems(_MOST_COMPLETIONS)
        self._completer.activated[QModelIndex].connect(self._choose)  # type: ignore[index]
        popup = self._completer.popup()
        assert popup is not None
        self.view: QAbstractItemView = popup
        self.view.setItemDelegate(self._rows)
        self.view.setMouseTracking(True)
        self.view.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.view.installEventFilter(self)

    @property
    def offered(self) -> list[str]:
        """The texts in the list; empty while it is closed."""
        if not self.view.isVisible():
            return []
        return [str(self._choices.index(row).data()) for row in range(self._choices.rowCount())]

    def offer(self, begun: str, choices: Sequence[Choice], below: int, start: int) -> None:
        """Offer ``choices``, whose values are texts to insert, except ``begun`` itself.

        ``begun`` is the text that they would replace. ``below`` is the top of the list, and
        ``start`` where its texts start, in pixels from the top left corner of the edit.
        """
        others = [choice for choice in choices if choice.value != begun]
        self._choices.set_choices(others)
        if others:
            self._completer.complete(self._place(below, start))
        else:
            self.close()

    def close(self) -> None:
        """Close the list. ``closed`` is emitted even if the list was not open."""
        if self.view.isVisible():
            self.view.hide()
        else:
            self.closed.emit()

    def choose_current(self) -> None:
        """Choose the current row, or the first if there is none, and close the list."""
        current = self.view.currentIndex()
        self._choose(current if current.isValid() else self._completer.model().index(0, 0))
        self.close()

    def set_theme(self, theme: Theme) -> None:
        """Apply the colours of ``theme``; no style sheet of a window reaches the list."""
        self._rows.set_theme(theme)
        self.view.setStyleSheet(f"""
            QListView {{
                background: {theme.raised}; outline: none;
                border: 1px solid {theme.outline}; padding: {_FRAME}px;
                border-radius: {px(6)}px;
            }}
        """)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        """Emit ``closed`` when the list hides."""
        if event.type() == QEvent.Type.Hide:
            self.closed.emit()
        return False

    def _place(self, below: int, start: int) -> QRect:
        """Return the rectangle below which the list opens, with its texts at ``start``."""
        edit = self._edit
        inset = self._rows.inset + 1 + _FRAME  # from the list to its texts
        widest = self._rows.measure(self._choices.choices) + 2 * (1 + _FRAME)
        place = QRect(0, 0, max(px(_NARROWEST), min(widest, edit.width())), below)
        if edit.isRightToLeft():
            place.moveRight(start + inset)
        else:
            place.moveLeft(start - inset)
        return place

    @Slot(QModelIndex)
    def _choose(self, index: QModelIndex) -> None:
        self.chosen.emit(index.data(CHOICE).value)
