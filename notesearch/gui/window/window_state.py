"""Stores the position and the layout of the main window in a small file, and restores them."""

import binascii
import contextlib
from pathlib import Path
from typing import Any

from PySide6.QtCore import QByteArray, Qt

from notesearch import private_files
from notesearch.gui.window.main_window import MainWindow

FILE_NAME = "window.json"
_ROOM = 0.95
"""Largest share of the screen for a new window; its frame needs the rest."""

_SENSELESS = (ValueError, KeyError, TypeError, AttributeError, OverflowError)
"""The errors that reading a file may raise if ``save`` did not write it."""


def save(window: MainWindow, folder: Path) -> None:
    """Store position, size, zoom, query and sizes of panes of the window in ``folder``."""
    state = {
        "geometry": _text(window.saveGeometry()),
        "zoom": window.preview.zoom,
        "query": window.field.text,
        "preview": window.shows_preview,
        "panes": {
            "side by side": window.panes.pane_sizes(Qt.Orientation.Horizontal),
            "stacked": window.panes.pane_sizes(Qt.Orientation.Vertical),
        },
    }
    private_files.write_json(folder / FILE_NAME, state)


def restore_place(window: MainWindow, folder: Path) -> None:
    """Restore position and size of the window; without a readable file, fit it into the screen."""
    window.resize(window.sizeHint().boundedTo(window.screen().availableSize() * _ROOM))
    with contextlib.suppress(*_SENSELESS):
        state: Any = private_files.read_json(folder / FILE_NAME)
        window.restoreGeometry(QByteArray(binascii.a2b_base64(state["geometry"])))


def restore_panes(window: MainWindow, folder: Path) -> None:
    """Restore zoom and sizes of the panes after ``furnish``, if there is a readable file."""
    with contextlib.suppress(*_SENSELESS):
        state: Any = private_files.read_json(folder / FILE_NAME)
        sizes = state["panes"]
        window.panes.set_pane_sizes(Qt.Orientation.Horizontal, _sizes(sizes["side by side"]))
        window.panes.set_pane_sizes(Qt.Orientation.Vertical, _sizes(sizes["stacked"]))
        window.preview.set_zoom(int(state.get("zoom", 100)))
        window.set_preview_shown(state.get("preview") is not False)


def last_query(folder: Path) -> str:
    """Return the query that was in the field when the window was closed; empty if unknown."""
    state = private_files.read_json(folder / FILE_NAME)
    query = state.get("query") if isinstance(state, dict) else ""
    return query if isinstance(query, str) else ""


def _sizes(value: object) -> list[int]:
    if isinstance(value, list) and len(value) == 2 and all(isinstance(v, int) for v in value):
        return value
    raise ValueError(value)


def _text(geometry: QByteArray) -> str:
    return binascii.b2a_base64(geometry.data(), newline=False).decode("ascii")
