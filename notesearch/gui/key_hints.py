"""Key caps with what they do, for the foot of a window."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from notesearch.gui import icons
from notesearch.gui.theme import Theme, px


@dataclass(frozen=True, slots=True)
class Hint:
    """Keys and what they do."""

    keys: tuple[str, ...]
    label: str


class KeyHints(QWidget):
    """A row of hints."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)

    def show_hints(self, hints: Sequence[Hint], theme: Theme) -> None:
        """Show ``hints`` in place of those on show."""
        self._row.setSpacing(px(5))
        while (item := self._row.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        for hint in hints:
            if self._row.count():
                self._row.addSpacing(px(11))
            for key in hint.keys:
                self._row.addWidget(cap(key, theme))
            label = QLabel(hint.label)
            label.setProperty("role", "meta")
            label.setProperty("tone", "text2")
            label.setContentsMargins(px(3), 0, 0, 0)
            self._row.addWidget(label)


def cap(key: str, theme: Theme) -> QLabel:
    """Return a key cap; arrows are drawn, as no font has them all alike."""
    made = QLabel()
    made.setObjectName("keyCap")
    made.setFixedHeight(px(16))
    made.setAlignment(Qt.AlignmentFlag.AlignCenter)
    drawn = {"↑": "up", "↓": "down"}.get(key)
    if drawn:
        made.setPixmap(icons.pixmap(drawn, theme.text2, px(12), made.devicePixelRatioF(), 2.2))
        made.setAccessibleName(key)
    else:
        made.setText(key)
    return made
