"""Footnotes of the default dialect, shown where they are written.

A section may contain a footnote's reference without its text, or the text without a reference.
Neither may disappear, so nothing is moved to the end or dropped.
"""

import html
from collections.abc import Sequence
from itertools import islice
from urllib.parse import quote

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token
from markdown_it.utils import EnvType
from mdit_py_plugins.footnote import footnote_plugin

_MAX_ANCHORS = 500
"""Footnotes that a click can jump to; Qt's time for anchors is quadratic in their number."""


def plugin(parser: MarkdownIt) -> None:
    """Add footnotes to ``parser``."""
    parser.use(footnote_plugin, inline=False, move_to_end=False, always_match_refs=True)
    parser.core.ruler.before("inline", "footnote_labels", _collect_labels)
    parser.core.ruler.after("inline", "footnote_marks", _insert_labels)
    parser.add_render_rule("footnote_ref", _render_ref)
    parser.add_render_rule("footnote_label", _render_label)
    parser.add_render_rule("footnote_reference_open", _render_open)
    parser.add_render_rule("footnote_reference_close", _render_close)


def _collect_labels(state: StateCore) -> None:
    opened = (token for token in state.tokens if token.type == "footnote_reference_open")
    state.env["footnote_texts"] = {token.meta["label"] for token in islice(opened, _MAX_ANCHORS)}


def _insert_labels(state: StateCore) -> None:
    """Insert the label before the first words of a footnote's text."""
    opened: Token | None = None
    for token in state.tokens:
        if token.type == "footnote_reference_open":
            opened = token
        elif opened and token.type == "inline" and token.children is not None:
            token.children.insert(0, Token("footnote_label", "", 0, meta=opened.meta))
            opened = None


def _anchor(label: str) -> str:
    return f"fn-{quote(label, safe='')}"


def _render_ref(_: object, tokens: Sequence[Token], at: int, __: object, env: EnvType) -> str:
    label: str = tokens[at].meta["label"]
    shown = html.escape(label)
    if label not in env["footnote_texts"]:
        return f"<sup>[{shown}]</sup>"
    return f'<sup><a href="#{_anchor(label)}">{shown}</a></sup>'


def _render_label(_: object, tokens: Sequence[Token], at: int, *__: object) -> str:
    return f"<sup>{html.escape(tokens[at].meta['label'])}</sup> "


def _render_open(_: object, tokens: Sequence[Token], at: int, __: object, env: EnvType) -> str:
    label: str = tokens[at].meta["label"]
    anchor = f' id="{_anchor(label)}"' if label in env["footnote_texts"] else ""
    return f'<div class="footnote"{anchor}>'


def _render_close(*_: object) -> str:
    return "</div>"
