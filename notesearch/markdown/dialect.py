"""The default dialect, CommonMark + GFM + Obsidian: Markdown -> plain HTML that is not yet safe.

Everything that only Qt needs happens later, in ``shape``, so that another dialect may take this
one's place.
"""

import html
import re
from collections.abc import Sequence
from functools import cache
from textwrap import dedent

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from mdit_py_plugins.admon import admon_plugin
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.dollarmath.index import math_inline_dollar
from mdit_py_plugins.gfm_autolink import gfm_autolink_plugin

from notesearch.markdown import callouts, footnotes, obsidian, raw_html, tasks
from notesearch.markdown.blocks import NESTING_LIMIT
from notesearch.markdown.portions import Check, carry_on

MAX_PARAGRAPH = 20_000
"""No more than that of a paragraph is shown, and as plain text: laying out one line of 200,000
brackets holds the window for most of a second."""
MAX_ANCHORS = 1000
"""Headings that can be scrolled to; Qt's time for anchors grows with the square of their number."""

_CHECK = "check"
_TOP_SIZE = 2
_HEADING_ATTRIBUTES = re.compile(r"\{:?[ \t]*[#.][^{}]*\}")

_MAX_BRACKETS = 1_000
"""Of one paragraph: each may begin a link, and is followed up to its end."""


def to_html(
    source: str, first_line: int = 1, *, keeps_lines: bool = False, check: Check = carry_on
) -> str:
    """Return ``source`` as HTML; the caller must clean it.

    Who ``keeps_lines`` has the end of a line within a paragraph shown as one, as Obsidian does.
    ``check`` is called before each paragraph is read.
    """
    given = {"first_line": first_line, _CHECK: check}
    rendered: str = _parser(keeps_lines).render(source, given)
    return rendered


@cache
def _parser(keeps_lines: bool) -> MarkdownIt:
    options = {"maxNesting": NESTING_LIMIT, "breaks": keeps_lines}
    parser = MarkdownIt("commonmark", options).enable(["table", "strikethrough"])
    parser.validateLink = _any_address  # type: ignore[assignment, method-assign]
    parser.use(gfm_autolink_plugin)
    parser.use(
        dollarmath_plugin,
        allow_space=False,
        allow_digits=False,
        allow_labels=False,
        double_inline=True,
    )
    parser.inline.ruler.at("math_inline", _math_beside_code)
    parser.core.ruler.at("inline", _read_paragraphs)
    parser.use(admon_plugin)
    for plugin in (
        obsidian.plugin,
        callouts.plugin,
        tasks.plugin,
        footnotes.plugin,
        raw_html.plugin,
    ):
        parser.use(plugin)
    # The rule that is added last comes first.
    parser.core.ruler.after("block", "headings", _place_headings)
    parser.core.ruler.after("block", "bounds", _cut_long_paragraphs)
    parser.core.ruler.after("block", "math_fences", _name_math)
    for name, rule in _RENDER_RULES.items():
        parser.add_render_rule(name, rule)
    return parser


def _read_paragraphs(state: StateCore) -> None:
    """Do what the parser's own rule does, and ask before each whether it is still wanted."""
    for token in state.tokens:
        if token.type == "inline":
            state.env[_CHECK]()
            token.children = token.children or []
            state.md.inline.parse(token.content, state.md, state.env, token.children)


def _any_address(_: str) -> bool:
    """Read every link as a link: which addresses are live is decided once, by the cleaner."""
    return True


_DOLLARS = math_inline_dollar(allow_space=False, allow_digits=False, allow_double=True)


def _math_beside_code(state: StateInline, silent: bool) -> bool:
    """Read a formula, but for one that would begin before code and end in it, as two prices."""
    start = state.pos
    found = _DOLLARS(state, True)
    has_code = "`" in state.src[start : state.pos]
    state.pos = start
    return found and not has_code and _DOLLARS(state, silent)


def _cut_long_paragraphs(state: StateCore) -> None:
    for token in state.tokens:
        if token.type in {"inline", "html_block"} and len(token.content) > MAX_PARAGRAPH:
            token.type = "plain"
            token.content = f"{token.content[:MAX_PARAGRAPH]} … (cut here)"
            token.children = None
        elif token.type == "inline" and token.content.count("[") > _MAX_BRACKETS:
            token.type = "plain"
            token.children = None


def _name_math(state: StateCore) -> None:
    """Read a fence that is called ``math`` as a formula, as GitHub does."""
    for token in state.tokens:
        if token.type == "fence" and token.info.strip().lower() == "math":
            token.type = "math_block"


def _place_headings(state: StateCore) -> None:
    """Name headings by their line, hide ``{#id}``, and let the section's own heading lead.

    The deepest heading of a note still reads as a title when its section is shown alone.
    """
    opened = [
        (token, state.tokens[index + 1])
        for index, token in enumerate(state.tokens)
        if token.type == "heading_open"
    ]
    if not opened:
        return
    lift = max(0, min(int(token.tag[1]) for token, _ in opened) - _TOP_SIZE)
    first_line = state.env["first_line"]
    for count, (token, inline) in enumerate(opened):
        inline.content = _without_attributes(inline.content)
        if token.map and token.level == 0 and count < MAX_ANCHORS:
            token.attrSet("id", f"line-{first_line + token.map[0]}")
        token.tag = f"h{int(token.tag[1]) - lift}"
    for token in state.tokens:
        if token.type == "heading_close":
            token.tag = f"h{int(token.tag[1]) - lift}"


def _without_attributes(heading: str) -> str:
    shown = heading.rstrip(" \t")
    at = shown.rfind("{") if shown.endswith("}") else -1
    if at < 0 or not _HEADING_ATTRIBUTES.fullmatch(shown, at):
        return heading
    return shown[:at].rstrip(" \t")


def _plain(_: object, tokens: Sequence[Token], at: int, *__: object) -> str:
    return html.escape(tokens[at].content)


def _math_block(_: object, tokens: Sequence[Token], at: int, *__: object) -> str:
    return f'<div class="math">{html.escape(dedent(tokens[at].content).strip())}</div>'


def _math_inline(_: object, tokens: Sequence[Token], at: int, *__: object) -> str:
    return f'<var class="math">{html.escape(tokens[at].content)}</var>'


_RENDER_RULES = {
    "plain": _plain,
    "math_block": _math_block,
    "math_inline": _math_inline,
    "math_inline_double": _math_block,
}
