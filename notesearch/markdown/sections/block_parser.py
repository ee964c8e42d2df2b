"""Parses a note into markdown-it's block tokens, with the block syntax that CommonMark lacks."""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.token import Token
from mdit_py_plugins.admon import admon_plugin
from mdit_py_plugins.footnote import footnote_plugin

from notesearch.markdown.block_rules import INTERRUPTED, formula_block, note_blocks, push_paragraph
from notesearch.markdown.bounds import BLOCKS, CELLS, Check, never_cancel

NESTING_LIMIT = 100

OVER = "over"
"""Key of the environment: the line at which the text has reached too many blocks."""

_CHECK = "check"


_PARAGRAPH = 3
"""Tokens of a paragraph. A definition of a link counts as this many, although it has no token."""


def block_tokens(text: str, check: Check = never_cancel) -> tuple[list[Token], dict[str, Any]]:
    """Return the block tokens of normalised ``text``, and markdown-it's environment.

    The environment has the definitions of links (``references``), and ``OVER`` if the text has too
    many blocks. Inline content is not parsed: that would take nine tenths of the time.
    """
    environment: dict[str, Any] = {_CHECK: check}
    tokens: list[Token] = []
    parser = _parser()
    parser.block.parse(text, parser, environment, tokens)
    if _HTML_HEADING_END.search(text):
        tokens = _with_html_headings(tokens)
    return tokens, environment


_HTML_HEADING_END = re.compile(r"</h[1-6]\s*>", re.IGNORECASE)
_HTML_TAG = re.compile(r"<!--|-->|<(/?)([a-z][a-z0-9-]*)(?![\w-])[^<>]*>", re.IGNORECASE)
_HTML_HEADINGS = frozenset("h1 h2 h3 h4 h5 h6".split())
_NEVER_AROUND = frozenset("area br col embed hr img input link meta p source track wbr".split())
"""Elements of HTML that have no end tag, or need none, and cannot contain a heading."""
_ONLY_TAGS = re.compile(r"(?:\s|<[^<>]*+>)*")
_UNREAD_HTML = re.compile(r"\s*<(?:!--|pre|script|style|textarea)", re.IGNORECASE)


def _with_html_headings(tokens: Sequence[Token]) -> list[Token]:
    """Return ``tokens`` with each block of HTML cut at its headings.

    A heading inside another element, as in ``<div><h1>``, is the title of the note or of a page of
    HTML. After a heading of Markdown, it belongs to an example or a box and does not count.
    """
    parts: list[Token] = []
    has_heading = False
    for token in tokens:
        if token.type == "html_block" and not token.level and not _UNREAD_HTML.match(token.content):
            parts.extend(_html_parts(token, nested=not has_heading))
        else:
            parts.append(token)
            has_heading = has_heading or token.type == "heading_open"
    return parts


def _html_parts(token: Token, *, nested: bool) -> Iterator[Token]:
    """Yield the tokens of the headings in a block of HTML, and of the HTML between them.

    ``nested`` says whether headings inside other elements count.
    """
    html = token.content
    first = token.map[0] if token.map else 0
    shown = line = 0
    for opened, closed in _html_headings(html, nested=nested):
        start, end = opened.span()[0], closed.span()[1]
        before = html[shown:start]
        top = line + before.count("\n")
        bottom = top + html.count("\n", start, end)
        if before.strip():
            yield token.copy(content=before, map=[first + line, first + top])
        place = [first + top, first + bottom + 1]
        tag = opened[2].lower()
        yield Token("heading_open", tag, 1, map=place)
        words = html[opened.end() : closed.start()].strip()
        yield Token("inline", "", 0, content=words, map=place, children=[], level=1)
        yield Token("heading_close", tag, -1)
        shown = end
        line = bottom
    if html[shown:].strip() or not shown:
        yield token.copy(content=html[shown:], map=[first + line, token.map[1] if token.map else 0])


def _html_headings(html: str, *, nested: bool) -> Iterator[tuple[re.Match[str], re.Match[str]]]:
    """Yield the start tag and the end tag of each heading that only tags precede on its line."""
    opened = None
    is_comment = False
    depth = looked = 0
    for mark in _HTML_TAG.finditer(html):
        name = (mark[2] or "").lower()
        if not name:
            is_comment = mark[0] == "<!--"
        elif is_comment or name in _NEVER_AROUND or mark[0].endswith("/>"):
            continue
        elif name not in _HTML_HEADINGS:
            depth = max(0, depth + (-1 if mark[1] else 1))
            continue
        elif not mark[1]:
            line = html.rfind("\n", looked, mark.start()) + 1
            is_first = line > 0 or looked == 0  # else a line may be looked through many times
            begins = is_first and _ONLY_TAGS.fullmatch(html, line, mark.start())
            opened = mark if begins and (nested or not depth) else None
        elif opened and opened[2].lower() == name:
            yield opened, mark
            opened = None
        looked = mark.end()


@cache
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"maxNesting": NESTING_LIMIT}).enable("table")
    parser.use(admon_plugin).use(footnote_plugin, inline=False, move_to_end=False)
    parser.use(note_blocks).use(formula_block)
    parser.block.ruler.before("table", "check", _check, {"alt": [*INTERRUPTED, "table"]})
    return parser


def _check(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Read blocks beyond ``BLOCKS``, or a row of too many cells, as a paragraph.

    The parser tries this rule first at each block. So this is also where it calls the function
    ``check`` of its caller, which may raise an error to stop it.
    """
    state.env[_CHECK]()
    definitions = len(state.env.get("references", ())) + len(state.env.get("duplicate_refs", ()))
    if len(state.tokens) + _PARAGRAPH * definitions > BLOCKS:
        state.env.setdefault(OVER, start)
    elif silent or state.src.count("|", state.bMarks[start], state.eMarks[start]) <= CELLS:
        return False
    else:
        end = start + 1
    if not silent:
        push_paragraph(state, start, end, state.getLines(start, end, state.blkIndent, False))
        state.line = end
    return True
