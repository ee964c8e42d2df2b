"""Popovers: cards inside a window that close when they lose the focus."""

import sys
from collections.abc import Callable, Container, Sequence
from typing import Any

from PySide6.QtCore import (
    QEvent,
    QItemSelectionModel,
    QModelIndex,
    QObject,
    QPoint,
    QRect,
    QSize,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import QGuiApplication, QHideEvent, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import (
    QApplication,
    QFormLayout,
    QFrame,
    QLineEdit,
    QListView,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from notesearch.gui.translation import shortcut_text, shortened, translate
from notesearch.gui.widgets.answer_texts import why_sentences
from notesearch.gui.widgets.choices import Choice, ChoiceDelegate, ChoiceModel
from notesearch.gui.widgets.controls import DropDown, PromptField, announce, text_label
from notesearch.gui.widgets.keys import KeyHint, KeyHints, Move, move_of
from notesearch.gui.widgets.search_field import SearchField
from notesearch.gui.widgets.theme import Theme, px
from notesearch.results import SectionResult

_MARGIN = 12
_FOOT = 32
_GAP = 8


def _ignore(_value: object) -> None:
    """Do nothing with what the user has chosen."""


class Popover(QWidget):
    """A card inside a window; Escape or a click outside the card closes it.

    The popover is a transparent child widget that covers the window. Because it is not a window of
    its own, the window stays active, and the position is right even on Wayland.

    Attributes:
        card: The visible part.
        column: The layout of the card, to which subclasses add their parts.
    """

    def __init__(self, window: QWidget, *, padding: int = 14) -> None:
        super().__init__(window)
        self.card = QFrame(self)
        self.card.setObjectName("popover")
        self.column = QVBoxLayout(self.card)
        self._padding = padding
        self._anchor: QWidget | None = None
        self._before: QWidget | None = None
        self.hide()

    def set_theme(self, theme: Theme) -> None:
        """Apply the sizes of the current font; a subclass may also need the colours."""
        if self.is_open:
            self.fit()
            self.place_card()

    def fit(self) -> None:
        """Apply the sizes of the current font to the parts."""
        padding = px(self._padding)
        self.column.setContentsMargins(padding, padding, padding, padding)
        self.column.setSpacing(px(min(self._padding, _GAP)))

    @property
    def is_open(self) -> bool:
        """Whether the popover is shown, or will be shown together with its window."""
        return not self.isHidden()

    def pop_up(self, focus: QWidget, anchor: QWidget | None = None) -> None:
        """Show the card below ``anchor``, or at the bottom right; ``focus`` gets the focus."""
        if not self.is_open:
            self._before = self.window().focusWidget()
            self.window().installEventFilter(self)
            QApplication.instance().focusChanged.connect(self._on_focus_changed)  # type: ignore[union-attr]
        self._anchor = anchor
        self.fit()
        self.place_card()
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

    def _restore_focus(self) -> None:
        """Focus the widget that had the focus before; if impossible, focus the search field."""
        before = self._before
        window = self.window()
        if before is None or not (before.isVisibleTo(window) and before.isEnabled()):
            before = window.findChild(SearchField)
        if before is not None:
            before.setFocus(Qt.FocusReason.PopupFocusReason)

    def preferred_size(self) -> QSize:
        """Return the preferred size of the card."""
        return self.card.sizeHint().expandedTo(self.card.minimumSize())

    def place_card(self) -> None:
        """Place the card below the anchor, or at the bottom right, where the window is in sight."""
        self.setGeometry(self.window().rect())
        margin = px(_MARGIN)
        room = self._in_sight().adjusted(margin, margin, -margin, -margin)
        size = self.preferred_size().boundedTo(room.size())
        right = room.x() + room.width() - size.width()
        bottom = room.y() + room.height() - size.height()
        mirrored = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        if self._anchor is None:
            corner = QPoint(room.x() if mirrored else right, bottom - px(_FOOT))
        else:
            left = 0 if mirrored else self._anchor.width() - size.width()
            corner = self._anchor.mapTo(self.window(), QPoint(left, self._anchor.height() + px(4)))
        corner.setX(max(room.x(), min(corner.x(), right)))
        corner.setY(max(room.y(), min(corner.y(), bottom)))
        self.card.setGeometry(corner.x(), corner.y(), size.width(), size.height())

    def _in_sight(self) -> QRect:
        """Return the part of the window that is on a screen, without the margin for its shadow.

        Wayland tells no program where its windows are, so it is the whole window there.
        """
        whole = self.window().contentsRect()
        if QGuiApplication.platformName().startswith("wayland"):
            return whole
        screens = self.screen().availableVirtualGeometry()
        on_screen = whole & screens.translated(-self.mapToGlobal(QPoint()))
        return whole if on_screen.isEmpty() else on_screen

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Adapt to a new size of the window, and close when the window is hidden."""
        if watched is self.window() and self.is_open:
            if event.type() == QEvent.Type.Resize:
                self.place_card()
            elif event.type() == QEvent.Type.Hide:
                self.close_up()
        return False

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Close on Escape. Other keys do not reach the window."""
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
_LIST_PADDING = 7


class ChoicePopover(Popover):
    """A popover with a list of choices, and a field that filters it.

    The field keeps the focus. Arrow keys move in the list, Enter chooses. One popover shows all the
    lists of a window, one after another; its accessible name says which.
    """

    def __init__(self, window: QWidget, theme: Theme) -> None:
        super().__init__(window, padding=_LIST_PADDING)
        self._theme = theme
        self._hinted: tuple[KeyHint, ...] = ()
        self._chosen: Callable[[Any], object] = _ignore
        self._opened: Callable[[Any], object] = _ignore
        self._width = 0
        self.model = ChoiceModel(self)
        self._delegate = ChoiceDelegate(theme, self)
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
        for part in (self._field, self._nothing, self.list):
            self.column.addWidget(part)
        self.column.addWidget(self._hints, 0, Qt.AlignmentFlag.AlignLeading)

    @property
    def current(self) -> Choice | None:
        """The selected choice; None without one."""
        return self.model.choice(self.list.currentIndex())

    def set_theme(self, theme: Theme) -> None:
        """Apply the colours of ``theme`` and the sizes of the current font."""
        self._theme = theme
        self._delegate.set_theme(theme)
        super().set_theme(theme)

    def fit(self) -> None:
        """Apply the sizes of the current font to the parts."""
        super().fit()
        self.list.doItemsLayout()
        self._field.fit()
        self._hints.show_hints(self._hinted, self._theme)
        self._hints.setVisible(bool(self._hinted))
        self._width = self._delegate.measure(self.model.choices)

    def shows(self, name: str) -> bool:
        """Return whether the list called ``name`` is open."""
        return self.is_open and self.accessibleName() == name

    def close_list(self, name: str) -> bool:
        """Close the list called ``name`` if it is open; return whether it was."""
        was_shown = self.shows(name)
        if was_shown:
            self.close_up()
        return was_shown

    def offer(
        self,
        name: str,
        choices: Sequence[Choice],
        chosen: Callable[[Any], object],
        *,
        prompt: str,
        opened: Callable[[Any], object] | None = None,
        nothing: str = "",
        current: int = 0,
        hints: Sequence[KeyHint] = (),
        anchor: QWidget | None = None,
    ) -> None:
        """Open the list called ``name`` below ``anchor``, or in the bottom right corner.

        ``chosen`` is called with the value of the choice that Enter or a click chooses, and
        ``opened`` if Ctrl+Enter does. ``prompt`` is the field's placeholder, ``nothing`` the text
        shown in place of no choices, ``current`` the position of the choice to select.
        """
        self.setAccessibleName(name)
        self._hinted = tuple(hints)
        self._field.clear()
        self._field.set_prompt(prompt)
        self._field.setAccessibleDescription("" if choices else nothing)
        self.list.setAccessibleName(name)
        unmatched = translate("Nothing matches")
        self._nothing.setText(unmatched if choices else nothing or unmatched)
        self.model.set_choices(choices)
        self._show_rows()
        self._select(self.model.find(current))
        self._chosen = chosen
        self._opened = opened or chosen
        self.pop_up(self._field, anchor)
        self.list.scrollTo(self.list.currentIndex(), QListView.ScrollHint.PositionAtCenter)

    def hideEvent(self, event: QHideEvent) -> None:
        """Forget what to call: the calls refer to the window, which would be a cycle."""
        super().hideEvent(event)
        self._chosen = self._opened = _ignore

    @Slot()
    def close_actions(self) -> None:
        """Close the list of actions, because one of them is triggered by its keys."""
        self.close_list(translate("Actions"))

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
        gap = px(_LIST_PADDING)
        frame = 2 * gap + 2
        width += frame
        height = frame + self._field.minimumHeight() + gap + max(px(28), shown)
        if self._hinted:
            height += gap + hints.height()
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
            call = self._opened if opened else self._chosen
            self.close_up()
            call(choice.value)


STAR_KEYS = tuple(f"Ctrl+Shift+F{number}" for number in range(1, 10))
"""The shortcuts to choose from. No other action of the windows has them."""
_STAR_WIDTH = 320


class StarPopover(Popover):
    """A form to name a query; ``saved`` carries the name and the shortcut, which may be empty."""

    saved = Signal(str, str)

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self.setAccessibleName(translate("Starred query"))
        self.name = QLineEdit()
        self.name.setPlaceholderText(translate("Optional"))
        self.keys = DropDown()
        self.button = QPushButton(translate("Save"))
        self.button.clicked.connect(self._save)
        self.button.setProperty("primary", "true")
        form = QFormLayout()
        form.setLabelAlignment(Qt.AlignmentFlag.AlignVCenter)
        for label, part in ((translate("Name"), self.name), (translate("Shortcut"), self.keys)):
            form.addRow(label, part)
            part.setAccessibleName(label)
        self.column.addWidget(text_label(self.accessibleName(), role="strong", wrap=False))
        self.column.addLayout(form)
        self.column.addWidget(self.button, 0, Qt.AlignmentFlag.AlignTrailing)

    def edit(self, name: str, keys: str, taken: Container[str], anchor: QWidget) -> None:
        """Open below ``anchor`` with ``name`` and ``keys``, without the shortcuts ``taken``."""
        self.name.setText(name)
        self.keys.clear()
        self.keys.addItem(translate("None"), "")
        for shortcut in STAR_KEYS:
            if shortcut not in taken:
                self.keys.addItem(shortcut_text(shortcut), shortcut)
        self.keys.setCurrentIndex(max(0, self.keys.findData(keys)))
        self.pop_up(self.name, anchor)
        self.name.selectAll()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Save on Enter, wherever the focus is."""
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self._save()
            event.accept()
        else:
            super().keyPressEvent(event)

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Move the focus to the next or previous widget of the popover; return True."""
        widgets: tuple[QWidget, ...] = (self.name, self.keys, self.button)
        index = next((n for n, widget in enumerate(widgets) if widget.hasFocus()), 0)
        target = widgets[(index + (1 if forward else -1)) % len(widgets)]
        target.setFocus(Qt.FocusReason.TabFocusReason)
        return True

    def fit(self) -> None:
        """Apply the sizes of the current font to the parts."""
        super().fit()
        for part in (self.name, self.keys):
            part.setMinimumHeight(px(30))
        self.card.setMinimumWidth(px(_STAR_WIDTH))

    @Slot()
    def _save(self) -> None:
        name = " ".join(self.name.text().split())
        self.close_up()
        self.saved.emit(name, self.keys.currentData())


_WHY_WIDTH = 340


class WhyPopover(Popover):
    """Says why a section is a result, or asks for a note and says why it is not a result.

    ``asked`` carries the name of the note.
    """

    asked = Signal(str)

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._title = text_label(role="strong")
        self.field = PromptField(translate("Name or heading of the missing note"))
        self.field.textEdited.connect(self._forget_answer)
        self.field.returnPressed.connect(self._ask)
        self._text = text_label(tone="text2")
        for part in (self._title, self.field, self._text):
            self.column.addWidget(part)
        self.card.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    @property
    def text(self) -> str:
        """The shown sentences, one on each line; empty before there is an answer."""
        return self._text.text()

    def explain(self, result: SectionResult, *, compared: bool) -> None:
        """Open with the reasons for ``result``; ``compared`` says if meaning was compared, too."""
        title = translate("Why “{section}” is a result", section=shortened(result.section))
        self._title.setText(title)
        self._open("\n".join(why_sentences(result, compared=compared)), self.card)

    @Slot()
    def ask(self) -> None:
        """Open with an empty field for the name of a note."""
        self._title.clear()
        self._open("", self.field)

    def answer(self, note: str, reasons: Sequence[str]) -> None:
        """Show the reasons, unless the field no longer has the name ``note``."""
        if self.is_open and note == self.field.text().strip():
            self._show("\n".join(reasons))

    def fit(self) -> None:
        """Apply the sizes of the current font to the parts."""
        super().fit()
        self.field.fit()
        for part in (self._title, self.field, self._text):
            part.setFixedWidth(px(_WHY_WIDTH))
        for label in (self._title, self._text):
            label.setMinimumHeight(0)  # the height for a width is at least this
            label.setMinimumHeight(max(0, label.heightForWidth(px(_WHY_WIDTH))))

    @Slot()
    def _forget_answer(self) -> None:
        """Hide the answer, which is about another name."""
        if self.text:
            self._show("")

    @Slot()
    def _ask(self) -> None:
        self.asked.emit(self.field.text())

    def _open(self, text: str, focus: QWidget) -> None:
        self.field.clear()
        self._title.setVisible(focus is not self.field)
        self.field.setVisible(focus is self.field)
        self._show(text)
        self.pop_up(focus)

    def _show(self, text: str) -> None:
        self._text.setText(text)
        self._text.setVisible(bool(text))
        self.card.setAccessibleName(". ".join(filter(None, (self._title.text(), text))))
        if self.is_open:
            self.fit()
            self.column.activate()
            self.place_card()
