"""Turns MDX, AsciiDoc, pages of wikis and plain text into Markdown, line by line."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

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


_HEADING = re.compile(r"[ \t]*(={1,6})[ \t]+(\S.*)")
_CODE_OPENS = re.compile(r"[ \t]*(-{4,}|\.{4,}|\{\{\{)[ \t]*([\w+#-]*)[^\n]*")
_CODE_ENDS = {"{": "}}}"}
_LANGUAGE = re.compile(r"\[source,[ \t]*([\w+#-]+)[^\]\n]*\]|\[(?:source|listing)[^\]\n]*\]")
_UNSEEN = re.compile(r"//(?!/)[^\n]*|:!?[\w-]+!?:(?:[ \t][^\n]*)?|%%[^\n]*|\[\[[\w-]+\]\]")
"""A comment, an attribute or an anchor on its own line."""

_TAG_LINE = re.compile(r"^[ \t]*:(?:[\w-]+:){1,20}[ \t]*$", re.MULTILINE)
_ITEM = re.compile(r"[ \t]*(\*{2,6}|\.{1,6})[ \t]+(?=\S)")
_LINKS = (
    (re.compile(r"\bimage::?([^\s\[\]]{1,500})\[([^\[\],\n]*)[^\[\]\n]*\]"), r"![\2](\1)"),
    (re.compile(r"\b(?:link|xref):([^\s\[\]]{1,500})\[([^\[\]\n]+)\]"), r"[\2](\1)"),
    (re.compile(r"(?<![\[(<])(https?://[^\s\[\]]{1,500})\[([^\[\]\n]+)\]"), r"[\2](\1)"),
    (re.compile(r"<<(?:[^<>,\n]+,[ \t]*)?([^<>,\n]+)>>"), r"\1"),
)

_ASCIIDOC = (
    (
        re.compile(
            r"(?:[=_*]{4,}|\|===|\+|(?:include|ifn?def|ifeval|endif|toc)::.*"
            r"|\[(?:[#.%][^\[\]]*|quote|verse|[^\[\]=]*=[^\[\]]*)\])[ \t]*"
        ),
        "",
    ),  # ends of blocks, inclusions, attributes
    (re.compile(r"\[([A-Z]+)\][ \t]*|\.([^\s.].*)"), r"**\1\2**"),  # kinds and titles of blocks
    (re.compile(r"\[(?:quote|verse),[ \t]*+(.*)\][ \t]*"), r"— \1"),
    (re.compile(r"'{3}[ \t]*"), "***"),
    (re.compile(r"\|(.*)"), r"\1  "),  # cells of a table
)
"""Lines of AsciiDoc, and how to write them in Markdown."""


_VIMWIKI = (
    (re.compile(r"([ \t]*)#[ \t]+(\S.*)"), r"\g<1>1. \2"),
    (re.compile(r"%(title|date)[ \t]+(\S.*)"), r"\1:: \2"),
    (re.compile(r"%(?:toc|nohtml|template)\b.*"), ""),
)
"""Lines of vimwiki, and how to write them in Markdown: numbered items and placeholders."""


def vimwiki_to_markdown(text: str) -> str:
    """Return the Markdown of a page of vimwiki, with the same number of lines."""
    return "\n".join(_wiki_lines(_TAG_LINE.sub(_hashtags, text), _VIMWIKI))


def asciidoc_to_markdown(text: str) -> str:
    """Return the Markdown of AsciiDoc, with the same number of lines."""
    return "\n".join(_wiki_lines(text, _ASCIIDOC))


def _hashtags(line: re.Match[str]) -> str:
    return " ".join(f"#{name}" for name in line[0].strip(" \t:").split(":"))


def _wiki_lines(text: str, own: Sequence[tuple[re.Pattern[str], str]] = ()) -> Iterator[str]:
    language = end = ""
    for line in text.split("\n"):
        opening = None if end else _CODE_OPENS.fullmatch(line)
        named = _LANGUAGE.fullmatch(line.strip())
        if end:
            is_end = line.strip() == end
            end = "" if is_end else end
            yield "```" if is_end else line
        elif opening and (opening[1][0] == "{" or not opening[2]):
            end = _CODE_ENDS.get(opening[1][0], opening[1])
            yield f"```{opening[2] or language}"
        elif named:
            language = named[1] or ""
            yield ""
            continue
        else:
            found = next(((pattern, new) for pattern, new in own if pattern.fullmatch(line)), None)
            yield found[0].sub(found[1], line, count=1) if found else _wiki_line(line)
        language = ""


def _wiki_line(line: str) -> str:
    heading = _HEADING.fullmatch(line)
    if heading:
        title = heading[2].rstrip().removesuffix(f" {heading[1]}").rstrip()
        return f"{'#' * len(heading[1])} {title}"
    if _UNSEEN.fullmatch(line.strip()):
        return ""
    item = _ITEM.match(line)
    if item:
        mark = "1." if item[1][0] == "." else "-"
        line = f"{'   ' * (len(item[1]) - 1)}{mark} {line[item.end() :]}"
    for pattern, replacement in _LINKS:
        line = pattern.sub(replacement, line)
    return line


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


def text_to_markdown(text: str) -> str:
    """Return the ``text`` of a text file as Markdown; every line keeps its number.

    A heading is a line with ``#`` between empty lines, or an underlined line. Nothing else is
    syntax, except in pages of Zim and DokuWiki, the highlights of a Kindle, and journals of Day
    One.
    """
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
