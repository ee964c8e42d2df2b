"""Compares the folder with what the index knows; the truth that every change is checked against."""

import fnmatch
import os
import stat
from dataclasses import dataclass, field
from pathlib import Path

from notesearch.config import Settings
from notesearch.errors import VaultMissingError
from notesearch.notes import Unread
from notesearch.store.rows import FileState

_BINARY_NULS = 0.02


@dataclass(frozen=True, slots=True)
class Listing:
    """The notes of a folder as its directories list them.

    Attributes:
        files: State of each note's file, by path.
        unlisted: Folders that could not be listed; their notes are unknown, not gone.
        skipped: Files that cannot be notes, and why.
    """

    files: dict[str, FileState] = field(default_factory=dict)
    unlisted: tuple[str, ...] = ()
    skipped: tuple[Unread, ...] = ()


@dataclass(frozen=True, slots=True)
class NoteFile:
    """A note's bytes, read whole, and the file's state while they were read."""

    content: bytes
    state: FileState


def is_note(name: str, settings: Settings) -> bool:
    """Return whether a file called ``name`` is a note."""
    return name.lower().endswith(settings.suffixes) and not is_ignored(name, settings)


def is_note_path(path: str, settings: Settings) -> bool:
    """Return whether ``path``, relative to the vault, is a note in no folder that is left out."""
    *folders, name = path.split("/")
    return is_note(name, settings) and not any(is_ignored(part, settings) for part in folders)


def is_ignored(name: str, settings: Settings) -> bool:
    """Return whether the settings leave out files and folders called ``name``."""
    return any(fnmatch.fnmatchcase(name, pattern) for pattern in settings.ignore)


def list_vault(vault: Path, settings: Settings) -> Listing:
    """List all notes below ``vault``; links to folders are not followed.

    Raises:
        VaultMissingError: The folder is not there or cannot be listed.
    """
    files: dict[str, FileState] = {}
    unlisted: list[str] = []
    skipped: list[Unread] = []
    waiting = [""]
    while waiting:
        folder = waiting.pop()
        try:
            entries = list(os.scandir(vault / folder))
        except OSError as error:
            if not folder:
                raise VaultMissingError(
                    f"The notes folder {vault} cannot be opened: {error.strerror}."
                ) from error
            unlisted.append(folder)
            skipped.append(Unread(folder, f"This folder cannot be listed: {error.strerror}."))
            continue
        for entry in entries:
            path = f"{folder}/{entry.name}" if folder else entry.name
            if entry.is_dir(follow_symlinks=False):
                if not is_ignored(entry.name, settings):
                    waiting.append(path)
            elif is_note(entry.name, settings):
                _list_file(entry, path, files, skipped)
    return Listing(files, tuple(unlisted), tuple(sorted(skipped, key=lambda item: item.path)))


def _list_file(
    entry: os.DirEntry[str], path: str, files: dict[str, FileState], skipped: list[Unread]
) -> None:
    if not _is_unicode(path):
        shown = path.encode("utf-8", "backslashreplace").decode()
        skipped.append(Unread(shown, "Its name is not valid Unicode. Rename the file."))
        return
    try:
        status = entry.stat(follow_symlinks=False)
    except OSError:
        return  # it went away between the listing and the look
    if stat.S_ISLNK(status.st_mode):
        skipped.append(Unread(path, "It is a link to another file; links are not followed."))
    elif stat.S_ISREG(status.st_mode):
        files[path] = file_state(status)
    else:
        skipped.append(Unread(path, "It is not an ordinary file."))


def _is_unicode(path: str) -> bool:
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return True


def file_state(status: os.stat_result) -> FileState:
    """Return what decides whether a file was touched."""
    return FileState(status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)


def look(vault: Path, path: str) -> FileState | None:
    """Return the state of the file at ``path`` now; None when no ordinary file is there."""
    try:
        status = (vault / path).lstat()
    except (OSError, ValueError):
        return None
    return file_state(status) if stat.S_ISREG(status.st_mode) else None


def read_file(vault: Path, path: str, limit: int) -> NoteFile:
    """Read the note at ``path``; never through a link, never from a pipe or device.

    Raises:
        OSError: It cannot be read, is larger than ``limit`` bytes, or is no ordinary file; its
            ``strerror`` is fit to be shown.
    """
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    flags |= getattr(os, "O_BINARY", 0)
    descriptor = os.open(vault / path, flags)
    with open(descriptor, "rb") as file:  # noqa: PTH123 - from a descriptor
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise OSError(0, "it is not an ordinary file")
        if status.st_size > limit:
            megabytes = f"{status.st_size / 1e6:,.0f} MB"
            raise OSError(0, f"it is too large ({megabytes}; the limit is {limit / 1e6:,.0f} MB)")
        return NoteFile(file.read(limit + 1), file_state(os.fstat(descriptor)))


def decode(content: bytes) -> tuple[str, str]:
    """Return the text of a note and, in a sentence, what is wrong with its encoding.

    A byte-order mark decides; else it is UTF-8. Wrong bytes become U+FFFD, the rest stays.

    Raises:
        ValueError: It is no text at all.
    """
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return content.decode("utf-16", "replace"), ""
    if content.count(0) > len(content) * _BINARY_NULS:
        raise ValueError("It is not a text file.")
    try:
        return content.decode("utf-8-sig"), ""
    except UnicodeDecodeError:
        return (
            content.decode("utf-8-sig", "replace"),
            "It is not valid UTF-8: some characters cannot be read. The rest is searched.",
        )
