"""Rows of the index as a reader returns them."""

import json
from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from notesearch.notes import SourceMap, Span

THESE = "(select value from json_each(?))"
"""SQL for a list of ids that is passed as JSON."""


class NoteRow(NamedTuple):
    """A note, without its text; ``words`` and ``sections`` are numbers."""

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
    sections: int = 0


class SectionRow(NamedTuple):
    """A section.

    Attributes:
        body: Its plain text; empty unless it was asked for.
        has_text: Whether it is more than a heading.
        source: Where the text comes from, if it was asked for.
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
    source: SourceMap = SourceMap()


class PassageRow(NamedTuple):
    """A passage: ``span`` in the body of its section, of whose passages it is number ``place``."""

    section_id: int
    place: int
    span: Span


def source_map(written: str) -> SourceMap:
    """Return what ``written``, a column of the table ``body``, says."""
    if not written:
        return SourceMap()
    lines, whole = json.loads(written)
    return SourceMap(tuple(map(tuple, lines)), tuple(map(tuple, whole)))


class WordHit(NamedTuple):
    """A section found by words; a greater score is better (BM25 with its sign turned)."""

    section_id: int
    score: float


class LinkHit(NamedTuple):
    """A section with a link to an address.

    Attributes:
        share: Length of the address in the query as a share of the link's address, 0 to 1; the
            greatest if there are several links.
        span: The link's words in the section's body; None if they are not there.
    """

    section_id: int
    share: float
    span: Span | None


class MeaningHit(NamedTuple):
    """A passage found by meaning; ``similarity`` is a cosine in the built-in model's range."""

    section_id: int
    place: int
    similarity: float


class ListedSection(NamedTuple):
    """A section that fulfils a condition; how many do so in its note, and in all notes."""

    section_id: int
    of_note: int
    total: int


class Counts(NamedTuple):
    """Numbers of rows in the index, and the size of all notes."""

    notes: int
    sections: int
    passages: int
    words: int
    embedded: int
    pending: int
    note_bytes: int
