"""MDX, line by line: Markdown without imports, exports, comments and the tags of components."""

import re
from collections.abc import Iterator

from notesearch.formats.markdown_text import FENCE, dedented

_MODULE = re.compile(r"(?:import|export)\b")
_BEFORE = ("", "---")
"""What is above such a block: an empty line, or the end of the front matter."""

_OPENING, _CLOSING = re.compile(r"[{(\[]"), re.compile(r"[})\]]")
_BRACES = r"\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*+\})*+\})*+\}"
_VALUE = rf"""(?:"[^"]*+"|'[^']*+'|{_BRACES})"""
_TAG = rf"</?(?:[A-Za-z][\w.:-]*+(?:\s++(?:[\w:@-]++(?:\s*+=\s*+{_VALUE})?+|{_BRACES}))*+\s*+)?/?>"
_NOT_TEXT = re.compile(
    r"(?P<code>^[ \t]*(?P<fence>`{3,}|~{3,})[^\n]*\n(?:.*?^[ \t]*(?P=fence)[`~]*[ \t]*$|.*)"
    r"|(?P<ticks>`+)(?!`)[^\n]*?(?<!`)(?P=ticks)(?!`))"
    rf"|\{{/\*.*?\*/\}}|{_TAG}",
    re.DOTALL | re.MULTILINE,
)


def to_markdown(text: str) -> str:
    """Return Markdown with the same lines as ``text``."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    kept = "\n".join(_without_modules(text.split("\n")))
    return "\n".join(dedented(_NOT_TEXT.sub(_shown, kept).split("\n")))


def _shown(found: re.Match[str]) -> str:
    return found[0] if found["code"] else "\n" * found[0].count("\n")


def _without_modules(lines: list[str]) -> Iterator[str]:
    """Blank the blocks that import and export: up to an empty line outside their brackets."""
    fence, depth, in_block, above = "", 0, False, ""
    for line in lines:
        opening = FENCE.match(line)
        if opening and not in_block:
            fence = "" if fence and opening[1].startswith(fence) else fence or opening[1]
        elif not fence:
            in_block = in_block or (above.strip() in _BEFORE and bool(_MODULE.match(line)))
        if in_block:
            depth += len(_OPENING.findall(line)) - len(_CLOSING.findall(line))
            in_block = bool(line.strip()) or depth > 0
            line = ""  # noqa: PLW2901 - the line of a block is shown as an empty one
            if not in_block:
                depth = 0
        yield line
        above = line
