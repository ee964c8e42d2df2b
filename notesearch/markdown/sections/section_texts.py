"""Reads a section, its parent or the whole note from a note's text.

A full section is a section with its subsections. In all functions, ``path`` is the path of the note
in the vault, and ``text`` is the content of its file.
"""

import hashlib
import re
import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from textwrap import dedent

from notesearch.errors import SectionMissingError
from notesearch.markdown.sections.block_parser import block_tokens
from notesearch.markdown.sections.inline_text import reference_label
from notesearch.markdown.sections.note_parser import normalise, parse_note, structured_lines
from notesearch.markdown.sections.section_lookup import NoteOutline, find_section, linked_section
from notesearch.note_addresses import NoteAddress, without_escapes
from notesearch.notes import BLOCK_ANCHOR, after_subsections, word_count
from notesearch.processes import return_free_memory
from notesearch.results import Scope, SectionLink, SectionText, previewed

_CACHED = 8
"""How many outlines are kept: a preview reads one section after another, and embedded notes."""

_ANCHOR = r"""\{{[^{{}}]*\#{0}[\s}}]|<[a-z][^<>]*\s(?:id|name)=(["']?){0}\1[\s/>]"""
"""An anchor as Python-Markdown or HTML writes it; ``{0}`` stands for its name."""

_ID = r"(?<![\w-])(?:custom_|u)?id::[ \t]+{0}(?![\w-])"
"""The id ``{0}`` of a section, in a property below its heading as Org writes it."""

_HUGE = 4_000_000
"""Bytes of a text; the memory that parsing a longer one took is returned to the system."""

_LABEL = re.compile(r"\[([^\[\]]{1,999})\]")
_DEFINITION = re.compile(rb"^ {0,3}\[(?!\^)([^\[\]\n]{1,999})\]:[ \t]*\S[^\n]*", re.MULTILINE)
_MOST_DEFINITIONS = 500

_LONGEST_WITH_DEFINITIONS = 1_000_000
"""Definitions are not looked for in sections with more characters, which nobody reads whole."""

_BULLET = re.compile(r"\s*(?:[-*+]|\d+[.)])\s|\s")

_BLOCKS = frozenset(
    "paragraph_open bullet_list_open ordered_list_open list_item_open blockquote_open table_open"
    " fence code_block heading_open".split()
)


class _Outlines:
    """The outlines of the notes that were read last, without their text; thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._cached: OrderedDict[tuple[bytes, str], NoteOutline] = OrderedDict()

    def of(self, encoded: bytes, path: str) -> NoteOutline:
        """Return the outline of a normalised text in UTF-8; parse it only if it has changed."""
        key = (hashlib.blake2b(encoded, digest_size=16).digest(), path)
        with self._lock:
            if key in self._cached:
                self._cached.move_to_end(key)
                return self._cached[key]
        outline = NoteOutline.of(parse_note(encoded.decode(), path))
        if len(encoded) > _HUGE:
            return_free_memory()  # of its tokens and its text, before text is cut out
        with self._lock:
            self._cached[key] = outline
            while len(self._cached) > _CACHED:
                self._cached.popitem(last=False)
        return outline


_OUTLINES = _Outlines()


def read(path: str, text: str, section: str | None) -> SectionText:
    """Return the full section called ``section``, or the whole note if that is None.

    Raises:
        SectionMissingError: No section or several sections have that name.
    """
    encoded = _encoded(text)
    del text
    note = _OUTLINES.of(encoded, path)
    if section is None or not section.strip():
        return _whole(note, encoded)
    return _full(note, encoded, find_section(note, section))


def read_at(path: str, text: str, line: int, scope: Scope) -> SectionText:
    """Return the text that ``previewed`` chooses for the section that contains ``line``, from 1."""
    encoded = _encoded(text)
    del text
    note = _OUTLINES.of(encoded, path)
    preview = previewed(note.sections, line, scope)
    if preview is None:
        return _whole(note, encoded)
    shown, linked = preview
    links = note.sections[linked.start : linked.stop]
    return _cut(note, encoded, shown[0], note.sections[shown[-1]].end_line, links)


def read_linked(path: str, text: str, sub: str) -> SectionText:
    """Return the text that a link with ``#sub`` leads to: a full section or one block.

    Raises:
        SectionMissingError: There is no such section or block.
    """
    encoded = _encoded(text)
    note = _OUTLINES.of(encoded, path)
    spellings = dict.fromkeys((sub, without_escapes(sub)))
    found = next(filter(None, (_embedded(note, encoded, s) for s in spellings)), None)
    return found or _full(note, encoded, find_section(note, sub.replace("#", "/")))


def read_lines(path: str, text: str, first: int, last: int) -> SectionText:
    """Return the lines from ``first`` to ``last``; if ``last`` is 0, the full section at ``first``.

    Raises:
        SectionMissingError: All of the lines are after the note's end.
    """
    encoded = _encoded(text)
    del text
    note = _OUTLINES.of(encoded, path)
    if not note.sections:
        return _whole(note, encoded)
    index = _section_at(note, first)
    end = note.sections[-1].end_line
    if min(first, last or first) > end:
        raise SectionMissingError("lines_beyond_end", path=note.path, count=end)
    if not last:
        return _full(note, encoded, index)
    first, last = sorted((first, last))
    return _lines(note, encoded, note.sections[index], max(1, first), min(last, end))


def section_name(path: str, text: str, address: NoteAddress) -> str | None:
    """Return a name by which ``find_section`` finds the section at ``address``; or None."""
    text = normalise(text)
    note = _OUTLINES.of(text.encode(), path)
    line = _line_of(note, text, address.heading) if address.heading else address.lines[0]
    if not note.sections:
        return None
    section = note.sections[_section_at(note, line)]
    return f"{'/'.join(section.path)} (line {section.line})"


def _section_at(note: NoteOutline, line: int) -> int:
    return max((i for i, s in enumerate(note.sections) if s.line <= line), default=0)


def outline(path: str, text: str) -> tuple[SectionLink, ...]:
    """Return the note's sections with their sizes."""
    encoded = _encoded(text)
    del text
    return _OUTLINES.of(encoded, path).sections


def all_properties(path: str, text: str) -> dict[str, list[str]]:
    """Return the values of each property, by key: of front matter, then of the note's text.

    The suffix of ``path`` tells how the note is written.
    """
    properties = _OUTLINES.of(_encoded(text), path).properties
    return {key: [*texts] for key, texts in properties.items()}


def linked_line(path: str, text: str, sub: str) -> int:
    """Return the line, from 1, that a link with ``#sub`` leads to; 1 if the note has no ``sub``."""
    text = normalise(text)
    return _line_of(_OUTLINES.of(text.encode(), path), text, sub)


def _line_of(note: NoteOutline, text: str, sub: str) -> int:
    if _is_block(sub):
        return (_block(note, text, sub[1:]) or (1, 1))[0]
    found = _linked(note, text, sub)
    return _line_with(_ANCHOR, text, sub) or 1 if found is None else note.sections[found].line


def _linked(note: NoteOutline, text: str, sub: str) -> int | None:
    line = _line_with(_ID, text, sub) if ":: " in text else None
    return linked_section(note, sub) if line is None else _section_at(note, line)


def _line_with(expression: str, text: str, name: str) -> int | None:
    found = re.compile(expression.format(re.escape(name)), re.IGNORECASE)
    lines = structured_lines(text)
    return next((number for number, line in enumerate(lines, 1) if found.search(line)), None)


def embedded(path: str, text: str, sub: str) -> SectionText | None:
    """Return the text that ``![[Note#sub]]`` shows: a full section, a block or all; or None."""
    encoded = _encoded(text)
    return _embedded(_OUTLINES.of(encoded, path), encoded, sub)


def _embedded(note: NoteOutline, encoded: bytes, sub: str) -> SectionText | None:
    if not sub:
        return _whole(note, encoded)
    text = encoded.decode()
    if _is_block(sub):
        lines = _block(note, text, sub[1:])
        if lines is None:
            return None
        block = _lines(note, encoded, note.sections[_section_at(note, lines[0])], *lines)
        return replace(block, text=dedent(block.text))
    found = _linked(note, text, sub)
    line = _line_with(_ANCHOR, text, sub) if found is None else None
    found = found if line is None else _section_at(note, line)
    return None if found is None else _full(note, encoded, found)


def _encoded(text: str) -> bytes:
    """Return ``text`` normalised, in UTF-8: a huge text of wide characters takes much less then."""
    return normalise(text).encode()


def _definitions(source: str, encoded: bytes) -> str:
    """Return the lines of the note that define links in ``source`` and are not in it."""
    if "]" not in source or b"]:" not in encoded or len(source) > _LONGEST_WITH_DEFINITIONS:
        return ""
    own = set(source.split("\n"))
    labels = {reference_label(label, None) for label in _LABEL.findall(source)}
    used = (
        definition[0].decode()
        for definition in _DEFINITION.finditer(encoded)
        if reference_label(definition[1].decode(), None) in labels
    )
    return "\n".join(islice((line for line in used if line not in own), _MOST_DEFINITIONS))


def lines_between(encoded: bytes, first: int, last: int) -> str:
    """Return the lines from ``first`` to ``last`` of a text in UTF-8; line 1 is the first."""
    start = _after_lines(encoded, first - 1)
    end = _after_lines(encoded, last - first + 1, start)
    return encoded[start : end - encoded.endswith(b"\n", start, end)].decode()


def _after_lines(encoded: bytes, count: int, start: int = 0) -> int:
    for _ in range(count):
        start = encoded.find(b"\n", start) + 1
        if not start:
            return len(encoded)
    return start


def _is_block(sub: str) -> bool:
    return re.fullmatch(BLOCK_ANCHOR, sub) is not None


def _block(note: NoteOutline, text: str, name: str) -> tuple[int, int] | None:
    """Return the first and last line, from 1, of the block with the id ``name``; None for none.

    If ``^name`` has a line of its own, the block is all that stands directly above that line, such
    as a whole list.
    """
    lines = structured_lines(text)
    block_id = re.compile(
        rf"(?:^|\s)\^{re.escape(name)}[ \t]*$|^\s*(?:[-*+]\s+)?id:: {re.escape(name)}[ \t]*$",
        re.IGNORECASE,
    )
    end = next((number for number, line in enumerate(lines) if block_id.search(line)), None)
    if end is None:
        return None
    id_line = end
    if lines[end].strip().casefold() == f"^{name}".casefold():
        end -= 1
        while end > 0 and not lines[end].strip():
            end -= 1
    first, last = _around(note, lines, end)
    tokens, _ = block_tokens("\n".join(lines[first:last]))
    spans = [
        (token.map[0] + first, token.map[1] + first, token.type)
        for token in tokens
        if token.map and token.type in _BLOCKS
    ]
    around = [span for span in spans if span[0] <= end < span[1]]
    above_id = [span for span in around if end < id_line and span[1] <= id_line]
    if above_id:
        return min(above_id)[0] + 1, end + 1
    items = [span for span in around if span[2] == "list_item_open"]
    if items and lines[end].lstrip("-*+ \t").startswith("id:: "):
        return max(items)[0] + 1, max(items)[1]
    line = (end, end + 1, "")
    start, stop, _ = min(around, key=lambda span: span[1] - span[0], default=line)
    # A list item includes the items nested in it.
    return start + 1, max([stop, *(span[1] for span in items if span[0] == start)])


def _around(note: NoteOutline, lines: Sequence[str], line: int) -> tuple[int, int]:
    """Return the first line and the end of the sections to parse for the blocks at ``line``.

    Lines count from 0. A section that begins in a list is parsed together with the list.
    """
    starts = [section.line - 1 for section in note.sections if section.line <= len(lines)]
    cuts = [start for start in starts if not _BULLET.match(lines[start])]
    first = max((cut for cut in cuts if cut <= line), default=min(starts, default=0))
    return first, min((cut for cut in cuts if cut > line), default=len(lines))


def _whole(note: NoteOutline, encoded: bytes) -> SectionText:
    has_text = bool(note.sections) and not note.is_front_matter
    first = note.sections[0].line if has_text else 1
    last = encoded.count(b"\n")
    if encoded and not encoded.endswith(b"\n"):
        last += 1
    return SectionText(
        path=note.path,
        title=note.title,
        heading=note.title,
        section_path=(note.title,),
        level=0,
        line=first,
        end_line=last,
        text=lines_between(encoded, first, last) if has_text else "",
        words=sum(section.words for section in note.sections) if has_text else 0,
    )


def _lines(
    note: NoteOutline,
    encoded: bytes,
    section: SectionLink,
    first: int,
    last: int,
    words: int | None = None,
) -> SectionText:
    shown = lines_between(encoded, first, last)
    return SectionText(
        path=note.path,
        title=note.title,
        heading=section.heading,
        section_path=section.path,
        level=section.level,
        line=first,
        end_line=last,
        text=shown,
        words=word_count(shown) if words is None else words,
        definitions=_definitions(shown, encoded),
    )


def full_section_end(sections: Sequence[SectionLink], index: int) -> int:
    """Return the last line of the section at ``index`` with its subsections."""
    return sections[after_subsections(sections, index) - 1].end_line


def _full(note: NoteOutline, encoded: bytes, index: int) -> SectionText:
    return _cut(note, encoded, index, full_section_end(note.sections, index), ())


def _cut(
    note: NoteOutline, encoded: bytes, index: int, end: int, links: tuple[SectionLink, ...]
) -> SectionText:
    section = note.sections[index]
    words = sum(below.words for below in note.sections[index:] if below.line <= end)
    part = _lines(note, encoded, section, section.line, end, words)
    source = "" if note.is_front_matter else part.text
    shown = dedent(source) if section.level and source[:1].isspace() else source
    indent = 0 if shown is source else f"{source}\n".find("\n") - f"{shown}\n".find("\n")
    return replace(part, text=shown, subsections=links, indent=indent)
