"""A note's file: its state and bytes, whether it is inside the vault, and how its path is spelt."""

import errno
import hashlib
import os
import stat
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from notesearch.errors import NotANoteError, NoteMissingError
from notesearch.files import open_inside
from notesearch.store.folding import folded_name
from notesearch.store.rows import FileState

_LARGEST = 2**63 - 1
_NEVER = -_LARGEST

_COARSE_NS = 10_000_000
"""A time that is a multiple of this comes from a coarse clock; finer clocks rarely give one."""

_SLOWEST_CLOCK_NS = 3_000_000_000
"""Longer than the two seconds in which the clock of FAT advances."""

_LISTS_INODES = os.name != "nt"
"""Whether the listing of a folder has the files' inodes: Windows has 0 there, unlike for a file."""

_FOLDERS = 5000


@dataclass(frozen=True, slots=True)
class NoteFile:
    """A note's bytes and the state of its file before they were read."""

    content: bytes
    state: FileState

    @property
    def digest(self) -> bytes:
        """The hash of the bytes, by which the index recognises a known text."""
        return hashlib.blake2b(self.content, digest_size=16).digest()


def is_unicode(path: str) -> bool:
    """Return whether ``path`` is valid Unicode: on Linux a name may be any bytes."""
    if path.isascii():
        return True
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return True


def file_state(status: os.stat_result) -> FileState:
    """Return the state of a file from ``status``, fitted into the range of SQLite's integers."""
    sizes_and_times = (status.st_size, status.st_mtime_ns, status.st_ctime_ns)
    size, modified, changed = map(_fitting, sizes_and_times)
    # An inode that does not fit still distinguishes files after cutting off its high bits.
    inode = status.st_ino & _LARGEST if _LISTS_INODES else 0
    return FileState(size, modified, changed, inode)


def _fitting(number: int) -> int:
    return max(-_LARGEST, min(number, _LARGEST))


def look(vault: Path, path: str, *, follow: bool = False) -> FileState | None:
    """Return the state of the ordinary file at ``path``; None if there is no such file.

    A symbolic link, or a file below one, counts only with ``follow``. Raises OSError if the system
    does not report the state.
    """
    if not is_unicode(path) or (not follow and _has_linked_folder(vault, path)):
        return None
    try:
        status = os.stat(f"{vault}/{path}", follow_symlinks=follow)  # noqa: PTH116
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return None
    except OSError as error:
        if error.errno == errno.ELOOP:
            return None
        raise
    return file_state(status) if stat.S_ISREG(status.st_mode) else None


def may_hide_change(state: FileState, now: int) -> bool:
    """Return whether a file may have been saved again without changing its ``state``.

    On a USB stick (FAT), two saves of the same size within two seconds leave the same state. The
    time ``now`` is in nanoseconds since 1970.
    """
    return state.mtime_ns % _COARSE_NS == 0 and 0 <= now - state.mtime_ns < _SLOWEST_CLOCK_NS


def is_linked(vault: Path, path: str) -> bool:
    """Return whether ``path``, or a folder in it, is a link."""
    return (vault / path).is_symlink() or _has_linked_folder(vault, path)


def _has_linked_folder(vault: Path, path: str) -> bool:
    folder, _, _ = path.rpartition("/")
    while folder:
        if os.path.islink(f"{vault}/{folder}"):  # noqa: PTH114 - called for each note
            return True
        folder, _, _ = folder.rpartition("/")
    return False


def _in_one_unit(size: int, limit: int) -> tuple[str, str]:
    texts = (f"{size:,} bytes", f"{limit:,} bytes")
    for unit, name in ((1_000, "KB"), (1_000_000, "MB")):
        larger = (f"{size / unit:,.0f} {name}", f"{limit / unit:,.0f} {name}")
        if limit >= unit and larger[0] != larger[1]:
            texts = larger
    return texts


def read_file(vault: Path, path: str, limit: int, *, follow: bool = False) -> NoteFile:
    """Read the note at ``path``, never a pipe or device; links are followed only with ``follow``.

    Raises:
        OSError: The file cannot be read now.
        NotANoteError: It is larger than ``limit`` bytes, or not an ordinary file.
    """
    descriptor = open_inside(vault, path, follow=follow)
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise NotANoteError("file_special")
        if status.st_size > limit:
            size, most = _in_one_unit(status.st_size, limit)
            raise NotANoteError("file_too_large", size=size, limit=most)
        # Asking for `limit` bytes would allocate as many.
        content = os.read(descriptor, status.st_size + 1)
        if len(content) != status.st_size:  # the file is changing, or comes in parts
            with open(descriptor, "rb", closefd=False) as file:
                content += file.read(max(0, limit - len(content)))
        state = file_state(status)
        if file_state(os.fstat(descriptor)) != state:
            state = state._replace(ctime_ns=_NEVER)
        return NoteFile(content, state)
    finally:
        os.close(descriptor)


def locate(vault: Path, path: str, *, follow: bool = False) -> Path:
    """Return the file of the note at ``path``; it may be outside the vault only with ``follow``.

    Raises NoteMissingError if ``path`` is invalid, or leads out of the vault although ``follow`` is
    False.
    """
    try:
        named = Path(os.path.normpath(vault / path))
        file = named if follow and _is_behind_link(vault, named) else (vault / path).resolve()
    except (OSError, ValueError, RuntimeError) as error:
        raise NoteMissingError("note_path_invalid", path=path) from error
    if not file.is_relative_to(vault):
        raise NoteMissingError("note_outside", path=path)
    return file


def _is_behind_link(vault: Path, named: Path) -> bool:
    if not named.is_relative_to(vault):
        return False
    steps = (named, *named.parents[: len(named.parents) - len(vault.parents) - 1])
    links = [step for step in steps if step.is_symlink()]
    return bool(links) and not any(vault.is_relative_to(link.resolve()) for link in links)


def find_named(vault: Path, name: str, suffixes: Iterable[str]) -> str:
    """Return the path of the first file with this name or path, perhaps without suffix; or ""."""
    wanted = {f"{name}{suffix}".casefold() for suffix in ("", *suffixes)}
    for folder, _, files in islice(os.walk(vault), _FOLDERS):
        for file in files:
            path = Path(folder, file).relative_to(vault).as_posix()
            if path.casefold() in wanted or file.casefold() in wanted:
                return path
    return ""


def has_folder(vault: Path, path: str) -> bool:
    """Return whether the folder ``path`` exists in ``vault``, ignoring case and accents."""
    return _has_folded(vault, f"{folded_name(path).strip('/')}/")


def _has_folded(folder: Path, path: str) -> bool:
    try:
        names = [entry.name for entry in os.scandir(folder) if entry.is_dir()]
    except OSError:
        return False
    starts = ((name, f"{folded_name(name)}/") for name in names)
    return any(
        path == start or _has_folded(folder / name, path.removeprefix(start))
        for name, start in starts
        if path.startswith(start)
    )


def existing_spellings(vault: Path, paths: Iterable[str]) -> dict[str, bool]:
    """Return ``paths`` and their other spellings in the folder, each with whether it exists.

    A file system may treat ``a.md`` and ``A.md``, or two forms of ``é``, as the same file; only its
    listing shows which spelling is real.
    """
    listings: dict[str, dict[str, set[str]]] = {}
    existing: dict[str, bool] = {}
    for path in paths:
        folder, slash, name = path.rpartition("/")
        if folder not in listings:
            listings[folder] = _list_names(vault / folder)
        spellings = listings[folder].get(spelling_key(name), set())
        existing[path] = name in spellings or not spellings
        if not existing[path]:
            existing.update((f"{folder}{slash}{spelling}", True) for spelling in spellings)
    return existing


def _list_names(folder: Path) -> dict[str, set[str]]:
    names: dict[str, set[str]] = {}
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                names.setdefault(spelling_key(entry.name), set()).add(entry.name)
    except OSError:
        return {}
    return names


def spelling_key(name: str) -> str:
    """Return what all spellings share that a file system may treat as the same name."""
    return unicodedata.normalize("NFC", name.casefold())
