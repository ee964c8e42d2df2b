"""Whether the folder at a vault's place is the vault: a drive may be away, another in its place."""

import os
from collections.abc import Callable, Collection, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from notesearch.errors import VaultMissingError
from notesearch.index import scan

if TYPE_CHECKING:
    from notesearch.store.writer import Writer

_FEW_NOTES = 10
"""A folder that loses all of more notes than this at once may not have been emptied on purpose."""


def is_missing(vault: Path, root: str, notes: Callable[[], Collection[str]]) -> bool:
    """Return whether the folder is not there, or another one stands in its place.

    Args:
        vault: Where the folder should be.
        root: Which folder was compared last.
        notes: Returns the paths of the notes that it held; asked only where they are needed.
    """
    try:
        same = scan.root(vault) == root
        with os.scandir(vault) as entries:
            empty = next(entries, None) is None
    except (VaultMissingError, OSError):
        return True
    if same:
        return empty and len(notes()) > _FEW_NOTES
    held = notes()
    return len(held) > 1 and not _holds_any(vault, held)


def doubt(
    vault: Path, root: str, writer: "Writer", gone: list[str], *, holds_notes: bool, asked: bool
) -> None:
    """Doubt that all notes were deleted, which are ``gone`` from the folder ``root``.

    Where the user ``asked`` for it twice it is believed.

    Raises:
        VaultMissingError: It is not to be believed yet.
    """
    same = writer.root() in ("", root)  # nothing is known where no comparison ever ended
    few = len(gone) <= _FEW_NOTES
    if len(gone) < 2 or (same and (holds_notes or few)):
        return
    if _holds_any(vault, gone):
        return  # the rules leave them out now
    if same or asked:
        if writer.emptied() == root:
            return
        writer.set_emptied(root)
    code = "vault_replaced" if holds_notes else "vault_emptied"
    raise VaultMissingError(code, vault=str(vault), count=len(gone))


def _holds_any(vault: Path, notes: Iterable[str]) -> bool:
    return any((vault / path).exists() for path in notes)
