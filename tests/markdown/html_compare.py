"""Compares HTML by what a reader sees: the same tags around the same words."""

import re
from html.parser import HTMLParser
from urllib.parse import quote, unquote

_TWINS = {"strike": "s", "del": "s"}
_VOID = {"br", "hr", "img", "input"}
_BLOCK = re.compile(
    r"p|div|ul|ol|li|h[1-6]|blockquote|pre|table|thead|tbody|tr|td|th|hr|br|section|details"
)
_KEPT = {"a": {"href"}, "img": {"src", "alt"}, "ol": {"start"}, "td": {"align"}, "th": {"align"},
         "input": {"checked"}}  # fmt: skip


class Reading(HTMLParser):
    """The events of a page: tags with the attributes that matter, and folded text."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.events: list[object] = []
        self._code = 0
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        tag = _TWINS.get(tag, tag)
        self._code += tag == "pre"
        kept = sorted((k, self._value(k, v)) for k, v in attrs if k in _KEPT.get(tag, ()))
        style = dict(attrs).get("style") or ""
        if tag in {"td", "th"} and "text-align:" in style:
            kept = [("align", style.partition(":")[2].strip())]
        self.events.append((tag, tuple(kept)))

    def handle_endtag(self, tag: str) -> None:
        tag = _TWINS.get(tag, tag)
        self._code -= tag == "pre"
        if tag not in _VOID:
            self.events.append(f"/{tag}")

    def handle_data(self, data: str) -> None:
        text = data if self._code else re.sub(r"\s+", " ", data)
        if self.events and isinstance(self.events[-1], Text):
            text = self.events.pop().words + text  # type: ignore[attr-defined]
        self.events.append(Text(text))

    @staticmethod
    def _value(key: str, value: str | None) -> str:
        return quote(unquote(value or "")) if key in {"href", "src"} else value or ""


class Text:
    """Words between two tags."""

    def __init__(self, words: str) -> None:
        self.words = words


def seen(html: str) -> list[object]:
    """Return what a reader sees, without white space at the edges of blocks."""
    events = Reading(html).events
    found: list[object] = []
    for at, event in enumerate(events):
        if not isinstance(event, Text):
            found.append(event)
            continue
        words = event.words
        if at == 0 or _is_block(events[at - 1]):
            words = words.lstrip()
        if at + 1 == len(events) or _is_block(events[at + 1]):
            words = words.rstrip()
        if words:
            found.append(words)
    return found


def _is_block(event: object) -> bool:
    name = event[0] if isinstance(event, tuple) else str(event).lstrip("/")
    return _BLOCK.fullmatch(name) is not None


def words(html: str) -> list[str]:
    """Return the words that a reader sees, in order."""
    return re.findall(r"[^\W_]+", "".join(map(_as_text, Reading(html).events)))


def _as_text(event: object) -> str:
    if isinstance(event, Text):
        return event.words
    return " " if _is_block(event) or "sup" in str(event) else ""
