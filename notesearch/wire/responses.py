"""Search results as JSON."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import accumulate
from typing import Any

from notesearch.results import NoteLink, NoteResult, SearchResult, SectionResult, Why


@dataclass(frozen=True, slots=True)
class FoundSection:
    """A section that was found.

    Attributes:
        snippet: Its whole best passage.
        passage_line: The first line of that passage in the note.
        passage_end_line: Its last line.
        percent: The score as a share of the greatest possible, from 0 to 100.
    """

    section: str
    section_path: list[str]
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


@dataclass(frozen=True, slots=True)
class RelatedSection(FoundSection):
    """A section with a similar meaning, and its note."""

    path: str
    title: str


@dataclass(frozen=True, slots=True)
class FoundNote:
    """A note with its sections that were found; ``modified`` is in ISO 8601."""

    path: str
    title: str
    score: float
    tags: list[str]
    category: str
    modified: str
    page_word_count: int
    properties: dict[str, str]
    sections: list[FoundSection]


@dataclass(frozen=True, slots=True)
class SearchResponse:
    """The answer to a search; ``remarks`` are sentences that explain it."""

    query: str
    mode: str
    took_ms: float
    total: int
    results: list[FoundNote]
    remarks: list[str]


@dataclass(frozen=True, slots=True)
class SemanticPassage:
    """A passage with a similar meaning.

    Attributes:
        name: The note's title.
        snippet: The whole passage.
        distance: 0 to 1; the passages of one answer are sorted by it, the nearest first.
    """

    name: str
    path: str
    snippet: str
    distance: float
    section: str
    section_path: list[str]
    chunk_index: int
    total_chunks: int
    page_word_count: int
    line: int
    end_line: int
    passage_line: int
    passage_end_line: int


@dataclass(frozen=True, slots=True)
class SemanticSearchResponse:
    """The answer to a search by meaning alone, the nearest passage first."""

    query: str
    took_ms: float
    results: list[SemanticPassage]


@dataclass(frozen=True, slots=True)
class RelatedResponse:
    """Sections with a meaning similar to another one's, the nearest first."""

    sections: list[RelatedSection]


def search_json(result: SearchResult) -> dict[str, object]:
    """Return a search result as the command line prints it."""
    optional: dict[str, object] = {
        "spelling": [asdict(word) for word in result.spelling],
        "without": list(result.without),
        "unmet": [asdict(one) for one in result.unmet],
        "missing": list(result.missing),
        "not_filters": list(result.not_filters),
    }
    return {
        "query": result.query,
        "mode": str(result.mode),
        "took_ms": round(result.took_ms, 1),
        "total": result.total,
        **{name: value for name, value in optional.items() if value},
        "results": [asdict(found_note(note)) for note in result.notes],
    }


def related_json(sections: Sequence[SectionResult]) -> list[dict[str, object]]:
    """Return sections, each with its note, as the command line prints them."""
    return [asdict(related_section(section)) for section in sections]


def search_response(result: SearchResult, remarks: Sequence[str] = ()) -> SearchResponse:
    """Return a search result for servers, with ``remarks`` after its own."""
    return SearchResponse(
        query=result.query,
        mode=str(result.mode),
        took_ms=round(result.took_ms, 1),
        total=result.total,
        results=[found_note(note) for note in result.notes],
        remarks=[*_remarks(result), *remarks],
    )


def semantic_search_response(result: SearchResult) -> SemanticSearchResponse:
    """Return the result of a search by meaning as one list of passages."""
    note_words = {note.path: note.page_word_count for note in result.notes}
    # Exactly named sections come first whatever their score, so the distance must not fall.
    scores = accumulate((section.score for section in result.sections), min)
    passages = [
        SemanticPassage(
            name=section.title,
            path=section.path,
            snippet=section.passage,
            distance=round(1 / (1 + max(0.0, score)), 4),
            section=section.section,
            section_path=list(section.section_path),
            chunk_index=section.chunk_index,
            total_chunks=section.total_chunks,
            page_word_count=note_words[section.path],
            line=section.line,
            end_line=section.end_line,
            passage_line=section.passage_line,
            passage_end_line=section.passage_end_line,
        )
        for section, score in zip(result.sections, scores, strict=True)
    ]
    return SemanticSearchResponse(result.query, round(result.took_ms, 1), passages)


def found_note(note: NoteResult) -> FoundNote:
    """Return a note of a search result for programs."""
    return FoundNote(
        path=note.path,
        title=note.title,
        score=round(note.score, 4),
        tags=list(note.tags),
        category=note.category,
        modified=iso_time(note.modified),
        page_word_count=note.page_word_count,
        properties=dict(note.properties),
        sections=[FoundSection(**_section_fields(section)) for section in note.sections],
    )


def related_section(section: SectionResult) -> RelatedSection:
    """Return a section and its note for programs."""
    return RelatedSection(**_section_fields(section), path=section.path, title=section.title)


def _section_fields(section: SectionResult) -> dict[str, Any]:
    """Return the fields of ``FoundSection``."""
    return {
        "section": section.section,
        "section_path": list(section.section_path),
        "level": section.level,
        "line": section.line,
        "end_line": section.end_line,
        "chunk_index": section.chunk_index,
        "total_chunks": section.total_chunks,
        "snippet": section.passage,
        "score": round(section.score, 4),
        "why": section.why,
        "passage_line": section.passage_line,
        "passage_end_line": section.passage_end_line,
        "percent": section.percent,
    }


@dataclass(frozen=True, slots=True)
class ListedNote:
    """A note in a list; ``modified`` is in ISO 8601."""

    path: str
    title: str
    tags: list[str]
    category: str
    modified: str
    page_word_count: int


@dataclass(frozen=True, slots=True)
class NoteList:
    """The newest notes that fulfil filters; ``total`` counts all of them."""

    total: int
    notes: list[ListedNote]


@dataclass(frozen=True, slots=True)
class TagCount:
    """A tag, folded, and the number of notes that have it."""

    tag: str
    notes: int


@dataclass(frozen=True, slots=True)
class TagList:
    """The tags of a vault, the most used first; ``total`` counts all of them."""

    total: int
    tags: list[TagCount]


@dataclass(frozen=True, slots=True)
class LinkList:
    """The links between a note and others."""

    path: str
    outgoing: list[NoteLink]
    backlinks: list[NoteLink]


def note_list(notes: Sequence[NoteResult], total: int) -> NoteList:
    """Return a list of notes for programs."""
    return NoteList(
        total,
        [
            ListedNote(
                note.path,
                note.title,
                list(note.tags),
                note.category,
                iso_time(note.modified),
                note.page_word_count,
            )
            for note in notes
        ],
    )


def iso_time(seconds: float) -> str:
    """Return seconds since the epoch in ISO 8601, in UTC."""
    return dt.datetime.fromtimestamp(seconds, tz=dt.UTC).isoformat(timespec="seconds")


def _remarks(result: SearchResult) -> list[str]:
    """Return sentences that explain a search result."""
    remarks = ["Nothing close was found; these are the nearest."] * result.is_weak
    remarks += [
        f"Searched for “{word.meant}”{' too' * word.also} instead of “{word.typed}”;"
        " put the word in quotes to search for exactly that."
        for word in result.spelling
    ]
    remarks += [one.sentence for one in result.unmet]
    remarks += [result.without_sentence] * bool(result.without)
    remarks += filter(None, (result.not_filters_sentence, result.missing_sentence))
    return remarks
