"""A listing of the folder while it is under way: what is a note, what is skipped, and why."""

import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING

from notesearch.index import files
from notesearch.index.ignoring import IgnoreRules
from notesearch.sentences import Sentence
from notesearch.status import Unread
from notesearch.store.note_states import FileState

if TYPE_CHECKING:
    from notesearch.index.links import Place


class Finding:
    """Lists folder after folder; links are named but not followed."""

    def __init__(self, vault: Path, rules: IgnoreRules) -> None:
        self._vault = vault
        self._rules = rules
        self.folders = [""]
        self.files: dict[str, FileState] = {}
        self.unseen: set[str] = set()
        self.skipped: list[Unread] = []
        self.left_out = False
        self.links: dict[str, Place | None] = {}

    def list_all(self) -> None:
        """Take up the folders that wait, and all that are in them."""
        while self.folders:
            self._list_folder(self.folders.pop())

    def _list_folder(self, folder: str) -> None:
        """Take up the files of one folder, and its folders for later."""
        try:
            with os.scandir(self._vault / folder) as listed:
                entries = list(listed)
        except OSError as error:
            self._not_seen(folder, unlisted(error))
            return
        for entry in entries:
            path = f"{folder}/{entry.name}" if folder else entry.name
            try:
                self._take(entry, path)
            except FileNotFoundError:
                continue  # it went away between the listing and the look
            except OSError as error:
                self._not_seen(path, unreadable(error))

    def _take(self, entry: os.DirEntry[str], path: str) -> None:
        if entry.is_dir(follow_symlinks=False):
            if self._rules.leaves_out_folder(path):
                self.left_out |= not entry.name.startswith(".")
            else:
                self.folders.append(path)
        elif entry.is_symlink():
            self._take_link(entry, path)
        elif self._rules.is_note(path):
            self._take_file(path, entry.stat(follow_symlinks=False))
        else:
            self.left_out |= self._rules.is_named_as_note(entry.name)

    def _take_link(self, entry: os.DirEntry[str], path: str) -> None:
        if entry.is_dir():
            if not self._rules.leaves_out_folder(path):
                self._skip(path, Sentence("link_to_folder"))
        elif self._rules.is_note(path):
            self._skip(path, Sentence("link_to_file"))

    def _take_file(self, path: str, status: os.stat_result) -> None:
        if not files.is_unicode(path):
            self._skip(path, Sentence("file_name_not_unicode"))
        elif stat.S_ISREG(status.st_mode):
            self.files[path] = files.file_state(status)
        else:
            self._skip(path, Sentence("file_special"))

    def _not_seen(self, path: str, reason: Sentence) -> None:
        self.unseen.add(path or ".")
        self._skip(path, reason)

    def _skip(self, path: str, reason: Sentence, *, remark: bool = False) -> None:
        shown = path.encode("utf-8", "backslashreplace").decode()
        self.skipped.append(Unread(shown, reason, remark))


def unlisted(error: OSError) -> Sentence:
    """Return why a folder is not listed."""
    return Sentence("folder_unreadable", reason=error.strerror or str(error))


def unreadable(error: OSError) -> Sentence:
    """Return why a file is not read."""
    return Sentence("file_unreadable", reason=error.strerror or str(error))
