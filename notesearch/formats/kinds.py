"""Recognises the kind of a file by its suffix, and turns a file of any kind into Markdown.

Notes of Dendron and of wikis on GitHub count as a kind of their own, because they have the label of
a link first: ``[[Great keel|projects.keel]]``. Such a vault may also contain links of other
programs, which write the note first. A second part without spaces is the note, unless only the
first is a file.
"""

import os
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

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
    from notesearch.formats import drawings, markup, org, plain_text

    return {
        ".canvas": drawings.canvas_to_markdown,
        ".excalidraw": drawings.drawing_to_markdown,
        DRAWING_NOTE: drawings.drawing_note_to_markdown,
        ".mdx": markup.mdx_to_markdown,
        ".org": org.to_markdown,
        ".txt": plain_text.to_markdown,
        **dict.fromkeys((".adoc", ".asciidoc"), markup.asciidoc_to_markdown),
        ".wiki": markup.vimwiki_to_markdown,
        **dict.fromkeys((".qmd", ".rmd", ".mdown", ".mkd"), str),  # Markdown, too
    }


_NAME = re.compile(r"[^/\\:]+")
"""The name of a note; a path could lead out of the vault, even to another computer."""

_WORDS_FIRST = re.compile(r"\[\[([^\[\]|\\\n]+)\|([^\[\]|\s]+)\]\]")


_MARKS_OF_WORDS_FIRST = ("dendron.yml", "root.schema.yml", "_Sidebar.md", "_Footer.md")


def has_words_first(folder: Path) -> bool:
    """Return whether ``folder`` is a workspace or a vault of Dendron, or a wiki of GitHub."""
    return any((folder / name).is_file() for name in _MARKS_OF_WORDS_FIRST)


def with_notes_first(text: str, folder: Path) -> str:
    """Return the ``text`` of a note in ``folder`` with the note first in each link."""

    def turned(link: re.Match[str]) -> str:
        has_note_first = _exists(link[1]) and not _exists(link[2])
        return link[0] if has_note_first else f"[[{link[2]}|{link[1]}]]"

    def _exists(name: str) -> bool:
        name = name.partition("#")[0].strip()
        return bool(_NAME.fullmatch(name)) and os.path.lexists(folder / f"{name}.md")

    return _WORDS_FIRST.sub(turned, text) if "[[" in text else text
