"""Cards inside a window that close when they lose the focus: empty, or with a list of choices."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from PySide6.QtCore import (
    QAbstractListModel,
    QEvent,
    QItemSelectionModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPoint,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QColor,
    QFontMetrics,
    QKeyEvent,
    QMouseEvent,
    QPainter,
)
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QLineEdit,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from notesearch.gui.translation import translate
from notesearch.gui.widgets.key_hints import Hint, KeyHints
from notesearch.gui.widgets.labels import fitted, text_label
from notesearch.gui.widgets.search_field import SearchField
from notesearch.gui.widgets.theme import Role, Theme, font, px

_MARGIN = 12
_FOOT = 32


class Popover(QWidget):
    """A card inside a window; Escape or a click outside the card closes it.

    The popover is a transparent child widget that covers the window. As it is no window of its own,
    the window stays active, and the position is right even on Wayland.

    Attributes:
        card: The visible part, which subclasses fill.

    Signals:
        closed: The popover was closed, by the user or by the program.
    """

    closed = Signal()

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self.card = QFrame(self)
        self.card.setObjectName("popover")
        self._anchor: QWidget | None = None
        self._before: QWidget | None = None
        self.hide()

    @property
    def is_open(self) -> bool:
        """Whether the popover is shown, or will be shown together with its window."""
        return not self.isHidden()

    def pop_up(self, focus: QWidget, anchor: QWidget | None = None) -> None:
        """Show the popover.

        Args:
            focus: The widget in the card that gets the focus.
            anchor: The widget below which the card is; None for the bottom right corner.
        """
        if not self.is_open:
            self._before = self.window().focusWidget()
            self.window().installEventFilter(self)
            QApplication.instance().focusChanged.connect(self._on_focus_changed)  # type: ignore[union-attr]
        self._anchor = anchor
        self.place()
        self.show()
        self.raise_()
        focus.setFocus(Qt.FocusReason.PopupFocusReason)

    @Slot()
    def close_up(self) -> None:
        """Hide the popover, and return the focus to the widget that had it before."""
        if not self.is_open:
            return
        QApplication.instance().focusChanged.disconnect(self._on_focus_changed)  # type: ignore[union-attr]
        self.window().removeEventFilter(self)
        inside = self._holds(self.window().focusWidget())
        self.hide()
        if inside:
            self._restore_focus()
        self._before = self._anchor = None
        self.closed.emit()

    def _restore_focus(self) -> None:
        """Focus the widget that had the focus before; the search field if that is impossible."""
        before, window = self._before, self.window()
        if before is None or not (before.isVisibleTo(window) and before.isEnabled()):
            before = window.findChild(SearchField)
        if before is not None:
            before.setFocus(Qt.FocusReason.PopupFocusReason)

    def preferred_size(self) -> QSize:
        """Return the preferred size of the card."""
        return self.card.sizeHint()

    def place(self) -> None:
        """Place the card below the anchor, or at the bottom right, so that it is in the window."""
        self.setGeometry(self.window().rect())
        margin = px(_MARGIN) + _shadow(self.window())
        room = QSize(self.width() - 2 * margin, self.height() - 2 * margin)
        size = self.preferred_size().boundedTo(room)
        right, bottom = self.width() - margin, self.height() - margin
        mirrored = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        if self._anchor is None:
            left = margin if mirrored else right - size.width()
            corner = QPoint(left, bottom - px(_FOOT) - size.height())
        else:
            left = 0 if mirrored else self._anchor.width() - size.width()
            corner = self._anchor.mapTo(self.window(), QPoint(left, self._anchor.height() + px(4)))
        corner.setX(max(margin, min(corner.x(), right - size.width())))
        corner.setY(max(margin, min(corner.y(), bottom - size.height())))
        self.card.setGeometry(corner.x(), corner.y(), size.width(), size.height())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Adapt to a new size of the window, and close when the window is hidden."""
        if watched is self.window() and self.is_open:
            if event.type() == QEvent.Type.Resize:
                self.place()
            elif event.type() == QEvent.Type.Hide:
                self.close_up()
        return False

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Close on Escape. No key reaches the window."""
        if event.key() == Qt.Key.Key_Escape:
            self.close_up()
        event.accept()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Close when the mouse is pressed outside the card."""
        if not self.card.geometry().contains(event.position().toPoint()):
            self.close_up()

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Keep the focus where it is; return True."""
        return True

    def _holds(self, widget: QWidget | None) -> bool:
        return widget is not None and self.isAncestorOf(widget)

    @Slot(QWidget, QWidget)
    def _on_focus_changed(self, _old: QWidget | None, new: QWidget | None) -> None:
        if new is not None and new.window() is self.window() and not self._holds(new):
            self.close_up()


def _shadow(window: QWidget) -> int:
    """Return the width in pixels of the margin of ``window``, in which it may paint a shadow."""
    layout = window.layout()
    return layout.contentsMargins().left() if layout is not None else 0


Index = QModelIndex | QPersistentModelIndex

CHOICE = Qt.ItemDataRole.UserRole
"""The model role that returns the ``Choice`` of a row; None for a line between two groups."""

_ROW = 28
_LINE = 11
_PAD = 14
_INDENT = 16


@dataclass(frozen=True, slots=True)
class Choice:
    """One row of a list of choices.

    Attributes:
        keys: The keyboard shortcut, in a column of its own.
        detail: More information, shown pale after the text.
        badge: A number in an amber box at the right.
        depth: The number of indentations.
        strong: Whether the row is bold, because it is where the user is now.
        ends_group: Whether a separator line follows, unless this is the last row.
    """

    text: str
    keys: str = ""
    detail: str = ""
    badge: str = ""
    depth: int = 0
    strong: bool = False
    ends_group: bool = False


class ChoiceModel(QAbstractListModel):
    """The choices that pass a filter, as a list for Qt, with lines between their groups."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._choices: tuple[Choice, ...] = ()
        self._shown: list[int | None] = []

    @property
    def choices(self) -> Sequence[Choice]:
        """All choices, filtered out or not."""
        return self._choices

    @property
    def shown(self) -> list[Choice]:
        """The choices that pass the filter."""
        return [self._choices[number] for number in self._shown if number is not None]

    def set_choices(self, choices: Sequence[Choice]) -> None:
        """Replace the choices, and clear the filter."""
        self._choices = tuple(choices)
        self.filter("")

    def refine(self, choices: Sequence[Choice]) -> None:
        """Replace all choices by ``choices``, which differ in details only; keep the filter."""
        self._choices = tuple(choices)
        if self._shown:
            self.dataChanged.emit(self.index(0), self.index(len(self._shown) - 1))

    def filter(self, text: str) -> None:
        """Show the choices that contain or abbreviate every word of ``text``.

        ``smco`` abbreviates "Smart Connections". An empty text shows all choices, in groups.
        """
        words = text.casefold().split()
        self.beginResetModel()
        self._shown = []
        for number, choice in enumerate(self._choices):
            searched = f"{choice.text} {choice.detail}".casefold()
            names = _WORD.findall(choice.text.casefold())[:_NAMES]
            if all(word in searched or _abbreviates(word, names) for word in words):
                self._shown.append(number)
                if choice.ends_group and not words and number < len(self._choices) - 1:
                    self._shown.append(None)
        self.endResetModel()

    def number(self, index: Index) -> int | None:
        """Return the position in ``choices`` of the row at ``index``; None for a line."""
        return self._shown[index.row()] if index.isValid() else None

    def find(self, number: int) -> QModelIndex:
        """Return the index of ``choices[number]``; invalid if it is filtered out."""
        return self.index(self._shown.index(number)) if number in self._shown else QModelIndex()

    def best(self, text: str) -> QModelIndex:
        """Return the index of the row that the filter ``text`` most likely means.

        That is the first row whose text begins with ``text``, else the first in which a word begins
        with it. Invalid if there is none.
        """
        sought = " ".join(text.casefold().split())
        names = [(row, f" {choice.text.casefold()}") for row, choice in self._rows() if sought]
        rows = [row for row, name in names if name.startswith(f" {sought}")]
        rows += [row for row, name in names if f" {sought}" in name]
        return self.index(rows[0]) if rows else QModelIndex()

    def _rows(self) -> Iterator[tuple[int, Choice]]:
        for row, number in enumerate(self._shown):
            if number is not None:
                yield row, self._choices[number]

    def rowCount(self, parent: Index | None = None) -> int:
        """Return the number of rows, including the lines between groups; 0 below a row."""
        return 0 if parent is not None and parent.isValid() else len(self._shown)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Return the ``Choice`` for ``CHOICE``; all its texts for text roles; None for a line."""
        number = self.number(index)
        if number is None:
            return None
        choice = self._choices[number]
        if role == CHOICE:
            return choice
        if role in {Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole}:
            texts = (choice.text, choice.detail, choice.badge, choice.keys)
            return ", ".join(text for text in texts if text)
        return None

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Let the user select choices, but not the lines between groups."""
        leaf = Qt.ItemFlag.ItemNeverHasChildren
        if self.number(index) is None:
            return leaf if index.isValid() else Qt.ItemFlag.NoItemFlags
        return leaf | Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable


_WORD = re.compile(r"[^\W_]+")
_NAMES = 8


def _abbreviates(typed: str, words: Sequence[str]) -> bool:
    """Return whether ``typed`` consists of beginnings of some of ``words``, in their order."""
    if not typed:
        return True
    for index, word in enumerate(words):
        begun = (n for n in range(len(typed), 0, -1) if word.startswith(typed[:n]))
        if any(_abbreviates(typed[n:], words[index + 1 :]) for n in begun):
            return True
    return False


class ChoiceDelegate(QStyledItemDelegate):
    """Paints a choice: text, detail, keys in a column of their own, and a badge at the right."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._keys = 0

    def set_theme(self, theme: Theme) -> None:
        """Apply the colours of ``theme``."""
        self._theme = theme

    def measure(self, choices: Sequence[Choice]) -> int:
        """Set the width of the column of keys; return the width in pixels of the widest row."""
        plain, small = QFontMetrics(font(Role.ROW)), QFontMetrics(font(Role.META))
        strong = QFontMetrics(font(Role.ROW_STRONG))
        self._keys = max(
            (plain.horizontalAdvance(c.keys) + 2 for c in choices if c.keys), default=0
        )
        widest = 0
        for choice in choices:
            width = (strong if choice.strong else plain).horizontalAdvance(choice.text)
            width += px(_INDENT) * choice.depth
            if choice.detail:
                width += px(24) + small.horizontalAdvance(choice.detail)
            if choice.badge:
                width += px(32) + small.horizontalAdvance(choice.badge)
            widest = max(widest, width)
        column = self._keys + px(24) if self._keys else 0
        return widest + column + 2 * px(_PAD)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """Return the height of a row, or of a line."""
        return QSize(0, px(_LINE if index.data(CHOICE) is None else _ROW))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paint one row."""
        painter.save()
        painter.setLayoutDirection(Qt.LayoutDirection.LayoutDirectionAuto)  # that of each text
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        choice: Choice | None = index.data(CHOICE)
        if choice is None:
            middle = option.rect.center().y()
            line = QRect(option.rect.left() + px(8), middle, option.rect.width() - px(16), 1)
            painter.fillRect(line, QColor(self._theme.border))
        else:
            self._paint_ground(painter, option)
            self._paint_choice(painter, option, choice)
        painter.restore()

    def _paint_ground(self, painter: QPainter, option: QStyleOptionViewItem) -> None:
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        if selected or option.state & QStyle.StateFlag.State_MouseOver:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(self._theme.accent_soft if selected else self._theme.hover))
            painter.drawRoundedRect(option.rect, px(4), px(4))

    def _paint_choice(
        self, painter: QPainter, option: QStyleOptionViewItem, choice: Choice
    ) -> None:
        room = option.rect.adjusted(px(_PAD) - px(4), 0, px(4) - px(_PAD), 0)
        left = room.left() + px(_INDENT) * choice.depth
        right = room.right()
        if choice.badge:
            right -= self._paint_badge(painter, option, room, choice.badge) + px(8)
        if self._keys:
            column = QRect(right - self._keys, room.top(), self._keys, room.height())
            self._write(painter, option, column, choice.keys, self._theme.text2)
            right -= self._keys + px(24)
        if choice.detail:
            small = QFontMetrics(font(Role.META))
            face = font(Role.ROW_STRONG if choice.strong else Role.ROW)
            beside = right - left - QFontMetrics(face).horizontalAdvance(choice.text) - px(12)
            most = max((right - left) // 2, beside)
            width = min(small.horizontalAdvance(choice.detail) + 4, most)
            column = QRect(right - width, room.top(), width, room.height())
            painter.setFont(font(Role.META))
            self._write(painter, option, column, choice.detail, self._theme.text2, Role.META)
            right -= width + px(12)
        own = QRect(left, room.top(), right - left, room.height())
        role = Role.ROW_STRONG if choice.strong else Role.ROW
        self._write(painter, option, own, choice.text, self._theme.text, role)

    def _write(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        box: QRect,
        text: str,
        colour: str,
        role: Role = Role.ROW,
    ) -> None:
        """Draw ``text`` in ``box``, mirrored for right-to-left layouts."""
        chosen = font(role)
        painter.setFont(chosen)
        painter.setPen(QColor(colour))
        shown = fitted(text, QFontMetrics(chosen), box.width())
        flags = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeading
        mirrored = QStyle.visualRect(option.direction, option.rect, box)
        painter.drawText(mirrored, QStyle.visualAlignment(option.direction, flags), shown)

    def _paint_badge(
        self, painter: QPainter, option: QStyleOptionViewItem, room: QRect, text: str
    ) -> int:
        small = font(Role.META)
        metrics = QFontMetrics(small)
        width = max(px(24), metrics.horizontalAdvance(text) + px(14))
        height = metrics.height() + px(3)
        box = QRect(room.right() - width, room.center().y() - height // 2 + 1, width, height)
        box = QStyle.visualRect(option.direction, option.rect, box)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(self._theme.mark))
        painter.drawRoundedRect(QRectF(box), height / 2, height / 2)
        painter.setFont(small)
        painter.setPen(QColor(self._theme.mark_text))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)
        return width


_STEPS = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1, Qt.Key.Key_PageUp: -8, Qt.Key.Key_PageDown: 8}
_ENTER = {Qt.Key.Key_Return, Qt.Key.Key_Enter}
_WIDTH = (260, 520)
_LIST = 364


class ChoicePopover(Popover):
    """A popover with a list of choices, and a field that filters it.

    The field keeps the focus. Arrow keys move in the list, Enter chooses.

    Signals:
        chosen: The user chose with Enter or a click; carries the position of the choice.
        opened: The user chose with Ctrl+Enter; carries the position of the choice.
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
        self._nothing = text_label(translate("window", "Nothing matches"), tone="text3", wrap=False)
        self._nothing.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self._nothing.hide()
        self._hints = KeyHints()
        self._column = QVBoxLayout(self.card)
        for part in (self._field, self._nothing, self.list):
            self._column.addWidget(part)
        self._column.addWidget(self._hints, 0, Qt.AlignmentFlag.AlignLeading)
        self.set_theme(theme)

    @property
    def current(self) -> Choice | None:
        """The selected choice; None without one."""
        number = self.model.number(self.list.currentIndex())
        return None if number is None else self.model.choices[number]

    def set_theme(self, theme: Theme) -> None:
        """Apply the colours of ``theme`` and the sizes of the current font."""
        self._theme = theme
        self._delegate.set_theme(theme)
        self._column.setContentsMargins(px(7), px(7), px(7), px(7))
        self._column.setSpacing(px(7))
        self._field.setMinimumHeight(px(30))
        self._hints.show_hints(self._hinted, theme)
        if self.is_open:
            self._width = self._delegate.measure(self.model.choices)
            self.list.doItemsLayout()
            self.place()

    def offer(
        self,
        choices: Sequence[Choice],
        *,
        prompt: str,
        current: int = 0,
        hints: Sequence[Hint] = (),
        anchor: QWidget | None = None,
    ) -> None:
        """Open the popover.

        Args:
            choices: The rows.
            prompt: The placeholder of the field.
            current: The position of the choice to select.
            hints: Key hints at the bottom.
            anchor: The widget below which the popover is; None for the bottom right corner.
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
        """Replace all choices by ``choices``, which differ in details only; keep the filter."""
        self.model.refine(choices)
        self._width = max(self._width, self._delegate.measure(choices))
        self.place()

    def preferred_size(self) -> QSize:
        """Return the size of the card, in pixels, for its present rows and the widest choice."""
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
        """Move the selection by ``by`` choices, skipping the lines between groups."""
        index, rows = self.list.currentIndex(), self.model.rowCount()
        step, row, target = (1 if by > 0 else -1), index.row(), index
        for _ in range(abs(by)):
            row += step
            while 0 <= row < rows and self.model.number(self.model.index(row)) is None:
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
        self._select(self.model.best(text))

    def _on_clicked(self, index: QModelIndex) -> None:
        self._choose(index, opened=False)

    def _choose(self, index: QModelIndex, *, opened: bool) -> None:
        number = self.model.number(index)
        if number is not None:
            self.close_up()
            (self.opened if opened else self.chosen).emit(number)
