"""The nouns that travel between modules: notes, sections, passages, hits and results."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import IntFlag, StrEnum

Span = tuple[int, int]
"""A half-open range of characters (not bytes) of the text it goes with."""


class Feature(IntFlag):
    """What a section has in it."""

    NONE = 0
    CODE = 1
    TABLE = 2
    IMAGE = 4
    LINK = 8
    TODO = 16
    DONE = 32
    TEXT = 64


@dataclass(frozen=True, slots=True)
class Property:
    """One value of the front matter; a list makes several of one key.

    Attributes:
        number: The value as a number; None when it is none.
        day: The first moment of the date that it is, on the wall's clock; None when it is none.
    """

    key: str
    text: str
    number: float | None = None
    day: datetime | None = None


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and its text up to the next heading of any level.

    Attributes:
        ordinal: Place in its note, from 0.
        heading: Plain text of the heading; the note's title for the preamble.
        path: Breadcrumb: the headings above it and its own, without an H1 that is the note's title.
            A preamble, and the section under such an H1, have ``(title,)``.
        level: 1 to 6; 0 for the preamble.
        line: First line in the file, 1-based, as an editor counts.
        end_line: Last line in the file, inclusive.
        text: Plain text without its heading line and without Markdown syntax.
        tags: The inline ``#tags`` in it.
        features: What else is in it.
        code: Languages of its blocks of code.
    """

    ordinal: int
    heading: str
    path: tuple[str, ...]
    level: int
    line: int
    end_line: int
    text: str
    tags: tuple[str, ...] = ()
    features: Feature = Feature.NONE
    code: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Note:
    """One Markdown file, parsed: its properties and its sections.

    Attributes:
        path: Relative to the vault, with ``/`` on every platform.
        title: Front matter ``title``, else the only H1 where it opens the note, else the file stem.
        title_from_name: The title is only the file's stem.
        category: Front matter ``category``, or empty.
        properties: The remaining front matter, as text.
        language: ISO 639-1: what the front matter names, else what was recognised; else empty.
        tags: All tags, also those that only one section has.
        common_tags: Those of the whole note: in its front matter or above its first subheading.
        values: All of the front matter, value by value.
        dated: The date it says it is of, as the clock on the wall shows it; None when it says none.
    """

    path: str
    title: str
    sections: tuple[Section, ...]
    title_from_name: bool = False
    aliases: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    category: str = ""
    properties: Mapping[str, str] = field(default_factory=dict)
    language: str = ""
    common_tags: tuple[str, ...] = ()
    dated: datetime | None = None
    values: tuple[Property, ...] = ()

    @property
    def words(self) -> int:
        """Words in all sections."""
        return sum(len(section.text.split()) for section in self.sections)


@dataclass(frozen=True, slots=True)
class Passage:
    """What is embedded: a piece of one section.

    Attributes:
        section: Ordinal of its section.
        index: Place among the passages of that section, from 0.
        span: Characters of ``Section.text`` that it shows.
        text: What the embedder reads: ``[Title > Heading] words``.
        identity: What decides whether it must be embedded again; ``text`` without a title that
            is only the file's name, so that renaming a file costs nothing.
    """

    section: int
    index: int
    span: Span
    text: str
    identity: str


@dataclass(frozen=True, slots=True)
class HeadingPath:
    """Title and headings of one section, embedded by themselves.

    Attributes:
        section: Ordinal of its section.
        text: What the embedder reads: ``Title > Heading > Sub-heading``.
        identity: As ``Passage.identity``; never that of a passage.
    """

    section: int
    text: str
    identity: str


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
            ``body``.
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

    @property
    def related(self) -> bool:
        """Found by meaning only: none of the query's words is in it."""
        return not self.why.fields and self.why.meaning_rank is not None


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
    def sentence(self) -> str:
        """What a person is told."""
        near = f" There is {', '.join(self.near)}." if self.near else ""
        return f"No section fulfils “{self.filter}”.{near}"


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The answer to one query.

    Attributes:
        took_ms: Milliseconds of work.
        total: Sections that were found in all, also those beyond the limits.
        notes: Groups; a note stands where its best section stands.
        sections: The same sections as one flat ranking.
        meaning: Meaning took part; False while its vectors or its model are not ready.
        missing: Words of the query that stand in no note.
        spelling: Words that were taken for misspelt; quoted, they are looked for as typed.
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


class Scope(StrEnum):
    """How much of a note around a section is read."""

    SECTION = "section"
    PARENT = "parent"
    NOTE = "note"


class Phase(StrEnum):
    """What the indexer is doing."""

    SCAN = "scan"
    WORDS = "words"
    MEANING = "meaning"
    IDLE = "idle"


@dataclass(frozen=True, slots=True)
class Progress:
    """How far the indexer is: ``done`` of ``total`` notes (passages while ``MEANING``)."""

    phase: Phase
    done: int = 0
    total: int = 0


@dataclass(frozen=True, slots=True)
class Unread:
    """A note that could not be indexed, and why, in a sentence.

    Attributes:
        remark: It is searched all the same, and the reason only worth knowing.
    """

    path: str
    reason: str
    remark: bool = False


@dataclass(frozen=True, slots=True)
class Report:
    """What a refresh did.

    Attributes:
        added, changed, moved, removed: Paths.
        embedded: Passages that had to be embedded.
        unread: Notes that could not be read, or only with a remark.
        seconds: How long it took.
        elsewhere: Another process indexed; what it did is not known.
    """

    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    moved: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    embedded: int = 0
    unread: tuple[Unread, ...] = ()
    seconds: float = 0.0
    elsewhere: bool = False

    def __bool__(self) -> bool:
        done = self.added or self.changed or self.moved or self.removed or self.embedded
        return bool(done or self.elsewhere)


class Part(StrEnum):
    """Where a check of the index found something wrong; a repair cannot mend the ``PROGRAM``."""

    FILE = "file"
    WORDS = "words"
    SECTIONS = "sections"
    VECTORS = "vectors"
    FOLDER = "folder"
    PROGRAM = "program"


@dataclass(frozen=True, slots=True)
class Problem:
    """Something wrong with the index, in a sentence."""

    part: Part
    text: str


@dataclass(frozen=True, slots=True)
class Checkup:
    """What a check of the index found.

    Attributes:
        index_path: The index file that was checked.
        problems: What is wrong now; empty when all is well.
        repaired: What was done about problems found before, each a sentence.
        set_aside: Files of an earlier, damaged index that are kept beside.
        remarks: What is not wrong but worth knowing, each a sentence.
    """

    index_path: str
    problems: tuple[Problem, ...] = ()
    repaired: tuple[str, ...] = ()
    set_aside: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ModelVectors:
    """The vectors that an index has of one model.

    Attributes:
        name: What the settings call the model.
        fingerprint: Names this very model.
        searched: They are searched now; else they are kept for when it is chosen again.
        vectors: How many there are.
        size: Their bytes.
    """

    name: str
    fingerprint: str
    searched: bool
    vectors: int
    size: int


@dataclass(frozen=True, slots=True)
class Status:
    """The state of the index.

    Attributes:
        vault: Absolute path of the folder.
        vault_missing: The folder is not there now; the index shows what was last known.
        notes, sections, passages, words: Counts.
        pending: Passages that wait for their vector.
        unread: Notes that could not be read, or only with a remark.
        index_path: The index file.
        index_bytes: Its size with its write-ahead log.
        note_bytes: Size of all notes.
        model: Name of the embedding model.
        engine: What runs it, and on which device; empty while it is not loaded.
        former_model: The model that is searched until ``model`` has all its vectors; else empty.
        meaning: Meaning can answer (a model is there and at least one vector is).
        meaning_problem: Why meaning is off, in a sentence; empty when it is not.
        last_scan: When folder and index were last compared, seconds since the epoch; 0 never.
        rebuilt: Why the previous index file was set aside, in a sentence; empty when it was not.
        watching: How changes are noticed: ``live`` or ``comparing every n s``; empty while no
            process keeps the index in line with the folder.
        index_remark: What is worth knowing of where the index lies, in a sentence, or empty.
        folders: The folders at the top that hold notes, by name.
    """

    vault: str
    vault_missing: bool
    notes: int
    sections: int
    passages: int
    words: int
    pending: int
    unread: tuple[Unread, ...]
    index_path: str
    index_bytes: int
    note_bytes: int
    model: str
    meaning: bool
    meaning_problem: str = ""
    last_scan: float = 0.0
    rebuilt: str = ""
    watching: str = ""
    index_remark: str = ""
    folders: tuple[str, ...] = ()
    engine: str = ""
    former_model: str = ""
