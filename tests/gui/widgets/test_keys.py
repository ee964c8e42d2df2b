"""Keys that move the selection in a list, from the list itself or from a field above it."""

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent

from notesearch.gui.widgets.keys import Move, move_of

PLAIN = Qt.KeyboardModifier.NoModifier
PAD = Qt.KeyboardModifier.KeypadModifier
CONTROL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
KEYS = Qt.Key


@pytest.mark.parametrize(
    ("key", "modifiers", "elsewhere", "in_text"),
    [
        (KEYS.Key_Down, PLAIN, Move.DOWN, Move.DOWN),
        (KEYS.Key_PageUp, PAD, Move.PAGE_UP, Move.PAGE_UP),
        (KEYS.Key_Home, PLAIN, Move.FIRST, None),
        (KEYS.Key_End, PAD, Move.LAST, None),
        (KEYS.Key_End, CONTROL, Move.LAST, Move.LAST),
        (KEYS.Key_Home, CONTROL | PAD, Move.FIRST, Move.FIRST),
        (KEYS.Key_Home, SHIFT, None, None),
        (KEYS.Key_Down, CONTROL, None, None),
        (KEYS.Key_A, PLAIN, None, None),
    ],
)
def test_moves(
    key: Qt.Key, modifiers: Qt.KeyboardModifier, elsewhere: Move | None, in_text: Move | None
) -> None:
    event = QKeyEvent(QEvent.Type.KeyPress, key, modifiers)
    assert move_of(event, in_text=False) is elsewhere
    assert move_of(event, in_text=True) is in_text
