"""Finds how the folder spells a name: case and accents may differ from those in an event."""

import os
import unicodedata
from collections.abc import Iterable
from pathlib import Path


def existing_spellings(vault: Path, paths: Iterable[str]) -> dict[str, bool]:
    """Return ``paths`` and their other spellings in the folder, each with whether it exists.

    A file system may treat ``a.md`` and ``A.md``, or two forms of ``é``, as the same file; only its
    listing shows which spelling is real. A path without any spelling in the listing counts as
    existing: the caller finds out.
    """
    listings: dict[str, dict[str, set[str]]] = {}
    existing: dict[str, bool] = {}
    for path in paths:
        folder, slash, name = path.rpartition("/")
        if folder not in listings:
            listings[folder] = _list_names(vault / folder)
        spellings = listings[folder].get(_key(name), set())
        existing[path] = name in spellings or not spellings
        if not existing[path]:
            existing.update((f"{folder}{slash}{spelling}", True) for spelling in spellings)
    return existing


def _list_names(folder: Path) -> dict[str, set[str]]:
    """Return the names in ``folder``, grouped by what equal spellings have in common."""
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
