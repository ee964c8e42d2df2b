"""Escapes invisible characters in the text of notes, so that nothing is hidden from a reader."""

import re
import unicodedata

from notesearch.note_addresses import with_backslashes_escaped

_JOINERS = "\u200c\u200d"
_EMOJI_VARIANTS = "\ufe0e\ufe0f"
"""Characters after an emoji that choose whether it is shown in black or in colour."""

_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0")
_INVISIBLE_CATEGORIES = {"Cc", "Cf", "Cs", "Zl", "Zp"}
_LINE_ENDS_AND_TABS = "\n\t"
_TEXTS_OF_NOTES = ("text", "snippet")
"""Fields whose backslashes stay, because nobody uses them as an address; they may be TeX."""

_LINE_END_OR_TAB = re.compile("[\n\t]")
_PRINTABLE_BUT_BLANK = re.compile(f"[{''.join(_BLANK)}\ufe00-\ufe0f\U000e0100-\U000e01ef]")
"""Invisible characters that Python calls printable."""


def spell_out(text: str, *, keep: str = _LINE_ENDS_AND_TABS) -> str:
    """Return ``text`` with invisible characters escaped as in Python, except those in ``keep``.

    These are control characters, marks that change the direction of writing, tags, lone surrogates
    and spaces without width. A joiner between two letters or emoji that are not ASCII stays.
    """
    is_visible = _LINE_END_OR_TAB.sub("", text).isprintable()
    is_visible = is_visible and not _PRINTABLE_BUT_BLANK.search(text)
    if is_visible and (keep or not _LINE_END_OR_TAB.search(text)):
        return text
    return "".join(_spell_out_at(text, keep, at) for at in range(len(text)))


def on_one_line(text: str) -> str:
    """Return ``text`` with its invisible characters, line ends and tabs escaped as in Python.

    ``without_escapes`` gives it back, so it can be used as an address.
    """
    return _spell_out_name(text, keep="")


def _spell_out_name(text: str, *, keep: str) -> str:
    shown = spell_out(text, keep=keep)
    return text if shown == text else spell_out(with_backslashes_escaped(text), keep=keep)


def spell_out_all(value: object) -> object:
    """Return a JSON value with the invisible characters of each text in it escaped, except keys."""
    if isinstance(value, str):
        return _spell_out_name(value, keep=_LINE_ENDS_AND_TABS)
    if isinstance(value, dict):
        return {
            key: spell_out(item)
            if key in _TEXTS_OF_NOTES and isinstance(item, str)
            else spell_out_all(item)
            for key, item in value.items()
        }
    if isinstance(value, list | tuple):
        return [spell_out_all(item) for item in value]
    return value


def _spell_out_at(text: str, keep: str, at: int) -> str:
    char = text[at]
    if char in keep or not (_is_invisible(char) or _is_variation_selector(char)):
        return char
    if char in _JOINERS and _joins(text[at - 1 : at], text[at + 1 : at + 2]):
        return char
    if char in _EMOJI_VARIANTS and at:
        before = text[at - 1]
        if not (before.isalpha() or _is_variation_selector(before)):
            return char
    return char.encode("unicode_escape").decode()


def _is_invisible(char: str) -> bool:
    return unicodedata.category(char) in _INVISIBLE_CATEGORIES or char in _BLANK


def _is_variation_selector(char: str) -> bool:
    return "\ufe00" <= char <= "\ufe0f" or "\U000e0100" <= char <= "\U000e01ef"


def _joins(before: str, after: str) -> bool:
    return all(char and not char.isascii() and not _is_invisible(char) for char in (before, after))
