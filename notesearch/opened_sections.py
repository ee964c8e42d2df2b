"""Records which sections the user opened for which queries, in a private file for each vault."""

import threading
import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path, PurePosixPath
from typing import Any

from notesearch import private_files
from notesearch.errors import SettingsError
from notesearch.notes import Opening

SECTIONS_FILE = "recent.json"
"""The file in which the windows keep the sections opened last in each vault."""

_MOST = 1000
"""The maximum number of openings of one vault; the oldest are forgotten."""

_PATIENCE_S = 1.0
"""How long a change of the sections opened last waits for one by another process."""

_MOST_TIMES = 1_000_000
"""A higher number of openings comes from a damaged file."""


class Openings:
    """The openings of one vault, stored in a file; thread-safe. A damaged file counts as empty."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._lock = threading.Lock()
        self._known: tuple[Opening, ...] = ()
        self._state: object = None

    def all(self) -> tuple[Opening, ...]:
        """Return all openings. The file is read only if it has changed."""
        with self._lock:
            return self._read()

    def add(self, words: Collection[str], path: str, section_path: tuple[str, ...]) -> None:
        """Record that the user opened a section after a query with ``words``."""
        with self._lock:
            new = Opening(frozenset(words), path, section_path, 1, time.time())
            others = list[Opening]()
            for known in self._read():
                if replace(known, times=1, last=new.last) == new:
                    new = replace(new, times=known.times + 1)
                else:
                    others.append(known)
            self._write(sorted((*others, new), key=lambda opening: -opening.last)[:_MOST])

    def paths(self) -> frozenset[str]:
        """Return the paths of all notes with an opened section."""
        return frozenset(opening.path for opening in self.all())

    def move(self, former: str, path: str, section_paths: Sequence[tuple[str, ...]]) -> None:
        """Give the openings of the note ``former`` its new ``path``.

        ``section_paths`` are the heading paths of its sections now. The text before the first
        heading may be named after the file; its openings then get the new name, too.
        """
        known_paths = set(section_paths)

        def moved(opening: Opening) -> Opening:
            if opening.path != former:
                return opening
            named_after_file = len(opening.section_path) == 1 and section_paths
            if opening.section_path in known_paths or not named_after_file:
                return replace(opening, path=path)
            return replace(opening, path=path, section_path=section_paths[0])

        with self._lock:
            self._write([moved(opening) for opening in self._read()])

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


def change_recent(file: Path, change: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
    """Replace what is in ``file``, a ``SECTIONS_FILE``, by what ``change`` returns for it.

    No other process changes it meanwhile. A failure is only logged.
    """
    import filelock  # the command line starts faster without it

    try:
        private_files.make_folder(file.parent)
        with filelock.FileLock(f"{file}.lock", timeout=_PATIENCE_S, mode=0o600):
            read = private_files.read_json(file)
            before = read if isinstance(read, dict) else {}
            after = change(before)
            if after != before:
                private_files.write_json(file, after)
    except OSError as error:  # also after the timeout
        import logging

        logging.getLogger(__name__).warning("%s was not changed: %s", file.name, error)


def forget_recent(file: Path, vault: Path) -> None:
    """Delete the sections opened last in ``vault`` from ``file``, a ``SECTIONS_FILE``."""
    if file.exists():
        change_recent(file, lambda recent: {k: v for k, v in recent.items() if k != str(vault)})


def update_recent(
    file: Path,
    vault: Path,
    moved: Mapping[str, str],
    missing: Callable[[Collection[str]], Collection[str]],
) -> None:
    """Bring the sections opened last in ``vault`` in line with its notes.

    Args:
        file: A ``SECTIONS_FILE``.
        vault: The folder, without links.
        moved: The new path of each moved note, by its former path.
        missing: Returns which of the notes at some paths do not exist any more.
    """

    def updated(recent: dict[str, Any]) -> dict[str, Any]:
        before = recent.get(str(vault))
        if not isinstance(before, list):
            return recent
        after = [_moved(stored, moved) for stored in before if isinstance(stored, dict)]
        gone = missing({str(stored.get("path")) for stored in after})
        return {**recent, str(vault): [s for s in after if s.get("path") not in gone]}

    if file.exists():
        change_recent(file, updated)


def _moved(stored: dict[str, Any], paths: Mapping[str, str]) -> dict[str, Any]:
    """Return a stored section at its new path; a title or heading that is the file name changes."""
    former = stored.get("path")
    if not isinstance(former, str) or former not in paths:
        return stored
    old = PurePosixPath(former).stem
    new = PurePosixPath(paths[former]).stem
    title = {"title": new} if stored.get("title") == old else {}
    is_named = bool(title) and stored.get("section_path") == [old]
    headings = {"section_path": [new], "shown_path": [new]} if is_named else {}
    return {**stored, "path": paths[former], **title, **headings}


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
