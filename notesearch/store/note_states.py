"""What the index knows of the notes' files: compared with a listing, it tells what changed."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from notesearch.store.rows import FileState, NoteState

if TYPE_CHECKING:
    import apsw

_STATES = (
    "select id, path, size, mtime_ns, ctime_ns, inode, hash, title_from_name, problem, outdated"
    " from note"
)


def note_states(sql: "apsw.Connection", paths: Iterable[str] | None = None) -> dict[str, NoteState]:
    """Return what is known of every note's file, or of those at ``paths``, by path."""
    if paths is None:
        rows = sql.execute(_STATES)
    else:
        rows = sql.executemany(f"{_STATES} where path = ?", [(path,) for path in paths])
    # As many as there are notes, in every comparison: this takes half the time of clearer ways.
    return {
        row[1]: NoteState(
            row[0], row[1], FileState(row[2], row[3], row[4], row[5]), row[6], row[7] != 0, row[8],
            row[9] != 0,
        )
        for row in rows
    }  # fmt: skip
