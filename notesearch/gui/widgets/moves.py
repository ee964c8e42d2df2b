"""Where keys take the selection of a list: pressed in the list, or in the field above it."""

from enum import Enum

from PySide6.QtCore import Qt


class Move(Enum):
    """Where the selection goes."""

    UP = "up"
    DOWN = "down"
    PAGE_UP = "page up"
    PAGE_DOWN = "page down"
    FIRST = "first"
    LAST = "last"
    UNFOLD = "unfold"


MOVE_KEYS = {
    Qt.Key.Key_Up: Move.UP,
    Qt.Key.Key_Down: Move.DOWN,
    Qt.Key.Key_PageUp: Move.PAGE_UP,
    Qt.Key.Key_PageDown: Move.PAGE_DOWN,
    Qt.Key.Key_Home: Move.FIRST,
    Qt.Key.Key_End: Move.LAST,
}
