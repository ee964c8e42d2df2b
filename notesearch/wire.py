"""What programs are given: results as JSON has them, for command line, MCP and HTTP alike."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field

from notesearch.results import NoteResult, SearchResult, SectionLink, SectionResult, Why


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


@dataclass(frozen=True, slots=True)
class RelatedSection:
    """A section near to another, with its note."""

    path: str
    title: str
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
class OutlineEntry:
    """A section of an outline.

    Attributes:
        end_line: Last line of its own text.
        full_end_line: Last line with its subsections, which is how far it is read.
        words: Of its own text.
        full_words: With its subsections.
    """

    section: str
    section_path: list[str]
    level: int
    line: int
    end_line: int
    full_end_line: int
    words: int
    full_words: int


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
class Health:
    """That the program answers."""

    status: str
    version: str


@dataclass(frozen=True, slots=True)
class Reason:
    """Why there is no answer: for programs, and in a sentence."""

    kind: str
    message: str


@dataclass(frozen=True, slots=True)
class Failure:
    """Instead of an answer."""

    error: Reason


@dataclass(frozen=True, slots=True)
class Related:
    """Sections near to another, the nearest first."""

    sections: list[RelatedSection]


@dataclass(frozen=True, slots=True)
class Outline:
    """The sections of a note, in their order, or those of one page.

    Attributes:
        sections: Of the page.
        total: Of the whole note.
        continuation: What ``list_sections`` takes for the next page; empty at the end.
    """

    path: str
    sections: list[OutlineEntry]
    total: int
    words: int
    continuation: str = ""


@dataclass(frozen=True, slots=True)
class ReadPage:
    """A note or a full section of it, or one page of that.

    Attributes:
        section: Its heading; the note's title for a whole note.
        line: Line of the file in which ``text`` begins.
        end_line: Line in which it ends.
        words: Of all that was asked for.
        page_word_count: Of the whole note.
        continuation: What ``read_note`` takes for the next page; empty at the end.
    """

    path: str
    title: str
    section: str
    section_path: list[str]
    level: int
    line: int
    end_line: int
    text: str
    words: int
    page_word_count: int
    continuation: str = ""


@dataclass(frozen=True, slots=True)
class UnreadNote:
    """A note that could not be indexed, or only with a remark, and why."""

    path: str
    reason: str
    searched: bool


@dataclass(frozen=True, slots=True)
class VaultStats:
    """What is in the vault, and how far its index is.

    Attributes:
        state: ``current``, ``indexing``, ``embedding`` or ``not indexed yet``.
        problem: What stands in the way, in a sentence; empty when nothing does.
        pending: Passages that are not found by meaning yet.
        last_scan: When folder and index were last compared, in ISO 8601; empty for never.
        watching: How changes are noticed.
        unread: At most fifty of them; ``unread_count`` counts all.
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


@dataclass(frozen=True, slots=True)
class Reindexed:
    """What a comparison of the whole folder did.

    Attributes:
        finished: It is over; else it goes on.
        elsewhere: Another notesearch keeps the index, and compares by itself.
    """

    finished: bool
    elsewhere: bool = False
    added: int = 0
    changed: int = 0
    moved: int = 0
    removed: int = 0
    notes: int = 0
    pending: int = 0

    @property
    def sentence(self) -> str:
        """What a person is told."""
        counts = {
            "added": self.added, "changed": self.changed, "moved": self.moved,
            "removed": self.removed,
        }  # fmt: skip
        done = ", ".join(f"{count:,} {verb}" for verb, count in counts.items() if count)
        told = f"{done or 'Nothing had changed'}. {self.notes:,} notes are indexed."
        if self.elsewhere:
            told = f"Another notesearch keeps this index. {self.notes:,} notes are indexed."
        if not self.finished:
            told += " The comparison goes on."
        if self.pending:
            told += f" {self.pending:,} passages are not found by meaning yet."
        return told


def search_json(result: SearchResult) -> dict[str, object]:
    """Return a search result as programs read it."""
    return {
        "query": result.query,
        "mode": str(result.mode),
        "took_ms": round(result.took_ms, 1),
        "total": result.total,
        **({"spelling": [asdict(word) for word in result.spelling]} if result.spelling else {}),
        **({"unmet": [asdict(one) for one in result.unmet]} if result.unmet else {}),
        "results": [asdict(found_note(note)) for note in result.notes],
    }


def related_json(found: Sequence[SectionResult]) -> list[dict[str, object]]:
    """Return sections as programs read them, each with its note."""
    return [asdict(related_section(section)) for section in found]


def found(result: SearchResult, remarks: Sequence[str] = ()) -> Found:
    """Return a search result as programs read it, with ``remarks`` beside its own."""
    return Found(
        result.query, str(result.mode), round(result.took_ms, 1), result.total,
        [found_note(note) for note in result.notes], [*_sentences(result), *remarks],
    )  # fmt: skip


def near(result: SearchResult) -> Near:
    """Return the passages of a search by meaning, as one list."""
    words = {note.path: note.page_word_count for note in result.notes}
    passages = [
        NearPassage(
            one.title, one.path, one.passage, round(1 / (1 + max(0.0, one.score)), 4), one.section,
            list(one.section_path), one.chunk_index, one.total_chunks, words[one.path], one.line,
            one.end_line,
        )
        for one in result.sections
    ]  # fmt: skip
    return Near(result.query, round(result.took_ms, 1), passages)


def found_note(note: NoteResult) -> FoundNote:
    """Return a note of a search as programs read it."""
    return FoundNote(
        note.path, note.title, round(note.score, 4), list(note.tags), note.category,
        instant(note.modified), note.page_word_count,
        [_found_section(section) for section in note.sections],
    )  # fmt: skip


def _found_section(section: SectionResult) -> FoundSection:
    return FoundSection(
        section.section, list(section.section_path), section.level, section.line,
        section.end_line, section.chunk_index, section.total_chunks, section.passage,
        round(section.score, 4), section.why,
    )  # fmt: skip


def related_section(section: SectionResult) -> RelatedSection:
    """Return a section and its note as programs read it."""
    return RelatedSection(
        section.path, section.title, section.section, list(section.section_path), section.level,
        section.line, section.end_line, section.chunk_index, section.total_chunks,
        section.passage, round(section.score, 4), section.why,
    )  # fmt: skip


def outline(links: Sequence[SectionLink]) -> list[OutlineEntry]:
    """Return a note's sections with their sizes, alone and with their subsections."""
    entries = []
    for at, link in enumerate(links):
        below = [link]
        if link.level:
            for other in links[at + 1 :]:
                if 0 < other.level <= link.level:
                    break
                below.append(other)
        entries.append(
            OutlineEntry(
                link.heading, list(link.path), link.level, link.line, link.end_line,
                below[-1].end_line, link.words, sum(one.words for one in below),
            )
        )  # fmt: skip
    return entries


def _sentences(result: SearchResult) -> list[str]:
    """Return what is worth knowing of a search beside what it found."""
    told = [
        f"Searched for “{word.meant}”{' too' * word.also} instead of “{word.typed}”;"
        " put the word in quotes to search for exactly that."
        for word in result.spelling
    ]
    told += [one.sentence for one in result.unmet]
    if result.missing and not result.sections:
        told.append(f"Not in any note: {', '.join(result.missing)}.")
    return told


def instant(seconds: float) -> str:
    """Return seconds since the epoch as ISO 8601, in UTC."""
    return dt.datetime.fromtimestamp(seconds, tz=dt.UTC).isoformat(timespec="seconds")
