"""The results of searching and reading: sections, notes and passages, with scores and texts.

A breadcrumb consists of the headings above a section and its own heading. A chunk is a passage.
Several classes have these fields: ``section`` is the heading of the section, or the note's title
for text above the first heading. ``percent`` is ``score`` as a score from 0 to 100 that means the
same in every search. ``modified`` says when the file was changed, in seconds since the epoch.
``vault`` is the name of the vault, and ``unanswered`` has the vaults that could not answer; both
are empty in answers of ``NoteLibrary``, which does not know its name.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import chain

from notesearch.messages import Sentence
from notesearch.notes import Span, after_subsections, page_of

LONGEST_QUERY = 1000
"""The maximum number of characters of a query; of a longer one, the middle is left out."""

_MOST_WORDS = 8
"""The maximum number of the query's words that a sentence names."""

_MOST_CHARACTERS = 60
"""The maximum number of characters of each of them."""


def _listed(words: Iterable[str]) -> str:
    """Return the first of ``words``, separated by commas, and how many more there are."""
    every = tuple(words)
    others = len(every) - _MOST_WORDS
    return ", ".join(every[:_MOST_WORDS]) + (f" and {others} more" if others > 0 else "")


def _cut(text: str) -> str:
    """Return ``text`` on one line, short enough for a sentence."""
    line = " ".join(text.split())
    return line if len(line) <= _MOST_CHARACTERS else f"{line[:_MOST_CHARACTERS].rstrip()}…"


def _quoted(text: str) -> str:
    return f"“{_cut(text)}”"


class Mode(StrEnum):
    """What a search uses: words, meaning, or both."""

    HYBRID = "hybrid"
    WORDS = "words"
    MEANING = "meaning"


WEAK = 25
"""A score from 0 to 100; if the best result has a lower one, no result fits the query well."""

NOTHING_CLOSE = "Nothing close was found; these are the nearest."


def weak_sentence(scores: Iterable[int]) -> str:
    """Return ``NOTHING_CLOSE`` if the best of ``scores`` (0 to 100) is below ``WEAK``, else ""."""
    return NOTHING_CLOSE if max(scores, default=WEAK) < WEAK else ""


def as_percent(share: float, weak: float = WEAK / 100) -> int:
    """Return the score from 0 to 100 that means the same in every kind of search.

    Args:
        share: The evidence for a result, as a share of the maximum in this kind of search.
        weak: The share that gives the score ``WEAK``; nonsense hardly ever reaches it.
    """
    least = WEAK / 100
    if share < weak:
        score = least * share / weak
    else:
        score = least + (1.0 - least) * (share - weak) / (1.0 - weak)
    return max(0, min(100, round(100 * score)))


@dataclass(frozen=True, slots=True)
class Marked:
    """Plain text, with the spans that match the query."""

    text: str
    marks: tuple[Span, ...] = ()


@dataclass(frozen=True, slots=True)
class Evidence:
    """A signal of the ranking, as evidence for a result.

    Attributes:
        name: ``words``, ``held``, ``headings``, ``passage``, ``path``, ``note``, ``note_words``,
            ``opened``, ``recent``, ``folder`` or ``pieces``.
        value: How strong the signal is, from 0 to 1.
        weight: The factor of ``value`` in the score.
    """

    name: str
    value: float
    weight: float


@dataclass(frozen=True, slots=True)
class Why:
    """Why a section was found.

    Attributes:
        words_rank: The rank by words, from 1; None if no word of the query matches.
        meaning_rank: The rank by meaning, from 1; None if the section is not among the nearest.
        fields: Where words match: ``path``, ``title``, ``aliases``, ``headings``, ``tags``,
            ``properties``, ``body``; ``links`` if a link leads to an address in the query.
        named: Whether the section or its note has exactly the query as its name, so that it is
            listed first.
    """

    words_rank: int | None = None
    meaning_rank: int | None = None
    fields: tuple[str, ...] = ()
    filters: tuple[str, ...] = ()
    named: bool = False


@dataclass(frozen=True, slots=True)
class SectionResult:
    """A section that was found.

    Attributes:
        section_path: The breadcrumb of the section, as ``Section.path``.
        breadcrumb: ``section_path`` with marks, one entry for each heading; references to blocks
            show their words.
        snippet: About 160 characters around the place with the most matches, on one line.
        passage: The best passage as plain text: the passage with the words of the query, else the
            one nearest in meaning; without a model, the paragraphs around the words.
        passage_line: The first line of ``passage`` in the file; 0 if it is not known.
        chunk_index: The index of ``passage`` in its section, from 0.
        total_chunks: The number of passages of the section.
        complete: Whether snippet, passage, marks and fields are there. They are missing in a first
            result, which is shown while the user types.
        signals: The evidence; ``score`` is the sum of each value times its weight.
        cosine: The cosine of its nearest passage with the query, 0 to 1; None if it is not known.
        resolved_path: ``section_path`` with the words of the blocks to which its headings refer;
            empty if that is not known.
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
    complete: bool = True
    signals: tuple[Evidence, ...] = ()
    passage_line: int = 0
    passage_end_line: int = 0
    percent: int = 0
    cosine: float | None = None
    vault: str = ""
    page: str = ""
    resolved_path: tuple[str, ...] = ()

    @property
    def place(self) -> tuple[str, str, int]:
        """The vault, path and line of the section; no other section has the same."""
        return self.vault, self.path, self.line

    @property
    def shown_path(self) -> tuple[str, ...]:
        """The breadcrumb of the section, with the words of the blocks to which headings refer."""
        return self.resolved_path or self.section_path

    @property
    def shown_heading(self) -> str:
        """The heading of the section, with the words of the blocks to which it refers."""
        is_last = self.section_path[-1:] == (self.section,)
        return self.shown_path[-1] if is_last else self.section

    @property
    def by_meaning_alone(self) -> bool:
        """Whether only meaning has found the section, and none of the words is shown."""
        by_words = (self.why.fields or self.snippet.marks) if self.complete else self.why.words_rank
        return not by_words and self.why.meaning_rank is not None


@dataclass(frozen=True, slots=True)
class OpenedSection:
    """A section, without snippet, score and reason, and when it was opened (Unix time)."""

    section: SectionResult
    opened: float


@dataclass(frozen=True, slots=True)
class NoteResult:
    """A note with its sections that were found, best first.

    Attributes:
        date: The date by which notes are sorted: the note's own, else the file's, in seconds
            of the local calendar.
        more: The number of further matching sections of this note, beyond ``per_note``.
        properties: The properties in its front matter, except title, aliases, tags and category,
            and in its text.
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
    properties: Mapping[str, str] = field(default_factory=dict)
    vault: str = ""
    date: float = 0.0


@dataclass(frozen=True, slots=True)
class PassageResult:
    """A passage that was found by meaning.

    Attributes:
        score: How near passage, headings and note are to the query, from 0 to 1; 0 if the query has
            only filters.
        cosine: The cosine of the passage alone with the query.
        chunk_index: The index of the passage in its note, from 0; passages without text do not
            count.
        total_chunks: The number of passages of the note that have text, at least 1.
        last_updated: The last change that the front matter names, in ISO 8601; empty for none.
    """

    path: str
    title: str
    section: str
    section_path: tuple[str, ...]
    line: int
    end_line: int
    text: str
    passage_line: int
    passage_end_line: int
    score: float
    percent: int
    cosine: float
    chunk_index: int
    total_chunks: int
    tags: tuple[str, ...]
    category: str
    modified: float
    last_updated: str
    page_word_count: int
    vault: str = ""


@dataclass(frozen=True, slots=True)
class FilterChoice:
    """A filter that is offered: it completes what the user has typed, or narrows a result.

    Attributes:
        filter: The filter as typed: ``tag:travel``, or ``prop:status=`` if a value follows.
        count: The number of notes that it finds, or of sections of the result; 0 if that is not
            known.
    """

    filter: str
    count: int = 0


@dataclass(frozen=True, slots=True)
class Respelling:
    """A word that seems misspelt, and the word that was searched for instead.

    Attributes:
        also: Whether the typed word exists in notes, and was searched for, too.
    """

    typed: str
    meant: str
    also: bool = False

    @property
    def sentence(self) -> str:
        """A sentence with the word that was searched for, and how to search for the typed one."""
        shown = f"Showing results for “{self.meant}”{' too' * self.also}"
        return f"{shown}; put “{self.typed}” in quotes to search for exactly that."


@dataclass(frozen=True, slots=True)
class Unmet:
    """A filter that no section matches, or filters and words that no section matches together.

    Attributes:
        filter: The filter, or the filters and words, as typed.
        near: Similar filters that some section matches.
        together: Each of the filters and words, if there are several.
    """

    filter: str
    near: tuple[str, ...] = ()
    together: tuple[str, ...] = ()

    @property
    def sentence(self) -> Sentence:
        """A sentence that no note matches this filter, with similar filters."""
        if self.together:
            return Sentence("filters_unmet_together", filters=self.together)
        if self.near:
            return Sentence("filter_unmet_near", filter=self.filter, near=self.near)
        return Sentence("filter_unmet", filter=self.filter)


@dataclass(frozen=True, slots=True)
class Unanswered:
    """The name of a vault that could not answer, and the reason."""

    vault: str
    reason: Sentence


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What one query has found.

    Attributes:
        total: The number of all matches, including those beyond the limits.
        meaning: Whether search by meaning took part, or would have if there were words to search
            for. False while its vectors or its model are not ready.
        unmet: If nothing was found, the filters and words that no section matches.
        is_empty: Whether the query has no word and no filter: at most punctuation.
    """

    query: str
    took_ms: float
    total: int
    meaning: bool
    unmet: tuple[Unmet, ...] = ()
    is_empty: bool = False
    unanswered: tuple[Unanswered, ...] = ()

    @property
    def empty_sentence(self) -> str:
        """A sentence that the query has no word and no filter; empty if it has one."""
        if not self.is_empty:
            return ""
        if not self.query.strip():
            return "The query is empty. Add a word or a filter."
        return f"There is nothing to search for in {_quoted(self.query)}. Add a word or a filter."


@dataclass(frozen=True, slots=True, kw_only=True)
class PassagesFound(Found):
    """The passages nearest to a query, the nearest first."""

    passages: tuple[PassageResult, ...]

    @property
    def weak_sentence(self) -> str:
        """``NOTHING_CLOSE`` if even the best passage fits the query poorly; otherwise empty."""
        return weak_sentence(passage.percent for passage in self.passages if passage.score)

    @property
    def remarks(self) -> list[str]:
        """Sentences that say what was not found."""
        unmet = (unmet.sentence for unmet in self.unmet)
        return [*filter(None, (self.empty_sentence, self.weak_sentence, *unmet))]


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchResult(Found):
    """The sections that match a query, the best first.

    Attributes:
        notes: The sections grouped by note; each note is ranked by its best section.
        missing: The words of the query that none of ``sections`` has; if nothing was found, the
            words that no note has.
        not_filters: Words that look like filters but were searched as plain text.
        near_filters: The filters that are similar to each of ``not_filters``, by that word; without
            the words that no filter is similar to.
        spelling: The words that seem misspelt. In quotes, they are searched for as typed.
        suggestion: If nothing was found, a query that the user may mean.
        without: The words that the query excludes with a minus.
    """

    mode: Mode
    notes: tuple[NoteResult, ...]
    sections: tuple[SectionResult, ...]
    missing: tuple[str, ...] = ()
    spelling: tuple[Respelling, ...] = ()
    suggestion: str = ""
    without: tuple[str, ...] = ()
    not_filters: tuple[str, ...] = ()
    near_filters: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def weak_sentence(self) -> str:
        """``NOTHING_CLOSE`` if even the best section fits the query poorly; otherwise empty."""
        return weak_sentence(section.percent for section in self.sections if section.signals)

    def with_sections(self, changed: Iterable[SectionResult]) -> "SearchResult":
        """Return the result with ``changed`` in place of its sections, in the same order."""
        new = dict(zip((section.place for section in self.sections), changed, strict=True))
        notes = (replace(n, sections=tuple(new[s.place] for s in n.sections)) for n in self.notes)
        return replace(self, sections=tuple(new.values()), notes=tuple(notes))

    def in_order(self, order: Sequence[int]) -> "SearchResult":
        """Return the result with its sections in ``order``, a list of their present indexes.

        The notes are sorted by their best sections.
        """
        sections = tuple(self.sections[number] for number in order)
        rank_of = {section.place: rank for rank, section in enumerate(sections)}

        def rank(section: SectionResult) -> int:
            return rank_of[section.place]

        notes = (replace(n, sections=tuple(sorted(n.sections, key=rank))) for n in self.notes)
        by_rank = sorted(notes, key=lambda note: rank(note.sections[0]))
        return replace(self, sections=sections, notes=tuple(by_rank))

    @property
    def without_sentence(self) -> str:
        """A sentence with the excluded words: the user may have meant an option; else empty."""
        if not self.without:
            return ""
        words = _listed(map(_quoted, self.without))
        shown = f"Left out sections with {words}."
        return f"{shown} To search for a word with its minus, put both in quotes."

    @property
    def nothing_sentence(self) -> str:
        """A sentence that no section matches; empty if one does, or if a remark says why not."""
        is_said = self.sections or self.unmet or self.is_empty
        return "" if is_said else f"No sections match {_quoted(self.query)}."

    @property
    def missing_sentence(self) -> str:
        """A sentence with the missing words; empty if there are none."""
        if not self.missing:
            return ""
        where = "Not found" if self.sections else "Not in any note"
        words = (_quoted(word) if " " in word else _cut(word) for word in self.missing)
        return f"{where}: {_listed(words)}."

    @property
    def remarks(self) -> list[str]:
        """Sentences that say what was searched for, and what of it was not found."""
        misspelt = (word.sentence for word in self.spelling)
        unmet = (unmet.sentence for unmet in self.unmet)
        about_words = (self.without_sentence, self.not_filters_sentence, self.missing_sentence)
        sentences = (self.empty_sentence, self.weak_sentence, *misspelt, *unmet, *about_words)
        return [*filter(None, sentences)]

    @property
    def not_filters_sentence(self) -> str:
        """A sentence with the words that only look like filters; empty if there are none."""
        words = _listed(map(_quoted, self.not_filters))
        near = _listed(map(_quoted, chain(*self.near_filters.values())))
        similar = f" Similar filters: {near}." if near else ""
        return f"Searched for {words} as text: not a filter.{similar}" if words else ""


@dataclass(frozen=True, slots=True)
class View:
    """The part of a result list that is visible at first.

    Attributes:
        sections: The maximum number of sections.
        per_note: The maximum number of sections of one note; 0 if they are not grouped by note.
    """

    sections: int
    per_note: int = 0


@dataclass(frozen=True, slots=True)
class SectionLink:
    """A section in an outline, or in the links below a long preview.

    Attributes:
        page: The page of a PDF on which an entry of its outline begins; empty for other sections.
    """

    heading: str
    path: tuple[str, ...]
    level: int
    line: int
    end_line: int
    words: int
    page: str = ""


@dataclass(frozen=True, slots=True)
class SectionText:
    """The Markdown source of a note or a section, read from the file.

    Attributes:
        heading: The section's heading; the title for a whole note or a preamble.
        text: The Markdown source with the heading, without front matter.
        subsections: The subsections that are not in ``text``, because it would be too long.
        words: The number of words of ``text`` without Markdown syntax, as in the outline.
        indent: How many spaces and tabs were removed from the beginning of each line in the file.
        definitions: Lines such as ``[label]: address`` for links in ``text``, from the whole note.
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
    words: int = 0
    indent: int = 0
    definitions: str = ""

    @property
    def complete(self) -> str:
        """The text followed by the definitions, which no preview shows."""
        return f"{self.text.rstrip()}\n\n{self.definitions}" if self.definitions else self.text

    @property
    def is_whole(self) -> bool:
        """Whether ``text`` is a whole note or its preamble, so that the heading is the title."""
        return self.heading == self.title and self.level == 0

    @property
    def page(self) -> str:
        """The label of the PDF's page on which ``text`` begins; empty if unknown or not a PDF."""
        return page_of(self.path, self.text.partition("\n")[0])


@dataclass(frozen=True, slots=True)
class LastKnown:
    """The indexed text of a note whose file is out of reach.

    Attributes:
        sections: The requested sections in order, each with its own plain text.
        modified: When the note was last changed, in seconds since the epoch.
        subsections: The subsections left out of ``sections``, which would become too long.
    """

    sections: tuple[SectionText, ...]
    outline: tuple[SectionLink, ...]
    modified: float
    subsections: tuple[SectionLink, ...] = ()


@dataclass(frozen=True, slots=True)
class NoteLink:
    """A link from one note to another.

    Attributes:
        target: The path of the note to which the link leads; None if there is no such note.
        written: The target as written in the note.
    """

    path: str
    line: int
    target: str | None
    written: str


@dataclass(frozen=True, slots=True)
class LinkingSection:
    """A section with a link to a note.

    Attributes:
        line: The line of the first link to the note in the section, from 1.
    """

    path: str
    title: str
    shown_path: tuple[str, ...]
    line: int


class Scope(StrEnum):
    """How much of a note to read around a section."""

    SECTION = "section"
    PARENT = "parent"
    NOTE = "note"


PREVIEW_WORDS = 800
"""A full section of more words is previewed as its own text with links to its subsections."""


def previewed(
    sections: Sequence[SectionLink], line: int, scope: Scope
) -> tuple[range, range] | None:
    """Return what to preview for the section that contains ``line``; None for the whole note.

    The first range has the indexes of the ``sections`` whose text is shown. The second range has
    those of the subsections that are only linked, because the text would be too long.
    """
    at = max((index for index, section in enumerate(sections) if section.line <= line), default=0)
    if scope is Scope.PARENT:
        level = sections[at].level if sections else 0
        above = (index for index in range(at - 1, -1, -1) if 0 < sections[index].level < level)
        at = next(above, -1)
    if scope is Scope.NOTE or at < 0 or not sections:
        return None
    end = after_subsections(sections, at)
    words = sum(section.words for section in sections[at:end])
    is_long = scope is Scope.SECTION and words > PREVIEW_WORDS
    shown_end = at + 1 if is_long else end
    return range(at, shown_end), range(shown_end, end)
