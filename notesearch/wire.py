"""The answers to programs as JSON, with the same names on the command line, in MCP and HTTP.

A page is a note, or a part of a long text that is read in pages. A chunk is a passage.
"""

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from itertools import islice
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeVar

from notesearch.messages import Sentence
from notesearch.notes import after_subsections
from notesearch.results import (
    NoteResult,
    Respelling,
    SearchResult,
    SectionLink,
    SectionResult,
    SectionText,
    Unanswered,
    Unmet,
    Why,
)
from notesearch.status import Report, Status, Unread

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

_Kind = TypeVar("_Kind", bound="DataclassInstance")
_Found = TypeVar("_Found", bound="FoundSection")

MOST_PROPERTIES = 50


@dataclass(frozen=True, slots=True)
class FoundSection:
    """A section that was found.

    Attributes:
        snippet: The whole best passage of the section.
        score: The sum of the signals, as ``search --explain`` prints it; for related sections, the
            cosine.
        percent: The score from 0 to 100, which means the same in every answer; 0 if the query has
            only filters.
        cosine: The cosine of its nearest passage with the query; null if it is not known.
    """

    section: str
    section_path: tuple[str, ...]
    level: int
    line: int
    end_line: int
    chunk_index: int
    total_chunks: int
    snippet: str
    score: float
    why: Why
    passage_line: int
    passage_end_line: int
    percent: int
    cosine: float | None


@dataclass(frozen=True, slots=True)
class RelatedSection(FoundSection):
    """A section with a similar meaning, and its note."""

    path: str
    title: str
    vault: str = ""


@dataclass(frozen=True, slots=True)
class FoundNote:
    """A note with its sections that were found.

    Attributes:
        modified: When its file was changed, in ISO 8601.
    """

    path: str
    title: str
    score: float
    tags: tuple[str, ...]
    category: str
    modified: str
    page_word_count: int
    properties: dict[str, str]
    sections: list[FoundSection]
    vault: str = ""


def with_fields_of(source: object, kind: type[_Kind], **others: object) -> _Kind:
    """Return an object of the class ``kind``; fields not in ``others`` are copied from ``source``.

    Raises:
        AttributeError: ``source`` lacks one of these fields.
    """
    same = {own.name: getattr(source, own.name) for own in fields(kind) if own.name not in others}
    return kind(**same, **others)


@dataclass(frozen=True, slots=True)
class SearchResponse:
    """The answer to a search.

    Attributes:
        remarks: Sentences that explain the answer, also what the following attributes say.
        spelling: The words that seem misspelt, and those that were searched for instead.
        without: The words that the query excludes with a minus.
        missing: The words of the query that no result has.
        not_filters: Words that look like filters but were searched as plain text.
        unmet: The filters and words that no section matches, if nothing was found.
        unanswered: The vaults that could not answer, each with the reason.
    """

    query: str
    mode: str
    took_ms: float
    total: int
    results: list[FoundNote]
    remarks: list[str]
    spelling: tuple[Respelling, ...]
    without: tuple[str, ...]
    missing: tuple[str, ...]
    not_filters: tuple[str, ...]
    unmet: tuple[Unmet, ...]
    unanswered: list[dict[str, str]]


def search_response(result: SearchResult, remarks: Iterable[str] = ()) -> SearchResponse:
    """Return a search result for programs, with ``remarks`` after its own remarks."""
    return with_fields_of(
        result,
        SearchResponse,
        mode=str(result.mode),
        took_ms=round(result.took_ms, 1),
        results=[found_note(note) for note in result.notes],
        remarks=[*result.remarks, *silent_remarks(result.unanswered), *remarks],
        unanswered=[asdict(vault) for vault in result.unanswered],
    )


def found_note(note: NoteResult) -> FoundNote:
    """Return a note of a search result, with its sections, for programs."""
    return with_fields_of(
        note,
        FoundNote,
        score=round(note.score, 4),
        modified=iso_time(note.modified),
        properties=dict(note.properties),
        sections=[found_section(section, FoundSection) for section in note.sections],
    )


def found_section(section: SectionResult, kind: type[_Found]) -> _Found:
    """Return a section that was found as an object of ``kind``, rounded as programs get it."""
    return with_fields_of(
        section,
        kind,
        section=section.shown_heading,
        section_path=section.shown_path,
        snippet=section.passage,
        score=round(section.score, 4),
        cosine=None if section.cosine is None else round(section.cosine, 4),
    )


_EPOCH = dt.datetime.fromtimestamp(0, tz=dt.UTC)


def iso_time(seconds: float) -> str:
    """Return seconds since the epoch in ISO 8601, in UTC."""
    # Windows has no ``fromtimestamp`` for times before 1970, but a note may have such a date.
    return (_EPOCH + dt.timedelta(seconds=seconds)).isoformat(timespec="seconds")


def silent_remarks(unanswered: Iterable[Unanswered]) -> list[str]:
    """Return a sentence about each vault that could not answer."""
    return [
        Sentence("vault_silent", vault=silent.vault, reason=silent.reason) for silent in unanswered
    ]


@dataclass(frozen=True, slots=True)
class UnreadNote:
    """A note that could not be read; or, if ``searched``, one that was read with a remark."""

    path: str
    reason: str
    searched: bool


def unread_notes(unread: Iterable[Unread]) -> list[UnreadNote]:
    """Return notes that could not be read, for programs."""
    return [UnreadNote(note.path, note.reason, note.remark) for note in unread]


def scan_time(status: Status) -> str:
    """Return when folder and index were last compared, in ISO 8601; empty for never."""
    return iso_time(status.last_scan) if status.last_scan else ""


def index_json(state: Status | Report) -> dict[str, object]:
    """Return the state of an index, or an update, as the JSON value that the command prints."""
    value = {**asdict(state), "unread": [*map(asdict, unread_notes(state.unread))]}
    return {**value, "last_scan": scan_time(state)} if isinstance(state, Status) else value


@dataclass(frozen=True, slots=True)
class OutlineEntry:
    """A section in an outline.

    Attributes:
        full_end_line: The last line of its subsections; the text of ``read_note`` ends there.
        full_words: The number of words of its text and its subsections.
    """

    section: str
    section_path: tuple[str, ...]
    level: int
    line: int
    end_line: int
    full_end_line: int
    words: int
    full_words: int


@dataclass(frozen=True, slots=True)
class Outline:
    """A page of a note's outline.

    Attributes:
        total: The number of sections of the whole note.
        continuation: The token with which ``list_sections`` returns the next page; empty on the
            last page.
    """

    path: str
    sections: list[OutlineEntry]
    total: int
    page_word_count: int
    continuation: str = ""
    vault: str = ""


@dataclass(frozen=True, slots=True)
class ReadPage:
    """A page of a note, or of a section with its subsections.

    Attributes:
        section: The heading of the section; the note's title for a whole note.
        text: The Markdown, followed by definitions of its links that are elsewhere in the note.
        words: The number of words of the whole section or note, counted as in the outline.
        continuation: The token with which ``read_note`` returns the next page; empty on the last
            page.
        properties: The values of each property in the note's front matter and text, only on the
            first page of a whole note.
    """

    path: str
    title: str
    section: str
    section_path: tuple[str, ...]
    level: int
    line: int
    end_line: int
    text: str
    words: int
    page_word_count: int
    continuation: str = ""
    properties: dict[str, list[str]] = field(default_factory=dict)
    vault: str = ""


def outline_entries(links: Sequence[SectionLink]) -> list[OutlineEntry]:
    """Return an entry for each section of a note: its size alone, and with its subsections."""
    entries = []
    for at, link in enumerate(links):
        below = links[at : after_subsections(links, at)]
        entries.append(
            with_fields_of(
                link,
                OutlineEntry,
                section=link.heading,
                section_path=link.path,
                full_end_line=below[-1].end_line,
                full_words=sum(section.words for section in below),
            )
        )
    return entries


def whole_outline(path: str, links: Sequence[SectionLink], vault: str) -> Outline:
    """Return the outline of the note at ``path`` in ``vault`` on one page."""
    words = sum(link.words for link in links)
    return Outline(path, outline_entries(links), len(links), words, vault=vault)


def read_page(
    text: SectionText,
    links: Sequence[SectionLink],
    *,
    page: str | None = None,
    first_line: int = 0,
    continuation: str = "",
    properties: Mapping[str, Sequence[str]] = MappingProxyType({}),
    vault: str = "",
) -> ReadPage:
    """Return a page of a note or a section; ``links`` are the sections of the whole note.

    ``page`` begins at ``first_line`` of ``text``, from 0; by default, it is all of it, with the
    definitions of its links. Of ``properties``, the answer has the first ``MOST_PROPERTIES``
    values.
    """
    values = ((key, value) for key, values in properties.items() for value in values)
    shown: dict[str, list[str]] = {}
    for key, value in islice(values, MOST_PROPERTIES):
        shown.setdefault(key, []).append(value)
    page = text.complete if page is None else page
    line = min(text.line + first_line, text.end_line)
    return with_fields_of(
        text,
        ReadPage,
        section=text.heading,
        line=line,
        end_line=min(line + page.rstrip("\n").count("\n"), text.end_line),
        text=page,
        page_word_count=sum(link.words for link in links),
        continuation=continuation,
        properties=shown,
        vault=vault,
    )
