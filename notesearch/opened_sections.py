"""Records which sections the user opened, in private files for each vault.

One file of a vault has the sections that were opened for a query, another those opened last.
"""

import threading
import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path

from notesearch import private_files
from notesearch.errors import SettingsError
from notesearch.notes import Opening

MOST = 1000
"""The maximum number of openings for queries of one vault; the oldest are forgotten."""

MOST_RECENT = 8
"""The maximum number of sections opened last of one vault."""

_MOST_TIMES = 1_000_000
"""A higher number of openings comes from a damaged file."""


class Openings:
    """The openings of one vault, stored in a file; thread-safe. A damaged file counts as empty."""

    def __init__(self, file: Path, most: int = MOST) -> None:
        self._file = file
        self._most = most
        self._lock = threading.Lock()
        self._known: tuple[Opening, ...] = ()
        self._state: object = None

    def all(self) -> tuple[Opening, ...]:
        """Return all openings. The file is read only if it has changed."""
        with self._lock:
            return self._read()

    def add(
        self, words: Collection[str], path: str, section_path: tuple[str, ...], when: float = 0.0
    ) -> None:
        """Record that the user opened a section after a query with ``words``, if any.

        ``when`` is the time, in seconds since the epoch; 0 means now.
        """
        with self._lock:
            new = Opening(frozenset(words), path, section_path, 1, when or time.time())
            others = list[Opening]()
            for known in self._read():
                if replace(known, times=1, last=new.last) == new:
                    new = replace(new, times=known.times + 1)
                else:
                    others.append(known)
            self._write(sorted((*others, new), key=lambda opening: -opening.last)[: self._most])

    def paths(self) -> frozenset[str]:
        """Return the paths of all notes with an opened section."""
        return frozenset(opening.path for opening in self.all())

    def move(
        self, moved: Mapping[str, str], sections_of: Callable[[str], Sequence[tuple[str, ...]]]
    ) -> None:
        """Give the openings of ``moved`` notes their new paths, which ``moved`` has by the former.

        ``sections_of`` returns the heading paths of the sections of a note. The text before the
        first heading may be named after the file; its openings then get the new name, too.
        """

        def follow(opening: Opening) -> Opening:
            if opening.path not in moved:
                return opening
            path = moved[opening.path]
            headings = sections_of(path)
            is_named = opening.section_path in headings or len(opening.section_path) > 1
            first = opening.section_path if is_named or not headings else headings[0]
            return replace(opening, path=path, section_path=first)

        with self._lock:
            before = self._read()
            if any(opening.path in moved for opening in before):
                self._write(map(follow, before))

    def drop(self, paths: Collection[str]) -> None:
        """Delete the openings of the notes at ``paths``."""
        with self._lock:
            self._write([opening for opening in self._read() if opening.path not in paths])

    def forget(self) -> None:
        """Delete the openings of this vault; raises SettingsError."""
        delete_record(self._file)

    def _write(self, openings: Iterable[Opening]) -> None:
        stored = [{**asdict(opening), "words": sorted(opening.words)} for opening in openings]
        private_files.write_json(self._file, stored)

    def _read(self) -> tuple[Opening, ...]:
        state = _state(self._file)
        if state != self._state:
            read = private_files.read_json(self._file)
            openings = map(_opening, read if isinstance(read, list) else ())
            self._known = tuple(filter(None, openings))
            self._state = state
        return self._known


def exist(folder: Path) -> bool:
    """Return whether ``folder`` has the openings of any vault."""
    return any(folder.glob("*.json"))


def forget(folder: Path) -> None:
    """Delete the openings of all vaults in ``folder``; raises SettingsError."""
    for file in folder.glob("*.json*"):
        delete_record(file)


def delete_record(file: Path) -> None:
    """Delete a file of what the user did, and its draft, if they exist; raises SettingsError."""
    for each in (file, private_files.draft_of(file)):
        try:
            each.unlink(missing_ok=True)
        except OSError as error:
            reason = error.strerror or str(error)
            raise SettingsError("record_undeletable", file=str(each), reason=reason) from error


def _state(file: Path) -> object:
    try:
        status = file.stat()
    except OSError:
        return None
    return status.st_ino, status.st_size, status.st_mtime_ns


def _is_text(value: object) -> bool:
    return isinstance(value, str) and not any("\ud800" <= c <= "\udfff" for c in value)


def _opening(stored: object) -> Opening | None:
    match stored:
        case {
            "words": [*words],
            "path": str(path),
            "section_path": [*headings],
            "times": int(times),
            "last": float(last) | int(last),
        } if all(map(_is_text, (path, *words, *headings))) and 0 < times <= _MOST_TIMES:
            return Opening(frozenset(words), path, tuple(headings), times, last)
        case _:
            return None
