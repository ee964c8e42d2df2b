"""Finds out by a listing alone whether notes changed since they were indexed."""

from pathlib import Path
from typing import TYPE_CHECKING

from notesearch.config import Settings
from notesearch.index import scan
from notesearch.notes import ReadAs

if TYPE_CHECKING:
    from notesearch.store.note_states import FileState, NoteState
    from notesearch.store.reader import Reader


def is_unchanged(vault: Path, settings: Settings, reader: "Reader") -> bool:
    """Return whether comparing the folder with the index would find nothing to do.

    Raises:
        VaultMissingError: The folder does not exist.
    """
    if scan.root(vault) != reader.root() or read_as(settings).key != reader.read_as():
        return False
    listing = scan.list_vault(vault, settings)
    if listing.skipped != reader.skipped() or listing.unseen:
        return False
    limit = settings.max_note_bytes
    settled = reader.settled_files(limit)
    others = {path: s for path, s in listing.files.items() if settled.pop(path, None) != s}
    if settled or not others:
        return not settled  # the rest are gone, or their files changed
    known = reader.note_states()
    return len(known) == len(listing.files) and not any(
        has_changed(known.get(path), state, limit) for path, state in others.items()
    )


def read_as(settings: Settings) -> ReadAs:
    """Return how the settings want notes to be read."""
    return ReadAs(settings.code_blocks, "" if settings.language == "auto" else settings.language)


def has_changed(known: "NoteState | None", state: "FileState", limit: int) -> bool:
    """Return whether a note must be read: it is new or changed, or the size limit is.

    Args:
        known: The note in the index, or None.
        state: Its file now.
        limit: The bytes that a note may have.
    """
    if known is None or known.differs(state):
        return True
    return (known.problem.code == "file_too_large") != (state.size > limit)
