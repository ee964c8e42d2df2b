"""Found sections as JSON has them, for command line, MCP and HTTP alike."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from notesearch.results import NoteResult, SearchResult, SectionResult, Why

_Fields = tuple[str, list[str], int, int, int, int, int, str, float, Why]


@dataclass(frozen=True, slots=True)
class FoundSection:
    """A section as programs read it; ``snippet`` is the whole passage that matched best."""

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


@dataclass(frozen=True, slots=True)
class RelatedSection(FoundSection):
    """A section near to another, with its note."""

    path: str
    title: str


@dataclass(frozen=True, slots=True)
class FoundNote:
    """A note and its found sections; ``modified`` in ISO 8601."""

    path: str
    title: str
    score: float
    tags: list[str]
    category: str
    modified: str
    page_word_count: int
    sections: list[FoundSection]


def search_json(result: SearchResult) -> dict[str, object]:
    """Return a search result as programs read it."""
    return {
        "query": result.query,
        "mode": str(result.mode),
        "took_ms": round(result.took_ms, 1),
        "total": result.total,
        **({"spelling": [asdict(word) for word in result.spelling]} if result.spelling else {}),
        **({"without": list(result.without)} if result.without else {}),
        **({"unmet": [asdict(one) for one in result.unmet]} if result.unmet else {}),
        **({"missing": list(result.missing)} if result.missing else {}),
        **({"not_filters": list(result.not_filters)} if result.not_filters else {}),
        "results": [asdict(found_note(note)) for note in result.notes],
    }


def related_json(found: Sequence[SectionResult]) -> list[dict[str, object]]:
    """Return sections as programs read them, each with its note."""
    return [asdict(related_section(section)) for section in found]


def found_note(note: NoteResult) -> FoundNote:
    """Return a note of a search as programs read it."""
    return FoundNote(
        note.path, note.title, round(note.score, 4), list(note.tags), note.category,
        instant(note.modified), note.page_word_count,
        [_found_section(section) for section in note.sections],
    )  # fmt: skip


def _found_section(section: SectionResult) -> FoundSection:
    return FoundSection(*_of_section(section))


def _of_section(section: SectionResult) -> _Fields:
    """Return the fields of ``FoundSection``."""
    return (
        section.section, list(section.section_path), section.level, section.line,
        section.end_line, section.chunk_index, section.total_chunks, section.passage,
        round(section.score, 4), section.why,
    )  # fmt: skip


def related_section(section: SectionResult) -> RelatedSection:
    """Return a section and its note as programs read it."""
    return RelatedSection(*_of_section(section), section.path, section.title)


def instant(seconds: float) -> str:
    """Return seconds since the epoch as ISO 8601, in UTC."""
    return dt.datetime.fromtimestamp(seconds, tz=dt.UTC).isoformat(timespec="seconds")
