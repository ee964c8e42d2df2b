"""Turns the Markdown source of one section into safe HTML; the preview's door to this package.

The stages: bound the size (here), Markdown to HTML (``dialect``), clean by an allowlist
(``sanitize``), then the shape Qt can lay out, with links and images rewritten (``shape``).
The HTML names no colour: the preview's style sheet does, so a theme change renders nothing anew.
"""

import html

MAX_SOURCE = 200_000
"""Characters of a section that are shown; layout time grows with them, in the GUI thread."""
MAX_LINES = 5000


def render(source: str, *, first_line: int = 1) -> str:
    """Return ``source`` as an HTML body that is safe to show, whatever it holds; never raises.

    Headings carry the anchor ``line-N``. Links have the schemes ``http``, ``https``, ``mailto`` or
    ``note:`` and a percent-encoded target. Images have ``image:`` and a percent-encoded relative
    path, perhaps with ``#`` and a width, or ``ui:`` for what the preview draws itself. The first
    call imports the parsers.

    Args:
        source: Markdown, without front matter.
        first_line: Line of the note that ``source`` starts at.
    """
    from notesearch.markdown import dialect, sanitize, shape

    shown, was_cut = _cut(source)
    try:
        return shape.for_qt(sanitize.clean(dialect.to_html(shown, first_line)), was_cut=was_cut)
    except (RecursionError, RuntimeError, ValueError, IndexError, KeyError):
        return _plain(shown)


def _cut(source: str) -> tuple[str, bool]:
    """Return ``source`` within the limits, cut at the end of a line."""
    end = len(source)
    if end > MAX_SOURCE:
        line_end = source.rfind("\n", MAX_SOURCE // 2, MAX_SOURCE)
        end = line_end if line_end > 0 else MAX_SOURCE
    lines = source[:end].split("\n", MAX_LINES)
    if len(lines) > MAX_LINES:
        end -= len(lines[-1])
    return source[:end], end < len(source)


def _plain(source: str) -> str:
    """Return the source itself as the last resort: a parser that fails must not cost the note."""
    return "".join(f"<p>{html.escape(line)}</p>" for line in source.split("\n"))
