"""Parses a note into markdown-it's block tokens, with the block syntax that CommonMark lacks."""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise, zip_longest
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock, fence
from markdown_it.token import Token
from mdit_py_plugins.admon import admon_plugin
from mdit_py_plugins.deflist import deflist_plugin
from mdit_py_plugins.footnote import footnote_plugin

from notesearch.markdown import note_syntax
from notesearch.markdown.bounds import BLOCKS, CELLS, Check, never_cancel
from notesearch.markdown.note_syntax import begin_of, line_of, push_inline, push_paragraph

NESTING_LIMIT = 100

OVER = "over"
"""Key of the environment: the line at which the text has reached too many blocks."""

_CHECK = "check"
_UNCLOSED = "unclosed"
"""Key of the environment: an unclosed fence, the end of its text, and the line where it begins."""

INTERRUPTED = ["paragraph", "reference", "blockquote", "list"]
"""Kinds of blocks that end where a block of one of the rules here begins."""

_PARAGRAPH = 3
"""Tokens of a paragraph. A definition of a link counts as this many, although it has no token."""

_TAB = re.compile(r"===[!+]?[ \t]+([\"'])([^\n]*)\1[ \t]*")
_TAB_INDENT = 4
_SHORTCODE_LINES = 30

_DIRECTIVE = re.compile(
    r"(`{3,}|~{3,})[ \t]*(?:\{([a-z][\w:-]*)\}|ad-([a-z][\w-]*))[ \t]*([^`\n]*)"
)
_OPTION = re.compile(r":[\w-]+:(?:[ \t]|$)")
_OPTIONS = re.compile(r"\A(?::[\w-]+:(?:[ \t][^\n]*)?(?:\n|\Z))+")
_ADMONITION_OPTION = re.compile(r"(title|collapse|icon|color|metadata):[ \t]*(.*)")
_DIRECTIVES_OF_TEXT = frozenset(
    "note tip hint important warning caution attention danger error seealso admonition todo"
    " versionadded versionchanged deprecated dropdown details margin sidebar aside topic epigraph"
    " pull-quote highlights rubric card grid grid-item grid-item-card tab-set tab-item glossary"
    " figure exercise solution".split()
)
"""Directives of MyST that hold Markdown; others hold code."""

UNTITLED = frozenset("glossary figure grid grid-item tab-set".split())
"""Directives whose argument is not a title."""


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
    """Return ``tokens`` with blocks of HTML in parts: their headings, and what is between them.

    A heading inside another element names the note or a page of HTML, as in ``<div><h1>``. Behind
    a heading of Markdown it is part of an example or a box, and no heading of the note.
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
    """Yield the headings of a block of HTML, and the parts between them.

    ``nested`` says whether headings inside its elements count.
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
    parser.use(note_syntax.obsidian)
    parser.block.ruler.before("fence", "formula", _formula, {"alt": INTERRUPTED})
    parser.block.ruler.before("fence", "tab", tab, {"alt": INTERRUPTED})
    parser.use(foreign_blocks)
    parser.block.ruler.before("fence", "code_title", code_title)  # after the directives
    parser.block.ruler.before("table", "check", _check, {"alt": [*INTERRUPTED, "table"]})
    return parser


def _check(state: StateBlock, start: int, end: int, silent: bool) -> bool:
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
        push_paragraph(state, start, end, state.getLines(start, end, state.blkIndent, False))
        state.line = end
    return True


def _formula(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Read a formula between ``$$`` as a code block; else ``=`` would make its lines a heading."""
    position = begin_of(state, start)
    if not state.src.startswith("$$", position) or state.is_code_block(start):
        return False
    if start < state.env.get("no_formula_before", 0):
        return False
    if line_of(state, start).count("$$") > 1:
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


_CODE_TITLE = re.compile(
    r"(?<=[ \t{,])(?:title|filename|file|caption)[=:][ \t]*(?:\"([^\"\n]+)\"|'([^'\n]+)')"
    r"|(?<=[ \t])\[([^\[\]\n]+)\][ \t]*$"
)


def code_title(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Read the title after the opening fence of a code block as a paragraph above the block.

    This is the syntax of Docusaurus and others, such as ``title="a.py"``.
    """
    line = line_of(state, start)
    if silent or line[:3] not in {"```", "~~~"}:
        return False
    titled = _CODE_TITLE.search(line)
    count = len(state.tokens)
    if titled is None or not fence(state, start, end, False):
        return False
    code = state.tokens[count:]
    del state.tokens[count:]
    push_paragraph(state, start, start + 1, f"`` {titled[1] or titled[2] or titled[3]} ``")
    state.tokens += code
    return True


def directive(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Read the text of a directive as Markdown, below its title or its kind.

    It is a fence of MyST, such as ```` ```{note} Title ````, or Obsidian's ``ad-note``.
    """
    line = line_of(state, start)
    if line[:3] not in {"```", "~~~"} or state.is_code_block(start):
        return False
    head = _DIRECTIVE.fullmatch(line)
    text = _DIRECTIVES_OF_TEXT
    if not head or not (head[3] or head[2] in text or head[2].startswith(("prf:", "proof:"))):
        return False
    if silent:
        return True
    closing = _closing_fence(state, start, end, head[1])
    title = head[4].strip()
    if head[3]:
        first = start + 1
        title = ""
        while first < closing and (option := _ADMONITION_OPTION.fullmatch(line_of(state, first))):
            first += 1
            if option[1] == "title":
                title = option[2]
    else:
        first = after_options(state, start + 1, closing)
    kind = head[3] or head[2].rpartition(":")[2]
    title = "" if kind in UNTITLED else title or kind.capitalize()
    push_container(state, start, closing, kind, title, first)
    state.line = min(closing + 1, end)
    return True


def _closing_fence(state: StateBlock, start: int, end: int, fence: str) -> int:
    """Return the line that closes the directive with ``fence``; ``end`` if none does."""
    *known, since = state.env.get(_UNCLOSED, (None, None, None))
    if known == [fence, end] and start >= since:
        return end
    for closing in range(start + 1, end):
        line = line_of(state, closing)
        if line.startswith(fence) and not line.strip("`~ \t"):
            return closing
    state.env[_UNCLOSED] = (fence, end, start)
    return end


def without_options(content: str, info: str) -> str:
    """Return the ``content`` of a code block with its options, as in MyST, made empty lines."""
    if not info.lstrip().startswith("{"):
        return content
    return _OPTIONS.sub(lambda lines: "\n" * lines[0].count("\n"), content)


def after_options(state: StateBlock, first: int, end: int) -> int:
    """Return the first line from ``first`` to ``end`` that is not an option of a directive."""
    while first < end and _OPTION.match(line_of(state, first)):
        first += 1
    return first


def push_container(
    state: StateBlock, start: int, end: int, kind: str, title: str, first: int
) -> None:
    """Add a block with a ``title``, if not empty, and Markdown from ``first`` to ``end``."""
    opened = state.push("container_open", "blockquote", 1)
    opened.info, opened.map = kind, [start, end]
    if title:
        push_paragraph(state, start, start + 1, title)
        state.tokens[-3].attrs = {"class": "callout-title"}
    outer_end = state.lineMax
    outer_parent = state.parentType
    state.lineMax = end
    state.parentType = "container"
    state.md.block.tokenize(state, first, end)
    state.lineMax = outer_end
    state.parentType = outer_parent
    state.push("container_close", "blockquote", -1)


def foreign_blocks(parser: MarkdownIt) -> None:
    """Let ``parser`` read blocks of other programs, as MyST, Pandoc, Notion and Hugo have them."""
    parser.use(deflist_plugin)
    parser.block.ruler.before("fence", "directive", directive, {"alt": INTERRUPTED})
    parser.block.ruler.before("table", "grid_table", _grid_table, {"alt": INTERRUPTED})
    parser.block.ruler.before("html_block", "aside", _aside, {"alt": INTERRUPTED})
    parser.block.ruler.before("fence", "listing", _listing, {"alt": INTERRUPTED})
    parser.block.ruler.before("blockquote", "shortcode", _shortcode, {"alt": INTERRUPTED})
    parser.block.ruler.before("paragraph", "line_block", _line_block)  # after tables


_GRID_RULE = re.compile(r"\+(?:[-=:]{2,}\+)+")
_ITEM = re.compile(r"[-*+] |\d+[.)] ")


def _grid_table(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Read a table of Pandoc: rows of several lines each, with ``+---+`` between them."""
    rule = line_of(state, start).rstrip()
    if not _GRID_RULE.fullmatch(rule) or state.is_code_block(start):
        return False
    rules = [start]
    line = start + 1
    while line < end and line_of(state, line).rstrip()[-1:] in {"|", "+"}:
        if _GRID_RULE.fullmatch(line_of(state, line).rstrip()):
            rules.append(line)
        line += 1
    if len(rules) == 1:
        return False
    if not silent:
        state.line = rules[-1] + 1
        state.push("table_open", "table", 1).map = [start, state.line]
        for above, below in pairwise(rules):
            is_head = above == start and "=" in line_of(state, below)
            _push_row(state, above + 1, below, "th" if is_head else "td")
        state.push("table_close", "table", -1)
    return True


def _push_row(state: StateBlock, start: int, end: int, tag: str) -> None:
    rows = (line_of(state, line).strip().strip("|+").split("|") for line in range(start, end))
    cells = list(zip_longest(*rows, fillvalue=""))
    state.push("tr_open", "tr", 1).map = [start, end]
    for cell in cells:
        state.push(f"{tag}_open", tag, 1)
        lines = (f"\\\n{line}" if _ITEM.match(line) else line for line in map(str.strip, cell))
        push_inline(state, start, end, "\n".join(lines).strip("\\\n"))
        state.push(f"{tag}_close", tag, -1)
    state.push("tr_close", "tr", -1)


_VERSE = re.compile(r"\|(?: +([^|]*))?")
"""A line of a poem or an address, as Pandoc writes it."""


def _line_block(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Read consecutive lines that begin with ``|`` as a paragraph that keeps its line breaks."""
    last = start
    verses: list[str] = []
    while last < end and (verse := _VERSE.fullmatch(line_of(state, last).rstrip())):
        verses.append(verse[1] or "")
        last += 1
    if len(verses) < 2:
        return False
    if not silent:
        push_paragraph(state, start, last, "\\\n".join(verses))
        state.line = last
    return True


def _aside(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    is_aside = line_of(state, start).strip() == "<aside>"
    if not is_aside or start + 1 >= end or state.is_code_block(start):
        return False
    if not silent:
        token = state.push("html_block", "", 0)
        token.content, token.map = "<aside>\n", [start, start + 1]
        state.line = start + 1
    return True


_LISTING = re.compile(
    r"(?:\{\{[<%]|\{%-?)[ \t]*(?:highlight|codeblock)(?![\w/])"
    r"(?:[^\n}]*\blang:|[ \t]*)[\"']?(?P<language>[\w+#-]*)[^\n}]*\}{1,2}[ \t]*"
)
_LISTING_END = re.compile(
    r"^[ \t]*(?:\{\{[<%][ \t]*/[ \t]*highlight|\{%-?[ \t]*end(?:highlight|codeblock))\b[^\n]*$",
    re.MULTILINE,
)
_NEXT_END = "next_end"
"""Key of the environment: the next end of a listing, so that it is looked for once; or None."""


def _listing(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Read the code between ``{% highlight ruby %}`` and its end, as Jekyll, Hugo and Hexo do."""
    line = line_of(state, start)
    opened = _LISTING.fullmatch(line) if line.startswith("{") else None
    if not opened or state.is_code_block(start):
        return False
    first = state.eMarks[start]
    if _NEXT_END not in state.env or (
        state.env[_NEXT_END] and state.env[_NEXT_END].start() < first
    ):
        state.env[_NEXT_END] = _LISTING_END.search(state.src, first)
    closed = state.env[_NEXT_END]
    if not closed or closed.start() > state.eMarks[end - 1]:
        return False
    last = start + state.src.count("\n", first, closed.start())
    if not silent:
        token = state.push("fence", "code", 0)
        token.info = opened["language"]
        token.content = state.getLines(start + 1, last, state.sCount[start], True)
        token.map = [start, last + 1]
        state.line = last + 1
    return True


def _shortcode(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Read ``{{<`` up to a line ``>}}`` as a paragraph; else that line would be a quote."""
    if not line_of(state, start).startswith("{{<") or state.is_code_block(start):
        return False
    below = range(start, min(end, start + _SHORTCODE_LINES))
    last = next((line for line in below if ">}}" in line_of(state, line)), None)
    if last is None or last == start or not line_of(state, last).startswith(">}}"):
        return False
    if not silent:
        push_paragraph(
            state, start, last + 1, state.getLines(start, last + 1, state.blkIndent, False)
        )
        state.line = last + 1
    return True


def tab(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Read a tab of MkDocs, ``=== "Title"`` with indented text; tabs are one below the other."""
    title = _TAB.fullmatch(line_of(state, start))
    if title is None or state.is_code_block(start):
        return False
    if not silent:
        outer_indent = state.blkIndent
        state.blkIndent += _TAB_INDENT
        after = start + 1
        while after < end and (state.isEmpty(after) or state.sCount[after] >= state.blkIndent):
            after += 1
        push_container(state, start, after, "details", title[2], start + 1)
        state.blkIndent = outer_indent
        state.line = after
    return True
