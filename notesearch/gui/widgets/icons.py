"""The icons: SVG line drawings on a 24 x 24 grid, drawn in a colour of the theme."""

from functools import lru_cache

from PySide6.QtCore import QByteArray, QRectF, QSize, Qt
from PySide6.QtGui import QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QAbstractButton, QToolButton

from notesearch.gui.widgets.theme import px

QT_GAP = 4
"""Pixels that Qt leaves between the icon and the text of a button, at any size of the font."""

_GAP = 6

_DRAWINGS = {
    "search": '<circle cx="10.5" cy="10.5" r="6.5"/><path d="M15.5 15.5 21 21"/>',
    "waiting": '<circle cx="12" cy="12" r="8" stroke-dasharray="34 17"/>',
    "clear": '<path d="M6.5 6.5l11 11M17.5 6.5l-11 11"/>',
    "menu": '<path d="M4 6.5h16M4 12h16M4 17.5h16"/>',
    "folder": '<path d="M3 5.5h6l2.2 3H21v10.5H3z"/>',
    "check": '<path d="M4.5 12.8l4.9 5L19.5 6.5"/>',
    "clock": '<circle cx="12" cy="12" r="8.5"/><path d="M12 7v5.3l3.6 2"/>',
    "pause": '<path d="M8.5 5.5v13M15.5 5.5v13"/>',
    "warning": '<path d="M12 3.8 22 20.5H2z"/><path d="M12 10v5"/><path d="M12 17.7v.4"/>',
    "sparkle": '<path d="M12 3c.9 5.6 3.4 8.1 9 9-5.6.9-8.1 3.4-9 9-.9-5.6-3.4-8.1-9-9'
    ' 5.6-.9 8.1-3.4 9-9z"/>',
    "up": '<path d="M12 20V4.5M5.8 10.5 12 4.3l6.2 6.2"/>',
    "down": '<path d="M12 4v15.5M5.8 13.5 12 19.7l6.2-6.2"/>',
    "chevron-down": '<path d="M5.5 9l6.5 6.5L18.5 9"/>',
    "chevron-up": '<path d="M5.5 15 12 8.5l6.5 6.5"/>',
    "outline": '<path d="M3.5 5.5h17M8 10h12.5M8 14.5h12.5M3.5 19h17"/>',
    "open": '<path d="M13.5 4H20v6.5M20 4 11 13"/><path d="M17.5 14v6H4V6.5h6"/>',
    "note": '<path d="M5.5 3.5h9l4 4v13h-13z"/><path d="M9 11.5h6M9 15.5h6"/>',
    "info": '<circle cx="12" cy="12" r="9"/><path d="M12 11v5.5M12 7.6v.3"/>',
    "help": '<circle cx="12" cy="12" r="9"/><path d="M12 16.8v.3"/>'
    '<path d="M9.2 9.6a2.8 2.8 0 1 1 4.3 2.4c-1 .6-1.5 1.1-1.5 2.1"/>',
    "bulb": '<path d="M9 17.5c0-3-3-4-3-8a6 6 0 0 1 12 0c0 4-3 5-3 8z"/><path d="M10 21h4"/>',
    "stop": '<path d="M8.3 3h7.4L21 8.3v7.4L15.7 21H8.3L3 15.7V8.3z"/><path d="M12 7.5v5.5"/>'
    '<path d="M12 16.3v.3"/>',
    "image": '<path d="M3.5 5h17v14h-17z"/><path d="M3.5 16l5-5 4.5 4.5 2.5-2.5 5 5"/>',
}

_FRAME = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><g fill="none" stroke="{colour}"'
    ' stroke-width="{width}" stroke-linecap="round" stroke-linejoin="round">{shapes}</g></svg>'
)


APP_DRAWING = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">'
    '<rect x="4" y="4" width="56" height="56" rx="14" fill="#2F5BD0"/>'
    '<g fill="none" stroke="#FFFFFF" stroke-width="5" stroke-linecap="round">'
    '<path d="M17 20h19M17 31h9M17 42h8" stroke="#BFD0FF"/>'
    '<circle cx="37" cy="35" r="9.5"/><path d="M44.5 42.5 50 48"/></g></svg>'
)
"""The program's own icon as an SVG document."""


def svg(name: str, colour: str, width: float = 1.8) -> str:
    """Return the icon ``name`` as an SVG document; its strokes are ``width`` of 24 units wide."""
    return _FRAME.format(colour=colour, width=width, shapes=_DRAWINGS[name])


@lru_cache(maxsize=256)
def pixmap(name: str, colour: str, size: int, ratio: float = 1.0, width: float = 1.8) -> QPixmap:
    """Return the icon ``name`` in strokes of ``colour``.

    ``size`` is the side in device independent pixels; each has ``ratio`` device pixels. ``width``
    is the width of the strokes, on a grid of 24 x 24.
    """
    return _drawn(svg(name, colour, width), size, ratio)


def app_icon() -> QIcon:
    """Return the program's own icon."""
    result = QIcon()
    for size in (16, 24, 32, 48, 64, 128, 256):
        result.addPixmap(_drawn(APP_DRAWING, size))
    return result


@lru_cache(maxsize=256)
def icon(name: str, colour: str, size: int, gap: int = 0, start: int = 0) -> QIcon:
    """Return the icon ``name``, sharp on screens with pixel ratios of 1, 2 and 3.

    All lengths are device independent pixels: ``size`` is the width of the drawing, ``gap`` the
    room beside it, and ``start`` the part of that room at the left.
    """
    result = QIcon()
    for ratio in (1.0, 2.0, 3.0):
        result.addPixmap(_drawn(svg(name, colour), size, ratio, size + gap, start))
    return result


def set_icon(button: QAbstractButton, name: str, colour: str, size: int) -> None:
    """Show the icon ``name`` on ``button``, ``size`` device-independent pixels wide."""
    beside = Qt.ToolButtonStyle.ToolButtonTextBesideIcon
    gap = 0
    if isinstance(button, QToolButton) and button.toolButtonStyle() == beside:
        gap = max(0, px(_GAP) - QT_GAP)
    button.setIcon(icon(name, colour, size, gap, gap if button.isRightToLeft() else 0))
    button.setIconSize(QSize(size + gap, size))


def _drawn(document: str, size: int, ratio: float = 1.0, width: int = 0, start: int = 0) -> QPixmap:
    image = QPixmap(QSize(width or size, size) * ratio)
    image.setDevicePixelRatio(ratio)
    image.fill(Qt.GlobalColor.transparent)
    with QPainter(image) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        QSvgRenderer(QByteArray(document.encode())).render(painter, QRectF(start, 0, size, size))
    return image
