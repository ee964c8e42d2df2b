"""Where the window was and how it was divided, kept in a small file of the program's own."""

import binascii
import contextlib
from pathlib import Path
from typing import Any

from PySide6.QtCore import QByteArray, Qt

from notesearch.gui.system import json_file
from notesearch.gui.window.main_window import MainWindow

FILE_NAME = "window.json"
_ROOM = 0.95
"""Of a screen, for a new window: the rest is for its frame."""

_SENSELESS = (ValueError, KeyError, TypeError, AttributeError, OverflowError)
"""What a file raises that holds something else than ``save`` wrote."""


def save(window: MainWindow, folder: Path) -> None:
    """Remember the window's place and the width of its panes in ``folder``."""
    state = {
        "geometry": _text(window.saveGeometry()),
        "zoom": window.preview.zoom,
        "preview": window.shows_preview,
        "panes": {
            "side by side": window.panes.pane_sizes(Qt.Orientation.Horizontal),
            "stacked": window.panes.pane_sizes(Qt.Orientation.Vertical),
        },
    }
    json_file.write(folder / FILE_NAME, state)


def restore_place(window: MainWindow, folder: Path) -> None:
    """Put the window where it was; without a file that makes sense it has room on the screen."""
    window.resize(window.sizeHint().boundedTo(window.screen().availableSize() * _ROOM))
    with contextlib.suppress(*_SENSELESS):
        state: Any = json_file.read(folder / FILE_NAME)
        window.restoreGeometry(QByteArray(binascii.a2b_base64(state["geometry"])))


def restore_panes(window: MainWindow, folder: Path) -> None:
    """Divide the furnished window as it was, likewise."""
    with contextlib.suppress(*_SENSELESS):
        state: Any = json_file.read(folder / FILE_NAME)
        sizes = state["panes"]
        window.panes.set_pane_sizes(Qt.Orientation.Horizontal, _sizes(sizes["side by side"]))
        window.panes.set_pane_sizes(Qt.Orientation.Vertical, _sizes(sizes["stacked"]))
        window.preview.set_zoom(int(state.get("zoom", 100)))
        window.set_preview_shown(state.get("preview") is not False)


def _sizes(value: object) -> list[int]:
    if isinstance(value, list) and len(value) == 2 and all(isinstance(v, int) for v in value):
        return value
    raise ValueError(value)


def _text(geometry: QByteArray) -> str:
    return binascii.b2a_base64(geometry.data(), newline=False).decode("ascii")
