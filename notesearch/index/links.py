"""Links in the folder: where one leads, and the listing that follows them, if the user asks so."""

import os
import stat
from dataclasses import dataclass
from pathlib import Path

from notesearch.index import files
from notesearch.index.finding import Finding, unlisted, unreadable
from notesearch.index.ignoring import IgnoreRules
from notesearch.sentences import Sentence

Identity = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Place:
    """Where a link leads.

    Attributes:
        real: The file or folder itself.
        folder: The same if it is a folder, else the one that it is in.
        identity: Tells ``folder`` from another of that name.
    """

    real: Path
    folder: Path
    identity: Identity

    @property
    def is_folder(self) -> bool:
        """Whether the link is one to a folder."""
        return self.real == self.folder


def place(link: Path) -> Place | None:
    """Return where ``link`` leads; None when nothing is there now."""
    try:
        real = link.resolve(strict=True)
        folder = real if stat.S_ISDIR(real.stat().st_mode) else real.parent
        return Place(real, folder, identity(folder))
    except (OSError, RuntimeError):
        return None


def identity(folder: Path) -> Identity:
    """Return what tells ``folder`` from another of that name.

    Raises:
        OSError: It is not there.
    """
    status = folder.stat()
    return status.st_dev, status.st_ino


class FollowingLinks(Finding):
    """A listing that follows links; what it has come upon once is not taken up again.

    The folder's own notes come first, so that their paths never depend on a link; then links to
    folders, then links to files, each in the order of their paths.
    """

    def __init__(self, vault: Path, rules: IgnoreRules) -> None:
        super().__init__(vault, rules)
        self._to_folders: list[str] = []
        self._to_files: list[str] = []
        self._beyond = False
        self._here: Identity = (0, 0)
        self._listed: set[Identity] = set()
        self._taken: set[tuple[Identity, str]] = set()

    def list_all(self) -> None:
        """Take up everything, the real folders first."""
        super().list_all()
        self._beyond = True
        while self._to_folders:
            waiting, self._to_folders = sorted(self._to_folders), []
            for path in waiting:
                self._follow_folder(path)
        for path in sorted(self._to_files):
            self._follow_file(path)

    def _list_folder(self, folder: str) -> None:
        try:
            found = identity(self._vault / folder)
        except OSError as error:
            self._not_seen(folder, unlisted(error))
            return
        if self._beyond and found in self._listed:
            return
        self._listed.add(found)
        self._here = found
        super()._list_folder(folder)

    def _take_file(self, path: str, status: os.stat_result) -> None:
        super()._take_file(path, status)
        self._taken.add((self._here, path.rpartition("/")[2]))

    def _take_link(self, entry: os.DirEntry[str], path: str) -> None:
        is_note = self._rules.is_note(path)
        if self._rules.leaves_out_folder(path) or not files.is_unicode(path):
            return
        found = self.links[path] = place(self._vault / path)
        if found is None:
            # A drive that is not there now must not lose its notes; a single note may.
            (self._skip if is_note else self._not_seen)(path, Sentence("link_dead"))
        elif found.is_folder:
            self._to_folders.append(path)
        elif is_note:
            self._to_files.append(path)
        else:
            del self.links[path]

    def _follow_folder(self, path: str) -> None:
        found = self.links[path]
        if found and self._vault.is_relative_to(found.real) and found.real != self._vault:
            del self.links[path]
            self._skip(path, Sentence("link_to_parent"))
        elif found and found.identity in self._listed:
            del self.links[path]
            self._skip(path, Sentence("link_to_known_folder"), remark=True)
        else:
            self.folders.append(path)
            super().list_all()

    def _follow_file(self, path: str) -> None:
        found = self.links[path]
        assert found
        if (found.identity, found.real.name) in self._taken:
            del self.links[path]
            self._skip(path, Sentence("link_to_known_note"), remark=True)
            return
        self._taken.add((found.identity, found.real.name))
        try:
            super()._take_file(path, found.real.stat())
        except OSError as error:
            self._not_seen(path, unreadable(error))
