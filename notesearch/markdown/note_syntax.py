"""The syntax of Obsidian and Logseq, as rules of markdown-it.

For Obsidian: wikilinks, embeds, highlights, comments, tags, block ids, subscripts and superscripts.
For Logseq: references to blocks, embeds, and properties.

A function with the argument ``silent`` is a rule of markdown-it: it reads syntax at a position, and
returns whether it found the syntax. If ``silent``, it adds no token.
"""

import html
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from urllib.parse import quote

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

from notesearch.markdown.block_rules import note_blocks
from notesearch.markdown.sections.inline_metadata import hashtags
from notesearch.markdown.sections.inline_syntax import (
    ANCHOR_AT_END,
    LINE_END,
    SCRIPT,
    with_usual_syntax,
    without_block_marks,
    without_icons,
)
from notesearch.markdown.sections.link_targets import is_image
from notesearch.notes import BLOCK_REFERENCE, ELLIPSIS, Span

_WIKILINK = re.compile(r"!?\[\[(?![\s|]*\]\])([^\[\]|\n]{0,500})(?:\|([^\[\]\n]{0,500}))?\]\]")
_MARK = re.compile(
    r"(==|\^\^)(?=[^\s=^])((?:(?!\1)[^\0]){1,2000})(?<=\S)\1(?:(?<==)(?!=)|(?<=\^)(?!\^))"
)
_LINK_TEXT = r"\[[^\[\]]{0,500}\]|\[\[[^\[\]]{0,500}\]\]"
_INLINE_NOTE = re.compile(rf"\^\[((?:[^\[\]]|{_LINK_TEXT}){{1,2000}})\](?![(\[])")
"""A note, shown in parentheses. With ``(`` or ``[`` after it, it is a link after a ``^``."""

_COMMENT = re.compile(r"%%(?:[^%]|%(?!%)){0,5000}%%")
_SIZE = re.compile(r"(\d{1,4})(?:x\d{1,4})?")
_LINKED_TAG = re.compile(r"(?:(?<!\S)|(?<=(?<!\S)[(（]))#\[\[([^\[\]|\n]{1,200})\]\]")


def note_syntax(parser: MarkdownIt) -> None:
    """Let ``parser`` read the syntax of Obsidian and Logseq, and the blocks of ``block_rules``."""
    for before, name, pattern, write in (
        ("link", "linked_tag", _LINKED_TAG, _write_linked_tag),
        ("link", "wikilink", _WIKILINK, _write_wikilink),
        ("link", "logseq_embed", _EMBED, _write_embed),
        ("emphasis", "script", SCRIPT, _write_script),
        ("emphasis", "inline_note", _INLINE_NOTE, _write_inline_note),
        ("emphasis", "comment", _COMMENT, lambda *_: None),
    ):
        parser.inline.ruler.before(before, name, partial(_read, pattern, write))
    parser.inline.ruler.before("comment", "mark", _mark)
    parser.use(note_blocks)
    parser.core.ruler.before("inline", "block_ids", _hide_block_ids)
    parser.core.ruler.before("inline", "usual_links", _write_usual_links)
    parser.core.ruler.before("inline", "block_properties", _place_properties)
    references = partial(_cut_texts, "((", "block_reference", _references)
    tags = partial(_cut_texts, "#", "tag", lambda text: (span for span, _ in hashtags(text)))
    parser.core.ruler.after("inline", "tags", tags)
    parser.core.ruler.after("inline", "block_references", references)
    parser.add_render_rule("tag", _render_tag)
    parser.add_render_rule("block_reference", _render_reference)
    parser.add_render_rule("wikilink", _render_wikilink)
    parser.add_render_rule("embedded_image", _render_image)


def _read(
    pattern: re.Pattern[str],
    write: Callable[[StateInline, re.Match[str]], None],
    state: StateInline,
    silent: bool,
) -> bool:
    """Read what ``pattern`` matches; ``write`` adds its tokens."""
    found = pattern.match(state.src, state.pos, state.posMax)
    if not found:
        return False
    if not silent:
        write(state, found)
    state.pos = found.end()
    return True


def _write_wikilink(state: StateInline, found: re.Match[str]) -> None:
    target = found[1].strip()
    alias = (found[2] or "").strip()
    is_embed = found[0].startswith("!")
    is_embedded_image = is_embed and is_image(target)
    if is_embed and not is_embedded_image and _SIZE.fullmatch(alias):
        alias = ""
    token = state.push("embedded_image" if is_embedded_image else "wikilink", "", 0)
    token.meta = {"target": target, "alias": alias, "embed": is_embed}
    token.content = alias or _link_text(target)


def _link_text(target: str) -> str:
    parts = [part.strip() for part in target.split("#")]
    return " > ".join(part.removeprefix("^") for part in parts if part)


def _mark(state: StateInline, silent: bool) -> bool:
    found = _MARK.match(state.src, state.pos, state.posMax)
    before = state.src[state.pos - 1 : state.pos] if state.pos else ""
    if not found or before in {"=", "^"} or (before.strip() and len(found[2].split()) > 1):
        return False  # ``a==b and c==d`` is a comparison
    if not silent:
        state.push("mark_open", "mark", 1)
        _tokenize(state, found.span(2))
        state.push("mark_close", "mark", -1)
    state.pos = found.end()
    return True


def _write_inline_note(state: StateInline, found: re.Match[str]) -> None:
    state.push("text", "", 0).content = " ("
    _tokenize(state, found.span(1))
    state.push("text", "", 0).content = ")"


def _tokenize(state: StateInline, span: Span) -> None:
    outer_end = state.posMax
    state.pos, state.posMax = span
    state.md.inline.tokenize(state)
    state.posMax = outer_end


def _hide_block_ids(state: StateCore) -> None:
    for token in state.tokens:
        if token.type == "inline" and "^" in token.content:
            token.content = ANCHOR_AT_END.sub("", token.content)


def _write_usual_links(state: StateCore) -> None:
    for token in state.tokens:
        if token.type == "inline" and token.content:
            usual = with_usual_syntax(without_icons(token.content))
            token.content = usual.replace(LINE_END, "")


def _cut_texts(
    sign: str, type_: str, find: Callable[[str], Iterable[Span]], state: StateCore
) -> None:
    """Turn each span that ``find`` yields for a text with ``sign`` into a token of ``type_``."""

    def cut(token: Token) -> Iterator[Token]:
        if token.type != "text" or sign not in token.content:
            yield token
            return
        shown = 0
        for start, end in find(token.content):
            yield Token("text", "", 0, content=token.content[shown:start])
            yield Token(type_, "", 0, content=token.content[start:end])
            shown = end
        yield Token("text", "", 0, content=token.content[shown:])

    for token in state.tokens:
        if token.type == "inline" and sign in token.content and token.children:
            token.children = [part for child in token.children for part in cut(child)]


def _write_linked_tag(state: StateInline, found: re.Match[str]) -> None:
    state.push("tag", "", 0).content = f"#{found[1].strip()}"


def _write_script(state: StateInline, found: re.Match[str]) -> None:
    tag = "sub" if found[1] == "~" else "sup"
    state.push(f"{tag}_open", tag, 1)
    state.push("text", "", 0).content = found[2]
    state.push(f"{tag}_close", tag, -1)


def _render_tag(_: object, tokens: Sequence[Token], at: int, *__: object) -> str:
    return f'<var class="tag">{html.escape(tokens[at].content)}</var>'


def _render_wikilink(_: object, tokens: Sequence[Token], at: int, *__: object) -> str:
    token = tokens[at]
    kind = 'class="embed" ' if token.meta["embed"] else ""
    address = quote(token.meta["target"], safe="")
    return f'<a {kind}href="note:{address}">{html.escape(token.content)}</a>'


def _render_image(_: object, tokens: Sequence[Token], at: int, *__: object) -> str:
    target = tokens[at].meta["target"]
    alias = tokens[at].meta["alias"]
    size = _SIZE.fullmatch(alias)
    width = f' width="{size[1]}"' if size else ""
    shown = html.escape("" if size else alias)
    return f'<img src="image:{quote(target, safe="")}" alt="{shown}"{width}>'


_EMBED = re.compile(
    r"\{\{(?:\[\[)?embed(?:\]\])?:?[ \t]+"
    rf"(?:\[\[(?P<page>[^\[\]\n]{{1,500}})\]\]|(?P<block>{BLOCK_REFERENCE.pattern}))[ \t]*\}}\}}",
    re.ASCII,
)
_MARKED = re.compile(":: |:END:")
_PROPERTY = re.compile(r"[ \t]*[^\W\d][\w./-]*::[ \t]+\S")


def _place_properties(state: StateCore) -> None:
    """Hide lines with the id or the style of a block, and show each property on its own line."""
    for index, token in enumerate(state.tokens):
        if token.type != "inline" or not _MARKED.search(token.content):
            continue
        shown: list[str] = []
        content = without_block_marks(token.content).replace(LINE_END, "")
        for line in content.rstrip("\n").split("\n"):
            if shown and _PROPERTY.match(line) and not shown[-1].endswith("\\"):
                shown[-1] += "\\"
            shown.append(line)
        token.content = "\n".join(shown)
        if not token.content:
            state.tokens[index - 1].hidden = state.tokens[index + 1].hidden = True


def _references(text: str) -> Iterator[Span]:
    return (reference.span() for reference in BLOCK_REFERENCE.finditer(text))


def _write_embed(state: StateInline, found: re.Match[str]) -> None:
    token = state.push("wikilink", "", 0)
    token.content = found["page"] or ELLIPSIS
    token.meta = {"target": found["page"] or found["block"], "alias": "", "embed": True}


def _render_reference(_: object, tokens: Sequence[Token], at: int, *__: object) -> str:
    address = quote(tokens[at].content, safe="")
    return f'<a class="block" href="note:{address}">{ELLIPSIS}</a>'
