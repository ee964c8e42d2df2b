"""Images for the preview: only files inside the vault, read in the reading thread.

The single place where what a note says leads to a picture being read.
"""

import contextlib
import os
import re
import stat
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import unquote

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QSize, Qt
from PySide6.QtGui import QImage, QImageIOHandler, QImageReader

from notesearch.gui.preview.drawings import Drawings
from notesearch.gui.preview.svg import is_svg, shown_size

MAX_BYTES = 10 * 1024 * 1024
MAX_SIDE = 30_000
MAX_PIXELS = 60_000_000
"""Of the file; a photograph has a third of that, a picture bomb a hundred times as many."""
MAX_WIDTH = 1600
"""Pixels; wider pictures are read scaled down."""
MAX_SHOWN = 200
"""Pictures of one section that are read."""
MAX_IN_ALL = 40_000_000
"""Pixels of all pictures of one section, as they are shown; four bytes each."""
QUICK_PIXELS = 500_000
"""A picture of so many is read before the text is shown, a larger one after that."""

_TALL = 8_000_000
"""Pixels; a picture that has more when it is as wide as the text is made smaller still."""
_HEAD = 1 << 16
_DRAWING = b"svg"
_STARTS = {
    b"png": re.compile(rb"\x89PNG\r\n\x1a\n"),
    b"jpeg": re.compile(rb"\xff\xd8\xff"),
    b"gif": re.compile(rb"GIF8[79]a"),
    b"webp": re.compile(rb"RIFF.{4}WEBP", re.DOTALL),
    b"bmp": re.compile(rb"BM"),
}
_SHOWN = re.compile(r'<img src="image:([^"#]*)')


@dataclass(frozen=True, slots=True)
class Pictures:
    """The pictures of one section, read.

    Attributes:
        stamps: Name, size and time of each file: what tells these pictures from others.
        images: By name; None for what is none.
        sizes: Of the others, which were left out, where they are known.
        whole: None was left out for want of time.
    """

    stamps: tuple[tuple[str, int, int], ...] = ()
    images: Mapping[str, QImage | None] = field(default_factory=dict, compare=False)
    sizes: Mapping[str, QSize] = field(default_factory=dict, compare=False)
    whole: bool = True


@dataclass(frozen=True, slots=True)
class Patience:
    """How long pictures may take.

    Attributes:
        seconds: After that the others are left out.
        pixels: Larger ones are left out in any case.
        outdated: Whether nobody waits any more.
    """

    seconds: float
    pixels: int = MAX_PIXELS
    outdated: Callable[[], bool] = bool


class VaultImages:
    """Reads the pictures that notes of one vault show.

    Args:
        vault: Nothing outside of it is read.
        drawings: Draws those that are SVG.
        room: Width of the text they are shown in, in device pixels.
    """

    def __init__(self, vault: Path, drawings: Drawings, room: int = MAX_WIDTH) -> None:
        self._vault = vault.resolve()
        self._drawings = drawings
        self._room = max(1, min(room, MAX_WIDTH))

    def all_of(self, html: str, note: str, patience: Patience) -> Pictures:
        """Read the pictures that ``html``, of the note at ``note``, shows."""
        until = time.monotonic() + patience.seconds
        images: dict[str, QImage | None] = {}
        sizes: dict[str, QSize] = {}
        stamps: list[tuple[str, int, int]] = []
        left, whole = MAX_IN_ALL, True
        for name in list(dict.fromkeys(_SHOWN.findall(html)))[:MAX_SHOWN]:
            target = unquote(name)
            stamps.append((target, *self._stamp(target, note)))
            found = self._look(target, note)
            if found is None:
                images[target] = None
                continue
            sizes[target] = found.size
            shown = _scaled(found.size, self._room) if found.kind != _DRAWING else QSize(0, 0)
            if shown.width() * shown.height() > left:
                continue
            seconds = until - time.monotonic()
            if seconds <= 0 or found.pixels > patience.pixels or patience.outdated():
                whole = False
            elif found.kind != _DRAWING or self._drawings.ready(seconds):
                images[target] = image = self._read(found)
                left -= image.width() * image.height() if image else 0
            else:
                whole = False
        return Pictures(tuple(stamps), images, sizes, whole)

    def find(self, target: str, note: str) -> QImage | None:
        """Return the picture ``target`` of the note at ``note``, or None.

        Args:
            target: A path relative to the note's folder or, as Obsidian allows, to the vault; one
                with a slash before it is always from the top of the vault.
            note: The note's path in the vault.
        """
        found = self._look(target, note)
        return self._read(found) if found else None

    def _look(self, target: str, note: str) -> "_File | None":
        return next(filter(None, map(_looked_at, self._files(target, note))), None)

    def _read(self, found: "_File") -> QImage | None:
        with contextlib.suppress(OSError):
            content = found.path.read_bytes()
            if found.kind == _DRAWING:
                return self._drawings.drawn(content)
            return _decoded(content, found.kind, self._room)
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
        # Neither may anything outside be asked for: a path through “/net” calls another computer.
        written = Path(os.path.normpath(base / target))
        if not written.is_relative_to(self._vault):
            return None
        with contextlib.suppress(OSError, ValueError, RuntimeError):
            file = (base / target).resolve(strict=True)
            if file.is_relative_to(self._vault):
                return file
        return None


@dataclass(frozen=True, slots=True)
class _File:
    """A picture's file, of which only the beginning has been read; a drawing may tell no size."""

    path: Path
    kind: bytes
    size: QSize

    @property
    def pixels(self) -> int:
        return max(0, self.size.width() * self.size.height())


def _looked_at(path: Path) -> _File | None:
    """Return what kind of picture is in a file and how large it is; None where it is none."""
    with contextlib.suppress(OSError):
        status = path.stat()
        if not stat.S_ISREG(status.st_mode) or not 0 < status.st_size <= MAX_BYTES:
            return None
        with path.open("rb") as file:
            begun = file.read(_HEAD)
            if is_svg(begun):
                return _File(path, _DRAWING, shown_size(begun))
            kind = _format(begun)
            size = _shown_size(begun, kind) if kind else QSize()
            if kind and not size.isValid():
                size = _shown_size(begun + file.read(MAX_BYTES), kind)
        if kind and _is_bounded(size):
            return _File(path, kind, size)
    return None


def _is_bounded(size: QSize) -> bool:
    sides = (size.width(), size.height())
    return size.isValid() and max(sides) <= MAX_SIDE and sides[0] * sides[1] <= MAX_PIXELS


def _format(content: bytes) -> bytes | None:
    """Return what kind of picture ``content`` is, by its first bytes.

    Qt must not find out by itself: it would let its reader of SVG try, which opens other files.
    """
    found = (kind for kind, start in _STARTS.items() if start.match(content))
    return next(found, None)


def _reader(content: bytes, kind: bytes) -> tuple[QImageReader, QBuffer]:
    source = QBuffer()
    source.setData(QByteArray(content))
    source.open(QIODevice.OpenModeFlag.ReadOnly)
    reader = QImageReader(source, QByteArray(kind))
    reader.setAutoDetectImageFormat(False)
    reader.setAutoTransform(True)
    return reader, source


def _shown_size(content: bytes, kind: bytes) -> QSize:
    """Return how large the picture is once it stands as its camera was held."""
    reader, _source = _reader(content, kind)
    turned = reader.transformation() & QImageIOHandler.Transformation.TransformationRotate90
    return reader.size().transposed() if turned else reader.size()


def _decoded(content: bytes, kind: bytes, room: int) -> QImage | None:
    size = _shown_size(content, kind)
    if not _is_bounded(size):
        return None
    reader, _source = _reader(content, kind)
    scaled = _scaled(size, room)
    if scaled != size:
        turned = size != reader.size()
        reader.setScaledSize(scaled.transposed() if turned else scaled)
    image = reader.read()
    return None if image.isNull() else image


def _scaled(size: QSize, room: int) -> QSize:
    """Return how large to read a picture: sharp when the window grows, but not for any price."""
    shape = Qt.AspectRatioMode.KeepAspectRatio
    if size.width() > MAX_WIDTH:
        size = size.scaled(QSize(MAX_WIDTH, MAX_SIDE), shape)
    if size.width() * size.height() > _TALL // 4 and size.width() > room:
        size = size.scaled(QSize(room, MAX_SIDE), shape)
    if size.width() * size.height() > _TALL:
        size *= (_TALL / (size.width() * size.height())) ** 0.5
    return QSize(max(1, size.width()), max(1, size.height()))


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
    height = max(1, round(image.height() * width / image.width()))
    room_there = QSize(max(1, round(width * ratio)), max(1, round(height * ratio)))
    scaled = image.scaled(room_there, Qt.AspectRatioMode.IgnoreAspectRatio, smooth)
    scaled.setDevicePixelRatio(ratio)
    return scaled
