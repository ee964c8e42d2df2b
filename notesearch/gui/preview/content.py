"""The content of the preview: a rendered section, and what to mark in it."""

import html
from collections.abc import Sequence
from dataclasses import dataclass, field

from PySide6.QtGui import QTextCursor

from notesearch.gui import wording
from notesearch.gui.preview.images import Pictures
from notesearch.gui.translation import translate
from notesearch.notes import Span
from notesearch.results import Scope, SectionLink, SectionText

_MAX_LINKS = 200


@dataclass(frozen=True, slots=True)
class PreviewContent:
    """A section to show in the preview.

    Attributes:
        text: The Markdown source that is shown.
        html: ``text`` rendered, then ``best``, then links to the subsections that ``text`` leaves
            out because it would be too long.
        best: The omitted subsection that answers the query best; None if none does.
        line: Line of the search result; the first line of ``text`` if the result is in another
            note.
        scope: How much of the note around the result is shown.
        is_result_pointed_out: Whether to point out the result within a wider scope.
        modified: When the note was changed, in seconds since the epoch; 0 if unknown.
        outline: All sections of the note.
        pictures: The pictures in ``html``.
        marks: Spans of the query's matches in Qt's document, which counts UTF-16 units.
        nearest: Span of the sentence nearest in meaning to the query, in UTF-16 units.
        target: Span of the block to which a link leads, in UTF-16 units.
        snippet_at: Position of the result's snippet, in UTF-16 units. At first, the first match
            after it is the current one.
        complete: False if a slow part is missing: formulas, pictures or the end of a long text.
    """

    text: SectionText
    html: str
    line: int
    scope: Scope = Scope.SECTION
    is_result_pointed_out: bool = False
    modified: float = 0.0
    outline: tuple[SectionLink, ...] = ()
    pictures: Pictures = field(default_factory=Pictures)
    marks: tuple[Span, ...] = ()
    nearest: Span | None = None
    target: Span | None = None
    snippet_at: int = 0
    complete: bool = True
    best: SectionText | None = None

    @property
    def pointed_out(self) -> Span | None:
        """The span to tint: the block to which a link leads, else the nearest sentence."""
        return self.target or self.nearest


def body_html(section: str, subsections: Sequence[SectionLink]) -> str:
    """Return the HTML of a preview: the HTML ``section``, and below it links to ``subsections``."""
    return f"<body>{section}{_subsection_links(subsections)}</body>"


def _subsection_links(subsections: Sequence[SectionLink]) -> str:
    if not subsections:
        return ""
    top = min(link.level for link in subsections)
    title, untitled = translate("preview", "In this section"), translate("preview", "Untitled")
    lines = "".join(
        f'<p class="subsection depth{link.level - top}">'
        f'<a href="section:{link.line}">{html.escape(link.heading or untitled)}</a>'
        f' <span class="more">{wording.words_text(link.words) if link.words else ""}</span></p>'
        for link in subsections[:_MAX_LINKS]
    )
    return f'<h4 class="subsections">{html.escape(title)}</h4>{lines}'


def listed_line(cursor: QTextCursor) -> int | None:
    """Return the line of the subsection to which the link at ``cursor`` leads; None without one."""
    target = cursor.charFormat().anchorHref()
    scheme, _, line = target.partition(":")
    return int(line) if scheme == "section" else None
