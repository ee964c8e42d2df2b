"""Checks what the preview's HTML may contain, by another parser than the one that produced it."""

import re
from html.parser import HTMLParser

ALLOWED = {
    "a": {"href"},
    "img": {"src"},
    "ol": {"start"},
    "li": {"class"},
    "table": {"class", "width", "cellspacing", "cellpadding"},
    "td": {"class", "width", "align"},
    "th": {"align"},
    "p": {"class"},
    "div": {"class", "id"},
    "span": {"class"},
    "var": {"class"},
    **{f"h{level}": {"id"} for level in range(1, 7)},
}
BARE = "b blockquote br cite code dd dfn dl dt em hr i pre s small strong sub sup tr u ul".split()
LINKS = re.compile(r"https?://[^\s\\]+|mailto:\S*|note:[\w%.~-]*|#fn-[\w%.~-]+")
IMAGES = re.compile(
    r"image:[\w%.~-]+(?:#\d{1,9})?|ui:[a-z]+(?:/[\w%.~-]*)?|math:[\d./]+/(?:display|inline)"
    r"/[\w%.~-]+/[\w%.~-]*"
)
VOID = {"br", "hr", "img"}


class SafeHtml(HTMLParser):
    """Fails on the first tag, attribute or address that is not allowed in the preview."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.deepest_tables = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in ALLOWED or tag in BARE, tag
        for name, value in attrs:
            assert name in ALLOWED.get(tag, ()), f"{tag} {name}"
            assert value is not None
            if name == "href":
                assert LINKS.fullmatch(value), value
            if name == "src":
                assert IMAGES.fullmatch(value), value
        if tag not in VOID:
            self.open.append(tag)
            self.deepest_tables = max(self.deepest_tables, self.open.count("table"))

    def handle_endtag(self, tag: str) -> None:
        assert self.open, f"</{tag}> closes nothing"
        assert self.open.pop() == tag

    def handle_comment(self, data: str) -> None:
        raise AssertionError(f"comment {data!r}")

    def handle_decl(self, decl: str) -> None:
        raise AssertionError(f"declaration {decl!r}")

    def handle_pi(self, data: str) -> None:
        raise AssertionError(f"instruction {data!r}")


def check(html: str) -> SafeHtml:
    """Check ``html`` and return what was seen."""
    seen = SafeHtml()
    seen.feed(html)
    seen.close()
    assert seen.open == []
    return seen
