"""Blocks that CommonMark does not know but notes hold: formulas and MkDocs' content tabs."""

import re

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock

_EVERYWHERE = ["paragraph", "reference", "blockquote", "list", "table"]

_TAB = re.compile(r"===[!+]?[ \t]+([\"'])([^\n]*)\1[ \t]*")
_TAB_INDENT = 4


def plugin(parser: MarkdownIt) -> None:
    """Let ``parser`` read these blocks."""
    ends = ["paragraph", "reference", "blockquote", "list"]
    parser.block.ruler.before("fence", "formula", _formula, {"alt": ends})
    parser.block.ruler.before("fence", "tab", _tab, {"alt": ends})


def asking(parser: MarkdownIt, key: str) -> None:
    """Have ``parser`` call what its environment holds under ``key`` at every line."""

    def ask(state: StateBlock, _start: int, _end: int, _silent: bool) -> bool:
        state.env[key]()
        return False

    parser.block.ruler.before("table", "ask", ask, {"alt": _EVERYWHERE})


def _formula(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Read ``$$`` to ``$$`` without an empty line between.

    Otherwise a line of a formula that holds only ``=`` makes a heading of the lines above it.
    """
    position = state.bMarks[start] + state.tShift[start]
    if not state.src.startswith("$$", position) or state.is_code_block(start):
        return False
    if start < state.env.get("no_formula_before", 0):
        return False
    if state.src[position : state.eMarks[start]].count("$$") > 1:
        return False
    for line in range(start + 1, end):
        shown = state.src[state.bMarks[line] : state.eMarks[line]].strip()
        if shown.endswith("$$"):
            if not silent:
                token = state.push("code_block", "code", 0)
                token.content = state.getLines(start, line + 1, state.blkIndent, True)
                token.map = [start, line + 1]
                state.line = line + 1
            return True
        if not shown or state.sCount[line] < state.blkIndent:
            break
    else:
        line = end
    state.env["no_formula_before"] = line
    return False


def _tab(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Read ``=== "Title"`` and the indented blocks below it."""
    position = state.bMarks[start] + state.tShift[start]
    if not state.src.startswith("===", position) or state.is_code_block(start):
        return False
    title = _TAB.fullmatch(state.src, position, state.eMarks[start])
    if title is None:
        return False
    if silent:
        return True
    indent = state.blkIndent + _TAB_INDENT
    after = start + 1
    while after < end and (state.isEmpty(after) or state.sCount[after] >= indent):
        after += 1
    state.push("tab_open", "div", 1).map = [start, after]
    token = state.push("inline", "", 0)
    token.content, token.map, token.children = title[2], [start, start + 1], []
    outer = state.blkIndent, state.lineMax, state.parentType
    state.blkIndent, state.lineMax, state.parentType = indent, after, "tab"
    state.md.block.tokenize(state, start + 1, after)
    state.blkIndent, state.lineMax, state.parentType = outer
    state.push("tab_close", "div", -1)
    state.line = after
    return True
