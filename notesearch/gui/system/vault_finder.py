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
    """A folder with notes, whose count ends at ``MANY + 1``, and whether Obsidian lists it."""

    path: Path
    of_obsidian: bool
    notes: int


def find_vaults(
    home: Path, suffixes: Sequence[str], stopped: Callable[[], bool]
) -> tuple[FoundVault, ...]:
    """Return at most ``_OFFERED`` folders with notes; fewer if ``stopped()`` is true.

    Obsidian's vaults come first, the last opened one before others; then folders with usual names.
    """
    vaults: list[FoundVault] = []
    seen: set[Path] = set()
    for candidate, of_obsidian in _candidates(home):
        folder = Path(os.path.realpath(candidate))
        if folder in seen or not os.path.isdir(folder):  # noqa: PTH112 - False if not accessible
            continue
        seen.add(folder)
        notes = count_notes(folder, suffixes, stopped)
        if notes:
            vaults.append(FoundVault(folder, of_obsidian, notes))
        if len(vaults) == _OFFERED or stopped():
            break
    return tuple(vaults)


def count_notes(folder: Path, suffixes: Sequence[str], stopped: Callable[[], bool]) -> int | None:
    """Return the number of notes in ``folder``; None if the count ended before a note was found.

    It ends at ``MANY + 1`` notes, after ``_SECONDS``, or when ``stopped()`` is true.
    """
    count, until = 0, time.monotonic() + _SECONDS
    for _, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        count += sum(name.lower().endswith(tuple(suffixes)) for name in files)
        if count > MANY or stopped() or time.monotonic() > until:
            return min(count, MANY + 1) or None
    return count


def _candidates(home: Path) -> Iterator[tuple[Path, bool]]:
    for file in vault_lists(home):
        vaults = list(listed_vaults(file).values())
        vaults.sort(key=lambda vault: -vault["ts"] if isinstance(vault.get("ts"), int) else 0)
        yield from ((Path(vault["path"]), True) for vault in vaults)
    yield from ((home / name, False) for name in _USUAL)


class VaultFinder(QThread):
    """Finds vaults, or counts the notes in ``folder``, in a thread because a disk may be slow.

    Signals:
        found: Vaults were found; carries a tuple of ``FoundVault``.
        counted: Notes were counted; carries the folder, its path without links, and the number of
            its notes, None if that is not known.
        refused: The path to count is not a folder; carries the path.
    """

    found = Signal(object)
    counted = Signal(object, object, object)
    refused = Signal(object)

    def __init__(self, suffixes: Sequence[str], folder: Path | None, parent: QObject) -> None:
        super().__init__(parent)
        self._suffixes = tuple(suffixes)
        self._folder = folder

    def run(self) -> None:
        """Find vaults or count notes, and emit the result."""
        stopped, folder = self.isInterruptionRequested, self._folder
        if folder is None:
            self.found.emit(find_vaults(Path.home(), self._suffixes, stopped))
        elif os.path.isdir(folder):  # noqa: PTH112 - False if not accessible
            real = Path(os.path.realpath(folder))
            notes = count_notes(folder, self._suffixes, stopped)
            if not stopped():
                self.counted.emit(folder, real, notes)
        else:
            self.refused.emit(folder)
