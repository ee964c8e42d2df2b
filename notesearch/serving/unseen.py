"""Spells out what cannot be seen in a note's text, so that nothing is hidden from who reads it."""

import re
import unicodedata
from functools import partial

_JOINERS = "\u200c\u200d"
_COLOURS = "\ufe0e\ufe0f"
"""Show the emoji before them in black or in colour."""

_LOOKS_EMPTY = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0")
_INVISIBLE = {"Cc", "Cf", "Cs", "Zl", "Zp"}
_LINE_ENDS_AND_TABS = "\n\t"
_DROPPED = re.compile("[\n\t]")
_UNPRINTED = re.compile(f"[{''.join(_LOOKS_EMPTY)}\ufe00-\ufe0f\U000e0100-\U000e01ef]")
"""What Python takes for printable though it cannot be seen."""


def shown(text: str, *, kept: str = _LINE_ENDS_AND_TABS) -> str:
    """Return ``text`` with what is invisible spelt out, as in a string of Python.

    Control characters, signs that turn the direction of writing, tags, lone surrogates and blanks
    of no width are spelt out. Joiners stay where letters or emoji of other scripts need them.

    Args:
        text: Any string.
        kept: Control characters that stay as they are.
    """
    if _DROPPED.sub("", text).isprintable() and not _UNPRINTED.search(text):
        return text if kept or not _DROPPED.search(text) else _spelt_out(text, kept)
    return _spelt_out(text, kept)


def _spelt_out(text: str, kept: str) -> str:
    return "".join(map(partial(_shown, text, kept), range(len(text))))


def on_one_line(text: str) -> str:
    """Return ``text`` as ``shown``, its line ends and tabs spelt out too."""
    return shown(text, kept="")


def _shown(text: str, kept: str, at: int) -> str:
    char = text[at]
    if char in kept or not (_is_invisible(char) or _picks_a_variant(char)):
        return char
    if char in _JOINERS and _joins(text[at - 1 : at], text[at + 1 : at + 2]):
        return char
    if char in _COLOURS and at and not (text[at - 1].isalpha() or _picks_a_variant(text[at - 1])):
        return char
    return char.encode("unicode_escape").decode()


def _is_invisible(char: str) -> bool:
    return unicodedata.category(char) in _INVISIBLE or char in _LOOKS_EMPTY


def _picks_a_variant(char: str) -> bool:
    """Return whether ``char`` is a variation selector: a row of them can carry a hidden text."""
    return "\ufe00" <= char <= "\ufe0f" or "\U000e0100" <= char <= "\U000e01ef"


def _joins(before: str, after: str) -> bool:
    return all(one and not one.isascii() and not _is_invisible(one) for one in (before, after))


def all_shown(value: object) -> object:
    """Return JSON's ``value`` with every string in it as ``shown``."""
    if isinstance(value, str):
        return shown(value)
    if isinstance(value, dict):
        return {key: all_shown(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [all_shown(item) for item in value]
    return value
