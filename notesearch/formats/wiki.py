"""Turns AsciiDoc and pages of vimwiki into Markdown, line by line."""

import re
from collections.abc import Iterator

_HEADING = re.compile(r"[ \t]*(={1,6})[ \t]+(\S.*?)(?:[ \t]+\1)?[ \t]*")
_CODE_OPENS = re.compile(r"[ \t]*(-{4,}|\.{4,}|\{\{\{)[ \t]*([\w+#-]*)[^\n]*")
_CODE_ENDS = {"{": "}}}"}
_LANGUAGE = re.compile(r"\[source,[ \t]*([\w+#-]+)[^\]\n]*\]|\[(?:source|listing)[^\]\n]*\]")
_UNSEEN = re.compile(r"//(?!/)[^\n]*|:!?[\w-]+!?:(?:[ \t][^\n]*)?|%%[^\n]*|\[\[[\w-]+\]\]")
"""A comment, an attribute or an anchor on its own line."""

_TAGS = re.compile(r"^[ \t]*:(?:[\w-]+:){1,20}[ \t]*$", re.MULTILINE)
_ITEM = re.compile(r"[ \t]*(\*{2,6}|\.{1,6})[ \t]+(?=\S)")
_LINKS = (
    (re.compile(r"\bimage::?([^\s\[\]]+)\[([^\[\],\n]*)[^\[\]\n]*\]"), r"![\2](\1)"),
    (re.compile(r"\b(?:link|xref):([^\s\[\]]+)\[([^\[\]\n]+)\]"), r"[\2](\1)"),
    (re.compile(r"(?<![\[(<])(https?://[^\s\[\]]+)\[([^\[\]\n]+)\]"), r"[\2](\1)"),
    (re.compile(r"<<([^<>,\n]+),[ \t]*([^<>\n]+)>>"), r"\2"),
)


def vimwiki_to_markdown(text: str) -> str:
    """Return the Markdown of a page of vimwiki, with the same number of lines."""
    return "\n".join(_markdown_lines(_TAGS.sub(_tags, text)))


def asciidoc_to_markdown(text: str) -> str:
    """Return the Markdown of AsciiDoc, with the same number of lines."""
    return "\n".join(_markdown_lines(text))


def _tags(line: re.Match[str]) -> str:
    return " ".join(f"#{name}" for name in line[0].strip(" \t:").split(":"))


def _markdown_lines(text: str) -> Iterator[str]:
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    language = end = ""
    for line in lines:
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
            yield _markdown(line)
        language = ""


def _markdown(line: str) -> str:
    if heading := _HEADING.fullmatch(line):
        return f"{'#' * len(heading[1])} {heading[2]}"
    if _UNSEEN.fullmatch(line.strip()):
        return ""
    if item := _ITEM.match(line):
        mark = "1." if item[1][0] == "." else "-"
        line = f"{'   ' * (len(item[1]) - 1)}{mark} {line[item.end() :]}"
    for pattern, replacement in _LINKS:
        line = pattern.sub(replacement, line)
    return line
