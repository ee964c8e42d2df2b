"""Sanitises HTML by an explicit allowlist; all HTML of the preview passes through here."""

from functools import cache

import nh3

_TAGS = (
    "a b blockquote br cite code dd del dfn div dl dt em h1 h2 h3 h4 h5 h6 hr i img input ins kbd"
    " li mark ol p pre q s samp small strike strong sub sup table tbody td th thead tr u ul var"
)
SCHEMES = frozenset({"http", "https", "mailto", "note", "image"})

_HEADING = {"id", "align"}
_CELL = {"style", "align", "colspan", "rowspan"}
_ATTRIBUTES = {
    "a": {"href"},
    "img": {"src", "alt", "width"},
    "input": {"type", "checked"},
    "ol": {"start"},
    "td": _CELL,
    "th": _CELL,
    "p": {"align"},
    "div": {"id", "align"},
    "code": {"class"},
    **{f"h{level}": _HEADING for level in range(1, 7)},
}
_CLASSES = {
    "a": {"embed"},
    "blockquote": {"callout", "note", "tip", "warning", "danger", "quiet"},
    "p": {"callout-title"},
    "div": {"footnote", "math"},
    "var": {"math", "tag"},
    "li": {"task"},
    "input": {"open", "done", "cancelled", "started"},
}
_STYLES = {"text-align"}


def clean(html: str) -> str:
    """Return ``html`` with only allowed tags, attributes and schemes, balanced and normalised.

    Relative links and images pass; ``address_policy`` decides about each address later.
    """
    return _cleaner().clean(html)


@cache
def _cleaner() -> nh3.Cleaner:
    return nh3.Cleaner(
        tags=set(_TAGS.split()),
        clean_content_tags={
            "script",
            "style",
            "title",
            "textarea",
            "noscript",
            "iframe",
            "svg",
            "math",
        },
        attributes=_ATTRIBUTES,
        allowed_classes=_CLASSES,
        filter_style_properties=_STYLES,
        url_schemes=set(SCHEMES),
        url_relative="pass_through",
        link_rel=None,
        strip_comments=True,
    )
