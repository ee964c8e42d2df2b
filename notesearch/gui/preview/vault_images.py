"""Reads pictures for the preview, in the reading thread, from files inside the vault only.

``document_images`` draws these and all others.
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

from notesearch.files import names_drive, open_inside, read_inside
from notesearch.gui.preview.svg import DrawingProcess, declared_size, is_svg

MAX_BYTES = 10 * 1024 * 1024
MAX_SIDE = 30_000
MAX_PIXELS = 60_000_000
"""Maximum pixels of a file. A photograph has a third of that; decompression bombs have far more."""
MAX_WIDTH = 1600
"""Maximum width in pixels. Wider pictures are scaled down while they are read."""
MAX_PICTURES = 200
"""Maximum number of pictures that are read for one section."""
MAX_TOTAL_PIXELS = 40_000_000
"""Maximum number of pixels of all pictures shown in one section, at four bytes each."""
QUICK_PIXELS = 500_000
"""Pictures of up to this many pixels are read before the text is shown, larger ones afterwards."""

_LARGE_PIXELS = 8_000_000
"""A picture that still has more pixels at the width of the text is made smaller."""
_HEADER_BYTES = 1 << 16
_SVG = b"svg"
_SIGNATURES = {
    b"png": re.compile(rb"\x89PNG\r\n\x1a\n"),
    b"jpeg": re.compile(rb"\xff\xd8\xff"),
    b"gif": re.compile(rb"GIF8[79]a"),
    b"webp": re.compile(rb"RIFF.{4}WEBP", re.DOTALL),
    b"bmp": re.compile(rb"BM"),
}
_IMAGE_TAG = re.compile(r'<img src="image:([^"#]*)')


@dataclass(frozen=True, slots=True)
class Pictures:
    """The pictures of one section.

    Attributes:
        stamps: One for each file: its target (the path as the note writes it), its size in bytes
            and its time of change in nanoseconds; both numbers are 0 if the file is missing. So a
            file that changes gets another stamp.
        images: The pictures by target; None for a file that is missing or not a picture.
        sizes: The known sizes in pixels by target, also of pictures that were left out.
        complete: False if pictures were left out because they would take too long.
        formulas: The drawings of formulas, as in ``FormulaPainter.drawings``.
    """

    stamps: tuple[tuple[str, int, int], ...] = ()
    images: Mapping[str, QImage | None] = field(default_factory=dict, compare=False)
    sizes: Mapping[str, QSize] = field(default_factory=dict, compare=False)
    complete: bool = True
    formulas: Mapping[str, bytes] = field(default_factory=dict, compare=False)


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits for reading the pictures of a section.

    Attributes:
        seconds: Time for all pictures together; after that, the rest is left out.
        pixels: Pictures with more pixels are left out.
        is_outdated: Returns whether the pictures are no longer needed.
    """

    seconds: float
    pixels: int = MAX_PIXELS
    is_outdated: Callable[[], bool] = bool


class VaultImages:
    """Reads the pictures in the notes of ``vault``, and never a file outside of it.

    ``width`` is the width available to pictures, in device pixels.
    """

    def __init__(self, vault: Path, drawings: DrawingProcess, width: int = MAX_WIDTH) -> None:
        self._vault = vault.resolve()
        self._drawings = drawings
        self._width = max(1, min(width, MAX_WIDTH))

    def read_all(self, html: str, note: str, limits: Limits) -> Pictures:
        """Read the pictures in the ``html`` of the note at the path ``note``.

        The path of a picture is relative to the note's folder or, as in Obsidian, to the vault;
        with a slash at its start, only to the vault.
        """
        end = time.monotonic() + limits.seconds
        images: dict[str, QImage | None] = {}
        sizes: dict[str, QSize] = {}
        stamps: list[tuple[str, int, int]] = []
        pixels_left = MAX_TOTAL_PIXELS
        complete = True
        for name in list(dict.fromkeys(_IMAGE_TAG.findall(html)))[:MAX_PICTURES]:
            target = unquote(name)
            stamps.append((target, *self._stamp(target, note)))
            file = self._find_file(target, note)
            if file is None:
                images[target] = None
                continue
            sizes[target] = file.size
            shown = QSize(0, 0) if file.format == _SVG else _scaled(file.size, self._width)
            if shown.width() * shown.height() > pixels_left:
                continue
            seconds = end - time.monotonic()
            if seconds <= 0 or file.pixels > limits.pixels or limits.is_outdated():
                complete = False
            elif file.format != _SVG or self._drawings.ready(seconds):
                images[target] = image = self._read(file)
                pixels_left -= image.width() * image.height() if image else 0
            else:
                complete = False
        return Pictures(tuple(stamps), images, sizes, complete)

    def _read(self, file: "_ImageFile") -> QImage | None:
        with contextlib.suppress(OSError):
            content = read_inside(self._vault, file.path, MAX_BYTES)
            if file.format == _SVG:
                return self._drawings.draw(content)
            return _decode(content, file.format, self._width)
        return None

    def _find_file(self, target: str, note: str) -> "_ImageFile | None":
        return next(filter(None, map(self._inspect, self._candidates(target, note))), None)

    def _inspect(self, path: str) -> "_ImageFile | None":
        """Return the format and size of the file at ``path``; None if it is not a picture."""
        with contextlib.suppress(OSError):
            with os.fdopen(open_inside(self._vault, path), "rb") as file:
                status = os.fstat(file.fileno())
                if not stat.S_ISREG(status.st_mode) or not 0 < status.st_size <= MAX_BYTES:
                    return None
                start = file.read(_HEADER_BYTES)
                if is_svg(start):
                    return _ImageFile(path, _SVG, declared_size(start))
                kind = _format(start)
                size = _upright_size(start, kind) if kind else QSize()
                if kind and not size.isValid():
                    size = _upright_size(start + file.read(MAX_BYTES), kind)
            if kind and _is_within_limits(size):
                return _ImageFile(path, kind, size)
        return None

    def _candidates(self, target: str, note: str) -> list[str]:
        """Return the files that ``target`` may mean; “#” may be in a name, or begin an anchor."""
        folders = [(self._vault / note).parent, self._vault]
        if target.startswith("/") and not target.startswith("//"):
            target, folders = target[1:], folders[1:]
        names = dict.fromkeys((target, target.partition("#")[0]))
        paths = (self._path_inside(folder, name) for name in names for folder in folders)
        return [path for path in paths if path is not None]

    def _stamp(self, target: str, note: str) -> tuple[int, int]:
        with contextlib.suppress(OSError):
            for path in self._candidates(target, note):
                status = (self._vault / path).stat()
                return status.st_size, status.st_mtime_ns
        return 0, 0

    def _path_inside(self, folder: Path, target: str) -> str | None:
        """Return the real path of ``target`` relative to the vault; None if it is outside."""
        # Refuse network paths before touching them: on Windows, even looking for the file sends
        # the user's credentials.
        if not target or target.startswith("/") or "\\" in target or names_drive(target):
            return None
        # Touch nothing outside the vault, either: a path through "/net" contacts another computer.
        written = Path(os.path.normpath(folder / target))
        if not written.is_relative_to(self._vault):
            return None
        with contextlib.suppress(OSError, ValueError, RuntimeError):
            file = (folder / target).resolve(strict=True)
            if file.is_relative_to(self._vault):
                return file.relative_to(self._vault).as_posix()
        return None


@dataclass(frozen=True, slots=True)
class _ImageFile:
    """The path, format and size in pixels of a picture's file; the size of an SVG may be empty."""

    path: str
    format: bytes
    size: QSize

    @property
    def pixels(self) -> int:
        return max(0, self.size.width() * self.size.height())


def _is_within_limits(size: QSize) -> bool:
    width, height = size.width(), size.height()
    return size.isValid() and max(width, height) <= MAX_SIDE and width * height <= MAX_PIXELS


def _format(content: bytes) -> bytes | None:
    """Return the format of a picture by its first bytes; None if it is not supported.

    Qt must not detect the format: it would try its SVG reader, which opens other files.
    """
    matching = (kind for kind, start in _SIGNATURES.items() if start.match(content))
    return next(matching, None)


def _reader(content: bytes, kind: bytes) -> tuple[QImageReader, QBuffer]:
    source = QBuffer()
    source.setData(QByteArray(content))
    source.open(QIODevice.OpenModeFlag.ReadOnly)
    reader = QImageReader(source, QByteArray(kind))
    reader.setAutoDetectImageFormat(False)
    reader.setAutoTransform(True)
    return reader, source


def _upright_size(content: bytes, kind: bytes) -> QSize:
    """Return the size in pixels of a picture after it is turned upright, as its file says."""
    reader, _source = _reader(content, kind)
    is_turned = reader.transformation() & QImageIOHandler.Transformation.TransformationRotate90
    return reader.size().transposed() if is_turned else reader.size()


def _decode(content: bytes, kind: bytes, width: int) -> QImage | None:
    size = _upright_size(content, kind)
    if not _is_within_limits(size):
        return None
    reader, _source = _reader(content, kind)
    scaled = _scaled(size, width)
    if scaled != size:
        is_turned = size != reader.size()
        reader.setScaledSize(scaled.transposed() if is_turned else scaled)
    image = reader.read()
    return None if image.isNull() else image


def _scaled(size: QSize, width: int) -> QSize:
    """Return the size at which to read a picture of ``size``; a smaller one saves memory.

    Only a large picture gets smaller, and keeps its shape. ``width`` is the width that is available
    to pictures. All sizes are in device pixels.
    """
    keep_shape = Qt.AspectRatioMode.KeepAspectRatio
    if size.width() > MAX_WIDTH:
        size = size.scaled(QSize(MAX_WIDTH, MAX_SIDE), keep_shape)
    if size.width() * size.height() > _LARGE_PIXELS // 4 and size.width() > width:
        size = size.scaled(QSize(width, MAX_SIDE), keep_shape)
    if size.width() * size.height() > _LARGE_PIXELS:
        size *= (_LARGE_PIXELS / (size.width() * size.height())) ** 0.5
    return QSize(max(1, size.width()), max(1, size.height()))
