"""Turns a page of Zim, whose syntax is that of a wiki, into Markdown, line by line."""

import re

_HEAD = "Content-Type: text/x-zim-wiki\n"
_HEADING = re.compile(r"(={2,6}) (\S.*?) ?=*[ \t]*")
_BOX = re.compile(r"([ \t]*)\[([ *x<>])\] ")
_STATES = {" ": " ", "*": "x", "x": "-", ">": ">", "<": "<"}
_INLINE = (
    (re.compile(r"(?<![:/])//(?=[^\s/])(.+?)(?<=\S)//(?!/)"), r"*\1*"),
    (re.compile(r"''(?=\S)(.+?)''"), r"`\1`"),
    (re.compile(r"(?<!_)__(?=[^\s_])(.+?)(?<=\S)__(?!_)"), r"==\1=="),
    (re.compile(r"\{\{\.?[/\\]?([^{}\n?]+)[^{}\n]*\}\}"), r"![[\1]]"),
    (re.compile(r"(?<![\w.])@(?=[^\W\d])"), "#"),
)
_LINK = re.compile(r"\[\[[:+]?(?!\w+://)([^\[\]|\n]+)(?=[|\]])")


def is_page(text: str) -> bool:
    """Return whether ``text`` is a page of Zim."""
    return text.startswith(_HEAD)


def to_markdown(text: str) -> str:
    """Return the Markdown of a page of Zim, with the same number of lines; its head as YAML."""
    lines = text.split("\n")
    end = lines.index("") if "" in lines else 0
    lines[0] = lines[end] = "---"
    shown = lines[: end + 1]
    is_code = False
    for line in lines[end + 1 :]:
        is_fence = line.strip() == "'''"
        is_code = is_code != is_fence
        shown.append("```" if is_fence else line if is_code else _line(line))
    return "\n".join(shown)


def _line(line: str) -> str:
    heading = _HEADING.fullmatch(line)
    if heading:
        return f"{'#' * (7 - len(heading[1]))} {heading[2]}"
    line = _BOX.sub(lambda box: f"{box[1]}- [{_STATES[box[2]]}] ", line, count=1)
    for pattern, instead in _INLINE:
        line = pattern.sub(instead, line)
    return _LINK.sub(lambda link: f"[[{link[1].replace(':', '/')}", line)
