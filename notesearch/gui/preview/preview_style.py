"""The style sheet of the preview's document."""

import re
from dataclasses import dataclass, fields
from enum import Enum
from math import ceil
from string import Template
from typing import Self

from PySide6.QtGui import QFont, QFontDatabase, QFontInfo, QFontMetricsF, QTextDocument, QTextFormat

from notesearch.gui.widgets.theme import Role, Theme, font, points, px

CALLOUT_ICON = 16
"""The side of the icon before the title of a callout, in pixels before scaling."""
TASK_BOX, TASK_GAP = 12, 4
"""The side of a task's box and the space after it, in pixels before scaling."""
ITEM_MARGIN = 5
"""Margin below an item of a list, before scaling."""
CELL_SPACING = 18
"""Space between two columns of a table, before scaling."""
QUOTE_PADDING = 12
"""Space between a quote and its text at the left and at the right, before scaling."""
_INDENT = 22
_LEADING = 1.55
"""Distance from one line of text to the next, as a multiple of the size of the font."""
_TAB = 4
"""The width of a tab in code, in spaces."""
_BACKGROUND = QTextFormat.Property.BackgroundBrush.value
_POINTS = re.compile(r"([0-9.]+)pt\b")


@dataclass(frozen=True, slots=True)
class DisplayFormat:
    """How to draw pictures: the colours, and the font and the width of the surrounding text.

    ``width`` is in device independent pixels, each of which has ``ratio`` device pixels.
    """

    theme: Theme
    font: QFont
    width: int
    ratio: float


class _Background(Enum):
    """Kinds of text, each with its own fully transparent background.

    Qt forgets the HTML element of a text, but keeps its background colour, by which ``Backdrop``
    recognises the kind.
    """

    @property
    def css(self) -> str:
        """A fully transparent CSS colour."""
        return f"rgba({self.value}, 0, 0, 0)"

    @classmethod
    def of(cls, format_: QTextFormat) -> Self | None:
        """Return the kind of text or cell that has the format ``format_``; None for others."""
        if not format_.hasProperty(_BACKGROUND):
            return None
        colour = format_.background().color()
        return None if colour.alpha() else cls(colour.red())


class Inline(_Background):
    """A kind of text in a line that has a box painted behind it: code, a highlight or a key.

    ``HIGHLIGHT`` is a yellow highlight; ``RED`` to ``GREY`` are highlights in other colours.
    """

    CODE = 1
    HIGHLIGHT = 2
    KEY = 3
    RED = 21
    ORANGE = 22
    GREEN = 23
    BLUE = 24
    PURPLE = 25
    PINK = 26
    GREY = 27


class Tone(_Background):
    """A kind of quote, which decides the colour and icon of a callout. ``PLAIN`` is no callout.

    A quote is a table; the background of the cell with its bar stands for the kind.
    """

    NOTE = 11
    TIP = 12
    WARNING = 13
    DANGER = 14
    QUIET = 15
    PLAIN = 16


# Qt itself sizes headings, at 2, 1.5, 1.2 and 1 times the text, and ignores a size in points.
_DOCUMENT = Template("""
body { color: $text; font-size: ${body}pt; }
p, li, dd, dt, div { line-height: $leading%; }
p, div { margin-top: 0; margin-bottom: ${p10}px; }
h1, h2, h3, h4, h5, h6 { color: $text; font-weight: 700; margin-bottom: ${p10}px; }
h1 { margin-top: ${p24}px; margin-bottom: ${p12}px; }
h2 { margin-top: ${p24}px; margin-bottom: ${p10}px; }
h3 { margin-top: ${p20}px; margin-bottom: ${p8}px; }
h4, h5, h6 { margin-top: ${p18}px; margin-bottom: ${p6}px; }
h5, h6 { font-size: medium; color: $text2; }
ul, ol { margin-top: ${p5}px; margin-bottom: ${p10}px; }
ul, ol { list-style-type: none; }
ol { -qt-list-number-suffix: '.'; }
li ul, li ol { margin-top: 0; margin-bottom: 0; }
li { margin-top: 0; margin-bottom: ${item}px; }
li.task { text-indent: -${task}px; }
li.task li, li.task table, li.task * ~ p { text-indent: 0px; }
li.task li.task { text-indent: -${task}px; }
ol > li.task, li.task ol > li.task { text-indent: 0px; }
a { color: $link; text-decoration: none; }
span.broken { color: $text3; text-decoration: underline; }
b, strong, dt { font-weight: 700; }
code, pre, span.kbd { font-family: $mono; font-size: ${code}pt; }
code { color: $code_text; background-color: $inline_code; }
pre { color: $code_text; line-height: 125%; white-space: pre-wrap;
    margin-top: 0; margin-bottom: 0; }
span.kbd { color: $text2; background-color: $inline_key; }
span.mark { background-color: $inline_highlight; }
var.math, div.math { color: $text2; font-style: italic; }
var.tag { color: $accent; font-style: normal; }
p.gap { font-size: 1px; margin-bottom: 0; }
p.formula { text-align: center; }
p.notice, div.footnote { color: $text2; font-size: ${small}pt; }
span.more, p.more, p.caption, span.alt { color: $text3; font-size: ${meta}pt; }
p.subsection { margin-bottom: ${p4}px; }
img { max-width: 100%; }
hr { background-color: $border; margin-bottom: ${p14}px; }
table { margin-top: ${p4}px; margin-bottom: ${p14}px; }
table.code { margin-top: ${p10}px; margin-bottom: ${p10}px; }
table.quote { margin-top: ${p10}px; }
table.grid td, table.grid th {
    padding-top: ${p6}px; padding-bottom: ${p6}px; padding-right: ${cell}px; padding-left: 0;
    border-bottom: 1px solid $border;
}
table.leftward td, table.leftward th { padding-right: 0; padding-left: ${cell}px; }
table.grid th { font-weight: 700; border-bottom: 1px solid $border_strong; }
table.properties td { color: $text2; font-size: ${small}pt; padding-right: ${p18}px;
    padding-top: ${p4}px; padding-bottom: ${p4}px; border-bottom: 1px solid $border; }
table.properties td.key { color: $text3; }
td.bar-quote, td.bar-embed { background-color: $tone_plain; }
td.bar-note { background-color: $tone_note; }
td.bar-tip { background-color: $tone_tip; }
td.bar-warning { background-color: $tone_warning; }
td.bar-danger { background-color: $tone_danger; }
td.bar-quiet { background-color: $tone_quiet; }
td.quoted-quote, td.quoted-quiet, td.quoted-embed,
td.quoted-note, td.quoted-tip, td.quoted-warning, td.quoted-danger {
    padding-left: ${quote}px; padding-right: ${quote}px; padding-top: ${p4}px;
}
td.quoted-note, td.quoted-tip, td.quoted-warning, td.quoted-danger, td.quoted-quiet {
    padding-top: ${p8}px; padding-bottom: ${p8}px;
}
td.quoted-quote { color: $text2; }
p.embed-title { font-size: ${small}pt; margin-bottom: ${p4}px; }
p.callout-title { font-weight: 700; margin-bottom: ${p4}px; -qt-block-indent: 1; }
td.quoted-note > p.callout-title { color: $accent; }
td.quoted-tip > p.callout-title { color: $ok; }
td.quoted-warning > p.callout-title { color: $warn; }
td.quoted-danger > p.callout-title { color: $danger; }
span.k { color: $code_keyword; }
span.f { color: $code_function; }
span.s { color: $code_string; }
span.c { color: $code_comment; }
span.n { color: $code_number; }
span.b { color: $code_builtin; }
""")


TEXT_COLOURS = {
    "red": "danger",
    "orange": "code_number",
    "yellow": "warn",
    "green": "ok",
    "blue": "link",
    "purple": "code_builtin",
    "pink": "code_keyword",
    "grey": "text3",
}
"""The colours that a note may ask for in HTML, and their names in the theme."""


def _coloured_css(theme: Theme) -> str:
    rules = [
        f"span.{name} {{ color: {getattr(theme, own)}; }}" for name, own in TEXT_COLOURS.items()
    ]
    for name in TEXT_COLOURS:
        ground = Inline.HIGHLIGHT if name == "yellow" else Inline[name.upper()]
        # On a coloured highlight, a colour of text would have too little contrast.
        ink = f"color: {theme.text};"
        rules.append(f"span.mark-{name} {{ background-color: {ground.css}; {ink} }}")
        rules.append(f"span.mark-{name} span {{ {ink} }}")
    return "\n".join(rules)


def _document_css(theme: Theme, body: QFont) -> str:
    """Return the style sheet for HTML from ``markdown.render``; ``body`` is the text's font."""
    values: dict[str, object] = {f.name: getattr(theme, f.name) for f in fields(theme)}
    values |= {f"inline_{kind.name.lower()}": kind.css for kind in Inline}
    values |= {f"tone_{tone.name.lower()}": tone.css for tone in Tone}
    values |= {f"p{n}": px(n) for n in (4, 5, 6, 8, 10, 12, 14, 18, 20, 24)}
    letters = _letter_height(body)
    task_box = px(TASK_BOX) + px(TASK_GAP) + QFontMetricsF(body).horizontalAdvance(" ")
    values |= {
        # In percent of the font's own line height, which differs between fonts.
        "leading": 100 * (letters + line_distance(body)) / letters,
        "item": px(ITEM_MARGIN),
        "cell": px(CELL_SPACING),
        "quote": px(QUOTE_PADDING),
        "task": round(task_box),
        "body": points(Role.BODY),
        "small": points(Role.SNIPPET),
        "meta": points(Role.META),
        "code": points(Role.CODE),
        "mono": f"'{QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont).family()}'",
    }
    return _DOCUMENT.substitute(values) + _coloured_css(theme)


def line_distance(body: QFont) -> int:
    """Return the space between two lines of letters of the font ``body``, in pixels."""
    return round(_LEADING * QFontInfo(body).pixelSize()) - _letter_height(body)


def _letter_height(body: QFont) -> int:
    """Return the height of a line in pixels, which Qt rounds up."""
    return ceil(QFontMetricsF(body).height())


def apply_style(document: QTextDocument, theme: Theme, zoom: int) -> None:
    """Give ``document`` the look of ``theme``; ``zoom`` is the size of the text in percent."""
    body = font(Role.BODY)
    body.setPointSizeF(body.pointSizeF() * zoom / 100)
    if theme.preview_font:
        body.setFamily(_family(theme.preview_font))
    css = _POINTS.sub(
        lambda size: f"{float(size[1]) * zoom / 100:.2f}pt", _document_css(theme, body)
    )
    document.setDefaultFont(body)
    document.setDefaultStyleSheet(css)
    document.setDocumentMargin(0)
    document.setIndentWidth(px(_INDENT))
    code = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
    code.setPointSizeF(points(Role.CODE) * zoom / 100)
    lines = document.defaultTextOption()
    lines.setTabStopDistance(_TAB * QFontMetricsF(code).horizontalAdvance(" "))
    document.setDefaultTextOption(lines)


def _family(name: str) -> str:
    """Return the font family ``name``, or the system's serif family for ``serif``."""
    if name != "serif":
        return name
    serif = QFont()
    serif.setStyleHint(QFont.StyleHint.Serif)
    return serif.defaultFamily() or name
