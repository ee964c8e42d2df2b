"""Callouts: ``> [!tip] Title``, ``::: tip Title``, ``!!! tip "Title"``, ``=== "Title"`` and MyST's.

Each becomes a ``blockquote`` with the class ``callout`` and the class of one of five tones. A
function with the argument ``silent`` is a rule of markdown-it, as in ``note_syntax``.
"""

import re
from collections.abc import Sequence
from itertools import islice

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.rules_core import StateCore
from markdown_it.token import Token

from notesearch.markdown.block_rules import (
    INTERRUPTED,
    PICTURES,
    UNTITLED,
    after_options,
    line_of,
    push_container,
    push_picture,
    unbox,
)
from notesearch.markdown.sections.inline_syntax import title_in

_HEAD = re.compile(r"\[!([^\[\]\n|]{1,60})(?:\|[^\[\]\n]*)?\][+-]?[ \t]*([^\n]*)(?:\n|$)")
_FENCE = re.compile(
    r":{3,}[ \t]*(?:(?P<kind>[A-Za-z][\w-]*)[ \t]*(?P<title>.*)"
    r"|\{(?P<directive>[a-z][\w:-]*)\}[ \t]*(?P<argument>.*)|\{(?P<attributes>[^{}\n]*)\})?$"
)
_CLASS = re.compile(r"\.(?:callout-)?([a-z]+)\b(?!-)")
_BRACKETED = re.compile(r"\A\[([^\[\]]*)\](?=\s|\Z)")
_TONES = {
    "tip": "tip success check done hint answer",
    "warning": "warning caution attention question help faq important deprecated",
    "danger": "danger error bug failure fail missing",
    "quiet": "quote cite example abstract summary tldr details code-group raw",
}
_TONE_OF = {kind: tone for tone, kinds in _TONES.items() for kind in kinds.split()}
_UNTITLED = UNTITLED | {"code-group", "raw", "v-pre"}
_LAYOUT = frozenset(
    "columns column cols col row grid grid-item tab-set center left right block div cards".split()
)
"""Kinds of blocks that only arrange their contents, which are shown without a box."""
_KNOWN = {"note", "info", *_TONE_OF, *_UNTITLED, *_LAYOUT}
_ATTRIBUTES_AT_END = re.compile(r"(?<![^\s\]])\{(\s*(?:[#.]|[\w-]+=|open\b)[^{}]*)\}\Z")
_HEADING = re.compile(r"[ \t]*#{1,6}[ \t]+(\S[^\n]*)")
_MAX_SCANNED_LINES = 100_000


def plugin(parser: MarkdownIt) -> None:
    """Add callouts to ``parser``, which must already have the plugin for ``!!!``."""
    parser.core.ruler.after("block", "callouts", _name_callouts)
    parser.block.ruler.before("fence", "colon_fence", _colon_fence, {"alt": INTERRUPTED})
    for kind in ("admonition", "container"):
        parser.add_render_rule(f"{kind}_open", _render_opening)
        parser.add_render_rule(f"{kind}_close", lambda *_: "</blockquote>")
    parser.add_render_rule("admonition_title_open", lambda *_: '<p class="callout-title">')


def tone(kind: str) -> str:
    """Return the tone for a kind of callout: a key of ``_TONES``, or ``note`` for all others."""
    return _TONE_OF.get(kind.strip().lower(), "note")


def _name_callouts(state: StateCore) -> None:
    """Turn quotes whose first line is ``[!kind] title`` into callouts with that title."""
    named: list[Token] = []
    tokens, remaining = state.tokens, iter(enumerate(state.tokens))
    for at, token in remaining:
        named.append(token)
        head = _head_of(tokens, at)
        if head is None:
            continue
        token.attrJoin("class", f"callout {tone(head[1])}")
        named += _title(head[2] or head[1].strip().capitalize())
        rest = tokens[at + 2]
        rest.content = rest.content[head.end() :]
        if not rest.content.strip():
            next(islice(remaining, 3, 3), None)
    state.tokens = named


def _head_of(tokens: Sequence[Token], at: int) -> "re.Match[str] | None":
    if tokens[at].type != "blockquote_open" or at + 3 >= len(tokens):
        return None
    inline = tokens[at + 2]
    return _HEAD.match(inline.content) if inline.type == "inline" else None


def _title(text: str) -> list[Token]:
    opened = Token("paragraph_open", "p", 1, attrs={"class": "callout-title"}, block=True)
    inline = Token("inline", "", 0, content=text, children=[])
    return [opened, inline, Token("paragraph_close", "p", -1, block=True)]


def _colon_fence(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Read a block between two lines of ``:::``, one of which may be in another section.

    A closing line alone is hidden, and an unclosed block of a known kind extends to the end.
    """
    if state.is_code_block(start):
        return False
    line = line_of(state, start)
    head = _FENCE.match(line.rstrip(" \t\n")) if line.startswith(":::") else None
    if head is None:
        return False
    written = head["kind"] or head["directive"] or _class(head["attributes"] or "")
    kind = written.lower().rpartition(":")[2]
    if not line.strip(": \t"):
        state.line = start if silent else start + 1
        return True
    closing = _closing_line(state, start, end)
    if closing is None and kind not in _KNOWN:
        return False
    if not silent:
        last = closing or end
        _push_block(state, start, last, kind, head)
        state.line = min(last + 1, end)
    return True


def _push_block(state: StateBlock, start: int, end: int, kind: str, head: "re.Match[str]") -> None:
    """Add the block below a line of ``:::``: a callout, or no box if it only arranges text.

    In Quarto's callouts, a heading may be the title.
    """
    if head["directive"] and kind in PICTURES:
        push_picture(state, start, end, head["argument"].strip())
        return
    written = head["title"] or head["argument"] or ""
    attributes = head["attributes"] or ""
    behind_title = _ATTRIBUTES_AT_END.search(written)
    if behind_title:
        written = written[: behind_title.start()]
        attributes = behind_title[1]
    title = _BRACKETED.sub(r"\1", written.strip()) or title_in(attributes)
    first = after_options(state, start + 1, end) if head["directive"] else start + 1
    is_quarto = ".callout-" in attributes
    heading = _HEADING.match(line_of(state, first)) if is_quarto and not title else None
    if heading:
        title = heading[1]
        first += 1
    if kind in _UNTITLED:
        title = ""
    only_arranges = kind in _LAYOUT or not (kind or is_quarto)
    opened = len(state.tokens)
    if only_arranges or kind in _UNTITLED:
        push_container(state, start, end, "", title, first)
    else:
        push_container(state, start, end, kind, title or kind.capitalize(), first)
    if only_arranges and not title:
        unbox(state.tokens[opened], state.tokens[-1])


def _class(attributes: str) -> str:
    classes = (found[1] for found in _CLASS.finditer(attributes))
    return next((name for name in classes if name in _KNOWN), "")


def _closing_line(state: StateBlock, start: int, end: int) -> int | None:
    colons = _colons(line_of(state, start))
    depth = 1
    for number in range(start + 1, end):
        state.env["fence_lines"] = scanned = state.env.get("fence_lines", 0) + 1
        line = line_of(state, number)
        if scanned > _MAX_SCANNED_LINES:
            return None
        if _colons(line) < max(colons, 3):
            continue
        depth += 1 if line.strip(": \t") else -1
        if depth == 0:
            return number
    return None


def _colons(line: str) -> int:
    return len(line) - len(line.lstrip(":"))


def _render_opening(_: object, tokens: Sequence[Token], at: int, *__: object) -> str:
    kind = tokens[at].meta.get("tag") or tokens[at].info
    return f'<blockquote class="callout {tone(kind) if kind else "quiet"}">'
