"""Turns Markdown into safe HTML: ``render`` for any caller, ``section_html`` for the preview."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from notesearch.markdown.render.link_resolver import NoteContext


def render(source: str, *, first_line: int = 1, around: "NoteContext | None" = None) -> str:
    """Return ``source`` as an HTML body that is safe to show; never raises.

    Headings have the anchor ``line-N``. Links have the scheme ``http``, ``https``, ``mailto`` or
    ``note``. After ``note:`` comes the percent-encoded target, which starts with a slash if it is a
    path from the top of the vault. The address of a picture is ``image:`` and a percent-encoded
    path, with ``#`` and a width in pixels if the note gives one; ``math:`` and a compressed
    formula; or ``ui:`` and the name of a picture that the preview draws. The first call imports the
    parsers.

    Args:
        source: Markdown without front matter.
        first_line: The note's line at which ``source`` starts.
        around: Resolves the note's links in its vault; without it, links stay as written.
    """
    from notesearch.markdown.render.section_html import rendered

    return rendered(source, first_line=first_line, context=around).html
