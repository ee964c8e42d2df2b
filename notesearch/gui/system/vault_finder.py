"""Finds folders of notes on this computer, and counts the notes in a folder."""

import os
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QObject, QThread, Signal

from notesearch.gui.system.obsidian_link import listed_vaults, vault_lists

MANY = 50_000
_OFFERED = 5
_SECONDS = 4.0
_USUAL = ("notes", "Notes", "Documents/notes", "Documents/Notes")


@dataclass(frozen=True, slots=True)
class FoundVault:
    """A folder with notes in it.

    Attributes:
        notes: The number of notes; more than ``MANY`` are not counted.
    """

    path: Path
    of_obsidian: bool
    notes: int


def find_vaults(
    home: Path, suffixes: Sequence[str], stopped: Callable[[], bool]
) -> tuple[FoundVault, ...]:
    """Return Obsidian's vaults, most recently opened first, then folders with common names."""
    found: list[FoundVault] = []
    seen: set[Path] = set()
    for folder, of_obsidian in _candidates(home):
        place = Path(os.path.realpath(folder))
        if place in seen or not os.path.isdir(place):  # noqa: PTH112 - False if not accessible
            continue
        seen.add(place)
        notes = count_notes(place, suffixes, stopped)
        if notes:
            found.append(FoundVault(place, of_obsidian, notes))
        if len(found) == _OFFERED or stopped():
            break
    return tuple(found)


def count_notes(folder: Path, suffixes: Sequence[str], stopped: Callable[[], bool]) -> int:
    """Count the notes in ``folder``, stopping after a few seconds."""
    count, until = 0, time.monotonic() + _SECONDS
    for _, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        count += sum(name.lower().endswith(tuple(suffixes)) for name in files)
        if count > MANY or stopped() or time.monotonic() > until:
            break
    return min(count, MANY + 1)


def _candidates(home: Path) -> Iterator[tuple[Path, bool]]:
    for file in vault_lists(home):
        known = list(listed_vaults(file).values())
        known.sort(key=lambda one: -one["ts"] if isinstance(one.get("ts"), int) else 0)
        yield from ((Path(one["path"]), True) for one in known)
    yield from ((home / name, False) for name in _USUAL)


class VaultFinder(QThread):
    """Searches in a thread, because a folder may be on a slow disk.

    Args:
        folder: Count the notes in this one; None looks for vaults.

    Signals:
        found: The vaults (tuple of ``FoundVault``).
        counted: The folder and its number of notes.
    """

    found = Signal(object)
    counted = Signal(object, int)

    def __init__(self, suffixes: Sequence[str], folder: Path | None, parent: QObject) -> None:
        super().__init__(parent)
        self._suffixes = tuple(suffixes)
        self._folder = folder

    def run(self) -> None:
        """Search once and emit the result."""
        stopped = self.isInterruptionRequested
        if self._folder is None:
            self.found.emit(find_vaults(Path.home(), self._suffixes, stopped))
        else:
            self.counted.emit(self._folder, count_notes(self._folder, self._suffixes, stopped))
