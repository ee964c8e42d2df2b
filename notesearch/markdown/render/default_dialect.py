"""The default dialect, CommonMark + GFM + Obsidian: turns Markdown into HTML that is not yet safe.

``qt_html`` later does what only Qt needs, so that other dialects share it. A function with the
argument ``silent`` is a rule of markdown-it, as in ``note_syntax``.
"""

import html
import re
from collections.abc import Callable, Sequence
from functools import cache
from itertools import islice
from textwrap import dedent
from unicodedata import east_asian_width
from urllib.parse import quote, unquote

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.rules_block import StateBlock
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline
from markdown_it.rules_inline.state_inline import Delimiter
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict
from mdit_py_plugins.admon import admon_plugin
from mdit_py_plugins.amsmath import amsmath_plugin
from mdit_py_plugins.dollarmath.index import math_block_dollar, math_inline_dollar
from mdit_py_plugins.footnote import footnote_plugin
from mdit_py_plugins.gfm_autolink import gfm_autolink_plugin

from notesearch.markdown.block_rules import line_of, without_options
from notesearch.markdown.bounds import NESTING_LIMIT, Check, never_cancel
from notesearch.markdown.note_syntax import note_syntax
from notesearch.markdown.render import callouts, sanitizer
from notesearch.markdown.sections.inline_metadata import heading_task, task_state
from notesearch.markdown.sections.inline_syntax import replaced_outside_code
from notesearch.markdown.sections.inline_text import without_heading_attributes
from notesearch.markdown.sections.link_targets import is_image

MAX_PARAGRAPH = 20_000
"""A paragraph of more characters is cut and shown as plain text, because laying it out would block
the window."""
MAX_ANCHORS = 1000
"""Headings that can be scrolled to; Qt's time for anchors is quadratic in their number."""

_CHECK = "check"
_BREAKS = frozenset({"softbreak", "hardbreak"})
_DISPLAYED_FORMULA = "math_inline_double"
_PROTOCOLS = ("http", "https", "mailto", "xmpp")
_TOP_SIZE = 2
_EMPTY_TASKS = frozenset({"[ ]", "[x]", "[X]"})
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")
_FIGURE = re.compile(r"\{\{<\s*(?:figure|img|image)\s([^<>]{0,1000}?)/?\s*>\}\}")
_VALUE = re.compile(r"\b(src|caption|title|alt)=\"([^\"<>\[\]]*)\"")

_MAX_BRACKETS = 1_000
"""Opening brackets in a paragraph. With more, it is plain text: for each bracket, the parser would
search for the end of a link."""

_MAX_EQUATIONS = 50
"""Equations such as ``\\begin{align}``; with more, they are text. The end of each is looked for."""

_MAX_FOOTNOTES = 500
"""Footnotes that a click can jump to; Qt's time for anchors is quadratic in their number."""


def to_html(
    source: str, first_line: int = 1, *, keeps_lines: bool = False, check: Check = never_cancel
) -> str:
    """Return ``source`` as HTML, which the caller must sanitise; calls ``check`` now and then.

    With ``keeps_lines``, line breaks within a paragraph stay, as in Obsidian.
    """
    environment = {"first_line": first_line, _CHECK: check}
    equations = 0 < source.count("\\begin{") <= _MAX_EQUATIONS
    parser = _parser(keeps_lines=keeps_lines, equations=equations)
    rendered: str = parser.render(source, environment)
    return rendered


@cache
def _parser(*, keeps_lines: bool, equations: bool) -> MarkdownIt:
    options = {"maxNesting": NESTING_LIMIT, "breaks": keeps_lines}
    parser = MarkdownIt("commonmark", options).enable(["table", "strikethrough"])
    parser.validateLink = lambda _: True  # type: ignore[assignment, method-assign]
    parser.use(gfm_autolink_plugin)
    parser.inline.ruler.before("gfm_autolink_protocol", "colon", _colon)
    parser.inline.ruler.before("escape", "math_inline", _math_without_code)
    parser.block.ruler.before("fence", "math_block", _math_lines)
    parser.inline.ruler.before("strikethrough", "cjk_emphasis", _cjk_emphasis)
    parser.core.ruler.at("inline", _parse_paragraphs)
    parser.core.ruler.before("inline", "figures", _show_figures)
    parser.core.ruler.after("inline", "hidden_lines", _drop_hidden_lines)
    parser.use(admon_plugin)
    for plugin in (
        note_syntax,
        callouts.plugin,
        _task_plugin,
        _footnote_plugin,
        sanitizer.plugin,
    ):
        parser.use(plugin)
    if equations:
        parser.use(amsmath_plugin)
    # The rule added last runs first.
    parser.core.ruler.after("block", "headings", _place_headings)
    parser.core.ruler.after("block", "bounds", _cut_long_paragraphs)
    parser.core.ruler.after("block", "math_fences", _name_math)
    for name, rule in _RENDER_RULES.items():
        parser.add_render_rule(name, rule)
    return parser


def _parse_paragraphs(state: StateCore) -> None:
    """Parse the text of each paragraph; before each one, check whether to cancel the work."""
    for token in state.tokens:
        if token.type == "inline":
            state.env[_CHECK]()
            token.children = token.children or []
            state.md.inline.parse(token.content, state.md, state.env, token.children)


def _show_figures(state: StateCore) -> None:
    """Read Hugo's ``{{< figure src="…" >}}`` as a picture."""
    for token in state.tokens:
        if token.type == "inline" and "{{<" in token.content:
            token.content = replaced_outside_code(_FIGURE, _picture, token.content)


def _picture(figure: re.Match[str]) -> str:
    values = dict(_VALUE.findall(figure[1]))
    words = values.get("caption") or values.get("title") or values.get("alt") or ""
    return f"![{words}](<{values['src']}>)" if "src" in values else figure[0]


def _drop_hidden_lines(state: StateCore) -> None:
    """Drop lines that show nothing, such as a shortcode; otherwise they would be empty lines."""
    for token in state.tokens:
        if token.children and any(child.type in _BREAKS for child in token.children):
            token.children = _lines_with_text(token.children)


def _lines_with_text(tokens: Sequence[Token]) -> list[Token]:
    """Return ``tokens`` without hidden lines; two hard breaks are an empty line on purpose."""
    kept: list[Token] = []
    last_break = -1
    is_empty = True
    for token in tokens:
        if token.type in _BREAKS:
            is_hidden = is_empty and token.type == "softbreak"
            # A displayed formula ends its line by itself.
            is_needless = bool(kept) and kept[-1].type == _DISPLAYED_FORMULA
            if is_hidden or is_needless:
                continue
            last_break = len(kept)
            is_empty = True
        else:
            is_empty = is_empty and not _is_shown(token)
        kept.append(token)
    if is_empty and last_break >= 0:
        del kept[last_break]
    return kept


def _is_shown(token: Token) -> bool:
    if token.type == "text":
        return bool(token.content.strip(" \t"))
    return not (token.nesting or (token.type == "html_inline" and token.content.startswith("<!--")))


def _colon(state: StateInline, silent: bool) -> bool:
    """Read a colon as text unless it ends a protocol such as ``https``: the next rule is slow."""
    if state.src[state.pos] != ":" or state.pending.endswith(_PROTOCOLS):
        return False
    if not silent:
        state.pending += ":"
    state.pos += 1
    return True


_LINES_OF_MATH = math_block_dollar(allow_labels=False, allow_blank_lines=True)
_NO_MATH_UP_TO = "no_math_up_to"
"""Key of the environment: the end of lines in which no formula ends."""


def _math_lines(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Read a formula between ``$$``; look for its end only once, because many may have none."""
    opens = line_of(state, start).count("$$") == 1 and not state.is_code_block(start)
    if opens and state.env.get(_NO_MATH_UP_TO) == end:
        return False
    is_formula = _LINES_OF_MATH(state, start, end, silent)
    if opens and not is_formula and line_of(state, start).startswith("$$"):
        state.env[_NO_MATH_UP_TO] = end
    return is_formula


_DOLLARS = math_inline_dollar(allow_space=False, allow_digits=False, allow_double=True)


def _math_without_code(state: StateInline, silent: bool) -> bool:
    """Read a formula ``$x$``. With code between the two ``$``, they are prices, not a formula."""
    start = state.pos
    is_formula = _DOLLARS(state, True)
    has_code = "`" in state.src[start : state.pos]
    state.pos = start
    return is_formula and not has_code and _DOLLARS(state, silent)


def _cjk_emphasis(state: StateInline, silent: bool) -> bool:
    """Read ``*`` and ``~~`` beside Chinese, Japanese or Korean text.

    CommonMark finds no emphasis in ``**重点。**后面``. Here CJK punctuation counts as a letter:
    https://github.com/tats-u/markdown-cjk-friendly.
    """
    mark = {"*": "*", "~": "~~"}.get(state.src[state.pos])
    if silent or mark is None:
        return False
    scanned = state.scanDelims(state.pos, True)
    before = state.src[state.pos - 1] if state.pos else " "
    end = state.pos + scanned.length
    after = state.src[end] if end < state.posMax else " "
    widths = {east_asian_width(before), east_asian_width(after)}
    if widths.isdisjoint("WFH") or scanned.length % len(mark):
        return False
    for _ in range(scanned.length // len(mark)):
        state.push("text", "", 0).content = mark
        state.delimiters.append(
            Delimiter(
                marker=ord(mark[0]),
                length=scanned.length if mark == "*" else 0,  # 0: without the rule of three
                token=len(state.tokens) - 1,
                end=-1,
                open=not after.isspace(),
                close=not before.isspace(),
            )
        )
    state.pos = end
    return True


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
    for token in state.tokens:
        if token.type == "fence":
            if token.info.lstrip().startswith("{"):
                token.content = without_options(token.content, token.info).lstrip("\n")
            if token.info.strip(" {}\t").lower() == "math":
                token.type = "math_block"


def _place_headings(state: StateCore) -> None:
    """Give headings an anchor with their line, hide ``{#id}``, and raise the top ones to H2."""
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
        inline.content = without_heading_attributes(inline.content)
        if token.map and token.level == 0 and count < MAX_ANCHORS:
            token.attrSet("id", f"line-{first_line + token.map[0]}")
    for token in state.tokens:
        if token.type in {"heading_open", "heading_close"}:
            token.tag = f"h{int(token.tag[1]) - lift}"


def _plain(_: object, tokens: Sequence[Token], at: int, *__: object) -> str:
    return html.escape(tokens[at].content)


def _math_block(_: object, tokens: Sequence[Token], at: int, *__: object) -> str:
    return f'<div class="math">{html.escape(dedent(tokens[at].content).strip())}</div>'


def _math_inline(_: object, tokens: Sequence[Token], at: int, *__: object) -> str:
    return f'<var class="math">{html.escape(tokens[at].content)}</var>'


def _task_plugin(parser: MarkdownIt) -> None:
    parser.core.ruler.before("inline", "task_marks", _take_task_marks)
    parser.core.ruler.after("inline", "task_boxes", _insert_task_boxes)
    parser.add_render_rule("task_box", _task_box)


def _take_task_marks(state: StateCore) -> None:
    """Remove the box of a task, such as ``[x]``, before it can be read as a link."""
    tokens = state.tokens
    for at in range(1, len(tokens)):
        if tokens[at].type != "inline":
            continue
        in_list = at > 1 and tokens[at - 2].type == "list_item_open"
        if not in_list and tokens[at - 1].type != "heading_open":
            continue
        source = tokens[at].content
        if in_list and source in _EMPTY_TASKS:
            source += " "
        task = task_state(source) if in_list else heading_task(source)
        if task and source[0] <= "\x7f":
            state_of_task, start = task
            tokens[at].content = source[start:]
            tokens[at].meta["task"] = state_of_task
            if in_list:
                tokens[at - 2].attrJoin("class", "task")


def _insert_task_boxes(state: StateCore) -> None:
    for token in state.tokens:
        if token.type == "inline" and "task" in token.meta and token.children is not None:
            token.children.insert(0, Token("task_box", "input", 0, meta=token.meta))


def _task_box(_: object, tokens: Sequence[Token], at: int, *__: object) -> str:
    return f'<input type="checkbox" class="{tokens[at].meta["task"]}"> '


def _footnote_plugin(parser: MarkdownIt) -> None:
    """Add footnotes, whose texts stay where the note has them.

    A section may contain only the text of a footnote, or only the reference to it.
    """
    parser.use(footnote_plugin, inline=False, move_to_end=False, always_match_refs=True)
    parser.core.ruler.before("inline", "footnote_labels", _collect_footnotes)
    parser.core.ruler.after("inline", "footnote_marks", _label_footnotes)
    parser.add_render_rule("footnote_ref", _footnote_ref)
    parser.add_render_rule("footnote_label", _footnote_label)
    parser.add_render_rule("footnote_reference_open", _footnote_open)
    parser.add_render_rule("footnote_reference_close", lambda *_: "</div>")


def _collect_footnotes(state: StateCore) -> None:
    opened = (token for token in state.tokens if token.type == "footnote_reference_open")
    state.env["footnote_texts"] = {token.meta["label"] for token in islice(opened, _MAX_FOOTNOTES)}


def _label_footnotes(state: StateCore) -> None:
    opened: Token | None = None
    for token in state.tokens:
        if token.type == "footnote_reference_open":
            opened = token
        elif opened and token.type == "inline" and token.children is not None:
            token.children.insert(0, Token("footnote_label", "", 0, meta=opened.meta))
            opened = None


def _footnote_anchor(label: str) -> str:
    return f"fn-{quote(label, safe='')}"


def _footnote_ref(_: object, tokens: Sequence[Token], at: int, __: object, env: EnvType) -> str:
    label: str = tokens[at].meta["label"]
    shown = html.escape(label)
    if label not in env["footnote_texts"]:
        return f"<sup>[{shown}]</sup>"
    return f'<sup><a href="#{_footnote_anchor(label)}">{shown}</a></sup>'


def _footnote_label(_: object, tokens: Sequence[Token], at: int, *__: object) -> str:
    return f"<sup>{html.escape(tokens[at].meta['label'])}</sup> "


def _footnote_open(_: object, tokens: Sequence[Token], at: int, __: object, env: EnvType) -> str:
    label: str = tokens[at].meta["label"]
    anchor = f' id="{_footnote_anchor(label)}"' if label in env["footnote_texts"] else ""
    return f'<div class="footnote"{anchor}>'


def _image(
    renderer: RendererHTML, tokens: Sequence[Token], at: int, options: OptionsDict, env: EnvType
) -> str:
    """Render a picture; ``2026:keel.png`` is a file name, not an address with a scheme."""
    address = str(tokens[at].attrs["src"])
    scheme = _SCHEME.match(address)
    if scheme and scheme[1].lower() not in sanitizer.SCHEMES and is_image(address):
        tokens[at].attrSet("src", f"image:{quote(unquote(address), safe='')}")
    return renderer.image(tokens, at, options, env)


_RENDER_RULES: dict[str, Callable[..., str]] = {
    "image": _image,
    "plain": _plain,
    "amsmath": _math_block,
    "math_block": _math_block,
    "math_inline": _math_inline,
    _DISPLAYED_FORMULA: _math_block,
}
