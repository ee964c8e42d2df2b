"""Turns sanitised HTML into HTML that Qt's rich text shows well and lays out in bounded time.

The sanitiser's HTML has balanced tags, and every attribute in double quotes. Qt blocks have neither
padding nor a left border, so quotes and code become small tables.
"""

import html
import re
from collections import Counter
from functools import cached_property
from typing import TYPE_CHECKING
from unicodedata import bidirectional

from notesearch.markdown.render.link_resolver import Attributes, LinkResolver

if TYPE_CHECKING:
    from notesearch.markdown.render.code_colouring import CodeColouring

_COSTS = {
    "table": 20,
    "blockquote": 20,
    "pre": 20,
    "td": 4,
    "th": 4,
    "li": 3,
    "input": 8,
    "img": 2,
    **dict.fromkeys(("h1", "h2", "h3", "h4", "h5", "h6", "div", "sup"), 2),
}
_FORMULA = 2
_FORMULA_BOX = 18
_SPANNED = 8
_FAR_COLUMN = 20
"""Extra costs, besides those of tags."""
MAX_DEPTH = 40
"""Depth of nested tags; deeper tags are dropped and their text stays."""
MAX_TABLES = 5
"""Depth of nested tables, which include quotes and code; Qt lays out each level twice."""
_CHEAP_TABLES = 3
"""Depth of tables without extra cost. Deeper quotes are shown without a bar of their own, because
mails are quoted 20 deep."""
_MANY_COLUMNS = 100
_CELLS = frozenset({"td", "th"})
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_COUNTED = dict.fromkeys(_CELLS, "cell") | dict.fromkeys(_HEADINGS, "heading")
_SPANS = ("colspan", "rowspan")
_DIRECTION_SAMPLE = 2000
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

_GRID_END = "</table>"
_ROW_END = "</tr>"
_TAG = re.compile(r'<(/?)([a-z][a-z0-9]*)((?: [a-z-]+(?:="[^"]*")?)*)>')
_ATTRIBUTE = re.compile(r' ([a-z-]+)(?:="([^"]*)")?')
_ANCHOR = re.compile(r"line-\d{1,9}|fn-[\w.%~-]{1,200}")
_ALIGN = re.compile(r"text-align: ?(left|right|center)")
_LANGUAGE = re.compile(r"language-(\S+)")
_NUMBER = re.compile(r"[0-9]{1,9}")
_SPAN = re.compile(r"[1-9]|1[0-9]")
_TONE = re.compile(r"\b(?:note|tip|warning|danger|quiet|embed)\b")
_LONE_EMBED = re.compile(r'<p>(<a class="embed"[^<>]*>[^<>]*</a>)</p>')
_RULE_BELOW = re.compile(r"(</(?:table|pre|blockquote)>\s*)(?=<hr>)")
_EMPTY_HEAD = re.compile(r"<thead>\s*<tr>(?:\s*<th[^<>]*></th>)*\s*</tr>\s*</thead>")
_EMPTY_PARAGRAPH = re.compile(r"<p(?: [^<>]*)?>\s*</p>")
_LATER_TEXT = re.compile(
    r"(</(?:pre|blockquote|table|div|[uo]l)>)"
    r"((?:[^<]+|<(?!/?(?:p|div|li|t[dhr]|t(?:able|head|body)|h[1-6r]|blockquote|pre|d[ltd]|[uo]l)\b))+)"
)
_LAST_BREAK = re.compile(
    r"<br>\s*(?=</(?:p|li|div|t[dh]|h[1-6]|d[dt]|blockquote)>"
    r"|<(?:p|div|table|blockquote|pre|[uod]l|h[1-6])[ >])"
)
"""A line break at the end of a block. A browser shows nothing for it, Qt an empty line."""
_KEY_BESIDE = re.compile(r"(</kbd>)(?=<kbd>)")
_INLINE = re.compile(r"\s*(?:[^<\s]|<(?:em|strong|code|s|b|i|a|span|u|su[bp]|mark|img|input)\b)")
_BREAK_BELOW = re.compile(r"\s*<br>")
_VOID = frozenset({"br", "img", "input"})
_PICTURE_BELOW = re.compile(r"(</(?:p|div|h[1-6]|[uod]l)>\s*)(?=(?:<a [^<>]*>)?<img)")
_LOOSE_PICTURE = re.compile(
    r"(</(?:p|div|h[1-6]|[uod]l)>\s*)(<img[^<>]*>)(?=\s*(?:<p>|<div|<h[1-6]|<[uo]l|$))"
)
_PICTURE_LINE = re.compile(r"(<p>(?:<a [^<>]*>)?<img[^<>]*>(?:</a>)?)\n(?!<(?:img|a ))")
"""A picture on a line of its own, above its caption."""
_LONE_PICTURE = re.compile(r"<p>\s*(?:<a [^<>]*>)?(<img[^<>]*>)(?:</a>)?\s*</p>")
_CAPTION_TAGS = 100
"""Characters of tags before and in a picture's caption."""
_BARE_ITEM = re.compile(r"\s*<(/li|(?:[uo]l|blockquote|pre|table)\b)")
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
_FRAME = '<table class="{}" width="100%" cellspacing="0" cellpadding="{}"><tr>'
CODE_PADDING = 10
"""The padding of a code box in pixels, before scaling; only code boxes have padding."""


def for_qt(clean: str, resolver: LinkResolver, *, was_cut: bool = False) -> str:
    """Return sanitised HTML in a form that Qt shows well; if ``was_cut``, with a notice below."""
    clean = _EMPTY_HEAD.sub("", _LONE_EMBED.sub(r"<div>\1</div>", clean))
    clean = _LATER_TEXT.sub(_in_paragraph, clean)
    clean = _LOOSE_PICTURE.sub(r"\1<p>\2</p>", _EMPTY_PARAGRAPH.sub("", clean))
    clean = _PICTURE_LINE.sub(r"\1<br>", clean)
    clean = _KEY_BESIDE.sub(rf"\1{BREAK}", _LAST_BREAK.sub("", clean))  # else both would be one key
    clean = _PICTURE_BELOW.sub(rf"\1{BREAK}", clean)  # else Qt puts it into the paragraph before
    clean = _RULE_BELOW.sub(rf'\1<p class="gap">{BREAK}</p>', clean)  # else Qt draws it beside
    writer = _Writer(clean, resolver)
    writer.run()
    if was_cut or writer.was_cut:
        writer.out.append(CUT_NOTICE)
    return "".join(writer.out)


def _in_paragraph(found: re.Match[str]) -> str:
    """Return a block, and the text after it as a paragraph; else Qt puts it outside of a list."""
    block, text = found.groups()
    depth = 0
    for tag in _TAG.finditer(text):
        depth += 0 if tag[2] in _VOID else -1 if tag[1] else 1
        if depth < 0:
            return found[0]
    return f"{block}<p>{text}</p>" if text.strip() and not depth else found[0]


def break_runs(text: str) -> str:
    """Return ``text`` with a ``BREAK`` after every ``MAX_RUN`` characters without a space."""
    return text if len(text) <= MAX_RUN else _RUN.sub(rf"\g<0>{BREAK}", text)


def _breakable(escaped: str) -> str:
    """Return a piece of escaped HTML text with its long runs broken."""
    if len(escaped) <= MAX_RUN:
        return escaped
    return html.escape(break_runs(html.unescape(escaped)), quote=False)


class _Writer:
    """Rewrites HTML in one pass over its tags; ``_closers`` has the end tags of the open ones."""

    def __init__(self, clean: str, resolver: LinkResolver) -> None:
        self._clean = clean
        self._resolver = resolver
        self._lone_pictures = {found.start(1) for found in _LONE_PICTURE.finditer(clean)}
        self.out: list[str] = []
        self.was_cut = False
        self._budget = resolver.budget
        self._closers: list[tuple[str, str]] = []
        self._depth = {"table": self._budget.tables, "list": 0, "a": 0}
        self._column = 0
        self._leftward: list[bool] = []  # whether each open grid runs from right to left
        self._cells: list[list[int]] = []  # where in ``out`` the cells of each open row begin

    def run(self) -> None:
        end = 0
        while (tag := _TAG.search(self._clean, end)) and not self.was_cut:
            characters = tag.start() - end
            self.out.append(_breakable(self._clean[end : tag.start()]))
            self.was_cut = not self._budget.spend(self._cost(tag, characters))
            end = self._write_tag(tag)
        if not self.was_cut:
            self.out.append(_breakable(self._clean[end:]))
        while self._closers:
            self._close()

    def _is_in_grid(self) -> bool:
        return any(closer == _GRID_END for _, closer in self._closers)

    def _cost(self, tag: re.Match[str], characters: int) -> int:
        tables = self._depth["table"]
        deeper = max(0, tables - _CHEAP_TABLES)
        share = characters << deeper >> (2 if deeper else 4)
        if tables and self._is_in_grid():
            share += self._budget.excess_cell_characters(characters) >> 1
        is_flat = tag[2] == "blockquote" and tables >= _CHEAP_TABLES
        cost = _COSTS["div" if is_flat else tag[2]] if tag[2] in _COSTS else 1
        if tag[2] in _COUNTED and not tag[1]:
            cost = self._budget.cost_of(_COUNTED[tag[2]], cost)
        return (cost << 2 * deeper) + (share if tables else 0)

    def _write_tag(self, tag: re.Match[str]) -> int:
        name = tag[2]
        if tag[1]:
            self._close()
            return tag.end()
        if name == "pre":
            return self._write_code(tag.end())
        attributes = {key: html.unescape(value) for key, value in _ATTRIBUTE.findall(tag[3])}
        end = self._write_element(name, attributes, tag.end())
        if end:
            return end
        if name in {"br", "hr"}:
            self.out.append(f"<{name}>")
        elif name == "img":
            if self._says_next(attributes.get("alt", ""), tag.end()):
                del attributes["alt"]
            alone = tag.start() in self._lone_pictures
            is_linked = self._depth["a"] > 0
            self.out.append(self._resolver.image(attributes, linked=is_linked, alone=alone))
        elif name == "input":
            self.out.append(_task_box(attributes))
        else:
            self._open(name, attributes, tag.end())
        return tag.end()

    def _says_next(self, words: str, start: int) -> bool:
        """Return whether the text from ``start`` on begins with ``words``: a picture's caption."""
        following = self._clean[start : start + 2 * len(words) + _CAPTION_TAGS]
        text = html.unescape(_TAG.sub("", following.partition("</p>")[0]))
        return bool(words) and text.lstrip().startswith(words)

    def _open(self, name: str, attributes: Attributes, start: int) -> None:
        if len(self._closers) >= MAX_DEPTH:
            self._push("", "", " ")
        elif name == "a":
            self._push("a", *self._resolver.link(attributes))
        elif name in {"table", "blockquote"}:
            self._open_table(name, attributes, start)
        elif name == "tr" or name in _CELLS:
            self._open_cell(name, attributes, start)
        elif name in {"ul", "ol", "li"}:
            self._open_list(name, attributes, start)
        elif name in _TWINS:
            self._push("", *_TWINS[name])
        elif name == "mark":
            self._push("", f'<span class="{attributes.get("class", "mark")}">', "</span>")
        else:
            if self._budget.tables and attributes.get("id", "").startswith("line-"):
                del attributes["id"]  # a line of the embedded note, not of this one
            self._push("", f"<{name}{_kept_attributes(attributes)}>", f"</{name}>")

    def _open_table(self, name: str, attributes: Attributes, start: int) -> None:
        if name == "blockquote" and self._depth["table"] >= _CHEAP_TABLES:
            self._push("", "<div>", "</div>")
        elif self._depth["table"] >= MAX_TABLES:
            self._push("table", "<div>", "</div>")
        elif name == "blockquote":
            leftward = _runs_leftward(self._clean, start, "</blockquote>")
            self._push("table", *_quote(attributes, leftward=leftward))
        else:
            self._leftward.append(_runs_leftward(self._clean, start, _GRID_END))
            self._push("table", *_grid(leftward=self._leftward[-1]))

    def _open_cell(self, name: str, attributes: Attributes, start: int) -> None:
        self._column = 0 if name == "tr" else self._column + 1
        spanned = 0 if attributes.keys().isdisjoint(_SPANS) else _SPANNED
        cost = _FAR_COLUMN if self._column > _MANY_COLUMNS else spanned
        self.was_cut |= not self._budget.spend(cost)
        if self._depth["table"] > MAX_TABLES:
            self._push("", "", " ")
        elif name == "tr":
            self._cells.append([])
            self._push("", "<tr>", _ROW_END)
        else:
            if self._cells:
                self._cells[-1].append(len(self.out))
            mirrored = bool(self._leftward and self._leftward[-1])
            self._push("", *_cell(name, attributes, mirrored=mirrored))

    def _end_row(self) -> None:
        """Reverse the cells of a row of a table from right to left, as Qt needs them."""
        starts = self._cells.pop()
        if starts and self._leftward and self._leftward[-1]:
            ends = [*starts[1:], len(self.out)]
            cells = [self.out[start:end] for start, end in zip(starts, ends, strict=True)]
            self.out[starts[0] :] = [piece for cell in reversed(cells) for piece in cell]

    def _open_list(self, name: str, attributes: Attributes, start: int) -> None:
        kind = "" if name == "li" else "list"
        if self._depth["list"] > MAX_LISTS - (name != "li"):
            self._push(kind, "<br>" if name == "li" else "", "")
            return
        first = attributes.get("start", "")
        number = f' start="{first}"' if _NUMBER.fullmatch(first) else ""
        if attributes.get("type", "") in _LETTERED:
            number += f' type="{attributes["type"]}"'
        if len(first) >= _LONG_NUMBER or attributes.get("type") in {"i", "I"}:
            number += f' style="-qt-list-indent:{self._depth["list"] + 2}"'
        opened = f"<{name}{number}{_kept_attributes(attributes)}>"
        if name == "li" and (following := _BARE_ITEM.match(self._clean, start)):
            # Qt would leave out an item without text of its own.
            opened += "&nbsp;" if following[1] == "/li" else f'<p class="gap">{BREAK}</p>'
        self._push(kind, opened, f"</{name}>")

    def _write_code(self, start: int) -> int:
        end = self._clean.find("</pre>", start)
        inner = self._clean[start:end]
        first = _TAG.match(inner)
        language = _LANGUAGE.search(first[3]) if first and first[2] == "code" else None
        lines = html.unescape(_TAG.sub("", inner)).rstrip("\n").split("\n")
        source = break_runs("\n".join(line[:MAX_CODE_LINE] for line in lines))
        name = html.unescape(language[1]).strip('"') if language else ""
        self.out.append(self._code_box(self._colouring.spans(source, name)))
        return end + len("</pre>")

    @cached_property
    def _colouring(self) -> "CodeColouring":
        from notesearch.markdown.render.code_colouring import CodeColouring

        return CodeColouring()

    def _code_box(self, coloured: str) -> str:
        body = f"<pre>{coloured}</pre>"
        if self._depth["table"] >= MAX_TABLES:
            return body
        return f"{_FRAME.format('code', CODE_PADDING)}<td>{body}</td></tr></table>"

    def _write_element(self, name: str, attributes: Attributes, start: int) -> int:
        """Write an embed, a linked block or a formula; return the position after it.

        Returns 0 and writes nothing for any other element.
        """
        kind = attributes.get("class", "")
        if name == "a" and kind == "embed":
            shown = self._embedded(attributes)
            if shown:
                while self.out and self.out[-1].strip() in {"", "<br>"}:
                    self.out.pop()
                opened, closed = _quote({"class": "embed"})
                self.out.append(f"{opened}{shown}{closed}")
                end = self._clean.find("</a>", start) + len("</a>")
                below = _BREAK_BELOW.match(self._clean, end)
                end = below.end() if below else end
                if _INLINE.match(self._clean, end):
                    self.out.append("<p>")  # else Qt puts the text outside of a list
                return end
        elif name == "a" and kind == "block":
            shown = self._resolver.block(attributes)
            if shown:
                opened, closed = self._resolver.link(attributes)
                self.out.append(f"{opened}{_breakable(shown)}{closed}")
                return self._clean.find("</a>", start) + len("</a>")
        elif kind == "math":
            return self._write_formula(name, start)
        return 0

    def _write_formula(self, name: str, start: int) -> int:
        """Write a formula as a picture, or as source if it cannot be drawn; else return 0."""
        is_display = name == "div"
        end = self._clean.find(f"</{name}>", start)
        source = html.unescape(_TAG.sub("", self._clean[start:end]))
        if not source:
            return end + len(f"</{name}>")
        picture = self._resolver.formula(source, display=is_display)
        cost = _FORMULA * picture.count("<img")
        if is_display:
            cost = cost or self._budget.cost_of("box", _FORMULA_BOX)
        self.was_cut |= not self._budget.spend(cost)
        if picture:
            self.out.append(f'<p class="formula">{picture}</p>' if is_display else picture)
        elif is_display:
            self.out.append(self._code_box(self._colouring.spans(source, "tex")))
        return end + len(f"</{name}>") if picture or is_display else 0

    def _embedded(self, attributes: Attributes) -> str:
        if self._depth["table"] >= MAX_TABLES:
            return ""
        outer, self._budget.tables = self._budget.tables, self._depth["table"] + 1
        shown = self._resolver.embedded(attributes)
        self._budget.tables = outer
        # In the cell of a table, Qt gives an inner table no width of its own.
        return "" if "<table" in shown and self._is_in_grid() else shown

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
        if closer == _ROW_END:
            self._end_row()
        elif closer == _GRID_END:
            self._leftward.pop()
        self.out.append(closer)


def _quote(attributes: Attributes, *, leftward: bool = False) -> tuple[str, str]:
    """Return the opening and closing HTML of a quote: a table with a bar where its lines start."""
    tone = _TONE.search(attributes.get("class", ""))
    kind = tone[0] if tone else "quote"
    opened, bar = f'<td class="quoted-{kind}">', f'<td class="bar-{kind}" width="3"></td>'
    frame = _FRAME.format("quote", 0)
    if leftward:
        return frame + opened, f"</td>{bar}</tr></table>"
    return frame + bar + opened, "</td></tr></table>"


def _runs_leftward(clean: str, start: int, end: str) -> bool:
    """Return whether most letters from ``start`` up to ``end`` are written from right to left."""
    sample = clean[start : start + _DIRECTION_SAMPLE].partition(end)[0]
    kinds = Counter(map(bidirectional, _TAG.sub("", sample)))
    return kinds["R"] + kinds["AL"] > kinds["L"]


def _grid(*, leftward: bool) -> tuple[str, str]:
    kind, side = ("grid leftward", ' align="right"') if leftward else ("grid", "")
    return f'<table class="{kind}" cellspacing="0" cellpadding="0"{side}>', _GRID_END


def _cell(name: str, attributes: Attributes, *, mirrored: bool) -> tuple[str, str]:
    """Return the opening and closing tag of a cell, without a style, which would hide its border.

    Args:
        name: The name of the element.
        attributes: Its attributes.
        mirrored: Whether the columns of the table run from right to left.
    """
    style = attributes.get("style") or f"text-align:{attributes.get('align')}"
    align = _ALIGN.search(style)
    spans = "".join(
        f' {key}="{attributes[key]}"' for key in _SPANS if _SPAN.fullmatch(attributes.get(key, ""))
    )
    side = "right" if mirrored else "left"
    if align:
        side = align[1]
    return f'<{name}{spans} align="{side}">', f"</{name}>"


def _kept_attributes(attributes: Attributes) -> str:
    kept = f' class="{html.escape(attributes["class"])}"' if attributes.get("class") else ""
    align = _ALIGN.search(f"text-align:{attributes.get('align')}")
    kept += f' align="{align[1]}"' if align else ""
    anchor = attributes.get("id", "")
    return f'{kept} id="{anchor}"' if _ANCHOR.fullmatch(anchor) else kept


def _task_box(attributes: Attributes) -> str:
    state = "done" if "checked" in attributes else attributes.get("class", "")
    return f'<img src="ui:{_BOXES.get(state, "unchecked")}">'
