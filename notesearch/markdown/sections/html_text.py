"""The words that HTML in a note shows: blocks of HTML, and tags in a line of Markdown."""

import re
from html import unescape

_TAG = re.compile(
    r"""<(?:/([A-Za-z][A-Za-z0-9-]*)\s*
    |([A-Za-z][A-Za-z0-9-]*)
     ((?:\s++[A-Za-z_:@#][\w.:-]*+(?:\s*+=\s*+(?:[^\s"'=<>`]++|'[^'<]*+'|"[^"<]*+"))?+)*+)
     \s*+/?)>""",
    re.VERBOSE,
)
_BLOCK_TAG = re.compile(r"""<[/!]?([A-Za-z][\w.:-]*)((?:[^<>"']|"[^"<]*+"|'[^'<]*+')*+)>""")
_ALT = re.compile(r"""\balt=(?:"([^"<>]*)"|'([^'<>]*)')""")
_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_UNREADABLE = re.compile(r"<(script|style)\b[^<>]*>", re.IGNORECASE)

_INSIDE_WORDS = frozenset(
    "a abbr b bdi bdo big cite code data del dfn em font i ins kbd mark nobr q rp rt ruby s samp"
    " small span strike strong sub sup time tt u var wbr".split()
)
_HTML_ELEMENTS = frozenset(
    "address area article aside audio blockquote body br button canvas caption center col colgroup"
    " dd details dialog div dl dt embed figcaption figure footer form h1 h2 h3 h4 h5 h6 head header"
    " hr html iframe input label legend li link main map meta nav noscript object ol optgroup"
    " option p param picture pre progress script section select source style summary svg table"
    " tbody td template textarea tfoot th thead tr track ul video".split()
)


def plain_html(source: str) -> str:
    """Return the text of an HTML block, line by line, without comments, scripts and styles."""
    text = cut(source, "<!--", "-->").replace("<!--", "")
    text = _BLOCK_TAG.sub(_block_tag_text, _without_unreadable(text))
    lines = (" ".join(line.split()) for line in characters(text).split("\n"))
    return "\n".join(line for line in lines if line)


def without_tags(text: str) -> str:
    """Return a line of Markdown without its HTML tags and comments."""
    if "<!--" in text:
        text = cut(text, "<!--", "-->").replace("<!--", "")
    return _TAG.sub(_tag_text, text)


def with_bare_tags(text: str) -> str:
    """Return a line of Markdown with each HTML tag reduced to its closing ``>``."""
    return _TAG.sub(">", text)


def characters(text: str) -> str:
    """Replace entities by their characters."""
    return _ENTITY.sub(_character, text) if "&" in text else text


def cut(text: str, start: str, end: str) -> str:
    """Remove all text from each ``start`` to the next ``end``, if there is one."""
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


def _character(entity: re.Match[str]) -> str:
    return unescape(entity[0]).replace("\0", "")


def _without_unreadable(text: str) -> str:
    """Return HTML without the content of scripts and style sheets."""
    pieces: list[str] = []
    position = 0
    lowered = text.lower()
    while (match := _UNREADABLE.search(text, position)) is not None:
        closed = lowered.find(f"</{match[1].lower()}", match.end())
        if closed < 0:
            break
        pieces.append(text[position : match.start()])
        position = closed
    pieces.append(text[position:])
    return "".join(pieces)


def _block_tag_text(match: re.Match[str]) -> str:
    name = match[1].lower()
    if name == "img":
        return _alt_text(match[2])
    return "" if name in _INSIDE_WORDS else " "


def _tag_text(match: re.Match[str]) -> str:
    """Return the text to show for a tag in a line.

    Keep an unknown tag without attributes: ``List<String>`` is rarely meant as HTML.
    """
    name = (match[1] or match[2]).lower()
    if name == "img":
        return _alt_text(match[3] or "")
    if name in _INSIDE_WORDS or match[3]:
        return ""
    return " " if name in _HTML_ELEMENTS else match[0]


def _alt_text(attributes: str) -> str:
    alt = _ALT.search(attributes)
    return (alt[1] or alt[2] or "") if alt else ""
