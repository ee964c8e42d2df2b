"""Logseq's own syntax: references to blocks, embeds, and properties, as rules of markdown-it."""

import html
import re
from collections.abc import Iterator, Sequence
from urllib.parse import quote

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

from notesearch.markdown.obsidian_syntax import cut_texts
from notesearch.markdown.sections.inline_text import without_block_marks
from notesearch.notes import BLOCK_REFERENCE, Span

_EMBED = re.compile(r"\{\{embed[ \t]+(?:\[\[([^\[\]\n]{1,500})\]\]|(\(\([\w-]{36}\)\)))[ \t]*\}\}")
_MARKED = re.compile(r":: |:LOGBOOK:")
_PROPERTY = re.compile(r"[ \t]*[^\W\d][\w./-]*::[ \t]+\S")


def plugin(parser: MarkdownIt) -> None:
    """Add Logseq's syntax to ``parser``, which must have Obsidian's already."""
    parser.core.ruler.before("inline", "block_properties", _place_properties)
    parser.core.ruler.after("inline", "block_references", _split_references)
    parser.inline.ruler.before("link", "logseq_embed", _embed)
    parser.add_render_rule("block_reference", _render_reference)


def _place_properties(state: StateCore) -> None:
    """Hide lines that name or style a block, and show each of its properties on its own line."""
    for index, token in enumerate(state.tokens):
        if token.type != "inline" or not _MARKED.search(token.content):
            continue
        shown: list[str] = []
        for line in without_block_marks(token.content).rstrip("\n").split("\n"):
            if shown and _PROPERTY.match(line) and not shown[-1].endswith("\\"):
                shown[-1] += "\\"
            shown.append(line)
        token.content = "\n".join(shown)
        if not token.content:
            state.tokens[index - 1].hidden = state.tokens[index + 1].hidden = True


def _split_references(state: StateCore) -> None:
    """Make each reference ``((block id))`` in a text a token of its own."""
    cut_texts(state, "((", "block_reference", _references)


def _references(text: str) -> Iterator[Span]:
    return (reference.span() for reference in BLOCK_REFERENCE.finditer(text))


def _embed(state: StateInline, silent: bool) -> bool:
    """Read ``{{embed [[Note]]}}`` and ``{{embed ((block))}}``."""
    found = _EMBED.match(state.src, state.pos, state.posMax)
    if not found:
        return False
    if not silent:
        token = state.push("wikilink", "", 0)
        token.content = found[1] or found[2]
        token.meta = {"target": token.content, "alias": "", "embed": True}
    state.pos = found.end()
    return True


def _render_reference(_: object, tokens: Sequence[Token], at: int, *__: object) -> str:
    content = tokens[at].content
    return f'<a class="block" href="note:{quote(content, safe="")}">{html.escape(content)}</a>'
