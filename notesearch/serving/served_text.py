"""The text of notes as it is served: in pages, and with its invisible characters escaped.

Nothing is hidden from a reader. Each page but the last has a continuation, which asks for the next.

A continuation consists of the start of the next page, a digest of the source (the note and the part
that was read), and a digest of the whole content: ``24000-1f0c22a9d1b3-77aa01fe90c4``.
"""

import hashlib
import re
import unicodedata
from dataclasses import dataclass

from notesearch.errors import PageMissingError
from notesearch.note_addresses import with_backslashes_escaped

PAGE_CHARACTERS = 24_000
"""About 6,000 tokens, well below what clients of language models accept as one answer."""

_CONTINUATION = re.compile(
    r"(?<![\w-])(?P<start>[0-9]{1,11})-(?P<source>[0-9a-f]{12})-(?P<content>[0-9a-f]{12})(?![\w-])"
)
_BREAKS = ("\n\n", "\n", ". ", " ")
_HEADING = re.compile(r"#{1,6}[ \t]")
_LEAST_FULL = 0.6


@dataclass(frozen=True, slots=True)
class TextPage:
    """A page of a text. It begins at the line ``line`` of the whole text, counted from 0."""

    text: str
    line: int
    continuation: str


def text_page(
    source: str, text: str, continuation: str = "", size: int = PAGE_CHARACTERS
) -> TextPage:
    """Return the page of ``text`` that ``continuation`` asks for, or the first one if it is empty.

    ``source`` names the note, or the part of it, that is ``text``. Raises as ``page_start``.
    """
    start = min(page_start(source, text, continuation), len(text))
    end = _end(text, start, size)
    following = continuation_at(end, source, text) if end < len(text) else ""
    return TextPage(text[start:end], text.count("\n", 0, start), following)


def continuation_at(start: int, source: str, content: str) -> str:
    """Return the continuation that asks for the page from the character ``start`` of ``content``.

    It holds hashes of ``source``, which names the content, and of the content itself.
    """
    return f"{start}-{_digest(source)}-{_digest(content)}"


def page_start(source: str, content: str, continuation: str) -> int:
    """Return the index in ``content`` of the page that ``continuation`` asks for, 0 if empty.

    Raises:
        PageMissingError: ``continuation`` is malformed, of another source, or outdated.
    """
    if not continuation:
        return 0
    match = _CONTINUATION.search(continuation)  # clients copy “continuation=”, too
    if not match:
        raise PageMissingError("continuation_unknown")
    if match["content"] != _digest(content):
        if match["source"] == _digest(source):
            raise PageMissingError("continuation_outdated")
        raise PageMissingError("continuation_elsewhere")
    return int(match["start"])


def _end(text: str, start: int, size: int) -> int:
    """Return the index at which a page ends: after a paragraph, else a line, sentence or word.

    A heading goes to the next page, with its text.
    """
    end = start + size
    least = start + int(_LEAST_FULL * size)
    if end >= len(text):
        return len(text)
    for mark in _BREAKS:
        at = text.rfind(mark, least, end)
        if at >= 0:
            end = at + len(mark)
            break
    page = text[start:end].rstrip()
    before = end
    last_line = page.rfind("\n") + 1
    while _HEADING.match(page, last_line):
        before = start + last_line
        if before <= least:
            return end
        page = page[:last_line].rstrip()
        last_line = page.rfind("\n") + 1
    return before


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:12]


# Invisible characters

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
