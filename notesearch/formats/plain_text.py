"""Turns plain text into Markdown, line by line.

A heading is a line with ``#`` between empty lines, or an underlined line. Nothing else is syntax,
except in pages of Zim, the highlights of a Kindle and the journals of Day One.
"""

import re
from collections.abc import Iterator
from itertools import pairwise

from notesearch.formats import zim
from notesearch.formats.markdown_text import dedented, literal, literal_block

_HEADING = re.compile(r"#{1,6} \S.{0,200}")
_UNDERLINE = re.compile(r"={3,}|-{3,}")
_CLIPPING_END = "=" * 10
_CLIPPING = re.compile(
    rf"\A\S[^\n]*\n- [^\n]*\|[^\n]*\n\n(?:[^\n]*\n){{0,200}}{_CLIPPING_END}(?:\n|\Z)"
)
"""The first highlight in a file that a Kindle writes."""


_ENTRY = re.compile(r"\tDate:\t(\S.*)")
"""The first line of an entry in a journal that Day One exports."""

_ENTRY_LINE = re.compile(r"\t([A-Z][\w ]{0,20}):\t(.*)")


def to_markdown(text: str) -> str:
    """Return the Markdown of a plain text, with the same number of lines."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if zim.is_page(text):
        return zim.to_markdown(text)
    lines = text.split("\n")
    if _CLIPPING.search(text):
        return "\n".join(_clippings(lines))
    if _ENTRY.match(text):
        return "\n".join(_entries(lines))
    shown: list[str] = []
    for number, line in enumerate(dedented(lines)):
        above = lines[number - 1] if number else ""
        if _is_heading(lines, number) or _is_underline(lines, number):
            shown.append(line.rstrip())
        else:
            shown.append(literal_block(literal(line.rstrip(), for_notes=True), above))
    return "\n".join(_with_breaks(shown))


def _clippings(lines: list[str]) -> Iterator[str]:
    """Yield the lines of a file of highlights from a Kindle; the title above each is a heading."""
    above = _CLIPPING_END
    for line in lines:
        shown = literal(line.strip("\ufeff "))
        if line == _CLIPPING_END:
            yield ""
        else:
            yield f"# {shown}" if above == _CLIPPING_END and shown else literal_block(shown)
        above = line


def _entries(lines: list[str]) -> Iterator[str]:
    """Yield the lines of a journal from Day One, whose text is Markdown; dates are headings."""
    for line in lines:
        entry, detail = _ENTRY.fullmatch(line), _ENTRY_LINE.fullmatch(line)
        if entry:
            yield f"# {entry[1]}"
        else:
            yield f"{detail[1]}: {literal(detail[2])}  " if detail else line


def _is_heading(lines: list[str], number: int) -> bool:
    above = lines[number - 1] if number else ""
    below = lines[number + 1] if number + 1 < len(lines) else ""
    is_alone = not above.strip() and not below.startswith("#")
    return is_alone and bool(_HEADING.fullmatch(lines[number].rstrip()))


def _is_underline(lines: list[str], number: int) -> bool:
    """Return whether the line at index ``number`` underlines a heading.

    The heading is the line above, which has an empty line or nothing above it.
    """
    if number == 0 or not _UNDERLINE.fullmatch(lines[number].rstrip()):
        return False
    above = lines[number - 2] if number > 1 else ""
    heading = lines[number - 1]
    return bool(heading.strip()) and not heading[0].isspace() and not above.strip()


def _with_breaks(lines: list[str]) -> list[str]:
    """Return ``lines`` with a line break of Markdown at each end of a line within a paragraph."""
    return [
        f"{line}  "
        if line.strip()
        and after.strip()
        and not (_HEADING.match(line) or _UNDERLINE.fullmatch(after))
        else line
        for line, after in pairwise([*lines, ""])
    ]
