"""Whole answers to a search, as servers give them."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from notesearch.results import SearchResult
from notesearch.wire.sections import FoundNote, RelatedSection, found_note


@dataclass(frozen=True, slots=True)
class Found:
    """The answer to a search; ``remarks`` are sentences on what is worth knowing beside."""

    query: str
    mode: str
    took_ms: float
    total: int
    results: list[FoundNote]
    remarks: list[str]


@dataclass(frozen=True, slots=True)
class NearPassage:
    """A passage near in meaning.

    Attributes:
        name: The note's title.
        snippet: The whole passage.
        distance: 0 to 1, the nearest smallest; it orders the passages of one answer.
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


@dataclass(frozen=True, slots=True)
class Near:
    """The answer to a search by meaning alone, the nearest first."""

    query: str
    took_ms: float
    results: list[NearPassage]


@dataclass(frozen=True, slots=True)
class Related:
    """Sections near to another, the nearest first."""

    sections: list[RelatedSection]


def found(result: SearchResult, remarks: Sequence[str] = ()) -> Found:
    """Return a search result as programs read it, with ``remarks`` beside its own."""
    return Found(
        result.query, str(result.mode), round(result.took_ms, 1), result.total,
        [found_note(note) for note in result.notes], [*_sentences(result), *remarks],
    )  # fmt: skip


def near(result: SearchResult) -> Near:
    """Return the passages of a search by meaning, as one list."""
    words = {note.path: note.page_word_count for note in result.notes}
    # What is called as was asked stands before what has a better score, and so is nearer here.
    scores = accumulate((one.score for one in result.sections), min)
    passages = [
        NearPassage(
            one.title, one.path, one.passage, round(1 / (1 + max(0.0, score)), 4), one.section,
            list(one.section_path), one.chunk_index, one.total_chunks, words[one.path], one.line,
            one.end_line,
        )
        for one, score in zip(result.sections, scores, strict=True)
    ]  # fmt: skip
    return Near(result.query, round(result.took_ms, 1), passages)


def _sentences(result: SearchResult) -> list[str]:
    """Return what is worth knowing of a search beside what it found."""
    told = [
        f"Searched for “{word.meant}”{' too' * word.also} instead of “{word.typed}”;"
        " put the word in quotes to search for exactly that."
        for word in result.spelling
    ]
    told += [one.sentence for one in result.unmet]
    told += [result.without_sentence] * bool(result.without)
    told += filter(None, (result.not_filters_sentence, result.missing_sentence))
    return told
