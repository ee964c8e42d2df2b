"""Clean HTML -> the HTML Qt's rich text can lay out: its recipes, its limits, our addresses.

Works on the cleaner's output only, which is balanced and has every attribute in double quotes.
Qt knows no padding or left border for blocks, so quotes and code become small tables.
"""

import html
import re
from functools import cached_property
from typing import TYPE_CHECKING
from unicodedata import bidirectional

from notesearch.markdown.references import References
from notesearch.markdown.runs import RunBreaker, break_runs

if TYPE_CHECKING:
    from notesearch.markdown.code import Colouring

_COSTS = {"table": 20, "blockquote": 20, "pre": 20, "td": 4, "th": 4, "li": 3,
          "input": 8, "img": 2,
          **dict.fromkeys(("h1", "h2", "h3", "h4", "h5", "h6", "div", "sup"), 2)}  # fmt: skip
_FORMULA = 2
_FORMULA_BOX = 18
_SPANNED = 8
_FAR_COLUMN = 20
"""Costs of what has no tag of its own."""
MAX_DEPTH = 40
"""Of any tags; deeper ones are dropped, their text stays."""
MAX_TABLES = 5
"""Tables inside tables, quotes and code included: Qt lays each level out twice."""
_CHEAP_TABLES = 3
_MANY_COLUMNS = 100
_CELLS = frozenset({"td", "th"})
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_COUNTED = dict.fromkeys(_CELLS, "cell") | dict.fromkeys(_HEADINGS, "heading")
_SPANS = ("colspan", "rowspan")
_LOOKED_AT = 300
MAX_LISTS = 10

MAX_CODE_LINE = 20_000

CUT_NOTICE = '<p class="notice">The rest is not shown here. Open the note in the editor.</p>'

_LINES = frozenset("p li tr h1 h2 h3 h4 h5 h6".split())
_LONGEST_TABLE = 100
"""Lines that a table may go on when all others have been looked at: its rows tell how wide its
columns are."""
_GRID_END = "</table>"
_TAG = re.compile(r'<(/?)([a-z][a-z0-9]*)((?: [a-z-]+(?:="[^"]*")?)*)>')
_ATTRIBUTE = re.compile(r' ([a-z-]+)(?:="([^"]*)")?')
_ANCHOR = re.compile(r"line-\d{1,9}|fn-[\w.%~-]{1,200}")
_ALIGN = re.compile(r"text-align: ?(left|right|center)")
_LANGUAGE = re.compile(r"language-(\S+)")
_NUMBER = re.compile(r"[0-9]{1,9}")
_SPAN = re.compile(r"[1-9]|1[0-9]")
_TONE = re.compile(r"\b(?:note|tip|warning|danger|quiet|embed)\b")
_LONE_EMBED = re.compile(r'<p>(<a class="embed"[^<>]*>[^<>]*</a>)</p>')
_BLOCK = re.compile(r"p|div|li|td|th|h[1-6]|d[dt]|br|hr")
_BEGINS = re.compile(r"p|div|li|tr|h[1-6]|table|blockquote|pre|[uod]l")
_TWINS = {
    "ins": ("<u>", "</u>"),
    "del": ("<s>", "</s>"),
    "strike": ("<s>", "</s>"),
    "q": ("“", "”"),
    "kbd": ('<span class="kbd">', "</span>"),
    "mark": ('<span class="mark">', "</span>"),
    "samp": ("<code>", "</code>"),
    "thead": ("", ""),
    "tbody": ("", ""),
}
_BOXES = {"done": "checked", "cancelled": "cancelled", "started": "started"}
_FRAME = '<table class="{}" width="100%" cellspacing="0" cellpadding="{}"><tr>'
CODE_PADDING = 10
"""Tells a table that is a code box from all others, once Qt has read it."""

Attributes = dict[str, str]


def for_qt(clean: str, references: References, *, was_cut: bool = False) -> str:
    """Return ``clean``, which must come from the cleaner, in the shape Qt shows well."""
    shaper = _Shaper(_LONE_EMBED.sub(r"<div>\1</div>", clean), references)
    shaper.run()
    if was_cut or shaper.was_cut:
        shaper.out.append(CUT_NOTICE)
    return "".join(shaper.out)


class _Shaper:
    """One pass over the tags; ``_closers`` holds what each open tag will be closed with."""

    def __init__(self, clean: str, references: References) -> None:
        self._clean = clean
        self._references = references
        self.out: list[str] = []
        self.was_cut = False
        self._allowance = references.allowance
        self._closers: list[tuple[str, str]] = []
        self._depth = {"table": self._allowance.tables, "list": 0, "a": 0}
        self._column = 0
        self._runs = RunBreaker()

    def run(self) -> None:
        end = 0
        while (tag := _TAG.search(self._clean, end)) and not self.was_cut:
            if _BEGINS.fullmatch(tag[2]) and not tag[1] and self._is_enough():
                self._allowance.whole = False
                break
            letters = tag.start() - end
            self.out.append(self._runs.text(self._clean[end : tag.start()]))
            self.was_cut = not self._allowance.spend(self._cost(tag, letters))
            self._allowance.look(letters, not tag[1] and tag[2] in _LINES)
            end = self._tag(tag)
        else:
            self.out.append("" if self.was_cut else self._runs.text(self._clean[end:]))
        while self._closers:
            self._close()

    def _is_enough(self) -> bool:
        """Return whether what follows is not looked at yet."""
        left = self._allowance.lines
        return left <= 0 and (
            left < -_LONGEST_TABLE or all(closer != _GRID_END for _, closer in self._closers)
        )

    def _cost(self, tag: re.Match[str], letters: int) -> int:
        """Return what a tag and the text before it take: in cells, and deep in tables, more."""
        tables = self._depth["table"]
        deeper = max(0, tables - _CHEAP_TABLES)
        share = letters << deeper >> (2 if deeper else 4)
        if tables and any(closer == _GRID_END for _, closer in self._closers):
            share += self._allowance.beyond_cells(letters) >> 1
        cost = _COSTS.get(tag[2], 1)
        if tag[2] in _COUNTED and not tag[1]:
            cost = self._allowance.one(_COUNTED[tag[2]], cost)
        return (cost << 2 * deeper) + (share if tables else 0)

    def _tag(self, tag: re.Match[str]) -> int:
        """Write what ``tag`` becomes; return where reading goes on."""
        name = tag[2]
        if _BLOCK.fullmatch(name):
            self._runs.forget()
        if tag[1]:
            self._close()
            return tag.end()
        if name == "pre":
            return self._code(tag.end())
        attributes = {key: html.unescape(value) for key, value in _ATTRIBUTE.findall(tag[3])}
        replaced = self._replaced(name, attributes, tag.end())
        if replaced:
            return replaced
        if name in {"br", "hr"}:
            self.out.append(f"<{name}>")
        elif name == "img":
            linked = self._depth["a"] > 0
            self.out.append(self._references.image(attributes, linked=linked))
        elif name == "input":
            self.out.append(_box(attributes))
        else:
            self._open(name, attributes, tag.end())
        return tag.end()

    def _open(self, name: str, attributes: Attributes, start: int) -> None:
        if len(self._closers) >= MAX_DEPTH:
            self._push("", "", " ")
        elif name == "a":
            self._push("a", *self._references.link(attributes))
        elif name in {"table", "blockquote"}:
            leftward = name == "blockquote" and _runs_leftward(self._clean, start)
            shaped = _grid() if name == "table" else _quote(attributes, leftward=leftward)
            deep = self._depth["table"] >= MAX_TABLES
            self._push("table", *(("<div>", "</div>") if deep else shaped))
        elif name == "tr" or name in _CELLS:
            deep = self._depth["table"] > MAX_TABLES
            self._column = 0 if name == "tr" else self._column + 1
            spanned = _SPANNED * (not attributes.keys().isdisjoint(_SPANS))
            cost = _FAR_COLUMN if self._column > _MANY_COLUMNS else spanned
            self.was_cut |= not self._allowance.spend(cost)
            self._push("", *(("", " ") if deep else _cell(name, attributes)))
        elif name in {"ul", "ol", "li"}:
            self._list(name, attributes)
        elif name in _TWINS:
            self._push("", *_TWINS[name])
        else:
            if self._allowance.tables and attributes.get("id", "").startswith("line-"):
                del attributes["id"]  # a line of the embedded note
            self._allowance.pass_by(attributes.get("id", ""))
            self._push("", f"<{name}{_marks(attributes)}>", f"</{name}>")

    def _list(self, name: str, attributes: Attributes) -> None:
        kind = "" if name == "li" else "list"
        if self._depth["list"] > MAX_LISTS - (name != "li"):
            self._push(kind, "<br>" if name == "li" else "", "")
            return
        start = attributes.get("start", "")
        number = f' start="{start}"' if _NUMBER.fullmatch(start) else ""
        self._push(kind, f"<{name}{number}{_marks(attributes)}>", f"</{name}>")

    def _code(self, start: int) -> int:
        end = self._clean.find("</pre>", start)
        inner = self._clean[start:end]
        first = _TAG.match(inner)
        language = _LANGUAGE.search(first[3]) if first and first[2] == "code" else None
        lines = html.unescape(_TAG.sub("", inner)).rstrip("\n").split("\n")
        looked_at = self._allowance.looked_at(len(lines))
        self._allowance.whole &= looked_at >= len(lines)
        self._allowance.look(0, min(looked_at, len(lines)))
        source = break_runs("\n".join(line[:MAX_CODE_LINE] for line in lines[:looked_at]))
        name = html.unescape(language[1]).strip('"') if language else ""
        self.out.append(self._box(self._colouring.spans(source, name)))
        return end + len("</pre>")

    @cached_property
    def _colouring(self) -> "Colouring":
        from notesearch.markdown.code import Colouring

        return Colouring()

    def _box(self, coloured: str) -> str:
        body = f"<pre>{coloured}</pre>"
        if self._depth["table"] >= MAX_TABLES:
            return body
        return f"{_FRAME.format('code', CODE_PADDING)}<td>{body}</td></tr></table>"

    def _replaced(self, name: str, attributes: Attributes, start: int) -> int:
        """Write an embed or a formula as a whole; return where reading goes on, 0 if it is none."""
        kind = attributes.get("class", "")
        if name == "a" and kind == "embed":
            shown = self._embedded(attributes)
            if shown:
                opened, closed = _quote({"class": "embed"})
                self.out.append(f"{opened}{shown}{closed}")
                return self._clean.find("</a>", start) + len("</a>")
        elif kind == "math":
            end = self._clean.find(f"</{name}>", start)
            source = html.unescape(_TAG.sub("", self._clean[start:end]))
            shown = self._references.formula(source, display=name == "div")
            cost = (
                _FORMULA
                if shown
                else self._allowance.one("box", _FORMULA_BOX)
                if name == "div"
                else 0
            )
            self.was_cut |= not self._allowance.spend(cost)
            if name == "div":
                self._allowance.look(0, source.count("\n") + 1)
            if not shown and name == "div":
                self.out.append(self._box(self._colouring.spans(source, "tex")))
            elif shown:
                self.out.append(f'<p class="formula">{shown}</p>' if name == "div" else shown)
            return end + len(f"</{name}>") if shown or name == "div" else 0
        return 0

    def _embedded(self, attributes: Attributes) -> str:
        if self._depth["table"] >= MAX_TABLES:
            return ""
        outer, self._allowance.tables = self._allowance.tables, self._depth["table"] + 1
        shown = self._references.embedded(attributes)
        self._allowance.tables = outer
        return shown

    def _push(self, kind: str, opened: str, closer: str) -> None:
        if kind:
            self._depth[kind] += 1
        self.out.append(opened)
        self._closers.append((kind, closer))

    def _close(self) -> None:
        if not self._closers:
            return
        kind, closer = self._closers.pop()
        if kind:
            self._depth[kind] -= 1
        self.out.append(closer)


def _quote(attributes: Attributes, *, leftward: bool = False) -> tuple[str, str]:
    """Return a quote's table; its bar stands where its lines begin."""
    tone = _TONE.search(attributes.get("class", ""))
    kind = tone[0] if tone else "quote"
    opened, bar = f'<td class="quoted-{kind}">', f'<td class="bar-{kind}" width="3"></td>'
    frame = _FRAME.format("quote", 0)
    if leftward:
        return frame + opened, f"</td>{bar}</tr></table>"
    return frame + bar + opened, "</td></tr></table>"


def _runs_leftward(clean: str, start: int) -> bool:
    """Return whether the text from ``start`` begins with a letter of a script that runs so."""
    kinds = map(bidirectional, _TAG.sub("", clean[start : start + _LOOKED_AT]))
    return next((kind for kind in kinds if kind in {"L", "R", "AL"}), "L") != "L"


def _grid() -> tuple[str, str]:
    return '<table class="grid" cellspacing="0" cellpadding="0">', _GRID_END


def _cell(name: str, attributes: Attributes) -> tuple[str, str]:
    """Return a row or cell; an inline style would switch the style sheet's borders off."""
    if name == "tr":
        return "<tr>", "</tr>"
    style = attributes.get("style") or f"text-align:{attributes.get('align')}"
    align = _ALIGN.search(style)
    spans = "".join(
        f' {key}="{attributes[key]}"' for key in _SPANS if _SPAN.fullmatch(attributes.get(key, ""))
    )
    return f'<{name}{spans} align="{align[1] if align else "left"}">', f"</{name}>"


def _marks(attributes: Attributes) -> str:
    """Return the attributes Qt may see: classes passed the cleaner, anchors are only ours."""
    kept = f' class="{html.escape(attributes["class"])}"' if attributes.get("class") else ""
    align = _ALIGN.search(f"text-align:{attributes.get('align')}")
    kept += f' align="{align[1]}"' if align else ""
    anchor = attributes.get("id", "")
    return f'{kept} id="{anchor}"' if _ANCHOR.fullmatch(anchor) else kept


def _box(attributes: Attributes) -> str:
    if "checked" in attributes:
        return '<img src="ui:checked">'
    return f'<img src="ui:{_BOXES.get(attributes.get("class", ""), "unchecked")}">'
