"""Front matter: the properties at the top of a note, as YAML or as Logseq's ``key:: value``."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from itertools import chain, islice

from notesearch.markdown.sections.periods import period
from notesearch.notes import Property

SIZE_LIMIT = 64 * 1024
DEPTH_LIMIT = 16
VALUE_LIMIT = 4_000
VALUES_LIMIT = 500

_BLOCK = re.compile(r"---[ \t]*\n(.*?)^(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)
_BARE_PAIR = re.compile(
    r"^([ \t]*(?:- +)?[^\s:#'\"\[{-][^:\n]*:)[ \t]+((?!\{(?!\{))[^\s|>'\"&!*\[].*)$", re.MULTILINE
)
_LEFT_OPEN = re.compile(r"^([^\s:#'\"\[{-][^:\n]*:)[ \t]+(\{\{.*)$", re.MULTILINE)
"""A template's value such as ``{{title}}``, which YAML would read as a mapping in a mapping."""

_REFUSED_BY_YAML = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ufffe\uffff]")
_TAG_SEPARATORS = re.compile(r"[,\s]+")
_NUMBER = re.compile(r"[+-]?\d{1,15}(?:\.\d{1,15})?")
_INVISIBLE = re.compile("[\x00-\x1f\x7f-\x9f\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]")

_LOGSEQ_PROPERTY = re.compile(r"([^\W\d][\w./-]*)::(?:[ \t]+([^\n]*))?\n")
_LOGSEQ_BODY = re.compile(r"[ \t]*\n\s*\S|[-*] ")
"""The start of a page's blocks; without it, ``key:: value`` lines are ordinary text."""

_Value = str | list["_Value"] | dict[str, "_Value"]


class _UnusableError(Exception):
    """The block is not a mapping, or is built to exhaust its reader."""


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """The properties of a note.

    Attributes:
        lines: Lines of the file that the front matter takes, fences included; 0 for none.
        title, aliases, tags, category: Properties that search knows by name.
        properties: All other properties, as text.
        values: All properties, one entry for each value.
    """

    lines: int = 0
    title: str = ""
    aliases: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    category: str = ""
    properties: Mapping[str, str] = field(default_factory=dict)
    values: tuple[Property, ...] = ()


def split(text: str) -> FrontMatter:
    r"""Read the front matter of ``text``, whose lines end in ``\n``.

    A block that is unclosed, too large, not a mapping or not valid YAML counts as text.
    Logseq's page properties count as front matter, too.
    """
    if not text.startswith("---"):
        return _front_matter(*_logseq_properties(text))
    match = _BLOCK.match(text, 0, SIZE_LIMIT)
    if match is None:
        return FrontMatter()
    found = mapping(match[1])
    if found is None:
        return FrontMatter()
    return _front_matter(found, match[0].count("\n") + (not match[0].endswith("\n")))


def one_line(text: str, limit: int = 300) -> str:
    """Return ``text`` as one line of at most ``limit`` characters, without invisible ones."""
    return _INVISIBLE.sub("", " ".join(text[: limit * 8].split())).strip()[:limit].rstrip()


def mapping(block: str) -> dict[str, _Value] | None:
    """Read a YAML mapping; if a value such as ``Part 2: the end`` fails, retry with it quoted.

    Returns None for anything else than a mapping.
    """
    if "{{" in block:
        block = _LEFT_OPEN.sub(_quoted_pair, block)
    for attempt in (str, _with_values_quoted):
        try:
            return _load(attempt(block))
        except _syntax_error():
            continue
        except _UnusableError:
            return None
    return None


def _logseq_properties(text: str) -> tuple[dict[str, _Value], int]:
    """Return the ``key:: value`` lines that open a Logseq page, and how many there are."""
    properties: dict[str, _Value] = {}
    at = 0
    while at < SIZE_LIMIT and (line := _LOGSEQ_PROPERTY.match(text, at)) is not None:
        properties[line[1]] = _logseq_values(line[1].lower(), (line[2] or "").strip())
        at = line.end()
    if _LOGSEQ_BODY.match(text, at) is None:
        return {}, 0
    return properties, text.count("\n", 0, at)


def _logseq_values(name: str, value: str) -> list[_Value]:
    """Split a property at commas if it holds tags, aliases or links."""
    if name not in {"tags", "tag", "alias", "aliases"} and "[[" not in value:
        return [value]
    parts = (part.strip().removeprefix("#") for part in value.split(","))
    return [part.removeprefix("[[").removesuffix("]]") for part in parts]


def _with_values_quoted(block: str) -> str:
    block = _REFUSED_BY_YAML.sub(" ", block.replace("\t", "    "))
    return _BARE_PAIR.sub(_quoted_pair, block)


def _quoted_pair(pair: re.Match[str]) -> str:
    value = pair[2].strip().replace("'", "''")
    return f"{pair[1]} '{value}'"


@cache
def _syntax_error() -> type[Exception]:
    import yaml

    return yaml.YAMLError


def _load(block: str) -> dict[str, _Value]:
    """Build plain strings, lists and dicts from YAML events.

    PyYAML's own loaders recurse in C for each nesting level, so hostile input can crash the
    process. They also guess types, which alters dates and version numbers.
    """
    import yaml

    loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
    stack: list[list[_Value]] = [[]]
    for event in yaml.parse(block, loader):
        if isinstance(event, yaml.ScalarEvent):
            stack[-1].append(event.value)
        elif isinstance(event, yaml.AliasEvent) or len(stack) > DEPTH_LIMIT:
            raise _UnusableError
        elif isinstance(event, yaml.CollectionStartEvent):
            stack.append([])
        elif isinstance(event, yaml.SequenceEndEvent):
            items = stack.pop()
            stack[-1].append(items)
        elif isinstance(event, yaml.MappingEndEvent):
            pairs = stack.pop()
            keys = (_flat(key) for key in pairs[::2])
            stack[-1].append(dict(zip(keys, pairs[1::2], strict=True)))
    found = stack[0][0] if stack[0] else {}
    if isinstance(found, str) and not found:
        return {}
    if not isinstance(found, dict) or len(stack[0]) > 1:
        raise _UnusableError
    return found


def _front_matter(found: dict[str, _Value], lines: int) -> FrontMatter:
    known: dict[str, list[_Value]] = {name: [] for name in _KNOWN.values()}
    properties: dict[str, str] = {}
    for key, value in found.items():
        name = key.strip().lower()
        if name in _KNOWN:
            known[_KNOWN[name]].append(value)  # a note may have both "alias" and "aliases"
        else:
            properties[one_line(key)] = _flat(value)
    return FrontMatter(
        lines=lines,
        title=next(filter(None, map(one_line, map(_flat, known["title"]))), ""),
        aliases=_unique(map(one_line, map(_flat, chain(*map(_items, known["aliases"]))))),
        tags=_unique(chain(*map(_tags, known["tags"]))),
        category=one_line(_flat(known["category"])),
        properties=properties,
        values=tuple(islice(_values(found), VALUES_LIMIT)),
    )


def _values(found: dict[str, _Value], above: str = "") -> Iterator[Property]:
    """Yield all values; name those of a nested mapping ``outer.inner``."""
    for name, value in found.items():
        key = one_line(f"{above}{name}")
        for item in _items(value):
            if isinstance(item, dict):
                yield from _values(item, f"{key}.")
            elif key:
                yield _property(key, _flat(item))


def _property(key: str, text: str) -> Property:
    text = one_line(text.removeprefix("[[").removesuffix("]]"), VALUES_LIMIT)
    if _NUMBER.fullmatch(text):
        return Property(key, text, number=float(text))  # including a year
    named = period(text)
    return Property(key, text, day=named[0] if named else None)


_KNOWN = {
    "title": "title",
    "aliases": "aliases",
    "alias": "aliases",
    "tags": "tags",
    "tag": "tags",
    "keywords": "tags",
    "category": "category",
    "categories": "category",
}


def _items(value: _Value) -> list[_Value]:
    return value if isinstance(value, list) else [value]


def _tags(value: _Value) -> Iterator[str]:
    if isinstance(value, str):
        value = list(_TAG_SEPARATORS.split(value))
    for tag in _items(value):
        yield one_line(_flat(tag)).lstrip("#").strip("/ ")


def _unique(words: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(word for word in words if word))


def _flat(value: _Value) -> str:
    if isinstance(value, list):
        value = ", ".join(filter(None, map(_flat, value)))
    elif isinstance(value, dict):
        value = ", ".join(f"{key}: {_flat(inner)}" for key, inner in value.items())
    return value.strip()[:VALUE_LIMIT]
