"""Turns Obsidian's canvases (jsoncanvas.org) into Markdown.

Each card of a canvas is a section, below the groups that it is in.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import PurePosixPath
from urllib.parse import urlsplit

from notesearch.formats.json_values import Item, items, number, parsed, text_at
from notesearch.formats.markdown_text import FENCE, literal, one_line

_HEADING = re.compile(r" {0,3}#{1,6}[ \t]+(.*?)(?:[ \t]+#+)?[ \t]*")
_UNDERLINE = re.compile(r" {0,3}(?:=+|-+)[ \t]*")
_HIDING = (
    ("<!--", "-->"),
    ("<?", "?>"),
    *((f"<{tag}", f"</{tag}>") for tag in ("script", "style", "pre", "textarea")),
)
"""The beginning and the end of HTML that may contain empty lines."""
_LONGEST_HEADING = 80
_START = 4 * _LONGEST_HEADING
"""Characters of a card's first line from which its heading is made."""
_TOP, _DEEPEST = 2, 6
"""Levels of headings. A heading of level 1 could be taken for the title of the note."""


@dataclass(frozen=True, slots=True)
class _Box:
    """A card or a group, with its edges in the canvas; ``heading`` and ``body`` are Markdown."""

    id: str
    type: str
    heading: str
    body: str
    left: float
    top: float
    right: float
    bottom: float

    def holds(self, other: "_Box") -> bool:
        """Return whether this group is larger than ``other`` and contains its middle."""
        x, y = (other.left + other.right) / 2, (other.top + other.bottom) / 2
        is_inside = self.left <= x <= self.right and self.top <= y <= self.bottom
        return is_inside and self is not other and self.area > other.area

    @property
    def area(self) -> float:
        return (self.right - self.left) * (self.bottom - self.top)


def to_markdown(text: str) -> str:
    """Return the Markdown of the canvas in ``text``: its cards in reading order.

    Raises:
        NotANoteError: ``text`` is not a canvas, or has too many values.
    """
    found = parsed(text)
    boxes = [_box(item) for item in items(found, "nodes")]
    boxes.sort(key=lambda box: (box.top, box.left))
    groups = [box for box in boxes if box.type == "group"]
    cards = [box for box in boxes if box.type != "group" and (box.heading or box.body)]
    arrows = _Arrows(items(found, "edges"), boxes)
    inside = [(_groups_around(card, groups), card) for card in cards]
    shown: list[str] = []
    for card in (card for around, card in inside if not around):
        shown += _section(card, _TOP, arrows)
    above: Sequence[_Box] = ()
    in_groups = [(around, card) for around, card in inside if around]
    in_groups.sort(key=lambda pair: [(box.top, box.left, box.id) for box in pair[0]])
    for around, card in in_groups:
        for depth, group in enumerate(around):
            if above[depth : depth + 1] != around[depth : depth + 1]:
                above = ()
                shown += [_heading(_TOP + depth, group.heading), "", *arrows.leaving(group)]
        above = around
        shown += _section(card, _TOP + len(around), arrows)
    used = {id(group) for around, _ in inside for group in around}
    for group in (group for group in groups if id(group) not in used):
        shown += [_heading(_TOP, group.heading), "", *arrows.leaving(group)]
    shown += arrows.without_origin()
    return "\n".join(shown)


def _box(item: Item) -> _Box:
    left, top = number(item, "x"), number(item, "y")
    right, bottom = left + number(item, "width"), top + number(item, "height")
    heading, body = _content(item)
    kind = text_at(item, "type")
    return _Box(text_at(item, "id"), kind, heading, body, left, top, right, bottom)


def _groups_around(card: _Box, groups: Sequence[_Box]) -> list[_Box]:
    """Return the named groups that ``card`` is in, the largest first."""
    around = [box for box in groups if box.heading and box.holds(card)]
    return sorted(around, key=lambda box: -box.area)[: _DEEPEST - _TOP]


def _heading(level: int, text: str) -> str:
    return f"{'#' * min(level, _DEEPEST)} {one_line(text, _LONGEST_HEADING) or '…'}"


def _section(card: _Box, level: int, arrows: "_Arrows") -> Iterator[str]:
    """Yield the lines of one card: its heading, its text, and the arrows that start at it."""
    yield from (_heading(level, card.heading), "")
    if card.body.strip():
        yield from (card.body.strip("\n"), "")
    yield from arrows.leaving(card)


def _content(item: Item) -> tuple[str, str]:
    """Return the heading and the body of a card or a group, as Markdown."""
    match text_at(item, "type"):
        case "group":
            return text_at(item, "label"), ""
        case "file":
            path = text_at(item, "file")
            link = f"{path}{text_at(item, 'subpath')}"
            is_note = PurePosixPath(path).suffix.lower() in {"", ".md"}
            return literal(PurePosixPath(path).stem), f"{'' if is_note else '!'}[[{link}]]"
        case "link":
            url = text_at(item, "url")
            return literal(_host(url)), f"<{url}>"
        case _:
            return _card_text(text_at(item, "text"))


def _host(url: str) -> str:
    try:
        return urlsplit(url).hostname or url
    except ValueError:
        return url


def _card_text(text: str) -> tuple[str, str]:
    """Return the heading of a card with ``text``, and its body, in which headings become bold.

    The heading is the first line. If that is a long or formatted line and no heading of Markdown,
    it stays in the body, too.
    """
    if not text.strip():
        return "", ""
    lines = _without_headings(text.strip().replace("\r\n", "\n").split("\n"))
    first = _HEADING.fullmatch(lines[0])
    if first:
        return first[1], "\n".join(lines[1:])
    plain = not FENCE.match(lines[0]) and not re.match(r"\s*(?:[-*+>|]|\d+[.)])\s?|!\[", lines[0])
    if plain and len(lines[0]) <= _LONGEST_HEADING and (len(lines) == 1 or not lines[1].strip()):
        return lines[0], "\n".join(lines[1:])
    heading = re.sub(r"^[\s>|*+-]+(?:\[!\w+\][+-]?[ \t]*(?=\S))?|[*_`]+", "", lines[0][:_START])
    return heading or "…", "\n".join(lines)


def _without_headings(lines: Sequence[str]) -> list[str]:
    """Return the lines of a card, with bold text in place of headings below the first line.

    Code blocks and HTML that the card leaves open are closed.
    """
    shown: list[str] = []
    fence = ""
    for line in lines:
        mark = FENCE.match(line)
        if fence:
            is_end = mark and mark[1].startswith(fence) and not line[mark.end() :].strip()
            fence = "" if is_end else fence
        elif mark:
            fence = mark[1]
        elif shown and (heading := _HEADING.fullmatch(line)):
            shown.append(f"**{heading[1]}**" if heading[1] else "")
            continue
        elif shown and shown[-1].strip() and _UNDERLINE.fullmatch(line):
            shown.append(f"\\{line.lstrip()}")
            continue
        shown.append(line)
    text = "\n".join(shown).casefold()
    ends = [end for start, end in _HIDING if text.rfind(start) > text.rfind(end)]
    return [*shown, *filter(None, (fence, *ends))]


class _Arrows:
    """The arrows with a label between cards and groups, as Markdown; each is shown once."""

    def __init__(self, edges: Sequence[Item], boxes: Sequence[_Box]) -> None:
        names = {box.id: box.heading for box in boxes}
        self._lines: dict[str, list[str]] = {}
        for edge in edges:
            label, end = text_at(edge, "label"), names.get(text_at(edge, "toNode"), "")
            if label:  # "+" begins a new list, even after a card that ends with a list
                line = f"+ {literal(label)} → {one_line(end, _LONGEST_HEADING)}"
                self._lines.setdefault(text_at(edge, "fromNode"), []).append(line)

    def leaving(self, box: _Box) -> Iterator[str]:
        """Yield a line for each arrow that starts at ``box``, and an empty line after the last."""
        if lines := self._lines.pop(box.id, None):
            yield from (*lines, "")

    def without_origin(self) -> Iterator[str]:
        """Yield a line for each arrow that begins at no card or group."""
        yield from chain(*self._lines.values())
