"""Turns the Markdown of one section into safe HTML for the preview.

The stages are: limit the size (here), turn Markdown into HTML (``default_dialect`` or ``mkdocs``),
sanitise it (``sanitizer``), then adapt it to Qt and resolve links and images (``qt_html``). The
HTML contains no colours, because the preview's style sheet has them. So a new theme needs no new
rendering.
"""

import html
from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING

from notesearch.markdown.bounds import Check, LayoutBudget, never_cancel

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
    """The part to render first: ``lines`` lines from the heading at ``line``.

    If ``line`` is 0, the part begins with the section.
    """

    lines: float = inf
    line: int = 0


@dataclass(frozen=True, slots=True)
class Rendered:
    """An HTML body that is safe to show.

    Headings have the anchor ``line-N``. Links have the scheme ``http``, ``https``, ``mailto`` or
    ``note``. After ``note:`` comes the percent-encoded target, which starts with a slash if it is a
    path from the top of the vault. The address of a picture is ``image:`` and a percent-encoded
    path, with ``#`` and a width in pixels if the note gives one; ``math:`` and a compressed
    formula; or ``ui:`` and the name of a picture that the preview draws.

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

    The vault's own dialect and the formulas may each take ``seconds``. With ``look``, only that
    part is rendered. ``check`` is called from time to time, and may raise an error to cancel.
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
