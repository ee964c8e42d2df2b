"""Rules of markdown-it for blocks that people mean otherwise than CommonMark reads them.

These are comments, conflicts of Git, headings with a line below, and tables. A function with the
argument ``silent`` is a rule: it reads a block at a line, and returns whether it found the block.
If ``silent``, it adds no token.
"""

import re
from collections.abc import Iterable

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock, lheading, table

from notesearch.markdown.sections.code_spans import blanked
from notesearch.markdown.sections.foreign_syntax import COMMENTS
from notesearch.markdown.sections.inline_metadata import hashtags
from notesearch.notes import BLOCK_ANCHOR

_COMMENTS = {"%%": "%%", **COMMENTS}
_LINKED = re.compile(r"\[\[[^\[\]\n]{0,1000}\]\]")
_CELL_END = re.compile(r"(?<!\\)\|")
_RULE_STARTS = frozenset("|-:")
_RULE = re.compile(r"(?!-\s)[-|:][-|:\s]*")
_RULE_CELL = re.compile(r"[ \t]*:?-+:?[ \t]*")
NO_CELL_END = "\ufdd0"
"""Stands for a ``|`` that separates no cells while a table is read. No text has this character."""


def meant_blocks(parser: MarkdownIt) -> None:
    """Let ``parser`` read blocks by the rules of this module."""
    for name, rule in (("comment_block", _comment_block), ("conflict", _conflict)):
        alternatives = ["paragraph", "blockquote", "list"]
        parser.block.ruler.before("fence", name, rule, {"alt": alternatives})
    parser.block.ruler.before("table", "table_end", _table_end, {"alt": ["blockquote"]})
    parser.block.ruler.at("lheading", _underlined)
    parser.block.ruler.at("table", _table, {"alt": ["paragraph", "reference"]})


def begin_of(state: StateBlock, number: int) -> int:
    """Return the position at which the text of a line begins, after its indentation."""
    return state.bMarks[number] + state.tShift[number]


def line_of(state: StateBlock, number: int) -> str:
    """Return the text of a line without its indentation."""
    return state.src[begin_of(state, number) : state.eMarks[number]]


def push_paragraph(state: StateBlock, start: int, end: int, content: str) -> None:
    """Add a paragraph of the lines from ``start`` to ``end`` (exclusive) with ``content``."""
    state.push("paragraph_open", "p", 1).map = [start, end]
    push_inline(state, start, end, content.strip())
    state.push("paragraph_close", "p", -1)


def push_inline(state: StateBlock, start: int, end: int, content: str) -> None:
    """Add inline ``content`` of the lines from ``start`` to ``end`` (exclusive)."""
    token = state.push("inline", "", 0)
    token.content = content
    token.map = [start, end]
    token.children = []


def _comment_block(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Hide the lines of a comment, even empty ones; show them if it is not closed."""
    if state.is_code_block(start):
        return False
    begin = begin_of(state, start)
    opened = next((sign for sign in _COMMENTS if state.src.startswith(sign, begin)), "")
    closing = _closing(state, opened, begin + len(opened)) if opened else -1
    if not 0 <= closing <= state.eMarks[end - 1]:
        return False
    line_end = state.src.find("\n", closing)
    if state.src[closing : line_end if line_end >= 0 else None].strip():
        return False
    last = start
    while state.eMarks[last] < closing:
        last += 1
        if state.sCount[last] < state.blkIndent and not state.isEmpty(last):
            return False  # the list item around it has ended
    if not silent:
        state.line = last + 1
    return True


def _closing(state: StateBlock, opened: str, inside: int) -> int:
    """Return the end of the comment whose text begins at ``inside``; -1 if it never ends."""
    closed = _COMMENTS[opened]
    looked_from, found = state.env.get(opened, (inside + 1, -1))
    if inside < looked_from or 0 <= found < inside:  # else many unclosed comments are slow
        found = state.src.find(closed, inside)
        state.env[opened] = inside, found
    return found + len(closed) if found >= 0 else -1


_CONFLICT = re.compile(r"<{7} |(?:={7}|\|{7}|>{7})(?: |$)")
_CONFLICT_SIGNS = frozenset("<=|>")
_CONFLICT_END = "\n>>>>>>> "
_IN_CONFLICT = "in_conflict"
"""Key of the environment: whether the lines read now are within a conflict of Git."""


def _conflict(state: StateBlock, start: int, _: int, silent: bool) -> bool:
    """Read each mark of a conflict of Git as a paragraph, not as an underline or a deep quote."""
    begin = state.bMarks[start]
    if state.src[begin : begin + 1] not in _CONFLICT_SIGNS:
        return False
    line = state.src[begin : state.eMarks[start]]
    if not _CONFLICT.match(line):
        return False
    if _CONFLICT_END not in state.env:
        state.env[_CONFLICT_END] = state.src.rfind(_CONFLICT_END)
    opens = line[0] == "<" and begin < state.env[_CONFLICT_END]
    if not (opens or state.env.get(_IN_CONFLICT)):
        return False
    if not silent:
        state.env[_IN_CONFLICT] = line[0] != ">"
        push_paragraph(state, start, start + 1, line)
        state.line = start + 1
    return True


_COLUMNS = re.compile(r"\S {3,}\S")
"""The space between the columns of a table in plain text."""

_PROPERTIES = re.compile(r"(?:^[a-z][\w-]*:(?: .*)?$|^[ \t]+\S.*$|\n)+", re.MULTILINE)
"""Lines between two rules, as Slidev has them above a slide; or a second front matter."""

_SIGNATURE = "-- "
"""The line above the signature of a mail."""


def _underlined(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Read a heading that is underlined by a line, except in a Git conflict, table or properties.

    Tags above a line are no heading: Bear puts them below the title of a note. The end of a mail,
    above the line of its signature, is no heading, either.
    """
    if state.env.get(_IN_CONFLICT) or not lheading(state, start, end, silent):
        return False
    opened, inline, closed = state.tokens[-3:]
    if opened.markup == "-" and (
        _COLUMNS.search(inline.content)
        or _has_only_tags(inline.content)
        or line_of(state, state.line - 1) == _SIGNATURE
        or (start and line_of(state, start - 1) == "---" and _PROPERTIES.fullmatch(inline.content))
    ):
        opened.type = "paragraph_open"
        closed.type = "paragraph_close"
        opened.tag = closed.tag = "p"
        state.line -= 1
    return True


def _has_only_tags(text: str) -> bool:
    shown = 0
    for (start, end), _ in hashtags(text):
        if text[shown:start].strip():
            return False
        shown = end
    return not text[shown:].strip()


_NAME_OF_BLOCK = re.compile(rf"(?:{BLOCK_ANCHOR}|\{{:?[ \t]*[.#][^{{}}]*\}})[ \t]*")


def _table_end(state: StateBlock, start: int, _: int, silent: bool) -> bool:
    """End a table or a quote at its name, such as ``^id`` or ``{: .wide}``; it is not a row."""
    return silent and _NAME_OF_BLOCK.fullmatch(line_of(state, start)) is not None


def _table(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Read a table without losing a word: ``|`` in links, and too many ``|``, separate no cells."""
    below = begin_of(state, start + 1) if start + 1 < end else -1
    if below < 0 or state.src[below : below + 1] not in _RULE_STARTS:
        return False  # nearly every line of a note ends here, without slow work
    if not _RULE.fullmatch(line_of(state, start + 1)):
        return False
    columns = _columns(line_of(state, start + 1))
    header = _row(line_of(state, start), columns) if columns else ""
    is_indented = columns and (state.is_code_block(start) or state.is_code_block(start + 1))
    is_table = _CELL_END.search(header) and len(_cell_ends(header)) == columns - 1
    if is_indented or not is_table or state.sCount[start + 1] < state.blkIndent:
        return table(state, start, end, silent)
    last = start + 2
    while not silent and last < end and not state.isEmpty(last) and not state.is_code_block(last):
        if state.sCount[last] < state.blkIndent:
            break
        last += 1
    lines = whole_cells([line_of(state, at) for at in range(start, last)], [(0, last - start)])
    if all(NO_CELL_END not in line for line in lines):
        return table(state, start, end, silent)
    inner = StateBlock("\n".join(lines), state.md, state.env, [])
    if not table(inner, 0, inner.lineMax, silent):
        return False
    for token in inner.tokens:
        token.level += state.level
        token.map = token.map and [token.map[0] + start, token.map[1] + start]
        token.content = token.content.replace(NO_CELL_END, "|")
    state.tokens += inner.tokens
    state.line = start + inner.line
    return True


def whole_cells(lines: list[str], spans: Iterable[tuple[int, int]]) -> list[str]:
    """Return ``lines`` with ``NO_CELL_END`` for each ``|`` in a table that separates no cells."""
    whole = list(lines)
    for start, end in spans:
        columns = _columns(lines[start + 1].lstrip()) if start + 1 < end else 0
        for at in (start, *range(start + 2, end)) if columns else ():
            row = _row(lines[at], columns)
            indent = lines[at][: len(lines[at]) - len(lines[at].lstrip())]
            whole[at] = indent + (row if at == start else _bounded(row, columns))
    return whole


def _columns(line: str) -> int:
    cells = line.strip().removeprefix("|").removesuffix("|").split("|")
    return len(cells) if all(map(_RULE_CELL.fullmatch, cells)) else 0


def _row(line: str, columns: int) -> str:
    """Return ``line`` with ``NO_CELL_END`` for each ``|`` in links; in code only if needed.

    That is needed if the row would otherwise have more than ``columns`` cells.
    """
    line = _LINKED.sub(lambda link: _CELL_END.sub(NO_CELL_END, link[0]), line.strip())
    if len(_cell_ends(line)) >= columns and "`" in line:
        code = blanked(line)
        line = "".join(
            NO_CELL_END if own == "|" and shown == "\0" and line[at - 1] != "\\" else own
            for at, (own, shown) in enumerate(zip(line, code, strict=True))
        )
    return line


def _bounded(row: str, columns: int) -> str:
    shown = 0
    pieces = []
    for end in _cell_ends(row)[columns - 1 :]:
        pieces.append(row[shown:end])
        shown = end + 1
    return NO_CELL_END.join([*pieces, row[shown:]])


def _cell_ends(row: str) -> list[int]:
    ends = [found.start() for found in _CELL_END.finditer(row)]
    return [end for end in ends if 0 < end < len(row) - 1]
