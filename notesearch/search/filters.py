"""One filter of a query, such as ``tag:work`` or ``before:7d``, read into a condition."""

import re
from collections.abc import Callable
from datetime import date

from notesearch.markdown.sections.code_languages import code_language
from notesearch.markdown.sections.periods import Period
from notesearch.notes import Feature
from notesearch.search.dates import period_of
from notesearch.store.conditions import (
    Compared,
    Condition,
    Holding,
    InFile,
    InLanguage,
    InPath,
    Not,
    Since,
    Tagged,
    UnderHeading,
    WithProperty,
)
from notesearch.store.symbols import holds_word
from notesearch.store.versions import versioned

NAMES = ("path", "file", "tag", "section", "prop", "task", "has", "lang", "before", "after")
"""What stands in front of the colon; anything else there makes it plain text."""

_FEATURES = {
    "has": {
        "code": Feature.CODE, "table": Feature.TABLE, "image": Feature.IMAGE, "link": Feature.LINK,
    },
    "task": {"todo": Feature.TODO, "open": Feature.TODO, "done": Feature.DONE},
}  # fmt: skip

_PROPERTY = re.compile(r'("[^"]*"?|[^"=<>]+)(?:([<>]=?|=)(.*))?', re.DOTALL)
_NUMBER = re.compile(r"[+-]?\d{1,15}(?:\.\d{1,15})?")


def read_filter(name: str, value: str, today: date) -> Condition | None:
    """Return what ``name:value`` asks for; None when it is no filter but plain text."""
    if name == "prop":
        return _property(value, today)
    value = value.replace('"', "").strip()
    if not holds_word(value):
        return None
    if name in _FEATURES:
        feature = _FEATURES[name].get(value.lower().removesuffix("s"))
        return Holding(feature) if feature else None
    if name in ("before", "after"):
        return _since(name, period_of(value, today))
    return _OF_TEXT[name](value)


def _of_language(value: str) -> Condition:
    from notesearch.markdown.sections.language_detection import named_language

    return InLanguage(named_language({"lang": value}), code_language(value))


def _in_path(value: str) -> Condition:
    from_top = value.startswith("./")  # as shells write what lies in the folder one is in
    return InPath(value[1:] if from_top else value)


_OF_TEXT: dict[str, Callable[[str], Condition]] = {
    "path": _in_path, "file": InFile, "tag": Tagged, "section": UnderHeading, "lang": _of_language,
}  # fmt: skip


def _since(name: str, named: Period | None) -> Condition | None:
    if named is None:
        return None
    since = Since(named[0])
    return since if name == "after" else Not(since)


def _property(text: str, today: date) -> Condition | None:
    """Read ``key``, ``key=value`` or ``key>=value``; each side, or the whole, may be quoted."""
    if len(text) > 1 and text.startswith('"') and text.find('"', 1) in (-1, len(text) - 1):
        text = text.strip('"')
    match = _PROPERTY.fullmatch(text)
    if match is None:
        return None
    key, sign, value = (part.replace('"', "").strip() if part else "" for part in match.groups())
    if not any(c.isalnum() for c in key):
        return None
    if not value:  # also what is still being typed
        return WithProperty(key)
    number = float(value) if _NUMBER.fullmatch(value) else None
    dated, is_version = period_of(value, today), "version" in key.lower()
    # A year is a date as well.
    version = versioned(value) if is_version or dated is None else None
    return WithProperty(key, Compared(sign, value, number, dated, version, is_version))
