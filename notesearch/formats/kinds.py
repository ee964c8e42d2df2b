"""Tells the kind of a file by its suffix, and turns a file of any kind into Markdown."""

from collections.abc import Callable, Mapping, Sequence

from notesearch.config import OTHER_SUFFIXES
from notesearch.sentences import Sentence

DRAWING_NOTE = ".excalidraw.md"
PDF = ".pdf"


CHARACTERS = 400_000
"""Characters of a file that are converted line by line; the rest is read as Markdown."""

_BY_LINES = frozenset((".mdx", ".org", ".txt"))


def kind_of(path: str, markdown: Sequence[str]) -> str:
    """Return the kind of the file at ``path``: the end of its name, such as ``.pdf``.

    Returns an empty text for Markdown, that is for all files with a suffix in ``markdown``.
    """
    name = path.lower()
    if name.endswith(DRAWING_NOTE):
        return DRAWING_NOTE
    if not name.endswith(OTHER_SUFFIXES) or name.endswith(tuple(markdown)):
        return ""
    return name[name.rindex(".") :]


def to_markdown(
    kind: str, content: bytes, decode: Callable[[bytes], tuple[str, Sentence]]
) -> tuple[str, Sentence]:
    """Return the Markdown of a file, and a remark on a problem with it; the remark may be empty.

    ``kind`` is the result of ``kind_of``; ``decode`` returns the text of bytes, and a remark.

    Raises:
        NotANoteError: The file cannot be read.
    """
    if kind == PDF:
        from notesearch.formats import pdf

        return pdf.to_markdown(content)
    text, problem = decode(content)
    read = _readers()[kind]
    end = len(text)
    if kind in _BY_LINES and end > CHARACTERS:
        end = text.rfind("\n", 0, CHARACTERS) + 1 or CHARACTERS
    return read(text[:end]) + text[end:], problem


def _readers() -> Mapping[str, Callable[[str], str]]:
    from notesearch.formats import canvas, mdx, org, plain_text

    return {
        ".canvas": canvas.canvas_to_markdown,
        ".excalidraw": canvas.drawing_to_markdown,
        DRAWING_NOTE: canvas.drawn_note_to_markdown,
        ".mdx": mdx.to_markdown,
        ".org": org.to_markdown,
        ".txt": plain_text.to_markdown,
    }
