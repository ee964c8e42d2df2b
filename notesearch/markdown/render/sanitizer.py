"""Sanitises all HTML of the preview by an explicit allowlist.

Before that, a plugin of the Markdown parser tidies the raw HTML in notes: it keeps harmless tags,
drops comments and scripts, and shows other tags as text. A colour of text or of a highlight becomes
one of a few names. The theme decides how each looks, so that it can be read on a dark ground, too.
"""

import html
import re
from collections.abc import Collection, Mapping, Sequence
from colorsys import hls_to_rgb, rgb_to_hls
from functools import cache

import nh3
from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from markdown_it.utils import EnvType

from notesearch.markdown.sections.html_text import (
    COMPONENT,
    HTML_ELEMENTS,
    closed_tags,
    component_text,
    is_placeholder,
    without_content,
)

_TAGS = (
    "a b blockquote br cite code dd del dfn div dl dt em h1 h2 h3 h4 h5 h6 hr i img input ins kbd"
    " li mark ol p pre q s samp small span strike strong sub sup table tbody td th thead tr u ul"
    " var"
)
SCHEMES = frozenset({"http", "https", "mailto", "note", "image"})

_COLOUR_NAMES = {
    "red": "red crimson maroon tomato salmon",
    "orange": "orange brown coral",
    "yellow": "yellow gold",
    "green": "green lime olive teal",
    "blue": "blue aqua cyan navy",
    "purple": "purple indigo violet",
    "pink": "pink fuchsia magenta",
    "grey": "grey gray silver",
}
COLOURS = list(_COLOUR_NAMES)
_HUE_ENDS = (15, 45, 70, 170, 255, 290, 345)
"""The hue, in degrees, at which the range of each colour but grey ends."""
_GREY = 0.12
"""Saturation below which a colour is grey."""
_EXTREME = 0.15
"""Distance in lightness from black and from white within which a grey is no colour."""
_TEXT_COLOUR = re.compile(r"(?<![\w-])color\s*:\s*([^;]{1,40})", re.IGNORECASE)
_GROUND = re.compile(r"(?<![\w-])background(?:-color)?\s*:\s*([^;]{1,40})", re.IGNORECASE)
_HIGHLIGHTR = re.compile(r"\bhltr-([a-z]{1,12})", re.IGNORECASE)
_HEX = re.compile(r"#([0-9a-f]{3,8})")
_FUNCTION = re.compile(
    r"(rgb|hsl)a?\(\s*(-?\d{1,4})(?:\.\d*)?(?:deg)?[\s,]+(\d{1,3})[^\s,]*[\s,]+(\d{1,3})"
)

_HEADING = {"id", "align"}
_CELL = {"style", "align", "colspan", "rowspan"}
_ATTRIBUTES = {
    "a": {"href"},
    "img": {"src", "alt", "title", "width"},
    "input": {"type", "checked"},
    "ol": {"start", "type"},
    "td": _CELL,
    "th": _CELL,
    "p": {"align"},
    "div": {"id", "align"},
    "code": {"class"},
    **{f"h{level}": _HEADING for level in range(1, 7)},
}
_COLOURED = {*COLOURS, *(f"mark-{colour}" for colour in COLOURS)}
_CLASSES = {
    "span": _COLOURED,
    "mark": _COLOURED,
    "a": {"embed", "block"},
    "blockquote": {"callout", "note", "tip", "warning", "danger", "quiet"},
    "p": {"callout-title", "caption"},
    "div": {"footnote", "math"},
    "var": {"math", "tag"},
    "li": {"task"},
    "input": {"open", "done", "cancelled", "started"},
}
_STYLES = {"text-align"}

MAX_TAGS = 1000
"""Raw tags kept in one section; sanitising is quadratic in their depth."""

_PIECE = re.compile(
    r"<!--.*?(?:-->|$)"
    r"|<(?P<slash>/?)(?!\w+://)(?P<name>[a-z][a-z0-9:-]*)(?P<attributes>(?:[^<>\"']|\"[^\"]*\"|'[^']*')*)>"
    r"|<",
    re.IGNORECASE | re.DOTALL,
)
_HIDDEN = re.compile(
    r"<(script|style|iframe|object|embed|noscript|svg|math|head|title|select|textarea)\b[^<>]*>",
    re.IGNORECASE,
)
"""Elements whose content is not shown."""

_PLAYER = re.compile(
    r"<(?:iframe|embed|video|audio|source)\b[^<>]*?\ssrc=([\"'])"
    r"(?P<address>(?P<name>https?://[^\"'<>\s]+)|(?!//)(?:[^\"'<>:]*/)?(?P<file>[^\"'<>:/]+))\1[^<>]*>",
    re.IGNORECASE,
)
"""A page, film or sound within a note; the preview shows a link to it instead."""

_CODE = re.compile("`([^`]+)`")
_TAG_NAME = re.compile(r"<(/?)([A-Za-z][\w.:-]*)")
_LINK = r'<a href="\g<address>">\g<name>\g<file></a>'
_ATTRIBUTE = re.compile(r"([a-z][a-z-]*)\s*=\s*(\"[^\"]*\"|'[^']*'|[^\s\"'>]+)", re.IGNORECASE)
_ALTERNATIVE = re.compile(r"\salt=(?:\"[^\"]*\"|'[^']*')", re.IGNORECASE)
_TEXT_ALIGN = re.compile(r"\btext-align\s*:\s*(left|right|center)\b", re.IGNORECASE)

_KEPT = frozenset(_TAGS.split()) - {"input"}
_KEPT_ATTRIBUTES = frozenset("href src alt width start type align colspan rowspan".split())
_VOID = frozenset({"br", "hr", "img"})
_SELF_CLOSED = re.compile(r"(?:^|[\s\"'])/\s*$")
_INLINE_COLOURED = frozenset({"span", "font", "mark"})
_BLOCKS = frozenset("p div li td th h1 h2 h3 h4 h5 h6".split())
_DIVISIONS = "section article header footer main aside nav figure fieldset form".split()
_SHOWN_AS = {
    "center": ("<div align=center>", "</div>"),
    "rt": ("<sup>", "</sup>"),  # the pronunciation of the letters before it
    "details": ('<blockquote class="callout quiet">', "</blockquote>"),
    "summary": ("<p class=callout-title>", "</p>"),
    **dict.fromkeys(("figcaption", "caption"), ("<p class=caption>", "</p>")),
    **dict.fromkeys(_DIVISIONS, ("<div>", "</div>")),
}
"""The start tag and the end tag that replace an element's own."""


def clean(unsafe: str) -> str:
    """Return ``unsafe`` with only allowed tags, attributes and schemes, balanced."""
    return _cleaner().clean(unsafe)


@cache
def _cleaner() -> nh3.Cleaner:
    return nh3.Cleaner(
        tags=set(_TAGS.split()),
        clean_content_tags=set("script style title textarea noscript iframe svg math".split()),
        attributes=_ATTRIBUTES,
        allowed_classes=_CLASSES,
        filter_style_properties=_STYLES,
        url_schemes=set(SCHEMES),
        url_relative="pass_through",
        link_rel=None,
        strip_comments=True,
    )


def plugin(parser: MarkdownIt) -> None:
    """Make ``parser`` render the harmless part of raw HTML."""
    parser.core.ruler.push("html_pairs", _mark_pairs)
    parser.inline.ruler.before("html_inline", "component", _component)
    parser.add_render_rule("html_inline", _render_inline)
    parser.add_render_rule("html_block", _render_block)


def _component(state: StateInline, silent: bool) -> bool:
    """Read a tag with attributes that only Vue knows, such as ``@click``, as HTML."""
    found = COMPONENT.match(state.src, state.pos) if state.src[state.pos] == "<" else None
    if found is None or not re.search(r"\s[@#]", found[0]):
        return False
    if not silent:
        state.push("html_inline", "", 0).content = found[0]
    state.pos = found.end()
    return True


def _render_inline(_: object, tokens: Sequence[Token], at: int, __: object, env: EnvType) -> str:
    token = tokens[at]
    source = _PLAYER.sub(rf"{_LINK} \g<0>", token.content)
    return _harmless(source, env, closed=token.meta.get(_PAIRED, ()))


_PAIRED = "paired"
"""The key in ``Token.meta`` for the name of a tag that is opened and closed, and so surely HTML."""


def _mark_pairs(state: StateCore) -> None:
    for block in state.tokens:
        inline = [token for token in block.children or () if token.type == "html_inline"]
        tags = [(token, _TAG_NAME.match(token.content)) for token in inline]
        opened = {tag[2] for _, tag in tags if tag and not tag[1]}
        paired = opened & {tag[2] for _, tag in tags if tag and tag[1]}
        for token, tag in tags:
            if tag and tag[2] in paired:
                token.meta[_PAIRED] = (tag[2],)


def _render_block(_: object, tokens: Sequence[Token], at: int, __: object, env: EnvType) -> str:
    closed, end, rest = tokens[at].content.rpartition("-->")
    source = closed + end + rest.replace("<!--", "")  # an unclosed comment would hide all below it
    source = without_content(_HIDDEN, _PLAYER.sub(rf"<div>{_LINK}</div>\g<0>", source))
    if "<figcaption" in source:
        source = _ALTERNATIVE.sub("", source)  # the caption says it already
    return _harmless(source, env, closed=closed_tags(source), is_block=True) + "\n"


def _harmless(source: str, env: EnvType, *, closed: Collection[str], is_block: bool = False) -> str:
    """Return raw HTML with only tags that the sanitiser will keep.

    An unknown tag without attributes is shown as text, unless it is in a block or ``closed``.
    """

    def replace(piece: re.Match[str]) -> str:
        if piece["name"] is None:
            return "&lt;" if piece[0] == "<" else ""
        env["raw_tags"] = env.get("raw_tags", 0) + 1
        if env["raw_tags"] > MAX_TAGS:
            return html.escape(piece[0])
        is_closed = piece["name"] in closed
        return _tag(piece, is_block=is_block, is_closed=is_closed)

    return _PIECE.sub(replace, source)


def _tag(piece: re.Match[str], *, is_block: bool, is_closed: bool) -> str:
    name, slash = piece["name"].lower(), piece["slash"]
    if not (slash or is_closed) and is_placeholder(
        piece["name"], piece["attributes"], is_block=is_block
    ):
        return html.escape(piece[0])
    if name in _KEPT and name not in _VOID and _SELF_CLOSED.search(piece["attributes"]):
        return ""  # as Vue and MDX read it; HTML would take it for an opening tag
    found = _ATTRIBUTE.findall("" if slash else piece["attributes"])
    attributes = {key.lower(): value.strip("\"'") for key, value in found}
    coloured = _colour_classes(attributes)
    if name in _INLINE_COLOURED:
        kept = "span" if name == "font" else name
        return f'<{slash}{kept} class="{coloured}">' if coloured else f"<{slash}{kept}>"
    if name in _KEPT:
        opened = f"<{slash}{name}{_kept_attributes(name, attributes)}>"
        # The sanitiser closes the ``span`` with the block around it.
        return f'{opened}<span class="{coloured}">' if coloured and name in _BLOCKS else opened
    if name in _SHOWN_AS:
        return _SHOWN_AS[name][bool(slash)]
    is_component = is_block or is_closed or piece["attributes"].strip(" /\n\t")
    if name in HTML_ELEMENTS or is_component:
        label = component_text(piece["name"], piece["attributes"], is_block=is_block)
        shown = _CODE.sub(r"<code>\1</code>", html.escape(label))
        return f"<b>{shown}</b> " if label and not slash else ""
    return html.escape(piece[0])


def _kept_attributes(name: str, attributes: Mapping[str, str]) -> str:
    kept = _KEPT_ATTRIBUTES.intersection(_ATTRIBUTES.get(name, ()))
    pairs = {key: html.unescape(value) for key, value in attributes.items() if key in kept}
    side = _TEXT_ALIGN.search(attributes.get("style", ""))
    if side and "align" in _ATTRIBUTES.get(name, ()):
        pairs["align"] = side[1].lower()
    return "".join(f' {key}="{html.escape(value)}"' for key, value in pairs.items())


def _colour_classes(attributes: Mapping[str, str]) -> str:
    """Return the classes for the text colour and the highlight of a tag with these attributes."""
    style = attributes.get("style", "")
    text = _TEXT_COLOUR.search(style)
    ground = _GROUND.search(style) or _HIGHLIGHTR.search(attributes.get("class", ""))
    own = colour_name(text[1] if text else attributes.get("color", ""))
    behind = colour_name(ground[1]) if ground else ""
    return f"{own} {f'mark-{behind}' if behind else ''}".strip()


def colour_name(css: str) -> str:
    """Return one of ``COLOURS`` for a CSS colour; empty for black, white and any other text."""
    css = css.lower().replace("!important", "").strip()
    rgb = _red_green_blue(css)
    if rgb is None:
        named = (own for own, names in _COLOUR_NAMES.items() if css.endswith(tuple(names.split())))
        return next(named, "")
    hue, light, saturation = rgb_to_hls(*rgb)
    if saturation < _GREY or not 0.02 < light < 1:
        return "grey" if _EXTREME < light < 1 - _EXTREME else ""
    ends = zip(_HUE_ENDS, COLOURS, strict=False)
    return next((name for end, name in ends if hue * 360 < end), "red")


def _red_green_blue(css: str) -> tuple[float, float, float] | None:
    """Return the three parts of a colour, each from 0 to 1; None if ``css`` has no numbers."""
    found = _FUNCTION.match(css)
    if found:
        first, second, third = (int(number) for number in found.groups()[1:])
        if found[1] == "hsl":
            return hls_to_rgb(first / 360, min(1, third / 100), min(1, second / 100))
        return min(1, max(0, first) / 255), min(1, second / 255), min(1, third / 255)
    found = _HEX.match(css)
    if found is None:
        return None
    digits = found[1]
    if len(digits) < len("rrggbb"):
        digits = "".join(2 * digit for digit in digits)
    red, green, blue = (int(digits[at : at + 2], 16) / 255 for at in (0, 2, 4))
    return red, green, blue
