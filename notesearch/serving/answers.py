"""The answers of servers, whose fields MCP and HTTP describe to programs.

``notesearch.wire`` has the parts of answers that the command line prints, too.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from urllib.parse import quote

from notesearch.results import (
    NoteLink,
    NoteResult,
    PassageResult,
    PassagesFound,
    SectionResult,
    weak_sentence,
)
from notesearch.status import Status
from notesearch.wire import (
    ReadPage,
    RelatedSection,
    UnreadNote,
    found_section,
    iso_time,
    scan_time,
    silent_remarks,
    unread_notes,
    with_fields_of,
)

API = "/api/v1"
MOST_UNREAD = 50


@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True, slots=True)
class RelatedResponse:
    """Sections similar in meaning to a section or a note, the nearest first.

    Attributes:
        remarks: A sentence if even the nearest section is not close.
    """

    sections: list[RelatedSection]
    remarks: list[str]


def related_response(sections: Sequence[SectionResult]) -> RelatedResponse:
    """Return related sections as the answer of servers."""
    remarks = _texts(weak_sentence(section.percent for section in sections))
    found = [found_section(section, RelatedSection) for section in sections]
    return RelatedResponse(found, remarks)


def semantic_search_response(
    found: PassagesFound, remarks: Sequence[str] = (), *, named: bool = False
) -> SemanticSearchResponse:
    """Return passages as the answer of servers, with ``remarks`` after their own remarks.

    With ``named``, ids and addresses have the name of the vault.
    """
    passages = [_semantic_passage(passage, named=named) for passage in found.passages]
    unmet = (unmet.sentence for unmet in found.unmet)
    silent = silent_remarks(found.unanswered)
    return SemanticSearchResponse(
        query=found.query,
        took_ms=round(found.took_ms, 1),
        total=found.total,
        results=passages,
        remarks=_texts(found.empty_sentence, found.weak_sentence, *unmet, *silent, *remarks),
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


@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True, slots=True)
class NoteList:
    """The newest notes that match filters.

    Attributes:
        remarks: Sentences about filters that no note matches, and about vaults that could not
            answer.
    """

    total: int
    notes: list[ListedNote]
    remarks: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class TagCount:
    """A tag, in lower case, and the number of notes with it."""

    tag: str
    notes: int


@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True, slots=True)
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


def _texts(*texts: str) -> list[str]:
    return [text for text in texts if text]


@dataclass(frozen=True, slots=True)
class ReadPages:
    """The answer for several addresses: a page for each, or why it cannot be read."""

    pages: list[ReadPage]
    problems: list[str]


@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True, slots=True)
class VaultTotals(VaultStats):
    """The stats of all vaults of a server together; with several vaults, also of each one."""

    vaults: list[VaultStats] = field(default_factory=list)


def vault_stats(
    status: Status, *, state: str, problem: str, average_passage_words: int = 0
) -> VaultStats:
    """Return the state of an index for programs; the arguments are fields of ``VaultStats``."""
    unread = status.unread[:MOST_UNREAD]
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


@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True, slots=True)
class Health:
    """The answer that the server is running; ``status`` is ``ok``."""

    status: str
    version: str


@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True, slots=True)
class ErrorResponse:
    """The answer to a request that failed."""

    error: ErrorDetail
