"""Turns the Markdown of one section into safe HTML for the preview.

The stages are: limit the size (here), turn Markdown into HTML (``default_dialect`` or ``mkdocs``),
sanitise it (``sanitizer``), then adapt it to Qt and resolve links and images (``qt_html``). The
HTML contains no colours, because the preview's style sheet has them. So a new theme needs no new
rendering.
"""

import html
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, inf
from typing import TYPE_CHECKING

from notesearch.markdown.bounds import Check, never_cancel

if TYPE_CHECKING:
    from notesearch.markdown.render.link_resolver import LinkResolver, NoteContext
    from notesearch.notes import Property
    from notesearch.results import SectionText

MAX_EMBEDDED = 20_000
MAX_PROPERTIES = 100
MAX_VALUE = 300
FORMULA_SECONDS = 2.0
MAX_SOURCE = 200_000
"""Characters of a section to show, because Qt lays them out in the GUI thread."""
AT_ONCE = 30_000
"""Characters of a section to show in a first look."""
MAX_LINES = 5000


@dataclass(frozen=True, slots=True)
class FirstLook:
    """The part of a section to render first: ``lines`` from the heading at ``line``, or from 0."""

    lines: float = inf
    line: int = 0


@dataclass(frozen=True, slots=True)
class Rendered:
    """An HTML body that is safe to show.

    Attributes:
        html: The body.
        whole: False if a first look left something out, or if there was too little time for a
            formula or for the vault's own dialect.
    """

    html: str
    whole: bool = True


def warm_up() -> None:
    """Import the modules that most notes need, so that the first section is rendered at once."""
    rendered("# a\n\n```python\na = 1\n```\n")


def rendered(
    source: str,
    *,
    first_line: int = 1,
    context: "NoteContext | None" = None,
    properties: "Sequence[Property]" = (),
    seconds: float = FORMULA_SECONDS,
    look: FirstLook | None = None,
    check: Check = never_cancel,
) -> Rendered:
    """Return Markdown as safe HTML, below a table of the note's ``properties``.

    It waits ``seconds`` for the vault's own dialect and for formulas, and shows only ``look``, if
    given. ``check`` is called from time to time, and may raise an error to cancel.
    """
    from notesearch.markdown.render.formulas import FormulaPainter
    from notesearch.markdown.render.link_resolver import LinkResolver

    most = AT_ONCE if look else MAX_SOURCE
    formulas = FormulaPainter(seconds)
    is_ready = not context or context.ready(seconds)

    def embedded(text: "SectionText", inner_context: "NoteContext") -> str:
        shown = budget.take_text(text.complete, MAX_EMBEDDED)
        inner = LinkResolver(formulas, budget, inner_context)
        return _html(shown, text.line, inner, inner_context, check) if shown else ""

    was_cut = look is not None and len(source) > most
    if was_cut:
        source = _cut(source, most)[0]
    start = f"line-{look.line}" if look and look.line else ""
    budget = LayoutBudget(most - len(source), look.lines if look else inf, start)
    resolver = LinkResolver(formulas, budget, context, embedded)
    shown = _html(source, first_line, resolver, context, check)
    whole = is_ready and not was_cut and formulas.whole and (budget.whole or not look)
    return Rendered(_properties_table(properties) + shown, whole)


def _html(
    source: str,
    first_line: int,
    resolver: "LinkResolver",
    context: "NoteContext | None",
    check: Check,
) -> str:
    from notesearch.markdown.render import default_dialect, qt_html, sanitizer
    from notesearch.markdown.sections.front_matter import without_exported

    shown, was_cut = _cut(without_exported(source))
    try:
        unsafe = context.html(shown, first_line, check) if context else None
        if unsafe is None:
            unsafe = default_dialect.to_html(shown, first_line, check=check)
        return qt_html.for_qt(sanitizer.clean(unsafe), resolver, was_cut=was_cut)
    except (RecursionError, RuntimeError, ValueError, IndexError, KeyError):
        return _plain(shown)


def _properties_table(properties: "Sequence[Property]") -> str:
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
    """Return the beginning of ``source`` within the limits, and whether something was cut off."""
    end = len(source)
    if end > most:
        line_end = source.rfind("\n", most // 2, most)
        end = line_end if line_end > 0 else most
    lines = source[:end].split("\n", MAX_LINES)
    if len(lines) > MAX_LINES:
        end -= len(lines[-1])
    return source[:end], end < len(source)


def _plain(source: str) -> str:
    return "".join(f"<p>{html.escape(line)}</p>" for line in source.split("\n"))


MAX_COST = 13_000
"""Cost of laying out a section. A usual tag costs 1, slow ones such as those of tables more."""
MAX_PICTURES = 200
_CHEAP_COUNTS = {"box": 160, "cell": 900, "heading": 800}
"""How many of each have the usual cost: formulas shown as source (``box``), table cells, headings.
All further ones cost more, because many of them are slow to lay out."""
_EXPENSIVE_FACTOR = 5
_CELL_CHARACTERS = 24_000
"""Characters in table cells without extra cost; Qt lays them out for several column widths."""
_LINE_CHARACTERS = 100
"""Characters of a line in the preview, for an estimate of the lines shown."""


class LayoutBudget:
    """How much of a section and its embedded notes may still be shown.

    Attributes:
        characters: Markdown characters that may still be read.
        cost: Layout cost that may still be spent.
        lines: Lines of text that may still be laid out, from the anchor ``start`` on.
        tables: The number of tables around the next piece of HTML.
        whole: False if text was left out because it had too many characters or lines.
    """

    def __init__(self, characters: int, lines: float = inf, start: str = "") -> None:
        self.characters = characters
        self.lines = lines
        self._start = start
        self._cheap_counts = dict(_CHEAP_COUNTS)
        self._cell_characters = _CELL_CHARACTERS
        self.cost = MAX_COST
        self.pictures = MAX_PICTURES
        self.tables = 0
        self.whole = True

    def take_text(self, text: str, most: int) -> str:
        """Return up to ``most`` characters of ``text``, fewer if the budget runs out."""
        shown = text[: min(most, max(0, self.characters))]
        self.whole = self.whole and len(shown) == min(most, len(text))
        self.characters -= len(shown)
        return shown

    def spend(self, cost: int) -> bool:
        """Subtract ``cost`` from the budget; return whether the budget was enough."""
        self.cost -= cost
        return self.cost >= 0

    def cost_of(self, kind: str, cost: int) -> int:
        """Count one element of a ``kind``; return its usual ``cost``, or more if there are many."""
        self._cheap_counts[kind] -= 1
        return cost if self._cheap_counts[kind] >= 0 else _EXPENSIVE_FACTOR * cost

    def excess_cell_characters(self, characters: int) -> int:
        """Count characters of a table cell; return how many of them cost extra."""
        self._cell_characters -= characters
        return max(0, min(characters, -self._cell_characters))

    def pass_anchor(self, anchor: str) -> None:
        """Start to count lines if ``anchor`` is the ``start`` given to the constructor."""
        if anchor == self._start:
            self._start = ""

    def count_lines(self, characters: int, lines: int = 0) -> None:
        """Subtract lines from the budget: ``lines``, and an estimate for ``characters`` of text."""
        if not self._start:
            self.lines -= characters / _LINE_CHARACTERS + lines

    def code_lines(self, lines: int) -> int:
        """Return how many of the ``lines`` of a code block may be shown."""
        return lines if self._start or self.lines >= lines else max(0, ceil(self.lines)) + 1
