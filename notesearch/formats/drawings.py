"""Turns Obsidian's canvases (jsoncanvas.org) and Excalidraw's drawings into Markdown.

Both are files of JSON, in which values may be missing or have any type. Each card of a canvas is a
section, below the groups that it is in. The texts of a drawing are below the names of their frames.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import PurePosixPath
from urllib.parse import urlsplit

from notesearch.errors import NotANoteError
from notesearch.files import parse_json
from notesearch.formats.markdown_writing import FENCE, literal, literal_block, one_line

_Item = Mapping[str, object]
"""An object of JSON."""

_Arrows = dict[str, list[str]]
"""The lines of Markdown for arrows with a label, by the id of the card or group they start at."""

# Canvases

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
"""Maximum number of characters of a card's first line that become its heading."""
_TOP = 2
_DEEPEST = 6
"""Levels of headings. A heading of level 1 could be taken for the title of the note."""


@dataclass(frozen=True, slots=True)
class _Box:
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
        x = (other.left + other.right) / 2
        y = (other.top + other.bottom) / 2
        is_inside = self.left <= x <= self.right and self.top <= y <= self.bottom
        return is_inside and self is not other and self.area > other.area

    @property
    def area(self) -> float:
        return (self.right - self.left) * (self.bottom - self.top)


def canvas_to_markdown(text: str) -> str:
    """Return the Markdown of the canvas in ``text``: its cards in reading order.

    Raises NotANoteError as ``drawing_to_markdown`` does.
    """
    found = _json_object(text)
    boxes = [_box(item) for item in _items(found, "nodes")]
    boxes.sort(key=lambda box: (box.top, box.left))
    groups = [box for box in boxes if box.type == "group"]
    cards = [box for box in boxes if box.type != "group" and (box.heading or box.body)]
    arrows = _arrows(_items(found, "edges"), boxes)
    inside = [(_groups_around(card, groups), card) for card in cards]
    inside.sort(key=lambda pair: [(box.top, box.left, box.id) for box in pair[0]])
    shown: list[str] = []
    above: Sequence[_Box] = ()
    for around, card in inside:  # first the cards that are in no group
        for depth, group in enumerate(around):
            if above[depth : depth + 1] != around[depth : depth + 1]:
                above = ()
                shown += [_heading(_TOP + depth, group.heading), "", *_leaving(group, arrows)]
        above = around
        shown += _section(card, _TOP + len(around), arrows)
    used = {id(group) for around, _ in inside for group in around}
    for group in groups:
        if id(group) not in used:
            shown += [_heading(_TOP, group.heading), "", *_leaving(group, arrows)]
    shown += chain(*arrows.values())  # from cards without text
    return "\n".join(shown)


def _box(item: _Item) -> _Box:
    left = _number(item, "x")
    top = _number(item, "y")
    heading, body = _content(item)
    return _Box(
        id=_text_at(item, "id"),
        type=_text_at(item, "type"),
        heading=heading,
        body=body,
        left=left,
        top=top,
        right=left + _number(item, "width"),
        bottom=top + _number(item, "height"),
    )


def _groups_around(card: _Box, groups: Sequence[_Box]) -> list[_Box]:
    around = [box for box in groups if box.heading and box.holds(card)]
    return sorted(around, key=lambda box: -box.area)[: _DEEPEST - _TOP]


def _heading(level: int, text: str) -> str:
    return f"{'#' * min(level, _DEEPEST)} {one_line(text, _LONGEST_HEADING) or '…'}"


def _section(card: _Box, level: int, arrows: _Arrows) -> Iterator[str]:
    yield from (_heading(level, card.heading), "")
    if card.body.strip():
        yield from (card.body.strip("\n"), "")
    yield from _leaving(card, arrows)


def _content(item: _Item) -> tuple[str, str]:
    match _text_at(item, "type"):
        case "group":
            return _text_at(item, "label"), ""
        case "file":
            path = _text_at(item, "file")
            link = f"{path}{_text_at(item, 'subpath')}"
            is_note = PurePosixPath(path).suffix.lower() in {"", ".md"}
            return literal(PurePosixPath(path).stem), f"{'' if is_note else '!'}[[{link}]]"
        case "link":
            url = _text_at(item, "url")
            return literal(_host(url)), f"<{url}>"
        case _:
            return _card_text(_text_at(item, "text"))


def _host(url: str) -> str:
    try:
        return urlsplit(url).hostname or url
    except ValueError:
        return url


def _card_text(text: str) -> tuple[str, str]:
    """Return the heading of a card with ``text``, and its body, in which headings become bold.

    A long or formatted first line is the heading, but stays in the body, too.
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
    """Return the lines of a card, with bold text in place of headings; close its code and HTML."""
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


def _arrows(edges: Sequence[_Item], boxes: Sequence[_Box]) -> _Arrows:
    names = {box.id: box.heading for box in boxes}
    arrows: _Arrows = {}
    for edge in edges:
        label = _text_at(edge, "label")
        if label:  # "+" begins a new list, even after a card that ends with a list
            end = names.get(_text_at(edge, "toNode"), "")
            line = f"+ {literal(label)} → {one_line(end, _LONGEST_HEADING)}"
            arrows.setdefault(_text_at(edge, "fromNode"), []).append(line)
    return arrows


def _leaving(box: _Box, arrows: _Arrows) -> Iterator[str]:
    """Yield the arrows that start at ``box``, each only once, and an empty line after the last."""
    lines = arrows.pop(box.id, None)
    if lines:
        yield from (*lines, "")


# Drawings

_DATA = re.compile(r"#{1,2} (?:Excalidraw Data|Text Elements)[ \t]*")
_TEXTS = re.compile(r"#{1,2} Text Elements[ \t]*")
_OTHER = re.compile(r"#{1,2} (?:Element Links|Embedded Files|Drawing)[ \t]*|%%[ \t]*")
_ELEMENT_ID = re.compile(r"[ \t]*\^[\w-]{8}[ \t]*$")
_BANNER = re.compile(r"==.*EXCALIDRAW VIEW.*")


def drawing_to_markdown(text: str) -> str:
    """Return the texts of a drawing as Markdown, in reading order, under the names of their frames.

    Raises:
        NotANoteError: ``text`` is not a drawing, or has too many values.
    """
    elements = [
        item for item in _items(_json_object(text), "elements") if not item.get("isDeleted")
    ]
    frames = {
        _text_at(item, "id"): _text_at(item, "name")
        for item in elements
        if _text_at(item, "type") == "frame"
    }
    texts = [item for item in elements if _text_at(item, "type") == "text"]
    texts.sort(key=lambda item: (_number(item, "y"), _number(item, "x")))
    shown = list(_paragraphs(item for item in texts if _text_at(item, "frameId") not in frames))
    for frame, name in frames.items():
        shown += [f"## {one_line(literal(name)) or 'Frame'}", ""]
        shown += _paragraphs(item for item in texts if _text_at(item, "frameId") == frame)
    return "\n".join(shown)


def _paragraphs(texts: Iterable[_Item]) -> Iterator[str]:
    for item in texts:
        written = _text_at(item, "originalText") or _text_at(item, "text")
        lines = [literal_block(literal(line, for_notes=True)) for line in written.split("\n")]
        address = _text_at(item, "link")
        yield from ("  \n".join(lines), "")
        if address:
            yield from (address if address.startswith("[[") else f"<{address}>", "")


def drawing_note_to_markdown(text: str) -> str:
    """Return the note of a drawing without the drawing's data, with the same number of lines.

    The texts of the drawing stay.
    """
    shown: list[str] = []
    has_begun = False
    is_kept = True
    for line in text.split("\n"):
        is_heading = bool(_DATA.fullmatch(line) or (has_begun and _OTHER.fullmatch(line)))
        if is_heading:
            has_begun = True
            is_kept = bool(_TEXTS.fullmatch(line))
        if is_heading or not is_kept or _BANNER.match(line):
            shown.append("")
        else:
            shown.append(_ELEMENT_ID.sub("", line))
    return "\n".join(shown)


# Values of JSON

_MOST_VALUES = 1_000_000
"""Maximum number of values in a file; each may take a hundred bytes of memory."""

_FAR = 1e12
"""No place of a card is so far away."""

_SEPARATORS = re.compile(r"[\[{,]")


def _json_object(text: str) -> _Item:
    if not text.strip():
        return {}
    if sum(1 for _ in _SEPARATORS.finditer(text)) > _MOST_VALUES:
        raise NotANoteError("file_too_costly")
    try:
        found = parse_json(text)
    except ValueError as error:
        raise NotANoteError("file_damaged") from error
    if not isinstance(found, dict):
        raise NotANoteError("file_damaged")
    return found


def _items(found: _Item, key: str) -> list[_Item]:
    listed = found.get(key)
    return [item for item in listed if isinstance(item, dict)] if isinstance(listed, list) else []


def _text_at(item: _Item, key: str) -> str:
    value = item.get(key)
    return value if isinstance(value, str) else ""


def _number(item: _Item, key: str) -> float:
    value = item.get(key)
    return float(value) if isinstance(value, int | float) and abs(value) < _FAR else 0.0
