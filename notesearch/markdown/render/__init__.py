"""Structure to HTML: ``render`` for any caller, ``section_html`` for the preview."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from notesearch.markdown.render.link_resolver import NoteContext


def render(source: str, *, first_line: int = 1, around: "NoteContext | None" = None) -> str:
    """Return ``source`` as an HTML body that is safe to show; never raises.

    Headings carry the anchor ``line-N``. Links have the scheme ``http``, ``https``, ``mailto`` or
    ``note:``; the latter comes with a percent-encoded target, which starts with a slash if it is a
    path from the top of the vault. Images have ``image:`` with a percent-encoded path, perhaps
    followed by ``#`` and a width; ``math:`` with a compressed picture; or ``ui:`` for what the
    preview draws itself. The first call imports the parsers.

    Args:
        source: Markdown without front matter.
        first_line: The note's line at which ``source`` starts.
        around: What the vault knows of the note's links; without it they stay as written.
    """
    from notesearch.markdown.render.section_html import rendered

    return rendered(source, first_line=first_line, context=around).html
