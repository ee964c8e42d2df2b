"""Rows of the index as a reader returns them, and the text of a section as its row stores it."""

import json
import zlib
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from notesearch.errors import IndexDamagedError
from notesearch.messages import NO_SENTENCE, Sentence
from notesearch.notes import SourceMap, Span

if TYPE_CHECKING:
    import apsw

IS_NOTE = "hash != x'' or problem = ''"
"""SQL that is false for rows of the table ``note`` whose files could not be read as notes."""

THESE = "(select value from json_each(?))"
"""SQL for a list of ids that is passed as JSON."""


class NoteRow(NamedTuple):
    """A note, without its text.

    Attributes:
        tags: All tags in the note.
        common_tags: The tags of the whole note.
        modified: The date of the file, in seconds since the epoch.
        date: The note's own date, else the file's, in seconds of the local calendar.
    """

    id: int
    path: str
    title: str
    aliases: tuple[str, ...]
    tags: tuple[str, ...]
    common_tags: tuple[str, ...]
    category: str
    modified: float
    words: int
    properties: Mapping[str, str] = MappingProxyType({})
    language: str = ""
    sections: int = 0
    date: float = 0.0
    inline_properties: Mapping[str, Sequence[str]] = MappingProxyType({})

    @property
    def all_properties(self) -> dict[str, str]:
        """The properties of the front matter and of the text, each as one text."""
        properties = dict(self.properties)
        for key, texts in self.inline_properties.items():
            properties[key] = ", ".join(filter(None, (properties.get(key), *texts)))
        return properties


class SectionRow(NamedTuple):
    """A section; ``body`` and ``source`` are empty unless they were asked for.

    ``tags`` are the section's own; the tags of its whole note are in ``NoteRow.common_tags``.
    """

    id: int
    note_id: int
    ordinal: int
    heading: str
    path: tuple[str, ...]
    tags: tuple[str, ...]
    level: int
    line: int
    end_line: int
    body: str
    has_text: bool = True
    source: SourceMap = SourceMap()


class SectionPlace(NamedTuple):
    """Where a section stands; places sort by path, then by the section's number in the note."""

    path: str
    ordinal: int
    note_id: int


class PassageRow(NamedTuple):
    """A passage: its number in the section (from 0), and its span in the section's body."""

    section_id: int
    number: int
    span: Span


def source_map(written: str) -> SourceMap:
    """Return the source map in ``written``, a column of the table ``body``."""
    if not written:
        return SourceMap()
    lists: list[Any] = []
    texts: list[str] = []
    for part in json.loads(written):
        if isinstance(part, str):
            texts.append(part)
        else:
            lists.append(tuple(map(tuple, part)))
    return SourceMap(*lists[:3], *(texts or ("", "")), *lists[3:])


class WordHit(NamedTuple):
    """A section found by words; a greater score is better (the negative of FTS5's BM25)."""

    section_id: int
    score: float


class LinkHit(NamedTuple):
    """A section with a link to an address.

    Attributes:
        share: Length of the address in the query divided by the length of the link's (0 to 1);
            the greatest if there are several links.
    """

    section_id: int
    share: float
    span: Span | None


class WrittenLink(NamedTuple):
    """A link to a note, as written; ``relative`` to the note's folder, as in Markdown links."""

    path: str
    line: int
    target: str
    relative: bool


class MeaningHit(NamedTuple):
    """A passage found by meaning; ``similarity`` is a cosine in the built-in model's range."""

    section_id: int
    number: int
    similarity: float


class ListedSection(NamedTuple):
    """A section that matches a condition, and how many sections match: of its note, and in all."""

    section_id: int
    of_note: int
    total: int


class LabelledSection(NamedTuple):
    """The labels of a section and of its note, by which filters find the section."""

    path: str
    features: int
    year: int
    tags: tuple[str, ...]


class Counts(NamedTuple):
    """Numbers of rows in the index, and the size of all notes in bytes."""

    notes: int
    sections: int
    passages: int
    words: int
    embedded: int
    pending: int
    note_bytes: int


_STATES = "select id, path, size, mtime_ns, ctime_ns, inode, hash, problem, outdated from note"


class FileState(NamedTuple):
    """The state of a file in a directory listing; if it is the same, the file has not changed."""

    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int


class NoteState(NamedTuple):
    """The state of a note's file according to the index.

    Attributes:
        digest: Hash of the indexed bytes; empty to make the indexer read the file again.
        outdated: Whether the indexed text is an earlier one, because the file cannot be read now.
    """

    id: int
    path: str
    file: FileState
    digest: bytes
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
    return {
        path: NoteState(
            id_,
            path,
            FileState(*file),
            digest,
            Sentence.from_json(problem) if problem else NO_SENTENCE,
            outdated != 0,
        )
        for id_, path, *file, digest, problem, outdated in rows
    }


_RAW = -zlib.MAX_WBITS
"""Zlib without header and checksum: these would be one per cent of an average section."""


def compress(text: str) -> str | bytes:
    """Return ``text`` as a row stores it: unchanged, or as bytes if those are shorter."""
    utf8 = text.encode()
    compressed = zlib.compress(utf8, wbits=_RAW)
    return compressed if len(compressed) < len(utf8) else text


def decompress(stored: str | bytes | None) -> str | None:
    """Return the text of a row, None for null; raises IndexDamagedError if it is not text."""
    if not isinstance(stored, bytes):
        return stored
    try:
        return zlib.decompress(stored, wbits=_RAW).decode()
    except (zlib.error, UnicodeDecodeError) as error:
        raise IndexDamagedError("index_text_damaged") from error
