"""Recovers from a damaged index: repairs it in place, or sets it aside to be rebuilt."""

import contextlib
from collections.abc import Iterator

from notesearch.errors import IndexDamagedError, IndexFileError
from notesearch.status import Part
from notesearch.store.store import Store

REBUILD_ASKED = "index_rebuild_asked"
"""The code of an error that asks for a new index although this one is not damaged."""


@contextlib.contextmanager
def noticing_damage(store: Store) -> Iterator[None]:
    """Find out whether the index is damaged if the block fails because rows make no sense.

    SQLite may return damaged rows before it notices the damage.

    Raises:
        IndexDamagedError: The index is damaged.
    """
    from notesearch.store import table_checks

    try:
        yield
    except (LookupError, ValueError, TypeError, AttributeError) as error:
        if table_checks.is_sound(store.path):
            raise
        raise IndexDamagedError("index_damaged", file=store.path.name) from error


def recover(store: Store, error: IndexDamagedError) -> None:
    """Repair the index if only the search table of its vectors is damaged; else set it aside.

    The repair saves embedding all passages again. After ``REBUILD_ASKED`` the index is deleted. The
    next refresh, or a watch, makes a new one.
    """
    from notesearch.store import table_checks

    if error.sentence.code == REBUILD_ASKED:
        store.set_aside(error.sentence, keep=False)
        return
    if store.exists:
        with contextlib.suppress(IndexFileError):
            if {problem.part for problem in table_checks.check(store.path)} == {Part.VECTORS}:
                table_checks.repair(store.path, {Part.VECTORS})
                store.open_anew()
                return
    store.set_aside(error.sentence)
