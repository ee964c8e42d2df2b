"""Markdown as the preview shows it."""

from notesearch.markdown.render.link_resolver import NoteContext
from notesearch.markdown.render.section_html import rendered


def render(source: str, *, first_line: int = 1, around: NoteContext | None = None) -> str:
    """Return ``source`` as an HTML body; its links are resolved in the vault of ``around``."""
    return rendered(source, first_line=first_line, context=around).html
