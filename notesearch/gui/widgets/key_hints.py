"""Key caps with labels, for the bottom of a window."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from notesearch.gui.system.shortcut.keys import native_text
from notesearch.gui.widgets import icons
from notesearch.gui.widgets.labels import text_label
from notesearch.gui.widgets.theme import Theme, px


@dataclass(frozen=True, slots=True)
class Hint:
    """Keys and the label of what they do."""

    keys: tuple[str, ...]
    label: str


class KeyHints(QWidget):
    """A row of hints."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._hints: tuple[Hint, ...] | None = None
        self._caps: list[QLabel] = []
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)

    def show_hints(self, hints: Sequence[Hint], theme: Theme) -> None:
        """Replace the hints."""
        if tuple(hints) != self._hints:
            self._hints = tuple(hints)
            self._rebuild()
        self._row.setSpacing(px(5))
        keys = [key for hint in hints for key in hint.keys]
        for label, key in zip(self._caps, keys, strict=True):
            _draw(label, key, theme)

    def _rebuild(self) -> None:
        while (item := self._row.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        self._caps = []
        for hint in self._hints or ():
            if self._row.count():
                self._row.addSpacing(px(11))
            for _ in hint.keys:
                self._caps.append(_empty_cap())
                self._row.addWidget(self._caps[-1])
            label = text_label(hint.label, role="meta", tone="text2", wrap=False)
            label.setContentsMargins(px(3), 0, 0, 0)
            self._row.addWidget(label)


def caps_of(keys: str) -> tuple[str, ...]:
    """Return the key caps of one combination in the user's language."""
    native = native_text(keys)
    if sys.platform == "darwin":
        return (native,)
    parts = QKeySequence(keys).toString().removesuffix("+").split("+")
    if len(parts) != len(native.removesuffix("+").split("+")):
        return (native,)
    arrows = {"Up": "↑", "Down": "↓", "Left": "←", "Right": "→"}
    named = native.removesuffix("+").split("+")
    return tuple(arrows.get(own, name or "+") for own, name in zip(parts, named, strict=True))


def cap(key: str, theme: Theme) -> QLabel:
    """Return a key cap; arrows are drawn, because fonts draw them unevenly."""
    label = _empty_cap()
    _draw(label, key, theme)
    return label


def _empty_cap() -> QLabel:
    label = QLabel()
    label.setObjectName("keyCap")
    label.setAlignment(Qt.AlignmentFlag.AlignCenter)
    return label


def _draw(label: QLabel, key: str, theme: Theme) -> None:
    label.setFixedHeight(px(16))
    arrow = {"↑": "up", "↓": "down"}.get(key)
    if arrow:
        label.setPixmap(icons.pixmap(arrow, theme.text2, px(12), label.devicePixelRatioF(), 2.2))
        label.setAccessibleName(key)
    else:
        label.setText(key)
