"""A popover with a list of choices and a field that filters it."""

import sys
from collections.abc import Sequence

from PySide6.QtCore import QEvent, QItemSelectionModel, QModelIndex, QObject, QSize, Qt, Signal
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QKeyEvent
from PySide6.QtWidgets import QFrame, QLineEdit, QListView, QVBoxLayout, QWidget

from notesearch.gui.translation import translate
from notesearch.gui.widgets.choices import Choice, ChoiceDelegate, ChoiceModel
from notesearch.gui.widgets.controls import text_label
from notesearch.gui.widgets.keys import KeyHint, KeyHints
from notesearch.gui.widgets.popover import Popover
from notesearch.gui.widgets.theme import Theme, px

_STEPS = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1, Qt.Key.Key_PageUp: -8, Qt.Key.Key_PageDown: 8}
_ENDS = {Qt.Key.Key_Home: -sys.maxsize, Qt.Key.Key_End: sys.maxsize}
_ENTER = {Qt.Key.Key_Return, Qt.Key.Key_Enter}
_WIDTH = (260, 520)
_LIST = 400


class ChoicePopover(Popover):
    """A popover with a list of choices, and a field that filters it.

    The field keeps the focus. Arrow keys move in the list, Enter chooses.

    Signals:
        chosen: The user chose with Enter or a click; carries the value of the choice.
        opened: The user chose with Ctrl+Enter; carries the value of the choice.
    """

    chosen = Signal(object)
    opened = Signal(object)

    def __init__(self, window: QWidget, theme: Theme, name: str = "") -> None:
        super().__init__(window)
        self._theme = theme
        self._hinted: tuple[KeyHint, ...] = ()
        self._width = 0
        self.model = ChoiceModel(self)
        self._delegate = ChoiceDelegate(theme, self)
        self.setAccessibleName(name)

    def fill_card(self) -> None:
        """Put the field, the list and the key hints into the card."""
        self._field = QLineEdit()
        self._field.setObjectName("filter")
        self._field.installEventFilter(self)
        self._field.textChanged.connect(self._on_filter)
        self.list = QListView()
        self.list.setModel(self.model)
        self.list.setItemDelegate(self._delegate)
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setMouseTracking(True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.list.clicked.connect(self._choose)
        self._nothing = text_label(tone="text3")
        self._nothing.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self._nothing.hide()
        self._hints = KeyHints()
        self._column = QVBoxLayout(self.card)
        for part in (self._field, self._nothing, self.list):
            self._column.addWidget(part)
        self._column.addWidget(self._hints, 0, Qt.AlignmentFlag.AlignLeading)

    @property
    def current(self) -> Choice | None:
        """The selected choice; None without one."""
        return self.model.choice(self.list.currentIndex()) if self.has_card else None

    def set_theme(self, theme: Theme) -> None:
        """Apply the colours of ``theme`` and the sizes of the current font."""
        self._theme = theme
        self._delegate.set_theme(theme)
        super().set_theme(theme)

    def _fit(self) -> None:
        self.list.doItemsLayout()
        self._column.setContentsMargins(px(7), px(7), px(7), px(7))
        self._column.setSpacing(px(7))
        self._field.setMinimumHeight(px(30))
        self._hints.show_hints(self._hinted, self._theme)
        self._hints.setVisible(bool(self._hinted))
        self._width = self._delegate.measure(self.model.choices)

    def offer(
        self,
        choices: Sequence[Choice],
        *,
        prompt: str,
        nothing: str = "",
        current: int = 0,
        hints: Sequence[KeyHint] = (),
        anchor: QWidget | None = None,
    ) -> None:
        """Open the popover below ``anchor``, or in the bottom right corner.

        ``prompt`` is the field's placeholder, ``nothing`` the text shown in place of no choices,
        ``current`` the position of the choice to select.
        """
        self.make_card()
        self._hinted = tuple(hints)
        self._field.clear()
        self._field.setPlaceholderText(prompt)
        self._field.setAccessibleName(prompt)
        self._field.setAccessibleDescription("" if choices else nothing)
        self.list.setAccessibleName(self.accessibleName())
        unmatched = translate("Nothing matches")
        self._nothing.setText(unmatched if choices else nothing or unmatched)
        self.model.set_choices(choices)
        self._show_rows()
        self._fit()
        self._select(self.model.find(current))
        self.pop_up(self._field, anchor)
        self.list.scrollTo(self.list.currentIndex(), QListView.ScrollHint.PositionAtCenter)

    def refine(self, choices: Sequence[Choice]) -> None:
        """Replace all choices with ``choices``, which differ only in details; keep the filter."""
        self.model.refine(choices)
        self._width = max(self._width, self._delegate.measure(choices))
        self.place_card()

    def preferred_size(self) -> QSize:
        """Return the size of the card in pixels: for the listed rows and the widest choice."""
        least, most = (px(width) for width in _WIDTH)
        rows = sum(self.list.sizeHintForRow(row) for row in range(self.model.rowCount()))
        bar = px(12) if rows > px(_LIST) else 0
        hints = self._hints.sizeHint()
        text = self._nothing.fontMetrics().horizontalAdvance(self._nothing.text()) + px(2)
        width = max(min(most, max(self._width + bar, text)), least, hints.width() + px(16))
        shown = min(px(_LIST), rows) or self._nothing.heightForWidth(width)
        frame = 2 * px(7) + 2
        width += frame
        height = frame + self._field.minimumHeight() + px(7) + max(px(28), shown)
        if self._hinted:
            height += px(7) + hints.height()
        return QSize(width, height)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Handle the keys for the list before the field or the window does."""
        if watched is self._field and isinstance(event, QKeyEvent):
            if event.type() == QEvent.Type.ShortcutOverride and self._is_ours(event):
                event.accept()
                return True
            if event.type() == QEvent.Type.KeyPress:
                return self._take(event)
        return super().eventFilter(watched, event)

    def _is_ours(self, event: QKeyEvent) -> bool:
        plain = not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        control = event.modifiers() == Qt.KeyboardModifier.ControlModifier
        key = Qt.Key(event.key())
        if key in _ENDS:  # they move in the text, unless the field is empty
            return control or (plain and not self._field.text())
        return (key in _STEPS and plain) or (key in _ENTER and (plain or control))

    def _take(self, event: QKeyEvent) -> bool:
        if not self._is_ours(event):
            return False
        key = Qt.Key(event.key())
        if key not in _ENTER:
            self._move((_STEPS | _ENDS)[key])
        elif not event.isAutoRepeat():
            self._choose(self.list.currentIndex(), opened=bool(event.modifiers()))
        return True

    def _move(self, by: int) -> None:
        """Move the selection by ``by`` choices, skipping the lines between groups."""
        target = self.list.currentIndex()
        step = 1 if by > 0 else -1
        row = target.row() + step
        left = abs(by)
        while left and 0 <= row < self.model.rowCount():
            index = self.model.index(row)
            if self.model.choice(index) is not None:
                target = index
                left -= 1
            row += step
        self._select(target)
        event = QAccessibleAnnouncementEvent(self.list, str(target.data() or ""))
        QAccessible.updateAccessibility(event)

    def _select(self, index: QModelIndex) -> None:
        if not index.isValid():
            index = self.model.index(0)
        flag = QItemSelectionModel.SelectionFlag.ClearAndSelect
        self.list.selectionModel().setCurrentIndex(index, flag)
        self.list.scrollTo(index)

    def _on_filter(self, text: str) -> None:
        self.model.filter(text)
        self._show_rows()
        self._select(self.model.best(text))

    def _show_rows(self) -> None:
        """Show the list, or a text in its place if it has no rows."""
        has_rows = self.model.rowCount() > 0
        self.list.setVisible(has_rows)
        self._nothing.setVisible(not has_rows)

    def _choose(self, index: QModelIndex, *, opened: bool = False) -> None:
        choice = self.model.choice(index)
        if choice is not None:
            self.close_up()
            (self.opened if opened else self.chosen).emit(choice.value)
