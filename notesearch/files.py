"""Opens files that other programs made: only regular files, and only up to a size.

A pipe would make its reader wait forever, and a device has no end. ``open_inside`` opens no file
outside a folder, even if a part of its path becomes a link meanwhile.
"""

import errno
import json
import os
import re
import stat
import sys
from io import BufferedReader
from pathlib import Path
from typing import Any

SMALL = 1 << 20
"""The maximum number of bytes of a file that has only a list, settings or a description."""

_READ = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
_NO_LINK = getattr(os, "O_NOFOLLOW", 0)
_FOLDER = getattr(os, "O_PATH", os.O_RDONLY) | getattr(os, "O_DIRECTORY", 0)

_OPENS_BESIDE = os.open in os.supports_dir_fd
"""Whether a file can be opened relative to an open folder."""

_DEEP_KEY = re.compile(
    r"""(?:^|[{,])[ \t\[]*+(?:(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+){32}""",
    re.MULTILINE,
)
"""A key of TOML with so many dots that Python's reader takes seconds for a few thousand of them."""


def expanded(path: Path | str) -> Path:
    """Return ``path`` with the home folder for ``~``; ``~unknown`` stays, unlike in ``pathlib``."""
    return Path(os.path.expanduser(path))  # noqa: PTH111


def real(path: Path | str) -> Path:
    """Return ``path`` absolute, ``expanded`` and without links; a loop of links stays."""
    return Path(os.path.realpath(expanded(path)))


def open_ordinary(file: Path) -> BufferedReader:
    """Open an ordinary file for reading; raises OSError for anything else."""
    return _ordinary(os.open(file, _READ), str(file))


def read_bytes(file: Path, limit: int = SMALL) -> bytes:
    """Return the bytes of an ordinary file of at most ``limit`` bytes; raises OSError."""
    with open_ordinary(file) as opened:
        return _content(opened, str(file), limit)


def read_text(file: Path, limit: int = SMALL) -> str:
    """Return the text of a file in UTF-8; raises as ``read_bytes``, or UnicodeDecodeError."""
    return read_bytes(file, limit).decode("utf-8-sig")


def read_json(file: Path, limit: int = SMALL) -> object:
    """Return the value in a JSON file; raises as ``read_bytes``, or ValueError."""
    return parse_json(read_text(file, limit))


def parse_json(text: str) -> Any:  # noqa: ANN401 - a value of any type
    """Return the value of the JSON in ``text``; raises ValueError, also if nested too deeply."""
    try:
        return json.loads(text)
    except RecursionError as error:
        raise ValueError(_TOO_DEEP) from error


def parse_toml(text: str) -> dict[str, Any]:
    """Return the table of the TOML in ``text``, in linear time; raises ValueError."""
    import tomllib  # most processes read no TOML

    if _DEEP_KEY.search(text):
        raise ValueError(_TOO_DEEP)
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        raise
    except RecursionError as error:
        raise ValueError(_TOO_DEEP) from error
    except ValueError as error:  # Python converts 4,300 digits at most
        raise ValueError("a number in it is too long") from error


_TOO_DEEP = "it is nested too deeply"


def open_inside(folder: Path, path: str, *, follow: bool = False) -> int:
    """Open the file at ``path`` in ``folder`` for reading; return its descriptor.

    With ``follow``, links are followed, even out of the folder; else OSError is raised for a link.
    """
    if follow:
        return os.open(f"{folder}/{path}", _READ)
    *above, name = path.split("/")
    if {"", ".", ".."} & {*above, name}:
        raise OSError(errno.EINVAL, "Not a path in the folder", path)
    if not _OPENS_BESIDE:
        return _open_and_verify(folder, path)
    at = os.open(folder, _FOLDER)
    try:
        for part in above:
            below = os.open(part, _FOLDER | _NO_LINK, dir_fd=at)
            os.close(at)
            at = below
        return os.open(name, _READ | _NO_LINK, dir_fd=at)
    finally:
        os.close(at)


def read_inside(folder: Path, path: str, limit: int) -> bytes:
    """Return the content of the ordinary file at ``path``, as ``open_inside`` opens it."""
    with _ordinary(open_inside(folder, path), path) as opened:
        return _content(opened, path, limit)


def names_drive(path: str) -> bool:
    """Return whether ``path`` may name a drive (``C:``) or a stream (``a.md:b``) on Windows."""
    return ":" in path and os.name == "nt"


def _ordinary(descriptor: int, name: str) -> BufferedReader:
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(errno.EINVAL, "Not an ordinary file", name)
    return os.fdopen(descriptor, "rb")


def _content(opened: BufferedReader, name: str, limit: int) -> bytes:
    content = opened.read(limit + 1)
    if len(content) > limit:
        raise OSError(errno.EFBIG, f"Larger than {limit:,} bytes", name)
    return content


def _open_and_verify(folder: Path, path: str) -> int:
    """Open a file, then check that it is in ``folder``; for systems without ``dir_fd``."""
    descriptor = os.open(f"{folder}/{path}", _READ)
    is_inside = False
    try:
        is_inside = _real_path(descriptor).is_relative_to(os.path.realpath(folder))
    finally:
        if not is_inside:
            os.close(descriptor)
    if not is_inside:
        raise OSError(errno.ELOOP, "It leads out of the folder", path)
    return descriptor


def _real_path(descriptor: int) -> Path:
    """Return the path of an open file, as Windows reports it; raise OSError if it does not."""
    if sys.platform != "win32":
        raise OSError(errno.ENOSYS, "This system does not say where an open file is")
    import ctypes
    import msvcrt

    name = ctypes.create_unicode_buffer(1 << 15)
    handle = ctypes.c_void_p(msvcrt.get_osfhandle(descriptor))
    if not ctypes.windll.kernel32.GetFinalPathNameByHandleW(handle, name, len(name), 0):
        raise ctypes.WinError()
    return Path(_without_prefix(name.value))


_LONG = "\\\\?\\"
_LONG_SHARE = "\\\\?\\UNC\\"
"""Windows' prefixes of a path that may be long, and of such a path on another computer."""


def _without_prefix(path: str) -> str:
    if path.startswith(_LONG_SHARE):
        return rf"\\{path.removeprefix(_LONG_SHARE)}"
    return path.removeprefix(_LONG)
