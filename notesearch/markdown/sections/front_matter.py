"""Front matter: the properties at the top of a note.

They are YAML between ``---``; TOML between ``+++`` or a JSON object, as Hugo writes them; or lines
without a fence: Logseq's ``key:: value``, ``Title: value`` of MultiMarkdown and Pelican, Pandoc's
``% title``, and those that Notion writes below a title.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import chain, islice

from notesearch.files import parse_toml
from notesearch.markdown.sections.inline_text import listed_tags
from notesearch.markdown.sections.periods import date_of_property, period
from notesearch.notes import Property

SIZE_LIMIT = 64 * 1024
DEPTH_LIMIT = 16
VALUE_LIMIT = 4_000
VALUES_LIMIT = 500

_BLOCK = re.compile(
    r"\n{0,3}---[ \t]*\n(.*?)^(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE
)
_TOML_BLOCK = re.compile(r"\+\+\+[ \t]*\n(.*?)^\+\+\+[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)
_TOML_PAIR = re.compile(r"^([\w.-]+|\"[^\"\n]+\")[ \t]*=[ \t]*(.*)$", re.MULTILINE)
_BARE_PAIR = re.compile(
    r"^([ \t]*(?:- +)?[^\s:#'\"\[{-][^:\n]*:)[ \t]+((?!\{(?!\{))[^\s|>'\"&!*\[].*)$", re.MULTILINE
)
_LEFT_OPEN = re.compile(r"^([^\s:#'\"\[{-][^:\n]*:)[ \t]+(\{\{.*)$", re.MULTILINE)
"""A template's value such as ``{{title}}``, which YAML would read as a mapping in a mapping."""

_BARE_HASH = re.compile(
    r"^([ \t]*(?:[^\s:#'\"\[{-][^:\n]*:|-)[ \t]+)(#[^\s#][^\n]*)$", re.MULTILINE
)
"""A value such as ``#tag`` or ``#ff8800``, which YAML would read as a comment."""

_ENTRY = re.compile(
    r"""(?=^(?:[^\s#"'\[\]{}|>:,*&!%@`<(+~=-][^:\n]*:(?:[ \t]|$)
        |"[^"\n]+"[ \t]*:|'[^'\n]+'[ \t]*:
        |[^\W\d][\w-]*:(?!//)))""",
    re.MULTILINE | re.VERBOSE,
)
_CONTINUED = re.compile(r"[ \t#\]}-]|$")
"""The start of a line that belongs to the entry above it."""

_SENTENCE = re.compile(r"\s*\S+\s+\S+\s+\S")
"""The beginning of a key of three words or more."""

_TIGHT_ITEM = re.compile(r"^([ \t]*)-(?=[^\s-])", re.MULTILINE)
"""The start of a list item without a blank after its dash; YAML would add it to the line above."""

_ITEM = re.compile(r"[ \t]*[-*•](?:[ \t]+(.*))?")
_LISTED_PART = re.compile(r"\s*(?:\[\[[^\[\]]*\]\]|\"[^\"]*\"|'[^']*'|[^,\[\]]+)")
_LINKS = re.compile(r"(?:\[\[[^\[\]\n]*\]\][ \t,;]*){2,}")
_COMMENT = re.compile(r"(?<![ \t])[ \t]++#[ \t].*")

_REFUSED_BY_YAML = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ufffe\uffff]")
_TAG_SEPARATORS = re.compile(r"[,\s]+")
_YEAR_LENGTH = 4
_NUMBER = re.compile(r"[+-]?\d{1,15}(?:\.\d{1,15})?")
_INVISIBLE = re.compile("[\x00-\x1f\x7f-\x9f\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]")

_LOGSEQ_PROPERTY = re.compile(r"([^\W\d][\w./-]*)::(?:[ \t]+([^\n]*))?\n")
_LOGSEQ_BODY = re.compile(r"[ \t]*\n\s*\S|[-*] |#{1,6} ")
"""The start of a page's blocks or a heading; without it, ``key:: value`` lines are text."""

_TITLED = re.compile(
    r"(?:[^\W\d_][^:\n]{0,40}:[ \t]+\S[^\n]*\n(?:[ \t]+\S[^\n]*\n)*){2,}(?=[ \t]*\n|\Z)"
)
"""Lines ``key: value`` and those that continue them, up to an empty line."""

_TITLE_LINE = re.compile(r"^title:[ \t]", re.MULTILINE | re.IGNORECASE)
_PANDOC_LINES = re.compile(r"%[ \t]+(\S[^\n]*)\n%([^\n%]*)\n(?:%([^\n%]*)\n)?(?=[ \t]*\n|\Z)")
_BELOW_TITLE = re.compile(r"# [^\n]+\n\n((?:[^\W\d_][^:\n]{0,40}: \S[^\n]*\n){2,})(?=\n|\Z)")

_Value = str | list["_Value"] | dict[str, "_Value"]


class _UnusableError(Exception):
    """The block of YAML is not a mapping, is nested too deeply, or has an alias."""


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """The properties at the top of a note.

    Attributes:
        lines: The number of lines of the front matter, with the lines around it; 0 for none.
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


def read_front_matter(text: str) -> FrontMatter:
    r"""Read the front matter of ``text``, whose lines end in ``\n``; empty if it has none.

    A block counts as text if it is unclosed, too large, or has text but no property. If YAML
    refuses the block, each property is read by itself, so that one faulty line spoils no other.
    """
    for block, read in ((_BLOCK, mapping), (_TOML_BLOCK, _toml)):
        match = block.match(text, 0, SIZE_LIMIT) if text[:1] in {"-", "+", "\n"} else None
        found = read(match[1]) if match else None
        if match and found and match[1].startswith("\n") and any(map(_SENTENCE.match, found)):
            break  # a letter between horizontal rules
        if match and (found or (found is not None and not match[1].strip())):
            return _front_matter(found, match[0].count("\n") + (not match[0].endswith("\n")))
    if text.startswith("{\n"):
        return _front_matter(*_json(text[:SIZE_LIMIT]))
    if text.startswith("% "):
        return _front_matter(*_pandoc_title(text))
    if text.startswith("# "):
        return _front_matter(_notion_properties(text), 0)
    titled = _TITLED.match(text, 0, SIZE_LIMIT) if text[:1].isalpha() else None
    if titled and _TITLE_LINE.search(titled[0]):
        return _front_matter(_pairs(titled[0]), 0)
    return _front_matter(*_logseq_properties(text))


def one_line(text: str, limit: int = 300) -> str:
    """Return ``text`` as one line of at most ``limit`` characters, without invisible ones."""
    return _INVISIBLE.sub("", " ".join(text[: limit * 8].split())).strip()[:limit].rstrip()


def mapping(block: str) -> dict[str, _Value] | None:
    """Read a YAML mapping; entries that YAML refuses are read as people mean them.

    Returns None if ``block`` is not a mapping.
    """
    if "{{" in block:
        block = _LEFT_OPEN.sub(_quoted_pair, block)
    if "#" in block:
        block = _BARE_HASH.sub(_quoted_pair, block)
    if "-" in block:
        block = _TIGHT_ITEM.sub(r"\1- ", block)
    found = _yaml(block)
    return _by_entries(block) if found is None else found


def _yaml(block: str) -> dict[str, _Value] | None:
    """Read a mapping; if YAML refuses it, once more with quotes around values.

    YAML refuses a value such as ``Part 2: the end``. Returns None if both attempts fail.
    """
    for attempt in (str, _with_values_quoted):
        try:
            return _load(attempt(block))
        except _syntax_error():
            continue
        except _UnusableError:
            return None
    return None


def _by_entries(block: str) -> dict[str, _Value] | None:
    """Read each entry by itself, and an entry that YAML refuses line by line.

    Returns None if the block does not begin with an entry, or has fewer entries than other lines
    that are not indented: a letterhead between horizontal rules is text.
    """
    before, *entries = _ENTRY.split(block)
    others = sum(not _CONTINUED.match(line) for entry in entries for line in entry.split("\n")[1:])
    if not entries or others > len(entries) or _without_comments(before):
        return None
    found: dict[str, _Value] = {}
    for entry in entries[:VALUES_LIMIT]:
        for key, value in _entry(entry).items():
            _add(found, key, value)
    return found


def _entry(source: str) -> dict[str, _Value]:
    """Read one entry; lines that are not indented continue its text."""
    first, *rest = source.split("\n")
    own = "\n".join([first, *filter(_CONTINUED.match, rest)])
    others = " ".join(line for line in rest if not _CONTINUED.match(line))
    read = _yaml(own)
    return {
        key: f"{value} {others}".strip() if isinstance(value, str) else value
        for key, value in (_by_lines(own) if read is None else read).items()
    }


def _without_comments(lines: str) -> str:
    return "".join(line for line in lines.split("\n") if not line.startswith("#")).strip()


def _by_lines(entry: str) -> dict[str, _Value]:
    """Read one entry that YAML refuses: a key with a value of one or more lines, or with a list."""
    first, *rest = _REFUSED_BY_YAML.sub(" ", entry.replace("\t", " ")).split("\n")
    key, _, value = first.partition(":")
    more = [line for line in rest if line.strip() and not line.lstrip().startswith("# ")]
    items = [_ITEM.fullmatch(line) for line in more]
    if more and all(items):
        values: list[_Value] = [_bare(item[1] or "") for item in items if item]
        return {_bare(key): [_listed(value), *values] if value.strip() else values}
    return {_bare(key): _listed(" ".join([value, *map(str.strip, more)]))}


def _listed(source: str) -> _Value:
    """Return the items of ``[one, two]`` or of several links; else the value as text."""
    source = _COMMENT.sub("", source).strip()
    inner = source[1:-1] if source.startswith("[") and source.endswith("]") else ""
    if _LINKS.fullmatch(source):
        inner = source
    elif source.startswith("[["):
        inner = ""
    parts = [_bare(part) for part in _LISTED_PART.findall(inner)]
    return [*filter(None, parts)] or _bare(source)


def _bare(source: str) -> str:
    """Return a value without the quotes around it, or without a single quote at its start."""
    source = source.strip()
    quote = source[:1]
    if quote not in {'"', "'"} or quote == "":
        return source
    if source.endswith(quote) and source.count(quote) == 2:
        return source[1:-1]
    return source[1:] if source.count(quote) == 1 else source


def _add(found: dict[str, _Value], key: str, value: _Value) -> None:
    """Add a property; if the key exists, keep all its values, but only the first of a title."""
    if not found.get(key):
        found[key] = value
    elif key.strip().lower() != "title" and value:
        found[key] = [*_items(found[key]), *_items(value)]


def _toml(block: str) -> dict[str, _Value] | None:
    """Read TOML; if it is faulty, read each ``key = value`` by itself; None for no property."""
    try:
        return _mapped(parse_toml(block))
    except ValueError:  # also a number that Python cannot write: more than 4,300 digits
        pairs = _TOML_PAIR.findall(block)[:VALUES_LIMIT]
        return {_bare(key): _listed(value) for key, value in pairs} or None


def _json(text: str) -> tuple[dict[str, _Value], int]:
    """Return the JSON object at the start of ``text`` and its number of lines; or ``{}`` and 0."""
    try:
        found, end = json.JSONDecoder().raw_decode(text)
    except (ValueError, RecursionError):
        return {}, 0
    rest = text[end : text.find("\n", end) + 1 or None]
    if not isinstance(found, dict) or not found or rest.strip():
        return {}, 0
    return _mapped(found), text.count("\n", 0, end) + 1


def _mapped(found: Mapping[str, object]) -> dict[str, _Value]:
    return {str(key): _as_value(value) for key, value in found.items()}


def _as_value(value: object, depth: int = 0) -> _Value:
    """Return a value of TOML or JSON with text in place of numbers, dates and booleans."""
    if depth > DEPTH_LIMIT or value is None:
        return ""
    if isinstance(value, dict):
        return {str(key): _as_value(inner, depth + 1) for key, inner in value.items()}
    if isinstance(value, list):
        return [_as_value(inner, depth + 1) for inner in value]
    return str(value).lower() if isinstance(value, bool) else str(value)


def _logseq_properties(text: str) -> tuple[dict[str, _Value], int]:
    """Return the properties in ``key:: value`` lines at the top, and the number of those lines."""
    properties: dict[str, _Value] = {}
    at = 0
    while at < SIZE_LIMIT and (line := _LOGSEQ_PROPERTY.match(text, at)) is not None:
        properties[line[1]] = logseq_values(line[1].lower(), (line[2] or "").strip())
        at = line.end()
    if _LOGSEQ_BODY.match(text, at) is None:
        return {}, 0
    return properties, text.count("\n", 0, at)


def _pandoc_title(text: str) -> tuple[dict[str, _Value], int]:
    """Return title, author and date in Pandoc's lines ``% …`` at the top, and the lines' number."""
    found = _PANDOC_LINES.match(text, 0, SIZE_LIMIT)
    if not found:
        return {}, 0
    values: dict[str, _Value] = {"title": found[1].strip()}
    for key, value in (("author", found[2]), ("date", found[3])):
        if value and value.strip():
            values[key] = value.strip()
    return values, found[0].count("\n")


def _notion_properties(text: str) -> dict[str, _Value]:
    """Return the lines ``key: value`` below a title, if one is a tag or a date."""
    found = _BELOW_TITLE.match(text, 0, SIZE_LIMIT)
    pairs = _pairs(found[1]) if found else {}
    pairs.pop("Title", None)
    names = (
        (key.lower() in _KNOWN, date_of_property(key, str(value))) for key, value in pairs.items()
    )
    return pairs if any(map(any, names)) else {}


def _pairs(lines: str) -> dict[str, _Value]:
    """Return the properties in lines ``key: value``, which also stay in the text of the note.

    A value goes on in lines that begin with a blank. Of equal keys the first counts.
    """
    pairs: dict[str, _Value] = {}
    for entry in re.split(r"\n(?=\S)", lines.rstrip("\n")):
        key, _, value = entry.partition(":")
        pairs.setdefault(key, one_line(value))
    return pairs


def logseq_values(name: str, value: str) -> list[_Value]:
    """Return the values of a property; only tags, aliases and links are split at commas."""
    if name in {"tags", "tag"}:
        return [*listed_tags(value)]
    if name not in {"alias", "aliases"} and "[[" not in value:
        return [value]
    parts = (part.strip().removeprefix("#") for part in value.split(","))
    return [part.removeprefix("[[").removesuffix("]]") for part in parts]


def _with_values_quoted(block: str) -> str:
    block = _REFUSED_BY_YAML.sub(" ", block.replace("\t", "    "))
    return _BARE_PAIR.sub(_quoted_pair, block)


def _quoted_pair(pair: re.Match[str]) -> str:
    value = _COMMENT.sub("", pair[2]).strip().replace("'", "''")
    return f"{pair[1]} '{value}'"


@cache
def _syntax_error() -> type[Exception]:
    import yaml

    return yaml.YAMLError


def _load(block: str) -> dict[str, _Value]:
    """Read a YAML mapping, with all scalars as text, from YAML events.

    PyYAML's own loaders recurse in C for each nesting level, so hostile input can crash the
    process. They also guess types, which alters dates and version numbers.

    Raises:
        YAMLError: ``block`` is not YAML.
        _UnusableError: ``block`` is not a mapping, is nested too deeply, or has an alias.
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
            mapped: dict[str, _Value] = {}
            for key, value in zip(keys, pairs[1::2], strict=True):
                _add(mapped, key, value)
            stack[-1].append(mapped)
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
        aliases=_unique(map(one_line, map(_flat, chain(*map(_aliases, known["aliases"]))))),
        tags=_unique(chain(*map(_tags, known["tags"]))),
        category=one_line(_flat(known["category"])),
        properties=properties,
        values=tuple(islice(_values(found), VALUES_LIMIT)),
    )


def inline_values(name: str, value: str) -> Iterator[Property]:
    """Yield a property for each value in ``name:: value``, which stands in a note's text."""
    for item in logseq_values(name.lower(), value):
        if isinstance(item, str):
            yield replace(property_of(one_line(name), item), inline=True)


def _values(found: dict[str, _Value], above: str = "") -> Iterator[Property]:
    """Yield a property for each value; its key begins with ``above``: ``outer.`` in a mapping."""
    for name, value in found.items():
        key = one_line(f"{above}{name}")
        for item in _items(value):
            if isinstance(item, dict):
                yield from _values(item, f"{key}.")
            elif key:
                yield property_of(key, _flat(item))


def property_of(key: str, text: str) -> Property:
    """Return the property ``key`` with ``text``, and with its number or date if it is one."""
    text = one_line(text.removeprefix("[[").removesuffix("]]"), VALUES_LIMIT)
    day = date_of_property(key, text)
    if _NUMBER.fullmatch(text) and (day is None or len(text) == _YEAR_LENGTH):
        return Property(key, text, number=float(text), day=day)
    named = None if day else period(text)
    return Property(key, text, day=named[0] if named else day)


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


def _aliases(value: _Value) -> Iterable[_Value]:
    """Return the aliases in ``value``: a list, or a text with commas, as in Obsidian."""
    return value.split(",") if isinstance(value, str) else _items(value)


def _tags(value: _Value) -> Iterator[str]:
    if isinstance(value, str):
        value = list(_TAG_SEPARATORS.split(value))
    for item in _items(value):
        tag = one_line(_flat(item))
        for one in tag.split(" ") if tag.startswith("#") and " #" in tag else (tag,):
            yield one.lstrip("#").strip("/[] ")


def _unique(words: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(word for word in words if word))


def _flat(value: _Value) -> str:
    if isinstance(value, list):
        value = ", ".join(filter(None, map(_flat, value)))
    elif isinstance(value, dict):
        value = ", ".join(f"{key}: {_flat(inner)}" for key, inner in value.items())
    return value.strip()[:VALUE_LIMIT]
