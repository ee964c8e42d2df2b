"""Images for the preview: only files inside the vault, and the boxes we draw ourselves.

The single place where what a note says leads to a file being read.
"""

import contextlib
import re
import stat
from pathlib import Path
from urllib.parse import unquote

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QImage, QImageReader, QPainter, QPen

from notesearch.gui import icons
from notesearch.gui.theme import Role, Theme, font, px

MAX_BYTES = 10 * 1024 * 1024
MAX_SIDE = 30_000
MAX_PIXELS = 60_000_000
"""Of the file; a photograph has a third of that, a picture bomb a hundred times as many."""
MAX_WIDTH = 1600
"""Pixels; wider pictures are read scaled down."""

_STARTS = {
    b"png": re.compile(rb"\x89PNG\r\n\x1a\n"),
    b"jpeg": re.compile(rb"\xff\xd8\xff"),
    b"gif": re.compile(rb"GIF8[79]a"),
    b"webp": re.compile(rb"RIFF.{4}WEBP", re.DOTALL),
    b"bmp": re.compile(rb"BM"),
}
_BOX = 12


class VaultImages:
    """Reads the pictures that notes of one vault show; every answer is remembered."""

    def __init__(self, vault: Path) -> None:
        self._vault = vault.resolve()
        self._read: dict[Path, QImage | None] = {}

    def forget(self) -> None:
        """Read again what is asked for from now on: files may have changed."""
        self._read.clear()

    def find(self, target: str, note: str) -> QImage | None:
        """Return the picture ``target`` of the note at ``note``, or None.

        Args:
            target: A path relative to the note's folder or, as Obsidian allows, to the vault.
            note: The note's path in the vault.
        """
        folder = (self._vault / note).parent
        for base in (folder, self._vault):
            file = self._inside(base, target.split("#", maxsplit=1)[0])
            if file is None:
                continue
            if file not in self._read:
                self._read[file] = _read_image(file)
            if self._read[file] is not None:
                return self._read[file]
        return None

    def _inside(self, base: Path, target: str) -> Path | None:
        """Return the file that ``target`` really is when it lies in the vault."""
        # Network paths must be refused before anything touches them: on Windows the very look
        # sends the user's credentials.
        if not target or target.startswith(("/", "\\")) or "\\" in target or ":" in target:
            return None
        with contextlib.suppress(OSError, ValueError, RuntimeError):
            file = (base / target).resolve(strict=True)
            if file.is_relative_to(self._vault):
                return file
        return None


def _read_image(file: Path) -> QImage | None:
    with contextlib.suppress(OSError):
        status = file.stat()
        if stat.S_ISREG(status.st_mode) and 0 < status.st_size <= MAX_BYTES:
            return _decode(file.read_bytes())
    return None


def _format(content: bytes) -> bytes | None:
    """Return what kind of picture ``content`` is, by its first bytes.

    Qt must not find out by itself: it would let the reader of SVG try, which opens other files.
    """
    found = (kind for kind, start in _STARTS.items() if start.match(content))
    return next(found, None)


def _decode(content: bytes) -> QImage | None:
    kind = _format(content)
    if kind is None:
        return None
    stored = QByteArray(content)
    source = QBuffer(stored)
    source.open(QIODevice.OpenModeFlag.ReadOnly)
    reader = QImageReader(source, QByteArray(kind))
    reader.setAutoDetectImageFormat(False)
    reader.setAutoTransform(True)
    size = reader.size()
    if not size.isValid() or max(size.width(), size.height()) > MAX_SIDE:
        return None
    if size.width() * size.height() > MAX_PIXELS:
        return None
    if size.width() > MAX_WIDTH:
        wanted = QSize(MAX_WIDTH, MAX_SIDE)
        reader.setScaledSize(size.scaled(wanted, Qt.AspectRatioMode.KeepAspectRatio))
    image = reader.read()
    return None if image.isNull() else image


def fitted(image: QImage, wanted: int, room: int, ratio: float) -> QImage:
    """Return ``image`` as wide as the note asks and there is room for, smooth on this screen.

    Args:
        image: As it was read.
        wanted: Width in device independent pixels; 0 for the picture's own.
        room: The same for the text it stands in.
        ratio: Device pixels of one of them.
    """
    width = min(wanted or image.width(), max(room, 1))
    if width == image.width() and ratio == 1:
        return image
    if round(width * ratio) > image.width() and not wanted:
        return image
    smooth = Qt.TransformationMode.SmoothTransformation
    scaled = image.scaledToWidth(max(1, round(width * ratio)), smooth)
    scaled.setDevicePixelRatio(ratio)
    return scaled


def drawn(name: str, theme: Theme, ratio: float) -> QImage:
    """Return what ``ui:name`` shows: the box of a task, or a note about a missing picture."""
    kind, _, about = name.partition("/")
    if kind == "remote":
        return _label(f"Image from the internet, not loaded · {unquote(about)}", theme, ratio)
    if kind == "missing":
        name = unquote(about).rpartition("/")[2]
        return _label(f"Image not found · {name}", theme, ratio)
    return _task_box(kind, theme, ratio)


def _canvas(width: int, height: int, ratio: float) -> QImage:
    image = QImage(QSize(width, height) * ratio, QImage.Format.Format_ARGB32_Premultiplied)
    image.setDevicePixelRatio(ratio)
    image.fill(Qt.GlobalColor.transparent)
    return image


def _task_box(state: str, theme: Theme, ratio: float) -> QImage:
    side = px(_BOX)
    image = _canvas(side + px(4), side, ratio)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    square = QRectF(0.5, 0.5, side - 1, side - 1)
    done = state == "checked"
    painter.setPen(QPen(QColor(theme.accent if done else theme.border_strong), 1))
    painter.setBrush(QColor(theme.accent) if done else Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(square, px(3), px(3))
    strokes = {
        "checked": ((0.24, 0.53), (0.43, 0.71), (0.76, 0.31)),
        "cancelled": ((0.28, 0.5), (0.72, 0.5)),
        "started": ((0.3, 0.7), (0.7, 0.3)),
    }.get(state, ())
    pen = QPen(QColor(theme.accent_text if done else theme.text2), max(1.4, side / 8))
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    painter.setPen(pen)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawPolyline([QPointF(x * side, y * side) for x, y in strokes])
    painter.end()
    return image


def _label(text: str, theme: Theme, ratio: float) -> QImage:
    """Draw ``text`` in a rounded box with a picture's outline before it."""
    face: QFont = font(Role.META)
    metrics = QFontMetrics(face)
    text = metrics.elidedText(text, Qt.TextElideMode.ElideRight, px(420))
    icon, gap, height = px(14), px(8), metrics.height() + px(10)
    image = _canvas(metrics.horizontalAdvance(text) + icon + 3 * gap, height, ratio)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    frame = QRectF(0.5, 0.5, image.width() / ratio - 1, height - 1)
    painter.setPen(QPen(QColor(theme.border), 1))
    painter.setBrush(QColor(theme.code))
    painter.drawRoundedRect(frame, px(4), px(4))
    painter.drawPixmap(gap, (height - icon) // 2, icons.pixmap("image", theme.text3, icon, ratio))
    painter.setPen(QColor(theme.text2))
    painter.setFont(face)
    painter.drawText(frame.adjusted(icon + 2 * gap, 0, 0, 0), Qt.AlignmentFlag.AlignVCenter, text)
    painter.end()
    return image
