"""Finds the index of a vault whose folder was renamed or moved on its disk.

Such a folder keeps its device and inode, and so do its notes. A new index can start as a copy of
the index under the former name, so that no passage has to be embedded again.
"""

import contextlib
from pathlib import Path
from typing import TYPE_CHECKING

from notesearch.errors import IndexBusyError, IndexFileError
from notesearch.index import note_files
from notesearch.index.vault_folder import vault_identity
from notesearch.store.recovery import noticing_damage
from notesearch.store.store import Store

if TYPE_CHECKING:
    from notesearch.store.reader import Reader


def index_under_former_name(vault: Path, indexes: Path) -> Path | None:
    """Return the newest index that was made of this same folder at another path.

    A new folder may get the inode of a deleted one. So at least one note must also be the same,
    unchanged file.

    Args:
        vault: The folder.
        indexes: The folder of the index files.

    Raises:
        VaultMissingError: The vault does not exist.
    """
    root = vault_identity(vault)
    found: list[tuple[float, Path]] = []
    for file in indexes.glob("*.sqlite"):
        store = Store(file)
        # An index that is damaged, busy, or of another version cannot be used here.
        with (
            contextlib.suppress(IndexFileError, IndexBusyError),
            noticing_damage(store),
            store.reading() as reader,
        ):
            if reader.root() == root and _has_same_note(vault, reader):
                found.append((reader.last_scan(), file))
        store.close()
    return max(found, default=(0, None))[1]


def _has_same_note(vault: Path, reader: "Reader") -> bool:
    return any(
        note_files.look(vault, path) == note.file for path, note in reader.note_states().items()
    )
