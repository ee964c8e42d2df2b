"""The answers to programs as JSON, with the same names on the command line, in MCP and HTTP.

MCP and HTTP describe their fields to programs. A page is a note, or a part of a long text that is
read in pages. A chunk is a passage.
"""

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from itertools import islice
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeVar
from urllib.parse import quote

from notesearch.messages import Sentence
from notesearch.notes import after_subsections
from notesearch.results import (
    NoteLink,
    NoteResult,
    PassageResult,
    PassagesFound,
    Respelling,
    SearchResult,
    SectionLink,
    SectionResult,
    SectionText,
    Unanswered,
    Unmet,
    Why,
    weak_sentence,
)
from notesearch.status import Report, Status, Unread

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

_Kind = TypeVar("_Kind", bound="DataclassInstance")
_Found = TypeVar("_Found", bound="FoundSection")

API = "/api/v1"
_MOST_PROPERTIES = 50
_MOST_UNREAD = 50


@dataclass(frozen=True)
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


@dataclass(frozen=True)
class RelatedSection(FoundSection):
    """A section with a similar meaning, and its note."""

    path: str
    title: str
    vault: str = ""


@dataclass(frozen=True)
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


@dataclass(frozen=True)
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


@dataclass(frozen=True)
class SemanticPassage:
    """A passage with a similar meaning.

    Attributes:
        id: The note's path and the number of the passage: ``pond.md::chunk_0``. With several
            vaults, it begins with the name of the vault: ``work/pond.md::chunk_0``.
        url: The address at which this API gives the section.
        snippet: The whole passage, after the note's title and the section's headings in brackets.
        distance: How far passage, headings and note are from the query: 0 is nearest, 1 farthest.
        cosine: The cosine of the passage alone with the query.
        percent: The score from 0 to 100, which means the same as in ``search``.
        last_updated: The last change according to the front matter, else the file's; a date
            in ISO 8601.
    """

    id: str
    name: str
    path: str
    url: str
    snippet: str
    distance: float
    cosine: float
    percent: int
    section: str
    section_path: tuple[str, ...]
    chunk_index: int
    total_chunks: int
    page_word_count: int
    category: str
    tags: tuple[str, ...]
    last_updated: str
    line: int
    end_line: int
    passage_line: int
    passage_end_line: int
    vault: str = ""


@dataclass(frozen=True)
class SemanticSearchResponse:
    """The passages nearest to a query, best first.

    Attributes:
        total: The number of all near passages.
        remarks: Sentences that explain the results, and say what may be missing.
    """

    query: str
    took_ms: float
    total: int
    results: list[SemanticPassage]
    remarks: list[str]


@dataclass(frozen=True)
class RelatedResponse:
    """Sections similar in meaning to a section or a note, the nearest first.

    Attributes:
        remarks: A sentence if even the nearest section is not close.
    """

    sections: list[RelatedSection]
    remarks: list[str]


def related_response(sections: Sequence[SectionResult]) -> RelatedResponse:
    """Return related sections as the answer of servers."""
    weak = weak_sentence(section.percent for section in sections)
    found = [found_section(section, RelatedSection) for section in sections]
    return RelatedResponse(found, [weak] if weak else [])


def semantic_search_response(
    found: PassagesFound, remarks: Sequence[str] = (), *, named: bool = False
) -> SemanticSearchResponse:
    """Return passages as the answer of servers, with ``remarks`` after their own remarks.

    With ``named``, ids and addresses have the name of the vault.
    """
    return with_fields_of(
        found,
        SemanticSearchResponse,
        took_ms=round(found.took_ms, 1),
        results=[_semantic_passage(passage, named=named) for passage in found.passages],
        remarks=[*found.remarks, *silent_remarks(found.unanswered), *remarks],
    )


def _semantic_passage(passage: PassageResult, *, named: bool) -> SemanticPassage:
    crumbs = [passage.title, *(crumb for crumb in passage.section_path if crumb != passage.title)]
    section = f"{'/'.join(passage.section_path)} (line {passage.line})"
    vault = f"&vault={quote(passage.vault, safe='', errors='replace')}" * named
    address = f"{passage.vault}/{passage.path}" if named else passage.path
    return with_fields_of(
        passage,
        SemanticPassage,
        id=f"{address}::chunk_{passage.chunk_index}",
        name=passage.title,
        url=f"{API}/pages/{quote(passage.path)}?section={quote(section, safe='')}{vault}",
        snippet=f"[{' > '.join(crumbs)}] {passage.text}".rstrip(),
        distance=round(1.0 - passage.score, 4),
        cosine=round(passage.cosine, 4),
        last_updated=passage.last_updated or iso_time(passage.modified)[:10],
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


@dataclass(frozen=True)
class ListedNote:
    """A note in a list.

    Attributes:
        modified: When its file was changed, in ISO 8601.
        date: The date by which the list is sorted: the note's own, else the file's.
    """

    path: str
    title: str
    tags: tuple[str, ...]
    category: str
    modified: str
    page_word_count: int
    date: str
    vault: str = ""


@dataclass(frozen=True)
class NoteList:
    """The newest notes that match filters.

    Attributes:
        remarks: Sentences about filters that no note matches, and about vaults that could not
            answer.
    """

    total: int
    notes: list[ListedNote]
    remarks: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class TagCount:
    """A tag, in lower case, and the number of notes with it."""

    tag: str
    notes: int


@dataclass(frozen=True)
class TagList:
    """The tags of a vault, the most used first.

    Attributes:
        total: The number of all tags.
        remarks: If no tag was found, a sentence with similar tags; and a sentence about each vault
            that could not answer.
    """

    total: int
    tags: list[TagCount]
    remarks: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class LinkList:
    """The links of a note to other notes, and of other notes to it."""

    path: str
    outgoing: list[NoteLink]
    backlinks: list[NoteLink]
    vault: str = ""


def note_list(notes: Sequence[NoteResult], total: int, remarks: Sequence[str] = ()) -> NoteList:
    """Return a list of notes for programs."""
    listed = [
        with_fields_of(
            note, ListedNote, modified=iso_time(note.modified), date=iso_time(note.date)[:10]
        )
        for note in notes
    ]
    return NoteList(total, listed, [*remarks])


@dataclass(frozen=True)
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


@dataclass(frozen=True)
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


@dataclass(frozen=True)
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
    definitions of its links. Of ``properties``, the answer has the first ``_MOST_PROPERTIES``
    values.
    """
    values = ((key, value) for key, values in properties.items() for value in values)
    shown: dict[str, list[str]] = {}
    for key, value in islice(values, _MOST_PROPERTIES):
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


@dataclass(frozen=True)
class ReadPages:
    """The answer for several addresses: a page for each, or why it cannot be read."""

    pages: list[ReadPage]
    problems: list[str]


@dataclass(frozen=True)
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


@dataclass(frozen=True)
class VaultStats:
    """What the vault contains, and the state of its index.

    Attributes:
        state: ``current``, ``indexing``, ``embedding``, or ``outdated``: ``problem`` says why the
            index cannot be updated.
        problem: A sentence on why indexing or search by meaning is not possible; else empty.
        average_passage_words: The mean number of words in a sample of at most 250 passages.
        pending: The number of passages that search by meaning cannot find yet.
        last_scan: When folder and index were last compared, in ISO 8601; empty for never.
        watching: How the program learns of changes: ``live``, ``comparing every 60 s``, or empty
            while nothing watches.
        unread: The first 50 notes that could not be read; ``unread_count`` counts all of them.
        name: The name of the vault; empty for the sums of several vaults.
    """

    vault: str
    state: str
    problem: str
    notes: int
    sections: int
    passages: int
    words: int
    average_passage_words: int
    pending: int
    meaning: bool
    model: str
    last_scan: str
    watching: str
    index_bytes: int
    unread_count: int
    unread: list[UnreadNote] = field(default_factory=list)
    name: str = ""


@dataclass(frozen=True)
class VaultTotals(VaultStats):
    """The stats of all vaults of a server together; with several vaults, also of each one."""

    vaults: list[VaultStats] = field(default_factory=list)


def vault_stats(
    status: Status, *, state: str, problem: str, average_passage_words: int = 0
) -> VaultStats:
    """Return the state of an index for programs; the arguments are fields of ``VaultStats``."""
    unread = status.unread[:_MOST_UNREAD]
    return with_fields_of(
        status,
        VaultStats,
        state=state,
        problem=problem,
        average_passage_words=average_passage_words,
        last_scan=scan_time(status),
        unread_count=len(status.unread),
        unread=unread_notes(unread),
        name="",
    )


@dataclass(frozen=True)
class ReindexResponse:
    """What a comparison of the whole folder with the index changed.

    Attributes:
        finished: Whether the comparison is done; otherwise it continues.
        elsewhere: Whether another process of notesearch maintains the index.
        rebuilt: Whether the index was deleted and built again.
    """

    finished: bool
    elsewhere: bool = False
    added: int = 0
    changed: int = 0
    moved: int = 0
    removed: int = 0
    notes: int = 0
    pending: int = 0
    rebuilt: bool = False


@dataclass(frozen=True)
class Health:
    """The answer that the server is running; ``status`` is ``ok``."""

    status: str
    version: str


@dataclass(frozen=True)
class ErrorDetail:
    """Why there is no answer.

    Attributes:
        kind: ``not_found``, ``not_ready``, ``wrong_parameters``, ``not_served`` or ``refused``.
        message: A sentence that describes the error.
        code: The code of an error of the library, such as ``note_gone``; otherwise empty.
    """

    kind: str
    message: str
    code: str = ""


@dataclass(frozen=True)
class ErrorResponse:
    """The answer to a request that failed."""

    error: ErrorDetail
