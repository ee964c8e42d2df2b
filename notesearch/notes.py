"""The contents of an index: notes, their sections, passages and heading paths."""

import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import IntFlag
from typing import Protocol

from notesearch.messages import NO_SENTENCE, Sentence

_UNSPACED = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
"""Kana and Han characters, written without spaces. Each is a word, as word processors count."""
_IS_UNSPACED = f"[{_UNSPACED}]"
_WORD = f"[{_UNSPACED}]|[^\\s{_UNSPACED}]+"
"""A regular expression for a word. It is compiled when it is first used, because that is slow."""
_PAGE = re.compile(r"#{6} Page (.+)|(?:#{1,5} )?.*\{#page=([^{}]+)\}")
_LONG = 1 << 20
"""Characters. In a longer text, words are counted one by one: a list takes much memory."""

BLOCK_ID = r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
"""A regular expression for the id of a block in Logseq."""

BLOCK_ANCHOR = r"\^[A-Za-z0-9-]+"
"""A regular expression for ``^id``, with which Obsidian names a block at the block's end."""

_ROAM_ID = r"(?=.[a-z\d_-]*[A-Z])(?=[A-Z\d_-]*[a-z])(?=.[a-z]*[A-Z\d_-][a-z]*[A-Z\d_-])[\w-]{9}"
"""A regular expression for the id of a block in Roam, which is not a word such as ``important``."""

REFERENCE_ID = rf"{BLOCK_ID}|{_ROAM_ID}"
BLOCK_REFERENCE = re.compile(rf"\(\(({REFERENCE_ID})\)\)", re.ASCII)
ELLIPSIS = "…"
"""Stands for a referenced block in headings and texts of the index."""

LONGEST_BLOCK = 500
_IS_ID = re.compile(BLOCK_ID).fullmatch
_TAG_KEYS = frozenset(("tags", "tag"))

Span = tuple[int, int]
"""A range in a text: start (inclusive) and end (exclusive), in characters, not bytes."""

SENTENCE_ENDS = ".!?؟۔।॥։።"
"""The signs that end a sentence before a space, in all scripts."""

UNSPACED_SENTENCE_ENDS = "。．！？｡။។"
"""The signs that end a sentence in scripts without spaces."""

OVERLAP_WORDS = 35
BlockNames = tuple[tuple[int, str], ...]
"""References to blocks in a text: the position of the ``ELLIPSIS`` for each, and its id."""

Linked = tuple[Span, str]
"""A link in a text: the span of its words, and its address."""

NoteTarget = tuple[int, str, bool]
"""A link to a note: its line from 1, its target as written, and whether the target is relative to
the folder of the note with the link, as in Markdown links."""


class Feature(IntFlag):
    """A kind of content that a section may have."""

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
        day: The start of the value in local time; None if it is not a date or time.
        inline: Whether the property is in the note's text, not in its front matter.
        hidden: Whether this is a second name of a value, such as the note of a link that shows
            other words. A search finds it, but it is not shown.
    """

    key: str
    text: str
    number: float | None = None
    day: datetime | None = None
    inline: bool = False
    hidden: bool = False


READER_VERSION = 22
"""Increase this number when notes are read in another way: then an index reads them all again."""


@dataclass(frozen=True, slots=True)
class ReadAs:
    """How to read notes for the index, according to the settings.

    Attributes:
        language: The language (ISO 639-1) of notes whose front matter names none; empty to detect
            it for each note.
        passage_tokens: How many tokens a passage may have; 0 for the model's own limit.
        overlap_words: How many words two consecutive passages of a section share at most.
        other_files: Whether to convert files of other kinds; otherwise they are read as Markdown.
        words_first: Whether links have their label before the note, as in Dendron.
    """

    code: bool = True
    language: str = ""
    passage_tokens: int = 0
    overlap_words: int = OVERLAP_WORDS
    other_files: bool = True
    words_first: bool = False

    def window(self, most: int) -> int:
        """Return how many tokens a passage may have for a model that takes ``most`` tokens."""
        return min(most, self.passage_tokens) if self.passage_tokens else most

    @property
    def key(self) -> str:
        """These settings and the reader's version as a text that the index stores."""
        cut = f"passages={self.passage_tokens} overlap={self.overlap_words}"
        links = " words_first" if self.words_first else ""
        how = f"code={self.code} language={self.language} {cut} others={self.other_files}{links}"
        return f"reader={READER_VERSION} {how}"


@dataclass(frozen=True, slots=True)
class Link:
    """A link in a section. ``span`` has its words in ``Section.text``; None if it shows none."""

    address: str
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class SourceMap:
    """Maps the plain text of a section to the lines of Markdown it comes from.

    Attributes:
        lines: Pairs of a position in the text and the line of Markdown it comes from, in order.
            Between two pairs, each line end of the text begins the next line of Markdown. The
            section's first line is 0.
        whole: Spans of inline code. No passage may end inside one of them.
        tasks: Pairs of the position at which a task begins, and its state: ``open``, ``started``,
            ``done`` or ``cancelled``. The text does not contain the box of the task.
        heading_task: The state of the task if the heading is a task with a box; else empty.
        page: The page of a PDF on which an entry of its outline begins; empty for other sections.
    """

    lines: tuple[tuple[int, int], ...] = ()
    whole: tuple[Span, ...] = ()
    tasks: tuple[tuple[int, str], ...] = ()
    heading_task: str = ""
    page: str = ""
    blocks: BlockNames = ()
    heading_blocks: BlockNames = ()

    def lines_of(self, text: str, span: Span) -> Span:
        """Return the first and the last line of Markdown for ``span`` in the section's ``text``."""
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
        path: The headings above the section and its own, without an H1 that is the note's title. It
            is ``(title,)`` for the preamble and for the section under such an H1.
        level: The level of the heading, 1 to 6; 0 for the preamble, the text above all headings.
        line: The first line of the section in the file, from 1.
        end_line: The last line of the section in the file.
        text: Plain text without the heading and without Markdown syntax.
        features: Whether it contains code, tables, images, links or tasks.
        source: Maps ``text`` to lines of Markdown.
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
        return word_count(self.text)


class Levelled(Protocol):
    """Anything with the level of a heading, such as a section."""

    @property
    def level(self) -> int:
        """The level, from 1; 0 for the text above the first heading."""
        ...


def after_subsections(sections: Sequence[Levelled], index: int) -> int:
    """Return the index after the last subsection of the section at ``index`` of a note.

    It is the index of the next heading of the same or a higher level.
    """
    level = sections[index].level
    after = range(index + 1, len(sections))
    ends = (at for at in after if level == 0 or sections[at].level <= level)
    return next(ends, len(sections))


def page_of(path: str, heading: str) -> str:
    """Return the label of the page that a ``heading`` of a PDF's Markdown names; empty if none.

    A heading stands for a page, or for an entry of the outline, which names its page.
    """
    page = _PAGE.fullmatch(heading) if path.lower().endswith(".pdf") else None
    return re.sub(r"\\(?=[\W_])", "", page[1] or page[2]) if page else ""


def word_count(text: str) -> int:
    """Return the number of words in ``text``; each Chinese or Japanese character is a word."""
    if len(text) < _LONG and (text.isascii() or not re.search(_IS_UNSPACED, text)):
        return len(text.split())
    return sum(1 for _ in re.finditer(_WORD, text))


@dataclass(frozen=True, slots=True)
class Note:
    """A parsed Markdown file.

    Attributes:
        path: The path relative to the vault, with ``/`` on every platform.
        title: The ``title`` in the front matter, else the only H1 if at most links and pictures
            stand above it, else the file name without its suffix.
        title_from_name: Whether the title is the file name.
        category: The ``category`` in the front matter; empty without one.
        properties: The other properties in the front matter, as text.
        language: The language (ISO 639-1) in the front matter, else the detected one; empty if
            unknown.
        tags: All tags, including those of single sections.
        common_tags: The tags of the whole note: in its front matter or above its first subheading.
        values: All properties: those in the front matter, then those in the text.
        dated: The note's own date in local time; None without one.
        over: The limit of ``markdown.bounds`` that the note exceeds; empty if it exceeds none.
        blocks: The ids of its blocks, and the first line of each as plain text, where ``((id))`` is
            a reference to another block.
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
    blocks: tuple[tuple[str, str], ...] = ()

    @property
    def inline_properties(self) -> dict[str, list[str]]:
        """The values of the properties in the text by their keys, each value once.

        Tags and the ids of blocks are left out.
        """
        properties: dict[str, list[str]] = {}
        for value in self.values:
            key = value.key
            text = value.text
            is_shown = value.inline and not value.hidden
            is_listed = is_shown and key.lower() not in _TAG_KEYS and not _IS_ID(text)
            if is_listed:
                texts = properties.setdefault(key, [])
                if text not in texts:
                    texts.append(text)
        return properties

    @property
    def words(self) -> int:
        """The number of words in all sections."""
        return sum(section.words for section in self.sections)


@dataclass(frozen=True, slots=True)
class Passage:
    """A piece of a section's text, to be embedded.

    Attributes:
        index: Its index among the passages of the section, from 0.
        span: The span of the piece in ``Section.text``.
        text: The text to embed: ``[Title > Heading] words``. Equal texts share a vector.
    """

    section: int
    index: int
    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class HeadingPath:
    """Title and headings of a section, to be embedded by themselves: ``Title > Heading``.

    Equal texts share a vector; a passage with the same text has a vector of its own.
    """

    section: int
    text: str


@dataclass(frozen=True, slots=True)
class Opening:
    """A record that the user opened a section after a query.

    Attributes:
        words: The words of the query, in the form that the index stores.
        times: How often the user opened it.
        last: When the user opened it last, in seconds since 1970.
    """

    words: frozenset[str]
    path: str
    section_path: tuple[str, ...]
    times: int
    last: float
