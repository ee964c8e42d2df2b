"""Turns Markdown into safe HTML: ``render`` for scripts, ``section_html`` for the preview."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from notesearch.markdown.render.link_resolver import NoteContext


def render(source: str, *, first_line: int = 1, around: "NoteContext | None" = None) -> str:
    """Return ``source`` as an HTML body that is safe to show; never raises.

    ``Rendered`` describes the body. Its first call imports the parsers. Scripts outside the program
    call this function, so its name and those of its arguments stay.

    Args:
        source: Markdown without front matter.
        first_line: The note's line at which ``source`` starts.
        around: Resolves the note's links in its vault; without it, links stay as written.
    """
    from notesearch.markdown.render.section_html import rendered

    return rendered(source, first_line=first_line, context=around).html
