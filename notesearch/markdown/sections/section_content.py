"""Collects the content of a section below its heading: text, tags, features, code, links."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, islice
from typing import NamedTuple, TypeVar

from markdown_it.token import Token

from notesearch.markdown.block_rules import without_options
from notesearch.markdown.bounds import MARKS, NESTING_LIMIT, PORTION, Check, never_cancel, portions
from notesearch.markdown.sections.bullet_tree import BELOW
from notesearch.markdown.sections.html_text import plain_html
from notesearch.markdown.sections.inline_metadata import (
    TASK_FEATURES,
    drawn_tasks,
    html_features,
    inline_features,
    inline_properties,
    inline_tags,
    task_state,
)
from notesearch.markdown.sections.inline_syntax import LINE_END, head_end, without_block_marks
from notesearch.markdown.sections.inline_text import (
    joined_lines,
    line_gap,
    plain,
    plain_lines,
    without_block_names,
)
from notesearch.markdown.sections.language_detection import code_language
from notesearch.markdown.sections.link_targets import (
    Target,
    html_targets,
    inline_targets,
    locate_links,
)
from notesearch.markdown.sections.properties import inline_values, one_line
from notesearch.markdown.sections.yaml_mapping import VALUES_LIMIT
from notesearch.notes import (
    BLOCK_ID,
    LONGEST_BLOCK,
    BlockNames,
    Feature,
    Link,
    Property,
    SourceMap,
    Span,
)

_CONTROL = re.compile("\x1b\\[[0-9;]*m|[\x00-\x08\x0b-\x1f\x7f-\x9f\ufffc]")
_HANDLED = frozenset(
    "inline ordered_list_open ordered_list_close list_item_open admonition_open fence code_block"
    " html_block tr_open tr_close".split()
)
"""Types of tokens that add something to a section."""

_HOLDS_MARKDOWN = re.compile(r"<\w[^<>]*\smarkdown(?=[\s=>])")
"""An element that MkDocs reads as Markdown."""

_Mark = TypeVar("_Mark", str, Target, Link)
"""A tag, the language of a code block, or a link."""

_SHORT = 200
"""A text of fewer characters is one passage, so only its first and last line are mapped."""

_NO_BREAK = "\x02"
"""Stands for a space in inline code while a section is read; later a space replaces it."""

_SIGNS_OF_TAGS = "#", ":: ", "tags:"
"""Text without any of these has no tags."""

_SPACE = re.compile(r"\s")
_LISTED_PROPERTY = re.compile(r"^([^\W\d_][\w /-]{0,40}): +(\S.*)$", re.MULTILINE)


class _Piece(NamedTuple):
    """A line of a section's text, or the lines of a code block.

    Attributes:
        line: The line of the note's Markdown at which the piece begins, from 0.
        gap: What separates the piece from the one above it in the same block.
        unseen: The number of lines below it, in the same paragraph, that show nothing.
        task: The state of a task whose box is not in ``text``; empty for any other piece.
    """

    text: str
    line: int
    gap: str = "\n"
    unseen: int = 0
    task: str = ""
    blocks: BlockNames = ()


@dataclass(frozen=True, slots=True)
class SectionContent:
    """A section before its heading path is known.

    Attributes:
        blocks: The blocks with an id, as ``Note.blocks``; the text is empty for the block whose
            first line is the heading of the section.
        line: Its first line, from 0, below the front matter.
        end: The line after it.
        has_text: Whether it has more than links, pictures and comments; only known for the text
            above the first heading.
    """

    text: str
    tags: tuple[str, ...]
    features: Feature
    code: tuple[str, ...]
    links: tuple[Link, ...]
    source: SourceMap
    blocks: tuple[tuple[str, str], ...]
    line: int
    end: int
    level: int = 0
    heading: str = ""
    has_text: bool = True


class ContentCollector:
    """Collects the content of one section after another from block tokens.

    In the plain text, an empty line separates top-level blocks; a line break separates list items,
    table rows and lines of code. A list that does not begin with 1 keeps its numbers, which may be
    days: "5. Juli". ``references`` are addresses by the labels of link definitions.

    Attributes:
        is_over: Whether the sections so far have more links, tags and code languages than
            ``MARKS``.
        properties: The properties in the text of all sections so far.
    """

    def __init__(
        self,
        markdown: str,
        references: Mapping[str, str],
        check: Check = never_cancel,
        *,
        code: bool = True,
    ) -> None:
        self.is_over = False
        self.properties: list[Property] = []
        self._marks_left = MARKS
        self._check = check
        self._includes_code = code
        self._markdown = markdown
        self._references = references
        self._begin_section()
        self._block: list[_Piece] = []
        self._line = 0
        self._cells: list[str] | None = None
        self._number: str | None = None  # of the item that begins; empty if it does not show it
        self._keeps_numbers: list[bool] = []  # of each ordered list around the item
        self._at_admonition_title = False
        self._truncated: list[int] | None = None
        self._top_block: list[int] | None = None

    def _begin_section(self) -> None:
        self._blocks: list[list[_Piece]] = []
        self._tags: dict[str, None] = {}
        self._features = Feature.NONE
        self._code: dict[str, None] = {}
        self._targets: list[Target] = []
        self._named: list[tuple[str, str]] = []

    @cached_property
    def _lines(self) -> list[str]:
        return self._markdown.split("\n")

    def collect(self, tokens: Sequence[Token], lines: Span) -> SectionContent:
        """Return the content of a section below its heading, with the first line and the end."""
        for token in tokens:
            if token.level == 0:
                if token.nesting >= 0:
                    self._end_block()
                    self._top_block = token.map
            elif token.level >= NESTING_LIMIT - 1:
                self._truncated = self._top_block
            if token.type in _HANDLED:
                self._line = token.map[0] if token.map else self._line
                if token.type == "inline":
                    self._add_inline(token.content, is_below_heading=BELOW in token.meta)
                else:
                    self._add_token(token)
        self._end_block()
        written = "".join(piece.gap + piece.text for piece in chain(*self._blocks))
        text = without_controls(written)
        lead = len(text) - len(text.lstrip())
        text = text.strip()
        places = tuple(_placed(self._blocks, lead))
        source = SourceMap(
            tuple(_line_pairs(places, text, lines[0])),
            tuple((start - lead, end - lead) for start, end in _code_spans(written)),
            tuple((at, piece.task) for at, piece in places if piece.task),
            blocks=tuple((at + begin, id_) for at, piece in places for begin, id_ in piece.blocks),
        )
        content = SectionContent(
            text=text,
            tags=self.take_marks(self._tags),
            features=self._features,
            code=self.take_marks([name for name in self._code if name]),
            links=tuple(locate_links(self.take_marks(self._targets), text)),
            source=source,
            blocks=tuple(self._named),
            line=lines[0],
            end=lines[1],
        )
        self._begin_section()
        return content

    def add_listed_properties(self, text: str) -> None:
        """Add the properties in lines of ``text`` such as ``Author: Ann Lee``."""
        for listed in _LISTED_PROPERTY.finditer(text):
            if len(self.properties) < VALUES_LIMIT:
                self.properties += inline_values(listed[1], listed[2])

    def take_marks(self, marks: Iterable[_Mark]) -> tuple[_Mark, ...]:
        """Return as many of ``marks`` as the note may still have, and count them."""
        if not marks:
            return ()
        found = tuple(islice(marks, self._marks_left + 1))
        self.is_over = self.is_over or len(found) > self._marks_left
        found = found[: self._marks_left]
        self._marks_left -= len(found)
        return found

    def _add_token(self, token: Token) -> None:
        kind = token.type
        self._check()
        if kind == "list_item_open":
            keeps = bool(token.info) and self._keeps_numbers[-1:] == [True]
            self._number = f"{token.info}{token.markup} " if keeps else ""
        elif kind == "ordered_list_open":
            self._keeps_numbers.append("start" in token.attrs)
        elif kind == "ordered_list_close":
            del self._keeps_numbers[-1:]
        elif kind == "admonition_open":
            self._add_admonition(token)
        elif kind in ("fence", "code_block"):
            if self._includes_code:
                below = self._line + (kind == "fence")
                content = without_options(token.content, token.info)
                blank = len(content) - len(content.lstrip("\n"))
                self._block.append(_Piece(content.strip("\n"), below + blank))
            self._features |= Feature.CODE
            self._code[code_language(token.info)] = None
        elif kind == "html_block":
            lines = plain_html(token.content)
            if _HOLDS_MARKDOWN.search(token.content):
                lines = [" ".join(self._plain(line)) for line in lines]
            for line in lines:
                self._add([line])
                self._line += 1
            self._features |= html_features(token.content)
            self._targets += html_targets(token.content)
        elif kind == "tr_open":
            self._cells = []
            self._features |= Feature.TABLE
        elif kind == "tr_close":
            self._end_row()

    def _add_inline(self, source: str, *, is_below_heading: bool) -> None:
        if self._at_admonition_title:
            self._at_admonition_title = False
            return
        task = ""
        number, self._number = self._number, None
        if number is not None:
            state, start = task_state(source) or ("", 0)
            if state:
                self._features |= TASK_FEATURES[state]
                self._line += source.count("\n", 0, start)
                task = state if start else ""
                source = source[start:]
        else:
            for drawn in drawn_tasks(source):
                self._features |= TASK_FEATURES[drawn]
        id_ = self._add_properties(source) if ":: " in source else ""
        if id_:
            self._named.append((id_, "" if is_below_heading else self._first_line(source)))
        end = head_end(source)
        if end:
            head = source[:end]
            source = source[end + 1 :]
            self._add([joined_lines(self._plain(head))])
            self._line += head.count("\n") + 1
        lines = [number or ""]
        for start, end in portions(source):
            first, *others = self._plain(source[start:end])
            if source[start - 1 : start].isspace():
                lines[-1] += " "
            lines[-1] += first
            lines += others
        if len(source) > PORTION:
            lines = ["\n".join(lines)]  # pieces for each line would take much memory
        if self._cells is not None:
            self._cells.append(joined_lines(lines))
        else:
            self._add(lines, task)

    def _add_properties(self, source: str) -> str:
        if len(self.properties) >= VALUES_LIMIT and "id:: " not in source:
            return ""
        id_ = ""
        for name, value in inline_properties(source):
            if len(self.properties) < VALUES_LIMIT:
                self.properties += inline_values(name, value)
            id_ = value if name == "id" and re.fullmatch(BLOCK_ID, value) else id_
        return id_

    def _add(self, lines: Iterable[str], task: str = "") -> None:
        """Add consecutive lines of plain text; the first one comes from the note's current line."""
        above = ""
        for number, line in enumerate(lines, self._line):
            if line:
                text, blocks = without_block_names(line)
                gap = line_gap(above, line) if above else "\n"
                self._block.append(_Piece(text, number, gap, task=task, blocks=blocks))
                above = line
                task = ""
            elif above:
                piece = self._block[-1]
                self._block[-1] = piece._replace(unseen=number - piece.line)

    def _plain(self, source: str) -> list[str]:
        self._check()
        shown = without_block_marks(source)
        source = shown.replace(LINE_END, "")
        may_have_tags = any(sign in source for sign in _SIGNS_OF_TAGS)
        if may_have_tags and len(self._tags) <= self._marks_left:
            self._tags |= dict.fromkeys(inline_tags(source))
        features = inline_features(source, self._references)
        if features is not Feature.NONE:
            self._features |= features
            if len(self._targets) <= self._marks_left:
                self._targets += inline_targets(source, self._references)
        return plain_lines(shown, self._references, code_space=_NO_BREAK, names_blocks=True)

    def _first_line(self, source: str) -> str:
        line = without_block_marks(source).split("\n", 1)[0][: 2 * LONGEST_BLOCK]
        return with_block_ids(
            *without_block_names(plain(line, self._references, names_blocks=True))
        )

    def _add_admonition(self, token: Token) -> None:
        """Add the title of ``!!! note "Title"``; without quotes, all words after ``!!!``."""
        self._add([plain(token.content if '"' in token.info else token.info)])
        self._at_admonition_title = bool(token.content)

    def _end_row(self) -> None:
        if self._cells is not None:
            self._add([" | ".join(filter(None, self._cells))])
            self._cells = None

    def _end_block(self) -> None:
        if self._truncated is not None:
            # The parser drops everything beyond its nesting limit: take the source instead.
            first, end = self._truncated
            self._block = [
                _Piece(plain(line, self._references), number)
                for number, line in enumerate(self._lines[first:end], first)
            ]
            self._truncated = None
        block = [piece for piece in self._block if piece.text]
        if block:
            block[0] = block[0]._replace(gap="\n\n")
            self._blocks.append(block)
        self._block = []


def _line_pairs(
    places: Sequence[tuple[int, _Piece]], text: str, first_line: int
) -> Iterator[tuple[int, int]]:
    """Yield the pairs of ``SourceMap.lines``: a position in the text, and a line of the section.

    A pair is left out if counting line ends from the pair before gives the same line. The text
    lacks the blanks at the start and the end of ``places``.
    """
    if not text:
        return
    pairs = [(max(at, 0), piece.line) for at, piece in places]
    if len(text) <= _SHORT:
        _, last = places[-1]
        pairs[1:] = [(len(text) - 1, last.line + last.unseen + last.text.count("\n"))]
    at = 0
    predicted = -1
    for index, found in pairs:
        if index >= len(text):
            break
        predicted += text.count("\n", at, index) if predicted >= 0 else 0
        at = index
        if found != predicted:
            yield index, found - first_line
            predicted = found


def _placed(blocks: Sequence[Sequence[_Piece]], lead: int) -> Iterator[tuple[int, _Piece]]:
    """Yield each piece after its position in the joined text.

    The text lacks its first ``lead`` characters, so the first position may be negative.
    """
    at = -lead
    for piece in chain(*blocks):
        at += len(piece.gap)
        yield at, piece
        at += len(piece.text)


def _code_spans(written: str) -> Iterator[Span]:
    begin = 0
    while (at := written.find(_NO_BREAK, begin)) >= 0:
        start = max(begin, *(written.rfind(space, begin, at) + 1 for space in " \n\t"))
        found = _SPACE.search(written, at)
        end = found.start() if found else len(written)
        yield start, end
        begin = end + 1


def with_block_ids(text: str, blocks: BlockNames) -> str:
    """Return ``text`` on one line, with ``((id))`` in place of the ellipsis for each of ``blocks``.

    The line has ``LONGEST_BLOCK`` characters at most.
    """
    pieces: list[str] = []
    end = 0
    for at, id_ in blocks:
        pieces += text[end:at], f"(({id_}))"
        end = at + 1
    return one_line("".join([*pieces, text[end:]]), LONGEST_BLOCK)


def without_controls(text: str) -> str:
    """Return ``text`` with spaces in place of control characters and a terminal's colour codes.

    U+FFFC, which stands for a picture in Apple Notes, becomes a space, too.
    """
    return _CONTROL.sub(lambda control: " " * len(control[0]), text)
