"""How the folder itself spells a name: case and accents may differ from what an event says."""

import os
import unicodedata
from collections.abc import Iterable
from pathlib import Path


def as_listed(vault: Path, paths: Iterable[str]) -> dict[str, bool]:
    """Return ``paths``, and notes whose names differ only in spelling, with whether they exist.

    Where a file system takes ``a.md`` and ``A.md``, or two forms of ``é``, for the same file, only
    the listing tells which of them is there. A name without such a twin counts as existing here.
    """
    listings: dict[str, dict[str, set[str]]] = {}
    existing: dict[str, bool] = {}
    for path in paths:
        folder, slash, name = path.rpartition("/")
        if folder not in listings:
            listings[folder] = _listed(vault / folder)
        twins = listings[folder].get(_key(name), set())
        existing[path] = name in twins or not twins
        if not existing[path]:
            existing.update((f"{folder}{slash}{twin}", True) for twin in twins)
    return existing


def _listed(folder: Path) -> dict[str, set[str]]:
    """Return the names in ``folder`` by what they have in common with their twins."""
    names: dict[str, set[str]] = {}
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                names.setdefault(_key(entry.name), set()).add(entry.name)
    except OSError:
        return {}
    return names


def _key(name: str) -> str:
    return unicodedata.normalize("NFC", name.casefold())
