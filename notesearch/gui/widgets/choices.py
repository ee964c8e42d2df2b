"""Lists of choices: their model, how their rows look, and the list below a line edit."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import (
    QAbstractListModel,
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRect,
    QSize,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import QColor, QFontMetrics, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QCompleter,
    QLineEdit,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
)

from notesearch.gui.widgets.marked_line import fitted
from notesearch.gui.widgets.theme import Role, Theme, draw_box, focus_ring, font, px

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
        value: What the choice stands for; the signals of a list carry it.
        keys: The keyboard shortcut, in a column of its own.
        detail: More information, shown pale after the text.
        badge: A number in an amber box at the right.
        depth: The number of indentations.
        strong: Whether the row is bold, because it marks the user's current place.
        ends_group: Whether a separator line follows, unless this is the last row.
    """

    text: str
    keys: str = ""
    detail: str = ""
    badge: str = ""
    depth: int = 0
    strong: bool = False
    ends_group: bool = False
    value: object = None


class ChoiceModel(QAbstractListModel):
    """A Qt model of the ``choices`` that pass a filter, with lines between their groups."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.choices: tuple[Choice, ...] = ()
        self._shown: list[int | None] = []

    @property
    def shown(self) -> list[Choice]:
        """The choices that pass the filter."""
        return [self.choices[number] for number in self._shown if number is not None]

    def set_choices(self, choices: Sequence[Choice]) -> None:
        """Replace the choices, and clear the filter."""
        self.choices = tuple(choices)
        self.filter("")

    def refine(self, choices: Sequence[Choice]) -> None:
        """Replace all choices with ``choices``, which differ only in details; keep the filter."""
        self.choices = tuple(choices)
        if self._shown:
            self.dataChanged.emit(self.index(0), self.index(len(self._shown) - 1))

    def filter(self, text: str) -> None:
        """Show the choices that contain or abbreviate every word of ``text``.

        ``smco`` abbreviates "Smart Connections". An empty text shows all choices, in groups.
        """
        words = text.casefold().split()
        self.beginResetModel()
        self._shown = []
        for number, choice in enumerate(self.choices):
            searched = f"{choice.text} {choice.detail}".casefold()
            names = _WORD.findall(choice.text.casefold())[:_NAMES]
            if all(word in searched or _abbreviates(word, names) for word in words):
                self._shown.append(number)
                if choice.ends_group and not words and number < len(self.choices) - 1:
                    self._shown.append(None)
        self.endResetModel()

    def choice(self, index: Index) -> Choice | None:
        """Return the choice at ``index``; None for a line between groups."""
        number = self._shown[index.row()] if index.isValid() else None
        return None if number is None else self.choices[number]

    def find(self, number: int) -> QModelIndex:
        """Return the index of ``choices[number]``; invalid if it is filtered out."""
        return self.index(self._shown.index(number)) if number in self._shown else QModelIndex()

    def best(self, text: str) -> QModelIndex:
        """Return the index of the row that ``text`` most likely means; invalid without one."""
        sought = " ".join(text.casefold().split())
        numbers = [number for number in self._shown if number is not None and sought]
        names = [(number, f" {self.choices[number].text.casefold()}") for number in numbers]
        found = [number for number, name in names if name.startswith(f" {sought}")]
        found += [number for number, name in names if f" {sought}" in name]
        return self.find(found[0] if found else -1)

    def rowCount(self, parent: Index | None = None) -> int:
        """Return the number of rows, including the lines between groups; 0 below a row."""
        return 0 if parent is not None and parent.isValid() else len(self._shown)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Return the ``Choice`` (role ``CHOICE``), or its texts on one line (text roles).

        A line between groups has no data: None.
        """
        choice = self.choice(index)
        if choice is None or role == CHOICE:
            return choice
        if role in {Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole}:
            texts = (choice.text, choice.detail, choice.badge, choice.keys)
            return ", ".join(text for text in texts if text)
        return None

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Let the user select choices, but not the lines between groups."""
        leaf = Qt.ItemFlag.ItemNeverHasChildren
        if self.choice(index) is None:
            return leaf if index.isValid() else Qt.ItemFlag.NoItemFlags
        return leaf | Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable


_WORD = re.compile(r"[^\W_]+")
_NAMES = 8


def _abbreviates(typed: str, words: Sequence[str]) -> bool:
    """Return whether ``typed`` consists of beginnings of some of ``words``, in their order."""
    reached = {0}  # how many letters of ``typed`` the words so far can begin with
    for word in words:
        for start in tuple(reached):
            for end in range(start + 1, min(start + len(word), len(typed)) + 1):
                if not word.startswith(typed[start:end]):
                    break
                reached.add(end)
    return len(typed) in reached


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
        plain = QFontMetrics(font(Role.ROW))
        small = QFontMetrics(font(Role.META))
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

    @property
    def inset(self) -> int:
        """The distance in pixels from the edge of a row to its text."""
        return px(_PAD) - px(4)

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
        is_selected = bool(option.state & QStyle.StateFlag.State_Selected)
        is_under_mouse = bool(option.state & QStyle.StateFlag.State_MouseOver)
        if not is_selected and not is_under_mouse:
            return
        ground = self._theme.accent_soft if is_selected else self._theme.hover
        draw_box(painter, option.rect, px(4), fill=QColor(ground))
        if ground == self._theme.raised:  # in high contrast, an outline stands for the tint
            ring = focus_ring() if is_selected else 1
            draw_box(painter, option.rect, px(4), edge=QColor(self._theme.accent), width=ring)

    def _paint_choice(
        self, painter: QPainter, option: QStyleOptionViewItem, choice: Choice
    ) -> None:
        room = option.rect.adjusted(self.inset, 0, -self.inset, 0)
        left = room.left() + px(_INDENT) * choice.depth
        right = room.right()
        if choice.badge:
            right -= self._paint_badge(painter, option, room, choice.badge) + px(8)
        role = Role.ROW_STRONG if choice.strong else Role.ROW
        text_width = QFontMetrics(font(role)).horizontalAdvance(choice.text)
        keys = self._keys
        if text_width > right - left - keys - px(24):  # then only the row's own keys take room
            plain = QFontMetrics(font(Role.ROW))
            keys = plain.horizontalAdvance(choice.keys) + 2 if choice.keys else 0
        if keys:
            column = QRect(right - keys, room.top(), keys, room.height())
            self._write(painter, option, column, choice.keys, self._theme.text2)
            right -= keys + px(24)
        if choice.detail:
            small = QFontMetrics(font(Role.META))
            beside = right - left - text_width - px(12)
            most = max((right - left) // 2, beside)
            width = min(small.horizontalAdvance(choice.detail) + 4, most)
            column = QRect(right - width, room.top(), width, room.height())
            painter.setFont(font(Role.META))
            self._write(painter, option, column, choice.detail, self._theme.text2, Role.META)
            right -= width + px(12)
        own = QRect(left, room.top(), right - left, room.height())
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
        draw_box(painter, box, height / 2, fill=QColor(self._theme.mark))
        painter.setFont(small)
        painter.setPen(QColor(self._theme.mark_text))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)
        return width


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
        self._completer.setWrapAround(False)  # beyond the last row, no row would be chosen
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
