"""A popover with a field that filters and a list to choose from: actions, headings, sections."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QItemSelectionModel, QModelIndex, QObject, QSize, Qt, Signal
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QKeyEvent
from PySide6.QtWidgets import QFrame, QLabel, QLineEdit, QListView, QVBoxLayout, QWidget

from notesearch.gui.translation import translate
from notesearch.gui.widgets.choices import Choice, ChoiceDelegate, ChoiceModel
from notesearch.gui.widgets.key_hints import Hint, KeyHints
from notesearch.gui.widgets.popover import Popover
from notesearch.gui.widgets.theme import Theme, px

_STEPS = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1, Qt.Key.Key_PageUp: -8, Qt.Key.Key_PageDown: 8}
_ENTER = {Qt.Key.Key_Return, Qt.Key.Key_Enter}
_WIDTH = (260, 520)
_LIST = 364


class ChoicePopover(Popover):
    """The field keeps the keyboard; arrows move in the list, Enter chooses.

    Signals:
        chosen: Enter or a click: which of the choices.
        opened: Ctrl+Enter: which of the choices.
    """

    chosen = Signal(int)
    opened = Signal(int)

    def __init__(self, window: QWidget, theme: Theme, name: str) -> None:
        super().__init__(window)
        self._theme = theme
        self._hinted: tuple[Hint, ...] = ()
        self._width = 0
        self.model = ChoiceModel(self)
        self.setAccessibleName(name)
        self._field = QLineEdit()
        self._field.setObjectName("filter")
        self._field.installEventFilter(self)
        self._field.textChanged.connect(self._on_filter)
        self._delegate = ChoiceDelegate(theme, self)
        self.list = QListView()
        self.list.setModel(self.model)
        self.list.setItemDelegate(self._delegate)
        self.list.setAccessibleName(name)
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setMouseTracking(True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.list.clicked.connect(self._on_clicked)
        self._nothing = QLabel(translate("window", "Nothing matches"))
        self._nothing.setTextFormat(Qt.TextFormat.PlainText)
        self._nothing.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self._nothing.setProperty("tone", "text3")
        self._nothing.hide()
        self._hints = KeyHints()
        self._column = QVBoxLayout(self.card)
        for part in (self._field, self._nothing, self.list, self._hints):
            self._column.addWidget(part)
        self.set_theme(theme)

    @property
    def current(self) -> Choice | None:
        """The selected choice."""
        place = self.model.place(self.list.currentIndex())
        return None if place is None else self.model.choices[place]

    def set_theme(self, theme: Theme) -> None:
        """Take over the colours, and the sizes of the font."""
        self._theme = theme
        self._delegate.set_theme(theme)
        self._column.setContentsMargins(px(7), px(7), px(7), px(7))
        self._column.setSpacing(px(7))
        self._field.setMinimumHeight(px(30))
        self._hints.show_hints(self._hinted, theme)

    def offer(
        self,
        choices: Sequence[Choice],
        *,
        prompt: str,
        current: int = 0,
        hints: Sequence[Hint] = (),
        anchor: QWidget | None = None,
    ) -> None:
        """Open with ``choices``.

        Args:
            choices: The rows.
            prompt: Stands in the field as long as that is empty.
            current: The one that is selected.
            hints: What keys do, at the foot.
            anchor: As ``Popover.pop_up`` takes it.
        """
        self._hinted = tuple(hints)
        self._hints.show_hints(self._hinted, self._theme)
        self._hints.setVisible(bool(hints))
        self._field.clear()
        self._field.setPlaceholderText(prompt)
        self._field.setAccessibleName(prompt)
        self.model.set_choices(choices)
        self._width = self._delegate.measure(choices)
        self._select(self.model.find(current))
        self.pop_up(self._field, anchor)
        self.list.scrollTo(self.list.currentIndex(), QListView.ScrollHint.PositionAtCenter)

    def refine(self, choices: Sequence[Choice]) -> None:
        """Show the same rows with other details; what is selected and typed stays."""
        self.model.refine(choices)
        self._width = max(self._width, self._delegate.measure(choices))
        self.place()

    def wanted_size(self) -> QSize:
        """Return the size for the widest row, and for the rows there were before filtering."""
        least, most = (px(width) for width in _WIDTH)
        rows = sum(self.list.sizeHintForRow(row) for row in range(self.model.rowCount()))
        bar = px(12) if rows > px(_LIST) else 0
        hints = self._hints.sizeHint()
        frame = 2 * px(7) + 2
        width = max(min(most, self._width + bar), least, hints.width() + px(16)) + frame
        height = frame + self._field.minimumHeight() + px(7) + max(px(28), min(px(_LIST), rows))
        if self._hinted:
            height += px(7) + hints.height()
        return QSize(width, height)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take the keys that belong to the list before the field, or the window, does."""
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
        return (key in _STEPS and plain) or (key in _ENTER and (plain or control))

    def _take(self, event: QKeyEvent) -> bool:
        if not self._is_ours(event):
            return False
        key = Qt.Key(event.key())
        if key in _STEPS:
            self._move(_STEPS[key])
        elif not event.isAutoRepeat():
            self._choose(self.list.currentIndex(), opened=bool(event.modifiers()))
        return True

    def _move(self, by: int) -> None:
        """Move so many choices on; the lines between groups do not count."""
        index, rows = self.list.currentIndex(), self.model.rowCount()
        step, row, target = (1 if by > 0 else -1), index.row(), index
        for _ in range(abs(by)):
            row += step
            while 0 <= row < rows and self.model.place(self.model.index(row)) is None:
                row += step
            if not 0 <= row < rows:
                break
            target = self.model.index(row)
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
        self._nothing.setVisible(not self.model.rowCount())
        self._select(QModelIndex())

    def _on_clicked(self, index: QModelIndex) -> None:
        self._choose(index, opened=False)

    def _choose(self, index: QModelIndex, *, opened: bool) -> None:
        place = self.model.place(index)
        if place is not None:
            self.close_up()
            (self.opened if opened else self.chosen).emit(place)
