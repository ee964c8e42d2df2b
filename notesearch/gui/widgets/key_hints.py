"""Pictures of keys (key caps) with labels that say what they do, for the bottom of a window."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from notesearch.gui.translation import shortcut_text
from notesearch.gui.widgets import icons
from notesearch.gui.widgets.labels import text_label
from notesearch.gui.widgets.theme import Theme, px


@dataclass(frozen=True, slots=True)
class Hint:
    """Some keys, and a label that says what they do."""

    keys: tuple[str, ...]
    label: str


class KeyHints(QWidget):
    """A row of key hints."""

    def __init__(self) -> None:
        super().__init__()
        self._hints: tuple[Hint, ...] | None = None
        self._caps: list[QLabel] = []
        self._parts: list[QWidget] = []  # one widget for each hint
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)

    @property
    def shown(self) -> list[str]:
        """The labels of the hints that are not hidden."""
        pairs = zip(self._hints or (), self._parts, strict=True)
        return [hint.label for hint, part in pairs if not part.isHidden()]

    def show_hints(self, hints: Sequence[Hint], theme: Theme) -> None:
        """Show ``hints`` in place of the present hints, in the colours of ``theme``."""
        if tuple(hints) != self._hints:
            self._hints = tuple(hints)
            self._rebuild()
        self._row.setSpacing(px(16))
        for part in self._parts:
            row = part.layout()
            if row is not None:
                row.setSpacing(px(5))
        keys = [key for hint in hints for key in hint.keys]
        for label, key in zip(self._caps, keys, strict=True):
            draw_cap(label, key, theme)

    def fit(self, room: int) -> bool:
        """Show as many hints as fit into ``room`` pixels; return whether any fits.

        The second to last hint is hidden first, then the one before it; the last hint stays
        longest.
        """
        kept = list(self._parts)
        while kept and self._width(kept) > room:
            kept.pop(-2 if len(kept) > 1 else -1)
        for part in self._parts:
            part.setVisible(part in kept)
        return bool(kept)

    def _width(self, parts: Sequence[QWidget]) -> int:
        return sum(part.sizeHint().width() for part in parts) + px(16) * (len(parts) - 1)

    def _rebuild(self) -> None:
        for part in self._parts:
            self._row.removeWidget(part)
            part.hide()
            part.deleteLater()
        self._caps, self._parts = [], []
        for hint in self._hints or ():
            part = QWidget()
            row = QHBoxLayout(part)
            row.setContentsMargins(0, 0, 0, 0)
            for _ in hint.keys:
                self._caps.append(_empty_cap())
                row.addWidget(self._caps[-1])
            label = text_label(hint.label, role="meta", tone="text2", wrap=False)
            label.setContentsMargins(px(3), 0, 0, 0)
            row.addWidget(label)
            self._parts.append(part)
            self._row.addWidget(part)


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
    label = _empty_cap()
    draw_cap(label, key, theme)
    return label


def _empty_cap() -> QLabel:
    label = QLabel()
    label.setObjectName("keyCap")
    label.setAlignment(Qt.AlignmentFlag.AlignCenter)
    return label


def draw_cap(label: QLabel, key: str, theme: Theme) -> None:
    """Show ``key`` on the key cap ``label``: text, or an arrow in a colour of ``theme``."""
    label.setFixedHeight(px(16))
    arrow = {"↑": "up", "↓": "down"}.get(key)
    if arrow:
        label.setPixmap(icons.pixmap(arrow, theme.text2, px(12), label.devicePixelRatioF(), 2.2))
        label.setAccessibleName(key)
    else:
        label.setText(key)
