"""The forms in which agents write an argument: a list as one text, one text as a list, or JSON.

Each function accepts any value, and returns a form that it does not know unchanged.
"""

from contextlib import suppress

from notesearch.files import parse_json


def _from_json(value: object, start: str) -> object:
    """Return the value of a text that is JSON and begins with ``start``."""
    if isinstance(value, str) and value.strip().startswith(start):
        with suppress(ValueError):
            return parse_json(value)
    return value


def only_item(value: object) -> object:
    """Return the item of a list, or of a list as JSON, that has only one."""
    value = _from_json(value, '["')
    return value[0] if isinstance(value, list) and len(value) == 1 else value


def as_list(text: object, between: str = "\n") -> object:
    """Return the list in ``text``, which is JSON or has parts separated by ``between``."""
    if not isinstance(text, str):
        return text
    if text.strip().startswith("["):
        try:
            return parse_json(text)
        except ValueError:
            text = text.strip() if text.strip().startswith("[[") else text.strip(" []")
    return [part.strip(" \"'") for part in text.split(between) if part.strip()]


def as_query(words: object) -> object:
    """Return a list of texts as one query."""
    if isinstance(words, list) and words and all(isinstance(word, str) for word in words):
        return " ".join(words)
    return words


def as_heading_path(headings: object) -> object:
    """Return a list of headings, such as ``section_path`` in answers, as ``Parent/Child``."""
    headings = _from_json(headings, '["')
    if isinstance(headings, list) and all(isinstance(heading, str) for heading in headings):
        return "/".join(headings)
    return headings


def as_places(places: object) -> object:
    """Return ``places`` as a list of addresses; ``{"path": …, "section": …}`` becomes one, too."""
    listed = as_list(places)
    return [*map(_as_address, listed)] if isinstance(listed, list) else listed


def _as_address(place: object) -> object:
    if isinstance(place, dict) and set(place) <= {"path", "section"}:
        parts = [place.get("path"), place.get("section")]
        return "#".join(part for part in parts if isinstance(part, str)) or place
    return place


def as_condition(value: object) -> object:
    """Return an object with one property, or such an object as JSON, as ``key=value``."""
    value = _from_json(value, '{"')
    if isinstance(value, dict) and len(value) == 1:
        ((key, wanted),) = value.items()
        text = str(wanted).lower() if isinstance(wanted, bool) else str(wanted)
        return f"{key}={text}" if isinstance(wanted, str | int | float) else value
    return value
