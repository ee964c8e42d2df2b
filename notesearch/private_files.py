"""Creates folders and files that no other user of the computer can open.

Each file gets its mode when it is created. The umask is not changed, because the process may belong
to another program that uses the library. SQLite gives its logs and shared-memory files the mode of
their database.

On Windows, other users cannot open a folder in the user's profile. A folder elsewhere is created
with an access list of the user and the administrators if this version of Python does that for the
mode 0700.
"""

import contextlib
import json
import os
import shutil
import stat
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, cast

from notesearch import files

_FOLDER = 0o700
_FILE = 0o600
_OTHERS = 0o077
_NO_WAIT = getattr(os, "O_NONBLOCK", 0)
"""With this flag, a pipe instead of a file is an error; otherwise opening it waits for a reader."""


def make_folder(folder: Path) -> None:
    """Create ``folder`` and its missing parents if they are missing; raises OSError."""
    if not folder.parent.exists():
        make_folder(folder.parent)
    folder.mkdir(_FOLDER, exist_ok=True)


def make_file(file: Path) -> None:
    """Create ``file`` empty if it is missing; raises OSError."""
    with contextlib.suppress(FileExistsError):
        os.close(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _FILE))


def opened(file: Path, mode: str) -> BinaryIO:
    """Open ``file``, which only this user can read, in a binary ``mode``; raises OSError."""
    return cast("BinaryIO", open(file, mode, opener=opener))


def opener(file: str, flags: int) -> int:
    """Open or create ``file``, for this user only, and return its descriptor.

    It is for ``open(…, opener=opener)``.
    """
    descriptor = os.open(file, flags | _NO_WAIT, _FILE)
    if sys.platform != "win32" and os.fstat(descriptor).st_mode & _OTHERS:
        with contextlib.suppress(OSError):  # on a drive without modes
            os.fchmod(descriptor, _FILE)
    return descriptor


def write(file: Path, content: bytes) -> None:
    """Overwrite ``file``, in place, with ``content``; raises OSError."""
    with opened(file, "wb") as writing:
        writing.write(content)


def tighten(folder: Path, *, deep: bool = True) -> None:
    """Remove other users' permissions for ``folder`` and the files of this user in it.

    With ``deep``, do the same in all its subfolders.
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
    """Return whether ``folder`` excludes other users; True if that is not known.

    Drives without permissions (FAT, exFAT) and some network drives usually give False.
    """
    if sys.platform == "win32":
        return folder.is_relative_to(Path.home()) or sets_access_lists(sys.version_info)
    try:
        return not folder.stat().st_mode & _OTHERS
    except OSError:
        return True


def sets_access_lists(version: tuple[object, ...]) -> bool:
    """Return whether this ``version`` of Python can close a new folder to others on Windows."""
    return (3, 11, 10) <= version[:3] < (3, 12) or version[:3] >= (3, 12, 4)


def read_json(file: Path) -> object:
    """Return the value in ``file``; None if the file is missing, too large or invalid."""
    try:
        return files.read_json(file)
    except (OSError, ValueError):
        return None


def draft_of(file: Path) -> Path:
    """Return the file that ``write_json`` writes first, and renames to ``file`` when complete."""
    return file.with_name(f"{file.name}.new")


def replace(file: Path, content: bytes) -> None:
    """Replace the content of ``file``, completely or not at all; its mode stays; raises OSError."""
    draft = file.with_name(f"{file.name}.{os.getpid()}.new")  # another process may write it, too
    try:
        with opened(draft, "wb") as writing:
            writing.write(content)
            writing.flush()
            os.fsync(writing.fileno())
        if file.exists():
            shutil.copymode(file, draft)
        draft.replace(file)
    finally:
        draft.unlink(missing_ok=True)


def write_json(file: Path, value: object) -> None:
    """Write ``value``, whose loss does no harm, to ``file`` atomically; only log a failure."""
    try:
        make_folder(file.parent)
        draft = draft_of(file)
        write(draft, json.dumps(value, indent=1).encode())
        draft.replace(file)
    except OSError as error:
        import logging  # the command line starts faster without it

        logging.getLogger(__name__).warning("%s was not written: %s", file.name, error)
