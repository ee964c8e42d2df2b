"""Turns MDX, AsciiDoc, pages of wikis and plain text into Markdown, line by line."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from notesearch.formats.markdown_writing import FENCE, dedented, literal, literal_block

_MODULE = re.compile(r"(?:import|export)\b")
_BEFORE = ("", "---")
"""The line above a block of imports or exports: an empty line or the end of the front matter."""

_OPENING = re.compile(r"[{(\[]")
_CLOSING = re.compile(r"[})\]]")
_QUOTED = re.compile(
    r"\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\\n]|\\.)*`|(?:^|(?<=\s))//[^\n]*"
)
"""A string or comment in JavaScript. Its brackets close nothing."""

_BRACES = r"\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*+\})*\})*\}"
_VALUE = rf"""(?:"[^"]*+"|'[^']*+'|{_BRACES})"""
_TAG = rf"</?(?:[A-Za-z][\w.:-]*+(?:\s++(?:[\w:@-]++(?:\s*+=\s*+{_VALUE})?|{_BRACES}))*\s*+)?/?>"
_NOT_TEXT = re.compile(
    r"(?P<code>^[ \t]*(?P<fence>`{3,}+|~{3,}+)[^\n]*\n(?:.*?^[ \t]*(?P=fence)[`~]*[ \t]*$|.*)"
    r"|(?<!`)(?P<ticks>`++)[^\n]{0,2000}?(?<!`)(?P=ticks)(?!`))"
    rf"|\{{/\*.{{0,5000}}?\*/\}}|{_TAG}",
    re.DOTALL | re.MULTILINE,
)
"""Code, comments and tags. Code in a line and comments have a maximum length: otherwise, each
unclosed one would be followed to the end of the text."""


_WORDS = re.compile(
    r"""(?<![\w:-])(?:title|subtitle|alt|label|caption|heading|description|summary|header)
    \s*=\s*(?:"([^"]*)"|'([^']*)'|\{\s*(?:"([^"]*)"|'([^']*)'|`([^`$]*)`)\s*\})""",
    re.VERBOSE,
)
"""Attributes of a component whose text the component shows."""


_NOTHING = "<wbr>"
"""Replaces a line inside a paragraph and shows nothing. An empty line would end the paragraph."""


def mdx_to_markdown(text: str) -> str:
    """Return an MDX text without imports, exports, comments and components, line by line."""
    kept = "\n".join(_without_modules(text.split("\n")))
    return "\n".join(dedented(_NOT_TEXT.sub(_shown, kept).split("\n")))


def _shown(found: re.Match[str]) -> str:
    """Return the replacement of a match, with as many lines: code, or the words of a component."""
    if found["code"]:
        return found[0]
    source = found.string
    start, end = found.span()
    before = source[source.rfind("\n", 0, start) + 1 : start]
    after = source[end : max(source.find("\n", end), end)]
    lines = [""] * (found[0].count("\n") + 1)
    if before.strip():  # an empty line would end the paragraph
        lines[1:-1] = [_NOTHING] * len(lines[1:-1])
    if "=" in found[0] and not found[0].startswith("{"):
        texts = ("".join(filter(None, words)) for words in _WORDS.findall(found[0]))
        shown = ". ".join(filter(None, (literal(" ".join(text.split())) for text in texts)))
        if shown:
            lines[0] = f"{literal_block(shown)}{' ' if before.strip() or after.strip() else '  '}"
    return "\n".join(lines)


def _without_modules(lines: Sequence[str]) -> Iterator[str]:
    """Yield ``lines`` with empty lines in place of imports and exports."""
    fence = above = ""
    end = 0
    is_unclosed = False
    for number, line in enumerate(lines):
        opening = FENCE.match(line)
        if number < end:
            shown = ""
        elif opening:
            is_end = fence and opening[1].startswith(fence)
            fence = "" if is_end else fence or opening[1]
            shown = line
        elif not fence and above.strip() in _BEFORE and _MODULE.match(line):
            closed = None if is_unclosed else _end_of_module(lines, number)
            is_unclosed = closed is None  # the next ones are not looked through: that is slow
            end = closed or _next_blank(lines, number)
            shown = ""
        else:
            shown = line
        yield shown
        above = shown


def _end_of_module(lines: Sequence[str], start: int) -> int | None:
    """Return the first empty line outside of all brackets; None if a bracket is never closed."""
    depth = 0
    for number in range(start, len(lines)):
        if not lines[number].strip() and depth <= 0:
            return number
        code = _QUOTED.sub("", lines[number])
        depth += len(_OPENING.findall(code)) - len(_CLOSING.findall(code))
    return len(lines) if depth <= 0 else None


def _next_blank(lines: Sequence[str], start: int) -> int:
    blank = (number for number in range(start, len(lines)) if not lines[number].strip())
    return next(blank, len(lines))


_Replacement = str | Callable[[re.Match[str]], str]
_Rules = Sequence[tuple[re.Pattern[str], _Replacement]]


def _parts(rules: Mapping[str, _Replacement]) -> _Rules:
    return [(re.compile(pattern), replacement) for pattern, replacement in rules.items()]


def _lines(rules: Mapping[str, _Replacement]) -> _Rules:
    return _parts({rf"\A(?:{pattern})\Z": replacement for pattern, replacement in rules.items()})


class _Syntax(NamedTuple):
    """How to write a markup language in Markdown.

    Attributes:
        code: Lines at which code begins. In their place are the line at which it ends, a space, and
            the language.
        lines: Other whole lines. Only the first rule that fits counts.
        parts: Parts of the lines that are left. Each rule counts, in this order.
    """

    code: _Rules
    lines: _Rules
    parts: _Rules


def _heading(found: re.Match[str]) -> str:
    title = found[2].rstrip().removesuffix(f" {found[1]}").rstrip()
    return f"{'#' * len(found[1])} {title}"


def _hashtags(found: re.Match[str]) -> str:
    return " ".join(f"#{name}" for name in found[0].strip(" \t:").split(":"))


def _item(found: re.Match[str]) -> str:
    return f"{'   ' * (len(found[1]) - 1)}{'1.' if found[1][0] == '.' else '-'} "


_LANGUAGE = re.compile(r"\s*\[(?:source,[ \t]*([\w+#-]+)[^\]\n]*|(?:source|listing)[^\]\n]*)\]\s*")
"""The language of the code below it, as AsciiDoc writes it."""

_CODE = _lines(
    {
        r"[ \t]*(-{4,}+|\.{4,}+)(?![ \t]*[\w+#-]).*": r"\1 ",
        r"[ \t]*\{\{\{[ \t]*([\w+#-]*).*": r"}}} \1",
    }
)
_OF_BOTH: Mapping[str, _Replacement] = {
    _LANGUAGE.pattern: "",
    r"[ \t]*(={1,6})[ \t]+(\S.*)": _heading,
    r"\s*(?://(?!/).*|:!?[\w-]+!?:(?:[ \t].*)?|%%.*|\[\[[\w-]+\]\])\s*": "",  # comments, attributes
}
_PARTS = _parts(
    {
        r"^[ \t]*(\*{2,6}|\.{1,6})[ \t]+(?=\S)": _item,
        r"\bimage::?([^\s\[\]]{1,500})\[([^\[\],\n]*)[^\[\]\n]*\]": r"![\2](\1)",
        r"\b(?:link|xref):([^\s\[\]]{1,500})\[([^\[\]\n]+)\]": r"[\2](\1)",
        r"(?<![\[(<])(https?://[^\s\[\]]{1,500})\[([^\[\]\n]+)\]": r"[\2](\1)",
        r"<<(?:[^<>,\n]+,[ \t]*)?([^<>,\n]+)>>": r"\1",
    }
)

_ASCIIDOC_LINES = _lines(
    {
        r"(?:[=_*]{4,}|\|===|\+|(?:include|ifn?def|ifeval|endif|toc)::.*"  # ends of blocks
        r"|\[(?:[#.%][^\[\]]*|quote|verse|[^\[\]=]*=[^\[\]]*)\])[ \t]*": "",
        r"\[([A-Z]+)\][ \t]*|\.([^\s.].*)": r"**\1\2**",  # kinds and titles of blocks
        r"\[(?:quote|verse),[ \t]*+(.*)\][ \t]*": r"— \1",
        r"'{3}[ \t]*": "***",
        r"\|(.*)": r"\1  ",  # cells of a table
        **_OF_BOTH,
    }
)
_VIMWIKI_LINES = _lines(
    {
        r"[ \t]*:(?:[\w-]+:){1,20}[ \t]*": _hashtags,
        r"([ \t]*)#[ \t]+(\S.*)": r"\g<1>1. \2",
        r"%(title|date)[ \t]+(\S.*)": r"\1:: \2",
        r"%(?:toc|nohtml|template)\b.*": "",
        **_OF_BOTH,
    }
)

_ZIM_HEAD = "Content-Type: text/x-zim-wiki\n"
_BOXES = {" ": " ", "*": "x", "x": "-", ">": ">", "<": "<"}
_ZIM = _Syntax(
    code=_lines({r"\s*'{3}\s*": "''' ", r"\s*<(code|file)(?: [^<>]*)?>\s*": r"</\1> "}),
    lines=_lines(
        {r"(={2,6}) (\S.*?) ?=*[ \t]*": lambda found: f"{'#' * (7 - len(found[1]))} {found[2]}"}
    ),
    parts=_parts(
        {
            r"^(.*?(?<![ \t])[ \t]*)\[([ *x<>])\] ": lambda box: f"{box[1]}- [{_BOXES[box[2]]}] ",
            r"(?<![:/])//(?=[^\s/])(.+?)(?<=\S)//(?!/)": r"*\1*",
            r"''(?=\S)(.+?)''": r"`\1`",
            r"(?<!_)__(?=[^\s_])(.+?)(?<=\S)__(?!_)": r"==\1==",
            r"\{\{\.?[/\\]?([^{}\n?]+)[^{}\n]*\}\}": r"![[\1]]",
            r"(?<![\w.])@(?=[^\W\d])": "#",
            r"\[\[[:+]?(?!\w+://)([^\[\]|\n]+)(?=[|\]])": (
                lambda link: f"[[{link[1].replace(':', '/')}"
            ),
        }
    ),
)


def asciidoc_to_markdown(text: str) -> str:
    """Return the Markdown of AsciiDoc, with the same number of lines."""
    return "\n".join(_written(text.split("\n"), _Syntax(_CODE, _ASCIIDOC_LINES, _PARTS)))


def vimwiki_to_markdown(text: str) -> str:
    """Return the Markdown of a page of vimwiki, with the same number of lines."""
    return "\n".join(_written(text.split("\n"), _Syntax(_CODE, _VIMWIKI_LINES, _PARTS)))


def _zim_to_markdown(text: str) -> str:
    """Return the Markdown of a page of Zim or DokuWiki, with the same number of lines.

    The lines at the top of a page of Zim become front matter.
    """
    lines = text.split("\n")
    below = 0
    if text.startswith(_ZIM_HEAD):
        below = 1 + (lines.index("") if "" in lines else 0)
        lines[0] = lines[below - 1] = "---"
    return "\n".join([*lines[:below], *_written(lines[below:], _ZIM)])


def _written(lines: Iterable[str], syntax: _Syntax) -> Iterator[str]:
    """Yield the Markdown of each line."""
    end = above = ""
    for line in lines:
        if end:
            is_end = line.strip() == end
            end = "" if is_end else end
            yield "```" if is_end else line
        elif (opened := _of_line(line, syntax.code)) is not None:
            end, _, language = opened.partition(" ")
            named = _LANGUAGE.fullmatch(above)
            yield f"```{language or (named and named[1]) or ''}"
        elif (shown := _of_line(line, syntax.lines)) is not None:
            yield shown
        else:
            written = line
            for pattern, replacement in syntax.parts:
                written = pattern.sub(replacement, written)
            yield written
        above = line


def _of_line(line: str, rules: _Rules) -> str | None:
    """Return what the first rule that fits writes for the whole line; None if no rule fits."""
    for pattern, replacement in rules:
        shown, times = pattern.subn(replacement, line)
        if times:
            return shown
    return None


_TEXT_HEADING = re.compile(r"#{1,6} \S.{0,200}")
_TEXT_UNDERLINE = re.compile(r"={3,}|-{3,}")
_CLIPPING_END = "=" * 10
_CLIPPING = re.compile(
    rf"\A\S[^\n]*\n- [^\n]*\|[^\n]*\n\n(?:[^\n]*\n){{0,200}}{_CLIPPING_END}(?:\n|\Z)"
)
"""Matches the first highlight in a file that a Kindle wrote."""

_DOKUWIKI = re.compile(r"\s*(={2,6}) \S[^\n]* \1[ \t]*\n")
"""Matches the first heading of a DokuWiki page."""

_JOURNAL = re.compile(r"\tDate:\t\S")
"""Matches the first line of a journal that Day One exported."""

_DETAIL = re.compile(r"^\t([A-Z][\w ]{0,20}):\t(.*)$", re.MULTILINE)


def text_to_markdown(text: str) -> str:
    """Return the ``text`` of a text file as Markdown; every line keeps its number.

    A heading is a line with ``#`` between empty lines, or an underlined line. Nothing else is
    syntax, except in pages of Zim and DokuWiki, the highlights of a Kindle, and journals of Day
    One.
    """
    if text.startswith(_ZIM_HEAD) or _DOKUWIKI.match(text):
        return _zim_to_markdown(text)
    lines = text.split("\n")
    if _CLIPPING.search(text):
        return "\n".join(_clippings(lines))
    if _JOURNAL.match(text):
        return _DETAIL.sub(_of_entry, text)
    shown: list[str] = []
    around = zip(["", "", *lines], ["", *lines], lines, [*lines[1:], ""], strict=False)
    for (top, above, source, below), line in zip(around, dedented(lines), strict=True):
        if _is_heading(above, source, below) or _is_underline(top, above, source):
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


def _of_entry(detail: re.Match[str]) -> str:
    """Return a line about an entry of a journal; the date is the heading of the entry."""
    if _JOURNAL.match(detail[0]):
        return f"# {detail[2]}"
    return f"{detail[1]}: {literal(detail[2])}  "


def _is_heading(above: str, line: str, below: str) -> bool:
    is_alone = not above.strip() and not below.startswith("#")
    return is_alone and bool(_TEXT_HEADING.fullmatch(line.rstrip()))


def _is_underline(top: str, above: str, line: str) -> bool:
    is_heading = above.strip() and not above[0].isspace() and not top.strip()
    return bool(is_heading and _TEXT_UNDERLINE.fullmatch(line.rstrip()))


def _with_breaks(lines: list[str]) -> list[str]:
    return [
        f"{line}  "
        if line.strip()
        and after.strip()
        and not (_TEXT_HEADING.match(line) or _TEXT_UNDERLINE.fullmatch(after))
        else line
        for line, after in pairwise([*lines, ""])
    ]
