"""Replaces syntax in inline Markdown outside of code spans and escaped characters.

Text keeps its lines: ``LINE_END`` stands for each line end that a replacement lacks.
"""

import re
from collections.abc import Callable, Iterator

from notesearch.notes import Span

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

_WORD = re.compile(r"\w+")

LINE_END = "\ufdd1"
"""Stands for a line end in syntax that was removed. No normalised text has this character."""

_WORD_OVER_LINES = re.compile(rf"(?<!\S)\S*{LINE_END}\S*")


def with_line_ends(text: str, source: str) -> str:
    """Return ``text``, which replaces ``source``, with a ``LINE_END`` for each line end it lacks.

    The marks stand before ``text`` if its words begin on a later line of ``source``.
    """
    lost = _line_ends(source) - _line_ends(text)
    if lost <= 0:
        return text
    word = _WORD.search(text)
    start = source.find(word[0]) if word else 0
    before = min(_line_ends(source[: max(start, 0)]), lost)
    return f"{LINE_END * before}{text}{LINE_END * (lost - before)}"


def _line_ends(text: str) -> int:
    return text.count("\n") + text.count(LINE_END)


def replaced(
    pattern: re.Pattern[str], replacement: Callable[[re.Match[str]], str], source: str
) -> str:
    """Replace the matches of ``pattern`` in ``source``; its lines keep their numbers."""
    return pattern.sub(lambda found: with_line_ends(replacement(found), found[0]), source)


def replaced_outside_code(
    pattern: re.Pattern[str],
    replacement: Callable[[re.Match[str]], str],
    source: str,
    *,
    escapes: bool = True,
) -> str:
    """Replace the matches of ``pattern`` in ``source`` that begin and end outside of code.

    If ``escapes``, escaped characters count as code.
    """
    if not pattern.search(source):
        return source
    shown = blanked(source if escapes else source.replace("\\", "/"))

    def outside(found: re.Match[str]) -> str:
        ends = shown[found.start()] + shown[found.end() - 1]
        return found[0] if "\0" in ends else replacement(found)

    return replaced(pattern, outside, source)


def without_code(source: str) -> str:
    """Return inline Markdown without its code spans and escaped characters."""
    return blanked(source).replace("\0", "")


def blanked(source: str) -> str:
    """Return ``source`` with each character of code spans and escapes replaced by a NUL."""
    if "`" not in source and "\\" not in source:
        return source
    pieces: list[str] = []
    position = 0
    for (start, end), _ in _literals(_ESCAPE_OR_CODE, source):
        pieces += source[position:start], "\0" * (end - start)
        position = end
    return "".join([*pieces, source[position:]])


def guarded(text: str, literals: list[str]) -> str:
    """Return ``text`` with a mark in place of each code span, address and escaped character.

    Their texts are added to ``literals``; the mark has the index there, between two NULs.
    """
    if "`" not in text and "\\" not in text and "<" not in text:
        return text
    pieces: list[str] = []
    position = 0
    for (start, end), literal in _literals(_GUARDED, text):
        if literal:
            pieces += text[position:start], f"\0{len(literals)}\0"
            literals.append(literal)
            position = end
    return "".join([*pieces, text[position:]])


def _literals(pattern: re.Pattern[str], text: str) -> Iterator[tuple[Span, str]]:
    """Yield the span and the text of each match and code span; an unclosed one has no text."""
    closing = _closing_runs(text)
    position = 0
    while (match := pattern.search(text, position)) is not None:
        start, position = match.span()
        literal = match[match.lastindex] if match.lastindex else ""
        if not literal and (end := closing(len(match[0]), position)) >= 0:
            literal = _code(text[position:end])
            position = end + len(match[0])
        yield (start, position), literal


def _code(source: str) -> str:
    if source.startswith((" ", "\n")) and source.endswith((" ", "\n")) and source.strip():
        return source[1:-1]
    return source


def _closing_runs(text: str) -> Callable[[int, int], int]:
    """Return a function that finds runs of backticks in ``text``.

    It takes the length of a run and a position, which must grow from call to call. It returns where
    the next run of exactly that length begins, or -1.
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


def single_spaced(text: str) -> list[str]:
    """Return the lines of ``text``, without indentation and with single spaces between words."""
    if LINE_END in text:
        text = _WORD_OVER_LINES.sub(_whole_word, text)
    return [" ".join(line.split()) for line in text.split("\n")]


def _whole_word(found: re.Match[str]) -> str:
    """Return a word with line ends in it: the whole word, with the line ends before or after it.

    The word stands on the first line that shows a part of it.
    """
    below = found[0].lstrip(LINE_END)
    word = below.replace(LINE_END, "")
    return "\n" * (len(found[0]) - len(below)) + word + "\n" * (len(below) - len(word))
