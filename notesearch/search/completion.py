"""Completes filters: from ``tag:tr`` to ``tag:travel``, with the values that the notes have."""

from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import PurePosixPath

from notesearch.results import FilterChoice
from notesearch.search.filters import NAMES
from notesearch.store.folding import folded_name
from notesearch.store.reader import Reader

_DAYS = ("today", "yesterday", "7d", "4w", "3m", "1y", "this-month", "last-month", "this-year")
_FIXED = {
    "task": ("todo", "done"),
    "has": ("code", "table", "image", "link"),
    "after": _DAYS,
    "before": _DAYS,
}


def complete_filter(reader: Reader, typed: str, limit: int) -> tuple[FilterChoice, ...]:
    """Return the filters that ``typed``, the beginning of one, may become; the best come first.

    Values that begin with what is typed precede those in which a later word does.
    """
    sign = "-" if typed.startswith("-") else ""
    name, colon, value = typed.removeprefix("-").partition(":")
    if not colon:
        names = (f"{sign}{one}:" for one in NAMES if one.startswith(name.lower()))
        return tuple(map(FilterChoice, names))
    name, value = name.lower(), value.lstrip('"')
    if name == "prop":
        key, equals, value = value.partition("=")
        key = key.rstrip('"')
        if not equals:
            keys = _matching(reader.labels.counted("key"), key)
            found = [(f"{_quoted(one)}=", count) for one, count in keys.items()]
        else:
            values = _matching(reader.labels.counted("value", key), value.lstrip('"'))
            found = [(f"{_quoted(key)}={_quoted(one)}", count) for one, count in values.items()]
    else:
        known = _VALUES[name](reader) if name in _VALUES else dict.fromkeys(_FIXED.get(name, ()), 0)
        found = [(_quoted(one), count) for one, count in _matching(known, value).items()]
    return tuple(FilterChoice(f"{sign}{name}:{one}", count) for one, count in found[:limit])


def _folders(reader: Reader) -> Mapping[str, int]:
    counts = Counter[str]()
    for path, _ in reader.rows.note_names():
        counts.update(str(folder) for folder in PurePosixPath(path).parents if folder.name)
    return dict(sorted(counts.items(), key=lambda one: (-one[1], one[0])))


def _files(reader: Reader) -> Mapping[str, int]:
    return Counter(PurePosixPath(path).stem for path, _ in reader.rows.note_names())


def _languages(reader: Reader) -> Mapping[str, int]:
    notes = {name: count for name, count in reader.lexicon.languages().items() if name}
    return notes | reader.labels.counted("code")


_VALUES: dict[str, Callable[[Reader], Mapping[str, int]]] = {
    "tag": lambda reader: dict(reader.labels.tag_counts()),
    "path": _folders,
    "file": _files,
    "section": lambda reader: reader.labels.counted("heading"),
    "lang": _languages,
    "links": lambda reader: dict.fromkeys(_files(reader), 0),
    "linked-by": lambda reader: dict.fromkeys(_files(reader), 0),
}


def _matching(known: Mapping[str, int], typed: str) -> dict[str, int]:
    """Return what begins with ``typed``, then that in which a later word does."""
    typed = folded_name(typed.strip('"').lstrip("#"))
    begun, later = dict[str, int](), dict[str, int]()
    for value, count in known.items():
        compared = folded_name(value)
        if compared.startswith(typed):
            begun[value] = count
        elif any(f"{sign}{typed}" in compared for sign in " /-_"):
            later[value] = count
    return begun | later


def _quoted(value: str) -> str:
    return f'"{value}"' if " " in value else value
