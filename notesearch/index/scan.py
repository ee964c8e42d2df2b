"""Compares the folder with what the index knows; the truth that every change is checked against."""

import os
import stat
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from notesearch.config import Settings
from notesearch.errors import VaultMissingError
from notesearch.index import files
from notesearch.index.ignoring import IgnoreRules
from notesearch.notes import Unread
from notesearch.store.rows import FileState

_LOOKS_THE_SAME = "The name of another note looks the same."

FEW_NOTES = 10
"""A folder that loses more notes than this at once was unmounted rather than emptied."""


@dataclass(frozen=True, slots=True)
class Listing:
    """The notes of a folder as its directories list them.

    Attributes:
        files: State of each note's file, by path.
        unseen: Folders and files that the system did not let us look at.
        skipped: Files that cannot be notes, and why.
        left_out: The rules leave out something that is there: the folder is not empty.
    """

    files: dict[str, FileState] = field(default_factory=dict)
    unseen: frozenset[str] = frozenset()
    skipped: tuple[Unread, ...] = ()
    left_out: bool = False

    def is_unknown(self, path: str) -> bool:
        """Return whether ``path`` may be there, unseen: then it must not count as gone."""
        return path in self.unseen or any(
            str(folder) in self.unseen for folder in PurePosixPath(path).parents
        )


def check(vault: Path) -> None:
    """Make sure that the notes folder can be opened.

    Raises:
        VaultMissingError: It is not there or cannot be listed.
    """
    try:
        os.scandir(vault).close()
    except OSError as error:
        raise VaultMissingError(
            f"The notes folder {vault} cannot be opened: {error.strerror}."
        ) from error


def is_missing(vault: Path, known: int) -> bool:
    """Return whether the folder is not there, or is a bare mount point where notes were before."""
    try:
        with os.scandir(vault) as entries:
            return known > FEW_NOTES and next(entries, None) is None
    except OSError:
        return True


def list_vault(vault: Path, settings: Settings) -> Listing:
    """List all notes below ``vault``; links to folders are not followed.

    Raises:
        VaultMissingError: The folder is not there or cannot be listed.
    """
    check(vault)
    rules = IgnoreRules(vault, settings)
    found = _Finding(vault, rules)
    found.list_folder("")
    while found.folders:
        found.list_folder(found.folders.pop())
    skipped = tuple(
        sorted([*found.skipped, *rules.problems, *_twins(found.files)], key=lambda item: item.path)
    )
    return Listing(found.files, frozenset(found.unseen), skipped, found.left_out)


def _twins(paths: Iterable[str]) -> Iterator[Unread]:
    """Name notes whose paths look the same: an accent is one character or two."""
    looks: dict[str, list[str]] = {}
    for path in paths:
        if not path.isascii():
            looks.setdefault(unicodedata.normalize("NFC", path), []).append(path)
    for same in looks.values():
        if len(same) > 1:
            yield from (Unread(path, _LOOKS_THE_SAME, remark=True) for path in same)


class _Finding:
    """A listing while it is under way."""

    def __init__(self, vault: Path, rules: IgnoreRules) -> None:
        self._vault = vault
        self._rules = rules
        self.folders: list[str] = []
        self.files: dict[str, FileState] = {}
        self.unseen: set[str] = set()
        self.skipped: list[Unread] = []
        self.left_out = False

    def list_folder(self, folder: str) -> None:
        """Take up the files of one folder, and its folders for later."""
        try:
            with os.scandir(self._vault / folder) as listed:
                entries = list(listed)
        except OSError as error:
            self._not_seen(folder, f"This folder cannot be listed: {error.strerror}.")
            return
        for entry in entries:
            path = f"{folder}/{entry.name}" if folder else entry.name
            try:
                self._take(entry, path)
            except FileNotFoundError:
                continue  # it went away between the listing and the look
            except OSError as error:
                self._not_seen(path, f"It cannot be read: {error.strerror}.")

    def _take(self, entry: os.DirEntry[str], path: str) -> None:
        if entry.is_dir(follow_symlinks=False):
            if self._rules.leaves_out_folder(path):
                self.left_out |= not entry.name.startswith(".")
            else:
                self.folders.append(path)
            return
        if entry.is_symlink() and entry.is_dir():
            if not self._rules.leaves_out_folder(path):
                self._skip(path, "It is a link to another folder; links are not followed.")
            return
        if not self._rules.is_note(path):
            self.left_out |= self._rules.is_named_as_note(entry.name)
            return
        if not files.is_unicode(path):
            self._skip(path, "Its name is not valid Unicode. Rename the file.")
            return
        status = entry.stat(follow_symlinks=False)
        if stat.S_ISLNK(status.st_mode):
            self._skip(path, "It is a link to another file; links are not followed.")
        elif stat.S_ISREG(status.st_mode):
            self.files[path] = files.file_state(status)
        else:
            self._skip(path, files.NOT_ORDINARY)

    def _not_seen(self, path: str, reason: str) -> None:
        self.unseen.add(path or ".")
        self._skip(path, reason)

    def _skip(self, path: str, reason: str) -> None:
        shown = path.encode("utf-8", "backslashreplace").decode()
        self.skipped.append(Unread(shown, reason))
