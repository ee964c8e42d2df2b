"""Reads the JSON of canvases and drawings, in which values may be missing or have any type."""

import re
from collections.abc import Mapping
from math import isfinite

from notesearch.errors import NotANoteError
from notesearch.files import parse_json

_MOST_VALUES = 1_000_000
"""Maximum number of values in a file; each may take a hundred bytes of memory."""

_SEPARATORS = re.compile(r"[\[{,]")

Item = Mapping[str, object]


def parsed(text: str) -> Item:
    """Return the JSON object in ``text``; an empty text counts as an empty object.

    Raises:
        NotANoteError: ``text`` is not a JSON object, or has too many values.
    """
    if not text.strip():
        return {}
    if sum(1 for _ in _SEPARATORS.finditer(text)) > _MOST_VALUES:
        raise NotANoteError("file_too_costly")
    try:
        found = parse_json(text)
    except ValueError as error:
        raise NotANoteError("file_damaged") from error
    if not isinstance(found, dict):
        raise NotANoteError("file_damaged")
    return found


def items(found: Item, key: str) -> list[Item]:
    """Return the objects in the list at ``key``; nothing if there is no list."""
    listed = found.get(key)
    return [item for item in listed if isinstance(item, dict)] if isinstance(listed, list) else []


def text_at(item: Item, key: str) -> str:
    """Return the text at ``key``; empty if there is no text."""
    value = item.get(key)
    return value if isinstance(value, str) else ""


def number(item: Item, key: str) -> float:
    """Return the number at ``key``; 0 if there is no finite number."""
    value = item.get(key)
    if not isinstance(value, int | float) or isinstance(value, bool):
        return 0.0
    try:
        return float(value) if isfinite(value) else 0.0
    except OverflowError:
        return 0.0
