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
from markdown_it.rules_block import StateBlock, lheading, table
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

from notesearch.markdown.sections.code_spans import LINE_END, blanked
from notesearch.markdown.sections.foreign_syntax import (
    ANCHOR_AT_END,
    COMMENTS,
    SCRIPT,
    with_usual_syntax,
    without_block_marks,
    without_icons,
)
from notesearch.markdown.sections.inline_metadata import hashtags
from notesearch.notes import BLOCK_REFERENCE, ELLIPSIS, Span

_WIKILINK = re.compile(r"!?\[\[(?![\s|]*\]\])([^\[\]|\n]{0,500})(?:\|([^\[\]\n]{0,500}))?\]\]")
_MARK = re.compile(
    r"(==|\^\^)(?=[^\s=^])((?:(?!\1)[^\0]){1,2000})(?<=\S)\1(?:(?<==)(?!=)|(?<=\^)(?!\^))"
)
_LINK_TEXT = r"\[[^\[\]]{0,500}\]|\[\[[^\[\]]{0,500}\]\]"
_INLINE_NOTE = re.compile(rf"\^\[((?:[^\[\]]|{_LINK_TEXT}){{1,2000}})\](?![(\[])")
"""A note, shown in parentheses. What ``(`` or ``[`` follows is a link after a sign."""

_COMMENT = re.compile(r"%%(?:[^%]|%(?!%)){0,5000}%%")
_COMMENTS = {"%%": "%%", **COMMENTS}
_IMAGE = re.compile(r"\.(?:png|jpe?g|gif|webp|bmp|svg|avif)$", re.IGNORECASE)
_SIZE = re.compile(r"(\d{1,4})(?:x\d{1,4})?")
_LINKED_TAG = re.compile(r"(?:(?<!\S)|(?<=(?<!\S)[(（]))#\[\[([^\[\]|\n]{1,200})\]\]")
_LINKED = re.compile(r"\[\[[^\[\]\n]{0,1000}\]\]")
_CELL_END = re.compile(r"(?<!\\)\|")
_RULE_STARTS = frozenset("|-:")
_RULE = re.compile(r"(?!-\s)[-|:][-|:\s]*")
_RULE_CELL = re.compile(r"[ \t]*:?-+:?[ \t]*")
NO_CELL_END = "\ufdd0"
"""Stands for a ``|`` that separates no cells while a table is read. No text has this character."""


def begin_of(state: StateBlock, number: int) -> int:
    """Return the position at which the text of a line begins, after its indentation."""
    return state.bMarks[number] + state.tShift[number]


def line_of(state: StateBlock, number: int) -> str:
    """Return the text of a line without its indentation."""
    return state.src[begin_of(state, number) : state.eMarks[number]]


def push_paragraph(state: StateBlock, start: int, end: int, content: str) -> None:
    """Add a paragraph of the lines from ``start`` to ``end`` (exclusive) with ``content``."""
    state.push("paragraph_open", "p", 1).map = [start, end]
    push_inline(state, start, end, content.strip())
    state.push("paragraph_close", "p", -1)


def push_inline(state: StateBlock, start: int, end: int, content: str) -> None:
    """Add inline ``content`` of the lines from ``start`` to ``end`` (exclusive)."""
    token = state.push("inline", "", 0)
    token.content = content
    token.map = [start, end]
    token.children = []


def obsidian(parser: MarkdownIt) -> None:
    """Add Obsidian's syntax to ``parser``."""
    for before, name, pattern, write in (
        ("link", "linked_tag", _LINKED_TAG, _write_linked_tag),
        ("link", "wikilink", _WIKILINK, _write_wikilink),
        ("emphasis", "script", SCRIPT, _write_script),
        ("emphasis", "inline_note", _INLINE_NOTE, _write_inline_note),
        ("emphasis", "comment", _COMMENT, lambda *_: None),
    ):
        parser.inline.ruler.before(before, name, partial(_read, pattern, write))
    parser.inline.ruler.before("comment", "mark", _mark)
    for name, rule in (("comment_block", _comment_block), ("conflict", _conflict)):
        alternatives = ["paragraph", "blockquote", "list"]
        parser.block.ruler.before("fence", name, rule, {"alt": alternatives})
    parser.block.ruler.at("lheading", _underlined)
    parser.block.ruler.at("table", _table, {"alt": ["paragraph", "reference"]})
    parser.core.ruler.before("inline", "block_ids", _hide_block_ids)
    parser.core.ruler.before("inline", "usual_links", _write_usual_links)
    tags = partial(_cut_texts, "#", "tag", lambda text: (span for span, _ in hashtags(text)))
    parser.core.ruler.after("inline", "tags", tags)
    parser.add_render_rule("tag", _render_tag)
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


def is_image(target: str) -> bool:
    """Return whether ``target`` is the name of a picture."""
    return _IMAGE.search(target) is not None


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


def _comment_block(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Hide the lines of a comment, even empty ones; show them if it is not closed."""
    if state.is_code_block(start):
        return False
    begin = begin_of(state, start)
    opened = next((sign for sign in _COMMENTS if state.src.startswith(sign, begin)), "")
    closing = _closing(state, opened, begin + len(opened)) if opened else -1
    if not 0 <= closing <= state.eMarks[end - 1]:
        return False
    line_end = state.src.find("\n", closing)
    if state.src[closing : line_end if line_end >= 0 else None].strip():
        return False
    last = start
    while state.eMarks[last] < closing:
        last += 1
        if state.sCount[last] < state.blkIndent and not state.isEmpty(last):
            return False  # the list item around it has ended
    if not silent:
        state.line = last + 1
    return True


def _closing(state: StateBlock, opened: str, inside: int) -> int:
    """Return where the comment ends whose text begins at ``inside``; -1 if it does not end."""
    closed = _COMMENTS[opened]
    looked_from, found = state.env.get(opened, (inside + 1, -1))
    if inside < looked_from or 0 <= found < inside:  # else many unclosed comments are slow
        found = state.src.find(closed, inside)
        state.env[opened] = inside, found
    return found + len(closed) if found >= 0 else -1


_CONFLICT = re.compile(r"<{7} |(?:={7}|\|{7}|>{7})(?: |$)")
_CONFLICT_SIGNS = frozenset("<=|>")
_CONFLICT_END = "\n>>>>>>> "
_IN_CONFLICT = "in_conflict"
"""Key of the environment: whether the lines read now are within a conflict of Git."""


def _conflict(state: StateBlock, start: int, _: int, silent: bool) -> bool:
    """Read each mark of a conflict of Git as a paragraph, not as an underline or a deep quote."""
    begin = state.bMarks[start]
    if state.src[begin : begin + 1] not in _CONFLICT_SIGNS:
        return False
    line = state.src[begin : state.eMarks[start]]
    if not _CONFLICT.match(line):
        return False
    if _CONFLICT_END not in state.env:
        state.env[_CONFLICT_END] = state.src.rfind(_CONFLICT_END)
    opens = line[0] == "<" and begin < state.env[_CONFLICT_END]
    if not (opens or state.env.get(_IN_CONFLICT)):
        return False
    if not silent:
        state.env[_IN_CONFLICT] = line[0] != ">"
        push_paragraph(state, start, start + 1, line)
        state.line = start + 1
    return True


_COLUMNS = re.compile(r"\S {3,}\S")
"""The space between the columns of a table in plain text."""

_PROPERTIES = re.compile(r"(?:^[a-z][\w-]*:(?: .*)?$|^[ \t]+\S.*$|\n)+", re.MULTILINE)
"""Lines between two rules, as Slidev has them above a slide; or a second front matter."""


_SIGNATURE = "-- "
"""The line above the signature of a mail."""


def _underlined(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Read a heading with a line below it, but not in a conflict of Git, table or properties.

    Tags above a line are no heading either: Bear has them below the title of a note. Nor is the
    end of a mail above its signature.
    """
    if state.env.get(_IN_CONFLICT) or not lheading(state, start, end, silent):
        return False
    opened, inline, closed = state.tokens[-3:]
    if opened.markup == "-" and (
        _COLUMNS.search(inline.content)
        or _has_only_tags(inline.content)
        or line_of(state, state.line - 1) == _SIGNATURE
        or (start and line_of(state, start - 1) == "---" and _PROPERTIES.fullmatch(inline.content))
    ):
        opened.type = "paragraph_open"
        closed.type = "paragraph_close"
        opened.tag = closed.tag = "p"
        state.line -= 1
    return True


def _has_only_tags(text: str) -> bool:
    shown = 0
    for (start, end), _ in hashtags(text):
        if text[shown:start].strip():
            return False
        shown = end
    return not text[shown:].strip()


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
    """Make the spans that ``find`` returns in texts with ``sign`` tokens of the type ``type_``."""

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


def _table(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Read a table without losing a word: ``|`` in links, and too many ``|``, separate no cells."""
    below = begin_of(state, start + 1) if start + 1 < end else -1
    if below < 0 or state.src[below : below + 1] not in _RULE_STARTS:
        return False  # nearly every line of a note ends here, without slow work
    if not _RULE.fullmatch(line_of(state, start + 1)):
        return False
    columns = _columns(line_of(state, start + 1))
    header = _row(line_of(state, start), columns) if columns else ""
    is_indented = columns and (state.is_code_block(start) or state.is_code_block(start + 1))
    is_table = _CELL_END.search(header) and len(_cell_ends(header)) == columns - 1
    if is_indented or not is_table or state.sCount[start + 1] < state.blkIndent:
        return table(state, start, end, silent)
    last = start + 2
    while not silent and last < end and not state.isEmpty(last) and not state.is_code_block(last):
        if state.sCount[last] < state.blkIndent:
            break
        last += 1
    lines = whole_cells([line_of(state, at) for at in range(start, last)], [(0, last - start)])
    if all(NO_CELL_END not in line for line in lines):
        return table(state, start, end, silent)
    inner = StateBlock("\n".join(lines), state.md, state.env, [])
    if not table(inner, 0, inner.lineMax, silent):
        return False
    for token in inner.tokens:
        token.level += state.level
        token.map = token.map and [token.map[0] + start, token.map[1] + start]
        token.content = token.content.replace(NO_CELL_END, "|")
    state.tokens += inner.tokens
    state.line = start + inner.line
    return True


def whole_cells(lines: list[str], spans: Iterable[tuple[int, int]]) -> list[str]:
    """Return ``lines`` with ``NO_CELL_END`` for each ``|`` in a table that separates no cells."""
    whole = list(lines)
    for start, end in spans:
        columns = _columns(lines[start + 1].lstrip()) if start + 1 < end else 0
        for at in (start, *range(start + 2, end)) if columns else ():
            row = _row(lines[at], columns)
            indent = lines[at][: len(lines[at]) - len(lines[at].lstrip())]
            whole[at] = indent + (row if at == start else _bounded(row, columns))
    return whole


def _columns(line: str) -> int:
    cells = line.strip().removeprefix("|").removesuffix("|").split("|")
    return len(cells) if all(map(_RULE_CELL.fullmatch, cells)) else 0


def _row(line: str, columns: int) -> str:
    """Return ``line`` with ``NO_CELL_END`` for ``|`` in links; in a row too long, also in code."""
    line = _LINKED.sub(lambda link: _CELL_END.sub(NO_CELL_END, link[0]), line.strip())
    if len(_cell_ends(line)) >= columns and "`" in line:
        code = blanked(line)
        line = "".join(
            NO_CELL_END if own == "|" and shown == "\0" and line[at - 1] != "\\" else own
            for at, (own, shown) in enumerate(zip(line, code, strict=True))
        )
    return line


def _bounded(row: str, columns: int) -> str:
    shown = 0
    pieces = []
    for end in _cell_ends(row)[columns - 1 :]:
        pieces.append(row[shown:end])
        shown = end + 1
    return NO_CELL_END.join([*pieces, row[shown:]])


def _cell_ends(row: str) -> list[int]:
    ends = [found.start() for found in _CELL_END.finditer(row)]
    return [end for end in ends if 0 < end < len(row) - 1]


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
_MARKED = re.compile(r":: |:LOGBOOK:")
_PROPERTY = re.compile(r"[ \t]*[^\W\d][\w./-]*::[ \t]+\S")


def logseq(parser: MarkdownIt) -> None:
    """Add Logseq's syntax to ``parser``, which must have Obsidian's already."""
    parser.core.ruler.before("inline", "block_properties", _place_properties)
    references = partial(_cut_texts, "((", "block_reference", _references)
    parser.core.ruler.after("inline", "block_references", references)
    embeds = partial(_read, _EMBED, _write_embed)
    parser.inline.ruler.before("link", "logseq_embed", embeds)
    parser.add_render_rule("block_reference", _render_reference)


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
