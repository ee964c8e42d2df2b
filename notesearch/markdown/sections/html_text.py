"""Finds the words a reader sees in HTML, as a block of its own or within a line of Markdown.

In a sentence, ``<source file>`` is text that looks like a tag.
"""

import re
from collections.abc import Collection
from functools import partial
from html import unescape

from notesearch.markdown.sections.inline_syntax import cut, replaced, single_spaced

HTML_TAG = re.compile(
    r"""<(?:/(?P<closed>[A-Za-z][A-Za-z0-9-]*)\s*
    |(?P<opened>[A-Za-z][A-Za-z0-9-]*)
     (?P<attributes>(?:\s++[A-Za-z_:@#][\w.:-]*+(?:\s*+=\s*+(?:'[^'<]*+'|"[^"<]*+"
       |(?:[^\s"'=<>`{]|\{[^{}<>]*+(?:\{[^{}<>]*+\}[^{}<>]*+)*\})+))?)*)
     \s*+/?)>""",
    re.VERBOSE,
)
COMPONENT = re.compile(
    r"""</?[A-Za-z][\w-]*+(?:\s++[:@#A-Za-z][\w.:-]*+(?:\s*+=\s*+(?:"[^"<]*+"|'[^'<]*+'))?)+\s*+/?>"""
)
"""A tag that may have attributes such as Vue's ``@click="save"``, which HTML does not have."""

_BLOCK_TAG = re.compile(
    r"""<[/!]?(?!\w+://)([A-Za-z][\w.:-]*)((?:[^<>"']|"[^"<]*+"|'[^'<]*+')*)>"""
)
_CLOSED = re.compile(r"</([A-Za-z][\w.:-]*)")
_COMPONENT_TEXT = re.compile(
    r"""(?<![\w:-])(?:sub)?(?:title|label|caption|header|heading|description|summary)
    \s*=\s*(?:"([^"<>]*)"|'([^'<>]*)')""",
    re.VERBOSE,
)
"""The attributes whose text a component such as ``<Card title="…">`` shows."""

_RUBY = re.compile(r"<ruby\b[^<>]*>(.{1,1000}?)</ruby>", re.DOTALL | re.IGNORECASE)
_READING = re.compile(
    r"<(?:rp\b[^<>]*>[^<]*(?:</rp>)?|rt\b[^<>]*>([^<]*)(?:</rt>)?)", re.IGNORECASE
)
"""A word with its reading above it, such as ``<ruby>東<rt>とう</rt>京<rt>きょう</rt></ruby>``."""

_ALT = re.compile(r"""\balt\s*=\s*(?:"([^"<>]*)"|'([^'<>]*)')""", re.IGNORECASE)
_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_UNREADABLE = re.compile(r"<(script|style)\b[^<>]*>", re.IGNORECASE)
_INSIDE_WORDS = frozenset(
    "a abbr b bdi bdo big cite code data del dfn em font i ins kbd mark nobr q rp rt ruby s samp"
    " small span strike strong sub sup time tt u var wbr".split()
)
HTML_ELEMENTS = _INSIDE_WORDS | frozenset(
    "address applet area article aside audio base basefont blink blockquote body br button canvas"
    " caption center col colgroup dd details dialog div dl dt embed fieldset figcaption figure"
    " footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html iframe input label"
    " legend li link main map marquee math menu meta meter nav noembed noframes noscript object ol"
    " optgroup option output p param picture plaintext pre progress rp rt script search section"
    " select slot source style summary svg table tbody td template textarea tfoot th thead title tr"
    " track ul video xmp".split()
)
_ALONE = frozenset(
    "align allowfullscreen alt async autofocus autoplay border checked class clear compact"
    " controls default defer disabled download draggable grid hidden inert ismap itemscope loop"
    " markdown multiple muted nomodule noshade novalidate nowrap open playsinline popover readonly"
    " required reversed scoped selected setup".split()
)
"""Attributes that HTML elements have without a value."""

_OFTEN_OPEN = frozenset(
    "br hr wbr p li dt dd rt rp tr td th thead tbody tfoot colgroup option optgroup a abbr b bdi"
    " bdo big del dfn em i ins kbd nobr q s samp small span strike strong sub sup tt u".split()
)
"""HTML elements that authors often leave without an end tag, and that have no attributes: elements
that need no end tag, and formats of letters."""

_EMPTY = frozenset("area base col embed img input link meta param source track".split())
"""HTML elements that have no content, and so mean nothing without attributes."""


def plain_html(source: str) -> list[str]:
    """Return the text of each line of HTML, without comments, scripts and styles."""
    text = cut(source, "<!--", "-->").replace("<!--", "")
    text = replaced(_RUBY, _word_and_reading, text.replace("</a><a ", "</a> <a "))
    text = without_content(_UNREADABLE, text)
    closed = closed_tags(text)
    text = replaced(_BLOCK_TAG, partial(_block_tag_text, closed), text)
    return single_spaced(with_characters(text))


def without_tags(text: str) -> str:
    """Return a line or paragraph without HTML tags and comments; placeholders stay."""
    if "<!--" in text:
        text = cut(text, "<!--", "-->").replace("<!--", "")
    text = replaced(_RUBY, _word_and_reading, text.replace("</a><a ", "</a> <a "))
    tags = list(HTML_TAG.finditer(text))
    paired = {tag["closed"] for tag in tags} & {tag["opened"] for tag in tags}
    return replaced(HTML_TAG, partial(_tag_text, paired), text) if tags else text


def _word_and_reading(ruby: re.Match[str]) -> str:
    reading = "".join(_READING.findall(ruby[1]))
    return f"{_READING.sub('', ruby[1]).strip()}({reading})"


def with_characters(text: str) -> str:
    """Return ``text`` with characters in place of entities such as ``&amp;``."""
    if "&" not in text:
        return text
    return _ENTITY.sub(lambda entity: unescape(entity[0]).replace("\0", ""), text)


def without_content(elements: re.Pattern[str], source: str) -> str:
    """Return HTML without ``elements`` and their content; elements without an end tag stay.

    ``elements`` matches an opening tag, with the name in its first group.
    """
    pieces: list[str] = []
    position = at = 0
    without_end: set[str] = set()
    while (opened := elements.search(source, at)) is not None:
        at = opened.end()
        name = opened[1].lower()
        end = re.compile(f"</{re.escape(name)}", re.IGNORECASE)
        closed = None if name in without_end else end.search(source, at)
        if closed is None:
            without_end.add(name)
            continue
        lines = source.count("\n", opened.start(), closed.start())
        pieces += source[position : opened.start()], "\n" * lines
        position = at = closed.start()
    pieces.append(source[position:])
    return "".join(pieces)


def closed_tags(source: str) -> Collection[str]:
    """Return the names of the HTML tags that ``source`` closes."""
    return set(_CLOSED.findall(source))


def _block_tag_text(closed: Collection[str], match: re.Match[str]) -> str:
    name = match[1].lower()
    if name == "img":
        return alt_text(match[2])
    is_opened = match[0][1] not in "/!" and match[1] not in closed
    if is_opened and is_placeholder(match[1], match[2], is_block=True):
        return match[0]
    text = component_text(match[1], match[2], is_block=True)
    if text:
        return f" {text} "
    return "" if name in _INSIDE_WORDS else " "


def _tag_text(paired: Collection[str], match: re.Match[str]) -> str:
    """Return the text to show for an HTML tag in a line; an unknown tag without its pair stays."""
    tag = match[0]
    closed, opened, attributes = match.group("closed", "opened", "attributes")
    name = closed or opened
    if name.lower() == "img":
        return alt_text(attributes or "")
    if opened and opened not in paired and is_placeholder(opened, tag[len(opened) + 1 : -1]):
        return tag
    if name.lower() in _INSIDE_WORDS or attributes:
        text = component_text(opened, attributes) if attributes else ""
        return f"{text} " if text else ""
    is_component_end = closed and closed[0].isupper()
    if name.lower() in HTML_ELEMENTS or is_component_end:
        return " "
    return "" if name in paired else tag


def is_placeholder(name: str, attributes: str, *, is_block: bool = False) -> bool:
    """Return whether ``<name attributes>`` without an end tag is text that looks like a tag.

    In a sentence, ``<source file>`` and ``<output>`` are text; ``<details open>`` and ``<br>`` are
    tags. The caller decides on unknown names without attributes.
    """
    words = attributes.strip()
    is_element = name.lower() in HTML_ELEMENTS
    if not words:
        return name.lower() in (_EMPTY if is_block else HTML_ELEMENTS - _OFTEN_OPEN)
    if "=" in words or "/" in words:
        return False
    if is_element:
        said = words.lower().split()
        return not is_block and all(map(str.isalpha, said)) and _ALONE.isdisjoint(said)
    if words[0] in ":@#":  # a directive of Vue belongs to a component
        return name.islower() and "-" not in name
    return not is_block or name[0].islower() or not words[0].islower()


def component_text(name: str, attributes: str, *, is_block: bool = False) -> str:
    """Return the texts that a component such as ``<TabItem label="…">`` shows.

    The title of a link in a sentence is a tooltip, as in HTML.
    """
    is_link = "href" in attributes and not is_block
    if not name[:1].isupper() or name.lower() in HTML_ELEMENTS or is_link:
        return ""
    texts = (one or other for one, other in _COMPONENT_TEXT.findall(attributes))
    return ". ".join(unescape(text) for text in texts if text.strip())


def alt_text(attributes: str) -> str:
    """Return the text that stands for a picture, in the attributes of its tag; or empty."""
    alt = _ALT.search(attributes)
    return (alt[1] or alt[2] or "") if alt else ""
