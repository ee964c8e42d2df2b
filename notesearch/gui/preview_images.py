"""Images for the preview: only files inside the vault, read in the reading thread.

The single place where what a note says leads to a picture being read.
"""

import contextlib
import re
import stat
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import unquote

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QSize, Qt
from PySide6.QtGui import QImage, QImageReader

from notesearch.gui import preview_svg

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
_SHOWN = re.compile(r'<img src="image:([^"#]*)')
MAX_SHOWN = 200
"""Pictures of one section that are read."""


@dataclass(frozen=True, slots=True)
class Pictures:
    """The pictures of one section, read.

    Attributes:
        stamps: Name, size and time of each file: what tells these pictures from others.
        images: By name; None for what is none. Others were left out for want of time.
        whole: None was left out.
    """

    stamps: tuple[tuple[str, int, int], ...] = ()
    images: Mapping[str, QImage | None] = field(default_factory=dict, compare=False)
    whole: bool = True


class VaultImages:
    """Reads the pictures that notes of one vault show; every answer is remembered."""

    def __init__(self, vault: Path) -> None:
        self._vault = vault.resolve()
        self._read: dict[Path, QImage | None] = {}

    def forget(self) -> None:
        """Read again what is asked for from now on: files may have changed."""
        self._read.clear()

    def all_of(self, html: str, note: str, seconds: float) -> Pictures:
        """Read the pictures that ``html``, of the note at ``note``, shows, for some ``seconds``."""
        until = time.monotonic() + seconds
        images: dict[str, QImage | None] = {}
        stamps: list[tuple[str, int, int]] = []
        for name in list(dict.fromkeys(_SHOWN.findall(html)))[:MAX_SHOWN]:
            if time.monotonic() > until:
                return Pictures(tuple(stamps), images, whole=False)
            target = unquote(name)
            images[target] = self.find(target, note)
            stamps.append((target, *self._stamp(target, note)))
        return Pictures(tuple(stamps), images)

    def find(self, target: str, note: str) -> QImage | None:
        """Return the picture ``target`` of the note at ``note``, or None.

        Args:
            target: A path relative to the note's folder or, as Obsidian allows, to the vault; one
                with a slash before it is always from the top of the vault.
            note: The note's path in the vault.
        """
        for file in self._files(target, note):
            if file not in self._read:
                self._read[file] = _read_image(file)
            if self._read[file] is not None:
                return self._read[file]
        return None

    def _files(self, target: str, note: str) -> list[Path]:
        target = target.split("#", maxsplit=1)[0]
        bases = [(self._vault / note).parent, self._vault]
        if target.startswith("/") and not target.startswith("//"):
            target, bases = target[1:], bases[1:]
        found = (self._inside(base, target) for base in bases)
        return [file for file in found if file is not None]

    def _stamp(self, target: str, note: str) -> tuple[int, int]:
        with contextlib.suppress(OSError):
            for file in self._files(target, note):
                status = file.stat()
                return status.st_size, status.st_mtime_ns
        return 0, 0

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
            content = file.read_bytes()
            return preview_svg.drawn(content) if preview_svg.is_svg(content) else _decode(content)
    return None


def _format(content: bytes) -> bytes | None:
    """Return what kind of picture ``content`` is, by its first bytes.

    Qt must not find out by itself: it would let its reader of SVG try, which opens other files.
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
