"""Checks that a folder is still the vault: a drive may be gone, or another one in its place."""

import os
from collections.abc import Callable, Collection, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from notesearch.errors import VaultMissingError
from notesearch.index import scan

if TYPE_CHECKING:
    from notesearch.store.writer import Writer

_FEW_NOTES = 10
"""A folder that loses more notes than this at once, and has none left, may be a mistake."""


def is_missing(vault: Path, root: str, indexed: Callable[[], Collection[str]]) -> bool:
    """Return whether the folder is missing, or another one is in its place.

    Args:
        vault: Where the folder should be.
        root: The identity of the folder that was compared last, from ``scan.root``.
        indexed: Returns the paths of the notes in the index; called only if necessary.
    """
    try:
        same = scan.root(vault) == root
        with os.scandir(vault) as entries:
            empty = next(entries, None) is None
    except (VaultMissingError, OSError):
        return True
    if same:
        return empty and len(indexed()) > _FEW_NOTES
    notes = indexed()
    return len(notes) > 1 and not _any_exists(vault, notes)


def require_same_vault(
    vault: Path,
    root: str,
    writer: "Writer",
    gone: list[str],
    *,
    has_notes: bool,
    user_asked: bool,
) -> None:
    """Make sure that a folder without any of its former notes is really the vault.

    Args:
        vault: The folder.
        root: The present identity of the folder, from ``scan.root``.
        writer: Knows the folder's former identity, and whether it was found empty before.
        gone: The former notes.
        has_notes: Whether the folder has other notes.
        user_asked: Whether the user asked for the comparison; asking twice confirms it.

    Raises:
        VaultMissingError: The notes may not have been deleted on purpose.
    """
    same = writer.root() in ("", root)  # empty: no comparison was ever completed
    few = len(gone) <= _FEW_NOTES
    if len(gone) < 2 or (same and (has_notes or few)):
        return
    if _any_exists(vault, gone):
        return  # the notes are there, but the rules ignore them now
    if same or user_asked:
        if writer.emptied() == root:
            return
        writer.set_emptied(root)
    code = "vault_replaced" if has_notes else "vault_emptied"
    raise VaultMissingError(code, vault=str(vault), count=len(gone))


def _any_exists(vault: Path, notes: Iterable[str]) -> bool:
    return any((vault / path).exists() for path in notes)
