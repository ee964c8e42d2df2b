"""Turns plain text files into Markdown.

A heading is a line with ``#`` between empty lines, or an underlined line. Nothing else is syntax,
except in pages of Zim and DokuWiki, the highlights of a Kindle, and journals of Day One.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise

from notesearch.formats.markdown_writing import dedented, literal, literal_block

_TEXT_HEADING = re.compile(r"#{1,6} \S.{0,200}")
_TEXT_UNDERLINE = re.compile(r"={3,}|-{3,}")
_CLIPPING_END = "=" * 10
_CLIPPING = re.compile(
    rf"\A\S[^\n]*\n- [^\n]*\|[^\n]*\n\n(?:[^\n]*\n){{0,200}}{_CLIPPING_END}(?:\n|\Z)"
)
"""Matches the first highlight in a file that a Kindle wrote."""

_ZIM_HEAD = "Content-Type: text/x-zim-wiki\n"
_DOKUWIKI = re.compile(r"\s*(={2,6}) \S[^\n]* \1[ \t]*\n")
"""Matches the first heading of a DokuWiki page. DokuWiki's syntax is like Zim's."""

_ZIM_CODE = re.compile(r"\s*(?:'''|<(?:code|file)(?: [^<>]*)?>)\s*")
_ZIM_CODE_ENDS = re.compile(r"\s*(?:'''|</(?:code|file)>)\s*")
_ZIM_HEADING = re.compile(r"(={2,6}) (\S.*?) ?=*[ \t]*")
_ZIM_BOX = re.compile(r"(?<![ \t])([ \t]*)\[([ *x<>])\] ")
_ZIM_STATES = {" ": " ", "*": "x", "x": "-", ">": ">", "<": "<"}
_ZIM_INLINE = (
    (re.compile(r"(?<![:/])//(?=[^\s/])(.+?)(?<=\S)//(?!/)"), r"*\1*"),
    (re.compile(r"''(?=\S)(.+?)''"), r"`\1`"),
    (re.compile(r"(?<!_)__(?=[^\s_])(.+?)(?<=\S)__(?!_)"), r"==\1=="),
    (re.compile(r"\{\{\.?[/\\]?([^{}\n?]+)[^{}\n]*\}\}"), r"![[\1]]"),
    (re.compile(r"(?<![\w.])@(?=[^\W\d])"), "#"),
)
_ZIM_LINK = re.compile(r"\[\[[:+]?(?!\w+://)([^\[\]|\n]+)(?=[|\]])")
_ENTRY = re.compile(r"\tDate:\t(\S.*)")
"""Matches the first line of an entry in a journal that Day One exported."""

_ENTRY_LINE = re.compile(r"\t([A-Z][\w ]{0,20}):\t(.*)")


def to_markdown(text: str) -> str:
    """Return the ``text`` of a text file as Markdown; every line keeps its number."""
    if text.startswith(_ZIM_HEAD):
        return _zim_to_markdown(text)
    lines = text.split("\n")
    if _DOKUWIKI.match(text):
        return "\n".join(_zim_lines(lines))
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
    """Yield the lines of a Kindle's highlights as Markdown; each book's title becomes a heading."""
    above = _CLIPPING_END
    for line in lines:
        shown = literal(line.strip("\ufeff "))
        if line == _CLIPPING_END:
            yield ""
        else:
            yield f"# {shown}" if above == _CLIPPING_END and shown else literal_block(shown)
        above = line


def _entries(lines: list[str]) -> Iterator[str]:
    """Yield the lines of a Day One journal as Markdown; the date of each entry is a heading."""
    for line in lines:
        entry = _ENTRY.fullmatch(line)
        detail = _ENTRY_LINE.fullmatch(line)
        if entry:
            yield f"# {entry[1]}"
        elif detail:
            yield f"{detail[1]}: {literal(detail[2])}  "
        else:
            yield line


def _is_heading(lines: list[str], number: int) -> bool:
    above = lines[number - 1] if number else ""
    below = lines[number + 1] if number + 1 < len(lines) else ""
    is_alone = not above.strip() and not below.startswith("#")
    return is_alone and bool(_TEXT_HEADING.fullmatch(lines[number].rstrip()))


def _is_underline(lines: list[str], number: int) -> bool:
    if number == 0 or not _TEXT_UNDERLINE.fullmatch(lines[number].rstrip()):
        return False
    above = lines[number - 2] if number > 1 else ""
    heading = lines[number - 1]
    return bool(heading.strip()) and not heading[0].isspace() and not above.strip()


def _with_breaks(lines: list[str]) -> list[str]:
    return [
        f"{line}  "
        if line.strip()
        and after.strip()
        and not (_TEXT_HEADING.match(line) or _TEXT_UNDERLINE.fullmatch(after))
        else line
        for line, after in pairwise([*lines, ""])
    ]


def _zim_to_markdown(text: str) -> str:
    lines = text.split("\n")
    end = lines.index("") if "" in lines else 0
    lines[0] = lines[end] = "---"
    return "\n".join([*lines[: end + 1], *_zim_lines(lines[end + 1 :])])


def _zim_lines(lines: Iterable[str]) -> Iterator[str]:
    is_code = False
    for line in lines:
        is_fence = bool((_ZIM_CODE_ENDS if is_code else _ZIM_CODE).fullmatch(line))
        if is_fence:
            is_code = not is_code
            yield "```"
        else:
            yield line if is_code else _zim_line(line)


def _zim_line(line: str) -> str:
    heading = _ZIM_HEADING.fullmatch(line)
    if heading:
        return f"{'#' * (7 - len(heading[1]))} {heading[2]}"
    line = _ZIM_BOX.sub(lambda box: f"{box[1]}- [{_ZIM_STATES[box[2]]}] ", line, count=1)
    for pattern, instead in _ZIM_INLINE:
        line = pattern.sub(instead, line)
    return _ZIM_LINK.sub(lambda link: f"[[{link[1].replace(':', '/')}", line)
