"""Turns other kinds of files into Markdown: PDF, canvases, drawings, Org, plain text.

The suffix of a file tells its kind. After that, the program treats the file like a note.
"""

from collections.abc import Callable, Mapping, Sequence

from notesearch.config import OTHER_SUFFIXES
from notesearch.messages import Sentence

DRAWING_NOTE = ".excalidraw.md"
PDF = ".pdf"

CHARACTERS = 400_000
"""Characters of a file that are converted line by line; the rest is read as Markdown."""

_BY_LINES = frozenset((".adoc", ".asciidoc", ".mdx", ".org", ".txt", ".wiki"))


def kind_of(path: str, markdown: Sequence[str]) -> str:
    """Return the end of the file's name, such as ``.pdf``; empty for Markdown."""
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
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    read = _readers()[kind]
    end = len(text)
    if kind in _BY_LINES and end > CHARACTERS:
        end = text.rfind("\n", 0, CHARACTERS) + 1 or CHARACTERS
    return read(text[:end]) + text[end:], problem


def _readers() -> Mapping[str, Callable[[str], str]]:
    from notesearch.formats import drawings, markup, org

    return {
        ".canvas": drawings.canvas_to_markdown,
        ".excalidraw": drawings.drawing_to_markdown,
        DRAWING_NOTE: drawings.drawing_note_to_markdown,
        ".mdx": markup.mdx_to_markdown,
        ".org": org.to_markdown,
        ".txt": markup.text_to_markdown,
        **dict.fromkeys((".adoc", ".asciidoc"), markup.asciidoc_to_markdown),
        ".wiki": markup.vimwiki_to_markdown,
        **dict.fromkeys((".qmd", ".rmd", ".mdown", ".mkd"), str),  # Markdown, too
    }
