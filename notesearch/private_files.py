"""Creates folders and files that no other user of the computer can open.

Modes are given at creation, because the process may not be ours: its umask has to stay. SQLite's
logs and memory files take the mode of their database.

On Windows a folder of the user's profile is closed to other users, and so is all in it. A folder
elsewhere is created with an access list of the user and the administrators, which Python 3.11.10,
3.12.4 and later set for the mode 0700; the files in it inherit the list.
"""

import contextlib
import os
import stat
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, cast

_FOLDER, _FILE = 0o700, 0o600
_OTHERS = 0o077
_NO_WAIT = getattr(os, "O_NONBLOCK", 0)
"""A pipe in the place of a file is an error at once, instead of waiting for its reader."""


def make_folder(folder: Path) -> None:
    """Create ``folder`` and its missing parents.

    Raises:
        OSError: It cannot be created, or a file has its name.
    """
    if not folder.parent.exists():
        make_folder(folder.parent)
    folder.mkdir(_FOLDER, exist_ok=True)


def make_file(file: Path) -> None:
    """Create ``file`` empty if it is missing; an existing file is not opened.

    Raises:
        OSError: It cannot be created.
    """
    with contextlib.suppress(FileExistsError):
        os.close(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _FILE))


def opened(file: Path, mode: str) -> BinaryIO:
    """Open ``file`` for writing, in a binary ``mode`` of the function ``open``.

    Raises:
        OSError: It cannot be opened.
    """
    return cast("BinaryIO", open(file, mode, opener=opener))


def opener(file: str, flags: int) -> int:
    """Open or create ``file``, as the function ``open`` asks an opener for; return a descriptor."""
    descriptor = os.open(file, flags | _NO_WAIT, _FILE)
    if sys.platform != "win32" and os.fstat(descriptor).st_mode & _OTHERS:
        with contextlib.suppress(OSError):  # the drive keeps no modes
            os.fchmod(descriptor, _FILE)
    return descriptor


def write(file: Path, content: bytes) -> None:
    """Write ``content`` to ``file``.

    Raises:
        OSError: It cannot be written.
    """
    with opened(file, "wb") as writing:
        writing.write(content)


def tighten(folder: Path, *, deep: bool = True) -> None:
    """Take what this user owns in ``folder`` away from others, and the folder itself.

    Links are not followed. Without ``deep`` the folders in it are left alone.
    """
    if sys.platform == "win32":
        return
    with contextlib.suppress(OSError):
        for entry in _own(folder):
            if not entry.is_dir(follow_symlinks=False):
                _close(Path(entry.path), entry.stat(follow_symlinks=False).st_mode)
            elif deep:
                tighten(Path(entry.path))
        _close(folder, folder.stat().st_mode)


def _own(folder: Path) -> Iterator["os.DirEntry[str]"]:
    with os.scandir(folder) as entries:
        for entry in entries:
            status = entry.stat(follow_symlinks=False)
            if status.st_uid == os.geteuid() and stat.S_IFMT(status.st_mode) in _KINDS:
                yield entry


_KINDS = (stat.S_IFDIR, stat.S_IFREG)


def _close(path: Path, mode: int) -> None:
    if mode & _OTHERS:
        with contextlib.suppress(OSError):
            path.chmod(stat.S_IMODE(mode) & ~_OTHERS)


def is_private(folder: Path) -> bool:
    """Return whether no other user can open ``folder``, as far as its mode tells.

    A drive without permissions (FAT, exFAT) keeps no modes, and neither do some network drives.
    Windows has no modes; there this returns True.
    """
    try:
        return sys.platform == "win32" or not folder.stat().st_mode & _OTHERS
    except OSError:
        return True
