"""Lists the notes of a folder as they are now: the truth that the index is brought in line with."""

import os
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from notesearch.config import Settings
from notesearch.errors import VaultMissingError
from notesearch.index.finding import Finding
from notesearch.index.ignoring import IgnoreRules
from notesearch.index.links import FollowingLinks, Place, identity
from notesearch.sentences import Sentence
from notesearch.status import Unread
from notesearch.store.note_states import FileState

_LOOKS_THE_SAME = Sentence("file_name_twin")


@dataclass(frozen=True, slots=True)
class Listing:
    """The notes of a folder as its directories list them.

    Attributes:
        files: State of each note's file, by path.
        unseen: Folders and files that the system did not let us look at.
        skipped: Files that cannot be notes, and why.
        left_out: The rules leave out something that is there: the folder is not empty.
        links: Where each link that is followed leads, by its path; None where that is nothing now.
    """

    files: dict[str, FileState] = field(default_factory=dict)
    unseen: frozenset[str] = frozenset()
    skipped: tuple[Unread, ...] = ()
    left_out: bool = False
    links: Mapping[str, Place | None] = field(default_factory=dict)

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
        reason = error.strerror or str(error)
        raise VaultMissingError("vault_unopenable", vault=str(vault), reason=reason) from error


def root(vault: Path) -> str:
    """Return which folder lies at ``vault`` now: another may have been mounted over it.

    Raises:
        VaultMissingError: It is not there.
    """
    check(vault)
    device, inode = identity(vault)
    return f"{device}:{inode}"


def list_vault(vault: Path, settings: Settings) -> Listing:
    """List all notes below ``vault``; links are followed only if the settings say so.

    Raises:
        VaultMissingError: The folder is not there or cannot be listed.
    """
    check(vault)
    rules = IgnoreRules(vault, settings)
    found = (FollowingLinks if settings.follow_links else Finding)(vault, rules)
    found.list_all()
    skipped = tuple(
        sorted([*found.skipped, *rules.problems, *_twins(found.files)], key=lambda item: item.path)
    )
    return Listing(found.files, frozenset(found.unseen), skipped, found.left_out, found.links)


def _twins(paths: Iterable[str]) -> Iterator[Unread]:
    """Name notes whose paths look the same: an accent is one character or two."""
    looks: dict[str, list[str]] = {}
    for path in paths:
        if not path.isascii():
            looks.setdefault(unicodedata.normalize("NFC", path), []).append(path)
    for same in looks.values():
        if len(same) > 1:
            yield from (Unread(path, _LOOKS_THE_SAME, remark=True) for path in same)
