"""Finds code spans and escaped characters in inline Markdown, in which nothing else counts."""

import re
from collections.abc import Callable

_GUARDED = re.compile(
    r"""\\([!-/:-@\[-`{-~])  # an escaped character
    |<([A-Za-z][A-Za-z0-9+.-]{1,31}:[^\s<>]*|[^\s<>@`]+@[^\s<>@]+)>  # an address
    |``*""",
    re.VERBOSE,
)

_ESCAPE_OR_CODE = re.compile(r"\\([!-/:-@\[-`{-~])|``*")
GUARD_MARK = re.compile("\0(\\d+)\0")
"""The mark that ``guarded`` leaves; its number is the index of the replaced text."""

_RUN = re.compile(r"``*")


def replaced_outside_code(
    pattern: re.Pattern[str], replacement: Callable[[re.Match[str]], str], source: str
) -> str:
    """Replace the matches of ``pattern`` in ``source`` that begin and end outside of code."""
    if not pattern.search(source):
        return source
    shown = blanked(source)

    def replaced(found: re.Match[str]) -> str:
        ends = shown[found.start()] + shown[found.end() - 1]
        return found[0] if "\0" in ends else replacement(found)

    return pattern.sub(replaced, source)


def without_code(source: str) -> str:
    """Return inline Markdown without its code spans and escaped characters."""
    return blanked(source).replace("\0", "")


def blanked(source: str) -> str:
    """Return ``source`` with each character of code spans and escapes replaced by a NUL."""
    if "`" not in source and "\\" not in source:
        return source
    closing = _closing_runs(source)
    pieces: list[str] = []
    position = 0
    while (match := _ESCAPE_OR_CODE.search(source, position)) is not None:
        pieces.append(source[position : match.start()])
        end = match.end()
        if not match[1]:
            found = closing(len(match[0]), end)
            end = found + len(match[0]) if found >= 0 else end
        pieces.append("\0" * (end - match.start()))
        position = end
    pieces.append(source[position:])
    return "".join(pieces)


def guarded(text: str, literals: list[str]) -> str:
    """Return ``text`` with a mark in place of each code span, address and escaped character.

    Their texts are added to ``literals``; the mark has the index there, between two NULs.
    """
    if "`" not in text and "\\" not in text and "<" not in text:
        return text
    closing = _closing_runs(text)
    pieces: list[str] = []
    position = 0
    while (match := _GUARDED.search(text, position)) is not None:
        pieces.append(text[position : match.start()])
        position = match.end()
        literal = match[1] or match[2]
        if not literal:
            end = closing(len(match[0]), position)
            if end < 0:
                pieces.append(match[0])
                continue
            literal = _code(text[position:end])
            position = end + len(match[0])
        pieces.append(f"\0{len(literals)}\0")
        literals.append(literal)
    pieces.append(text[position:])
    return "".join(pieces)


def _code(source: str) -> str:
    if source.startswith((" ", "\n")) and source.endswith((" ", "\n")) and source.strip():
        return source[1:-1]
    return source


def _closing_runs(text: str) -> Callable[[int, int], int]:
    """Return a function that finds runs of backticks in ``text``.

    It takes the length of the run and the position from which to look, which must grow from call to
    call. It returns the position of the next run of exactly that length, or -1.
    """
    starts: dict[int, list[int]] = {}
    for run in _RUN.finditer(text):
        starts.setdefault(run.end() - run.start(), []).append(run.start())
    for runs in starts.values():
        runs.reverse()

    def closing(length: int, position: int) -> int:
        runs = starts.get(length, [])
        while runs and runs[-1] < position:
            runs.pop()
        return runs[-1] if runs else -1

    return closing
