"""Obsidian's own syntax: wikilinks, embeds, highlights, comments, tags and block ids."""

import html
import re
from collections.abc import Sequence
from urllib.parse import quote

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

_WIKILINK = re.compile(r"!?\[\[([^\[\]|\n]{0,500})(?:\|([^\[\]\n]{0,500}))?\]\]")
_MARK = re.compile(r"==(?=[^\s=])((?:[^=]|=(?!=)){1,2000})(?<=\S)==(?!=)")
_COMMENT = re.compile(r"%%(?:[^%]|%(?!%)){0,5000}%%")
_BLOCK_ID = re.compile(r"(?:^|(?<=\s))\^[A-Za-z0-9-]+[ \t]*$")
_IMAGE = re.compile(r"\.(?:png|jpe?g|gif|webp|bmp|svg|avif)$", re.IGNORECASE)
_SIZE = re.compile(r"(\d{1,4})(?:x\d{1,4})?")
_TAG = re.compile(r"(?:^|(?<=\s))#(?=[\w/-]*[^\W\d_])[\w/-]{1,200}")
_CODE_INDENT = 4


def plugin(parser: MarkdownIt) -> None:
    """Add Obsidian's syntax to ``parser``."""
    parser.inline.ruler.before("link", "wikilink", _wikilink)
    parser.inline.ruler.before("emphasis", "mark", _mark)
    parser.inline.ruler.before("emphasis", "comment", _comment)
    parser.block.ruler.before(
        "fence", "comment_block", _comment_block, {"alt": ["paragraph", "blockquote", "list"]}
    )
    parser.core.ruler.before("inline", "block_ids", _hide_block_ids)
    parser.core.ruler.after("inline", "tags", _split_tags)
    parser.add_render_rule("tag", _render_tag)
    parser.add_render_rule("wikilink", _render_wikilink)
    parser.add_render_rule("embedded_image", _render_image)


def _wikilink(state: StateInline, silent: bool) -> bool:
    found = _WIKILINK.match(state.src, state.pos, state.posMax)
    if not found or not (found[1] + (found[2] or "")).strip():
        return False
    if not silent:
        target, alias = found[1].strip(), (found[2] or "").strip()
        is_image = found[0].startswith("!") and _IMAGE.search(target)
        token = state.push("embedded_image" if is_image else "wikilink", "", 0)
        token.meta = {"target": target, "alias": alias, "embed": found[0].startswith("!")}
        token.content = alias or _link_text(target)
    state.pos = found.end()
    return True


def _link_text(target: str) -> str:
    """Return the text of a link without an alias: ``Note > Heading``, as in Obsidian."""
    parts = [part.strip() for part in target.split("#")]
    return " > ".join(part.removeprefix("^") for part in parts if part)


def _mark(state: StateInline, silent: bool) -> bool:
    found = _MARK.match(state.src, state.pos, state.posMax)
    if not found or state.src[state.pos - 1 : state.pos] == "=":
        return False
    if not silent:
        outer_end = state.posMax
        state.push("mark_open", "mark", 1)
        state.pos, state.posMax = found.start(1), found.end(1)
        state.md.inline.tokenize(state)
        state.posMax = outer_end
        state.push("mark_close", "mark", -1)
    state.pos = found.end()
    return True


def _comment(state: StateInline, silent: bool) -> bool:
    found = _COMMENT.match(state.src, state.pos, state.posMax)
    if not found:
        return False
    state.pos = found.end()
    return True


def _comment_block(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Hide ``%%`` blocks, including empty lines in them; show an unclosed comment as text."""
    if state.sCount[start] - state.blkIndent >= _CODE_INDENT:
        return False
    begin = state.bMarks[start] + state.tShift[start]
    if not state.src.startswith("%%", begin):
        return False
    closing = state.src.find("%%", begin + 2, state.eMarks[end - 1])
    if closing < 0:
        return False
    last = start
    while state.eMarks[last] < closing + 2:
        last += 1
        if state.sCount[last] < state.blkIndent and not state.isEmpty(last):
            return False  # the list item around it has ended
    if state.src[closing + 2 : state.eMarks[last]].strip():
        return False
    if not silent:
        state.line = last + 1
    return True


def _hide_block_ids(state: StateCore) -> None:
    for token in state.tokens:
        if token.type == "inline" and "^" in token.content:
            token.content = _BLOCK_ID.sub("", token.content)


def _split_tags(state: StateCore) -> None:
    """Make tags tokens of their own, so that they can be styled."""
    for token in state.tokens:
        if token.type == "inline" and "#" in token.content and token.children:
            token.children = [part for child in token.children for part in _parts(child)]


def _parts(token: Token) -> list[Token]:
    """Return ``token`` cut around the tags in it."""
    if token.type != "text" or "#" not in token.content:
        return [token]
    parts: list[Token] = []
    shown = 0
    for tag in _TAG.finditer(token.content):
        parts.append(Token("text", "", 0, content=token.content[shown : tag.start()]))
        parts.append(Token("tag", "", 0, content=tag[0]))
        shown = tag.end()
    return [*parts, Token("text", "", 0, content=token.content[shown:])]


def _render_tag(_: object, tokens: Sequence[Token], at: int, *__: object) -> str:
    return f'<var class="tag">{html.escape(tokens[at].content)}</var>'


def _render_wikilink(_: object, tokens: Sequence[Token], at: int, *__: object) -> str:
    token = tokens[at]
    kind = 'class="embed" ' if token.meta["embed"] else ""
    address = quote(token.meta["target"], safe="")
    return f'<a {kind}href="note:{address}">{html.escape(token.content)}</a>'


def _render_image(_: object, tokens: Sequence[Token], at: int, *__: object) -> str:
    target, alias = tokens[at].meta["target"], tokens[at].meta["alias"]
    size = _SIZE.fullmatch(alias)
    width = f' width="{size[1]}"' if size else ""
    shown = html.escape("" if size else alias)
    return f'<img src="image:{quote(target, safe="")}" alt="{shown}"{width}>'
