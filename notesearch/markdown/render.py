"""Turns the Markdown source of one section into safe HTML; the preview's door to this package.

The stages: bound the size (here), Markdown to HTML (``dialect``), clean by an allowlist
(``sanitize``), then the shape Qt can lay out, with links and images rewritten (``shape``).
The HTML names no colour: the preview's style sheet does, so a theme change renders nothing anew.
"""

import html
from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING

from notesearch.markdown.portions import Check, carry_on

if TYPE_CHECKING:
    from notesearch.markdown.references import References
    from notesearch.markdown.surroundings import Surroundings
    from notesearch.notes import Property
    from notesearch.results import SectionText

MAX_EMBEDDED = 20_000
"""Characters of an embedded note that are shown."""
MAX_PROPERTIES = 100
MAX_VALUE = 300
"""Characters of one of them."""
FORMULA_SECONDS = 2.0
MAX_SOURCE = 200_000
"""Characters of a section that are shown; layout time grows with them, in the GUI thread."""
AT_ONCE = 30_000
"""Characters that are shown before the others."""
MAX_LINES = 5000


@dataclass(frozen=True, slots=True)
class FirstLook:
    """As much of a section as a window shows at once; the others take their time.

    Attributes:
        lines: Of text, each as high as its letters: so many are shown, or somewhat more,
        line: from the heading at this line of the note on.
    """

    lines: float = inf
    line: int = 0


@dataclass(frozen=True, slots=True)
class Rendered:
    """An HTML body that is safe to show.

    Attributes:
        whole: False where there was more, or something was left as source for want of time.
    """

    html: str
    whole: bool = True


def render(source: str, *, first_line: int = 1, around: "Surroundings | None" = None) -> str:
    """Return ``source`` as an HTML body that is safe to show, whatever it holds; never raises.

    Headings carry the anchor ``line-N``. Links have the schemes ``http``, ``https``, ``mailto`` or
    ``note:`` and a percent-encoded target, which begins with a slash where it is a path from the
    top of the vault. Images have ``image:`` and a percent-encoded path, perhaps with ``#`` and a
    width, ``math:`` and a packed picture, or ``ui:`` for what the preview draws itself. The first
    call imports the parsers.

    Args:
        source: Markdown, without front matter.
        first_line: Line of the note that ``source`` starts at.
        around: What the vault knows of its links; without it they stay as written.
    """
    return rendered(source, first_line=first_line, around=around).html


def warm_up() -> None:
    """Import what most notes need, so that no section has to wait for it."""
    render("# a\n\n```python\na = 1\n```\n")


def rendered(
    source: str,
    *,
    first_line: int = 1,
    around: "Surroundings | None" = None,
    properties: "Sequence[Property]" = (),
    seconds: float = FORMULA_SECONDS,
    look: FirstLook | None = None,
    check: Check = carry_on,
) -> Rendered:
    """Return ``source`` as ``render`` does, below a table of its note's ``properties``.

    The vault's own dialect is waited for, and formulas are drawn, for some ``seconds``. What
    ``check`` raises while it is at work ends it.
    """
    from notesearch.markdown.allowance import Allowance
    from notesearch.markdown.formulas import Drawing
    from notesearch.markdown.references import References

    most = AT_ONCE if look else MAX_SOURCE
    drawing = Drawing(seconds)
    if around and not around.ready(seconds):
        drawing.whole = False

    def embedded(text: "SectionText", its_own: "Surroundings") -> str:
        shown = allowance.read(text.text, MAX_EMBEDDED)
        inner = References(drawing, allowance, its_own)
        return _html(shown, text.line, inner, its_own, check) if shown else ""

    if look and len(source) > most:
        source = _cut(source, most)[0]
        drawing.whole = False
    start = f"line-{look.line}" if look and look.line else ""
    allowance = Allowance(most - len(source), look.lines if look else inf, start)
    references = References(drawing, allowance, around, embedded)
    shown = _html(source, first_line, references, around, check)
    whole = drawing.whole and (allowance.whole or not look)
    return Rendered(_table(properties) + shown, whole)


def _html(
    source: str,
    first_line: int,
    references: "References",
    around: "Surroundings | None",
    check: Check,
) -> str:
    from notesearch.markdown import dialect, sanitize, shape

    shown, was_cut = _cut(source)
    try:
        own = around.html(shown, first_line, check) if around else None
        usual = dialect.to_html(shown, first_line, check=check) if own is None else own
        clean = sanitize.clean(usual)
        return shape.for_qt(clean, references, was_cut=was_cut)
    except (RecursionError, RuntimeError, ValueError, IndexError, KeyError):
        return _plain(shown)


def _table(properties: "Sequence[Property]") -> str:
    """Return the front matter as a small table of plain text."""
    values: dict[str, list[str]] = {}
    for value in properties[:MAX_PROPERTIES]:
        values.setdefault(value.key, []).append(value.text[:MAX_VALUE])
    if not values:
        return ""
    rows = "".join(
        f'<tr><td class="key">{html.escape(key)}</td><td>{html.escape(", ".join(texts))}</td></tr>'
        for key, texts in values.items()
    )
    return f'<table class="properties" cellspacing="0" cellpadding="0">{rows}</table>\n'


def _cut(source: str, most: int = MAX_SOURCE) -> tuple[str, bool]:
    """Return ``source`` within the limits, cut at the end of a line."""
    end = len(source)
    if end > most:
        line_end = source.rfind("\n", most // 2, most)
        end = line_end if line_end > 0 else most
    lines = source[:end].split("\n", MAX_LINES)
    if len(lines) > MAX_LINES:
        end -= len(lines[-1])
    return source[:end], end < len(source)


def _plain(source: str) -> str:
    """Return the source itself as the last resort: a parser that fails must not cost the note."""
    return "".join(f"<p>{html.escape(line)}</p>" for line in source.split("\n"))
