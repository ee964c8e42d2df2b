"""Reads a section, its parent or the whole note from a note's text.

A full section is a section with its subsections. In all functions, ``path`` is the path of the note
in the vault, and ``text`` is the content of its file.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from textwrap import dedent

from notesearch.markdown.sections.block_parser import block_tokens
from notesearch.markdown.sections.front_matter import read_front_matter
from notesearch.markdown.sections.note_parser import (
    full_section_end,
    line_count,
    lines_between,
    normalise,
    parse_note,
    structured_lines,
)
from notesearch.markdown.sections.section_lookup import find_section, linked_section
from notesearch.note_addresses import NoteAddress, unspelt
from notesearch.notes import BLOCK_ANCHOR, Note, Section, word_count
from notesearch.process_tuning import return_free_memory
from notesearch.results import Scope, SectionLink, SectionText

PREVIEW_WORDS = 800
"""Words; a longer full section is previewed as its own text with links to its subsections."""
MAX_CACHED = 4_000_000
"""Characters; the sections of a longer note are parsed each time."""

_ANCHOR = r"""\{{[^{{}}]*\#{0}[\s}}]|<[a-z][^<>]*\s(?:id|name)=(["']?){0}\1[\s/>]"""
"""An anchor as Python-Markdown or HTML writes it; ``{0}`` stands for its name."""

_ID = r"(?<![\w-])(?:custom_|u)?id::[ \t]+{0}(?![\w-])"
"""The id ``{0}`` of a section, in a property below its heading as Org writes it."""

_BLOCKS = frozenset(
    "paragraph_open bullet_list_open ordered_list_open list_item_open blockquote_open table_open"
    " fence code_block heading_open".split()
)


def read(path: str, text: str, section: str | None) -> SectionText:
    """Return the full section called ``section``; for None, the whole note without front matter.

    Raises:
        SectionMissingError: No section or several sections have that name; the message lists them.
    """
    if section is None or not section.strip():
        return _whole(_parsed(text, path), text)  # no variable keeps the note, which may be huge
    note = _parsed(text, path)
    return _full(note, text, find_section(note, section))


def read_at(path: str, text: str, line: int, scope: Scope) -> SectionText:
    """Return the text to preview for the section that contains ``line``.

    It is the full section if that has at most ``PREVIEW_WORDS`` words, else its own text with links
    to its subsections. With another ``scope``, it is the full parent section or the whole note.
    """
    note = _parsed(text, path)
    if scope is Scope.NOTE or not note.sections:
        return _whole(note, text)
    index = _section_at(note, line)
    if scope is Scope.PARENT:
        parent = _parent(note.sections, index)
        if parent is None:
            return _whole(note, text)
        return _full(note, text, parent)
    return _bounded(note, text, index)


def read_linked(path: str, text: str, sub: str) -> SectionText:
    """Return the text that a link with ``#sub`` leads to: a full section or one block.

    Raises:
        SectionMissingError: There is no such section or block; the message lists the sections.
    """
    found = embedded(path, text, sub) or embedded(path, text, unspelt(sub))
    return found or read(path, text, sub.replace("#", "/"))


def read_lines(path: str, text: str, first: int, last: int) -> SectionText:
    """Return the lines from ``first`` to ``last``, from 1; lines after the note's end are left out.

    If ``last`` is 0, return the full section at ``first``; for a note without sections, all of it.
    """
    note = _parsed(text, path)
    if not note.sections:
        return _whole(note, text)
    index = _section_at(note, first)
    if not last:
        return _full(note, text, index)
    text = normalise(text)
    end = line_count(text)
    first, last = sorted((first, last))
    first = max(1, min(first, end))
    section = note.sections[index]
    source = lines_between(text, first, last)
    return SectionText(
        path,
        note.title,
        section.heading,
        section.path,
        section.level,
        first,
        min(last, end),
        source,
        words=word_count(source),
    )


def section_name(path: str, text: str, address: NoteAddress) -> str | None:
    """Return a name by which ``find_section`` finds the section at ``address``.

    Returns None for a note without sections.
    """
    note = _parsed(text, path)
    line = linked_line(path, text, address.heading) if address.heading else address.lines[0]
    if not note.sections:
        return None
    section = note.sections[_section_at(note, line)]
    return f"{'/'.join(section.path)} (line {section.line})"


def _section_at(note: Note, line: int) -> int:
    return max((i for i, s in enumerate(note.sections) if s.line <= line), default=0)


def outline(path: str, text: str) -> tuple[SectionLink, ...]:
    """Return the note's sections with their sizes."""
    return tuple(_link(section) for section in _parsed(text, path).sections)


def all_properties(path: str, text: str) -> dict[str, list[str]]:
    """Return the values of each property of a note by its key, the front matter first."""
    found: dict[str, list[str]] = {}
    note = _parsed(text, path)
    for value in note.values:
        if not value.inline:
            found.setdefault(value.key, []).append(value.text)
    for key, texts in note.inline_properties.items():
        found[key] = [*dict.fromkeys([*found.get(key, ()), *texts])]
    return found


def linked_line(path: str, text: str, sub: str) -> int:
    """Return the line, from 1, that a link with ``#sub`` leads to; 1 if the note has no ``sub``.

    ``sub`` is a heading, the id of a section, ``^`` with the id of a block, or an anchor that the
    note has as ``{#sub}`` or in HTML.
    """
    if _is_block(sub):
        return (_block(text, sub[1:]) or (1, 1))[0]
    note = _parsed(text, path)
    found = _linked(note, text, sub)
    return _anchor_line(text, sub) or 1 if found is None else note.sections[found].line


def _linked(note: Note, text: str, sub: str) -> int | None:
    """Return the index of the section whose id or heading is ``sub``; None if there is none."""
    line = _line_with(_ID, text, sub) if ":: " in text else None
    return linked_section(note, sub) if line is None else _section_at(note, line)


def _anchor_line(text: str, name: str) -> int | None:
    return _line_with(_ANCHOR, text, name)


def _line_with(expression: str, text: str, name: str) -> int | None:
    """Return the first line, from 1, that matches ``expression`` with ``name``, in any case."""
    found = re.compile(expression.format(re.escape(name)), re.IGNORECASE)
    lines = structured_lines(normalise(text))[0]
    return next((number for number, line in enumerate(lines, 1) if found.search(line)), None)


def embedded(path: str, text: str, sub: str) -> SectionText | None:
    """Return the text that ``![[Note#sub]]`` shows: a full section or one block.

    If ``sub`` is empty, return the whole note. Returns None if there is no such section or block.
    """
    note = _parsed(text, path)
    if not sub:
        return _whole(note, text)
    if _is_block(sub):
        lines = _block(text, sub[1:])
        if lines is None:
            return None
        source = dedent(lines_between(normalise(text), *lines))
        words = word_count(source)
        return SectionText(
            path, note.title, note.title, (note.title,), 0, *lines, source, (), words
        )
    found = _linked(note, text, sub)
    line = _anchor_line(text, sub) if found is None else None
    found = found if line is None else _section_at(note, line)
    return None if found is None else _full(note, text, found)


def _parsed(text: str, path: str) -> Note:
    """Return the parsed note.

    The last two notes are cached, because a preview reads many sections of the same note.
    """
    if len(text) <= MAX_CACHED:
        return _cached(text, path)
    note = parse_note(text, path)
    return_free_memory()  # that of the note's tokens, before the text is copied
    return note


@lru_cache(maxsize=2)
def _cached(text: str, path: str) -> Note:
    return parse_note(text, path)


def _is_block(sub: str) -> bool:
    """Return whether ``sub`` is ``^`` with a block's id, not a heading that begins with ``^``."""
    return re.fullmatch(BLOCK_ANCHOR, sub) is not None


def _block(text: str, name: str) -> tuple[int, int] | None:
    """Return the first and last line, from 1, of the block with the id ``name``; None for none.

    It is the innermost block that ends in ``^name``. If ``^name`` is on a line of its own, it is
    the whole block above, such as a list. In Logseq, it is the block with a line ``id:: name``.
    """
    lines = structured_lines(normalise(text))[0]
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
    front = read_front_matter(normalise(text)).lines
    tokens, _ = block_tokens("\n".join(lines[front:]))
    spans = [
        (token.map[0] + front, token.map[1] + front, token.type)
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
    start, stop, _ = min(around, key=lambda span: span[1] - span[0], default=(end, end + 1, ""))
    # A list item includes the items nested in it.
    return start + 1, max([stop, *(span[1] for span in items if span[0] == start)])


def _whole(note: Note, text: str) -> SectionText:
    text = normalise(text)
    first, last = 1, line_count(text)
    is_text = bool(note.sections) and not _is_front_matter(note)
    if is_text:
        first = note.sections[0].line
    words = sum(section.words for section in note.sections) if is_text else 0
    title, crumbs = note.title, (note.title,)
    shown = SectionText(note.path, title, title, crumbs, 0, first, last, "", (), words)
    del note  # a huge note takes as much memory as its text, which is copied now
    return replace(shown, text=lines_between(text, first, last)) if is_text else shown


def _is_front_matter(note: Note) -> bool:
    """Return whether ``note`` has only front matter; its one section is then the front matter."""
    first = note.sections[0]
    return bool(note.values) and len(note.sections) == 1 and first.line == 1 and not first.text


def _full(note: Note, text: str, index: int) -> SectionText:
    return _cut(note, text, index, full_section_end(note.sections, index), ())


def _bounded(note: Note, text: str, index: int) -> SectionText:
    end = full_section_end(note.sections, index)
    below = [s for s in note.sections[index + 1 :] if s.line <= end]
    words = sum(section.words for section in [note.sections[index], *below])
    if words <= PREVIEW_WORDS:
        return _full(note, text, index)
    links = tuple(_link(section) for section in below)
    return _cut(note, text, index, note.sections[index].end_line, links)


def _cut(
    note: Note, text: str, index: int, end: int, links: tuple[SectionLink, ...]
) -> SectionText:
    section = note.sections[index]
    is_text = not _is_front_matter(note)
    source = lines_between(normalise(text), section.line, end) if is_text else ""
    if source[:1].isspace():  # a block of a tree of bullets
        source = dedent(source)
    return SectionText(
        note.path,
        note.title,
        section.heading,
        section.path,
        section.level,
        section.line,
        end,
        source,
        links,
        sum(below.words for below in note.sections[index:] if below.line <= end),
    )


def _parent(sections: Sequence[Section], index: int) -> int | None:
    level = sections[index].level
    return next((i for i in range(index - 1, -1, -1) if 0 < sections[i].level < level), None)


def _link(section: Section) -> SectionLink:
    return SectionLink(
        section.heading,
        section.path,
        section.level,
        section.line,
        section.end_line,
        section.words,
        section.source.page,
    )
