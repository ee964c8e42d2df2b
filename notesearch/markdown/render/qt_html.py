"""Turns sanitised HTML into HTML that Qt's rich text shows well and lays out in bounded time.

The sanitiser's HTML has balanced tags, and every attribute in double quotes. It is read as a tree,
tidied, and written again. Qt blocks have neither padding nor a left border, so quotes and code
become small tables.
"""

import html
import re
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import groupby
from typing import TYPE_CHECKING
from unicodedata import bidirectional

from notesearch.markdown.render.link_resolver import Attributes, LinkResolver

if TYPE_CHECKING:
    from notesearch.markdown.render.code_colouring import CodeColouring

_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_COSTS = {
    "table": 40,
    "blockquote": 40,
    "pre": 20,
    "td": 8,
    "th": 8,
    "li": 6,
    "input": 8,
    **dict.fromkeys(_HEADINGS, 6),
    **dict.fromkeys(("div", "sup"), 4),
}
"""The costs of elements, if not 2."""
_FORMULA_BOX = 24
_LATE_CELL = 16
_FAR_COLUMN = 20
_SPANNED = 8
"""Extra costs, besides those of tags."""
MAX_DEPTH = 40
"""Depth of nested tags; deeper tags are dropped and their text stays."""
MAX_TABLES = 5
"""Depth of nested tables, which include quotes and code; Qt lays out each level twice."""
_CHEAP_TABLES = 3
"""Depth of tables without extra cost. Deeper quotes are shown without a bar of their own, because
mails are quoted 20 deep."""
_SPANS = ("colspan", "rowspan")
_DIRECTION_SAMPLE = 1000
_MANY_COLUMNS = 100
MAX_LISTS = 10
MAX_CODE_LINE = 20_000
MAX_RUN = 2000
"""Maximum characters without a space; the time to lay out a run is quadratic in its length."""

BREAK = "\u200b"
# A line can break between ideographs anyway; an extra break there would only prevent matches.
_SOLID = r"[^\s\u200b\u2e80-\ua4cf\uac00-\ud7ff\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff]"
_HARD_SPACES = r"\u00a0\u202f\u2007"
_RUN = re.compile(f"(?:{_SOLID}|[{_HARD_SPACES}]){{{MAX_RUN}}}")

CUT_NOTICE = '<p class="notice">The rest is not shown here. Open the note in the editor.</p>'

_TAG = re.compile(r'<(/?)([a-z][a-z0-9]*)((?: [a-z-]+(?:="[^"]*")?)*)>')
_ATTRIBUTE = re.compile(r' ([a-z-]+)(?:="([^"]*)")?')
_ANCHOR = re.compile(r"line-\d{1,9}|fn-[\w.%~-]{1,200}")
_ALIGN = re.compile(r"text-align: ?(left|right|center)")
_LANGUAGE = re.compile(r"language-(\S+)")
_NUMBER = re.compile(r"[0-9]{1,9}")
_SPAN = re.compile(r"[1-9]|1[0-9]")
_TONE = re.compile(r"\b(?:note|tip|warning|danger|quiet|embed)\b")
_VOID = frozenset({"br", "hr", "img", "input"})
_BOXED = frozenset({"table", "pre", "blockquote"})
_BLOCKS = {*"p div li tr td th thead tbody hr dl dt dd ul ol".split(), *_BOXED, *_HEADINGS}
_CAPTION_PARTS = 9
"""Elements and texts after a picture in which its caption is looked for."""
_TWINS = {
    "ins": ("<u>", "</u>"),
    "del": ("<s>", "</s>"),
    "strike": ("<s>", "</s>"),
    "q": ("“", "”"),
    "kbd": ('<span class="kbd">', "</span>"),
    "samp": ("<code>", "</code>"),
    "thead": ("", ""),
    "tbody": ("", ""),
}
_LETTERED = frozenset("aAiI")
"""Types of lists that are numbered by letters or in Roman."""
_LONG_NUMBER = 3
"""Digits of a number that needs the indent of two lists."""
_BOXES = {"done": "checked", "cancelled": "cancelled", "started": "started"}
_FRAME = '<table class="{}" width="100%" cellspacing="0" cellpadding="{}"><tr>{}</tr></table>'
CODE_PADDING = 10
"""The padding of a code box in pixels, before scaling; only code boxes have padding."""


def for_qt(clean: str, resolver: LinkResolver, *, was_cut: bool = False) -> str:
    """Return sanitised HTML in a form that Qt shows well; if ``was_cut``, with a notice below."""
    tree = _parsed(clean)
    _tidy(tree)
    writer = _Writer(resolver)
    shown = writer.inside(tree, _Place(resolver.budget.tables))
    return shown + CUT_NOTICE if was_cut or writer.was_cut else shown


def break_runs(text: str) -> str:
    """Return ``text`` with a ``BREAK`` after every ``MAX_RUN`` characters without a space."""
    return text if len(text) <= MAX_RUN else _RUN.sub(rf"\g<0>{BREAK}", text)


def _breakable(escaped: str) -> str:
    """Return a piece of escaped HTML text with its long runs broken."""
    if len(escaped) <= MAX_RUN:
        return escaped
    return html.escape(break_runs(html.unescape(escaped)), quote=False)


@dataclass(slots=True)
class _Element:
    """An element of HTML; ``children`` are elements and pieces of escaped text.

    It ``is_block`` if it, or an element in it, begins a line.
    """

    name: str
    attributes: Attributes = field(default_factory=dict)
    children: "list[_Element | str]" = field(default_factory=list)
    is_block: bool = False

    @property
    def kind(self) -> str:
        """The class or classes of the element."""
        return self.attributes.get("class", "")

    @property
    def text(self) -> str:
        """The text in the element."""
        return html.unescape(self._escaped)

    @property
    def _escaped(self) -> str:
        return "".join(
            child if isinstance(child, str) else child._escaped for child in self.children
        )


_Node = _Element | str


def _parsed(clean: str) -> _Element:
    """Return the tree of sanitised HTML; tags deeper than ``MAX_DEPTH`` are left out."""
    root = _Element("")
    around = [root]
    end = 0
    for tag in _TAG.finditer(clean):
        if tag.start() > end:
            around[-1].children.append(clean[end : tag.start()])
        end = tag.end()
        name = tag[2]
        if tag[1]:
            if len(around) > 1 and around.pop() is around[-1]:
                around[-1].children.append(" ")
        elif name not in _VOID and len(around) > MAX_DEPTH:
            around.append(around[-1])
        else:
            values = {key: html.unescape(value) for key, value in _ATTRIBUTE.findall(tag[3])}
            element = _Element(name, values)
            around[-1].children.append(element)
            if name not in _VOID:
                around.append(element)
            if name in _BLOCKS:
                for outer in (element, *around):
                    outer.is_block = True
    around[-1].children.append(clean[end:])
    return root


def _name(node: _Node) -> str:
    """Return the name of an element; empty for text."""
    return "" if isinstance(node, str) else node.name


def _is_block(node: _Node) -> bool:
    return not isinstance(node, str) and node.is_block


def _is_blank(node: _Node) -> bool:
    """Return whether ``node`` is white space, or a paragraph or a table's head without text."""
    if isinstance(node, str):
        return not node.strip()
    return node.name in {"p", "thead", "tr", "th"} and all(map(_is_blank, node.children))


def _picture_in(node: _Node) -> _Element | None:
    """Return the picture that ``node`` is or has as a link; else None."""
    if isinstance(node, _Element) and node.name == "a" and len(node.children) == 1:
        node = node.children[0]
    return node if isinstance(node, _Element) and node.name == "img" else None


def _tidy(element: _Element) -> None:
    """Change what is in ``element`` where Qt would show it otherwise than a browser."""
    if any(isinstance(child, _Element) for child in element.children):
        _drop_invisible(element)
        element.children = list(_separated(element.children))
        _drop_repeated_captions(element.children)
    if element.name == "p":
        _tidy_paragraph(element)
    elif element.name == "li":
        first = next((node for node in element.children if not _is_blank(node)), None)
        # Qt would leave out an item without text of its own.
        if first is None or _name(first) in {*_BOXED, "ul", "ol"}:
            element.children.insert(0, "&nbsp;" if first is None else _gap())
    for child in element.children:
        if isinstance(child, _Element):
            _tidy(child)


def _drop_invisible(element: _Element) -> None:
    """Drop what takes no room in a browser, but a line in Qt.

    These are paragraphs and heads of tables without text, and a line break at the end of a block.
    """
    kept: list[_Node] = []
    is_end = element.is_block
    for node in reversed(element.children):
        if _name(node) in {"p", "thead"} and _is_blank(node):
            continue
        if is_end and _name(node) == "br":
            is_end = False
            continue
        kept.append(node)
        if not _is_blank(node):
            is_end = _is_block(node)
    element.children = kept[::-1]


def _separated(nodes: Iterable[_Node]) -> Iterator[_Node]:
    """Yield ``nodes`` with what Qt needs between two of them to show them apart.

    Text after a block becomes a paragraph; else Qt would put it outside of a list.
    """
    before = ""
    for is_block, group in groupby(nodes, _is_block):
        run = list(group)
        if before and not is_block:
            shown = [at for at, node in enumerate(run) if not _is_blank(node)]
            if shown:
                start, end = shown[0], shown[-1] + 1
                run[start:end] = [_Element("p", {}, run[start:end], is_block=True)]
        for node in run:
            name = _name(node)
            if name == "hr" and before in _BOXED:
                yield _gap()  # else Qt draws the rule beside the box
            elif name == before == "kbd":
                yield BREAK  # else both would be one key
            yield node
            if name or not _is_blank(node):
                before = name


def _gap() -> _Element:
    return _Element("p", {"class": "gap"}, [BREAK], is_block=True)


def _drop_repeated_captions(nodes: Sequence[_Node]) -> None:
    """Drop the alternative text of pictures if the text after the picture begins with it."""
    for at, node in enumerate(nodes):
        picture = _picture_in(node)
        words = picture.attributes.get("alt") if picture else ""
        if picture and words:
            after = _Element("", {}, list(nodes[at + 1 : at + 1 + _CAPTION_PARTS]))
            if after.text.lstrip().startswith(words):
                del picture.attributes["alt"]


def _tidy_paragraph(element: _Element) -> None:
    """Let a picture on the first line of a paragraph stand above its caption; unwrap an embed."""
    match element.children:
        case [_Element(name="a", attributes={"class": "embed"})]:
            element.name = "div"
        case [_, "\n", _Element(name="a" | "img"), *_]:
            pass  # a row of pictures
        case [picture, str(text), *_] if _picture_in(picture) and text.startswith("\n"):
            element.children[1:2] = [_Element("br"), text[1:]]


@dataclass(frozen=True, slots=True)
class _Place:
    """What is around an element: how many tables and lists, and whether these elements.

    Attributes:
        is_alone: Whether the paragraph has only one picture.
        is_leftward: Whether the columns of the table run from right to left.
    """

    tables: int
    lists: int = 0
    is_linked: bool = False
    is_alone: bool = False
    is_in_grid: bool = False
    is_leftward: bool = False


class _Writer:
    """Writes a tree as HTML for Qt; it ``was_cut`` once the budget of ``resolver`` is spent."""

    def __init__(self, resolver: LinkResolver) -> None:
        self._resolver = resolver
        self._budget = resolver.budget
        self.was_cut = False

    def inside(self, element: _Element, place: _Place) -> str:
        """Return what is in ``element`` as HTML."""
        pieces: list[str] = []
        nodes = deque(element.children)
        while nodes and not self.was_cut:
            node = nodes.popleft()
            if isinstance(node, str):
                pieces.append(_breakable(node))
                self._spend_characters(len(node), place)
            elif embedded := self._embedded(node, place):
                while pieces and pieces[-1].strip() in {"", "<br>"}:
                    pieces.pop()
                pieces.append(embedded)
                while nodes and (_name(nodes[0]) == "br" or _is_blank(nodes[0])):
                    nodes.popleft()
                if nodes and not _is_block(nodes[0]):
                    pieces.append("<p>")  # else Qt puts the text outside of a list
            else:
                pieces.append(self._written(node, place))
        return "".join(pieces)

    def _spend(self, cost: int) -> None:
        self.was_cut |= not self._budget.spend(cost)

    def _spend_characters(self, characters: int, place: _Place) -> None:
        """Pay for text in tables, which Qt lays out for several widths of the columns."""
        deeper = max(0, place.tables - _CHEAP_TABLES)
        dearer = 2 if deeper else 3 if place.is_in_grid else 4
        self._spend(characters << deeper >> dearer if place.tables else 0)

    def _spend_element(self, name: str, place: _Place) -> None:
        deeper = max(0, place.tables + (name == "table") - _CHEAP_TABLES)
        cost = _COSTS.get(name, 2)
        if name in {"td", "th"}:
            self._budget.cells -= 1
            cost += _LATE_CELL if self._budget.cells < 0 else 0
        self._spend(cost << 2 * deeper)

    def _written(self, element: _Element, place: _Place) -> str:
        """Return ``element`` as HTML; empty if it is too much."""
        name = element.name
        self._spend_element(name, place)
        if self.was_cut:
            return ""
        match name:
            case "br" | "hr":
                return f"<{name}>"
            case "img":
                linked, alone = place.is_linked, place.is_alone
                return self._resolver.image(element.attributes, linked=linked, alone=alone)
            case "input":
                return _task_box(element.attributes)
            case "pre":
                return self._code(element, place)
            case "a":
                return self._link(element, place)
            case "table" | "blockquote":
                return self._table(element, place)
            case "tr" | "td" | "th":
                return self._cell(element, place)
            case "ul" | "ol" | "li":
                return self._list(element, place)
        return self._formula(element, place) or self._other(element, place)

    def _other(self, element: _Element, place: _Place) -> str:
        name, attributes = element.name, element.attributes
        opened, closed = f"<{name}>", f"</{name}>"
        if name == "p":
            shown = [node for node in element.children if not _is_blank(node)]
            if len(shown) == 1 and _picture_in(shown[0]):
                place = replace(place, is_alone=True)
        if name in _TWINS:
            opened, closed = _TWINS[name]
        elif name == "mark":
            opened, closed = f'<span class="{element.kind or "mark"}">', "</span>"
        else:
            if self._budget.tables and attributes.get("id", "").startswith("line-"):
                del attributes["id"]  # a line of the embedded note, not of this one
            opened = f"<{name}{_kept_attributes(attributes)}>"
        return f"{opened}{self.inside(element, place)}{closed}"

    def _link(self, element: _Element, place: _Place) -> str:
        block = self._resolver.block(element.attributes) if element.kind == "block" else ""
        opened, closed = self._resolver.link(element.attributes)
        shown = _breakable(block) or self.inside(element, replace(place, is_linked=True))
        return f"{opened}{shown}{closed}"

    def _table(self, element: _Element, place: _Place) -> str:
        """Write a table or quote; one that is too deep is shown without its bar or its lines."""
        inner = replace(place, tables=place.tables + 1)
        is_quote = element.name == "blockquote"
        if is_quote and place.tables >= _CHEAP_TABLES:
            return f"<div>{self.inside(element, place)}</div>"
        if place.tables >= MAX_TABLES:
            return f"<div>{self.inside(element, inner)}</div>"
        leftward = _runs_leftward(element)
        if is_quote:
            return _quote(element.kind, self.inside(element, inner), leftward=leftward)
        kind, side = ("grid leftward", ' align="right"') if leftward else ("grid", "")
        shown = self.inside(element, replace(inner, is_in_grid=True, is_leftward=leftward))
        return f'<table class="{kind}" cellspacing="0" cellpadding="0"{side}>{shown}</table>'

    def _cell(self, element: _Element, place: _Place) -> str:
        """Write a row or a cell of a table."""
        name, attributes = element.name, element.attributes
        self._spend(0 if attributes.keys().isdisjoint(_SPANS) else _SPANNED)
        if name == "tr":
            columns = sum(map(_is_block, element.children))
            self._spend(_FAR_COLUMN * max(0, columns - _MANY_COLUMNS))
            if place.is_leftward:
                element.children.reverse()  # Qt lays out every table from left to right
        shown = self.inside(element, place)
        if place.tables > MAX_TABLES:
            return f"{shown} "
        opened = "<tr>" if name == "tr" else _cell_tag(name, attributes, place)
        return f"{opened}{shown}</{name}>"

    def _list(self, element: _Element, place: _Place) -> str:
        """Write a list or an item of a list."""
        name, attributes = element.name, element.attributes
        is_item = name == "li"
        inner = place if is_item else replace(place, lists=place.lists + 1)
        shown = self.inside(element, inner)
        if inner.lists > MAX_LISTS:
            return f"<br>{shown}" if is_item else shown
        start = attributes.get("start", "")
        number = f' start="{start}"' if _NUMBER.fullmatch(start) else ""
        if attributes.get("type", "") in _LETTERED:
            number += f' type="{attributes["type"]}"'
        if len(start) >= _LONG_NUMBER or attributes.get("type") in {"i", "I"}:
            number += f' style="-qt-list-indent:{place.lists + 2}"'
        return f"<{name}{number}{_kept_attributes(attributes)}>{shown}</{name}>"

    def _code(self, element: _Element, place: _Place) -> str:
        first = next(iter(element.children), "")
        language = None if isinstance(first, str) else _LANGUAGE.search(first.kind)
        lines = element.text.rstrip("\n").split("\n")
        source = break_runs("\n".join(line[:MAX_CODE_LINE] for line in lines))
        return self._code_box(source, language[1] if language else "", place)

    def _code_box(self, source: str, language: str, place: _Place) -> str:
        body = f"<pre>{self._colouring.spans(source, language)}</pre>"
        is_deep = place.tables >= MAX_TABLES
        return body if is_deep else _FRAME.format("code", CODE_PADDING, f"<td>{body}</td>")

    @cached_property
    def _colouring(self) -> "CodeColouring":
        from notesearch.markdown.render.code_colouring import CodeColouring

        return CodeColouring()

    def _formula(self, element: _Element, place: _Place) -> str:
        """Write a formula as a picture, or as source if it cannot be drawn.

        Return nothing for a formula in a line that cannot be drawn, and for any other element.
        """
        if element.kind != "math":
            return ""
        source = element.text
        is_display = element.name == "div"
        picture = self._resolver.formula(source, display=is_display) if source else ""
        box = _FORMULA_BOX if is_display else 0
        self._spend(picture.count("<img") or box)
        if picture:
            return f'<p class="formula">{picture}</p>' if is_display else picture
        return self._code_box(source, "tex", place) if is_display and source else ""

    def _embedded(self, element: _Element, place: _Place) -> str:
        """Return the note that ``element`` embeds as a quote; empty for anything else."""
        if element.kind != "embed" or place.tables >= MAX_TABLES:
            return ""
        outer, self._budget.tables = self._budget.tables, place.tables + 1
        shown = self._resolver.embedded(element.attributes)
        self._budget.tables = outer
        # In the cell of a table, Qt gives an inner table no width of its own.
        is_too_wide = "<table" in shown and place.is_in_grid
        return _quote("embed", shown) if shown and not is_too_wide else ""


def _quote(kind: str, shown: str, *, leftward: bool = False) -> str:
    """Return ``shown`` as a quote: a table with a bar where its lines start."""
    named = _TONE.search(kind)
    tone = named[0] if named else "quote"
    cells = f'<td class="bar-{tone}" width="3"></td>', f'<td class="quoted-{tone}">{shown}</td>'
    return _FRAME.format("quote", 0, "".join(cells[::-1] if leftward else cells))


def _runs_leftward(element: _Element) -> bool:
    """Return whether most letters at the beginning of ``element`` run from right to left."""
    kinds = Counter(map(bidirectional, element.text[:_DIRECTION_SAMPLE]))
    return kinds["R"] + kinds["AL"] > kinds["L"]


def _cell_tag(name: str, attributes: Attributes, place: _Place) -> str:
    """Return the opening tag of a cell, without a style, which would hide its border."""
    style = attributes.get("style") or f"text-align:{attributes.get('align')}"
    align = _ALIGN.search(style)
    spans = "".join(
        f' {key}="{attributes[key]}"' for key in _SPANS if _SPAN.fullmatch(attributes.get(key, ""))
    )
    side = "right" if place.is_leftward else "left"
    return f'<{name}{spans} align="{align[1] if align else side}">'


def _kept_attributes(attributes: Attributes) -> str:
    if not attributes:
        return ""
    kept = f' class="{html.escape(attributes["class"])}"' if attributes.get("class") else ""
    align = _ALIGN.search(f"text-align:{attributes.get('align')}")
    kept += f' align="{align[1]}"' if align else ""
    anchor = attributes.get("id", "")
    return f'{kept} id="{anchor}"' if _ANCHOR.fullmatch(anchor) else kept


def _task_box(attributes: Attributes) -> str:
    state = "done" if "checked" in attributes else attributes.get("class", "")
    return f'<img src="ui:{_BOXES.get(state, "unchecked")}">'
