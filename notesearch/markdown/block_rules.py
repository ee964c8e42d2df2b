"""Rules of markdown-it for the blocks of notes that CommonMark lacks, or reads otherwise.

They are comments, conflicts of Git, tables, and blocks of MyST, Pandoc, Notion, Hugo and MkDocs. A
function with the argument ``silent`` is a rule: it reads a block at a line, and returns whether it
found the block. If ``silent``, it adds no token.
"""

import re
from collections.abc import Callable, Iterable
from functools import partial
from itertools import pairwise, zip_longest
from typing import NamedTuple

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock, fence, lheading, table
from markdown_it.token import Token
from mdit_py_plugins.deflist import deflist_plugin

from notesearch.markdown.sections.html_text import HTML_ELEMENTS
from notesearch.markdown.sections.inline_metadata import hashtags
from notesearch.markdown.sections.inline_syntax import COMMENTS, blanked
from notesearch.notes import BLOCK_ANCHOR

INTERRUPTED = ["paragraph", "reference", "blockquote", "list"]
"""Kinds of blocks that end where a block of one of the rules here begins."""


def note_blocks(parser: MarkdownIt) -> None:
    """Let ``parser`` read blocks by the rules of this module, except formulas."""
    parser.use(deflist_plugin)
    for block in _ENCLOSED:
        _add_enclosed(parser, block)
    for before, name, rule in (
        ("fence", "conflict", _conflict),
        ("fence", "tab", _tab),
        ("fence", "directive", _directive),
        ("table", "grid_table", _grid_table),
        ("html_block", "tags", _tags),
    ):
        parser.block.ruler.before(before, name, rule, {"alt": INTERRUPTED})
    parser.block.ruler.before("fence", "code_title", _code_title)
    parser.block.ruler.before("paragraph", "line_block", _line_block)
    parser.block.ruler.before("table", "table_end", _table_end, {"alt": ["blockquote"]})
    parser.block.ruler.at("lheading", _underlined)
    parser.block.ruler.at("table", _table, {"alt": ["paragraph", "reference"]})


def formula_block(parser: MarkdownIt) -> None:
    """Let ``parser`` read a formula as code; else ``=`` would make its lines a heading."""
    _add_enclosed(parser, _FORMULA)


def _add_enclosed(parser: MarkdownIt, block: "_Enclosed") -> None:
    rule = partial(_enclosed, block)
    parser.block.ruler.before("fence", block.name, rule, {"alt": INTERRUPTED})


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


class _Enclosed(NamedTuple):
    """A block from a line that begins with ``opening`` to the ``closing`` at the end of a line.

    The next match of ``closing`` ends the block only if it has the group ``end``. ``write`` adds
    the tokens for the lines from the first to the last one.
    """

    name: str
    opening: re.Pattern[str]
    closing: re.Pattern[str]
    write: Callable[[StateBlock, int, int, re.Match[str]], None]


def _hide(*_: object) -> None:
    pass


def _write_paragraph(state: StateBlock, start: int, last: int, _: re.Match[str]) -> None:
    lines = state.getLines(start, last + 1, state.blkIndent, False)
    push_paragraph(state, start, last + 1, lines)


def _write_code(state: StateBlock, start: int, last: int, _: re.Match[str]) -> None:
    token = state.push("code_block", "code", 0)
    token.content = state.getLines(start, last + 1, state.blkIndent, True)
    token.map = [start, last + 1]


def _write_listing(state: StateBlock, start: int, last: int, opened: re.Match[str]) -> None:
    token = state.push("fence", "code", 0)
    token.info = opened["language"]
    token.content = state.getLines(start + 1, last, state.sCount[start], True)
    token.map = [start, last + 1]


_ENCLOSED = (
    *(
        _Enclosed(
            f"comment {opening}",
            re.compile(re.escape(opening)),
            re.compile(rf"{re.escape(closing)}(?P<end>[ \t]*$)?", re.MULTILINE),
            _hide,
        )
        for opening, closing in {"%%": "%%", **COMMENTS}.items()
    ),
    _Enclosed("template", re.compile("<%"), re.compile(r"(?m)%>(?P<end>[ \t]*$)?"), _write_code),
    _Enclosed(  # of Jekyll, Hugo and Hexo: {% highlight ruby %}
        "listing",
        re.compile(
            r"(?:\{\{[<%]|\{%-?)[ \t]*(?:highlight|codeblock)(?![\w/])"
            r"(?:[^\n}]*\blang:|[ \t]*)[\"']?(?P<language>[\w+#-]*)[^\n}]*\}{1,2}[ \t]*$",
            re.MULTILINE,
        ),
        re.compile(
            r"^[ \t]*(?P<end>\{\{[<%][ \t]*/[ \t]*highlight"
            r"|\{%-?[ \t]*end(?:highlight|codeblock))\b[^\n]*$",
            re.MULTILINE,
        ),
        _write_listing,
    ),
    _Enclosed(  # else a line ">}}" would be a quote
        "shortcode",
        re.compile(r"\{\{<"),
        re.compile(r"(?P<end>^[ \t]*)?>\}\}[^\n]*$", re.MULTILINE),
        _write_paragraph,
    ),
)
"""Blocks that may contain empty lines."""

_FORMULA = _Enclosed(
    "formula",
    re.compile(r"\$\$(?![^\n]*\$\$)[^\n]*"),
    re.compile(r"(?P<end>\$\$)[ \t]*$|^[> \t]*$", re.MULTILINE),
    _write_code,
)


def _enclosed(block: _Enclosed, state: StateBlock, start: int, end: int, silent: bool) -> bool:
    opened = block.opening.match(state.src, begin_of(state, start))
    if opened is None or state.is_code_block(start):
        return False
    closed = _next(state, block.closing, opened.end())
    if closed is None or closed["end"] is None or closed.end() > state.eMarks[end - 1]:
        return False
    last = start + state.src.count("\n", opened.start(), closed.end())
    lines = range(start, last + 1)
    if any(state.sCount[at] < state.blkIndent and not state.isEmpty(at) for at in lines):
        return False  # the list item around it has ended
    if not silent:
        block.write(state, start, last, opened)
        state.line = last + 1
    return True


def _next(state: StateBlock, pattern: re.Pattern[str], at: int) -> re.Match[str] | None:
    """Return the next match; each is looked for only once, because many may have no end."""
    looked_from: int
    found: re.Match[str] | None
    looked_from, found = state.env.get(pattern.pattern, (at + 1, None))
    if at < looked_from or (found and found.start() < at):
        found = pattern.search(state.src, at)
        state.env[pattern.pattern] = at, found
    return found


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
    """Read a heading that is underlined by a line, except in a Git conflict, table or properties.

    Tags above a line are no heading: Bear puts them below the title of a note. The end of a mail,
    above the line of its signature, is no heading, either.
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
    for (start, end), _ in reversed([*hashtags(text)]):
        text = text[:start] + text[end:]
    return not text.strip()


_NAME_OF_BLOCK = re.compile(rf"(?:{BLOCK_ANCHOR}|\{{:?[ \t]*[.#][^{{}}]*\}})[ \t]*")


def _table_end(state: StateBlock, start: int, _: int, silent: bool) -> bool:
    """End a table or a quote at its name, such as ``^id`` or ``{: .wide}``; it is not a row."""
    return silent and _NAME_OF_BLOCK.fullmatch(line_of(state, start)) is not None


_LINKED = re.compile(r"\[\[[^\[\]\n]{0,1000}\]\]")
_CELL_END = re.compile(r"(?<!\\)\|")
_RULE = re.compile(r"(?!-\s)[-|:][-|:\s]*")
_RULE_CELL = re.compile(r"[ \t]*:?-+:?[ \t]*")
NO_CELL_END = "\ufdd0"
"""Stands for a ``|`` that separates no cells while a table is read. No text has this character."""


def _table(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Read a table without losing a word: ``|`` in links, and too many ``|``, separate no cells."""
    last = start + 1
    if last >= end or not _RULE.fullmatch(state.src, begin_of(state, last), state.eMarks[last]):
        return False  # nearly every line of a note
    while last < end and not (state.isEmpty(last) or state.is_code_block(last)):
        if state.sCount[last] < state.blkIndent:
            break
        last += 1
    lines = whole_cells([line_of(state, at) for at in range(start, last)], [(0, last - start)])
    inner = StateBlock("\n".join(lines), state.md, state.env, [])
    is_indented = state.is_code_block(start)
    if is_indented or NO_CELL_END not in inner.src or not table(inner, 0, inner.lineMax, silent):
        return table(state, start, end, silent)
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
    """Return ``line`` with ``NO_CELL_END`` for each ``|`` in links; in code only if needed.

    That is needed if the row would otherwise have more than ``columns`` cells.
    """
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


_TAB = re.compile(r"===[!+]?[ \t]+([\"'])([^\n]*)\1[ \t]*")
_TAB_INDENT = 4
_DIRECTIVE = re.compile(
    r"(?P<fence>`{3,}|~{3,})[ \t]*(?:\{(?P<myst>[a-z][\w:-]*)\}|ad-(?P<obsidian>[a-z][\w-]*))"
    r"[ \t]*(?P<title>[^`\n]*)"
)
_OPTIONS = re.compile(
    r"(?::[\w-]+:(?:[ \t][^\n]*)?(?:\n|\Z))*(?:---[ \t]*\n(?:[^\n]*\n){1,30}?---[ \t]*(?:\n|\Z))?"
)
"""The options of a directive: lines such as ``:name: x``, or YAML between two lines ``---``."""

_OPTION_LINES = 60
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


def _code_title(state: StateBlock, start: int, end: int, silent: bool) -> bool:
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
    head = _DIRECTIVE.fullmatch(state.src, begin_of(state, start), state.eMarks[start])
    if head is None or state.is_code_block(start):
        return False
    obsidian = head["obsidian"]
    family, _, kind = (head["myst"] or "").rpartition(":")
    is_text = obsidian or kind in _DIRECTIVES_OF_TEXT or family in {"prf", "proof"}
    is_known = bool(is_text or kind in PICTURES)
    if silent or not is_known:
        return is_known
    fence_end = re.compile(rf"^[> \t]*{head['fence']}[`~ \t]*$", re.MULTILINE)
    closed = _next(state, fence_end, state.eMarks[start])
    lines = state.src.count("\n", head.start(), closed.start()) if closed else end
    closing = min(start + lines, end)
    title = head["title"].strip()
    if kind in PICTURES:
        push_picture(state, start, closing, title)
    else:
        first = start + 1
        if obsidian:
            title = ""
            while first < closing and (
                option := _ADMONITION_OPTION.fullmatch(line_of(state, first))
            ):
                first += 1
                title = option[2] if option[1] == "title" else title
        else:
            first = after_options(state, first, closing)
        shown = "" if kind in UNTITLED else title or (obsidian or kind).capitalize()
        push_container(state, start, closing, obsidian or kind, shown, first)
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


def without_options(content: str, info: str) -> str:
    """Return the ``content`` of a code block with an empty line for each of its options (MyST)."""
    if info.strip() == "column-settings":
        return "\n" * content.count("\n")
    if not info.lstrip().startswith("{"):
        return content
    return _OPTIONS.sub(lambda lines: "\n" * lines[0].count("\n"), content, count=1)


def after_options(state: StateBlock, first: int, end: int) -> int:
    """Return the first line from ``first`` to ``end`` that is not an option of a directive."""
    lines = (line_of(state, line) for line in range(first, min(end, first + _OPTION_LINES)))
    options = _OPTIONS.match("".join(f"{line}\n" for line in lines))
    return first + options[0].count("\n") if options else first


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


def _tab(state: StateBlock, start: int, end: int, silent: bool) -> bool:
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
