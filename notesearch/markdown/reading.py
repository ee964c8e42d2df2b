"""Reads one section, its parent or a whole note out of a note's text; what ``read`` returns."""

import re
from collections.abc import Sequence
from functools import lru_cache

from notesearch.markdown.blocks import block_tokens
from notesearch.markdown.frontmatter import split
from notesearch.markdown.naming import find_section, linked_section
from notesearch.markdown.portions import carry_on
from notesearch.markdown.sections import full_section_end, parse_note
from notesearch.markdown.source import normalise, source_lines
from notesearch.notes import Note, Section
from notesearch.results import Scope, SectionLink, SectionText

PREVIEW_WORDS = 800
"""A full section of more words is shown as its own text and links to its subsections."""
MAX_KEPT = 4_000_000
"""Characters of a note whose sections are kept in memory."""

_NAMED = r"""\{{[^{{}}]*\#{0}[\s}}]|<[a-z][^<>]*\s(?:id|name)=(["']?){0}\1[\s/>]"""
"""Where something is given a name, in the way of Python-Markdown or of HTML."""

_BLOCKS = frozenset(
    "paragraph_open bullet_list_open ordered_list_open list_item_open blockquote_open table_open"
    " fence code_block heading_open".split()
)


def read(path: str, text: str, wanted: str | None) -> SectionText:
    """Return the full section called ``wanted``, or the whole note without front matter.

    Raises:
        SectionMissingError: None or several are called so; the message lists the sections.
    """
    note = _parsed(text, path)
    if wanted is None or not wanted.strip():
        return _whole(note, text)
    return _full(note, text, find_section(note, wanted))


def read_at(path: str, text: str, line: int, scope: Scope) -> SectionText:
    """Return what a preview shows of the section that holds ``line``.

    The full section while it has at most ``PREVIEW_WORDS`` words, else its own text and
    links to its subsections.
    """
    note = _parsed(text, path)
    if scope is Scope.NOTE or not note.sections:
        return _whole(note, text)
    index = max((i for i, s in enumerate(note.sections) if s.line <= line), default=0)
    if scope is Scope.PARENT:
        parent = _parent(note.sections, index)
        if parent is None:
            return _whole(note, text)
        return _full(note, text, parent)
    return _bounded(note, text, index)


def outline(path: str, text: str) -> tuple[SectionLink, ...]:
    """Return the note's sections with their sizes."""
    return tuple(_link(section) for section in _parsed(text, path).sections)


def linked_line(path: str, text: str, sub: str) -> int:
    """Return the line that a link with ``#sub`` leads to: a heading, ``^`` and a block's name.

    Or what was given that name, by ``{#sub}`` or HTML. What is not there leads to the start of the
    note.
    """
    if sub.startswith("^"):
        return (_block(text, sub[1:]) or (1, 1))[0]
    note = _parsed(text, path)
    found = linked_section(note, sub)
    return _named_line(text, sub) if found is None else note.sections[found].line


def _named_line(text: str, name: str) -> int:
    named = re.compile(_NAMED.format(re.escape(name)))
    lines = source_lines(text)
    return next((number for number, line in enumerate(lines, 1) if named.search(line)), 1)


def embedded(path: str, text: str, sub: str) -> SectionText | None:
    """Return what ``![[Note#sub]]`` shows: the note, a full section or one block; None if gone."""
    note = _parsed(text, path)
    if not sub:
        return _whole(note, text)
    if sub.startswith("^"):
        lines = _block(text, sub[1:])
        if lines is None:
            return None
        source = "\n".join(source_lines(text)[lines[0] - 1 : lines[1]])
        return SectionText(path, note.title, note.title, (note.title,), 0, *lines, source)
    found = linked_section(note, sub)
    return None if found is None else _full(note, text, found)


def _parsed(text: str, path: str) -> Note:
    """Return the sections of a note; a preview asks for one after the other of the same."""
    return _kept(text, path) if len(text) <= MAX_KEPT else parse_note(text, path)


@lru_cache(maxsize=2)
def _kept(text: str, path: str) -> Note:
    return parse_note(text, path)


def _block(text: str, name: str) -> tuple[int, int] | None:
    """Return first and last line of the innermost block that ends in ``^name``.

    On a line of its own the name is that of all of the block above, as of a list.
    """
    lines = source_lines(text)
    named = re.compile(rf"(?:^|\s)\^{re.escape(name)}[ \t]*$", re.IGNORECASE)
    end = next((number for number, line in enumerate(lines) if named.search(line)), None)
    if end is None:
        return None
    at = end
    if named.fullmatch(lines[end]):
        end -= 1
        while end > 0 and not lines[end].strip():
            end -= 1
    above = split(normalise(text)).lines
    tokens, _ = block_tokens("\n".join(lines[above:]), carry_on)
    spans = [
        (token.map[0] + above, token.map[1] + above, token.type)
        for token in tokens
        if token.map and token.type in _BLOCKS
    ]
    around = [span for span in spans if span[0] <= end < span[1]]
    above_name = [span for span in around if end < at and span[1] <= at]
    if above_name:
        return min(above_name)[0] + 1, end + 1
    start, stop, _ = min(around, key=lambda span: span[1] - span[0], default=(end, end + 1, ""))
    # An item comes with those below it.
    items = [span for span in around if span[2] == "list_item_open" and span[0] == start]
    return start + 1, max([stop, *(span[1] for span in items)])


def _whole(note: Note, text: str) -> SectionText:
    lines = source_lines(text)
    if not note.sections or _is_front_matter(note):
        return SectionText(note.path, note.title, note.title, (note.title,), 0, 1, len(lines), "")
    first = note.sections[0].line
    source = "\n".join(lines[first - 1 :])
    return SectionText(
        note.path, note.title, note.title, (note.title,), 0, first, len(lines), source
    )


def _is_front_matter(note: Note) -> bool:
    """Return whether ``note`` is front matter alone: else its sections begin below that."""
    return bool(note.values) and note.sections[0].line == 1


def _full(note: Note, text: str, index: int) -> SectionText:
    return _cut(note, text, index, full_section_end(note.sections, index), ())


def _bounded(note: Note, text: str, index: int) -> SectionText:
    end = full_section_end(note.sections, index)
    below = [s for s in note.sections[index + 1 :] if s.line <= end]
    words = sum(_words(section) for section in [note.sections[index], *below])
    if words <= PREVIEW_WORDS:
        return _full(note, text, index)
    links = tuple(_link(section) for section in below)
    return _cut(note, text, index, note.sections[index].end_line, links)


def _cut(
    note: Note, text: str, index: int, end: int, links: tuple[SectionLink, ...]
) -> SectionText:
    section = note.sections[index]
    lines = [] if _is_front_matter(note) else source_lines(text)
    source = "\n".join(lines[section.line - 1 : end])
    return SectionText(
        note.path, note.title, section.heading, section.path, section.level, section.line, end,
        source, links,
    )  # fmt: skip


def _parent(sections: Sequence[Section], index: int) -> int | None:
    level = sections[index].level
    return next((i for i in range(index - 1, -1, -1) if 0 < sections[i].level < level), None)


def _link(section: Section) -> SectionLink:
    return SectionLink(
        section.heading, section.path, section.level, section.line, section.end_line,
        _words(section),
    )  # fmt: skip


def _words(section: Section) -> int:
    return len(section.text.split())
