"""Lists the notes in a folder, and finds out which have changed.

The indexer compares this listing with the store. Links are followed if the settings say so.
"""

import contextlib
import errno
import os
import stat
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from notesearch.config import Settings, require_folder
from notesearch.index import note_files
from notesearch.index.ignore_rules import IgnoreRules
from notesearch.index.note_reader import has_words_first
from notesearch.index.vault_folder import Identity, folder_identity, vault_identity
from notesearch.messages import Sentence
from notesearch.notes import ReadAs
from notesearch.status import Unread
from notesearch.store.rows import FileState

if TYPE_CHECKING:
    from notesearch.store.reader import Reader
    from notesearch.store.rows import NoteState


@dataclass(frozen=True, slots=True)
class LinkTarget:
    """The target of a link: a folder, or a file in ``folder``."""

    real: Path
    folder: Path
    identity: Identity

    @property
    def is_folder(self) -> bool:
        """Whether the link leads to a folder."""
        return self.real == self.folder


def target_of(link: Path) -> LinkTarget | None:
    """Return the target of ``link``; None if it does not exist now."""
    try:
        real = link.resolve(strict=True)
        folder = real if stat.S_ISDIR(real.stat().st_mode) else real.parent
        return LinkTarget(real, folder, folder_identity(folder))
    except (OSError, RuntimeError):
        return None


@dataclass(frozen=True, slots=True)
class Listing:
    """The notes of a folder.

    Attributes:
        unseen: Files and folders that could not be read, or that are not mounted now.
        mounts: Folders with notes on which another drive is mounted, or was at the last comparison.
        links: The target of each link that is followed, by path; None for a broken one.
    """

    files: dict[str, FileState] = field(default_factory=dict)
    unseen: frozenset[str] = frozenset()
    mounts: tuple[str, ...] = ()
    skipped: tuple[Unread, ...] = ()
    links: Mapping[str, LinkTarget | None] = field(default_factory=dict)

    def is_unknown(self, path: str) -> bool:
        """Return whether ``path`` may be a note although it is not listed: it could not be read."""
        return path in self.unseen or any(
            str(folder) in self.unseen for folder in PurePosixPath(path).parents
        )


def list_vault(vault: Path, settings: Settings, mounts: Iterable[str] = ()) -> Listing:
    """List all notes below ``vault``; follow links only if the settings say so.

    ``mounts`` are the ``Listing.mounts`` of the last comparison. If such a folder is empty, its
    drive is missing.

    Raises VaultMissingError if the folder does not exist or cannot be listed.
    """
    require_folder(vault)
    rules = IgnoreRules(vault, settings)
    lister = _Lister(vault, rules, follows=settings.follow_links)
    lister.list_all()
    unmounted = [folder for folder in mounts if lister.is_unmounted(folder)]
    for folder in set(unmounted) - lister.unseen:
        lister.add_unseen(folder, Sentence("folder_unmounted"))
    skipped = [*lister.skipped, *rules.problems, *_look_alikes(lister.files)]
    skipped.sort(key=lambda item: item.path)
    listed = (*lister.files, *lister.unseen)
    mounted = (folder for folder in lister.mounts if _any_in(folder, listed))
    unseen, drives = frozenset(lister.unseen), (*mounted, *unmounted)
    return Listing(lister.files, unseen, drives, tuple(skipped), lister.links)


def _any_in(folder: str, paths: Iterable[str]) -> bool:
    return any(f"{path}/".startswith(f"{folder}/") for path in paths)


def _look_alikes(paths: Iterable[str]) -> Iterator[Unread]:
    """Yield a remark for each note whose path looks the same as the path of another note."""
    groups: dict[str, list[str]] = {}
    for path in paths:
        if not path.isascii():
            groups.setdefault(unicodedata.normalize("NFC", path), []).append(path)
    for same in groups.values():
        if len(same) > 1:
            yield from (Unread(path, Sentence("file_name_twin"), remark=True) for path in same)


def why_unreadable(error: OSError, code: str = "file_unreadable") -> Sentence:
    """Return the sentence ``code``, about a file or folder, with the reason it cannot be read."""
    if error.errno == errno.ENAMETOOLONG:
        code = "file_unreadable"  # permissions do not matter
    return Sentence(code, reason=error.strerror or str(error))


class _Lister:
    """Lists folder after folder. If it follows links, it still lists each folder and file once.

    Real folders come first, so that a note's path never depends on a link. Then come links to
    folders, then links to files, each in the order of their paths.

    ``_here`` is the folder that is listed now, ``_taken`` the files that count as notes: each by
    the identity of its real folder, and its name. The other attributes are those of ``Listing``.
    """

    def __init__(self, vault: Path, rules: IgnoreRules, *, follows: bool) -> None:
        self._vault = vault
        self._rules = rules
        self._follows = follows
        self._folders = [""]
        self._folder_links: list[str] = []
        self._file_links: list[str] = []
        self._here: Identity = (0, 0)
        self._listed: set[Identity] = set()
        self._taken: set[tuple[Identity, str]] = set()
        self.files: dict[str, FileState] = {}
        self.unseen: set[str] = set()
        self.mounts: list[str] = []
        self.skipped: list[Unread] = []
        self.links: dict[str, LinkTarget | None] = {}

    def list_all(self) -> None:
        """List everything, the real folders first."""
        self._list_waiting(real=True)
        while self._folder_links:
            waiting = sorted(self._folder_links)
            self._folder_links = []
            for path in waiting:
                self._follow_folder(path)
        for path in sorted(self._file_links):
            self._follow_file(path)

    def _list_waiting(self, *, real: bool) -> None:
        while self._folders:
            folder = self._folders.pop()
            if self._enter(folder, real=real):
                self._list_folder(folder)

    def _enter(self, folder: str, *, real: bool) -> bool:
        try:
            self._here = folder_identity(self._vault / folder)
        except OSError as error:
            self.add_unseen(folder, why_unreadable(error, "folder_unreadable"))
            return False
        is_new = real or self._here not in self._listed
        self._listed.add(self._here)
        return is_new

    def _list_folder(self, folder: str) -> None:
        try:
            with os.scandir(self._vault / folder) as listed:
                entries = list(listed)
        except OSError as error:
            self.add_unseen(folder, why_unreadable(error, "folder_unreadable"))
            return
        for entry in entries:
            path = f"{folder}/{entry.name}" if folder else entry.name
            try:
                self._take(entry, path)
            except FileNotFoundError:
                continue  # deleted since the folder was listed
            except OSError as error:
                self.add_unseen(path, why_unreadable(error))

    def _take(self, entry: os.DirEntry[str], path: str) -> None:
        if entry.is_dir(follow_symlinks=False):
            if not self._rules.ignores_folder(path):
                drive, _ = self._here
                if entry.stat(follow_symlinks=False).st_dev not in (0, drive):  # 0: on Windows
                    self.mounts.append(path)
                self._folders.append(path)
        elif entry.is_symlink():
            (self._queue_link if self._follows else self._report_link)(entry, path)
        elif self._rules.is_note(path):
            self._take_file(path, entry.stat(follow_symlinks=False))
            self._taken.add((self._here, entry.name))

    def _report_link(self, entry: os.DirEntry[str], path: str) -> None:
        is_folder = False
        with contextlib.suppress(OSError):  # a circle of links leads to no folder
            is_folder = entry.is_dir()
        if is_folder:
            if not self._rules.ignores_folder(path):
                self._skip(path, Sentence("link_to_folder"))
        elif self._rules.is_note(path):
            self._skip(path, Sentence("link_to_file"))

    def _queue_link(self, _entry: os.DirEntry[str], path: str) -> None:
        is_note = self._rules.is_note(path)
        if self._rules.ignores_folder(path) or not note_files.is_unicode(path):
            return
        target = target_of(self._vault / path)
        self.links[path] = target
        if target is None:
            # The notes of a missing drive must be kept; a single note may be gone.
            (self._skip if is_note else self.add_unseen)(path, Sentence("link_dead"))
        elif target.is_folder:
            self._folder_links.append(path)
        elif is_note:
            self._file_links.append(path)
        else:
            del self.links[path]

    def _take_file(self, path: str, status: os.stat_result) -> None:
        if not note_files.is_unicode(path):
            self._skip(path, Sentence("file_name_not_unicode"))
        elif stat.S_ISREG(status.st_mode):
            self.files[path] = note_files.file_state(status)
        else:
            self._skip(path, Sentence("file_special"))

    def _follow_folder(self, path: str) -> None:
        target = self.links[path]
        if target and self._vault.is_relative_to(target.real) and target.real != self._vault:
            del self.links[path]
            self._skip(path, Sentence("link_to_parent"))
        elif target and target.identity in self._listed:
            del self.links[path]
            self._skip(path, Sentence("link_to_known_folder"), remark=True)
        else:
            self._folders.append(path)
            self._list_waiting(real=False)

    def _follow_file(self, path: str) -> None:
        target = self.links[path]
        assert target
        if (target.identity, target.real.name) in self._taken:
            del self.links[path]
            self._skip(path, Sentence("link_to_known_note"), remark=True)
            return
        self._taken.add((target.identity, target.real.name))
        try:
            self._take_file(path, target.real.stat())
        except OSError as error:
            self.add_unseen(path, why_unreadable(error))

    def is_unmounted(self, folder: str) -> bool:
        """Return whether ``folder``, on which a drive was mounted, exists but has no notes."""
        if folder in self.mounts or self._rules.ignores_folder(folder):
            return False
        try:
            return not _any_in(folder, self.files) and (self._vault / folder).is_dir()
        except OSError:
            return True  # the drive does not answer

    def add_unseen(self, path: str, reason: Sentence) -> None:
        """Record that notes at or below ``path`` may exist although they are not listed."""
        self.unseen.add(path or ".")
        self._skip(path, reason)

    def _skip(self, path: str, reason: Sentence, *, remark: bool = False) -> None:
        shown = path.encode("utf-8", "backslashreplace").decode()
        self.skipped.append(Unread(shown, reason, remark))


def is_unchanged(vault: Path, settings: Settings, reader: "Reader") -> bool:
    """Return whether comparing the folder with the index would find nothing to do."""
    if vault_identity(vault) != reader.root() or read_as(settings, vault).key != reader.read_as():
        return False
    listing = list_vault(vault, settings, reader.mounts())
    if listing.skipped != reader.skipped() or listing.unseen:
        return False
    return not changes(listing, reader.note_states(), settings.max_note_bytes)


Change = tuple[str, FileState | None]
"""The path of a note, and the state of its file; None for a deleted file."""


def changes(listing: Listing, known: "Mapping[str, NoteState]", limit: int) -> frozenset[Change]:
    """Return the notes that are new, changed or gone; ``limit`` is as for ``has_changed``."""
    read_again = {
        (path, state)
        for path, state in listing.files.items()
        if has_changed(known.get(path), state, limit)
    }
    return frozenset(read_again.union((path, None) for path in known.keys() - listing.files.keys()))


def read_as(settings: Settings, vault: Path) -> ReadAs:
    """Return how to read notes: by the settings, and by how ``vault`` writes links.

    Raises VaultMissingError if the folder does not exist or cannot be entered: then nobody knows
    whether it is one.
    """
    require_folder(vault)
    return ReadAs(
        code=settings.code_blocks,
        language="" if settings.language == "auto" else settings.language,
        passage_tokens=settings.passage_tokens,
        overlap_words=settings.passage_overlap,
        other_files=settings.other_files,
        words_first=has_words_first(vault),
    )


def has_changed(known: "NoteState | None", state: FileState, limit: int) -> bool:
    """Return whether to read a note again, because it is new or its file has changed.

    It is also read again if ``limit``, the maximum size in bytes, was raised above the size of the
    file or lowered below it.
    """
    if known is None or known.differs(state):
        return True
    return (known.problem.code == "file_too_large") != (state.size > limit)
