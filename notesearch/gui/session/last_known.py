"""What the preview shows while the folder is not there: a section as it was indexed last."""

import html
from typing import TYPE_CHECKING

from notesearch.errors import NoteMissingError, NotesearchError, VaultMissingError
from notesearch.gui.translation import translate
from notesearch.results import LastKnown, Scope, SectionText

if TYPE_CHECKING:
    from notesearch.library import NoteLibrary


def look_up(
    library: "NoteLibrary", path: str, line: int, scope: Scope, error: NotesearchError
) -> LastKnown | None:
    """Return what is known of a section that cannot be read for ``error``.

    None where the folder is there: then the note alone is gone, and the index is behind.
    """
    if isinstance(error, NoteMissingError) and not library.status().vault_missing:
        return None
    if not isinstance(error, NoteMissingError | VaultMissingError):
        return None
    from notesearch.library import last_known

    return last_known(library, path, line, scope)


def whole(known: LastKnown) -> SectionText:
    """Return the sections as one text, to be copied."""
    first, last = known.sections[0], known.sections[-1]
    parts = [f"{'#' * one.level} {one.heading}\n\n{one.text}".strip() for one in known.sections]
    return SectionText(
        first.path,
        first.title,
        first.heading,
        first.section_path,
        first.level,
        first.line,
        last.end_line,
        "\n\n".join(parts),
        known.subsections,
    )


def page(known: LastKnown) -> str:
    """Return the sections as the preview takes them, headings named by their lines."""
    remark = translate("preview", "This is the text as last indexed, without formatting.")
    parts = [f'<p class="more">{html.escape(remark)}</p>']
    for one in known.sections:
        if one.level:
            named = f'<a name="line-{one.line}"></a>{html.escape(one.heading)}'
            parts.append(f"<h{one.level}>{named}</h{one.level}>")
        paragraphs = html.escape(one.text).split("\n\n")
        parts += [f"<p>{text.replace(chr(10), '<br>')}</p>" for text in paragraphs if text]
    return "".join(parts)
