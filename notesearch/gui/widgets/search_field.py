"""The query field: it keeps the keyboard, and hands arrows and Enter on to the result list."""

from collections.abc import Iterable
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QSize, Qt, Signal
from PySide6.QtGui import QInputMethodEvent, QInputMethodQueryEvent, QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QLineEdit, QToolButton, QWidget

from notesearch.gui.translation import translate
from notesearch.gui.widgets import icons
from notesearch.gui.widgets.keyboard import MOVE_KEYS, Move
from notesearch.gui.widgets.theme import Theme, px

_ENTER = {Qt.Key.Key_Return, Qt.Key.Key_Enter}
_ENDS = {Qt.Key.Key_Home, Qt.Key.Key_End}
_STEPS = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}
_CHIP = 200

_TYPING = (
    Qt.KeyboardModifier.ShiftModifier
    | Qt.KeyboardModifier.GroupSwitchModifier
    | Qt.KeyboardModifier.KeypadModifier
)
"""What may go with a letter or a digit: AltGr is the second of them."""


@dataclass(frozen=True, slots=True)
class FieldLook:
    """Name for the style sheet, and sizes, of a search field."""

    name: str
    height: int
    left: int
    right: int
    gap: int
    glass: int
    stroke: float


BOXED = FieldLook("searchField", height=37, left=6, right=4, gap=11, glass=16, stroke=2.4)
LARGE = FieldLook("quickField", height=53, left=20, right=14, gap=12, glass=21, stroke=1.9)
"""The head of quick search: no frame of its own."""


class SearchField(QFrame):
    """A line edit with a magnifier (a ring while Enter waits for results) and a cross.

    Signals:
        text_changed: The query is another one.
        moved: The selection of the list is to go somewhere (``Move``).
        opened: Enter was pressed.
        escaped: Escape was pressed.
        recalled: A former query (-1), or the one after it (1), is wanted.
        cleared: The field was emptied of this text.
        chip_removed: The chip was clicked, or deleted as a letter is.
    """

    text_changed = Signal(str)
    moved = Signal(Move)
    opened = Signal()
    escaped = Signal()
    recalled = Signal(int)
    cleared = Signal(str)
    chip_removed = Signal()

    def __init__(
        self, theme: Theme, parent: QWidget | None = None, *, look: FieldLook = BOXED
    ) -> None:
        super().__init__(parent)
        self.setObjectName(look.name)
        self._look = look
        self._theme = theme
        self._waiting = False
        self._glass = QLabel()
        self._chip = QToolButton()
        self._chip.setObjectName("chip")
        self._chip.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._chip.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self._chip.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
        self._chip.setToolTip(translate("window", "Search all notes"))
        self._chip.clicked.connect(self.chip_removed)
        self._chip.hide()
        self._edit = QLineEdit()
        self._edit.setFrame(False)
        self._edit.setAccessibleName(translate("window", "Search your notes"))
        self._edit.installEventFilter(self)
        self._edit.textChanged.connect(self._on_text_changed)
        self._clear = QToolButton()
        self._clear.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._clear.setToolTip(translate("window", "Clear the search"))
        self._clear.setAccessibleName(translate("window", "Clear the search"))
        self._clear.clicked.connect(self.clear)
        self._row = QHBoxLayout(self)
        self._row.addWidget(self._glass)
        self._row.addWidget(self._chip)
        self._row.addWidget(self._edit, 1)
        self._row.addWidget(self._clear)
        self.setFocusProxy(self._edit)
        self.set_enabled(True)
        self.set_theme(theme)

    @property
    def text(self) -> str:
        """What stands in the field."""
        return self._edit.text()

    def set_text(self, text: str) -> None:
        """Put ``text`` into the field as if it had been typed."""
        self._edit.setText(text)

    @property
    def chip(self) -> str:
        """What is said to be searched in, if it is not everything."""
        return "" if self._chip.isHidden() else self._chip.accessibleName()

    def set_chip(self, text: str) -> None:
        """Say in front of the text where is searched; nothing where it is empty."""
        self._chip.setAccessibleName(text)
        self._chip.setVisible(bool(text))
        self._draw_chip()

    def clear(self) -> None:
        """Empty the field."""
        if self.text:
            self.cleared.emit(self.text)
        self._edit.clear()
        self._edit.setFocus()

    def focus_all(self) -> None:
        """Take the keyboard and select everything, so that typing replaces it."""
        self._edit.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._edit.selectAll()

    def type_text(self, text: str) -> None:
        """Take the keyboard and insert what was typed elsewhere in the window."""
        self._edit.setFocus(Qt.FocusReason.OtherFocusReason)
        self._edit.insert(text)

    def compose(self, event: QInputMethodEvent) -> None:
        """Show what is composed elsewhere in the window, and take what is meant by it."""
        if not self.takes_text:
            return
        shown = QInputMethodEvent(event.preeditString(), event.attributes())
        QCoreApplication.sendEvent(self._edit, shown)
        if event.commitString().strip():
            self.type_text(event.commitString())

    @property
    def takes_text(self) -> bool:
        """Something can be searched."""
        return self._edit.isEnabled()

    def take_key(self, event: QKeyEvent) -> bool:
        """Let typing anywhere in the window come here, and "/" too; tell whether it was that."""
        text = event.text()
        if not self.takes_text or event.modifiers() & ~_TYPING:
            return False
        if text == "/":
            self.focus_all()
        elif text.isprintable() and text.strip():
            self.type_text(text)
        else:
            return False
        return True

    def set_enabled(self, enabled: bool) -> None:
        """Let the user type, or say why nothing can be searched yet."""
        hint = (
            translate("window", "Search your notes")
            if enabled
            else translate("window", "Choose a folder to start searching")
        )
        self._edit.setPlaceholderText(hint)
        self._edit.setEnabled(enabled)

    def set_waiting(self, waiting: bool) -> None:
        """Show a ring instead of the magnifier while Enter waits for the results."""
        self._waiting = waiting
        self._draw_icons()

    def set_theme(self, theme: Theme) -> None:
        """Take over the colours, and the sizes of the font."""
        self._theme = theme
        look = self._look
        self._row.setContentsMargins(px(look.left), 0, px(look.right), 0)
        self._row.setSpacing(px(look.gap))
        self.setFixedHeight(px(look.height))
        self._draw_icons()
        self._draw_chip()

    def _draw_chip(self) -> None:
        metrics, text = self._chip.fontMetrics(), self._chip.accessibleName()
        shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, px(_CHIP))
        self._chip.setText(shown.replace("&", "&&"))
        self._chip.setIcon(icons.icon("clear", self._theme.text2, px(10)))
        self._chip.setIconSize(QSize(px(10), px(10)))

    def _draw_icons(self) -> None:
        theme, size, ratio = self._theme, px(self._look.glass), self.devicePixelRatioF()
        name, colour = ("waiting", theme.accent) if self._waiting else ("search", theme.text3)
        self._glass.setPixmap(icons.pixmap(name, colour, size, ratio, self._look.stroke))
        self._glass.setFixedWidth(size)
        self._clear.setIcon(icons.icon("clear", theme.text2, px(14)))
        self._clear.setVisible(bool(self.text))

    def _on_text_changed(self, text: str) -> None:
        self._clear.setVisible(bool(text))
        self.text_changed.emit(text)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Forward the keys that belong to the list before the line edit takes them."""
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            return self._forward(event)
        if event.type() in {QEvent.Type.FocusIn, QEvent.Type.FocusOut}:
            self._show_focus(event.type() == QEvent.Type.FocusIn)
        return bool(super().eventFilter(watched, event))

    def _forward(self, event: QKeyEvent) -> bool:
        key = Qt.Key(event.key())
        modifiers = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        control = modifiers == Qt.KeyboardModifier.ControlModifier
        if key in _ENTER and (not modifiers or control):
            if not event.isAutoRepeat():
                self.opened.emit()
            return True
        if key == Qt.Key.Key_Escape and not modifiers:
            self.escaped.emit()
            return True
        if control and key in _STEPS:
            self.recalled.emit(_STEPS[key])
            return True
        if key == Qt.Key.Key_Backspace and not modifiers and self._at_start and self.chip:
            self.chip_removed.emit()
            return True
        move = self._move_of(key, control=control, plain=not modifiers)
        if move is not None:
            self.moved.emit(move)
        return move is not None

    def _move_of(self, key: Qt.Key, *, control: bool, plain: bool) -> Move | None:
        """Return where a key takes the selection; others move the cursor of the text."""
        if key == Qt.Key.Key_Right:
            return Move.UNFOLD if plain and self._at_end else None
        # Home and End are of the text, unless there is none.
        moves = control or not self.text if key in _ENDS else plain
        return MOVE_KEYS.get(key) if moves else None

    @property
    def _at_start(self) -> bool:
        return not self._edit.cursorPosition() and not self._edit.hasSelectedText()

    @property
    def _at_end(self) -> bool:
        at_end = self._edit.cursorPosition() == len(self._edit.text())
        return at_end and not self._edit.hasSelectedText()

    def _show_focus(self, active: bool) -> None:
        self.setProperty("active", active)
        self.style().unpolish(self)
        self.style().polish(self)


class InputMethodRelay(QObject):
    """Hands a search field what is composed in other widgets.

    Args:
        field: Of their window.
        elsewhere: Widgets that take the keyboard, but no text.
    """

    def __init__(
        self, field: SearchField, elsewhere: Iterable[QWidget], parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._field = field
        for widget in elsewhere:
            widget.setAttribute(Qt.WidgetAttribute.WA_InputMethodEnabled)
            widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Say that text is taken, whatever the widget says, and take it."""
        if isinstance(event, QInputMethodQueryEvent):
            watched.event(event)  # where the keyboard is
            if event.queries() & Qt.InputMethodQuery.ImEnabled:
                event.setValue(Qt.InputMethodQuery.ImEnabled, self._field.takes_text)
            event.accept()
            return True
        if isinstance(event, QInputMethodEvent):
            self._field.compose(event)
            event.accept()
            return True
        return False
