"""Markdown inline source -> the words a reader sees, by regular expressions in linear time.

The inline parser of markdown-it builds a tree that searching has no use for and takes ten times
as long. What is taken away here is syntax that certainly is syntax: a lone ``*`` or ``[`` stays.
"""

import re
from collections.abc import Callable, Collection, Iterator
from html import unescape

_SPECIAL = re.compile(r"[\\`*_\[\]<&~=%^\0]|:::")
_GUARDED = re.compile(r"\\([!-/:-@\[-`{-~])|`+")
_GUARD = re.compile("\0(\\d+)\0")
_RUN = re.compile(r"`+")
_WIKILINK = re.compile(r"!?\[\[([^\[\]|\n]*)(?:\|([^\[\]\n]*))?\]\]")
_SIZE = re.compile(r"\|?\d+(?:x\d+)?\Z")
_FOOTNOTE = re.compile(r"\[\^[^\s\[\]]{1,200}\]:?")
_CALLOUT = re.compile(r"\A\[!([\w-]+)(?:\|[^\[\]\n]*)?\][+-]?[ \t]*(?=(\S?))")
_CONTAINER = re.compile(r"^:{3,}[ \t]*", re.MULTILINE)
_AUTOLINK = re.compile(r"<([A-Za-z][A-Za-z0-9+.-]{1,31}:[^\s<>]*|[^\s<>@]+@[^\s<>@]+)>")
_TAG = re.compile(r"<(/?)([A-Za-z][A-Za-z0-9-]*)((?:[\s/][^<>]*)?)>")
_ALT = re.compile(r"""\balt=(?:"([^"<>]*)"|'([^'<>]*)')""")
_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_BLOCK_ID = re.compile(r"(?:^|[ \t])\^[A-Za-z0-9-]+\s*\Z")
_DELIMITER = re.compile(r"\*+|_+|~~+|==+")
_BRACKET = re.compile(
    r"""!?\[|\](?:
        (\([ \t\n]*+(?:<[^<>\n]*+>|[^\s()<>]*+(?:\([^\s()]*+\)[^\s()<>]*+)*+)  # destination
            (?:\s++(?:"[^"]*+"|'[^']*+'|\([^()]*+\)))?\s*+\))                  # its title
        |\[([^\[\]]*+)\])?""",
    re.VERBOSE,
)
_HASHTAG = re.compile(r"(?<!\S)#((?:[\w/-]|[\u2600-\u27bf\U0001f000-\U0001faff])+)")
_UNREAD = re.compile(r"<(script|style)\b[^<>]*>", re.IGNORECASE)

_HTML_ELEMENTS = frozenset(
    [
        "a",
        "abbr",
        "address",
        "article",
        "aside",
        "audio",
        "b",
        "bdi",
        "bdo",
        "big",
        "blockquote",
        "body",
        "br",
        "button",
        "canvas",
        "caption",
        "center",
        "cite",
        "code",
        "col",
        "colgroup",
        "dd",
        "del",
        "details",
        "dfn",
        "dialog",
        "div",
        "dl",
        "dt",
        "em",
        "embed",
        "figcaption",
        "figure",
        "font",
        "footer",
        "form",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "head",
        "header",
        "hr",
        "html",
        "i",
        "iframe",
        "img",
        "input",
        "ins",
        "kbd",
        "label",
        "legend",
        "li",
        "link",
        "main",
        "map",
        "mark",
        "meta",
        "nav",
        "nobr",
        "noscript",
        "object",
        "ol",
        "optgroup",
        "option",
        "p",
        "param",
        "picture",
        "pre",
        "progress",
        "q",
        "rp",
        "rt",
        "ruby",
        "s",
        "samp",
        "script",
        "section",
        "select",
        "small",
        "source",
        "span",
        "strike",
        "strong",
        "style",
        "sub",
        "summary",
        "sup",
        "svg",
        "table",
        "tbody",
        "td",
        "template",
        "textarea",
        "tfoot",
        "th",
        "thead",
        "time",
        "tr",
        "track",
        "tt",
        "u",
        "ul",
        "var",
        "video",
        "wbr",
    ]
)


def plain(source: str, references: Collection[str] = ()) -> str:
    """Return the visible words of a paragraph, list item or cell, on one line.

    Args:
        source: Inline Markdown.
        references: Normalised labels of the note's link reference definitions.
    """
    if _SPECIAL.search(source) is None:
        return _one_line(source)
    kept: list[str] = []
    text = _guard(source.replace("\0", "\ufffd").replace("\\\n", "\n"), kept)
    if "%%" in text:
        text = _cut(text, "%%", "%%")
    if "[" in text:
        text = _without_links(text, references)
    if "<" in text:
        text = _without_html(text)
    if ":::" in text:
        text = _CONTAINER.sub("", text)
    if "^" in text:
        text = _BLOCK_ID.sub("", text)
    if _DELIMITER.search(text):
        text = _without_emphasis(text)
    if "&" in text:
        text = _ENTITY.sub(_character, text)
    if kept:
        text = _GUARD.sub(lambda match: kept[int(match[1])], text)
    return _one_line(text)


def plain_heading(source: str, references: Collection[str] = ()) -> str:
    """Return the visible words of a heading; ``{#custom-id}`` and the like at its end are none."""
    if source.endswith("}"):
        start = source.rfind("{")
        if source[start + 1 :].lstrip().startswith(("#", ".", ":")):
            source = source[:start]
    return plain(source, references)


def plain_html(source: str) -> str:
    """Return the text of an HTML block, line by line, without comments, scripts and styles."""
    text = _cut(source, "<!--", "-->")
    text = _AUTOLINK.sub(r"\1", _TAG.sub(_tag_text, _without_unread(text)))
    if "&" in text:
        text = _ENTITY.sub(_character, text)
    lines = (" ".join(line.split()) for line in text.split("\n"))
    return "\n".join(line for line in lines if line)


def inline_tags(source: str) -> Iterator[str]:
    """Yield the ``#tags`` in inline Markdown, without ``#``; those inside code are none."""
    if "`" in source or "\\" in source:
        source = _guard(source, [])
    for match in _HASHTAG.finditer(source):
        tag = match[1].strip("/")
        if not tag.replace("/", "").isdigit():
            yield tag


def _one_line(text: str) -> str:
    if "\n" in text:
        return " ".join(line.strip() for line in text.split("\n")).strip()
    return text.strip()


def _character(entity: re.Match[str]) -> str:
    return unescape(entity[0]).replace("\0", "")


def _guard(text: str, kept: list[str]) -> str:
    """Move code spans and escaped characters to ``kept`` and mark their places."""
    if "`" not in text and "\\" not in text:
        return text
    closing = _closing_runs(text)
    pieces: list[str] = []
    position = 0
    while (match := _GUARDED.search(text, position)) is not None:
        pieces.append(text[position : match.start()])
        position = match.end()
        if match[1] is not None:
            literal = match[1]
        else:
            end = closing(len(match[0]), position)
            if end < 0:
                pieces.append(match[0])
                continue
            literal = text[position:end].replace("\n", " ")
            if literal.startswith(" ") and literal.endswith(" ") and literal.strip():
                literal = literal[1:-1]
            position = end + len(match[0])
        pieces.append(f"\0{len(kept)}\0")
        kept.append(literal)
    pieces.append(text[position:])
    return "".join(pieces)


def _closing_runs(text: str) -> Callable[[int, int], int]:
    """Return a function: the next run of exactly n backticks from a position on, or -1."""
    starts: dict[int, list[int]] = {}
    for run in _RUN.finditer(text):
        starts.setdefault(run.end() - run.start(), []).append(run.start())
    for runs in starts.values():
        runs.reverse()

    def closing(length: int, position: int) -> int:
        runs = starts.get(length, [])
        while runs and runs[-1] < position:
            runs.pop()
        return runs[-1] if runs else -1

    return closing


def _cut(text: str, start: str, end: str) -> str:
    """Remove everything from each ``start`` to the next ``end``; an unclosed one hides nothing."""
    pieces: list[str] = []
    position = 0
    while (opened := text.find(start, position)) >= 0:
        closed = text.find(end, opened + len(start))
        if closed < 0:
            break
        pieces.append(text[position:opened])
        position = closed + len(end)
    pieces.append(text[position:])
    return "".join(pieces)


def _without_links(text: str, references: Collection[str]) -> str:
    if "[[" in text:
        text = _WIKILINK.sub(_wikilink_text, text)
    if "[!" in text:
        text = _CALLOUT.sub(lambda match: "" if match[2] else match[1], text)
    if "[^" in text:
        text = _FOOTNOTE.sub("", text)
    return _without_brackets(text, references) if "]" in text else text


def _wikilink_text(match: re.Match[str]) -> str:
    target, alias = match[1], match[2]
    if alias and not _SIZE.match(alias):
        return alias
    return " ".join(target.replace("#", " ").replace(" ^", " ").split())


def _without_brackets(text: str, references: Collection[str]) -> str:
    """Keep the text of links and images, and brackets that are neither."""
    pieces: list[str] = []
    opened: list[tuple[int, int]] = []
    position = 0
    for match in _BRACKET.finditer(text):
        pieces.append(text[position : match.start()])
        position = match.end()
        if match[0].endswith("["):
            opened.append((len(pieces), position))
            pieces.append(match[0])
        elif not opened:
            pieces.append(match[0])
        else:
            piece, start = opened.pop()
            if match[1] is not None or _is_reference(
                text[start : match.start()], match, references
            ):
                if pieces[piece] == "![":
                    pieces[-1] = _SIZE.sub("", pieces[-1]) if "|" in pieces[-1] else pieces[-1]
                pieces[piece] = ""
            else:
                pieces.append(match[0])
    pieces.append(text[position:])
    return "".join(pieces)


def _is_reference(text: str, closing: re.Match[str], references: Collection[str]) -> bool:
    if not references:
        return False
    label = closing[2] or text[:1000]
    return " ".join(label.split()).lower().upper() in references


def _without_html(text: str) -> str:
    if "<!--" in text:
        text = _cut(text, "<!--", "-->").replace("<!--", "")
    return _TAG.sub(_tag_text, _AUTOLINK.sub(r"\1", text))


def _without_unread(text: str) -> str:
    pieces: list[str] = []
    position = 0
    lowered = text.lower()
    while (match := _UNREAD.search(text, position)) is not None:
        closed = lowered.find(f"</{match[1].lower()}", match.end())
        if closed < 0:
            break
        pieces.append(text[position : match.start()])
        position = closed
    pieces.append(text[position:])
    return "".join(pieces)


def _tag_text(match: re.Match[str]) -> str:
    """Return what a tag shows: an image its alt text, unknown ``<T>`` without attributes itself."""
    name = match[2].lower()
    if name == "img":
        alt = _ALT.search(match[3])
        return (alt[1] or alt[2] or "") if alt else ""
    if name in ("br", "hr", "td", "th", "li", "p", "div", "tr", "summary"):
        return " "
    if name in _HTML_ELEMENTS or match[3].strip() or "-" in name:
        return ""
    return match[0]


def _without_emphasis(text: str) -> str:
    """Remove the delimiters of emphasis, strike-through and highlight where they pair up."""
    removed: list[tuple[int, int]] = []
    openers: dict[str, list[list[int]]] = {}
    for match in _DELIMITER.finditer(text):
        start, end = match.span()
        kind = text[start]
        opens, closes = _flanks(kind, text[start - 1 : start], text[end : end + 1])
        if closes:
            stack = openers.get(kind)
            while stack and start < end:
                opener = stack[-1]
                count = min(opener[1] - opener[0], end - start)
                removed += [(opener[1] - count, opener[1]), (start, start + count)]
                opener[1] -= count
                start += count
                if opener[0] == opener[1]:
                    stack.pop()
        if opens and start < end:
            openers.setdefault(kind, []).append([start, end])
    if not removed:
        return text
    pieces: list[str] = []
    position = 0
    for start, end in sorted(removed):
        pieces.append(text[position:start])
        position = end
    pieces.append(text[position:])
    return "".join(pieces)


def _flanks(kind: str, before: str, after: str) -> tuple[bool, bool]:
    opens = bool(after) and not after.isspace()
    closes = bool(before) and not before.isspace()
    if kind == "*" or not (opens and closes):
        return opens, closes
    if kind == "_":
        return opens and not before.isalnum(), closes and not after.isalnum()
    return (
        opens and not (before.isascii() and before.isalnum()),
        closes and not (after.isascii() and after.isalnum()),
    )
