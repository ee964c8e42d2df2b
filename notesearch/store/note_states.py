"""What the index knows of each note's file, to compare it with a listing of the folder."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from notesearch.sentences import NO_SENTENCE, Sentence

if TYPE_CHECKING:
    import apsw

_STATES = (
    "select id, path, size, mtime_ns, ctime_ns, inode, hash, title_from_name, problem, outdated"
    " from note"
)


class FileState(NamedTuple):
    """What a directory listing tells of a file; two equal states mean that it was not touched."""

    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int

    def is_older_than(self, seconds: float) -> bool:
        """Return whether the file was last written before a moment, in seconds since 1970."""
        return max(self.mtime_ns, self.ctime_ns) < seconds * 1e9


class NoteState(NamedTuple):
    """What the index knows of a note's file.

    Attributes:
        digest: Hash of the indexed bytes; empty to have the file read again.
        problem: Why the file could not be read completely; empty if it could.
        outdated: The file could not be read since then; the indexed text is an earlier one.
    """

    id: int
    path: str
    file: FileState
    digest: bytes
    title_from_name: bool
    problem: Sentence
    outdated: bool = False

    @property
    def is_readable(self) -> bool:
        """Whether the indexed text is the one in the file."""
        return bool(self.digest) and not self.outdated

    def differs(self, file: FileState) -> bool:
        """Return whether the note has to be read again, now that its file is in state ``file``."""
        return self.file != file or (not self.digest and not self.problem)


def note_states(sql: "apsw.Connection", paths: Iterable[str] | None = None) -> dict[str, NoteState]:
    """Return the states of all notes, or of those at ``paths``, by path."""
    if paths is None:
        rows = sql.execute(_STATES)
    else:
        rows = sql.executemany(f"{_STATES} where path = ?", [(path,) for path in paths])
    # Each comparison reads the states of all notes; this takes half the time of clearer ways.
    return {
        row[1]: NoteState(
            row[0],
            row[1],
            FileState(row[2], row[3], row[4], row[5]),
            row[6],
            row[7] != 0,
            Sentence.from_json(row[8]) if row[8] else NO_SENTENCE,
            row[9] != 0,
        )
        for row in rows
    }
