"""Parses a note into markdown-it's block tokens, with the block syntax that CommonMark lacks."""

import re
from functools import cache
from typing import TYPE_CHECKING, Any

from notesearch.markdown.bounds import BLOCKS, CELLS, PORTION, Check, never_cancel

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_block import StateBlock
    from markdown_it.token import Token

NESTING_LIMIT = 100

OVER = "over"
"""Key of the environment: the line at which the text has reached too many blocks."""

_CHECK = "check"
_INTERRUPTED = ["paragraph", "reference", "blockquote", "list"]
"""Rules of markdown-it whose blocks end where a block of a rule here begins."""

_PARAGRAPH = 3
"""Tokens of a paragraph. A definition of a link counts as this many, although it has no token."""

_TAB = re.compile(r"===[!+]?[ \t]+([\"'])([^\n]*)\1[ \t]*")
_TAB_INDENT = 4


def block_tokens(text: str, check: Check = never_cancel) -> "tuple[list[Token], dict[str, Any]]":
    """Return the block tokens of normalised ``text``, and markdown-it's environment.

    The environment has the definitions of links (``references``), and ``OVER`` if the text has too
    many blocks; then one paragraph holds the rest of the text. Inline content is not parsed: that
    would take nine tenths of the time. In a huge text, ``check`` is called at every line.
    """
    environment: dict[str, Any] = {_CHECK: check}
    tokens: list[Token] = []
    parser = _parser(checked=len(text) > PORTION)
    parser.block.parse(text, parser, environment, tokens)
    return tokens, environment


@cache
def _parser(*, checked: bool) -> "MarkdownIt":
    from markdown_it import MarkdownIt
    from mdit_py_plugins.admon import admon_plugin
    from mdit_py_plugins.footnote import footnote_plugin

    from notesearch.markdown import obsidian_syntax

    parser = MarkdownIt("commonmark", {"maxNesting": NESTING_LIMIT}).enable("table")
    parser.use(admon_plugin).use(footnote_plugin, inline=False, move_to_end=False)
    parser.use(obsidian_syntax.plugin)
    parser.block.ruler.before("fence", "formula", _formula, {"alt": _INTERRUPTED})
    parser.block.ruler.before("fence", "tab", _tab, {"alt": _INTERRUPTED})
    if checked:
        parser.block.ruler.before("table", "check", _check, {"alt": [*_INTERRUPTED, "table"]})
    return parser


def _check(state: "StateBlock", start: int, end: int, silent: bool) -> bool:
    """Call the check; read blocks beyond ``BLOCKS``, or a row of too many cells, as a paragraph."""
    state.env[_CHECK]()
    definitions = len(state.env.get("references", ())) + len(state.env.get("duplicate_refs", ()))
    if len(state.tokens) + _PARAGRAPH * definitions > BLOCKS:
        state.env.setdefault(OVER, start)
    elif silent or state.src.count("|", state.bMarks[start], state.eMarks[start]) <= CELLS:
        return False
    else:
        end = start + 1
    if not silent:
        state.line = end
        lines = [start, end]
        state.push("paragraph_open", "p", 1).map = lines
        token = state.push("inline", "", 0)
        token.content = state.getLines(start, end, state.blkIndent, False).strip()
        token.map, token.children = lines, []
        state.push("paragraph_close", "p", -1)
    return True


def _formula(state: "StateBlock", start: int, end: int, silent: bool) -> bool:
    """Read a formula from ``$$`` to ``$$``, which has no empty line, as a code block.

    Without this rule, a line of the formula with only ``=`` would make the lines above a heading.
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


def _tab(state: "StateBlock", start: int, end: int, silent: bool) -> bool:
    """Read MkDocs' ``=== "Title"`` and the indented blocks below it."""
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
