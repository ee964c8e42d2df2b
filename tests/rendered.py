"""Markdown as the HTML of the preview."""

from notesearch.markdown.render.link_resolver import NoteContext
from notesearch.markdown.render.section_html import rendered


def render(source: str, *, first_line: int = 1, around: NoteContext | None = None) -> str:
    """Return ``source`` as HTML; ``around`` resolves its links."""
    return rendered(source, first_line=first_line, context=around).html
