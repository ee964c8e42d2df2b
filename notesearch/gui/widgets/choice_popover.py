"""A popover with a list of choices and a field that filters it."""

import sys
from collections.abc import Sequence

from PySide6.QtCore import QEvent, QItemSelectionModel, QModelIndex, QObject, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QListView, QVBoxLayout, QWidget

from notesearch.gui.translation import translate
from notesearch.gui.widgets.choices import Choice, ChoiceDelegate, ChoiceModel
from notesearch.gui.widgets.controls import PromptField, announce, text_label
from notesearch.gui.widgets.keys import KeyHint, KeyHints, Move, move_of
from notesearch.gui.widgets.popover import Popover
from notesearch.gui.widgets.theme import Theme, px

_STEPS = {
    Move.UP: -1,
    Move.DOWN: 1,
    Move.PAGE_UP: -8,
    Move.PAGE_DOWN: 8,
    Move.FIRST: -sys.maxsize,
    Move.LAST: sys.maxsize,
}
"""By how many choices each key moves the selection."""
_ENTER = {Qt.Key.Key_Return, Qt.Key.Key_Enter}
_ENTER_MODIFIERS = {Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ControlModifier}
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
        self._field = PromptField()
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
        self._field.fit()
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
        self._field.set_prompt(prompt)
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
            move = move_of(event, in_text=bool(self._field.text()))
            modifiers = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
            chooses = modifiers in _ENTER_MODIFIERS and Qt.Key(event.key()) in _ENTER
            if move is not None or chooses:
                if event.type() == QEvent.Type.ShortcutOverride:
                    event.accept()
                elif event.type() == QEvent.Type.KeyPress:
                    self._take(event, move)
                return True
        return super().eventFilter(watched, event)

    def _take(self, event: QKeyEvent, move: Move | None) -> None:
        if move is not None:
            self._move(_STEPS[move])
        elif not event.isAutoRepeat():
            opened = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
            self._choose(self.list.currentIndex(), opened=opened)

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
        announce(self.list, str(target.data() or ""))

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
