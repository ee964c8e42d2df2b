"""Turns the Markdown of one section into safe HTML for the preview.

The stages are: limit the size (here), turn Markdown into HTML (``default_dialect`` or ``mkdocs``),
sanitise it (``sanitizer``), then adapt it to Qt and resolve links and images (``qt_html``). The
HTML contains no colours, because the preview's style sheet has them. So a new theme needs no new
rendering.
"""

import html
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from notesearch.markdown.bounds import Check, LayoutBudget, never_cancel

if TYPE_CHECKING:
    from notesearch.markdown.render.link_resolver import LinkResolver, NoteContext
    from notesearch.notes import Property
    from notesearch.results import SectionText

MAX_EMBEDDED = 20_000
MAX_PROPERTIES = 100
MAX_VALUE = 300
SECONDS = 2.0
"""How long a section may wait for the vault's own dialect, and usually for its formulas."""
MAX_SOURCE = 200_000
"""Characters of a section to show, because Qt lays them out in the GUI thread."""
AT_ONCE = 30_000
"""Maximum characters of a section, and of the notes embedded in it, in a first look."""
MAX_LINES = 5000
_DEFINITION = re.compile(r"^ {0,3}\[[^\]^\n][^\]\n]{0,200}\]:.+$", re.MULTILINE)
"""The address of a link, which may be written far below the link."""


@dataclass(frozen=True, slots=True)
class Rendered:
    """An HTML body that is safe to show.

    Headings have the anchor ``line-N``. Links have the scheme ``http``, ``https``, ``mailto`` or
    ``note``. After ``note:`` comes the percent-encoded target, which starts with a slash if it is a
    path from the top of the vault. The address of a picture is ``image:`` and a percent-encoded
    path, with ``#`` and a width in pixels if the note gives one; ``math:`` and a formula, as
    ``formulas.ADDRESS`` says; or ``ui:`` and the name of a picture that the preview draws.

    Attributes:
        html: The body.
        whole: False for the beginning of a section, and if there was too little time for a formula
            or for the vault's own dialect.
        formulas: The drawings of formulas, as in ``FormulaPainter.drawings``.
    """

    html: str
    whole: bool = True
    formulas: Mapping[str, bytes] = field(default_factory=dict)


def warm_up() -> None:
    """Import the modules that most notes need, so that the first section is rendered at once."""
    rendered("# a\n\n```python\na = 1\n```\n")


def rendered(
    source: str,
    *,
    first_line: int = 1,
    context: "NoteContext | None" = None,
    properties: "Sequence[Property]" = (),
    seconds: float = SECONDS,
    at_once: float | None = None,
    check: Check = never_cancel,
) -> Rendered:
    """Return Markdown as safe HTML, below a table of the note's ``properties``.

    The formulas may take ``seconds``. ``at_once`` asks for a first look: the paragraphs, lists and
    tables that begin in so many characters. ``check`` is called from time to time, and may raise an
    error to cancel.
    """
    from notesearch.markdown.render.formulas import FormulaPainter
    from notesearch.markdown.render.link_resolver import LinkResolver

    formulas = FormulaPainter(seconds, check)
    is_ready = not context or context.ready(min(seconds, SECONDS))
    most = MAX_SOURCE
    was_cut = False
    if at_once is not None:
        most = AT_ONCE
        source, was_cut = _beginning(source, int(min(at_once, AT_ONCE)))
    budget = LayoutBudget(most - len(source))

    def embedded(text: "SectionText", inner_context: "NoteContext") -> str:
        shown = budget.take_text(text.complete, MAX_EMBEDDED)
        inner = LinkResolver(formulas, budget, inner_context)
        return _html(shown, text.line, inner, inner_context, check) if shown else ""

    resolver = LinkResolver(formulas, budget, context, embedded)
    shown = _html(source, first_line, resolver, context, check)
    was_cut |= at_once is not None and budget.characters < 0
    whole = is_ready and formulas.whole and not was_cut
    return Rendered(_properties_table(properties) + shown, whole, formulas.drawings)


def _html(
    source: str,
    first_line: int,
    resolver: "LinkResolver",
    context: "NoteContext | None",
    check: Check,
) -> str:
    from notesearch.markdown.render import default_dialect, qt_html, sanitizer
    from notesearch.markdown.sections.properties import without_exported

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


def _beginning(source: str, characters: int) -> tuple[str, bool]:
    """Return the paragraphs that begin in so many ``characters``, and whether more follows.

    The addresses of links that are written below are added, so that the links are shown as such.
    """
    end = source.find("\n\n", characters)
    if end < 0 and len(source) <= AT_ONCE:
        return source, False
    beginning = _cut(source, min(end, AT_ONCE) if end >= 0 else AT_ONCE)[0]
    addresses = _DEFINITION.findall(source, len(beginning))
    return "\n\n".join([beginning, *addresses]), True


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
