"""Reads a section, its parent or the whole note from a note's text.

A full section is a section with its subsections. In all functions, ``path`` is the path of the note
in the vault, and ``text`` is the content of its file.
"""

import hashlib
import re
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from textwrap import dedent

from notesearch.errors import SectionMissingError
from notesearch.markdown.sections.inline_text import reference_label
from notesearch.markdown.sections.note_parser import (
    block_tokens,
    line_count,
    normalise,
    parse_note,
    structured_lines,
)
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
"""Characters; the memory that parsing a longer text took is returned to the system."""

_LABEL = re.compile(r"\[([^\[\]]{1,999})\]")
_DEFINITION = re.compile(r"^ {0,3}\[(?!\^)([^\[\]\n]{1,999})\]:[ \t]*\S[^\n]*", re.MULTILINE)
_MOST_DEFINITIONS = 500

_LONGEST_WITH_DEFINITIONS = 1_000_000
"""Definitions are not looked for in sections with more characters, which nobody reads whole."""

_BULLET = re.compile(r"\s*(?:[-*+]|\d+[.)])\s|\s")

_BLOCKS = frozenset(
    "paragraph_open bullet_list_open ordered_list_open list_item_open blockquote_open table_open"
    " fence code_block heading_open".split()
)


_OUTLINES: OrderedDict[tuple[str, bytes], NoteOutline] = OrderedDict()
"""The outlines of the notes that were read last, by path and hash, without the text, which may be
huge. Each operation on it is atomic."""


def _opened(path: str, text: str) -> tuple[NoteOutline, str]:
    """Return the outline of a note, and its normalised text."""
    text = normalise(text)
    key = path, hashlib.blake2b(text.encode(), digest_size=16).digest()
    outline = _OUTLINES.get(key)
    if outline is None:
        outline = NoteOutline.of(parse_note(text, path))
        if len(text) > _HUGE:
            return_free_memory()  # of its tokens
        _OUTLINES[key] = outline
        if len(_OUTLINES) > _CACHED:
            _OUTLINES.popitem(last=False)
    return outline, text


def read(path: str, text: str, section: str | None) -> SectionText:
    """Return the full section called ``section``, or the whole note if that is None.

    Raises:
        SectionMissingError: No section or several sections have that name.
    """
    note, text = _opened(path, text)
    if section is None or not section.strip():
        return _whole(note, text)
    return _full(note, text, find_section(note, section))


def read_at(path: str, text: str, line: int, scope: Scope) -> SectionText:
    """Return the text that ``previewed`` chooses for the section that contains ``line``, from 1."""
    note, text = _opened(path, text)
    preview = previewed(note.sections, line, scope)
    if preview is None:
        return _whole(note, text)
    shown, linked = preview
    links = note.sections[linked.start : linked.stop]
    return _cut(note, text, shown[0], note.sections[shown[-1]].end_line, links)


def read_linked(path: str, text: str, sub: str) -> SectionText:
    """Return the text that a link with ``#sub`` leads to: a full section or one block.

    Raises:
        SectionMissingError: There is no such section or block.
    """
    note, text = _opened(path, text)
    spellings = dict.fromkeys((sub, without_escapes(sub)))
    found = next(filter(None, (_embedded(note, text, s) for s in spellings)), None)
    return found or _full(note, text, find_section(note, sub.replace("#", "/")))


def read_lines(path: str, text: str, first: int, last: int) -> SectionText:
    """Return the lines from ``first`` to ``last``; if ``last`` is 0, the full section at ``first``.

    Raises:
        SectionMissingError: All of the lines are after the note's end.
    """
    note, text = _opened(path, text)
    if not note.sections:
        return _whole(note, text)
    index = _section_at(note, first)
    end = note.sections[-1].end_line
    if min(first, last or first) > end:
        raise SectionMissingError("lines_beyond_end", path=note.path, count=end)
    if not last:
        return _full(note, text, index)
    first, last = sorted((first, last))
    return _lines(note, text, note.sections[index], max(1, first), min(last, end))


def section_name(path: str, text: str, address: NoteAddress) -> str | None:
    """Return a name by which ``find_section`` finds the section at ``address``; or None."""
    note, text = _opened(path, text)
    line = _line_of(note, text, address.heading) if address.heading else address.lines[0]
    if not note.sections:
        return None
    section = note.sections[_section_at(note, line)]
    return f"{'/'.join(section.path)} (line {section.line})"


def _section_at(note: NoteOutline, line: int) -> int:
    return max((i for i, s in enumerate(note.sections) if s.line <= line), default=0)


def outline(path: str, text: str) -> tuple[SectionLink, ...]:
    """Return the note's sections with their sizes."""
    return _opened(path, text)[0].sections


def all_properties(path: str, text: str) -> dict[str, list[str]]:
    """Return the values of each property, by key: of front matter, then of the note's text.

    The suffix of ``path`` tells how the note is written.
    """
    properties = _opened(path, text)[0].properties
    return {key: [*texts] for key, texts in properties.items()}


def linked_line(path: str, text: str, sub: str) -> int:
    """Return the line, from 1, that a link with ``#sub`` leads to; 1 if the note has no ``sub``."""
    return _line_of(*_opened(path, text), sub)


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
    return _embedded(*_opened(path, text), sub)


def _embedded(note: NoteOutline, text: str, sub: str) -> SectionText | None:
    if not sub:
        return _whole(note, text)
    if _is_block(sub):
        lines = _block(note, text, sub[1:])
        if lines is None:
            return None
        block = _lines(note, text, note.sections[_section_at(note, lines[0])], *lines)
        return replace(block, text=dedent(block.text))
    found = _linked(note, text, sub)
    line = _line_with(_ANCHOR, text, sub) if found is None else None
    found = found if line is None else _section_at(note, line)
    return None if found is None else _full(note, text, found)


def _definitions(source: str, text: str) -> str:
    """Return the lines of the note that define links in ``source`` and are not in it."""
    if "]" not in source or "]:" not in text or len(source) > _LONGEST_WITH_DEFINITIONS:
        return ""
    own = set(source.split("\n"))
    labels = {reference_label(label, None) for label in _LABEL.findall(source)}
    used = (
        definition[0]
        for definition in _DEFINITION.finditer(text)
        if definition[0] not in own and reference_label(definition[1], None) in labels
    )
    return "\n".join(islice(used, _MOST_DEFINITIONS))


def lines_between(text: str, first: int, last: int) -> str:
    """Return the lines from ``first`` to ``last``; line 1 is the first."""
    start = _after_lines(text, first - 1)
    end = _after_lines(text, last - first + 1, start)
    return text[start : end - text.endswith("\n", start, end)]


def _after_lines(text: str, count: int, start: int = 0) -> int:
    for _ in range(count):
        start = text.find("\n", start) + 1
        if not start:
            return len(text)
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


def _whole(note: NoteOutline, text: str) -> SectionText:
    has_text = bool(note.sections) and not note.is_front_matter
    first = note.sections[0].line if has_text else 1
    last = line_count(text)
    return SectionText(
        path=note.path,
        title=note.title,
        heading=note.title,
        section_path=(note.title,),
        level=0,
        line=first,
        end_line=last,
        text=lines_between(text, first, last) if has_text else "",
        words=sum(section.words for section in note.sections) if has_text else 0,
    )


def _lines(
    note: NoteOutline,
    text: str,
    section: SectionLink,
    first: int,
    last: int,
    words: int | None = None,
) -> SectionText:
    shown = lines_between(text, first, last)
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
        definitions=_definitions(shown, text),
    )


def full_section_end(sections: Sequence[SectionLink], index: int) -> int:
    """Return the last line of the section at ``index`` with its subsections."""
    return sections[after_subsections(sections, index) - 1].end_line


def _full(note: NoteOutline, text: str, index: int) -> SectionText:
    return _cut(note, text, index, full_section_end(note.sections, index), ())


def _cut(
    note: NoteOutline, text: str, index: int, end: int, links: tuple[SectionLink, ...]
) -> SectionText:
    section = note.sections[index]
    words = sum(below.words for below in note.sections[index:] if below.line <= end)
    part = _lines(note, text, section, section.line, end, words)
    source = "" if note.is_front_matter else part.text
    shown = dedent(source) if section.level and source[:1].isspace() else source
    indent = 0 if shown is source else f"{source}\n".find("\n") - f"{shown}\n".find("\n")
    return replace(part, text=shown, subsections=links, indent=indent)
