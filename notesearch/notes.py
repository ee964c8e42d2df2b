"""The contents of an index: notes, their sections, passages and heading paths."""

import re
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import IntFlag

from notesearch.sentences import NO_SENTENCE, Sentence

_WORD = re.compile(r"\S+")
_LONG = 1 << 20
"""Longer texts (in characters) are counted word by word: a list of the words takes much memory."""

BLOCK_ID = r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
"""An expression for the id of a block, as Logseq makes it."""

BLOCK_ANCHOR = r"\^[A-Za-z0-9-]+"
"""An expression for what names a block behind its text, as Obsidian writes it."""

BLOCK_REFERENCE = re.compile(rf"\(\(({BLOCK_ID})\)\)")
"""A reference to a block by its id."""

_IS_ID = re.compile(BLOCK_ID).fullmatch
_TAG_KEYS = frozenset(("tags", "tag"))

Span = tuple[int, int]
"""A half-open range of characters (not bytes) in a text."""

OVERLAP_WORDS = 35
"""Words that two passages of a section share, unless the settings say otherwise."""

Linked = tuple[Span, str]
"""A link in a text: its span and its address."""

NoteTarget = tuple[int, str, bool]
"""A link to a note as written: its line, its target with the heading, and whether the target is
relative to the folder of the note with the link, as in Markdown links."""


class Feature(IntFlag):
    """What a section contains."""

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
    """A named value of a note; a list becomes several properties with the same key.

    Attributes:
        number: The value as a number, or None.
        day: The beginning of the date or time that the value is, in local time, or None.
        inline: It stands in the text, not in the front matter.
    """

    key: str
    text: str
    number: float | None = None
    day: datetime | None = None
    inline: bool = False


@dataclass(frozen=True, slots=True)
class ReadAs:
    """How to read notes for the index, according to the settings.

    Attributes:
        code: Treat code blocks like other text.
        language: The language (ISO 639-1) of notes whose front matter names none; empty to detect
            it for each note.
        passage_tokens: Most tokens of a passage; 0 for the model's own limit.
        overlap_words: Words that two passages of a section share.
        other_files: Convert files of other kinds; otherwise they are read as Markdown.
    """

    code: bool = True
    language: str = ""
    passage_tokens: int = 0
    overlap_words: int = OVERLAP_WORDS
    other_files: bool = True

    def window(self, most: int) -> int:
        """Return the tokens that a passage may have for a model that reads ``most``."""
        return min(most, self.passage_tokens) if self.passage_tokens else most

    @property
    def key(self) -> str:
        """These settings as a text that the index stores; empty for the defaults."""
        if self == ReadAs():
            return ""
        cut = f"passages={self.passage_tokens} overlap={self.overlap_words}"
        return f"code={self.code} language={self.language} {cut} others={self.other_files}"


@dataclass(frozen=True, slots=True)
class Link:
    """A link in a section.

    Attributes:
        address: The address as written; never a ``data:`` address.
        span: The link's words in ``Section.text``; None if they are not in it.
    """

    address: str
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class SourceMap:
    """Where the text of a section comes from.

    Attributes:
        lines: Pairs of an index in the text and the source line that the text is from there on, in
            order. The line counts from the section's first line, from 0. Each line end in the text
            is one in the source, too, until the next pair.
        whole: Spans of the text that no passage may be cut in: inline code.
        tasks: Pairs of the index in the text where a task begins, and its state: ``open``,
            ``started``, ``done`` or ``cancelled``. The text has no box.
    """

    lines: tuple[tuple[int, int], ...] = ()
    whole: tuple[Span, ...] = ()
    tasks: tuple[tuple[int, str], ...] = ()

    def lines_of(self, text: str, span: Span) -> Span:
        """Return the first and the last source line of ``span``, which is part of ``text``."""
        start, end = span
        return self._line(text, start), self._line(text, max(end - 1, start))

    def _line(self, text: str, at: int) -> int:
        pair = bisect_right(self.lines, at, key=lambda pair: pair[0]) - 1
        if pair < 0:
            return 0
        index, first = self.lines[pair]
        line = first + text.count("\n", index, at)
        following = self.lines[pair + 1 : pair + 2]
        return max(first, min(line, following[0][1])) if following else line


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and its text up to the next heading of any level.

    Attributes:
        ordinal: Index in its note, from 0.
        heading: Plain text of the heading; the note's title for the preamble.
        path: The breadcrumb: the headings above it and its own, without an H1 that is the note's
            title. It is ``(title,)`` for the preamble and for the section under such an H1.
        level: 1 to 6; 0 for the preamble.
        line: The first line in the file, from 1.
        end_line: The last line in the file, inclusive.
        text: Plain text without the heading and without Markdown syntax.
        tags: The inline ``#tags``.
        features: What else it contains.
        code: The languages of its code blocks.
        links: Its links to web and e-mail addresses.
        source: Where ``text`` comes from.
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
    source: SourceMap = SourceMap()

    @property
    def words(self) -> int:
        """The number of words in its text."""
        if len(self.text) < _LONG:
            return len(self.text.split())
        return sum(1 for _ in _WORD.finditer(self.text))


@dataclass(frozen=True, slots=True)
class Note:
    """A parsed Markdown file.

    Attributes:
        path: Relative to the vault, with ``/`` on every platform.
        title: The ``title`` in the front matter, else the only H1 if the note begins with it, else
            the file name without its suffix.
        title_from_name: The title is the file name.
        category: The ``category`` in the front matter, or empty.
        properties: The rest of the front matter, as text.
        language: The language (ISO 639-1) in the front matter, else the detected one, or empty.
        tags: All tags, including those of single sections.
        common_tags: The tags of the whole note: in its front matter or above its first subheading.
        values: All properties: of the front matter, then those in the text.
        dated: The note's own date in local time, or None.
        over: Which bound of ``markdown.bounds`` the note is over; empty for none.
        targets: Its links to notes.
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
    over: Sentence = NO_SENTENCE
    targets: tuple[NoteTarget, ...] = ()

    @property
    def inline_properties(self) -> dict[str, list[str]]:
        """The values of the properties in the text by their keys, each value once.

        Tags are left out, as they are no other property, and the ids of blocks, which tell nothing.
        """
        found: dict[str, list[str]] = {}
        for one in self.values:
            is_listed = one.inline and one.key.lower() not in _TAG_KEYS and not _IS_ID(one.text)
            if is_listed and one.text not in (texts := found.setdefault(one.key, [])):
                texts.append(one.text)
        return found

    @property
    def words(self) -> int:
        """The number of words in all sections."""
        return sum(section.words for section in self.sections)


@dataclass(frozen=True, slots=True)
class Passage:
    """A piece of a section, to be embedded.

    Attributes:
        section: The ordinal of its section.
        index: Its index among the passages of the section, from 0.
        span: Its part of ``Section.text``.
        text: The text to embed: ``[Title > Heading] words``. Equal texts share a vector.
    """

    section: int
    index: int
    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class HeadingPath:
    """The title and headings of a section, to be embedded by themselves.

    Attributes:
        section: The ordinal of the section.
        text: The text to embed: ``Title > Heading > Sub-heading``. Equal texts share a vector, but
            not with passages.
    """

    section: int
    text: str


@dataclass(frozen=True, slots=True)
class Opening:
    """A section that was opened for a query.

    Attributes:
        words: The words of the query, as an index has them.
        path: The path of the note.
        section_path: The breadcrumb of the section.
        times: The number of times it was opened for them.
        last: When it was opened last, in seconds since the epoch.
    """

    words: frozenset[str]
    path: str
    section_path: tuple[str, ...]
    times: int
    last: float
