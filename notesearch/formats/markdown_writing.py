"""Writes Markdown: text that shows as it is, without syntax, and front matter."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

FENCE = re.compile(r"[ \t]*(`{3,}|~{3,})")
LIST_ITEM = re.compile(r"[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]")
_SIGNS = re.compile(
    r"\\(?=[!-/:-@\[-`{-~])|`|\*(?=\S)|(?<=\S)\*|(?<!\w)_(?=\S)|(?<=\S)_(?!\w)|~(?=~)|==|%%"
    r"|<(?=[A-Za-z/!?])|&(?=#?\w{1,31};)|\[(?=[^\]\n]{0,200}\][(\[:])|\[(?=\^)"
)
"""Characters that Markdown would read as syntax; ``*`` or ``_`` between spaces is none."""

_ANY_SIGN = re.compile(r"[\\`*_~=%<&\[$#({]")
_DOLLAR = re.compile(r"\$")
_NOTE_SYNTAX = re.compile(r"\[(?=\[)|(?<![\w&])#(?=\w)|\((?=\(\w)|\{(?=\{)")
"""Characters that Obsidian or Logseq would read as a link, a tag or a reference."""

_HEADING = re.compile(r" {0,3}#{1,6}(?:[ \t]|$)")
_UNDERLINE = re.compile(r" {0,3}(?:=+|-+)[ \t]*")
_TABLE_RULE = re.compile(r"[ \t]*(?=[^\n]*\|)[|:\- \t]+-[|:\- \t]*")


def literal(line: str, *, for_notes: bool = False) -> str:
    """Return ``line`` with a backslash before each character of inline Markdown, such as ``*``.

    With ``for_notes``, ``[[links]]``, ``#tags`` and the references of Logseq stay. For headings and
    tables, see ``literal_block``.
    """
    if not _ANY_SIGN.search(line):
        return line
    line = _SIGNS.sub(r"\\\g<0>", line)
    if line.count("$") > 1:
        line = _DOLLAR.sub(r"\\$", line)
    return line if for_notes else _NOTE_SYNTAX.sub(r"\\\g<0>", line)


def literal_block(line: str, before: str = "") -> str:
    """Return ``line`` so that it is no heading, underline or table below the line ``before``."""
    makes_block = _HEADING.match(line) or (
        before.strip() and (_UNDERLINE.fullmatch(line) or _TABLE_RULE.fullmatch(line))
    )
    if not makes_block:
        return line
    stripped = line.lstrip()
    return f"{line[: len(line) - len(stripped)]}\\{stripped}"


def dedented(lines: Iterable[str]) -> Iterator[str]:
    """Yield ``lines`` without the indentation that Markdown would read as code.

    All lines of a list lose the indentation of the list's first item; the lines of a fenced code
    block lose as much as their fence.
    """
    in_list = False
    fence = ""
    shift = 0
    base = 0
    for source in lines:
        line = source.lstrip(" \t")
        line = source[: len(source) - len(line)].expandtabs(4) + line
        opening = FENCE.match(line)
        indent = len(line) - len(line.lstrip())
        if fence:
            if opening and opening[1].startswith(fence):
                fence = ""
            yield line[min(shift, indent) :] if shift else source
            continue
        if line.strip() and not (in_list and (indent > 0 or LIST_ITEM.match(line))):
            in_list = bool(LIST_ITEM.match(line))
            base = indent if indent > 3 else 0
        shift = min(base, indent)
        fence = opening[1] if opening else ""
        yield line[shift:]


def one_line(text: str, longest: int = 120) -> str:
    """Return ``text`` on one line of at most ``longest`` characters, cut after a word."""
    text = " ".join(text.split())
    if len(text) <= longest:
        return text
    return f"{text[:longest].rpartition(' ')[0] or text[:longest]}…"


def front_matter(values: Mapping[str, str | Sequence[str]]) -> list[str]:
    """Return the lines of YAML front matter with ``values``, leaving out empty values."""
    pairs = [
        f"{json.dumps(key, ensure_ascii=False)}: {json.dumps(value, ensure_ascii=False)}"
        for key, value in values.items()
        if value
    ]
    return ["---", *pairs, "---"] if pairs else []
