"""The nouns of what is indexed: notes, their sections, passages and heading paths."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import IntFlag

Span = tuple[int, int]
"""A half-open range of characters (not bytes) of the text it goes with."""

Linked = tuple[Span, str]
"""A part of a text that is a link, and the address it leads to."""


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
class ReadAs:
    """How notes are read for the index, as the settings have it.

    Attributes:
        code: Blocks of code are text like any other.
        language: Of all notes whose front matter names none (ISO 639-1); empty: as each looks.
    """

    code: bool = True
    language: str = ""

    @property
    def key(self) -> str:
        """What an index remembers of it; empty for the usual way."""
        return "" if self == ReadAs() else f"code={self.code} language={self.language}"


@dataclass(frozen=True, slots=True)
class Link:
    """An address that a section points at, which need not stand in its text.

    Attributes:
        address: As written; never what holds its picture or page within itself.
        span: The link's words in ``Section.text``; None where they are not there.
    """

    address: str
    span: Span | None = None


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
        links: Where it points at on the web, and to whom it writes.
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
    links: tuple[Link, ...] = ()


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
        text: What the embedder reads: ``Title > Heading > Sub-heading``, without what is only the
            file's name.
        identity: As ``Passage.identity``; never that of a passage.
    """

    section: int
    text: str
    identity: str
