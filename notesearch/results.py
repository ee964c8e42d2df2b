"""What a search gives back: hits by note, their marks and reasons, and the text of a section."""

from dataclasses import dataclass
from enum import StrEnum

from notesearch.notes import Span
from notesearch.sentences import Sentence


class Mode(StrEnum):
    """Which evidence a search uses."""

    HYBRID = "hybrid"
    WORDS = "words"
    MEANING = "meaning"


@dataclass(frozen=True, slots=True)
class Marked:
    """Plain text and the spans in it that match the query."""

    text: str
    marks: tuple[Span, ...] = ()


@dataclass(frozen=True, slots=True)
class Why:
    """Why a section was found.

    Attributes:
        words_rank: Rank by words, from 1; None when no word of the query is in it.
        meaning_rank: Rank by meaning, from 1; None when it was not among the nearest.
        fields: Where words matched: ``path``, ``title``, ``aliases``, ``headings``, ``tags``,
            ``body``; ``links`` where one leads to an address that was asked for.
        filters: What it had to fulfil, as typed.
    """

    words_rank: int | None = None
    meaning_rank: int | None = None
    fields: tuple[str, ...] = ()
    filters: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SectionResult:
    """One section found.

    Attributes:
        section: Its own heading; the note's title for a preamble.
        section_path: Its breadcrumb, as ``Section.path``.
        breadcrumb: ``section_path`` with the query's words marked, one entry per heading.
        snippet: About 160 characters around the densest match, on one line.
        passage: The whole passage that matched best, plain text.
        chunk_index: Place of that passage in its section, from 0.
        total_chunks: Passages of that section.
        title_marks: Where the query's words are in the title.
        cut: False for a moment, while typing: snippet, passage, marks and fields are still to come.
    """

    path: str
    title: str
    section: str
    section_path: tuple[str, ...]
    breadcrumb: tuple[Marked, ...]
    level: int
    line: int
    end_line: int
    snippet: Marked
    passage: str
    score: float
    chunk_index: int
    total_chunks: int
    why: Why
    title_marks: tuple[Span, ...] = ()
    cut: bool = True

    @property
    def related(self) -> bool:
        """Found by meaning only: none of the query's words is in it."""
        by_words = self.why.fields if self.cut else self.why.words_rank
        return not by_words and self.why.meaning_rank is not None


@dataclass(frozen=True, slots=True)
class NoteResult:
    """A note and its found sections, best first.

    Attributes:
        modified: Seconds since the epoch.
        page_word_count: Words of the whole note.
        more: Sections of this note that matched too but lie beyond ``per_note``.
    """

    path: str
    title: str
    score: float
    tags: tuple[str, ...]
    category: str
    modified: float
    page_word_count: int
    sections: tuple[SectionResult, ...]
    more: int = 0


@dataclass(frozen=True, slots=True)
class Respelling:
    """A word that stands in no note, and the one that was looked for instead.

    Attributes:
        also: The typed word stands somewhere, and was looked for as well.
    """

    typed: str
    meant: str
    also: bool = False


@dataclass(frozen=True, slots=True)
class Unmet:
    """A filter that no section fulfils.

    Attributes:
        filter: As typed.
        near: Filters like it that something fulfils.
    """

    filter: str
    near: tuple[str, ...] = ()

    @property
    def sentence(self) -> Sentence:
        """What a person is told."""
        if self.near:
            return Sentence("filter_unmet_near", filter=self.filter, near=self.near)
        return Sentence("filter_unmet", filter=self.filter)


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The answer to one query.

    Attributes:
        took_ms: Milliseconds of work.
        total: Sections that were found in all, also those beyond the limits.
        notes: Groups; a note stands where its best section stands.
        sections: The same sections as one flat ranking.
        meaning: Meaning took part, or could have where filters alone were asked for; False while
            its vectors or its model are not ready.
        missing: Words of the query that none of ``sections`` has; if there are none, those that no
            note has.
        not_filters: Words that look like filters but were searched as plain text.
        spelling: Words that were taken for misspelt; quoted, they are looked for as typed.
        without: Words and phrases that a minus kept out of the results.
        unmet, suggestion: Where nothing was found: unfulfilled filters, a query that may be meant.
    """

    query: str
    mode: Mode
    took_ms: float
    total: int
    notes: tuple[NoteResult, ...]
    sections: tuple[SectionResult, ...]
    meaning: bool
    missing: tuple[str, ...] = ()
    spelling: tuple[Respelling, ...] = ()
    unmet: tuple[Unmet, ...] = ()
    suggestion: str = ""
    without: tuple[str, ...] = ()
    not_filters: tuple[str, ...] = ()

    @property
    def without_sentence(self) -> str:
        """What a person is told of what a minus left out; it may have been typed as an option."""
        words = ", ".join(f"“{word}”" for word in self.without)
        return f"Without {words}; put it in quotes with its minus to search for that."

    @property
    def missing_sentence(self) -> str:
        """The missing words, as a sentence; empty when there are none."""
        if not self.missing:
            return ""
        where = "Not found" if self.sections else "Not in any note"
        return f"{where}: {', '.join(self.missing)}."

    @property
    def not_filters_sentence(self) -> str:
        """The words that only look like filters, as a sentence; empty when there are none."""
        words = ", ".join(f"“{word}”" for word in self.not_filters)
        return f"Searched for {words} as text: not a filter." if words else ""


@dataclass(frozen=True, slots=True)
class View:
    """What of a list is in view at first: so many sections, at most ``per_note`` of one note.

    The sections of a note stand together, where its best one stands; with no ``per_note`` each
    stands by its own rank.
    """

    sections: int
    per_note: int = 0


@dataclass(frozen=True, slots=True)
class SectionLink:
    """A section named, not shown: an outline entry, a link below a long preview."""

    heading: str
    path: tuple[str, ...]
    level: int
    line: int
    end_line: int
    words: int


@dataclass(frozen=True, slots=True)
class SectionText:
    """Markdown source read from a note, now.

    Attributes:
        path: The note's path.
        title: The note's title.
        heading: The section's heading; the title for a whole note or preamble.
        section_path: Its breadcrumb.
        level: As ``Section.level``.
        line: First line of ``text`` in the file.
        end_line: Last line of ``text``.
        text: Markdown source, heading included, front matter not.
        subsections: Sections below it that ``text`` leaves out because it would be too long.
    """

    path: str
    title: str
    heading: str
    section_path: tuple[str, ...]
    level: int
    line: int
    end_line: int
    text: str
    subsections: tuple[SectionLink, ...] = ()


@dataclass(frozen=True, slots=True)
class LastKnown:
    """What an index holds of a note whose file cannot be reached: plain text, no Markdown.

    Attributes:
        sections: Those asked for, in their order, each with its own text.
        outline: All sections of the note.
        modified: When the note was changed last, seconds since the epoch.
        subsections: Those below the one asked for that would be too much with it.
    """

    sections: tuple[SectionText, ...]
    outline: tuple[SectionLink, ...]
    modified: float
    subsections: tuple[SectionLink, ...] = ()


class Scope(StrEnum):
    """How much of a note around a section is read."""

    SECTION = "section"
    PARENT = "parent"
    NOTE = "note"
