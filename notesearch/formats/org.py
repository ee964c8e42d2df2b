"""Turns Org into Markdown, line by line: headings, properties, links, blocks and emphasis."""

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from notesearch.formats.markdown_writing import (
    LIST_ITEM,
    dedented,
    front_matter,
    literal,
    literal_block,
)
from notesearch.notes import BLOCK_ID

if TYPE_CHECKING:
    from orgparse.node import OrgNode

_DEEPEST = 6
_KEYWORD = re.compile(r"[ \t]*#\+(\w[\w-]*):[ \t]*(.*?)[ \t]*", re.ASCII)
_DRAWER = re.compile(r"[ \t]*:([\w-]+):[ \t]*")
_PROPERTY = re.compile(r"[ \t]*:([\w-]+)\+?:[ \t]+(.*?)[ \t]*")
_COMMENT = re.compile(r"[ \t]*#(?:[ \t].*)?")
_BLOCK = re.compile(r"[ \t]*#\+(begin|end)_(\w+)[ \t]*([\w+-]*).*", re.IGNORECASE)
_TABLE_RULE = re.compile(r"[ \t]*\|-[-+|]*[ \t]*")
_DRAWERS = frozenset(("PROPERTIES", "LOGBOOK", "RESULTS"))
"""Drawers whose names are hidden. Their text is shown, except for logs and empty properties."""

_LOGGED = re.compile(
    r"[ \t]*(?:CLOCK:|- (?:State|Rescheduled|New deadline|Removed deadline|Not scheduled|Refiled) )"
)
_PLANNING = re.compile(r"[ \t]*(?:SCHEDULED|DEADLINE|CLOSED):")
_LINK = re.compile(r"\[\[([^\]\[\n]{1,2000})\](?:\[([^\]\n]{1,2000})\])?\]")
_RULE = re.compile(r"[ \t]*-{5,}[ \t]*")
_FIXED = re.compile(r"[ \t]*:(?: (.*))?")
"""A line that is shown as it is."""

_TICKS = re.compile(r"`{3,}")
_ANY_TICKS = re.compile(r"`+")
_FOOTNOTE_TEXT = re.compile(r"^\[fn:([\w-]+)\][ \t]*")
_FOOTNOTE_WITHIN = re.compile(r"\[fn:[\w-]*:[ \t]*([^\[\]\n]+)\]")
_FOOTNOTE = re.compile(r"\[fn:([\w-]+)\]")
_SNIPPET = re.compile(r"@@[\w-]+:[^\n@]*@@")
"""Code of another format within a line."""

_TARGET = re.compile(r"<<(?!<)[^<>\n]+>>[ \t]?")
"""The target of a link within the file; it is not shown."""

_MARKED = re.compile(
    r"(?P<before>^|[\s\-({'\"])(?P<mark>[*/_=~+])(?P<text>\S|\S[^\n]{0,500}?\S)(?P=mark)"
    r"(?=$|[\s\-.,:;!?'\")}\[])"
)
_MARKS = {"*": "**", "/": "*", "_": "", "+": "~~", "=": "`", "~": "`"}
_IS_BLOCK_ID = re.compile(BLOCK_ID).fullmatch
_FENCED = {"src", "example", "export", "verbatim"}
_CODE = {*_FENCED, "comment"}
"""Blocks whose lines are not Org syntax. The lines of a comment are not shown."""

_AROUND_LINES = {"quote": ("> ", ""), "verse": ("", "  ")}
"""The texts to put before and after each line of a block, by the name of the block."""

_ALIAS = re.compile(r'"([^"]+)"|(\S+)')
_NAMES = {"filetags": "tags", "roam_aliases": "aliases", "roam_tags": "tags"}
_SETTING = re.compile(
    r"options|startup|setupfile|include|(?:seq_|typ_)?todo|macro|bind|(?:exclude|select)_tags"
    r"|export_.*|(?:latex|html|texinfo|beamer|md|odt|reveal|attr)_.*|columns|link|archive"
    r"|priorities|tags|constants|results|headers?|name|call|tblfm|plot|bibliography|cite_export"
    r"|print_.*|toc|index|header-args.*",
    re.IGNORECASE,
)
"""Keywords with instructions for programs; the other keywords of a file are its properties."""


def to_markdown(text: str) -> str:
    """Return the Markdown of an Org text, with the same number of lines."""
    import orgparse

    lines = text.split("\n")
    root = orgparse.loadi(lines)  # its own lines also end at form feeds, as in Emacs
    headings = {node.linenumber - 1: node for node in root[1:]}
    first = min(headings, default=len(lines))
    top = _top(lines[:first])
    shown = [*_front(lines[:top]), *dedented(_body(lines, top, headings))]
    return "\n".join(shown)


def _top(lines: Sequence[str]) -> int:
    drawer = False
    for number, line in enumerate(lines):
        opening = _DRAWER.fullmatch(line)
        if drawer:
            drawer = not (opening and opening[1].upper() == "END")
        elif opening and opening[1].upper() == "PROPERTIES":
            drawer = True
        elif line.strip() and not (_KEYWORD.fullmatch(line) or _COMMENT.fullmatch(line)):
            return number
    return len(lines)


def _front(lines: Sequence[str]) -> list[str]:
    values: dict[str, str | list[str]] = {}
    for line in lines:
        keyword = _KEYWORD.fullmatch(line)
        found = keyword or _PROPERTY.fullmatch(line)
        if not found:
            continue
        key, value = found.groups()
        if keyword and key.lower() == "property":
            key, _, value = value.partition(" ")
        if key and not _SETTING.fullmatch(key):
            _add(values, key.removesuffix("+"), value.strip())
    matter = front_matter(values)
    if len(matter) > len(lines):  # front matter does not fit: write properties as Logseq does
        matter = [f"{key}:: {_joined(value)}" for key, value in values.items()]
        return [*matter, *[""] * len(lines)][: len(lines)]
    return [*matter[:-1], *[""] * (len(lines) - len(matter)), *matter[-1:]]


def _add(values: dict[str, str | list[str]], key: str, value: str) -> None:
    key = key.lower()
    name = _NAMES.get(key, key)
    if name == "tags":
        words = re.split(r"[:\s]+", value)
        values[name] = [*values.get(name, ()), *filter(None, words)]
    elif name == "aliases":
        values[name] = [quoted or word for quoted, word in _ALIAS.findall(value)]
    elif value:
        values[name] = value


def _joined(value: str | list[str]) -> str:
    return value if isinstance(value, str) else ", ".join(value)


def _body(lines: Sequence[str], top: int, headings: "dict[int, OrgNode]") -> Iterator[str]:
    block = ""
    drawer = ""
    column = 0
    ticks = (len(found) for line in lines for found in _TICKS.findall(line))
    fence = "`" * max(3, 1 + max(ticks, default=0))
    for number in range(top, len(lines)):
        line = lines[number]
        node = headings.get(number)
        ends = _BLOCK.fullmatch(line)
        if node is not None:
            block = drawer = ""
            yield _heading(node)
        elif ends:
            block = ends[2].lower() if ends[1].lower() == "begin" else ""
            language = ends[3] if block == "src" else ""
            yield f"{fence}{language}" if ends[2].lower() in _FENCED else ""
        elif block == "comment":
            yield ""
        elif block in _CODE:
            yield line.removeprefix(",")
        elif _DRAWER.fullmatch(line):
            name = line.strip(" \t:").upper()
            is_mark = name in _DRAWERS or (drawer and name == "END")
            drawer = "" if name == "END" else name
            yield "" if is_mark else _line(line, lines[number - 1])
        elif drawer == "PROPERTIES":
            yield _property(line)
        elif drawer == "LOGBOOK" and _LOGGED.match(line):
            yield ""
        else:
            before, after = _AROUND_LINES.get(block, ("", ""))
            column = _text_column(line, column)
            shown = _line(line, lines[number - 1])
            if column and line.lstrip().startswith("|"):
                shown = " " * column + shown.lstrip()
            yield f"{before}{shown}{after if line.strip() else ''}"


def _text_column(line: str, above: int) -> int:
    """Return the column where the text of the list item around ``line`` begins; 0 without an item.

    A table directly below an item counts as part of the item; otherwise, Markdown would read the
    table as the item's text. ``above`` is the column of the line above.
    """
    item = LIST_ITEM.match(line)
    if item:
        return item.end()
    return above if line.strip() else 0


def _heading(node: "OrgNode") -> str:
    words = [node.get_heading("raw").strip()]
    box = ""
    if node.priority:
        words.insert(0, f"[#{node.priority}]")
    if node.todo:
        is_done = node.todo in node.env.done_keys
        known = {"DONE", "CANCELED", "CANCELLED"} if is_done else {"TODO", "WAITING", "WAIT"}
        words.insert(0, node.todo)
        if node.todo not in {*known, "DOING", "STARTED"}:
            box = "[x] " if is_done else "[ ] "
    tags = (f"#{tag}" if tag.isidentifier() else f"#[[{tag}]]" for tag in sorted(node.shallow_tags))
    return " ".join(["#" * min(node.level, _DEEPEST), f"{box}{_inline(' '.join(words))}", *tags])


def _property(line: str) -> str:
    found = _PROPERTY.fullmatch(line)
    if not found:
        return ""
    key = found[1].lower()
    value = literal(found[2], for_notes=True)
    if key == "id" and not _IS_BLOCK_ID(value):
        key = "uid"  # the preview and the index do not show it
    return f"{key}:: {value}  "


def _line(line: str, above: str) -> str:
    if _RULE.fullmatch(line):
        return "***"
    keyword = _KEYWORD.fullmatch(line)
    if keyword and keyword[1].lower() == "caption":
        line = keyword[2]
    elif keyword or _COMMENT.fullmatch(line):
        return ""
    fixed = _FIXED.fullmatch(line)
    if fixed:
        shown = (fixed[1] or "").strip()
        ticks = "`" * (1 + max(map(len, _ANY_TICKS.findall(shown)), default=0))
        return f"{ticks} {shown} {ticks}  " if shown else ""
    if _TABLE_RULE.fullmatch(line):
        return line.replace("+", "|")
    if _PLANNING.match(line):
        return re.sub(r"[<>\[\]]", "", line) + "  "
    line = _FOOTNOTE_TEXT.sub(r"[^\1]: ", line)
    return _inline(line) if "|" in line else literal_block(_inline(line), above)


def _inline(line: str) -> str:
    pieces: list[str] = []
    end = 0
    for link in _LINK.finditer(line):
        pieces += [_marked(line[end : link.start()]), _link(link[1], link[2] or "")]
        end = link.end()
    return "".join([*pieces, _marked(line[end:])])


def _marked(text: str) -> str:
    text = _FOOTNOTE_WITHIN.sub(r" (\1)", text)
    text = _TARGET.sub("", _FOOTNOTE.sub(r"[^\1]", _SNIPPET.sub("", text)))
    return _MARKED.sub(_as_markdown, text).replace("<", "\\<")


def _as_markdown(found: re.Match[str]) -> str:
    mark = _MARKS[found["mark"]]
    return f"{found['before']}{mark}{found['text']}{mark}"


def _link(target: str, words: str) -> str:
    kind, colon, rest = target.partition(":")
    if kind in {"http", "https", "mailto", "doi"} and colon:
        return f"[{literal(words)}](<{target}>)" if words else f"<{target}>"
    if kind in {"id", "denote"} and colon:
        target = rest
    elif (kind == "file" and colon) or "::" in target:
        path, _, heading = target.removeprefix("file:").partition("::")
        target = f"{path}#{heading.lstrip('*#')}" if heading else path
    elif not colon and not re.search(r"\.\w{1,5}$", target):
        target = f"#{target.lstrip('*#')}"
    is_picture = re.search(r"\.(?:png|jpe?g|gif|svg|webp)$", target, re.IGNORECASE)
    if is_picture and not words:
        return f"![[{target}]]"
    return f"[[{target}|{words}]]" if words else f"[[{target}]]"
