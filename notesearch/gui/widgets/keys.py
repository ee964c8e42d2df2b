"""Keys: hints that show them, keys that move the selection or the focus, and repeated keys."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from notesearch.gui.translation import shortcut_text
from notesearch.gui.widgets import icons
from notesearch.gui.widgets.controls import set_margins, text_label
from notesearch.gui.widgets.theme import Theme, px

_KEYS = {QEvent.Type.ShortcutOverride, QEvent.Type.KeyPress, QEvent.Type.KeyRelease}


class KeyRepeatFilter(QObject):
    """Marks the repeated presses of a held key in ``window`` as auto-repeat.

    On X11, a held key sends a release and a press event with the same time. If these do not arrive
    together, Qt takes the press for a new one, and Enter would open a section again and again.
    """

    def __init__(self, window: QWidget, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._window = window
        self._released = 0, 0
        # Shortcuts are matched before a widget gets the key, so filter at the native window.
        (window.windowHandle() or window).installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Mark presses as auto-repeat that Qt takes for new ones."""
        if watched is self._window:
            if event.type() == QEvent.Type.Show:
                self._window.removeEventFilter(self)
                self._window.windowHandle().installEventFilter(self)
            return False
        if event.type() not in _KEYS or not isinstance(event, QKeyEvent):
            return False
        key_and_time = event.key(), event.timestamp()
        if event.type() == QEvent.Type.KeyRelease:
            self._released = key_and_time
            return False
        if key_and_time != self._released or not event.timestamp() or event.isAutoRepeat():
            return False
        is_press = event.type() == QEvent.Type.KeyPress
        if self._is_once(event):
            event.accept()  # so that it triggers no shortcut
            return True
        if is_press:
            pressed = event.type(), event.key(), event.modifiers(), event.text()
            repeated = QKeyEvent(*pressed, True)
            repeated.setTimestamp(event.timestamp())
            QCoreApplication.sendEvent(watched, repeated)
        return is_press

    def _is_once(self, event: QKeyEvent) -> bool:
        """Return whether the key belongs to a shortcut that must not repeat."""
        pressed = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        keys = QKeySequence(pressed.value | event.key())
        for action in self._window.actions():
            if keys in action.shortcuts():
                return not action.autoRepeat()
        shortcuts = self._window.findChildren(QShortcut)
        return any(keys == other.key() and not other.autoRepeat() for other in shortcuts)


class Move(Enum):
    """How a key moves the selection in the result list; ``UNFOLD`` shows more of a note instead."""

    UP = "up"
    DOWN = "down"
    PAGE_UP = "page up"
    PAGE_DOWN = "page down"
    FIRST = "first"
    LAST = "last"
    UNFOLD = "unfold"


_MOVES = {
    Qt.Key.Key_Up: Move.UP,
    Qt.Key.Key_Down: Move.DOWN,
    Qt.Key.Key_PageUp: Move.PAGE_UP,
    Qt.Key.Key_PageDown: Move.PAGE_DOWN,
    Qt.Key.Key_Home: Move.FIRST,
    Qt.Key.Key_End: Move.LAST,
}
_ENDS = {Qt.Key.Key_Home, Qt.Key.Key_End}


def move_of(event: QKeyEvent, *, in_text: bool) -> Move | None:
    """Return how a key moves the selection in a list; None for other keys.

    With ``in_text``, the focused field has text, in which Home and End move without Ctrl.
    """
    key = Qt.Key(event.key())
    modifiers = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
    is_jump = key in _ENDS and modifiers == Qt.KeyboardModifier.ControlModifier
    is_plain = not modifiers and not (key in _ENDS and in_text)
    return _MOVES.get(key) if is_jump or is_plain else None


def focus_next_pane(panes: Sequence[QWidget], focus: QWidget | None, step: int) -> None:
    """Focus the pane after (1) or before (-1) the pane that contains ``focus``, as F6 does."""
    inside = (n for n, p in enumerate(panes) if focus and (p is focus or p.isAncestorOf(focus)))
    current = next(inside, 0)
    panes[(current + step) % len(panes)].setFocus(Qt.FocusReason.ShortcutFocusReason)


@dataclass(frozen=True, slots=True)
class KeyHint:
    """Some keys, and a label that says what they do."""

    keys: tuple[str, ...]
    label: str


class KeyHints(QWidget):
    """A row of key hints."""

    def __init__(self) -> None:
        super().__init__()
        self._hints: tuple[KeyHint, ...] = ()
        self._parts: list[QWidget] = []  # one widget for each hint
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)

    def show_hints(self, hints: Sequence[KeyHint], theme: Theme) -> None:
        """Show ``hints`` in place of the present hints, in the colours of ``theme``.

        If only the colours differ, the widgets stay, because new ones take milliseconds.
        """
        wanted = tuple(hints), px(16)
        if wanted == (self._hints, self._row.spacing()):
            draw_caps(self, theme)
            return
        for part in self._parts:
            self._row.removeWidget(part)
            part.hide()
            part.deleteLater()
        self._hints = wanted[0]
        self._parts = [_hint_part(hint, theme) for hint in hints]
        for part in self._parts:
            self._row.addWidget(part)
            part.show()  # a layout counts no hidden part, and shows new ones only later
        self._row.setSpacing(px(16))

    def set_theme(self, theme: Theme) -> None:
        """Apply the colours of ``theme`` and the sizes of the current font."""
        self.show_hints(self._hints, theme)

    def fit(self, room: int) -> bool:
        """Show as many hints as fit into ``room`` pixels; return whether any fits."""
        kept = list(self._parts)
        while kept and room < px(16) * (len(kept) - 1) + sum(p.sizeHint().width() for p in kept):
            kept.pop(-2 if len(kept) > 1 else -1)
        for part in self._parts:
            part.setVisible(part in kept)
        return bool(kept)


def _hint_part(hint: KeyHint, theme: Theme) -> QWidget:
    part = QWidget()
    row = QHBoxLayout(part)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(px(5))
    label = text_label(hint.label, role="meta", tone="text2", wrap=False)
    set_margins(label, px(3), 0, 0, 0)
    for widget in (*(cap(key, theme) for key in hint.keys), label):
        row.addWidget(widget)
    return part


def caps_of(keys: str) -> tuple[str, ...]:
    """Return the name of each key in a combination such as ``Ctrl+F``, in the user's language.

    On macOS, or if the names cannot be told apart, the whole combination is one name.
    """
    native = shortcut_text(keys)
    if sys.platform == "darwin":
        return (native,)
    parts = QKeySequence(keys).toString().removesuffix("+").split("+")
    if len(parts) != len(native.removesuffix("+").split("+")):
        return (native,)
    arrows = {"Up": "↑", "Down": "↓", "Left": "←", "Right": "→"}
    named = native.removesuffix("+").split("+")
    pairs = zip(parts, named, strict=True)
    return tuple(arrows.get(part, name or "+") for part, name in pairs)


def cap(key: str, theme: Theme) -> QLabel:
    """Return a key cap with the text ``key``. Arrows are icons: fonts draw them unevenly."""
    label = QLabel()
    label.setObjectName("keyCap")
    label.setAlignment(Qt.AlignmentFlag.AlignCenter)
    _draw_cap(label, key, theme)
    return label


def draw_caps(widget: QWidget, theme: Theme) -> None:
    """Draw the key caps in ``widget`` again, in the colours of ``theme`` and the font's size."""
    for label in widget.findChildren(QLabel, "keyCap"):
        _draw_cap(label, label.accessibleName() or label.text(), theme)


def _draw_cap(label: QLabel, key: str, theme: Theme) -> None:
    """Show ``key`` on the key cap ``label``: text, or an arrow in a colour of ``theme``."""
    label.setFixedHeight(px(16))
    arrow = {"↑": "up", "↓": "down"}.get(key)
    if arrow:
        label.setPixmap(icons.pixmap(arrow, theme.text2, px(12), label.devicePixelRatioF(), 2.2))
        label.setAccessibleName(key)
    else:
        label.setText(key)
