"""Reads blocks of other programs, such as MyST, Pandoc, Notion, Hugo and MkDocs.

A function with the argument ``silent`` is a rule of markdown-it: it reads a block at a line, and
returns whether it found the block. If ``silent``, it adds no token.
"""

import re
from itertools import pairwise, zip_longest

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock, fence
from markdown_it.token import Token
from mdit_py_plugins.deflist import deflist_plugin

from notesearch.markdown.block_rules import line_of, push_inline, push_paragraph
from notesearch.markdown.sections.html_text import HTML_ELEMENTS

_UNCLOSED = "unclosed"
"""Key of the environment: an unclosed fence, the end of its text, and the line where it begins."""

INTERRUPTED = ["paragraph", "reference", "blockquote", "list"]
"""Kinds of blocks that end where a block of one of the rules here begins."""

_TAB = re.compile(r"===[!+]?[ \t]+([\"'])([^\n]*)\1[ \t]*")
_TAB_INDENT = 4
_SHORTCODE_LINES = _YAML_LINES = 30
_DIRECTIVE = re.compile(
    r"(`{3,}|~{3,})[ \t]*(?:\{([a-z][\w:-]*)\}|ad-([a-z][\w-]*))[ \t]*([^`\n]*)"
)
_OPTION = re.compile(r":[\w-]+:(?:[ \t]|$)")
_OPTIONS = re.compile(
    r"\A(?:(?::[\w-]+:(?:[ \t][^\n]*)?(?:\n|\Z))+|---\n(?:[\w-]+:[^\n]*\n){1,30}---(?:\n|\Z))"
)
_ADMONITION_OPTION = re.compile(r"(title|collapse|icon|color|metadata):[ \t]*(.*)")
_DIRECTIVES_OF_TEXT = frozenset(
    "note tip hint important warning caution attention danger error seealso admonition todo"
    " versionadded versionchanged deprecated dropdown details margin sidebar aside topic epigraph"
    " pull-quote highlights rubric card grid grid-item grid-item-card tab-set tab-item glossary"
    " exercise solution".split()
)
"""Directives of MyST that hold Markdown; others hold code."""

UNTITLED = frozenset("glossary grid grid-item tab-set".split())
"""Directives whose argument is not a title."""

PICTURES = frozenset({"figure", "image"})
"""Directives whose argument is the address of a picture."""

_ALT = re.compile(r":?alt:[ \t]+([^\[\]\n]*)")

_CODE_TITLE = re.compile(
    r"(?<=[ \t{,])(?:title|filename|file|caption)[=:][ \t]*"
    r"(?:\"([^\"\n]+)\"|'([^'\n]+)'|(?<=:)([^\s\"'{}]+))|(?<=[ \t])\[([^\[\]\n]+)\][ \t]*$"
)


def code_title(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Read the title after the opening fence of a code block as a paragraph above the block.

    This is the syntax of Docusaurus and others, such as ``title="a.py"`` or ``title:a.py``.
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
    push_paragraph(state, start, start + 1, f"`` {titled[titled.lastindex or 0]} ``")
    state.tokens += code
    return True


def _directive(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Read the text of a directive as Markdown, below its title or its kind.

    It is a fence of MyST, such as ```` ```{note} Title ````, or Obsidian's ``ad-note``.
    """
    line = line_of(state, start)
    if line[:3] not in {"```", "~~~"} or state.is_code_block(start):
        return False
    head = _DIRECTIVE.fullmatch(line)
    text = _DIRECTIVES_OF_TEXT
    is_picture = head and head[2] in PICTURES
    is_text = head and (head[3] or head[2] in text or head[2].startswith(("prf:", "proof:")))
    if head is None or not (is_picture or is_text):
        return False
    if silent:
        return True
    closing = _closing_fence(state, start, end, head[1])
    title = head[4].strip()
    if is_picture:
        push_picture(state, start, closing, title)
        state.line = min(closing + 1, end)
        return True
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


def push_picture(state: StateBlock, start: int, end: int, address: str) -> None:
    """Add the picture of a directive from ``start`` to ``end``, and its caption as Markdown.

    Without an ``address``, pictures and their links stand in the caption.
    """
    first = after_options(state, start + 1, end)
    options = (_ALT.fullmatch(line_of(state, line)) for line in range(start + 1, first))
    words = next((option[1] for option in options if option), "")
    opened = len(state.tokens)
    picture = f"![{words}](<{address}>)" if address else words
    push_container(state, start, end, "", picture, first)
    unbox(state.tokens[opened], state.tokens[-1])
    if picture:
        state.tokens[opened + 1].attrs = {}


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
    """Return the ``content`` of a code block with an empty line for each of its options (MyST)."""
    if info.strip() == "column-settings":
        return "\n" * content.count("\n")
    if not info.lstrip().startswith("{"):
        return content
    return _OPTIONS.sub(lambda lines: "\n" * lines[0].count("\n"), content)


def after_options(state: StateBlock, first: int, end: int) -> int:
    """Return the first line from ``first`` to ``end`` that is not an option of a directive.

    Options are lines such as ``:name: x``, or YAML between two lines ``---``.
    """
    while first < end and _OPTION.match(line_of(state, first)):
        first += 1
    if first < end and line_of(state, first).rstrip() == "---":
        below = range(first + 1, min(end, first + _YAML_LINES))
        closing = (line for line in below if line_of(state, line).rstrip() == "---")
        first = next(closing, first - 1) + 1
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


def unbox(opened: Token, closed: Token) -> None:
    """Show the contents of a container without a box."""
    opened.type, closed.type = "layout_open", "layout_close"
    opened.tag = closed.tag = "div"


def foreign_blocks(parser: MarkdownIt) -> None:
    """Let ``parser`` read blocks of other programs, as MyST, Pandoc, Notion and Hugo have them."""
    parser.use(deflist_plugin)
    parser.block.ruler.before("fence", "directive", _directive, {"alt": INTERRUPTED})
    parser.block.ruler.before("table", "grid_table", _grid_table, {"alt": INTERRUPTED})
    parser.block.ruler.before("html_block", "tags", _tags, {"alt": INTERRUPTED})
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


_BRACES = r"\{(?:[^{}]|\{[^{}]*\})*\}"
_TAGS = re.compile(
    rf"(?:</?[A-Z][\w.]*(?:[\s/](?:[^<>\"'{{}}]|\"[^\"]*\"|'[^']*'|{_BRACES})*)?>\s*)+|<aside>"
)
_NAME = re.compile(r"</?([A-Z][\w.]*)")
_TAG_LINES = 30


def _tags(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Read lines of nothing but tags of MDX as HTML, and so the lines below as Markdown.

    MDX writes ``<TabItem label="…">``, perhaps on several lines, and Notion ``<aside>``. In
    CommonMark, a block of HTML would extend to an empty line.
    """
    source = line_of(state, start).strip()
    if source[:1] != "<" or state.is_code_block(start):
        return False
    last = start
    while not _TAGS.fullmatch(source):
        last += 1
        may_be_tag = _NAME.match(source) and last < min(end, start + _TAG_LINES)
        if not may_be_tag or line_of(state, last)[:1] in {"", "<"}:
            return False
        source += "\n" + line_of(state, last)
    is_html = any(name.lower() in HTML_ELEMENTS for name in _NAME.findall(source))
    if is_html or (silent and source[:2] != "</" and "=" not in source):
        return False
    if not silent:
        token = state.push("html_block", "", 0)
        token.content = re.sub(rf"\s[\w-]+={_BRACES}", "", source) + "\n"
        token.map = [start, last + 1]
        state.line = last + 1
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
"""Key of the environment: the next end of a listing, or None; each is searched for only once."""


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
