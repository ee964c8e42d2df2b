"""What the store gives to the write path and the read path: frozen rows."""

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from notesearch.notes import Span

THESE = "(select value from json_each(?))"
"""SQL for a list of ids that is passed as JSON."""


class FileState(NamedTuple):
    """What a directory listing tells of a file; equality means "not touched"."""

    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int

    def is_older_than(self, seconds: float) -> bool:
        """Return whether the file was written before a moment, in seconds since 1970."""
        return max(self.mtime_ns, self.ctime_ns) < seconds * 1e9


def identity(path: Path) -> tuple[int, int] | None:
    """Return which file lies at ``path``: another process may have put a new one there."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


class NoteState(NamedTuple):
    """What the index knows of a note's file.

    Attributes:
        digest: Hash of the bytes that were indexed; empty when it must be read again.
        problem: Why it could not be read wholly; empty when it could.
        outdated: It could not be read since: what is indexed is an earlier text.
    """

    id: int
    path: str
    file: FileState
    digest: bytes
    title_from_name: bool
    problem: str
    outdated: bool = False

    @property
    def is_readable(self) -> bool:
        """What is indexed is the text that its file holds."""
        return bool(self.digest) and not self.outdated

    def differs(self, file: FileState) -> bool:
        """Return whether the note has to be read again, given what its file looks like now."""
        return self.file != file or (not self.digest and not self.problem)


class NoteRow(NamedTuple):
    """A note as results show it."""

    id: int
    path: str
    title: str
    aliases: tuple[str, ...]
    tags: tuple[str, ...]
    category: str
    modified: float
    words: int
    properties: Mapping[str, str] = MappingProxyType({})
    language: str = ""


class SectionRow(NamedTuple):
    """A section as results show it.

    Attributes:
        body: Its plain text; empty where that was not asked for.
        has_text: It is more than a heading.
    """

    id: int
    note_id: int
    ordinal: int
    heading: str
    path: tuple[str, ...]
    level: int
    line: int
    end_line: int
    body: str
    has_text: bool = True


class PassageRow(NamedTuple):
    """Where a passage lies in its section's body."""

    section_id: int
    place: int
    span: Span


class WordHit(NamedTuple):
    """A section found by words; a greater score is better (BM25, sign turned)."""

    section_id: int
    score: float


class LinkHit(NamedTuple):
    """A section that points at an address.

    Attributes:
        share: How much of the address was asked for, 0 to 1; of several the greatest.
        span: The link's words in the section's body; None where they are not there.
    """

    section_id: int
    share: float
    span: Span | None


class MeaningHit(NamedTuple):
    """A passage found by meaning; ``similarity`` is the cosine, in the built-in model's range."""

    section_id: int
    place: int
    similarity: float


class ListedSection(NamedTuple):
    """A section that fulfils a condition, with how many do of its note and in all."""

    section_id: int
    of_note: int
    total: int


class Counts(NamedTuple):
    """Rows of the index."""

    notes: int
    sections: int
    passages: int
    words: int
    embedded: int
    pending: int
    note_bytes: int
