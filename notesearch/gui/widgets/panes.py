"""F6: the keyboard goes round the panes of a window."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget


def go_round(panes: Sequence[QWidget], focus: QWidget | None, step: int) -> None:
    """Move the keyboard from the pane around ``focus`` to the next (1) or the previous (-1)."""
    inside = (n for n, p in enumerate(panes) if focus and (p is focus or p.isAncestorOf(focus)))
    current = next(inside, 0)
    panes[(current + step) % len(panes)].setFocus(Qt.FocusReason.ShortcutFocusReason)
