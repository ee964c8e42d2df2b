"""Turns the values of front matter, and of ``name:: value`` in a text, into properties."""

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain

from notesearch.markdown.sections.inline_metadata import listed_tags
from notesearch.markdown.sections.written_values import amount, date_of_property, start_of
from notesearch.markdown.sections.yaml_mapping import VALUES_LIMIT, Value, flat_text, items_of
from notesearch.notes import Property

_BETWEEN_COMMAS = re.compile(r"(?:\[\[[^\[\]\n]*+\]\]|[^,])+")
"""A value in a list; a comma in a link such as ``[[June 3rd, 2024]]`` does not end it."""

_LINK = r"!?\[\[([^\[\]|\n]+)(?:\|([^\[\]\n]*))?\]\]|\[([^\[\]\n]+)\]\((?:<[^<>\n]*>|[^()\s]*)\)"
LINK = re.compile(_LINK)
_ONLY_LINKS = re.compile(rf"(?:(?:{_LINK})[\s,;]*)+")
"""A value that consists of links to notes: ``[[Note|words]]`` or ``[words](note.md)``."""

_YEAR_LENGTH = 4
_INVISIBLE = re.compile("[\x00-\x1f\x7f-\x9f\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]")


def one_line(text: str, limit: int = 300) -> str:
    """Return ``text`` as one line of at most ``limit`` characters, without invisible ones."""
    return _INVISIBLE.sub("", " ".join(text[: limit * 8].split())).strip()[:limit].rstrip()


def logseq_values(name: str, value: str) -> list[Value]:
    """Return the values of a property; only tags, aliases and links are split at commas."""
    is_alias = name in {"alias", "aliases"}
    if name in {"tags", "tag"}:
        return [*listed_tags(value)]
    if not is_alias and "[[" not in value:
        return [value]
    parts = [part.strip().removeprefix("#") for part in _BETWEEN_COMMAS.findall(value)]
    return [*chain(*map(_names_of_links, parts))] if is_alias else [*parts]


def _names_of_links(text: str) -> list[str]:
    """Return the names by which the links in a value are found: their notes and their words."""
    if "[" not in text or not _ONLY_LINKS.fullmatch(text):
        return [text]
    names: list[str] = []
    for note, alias, words in LINK.findall(text):
        names += [note.strip(), note.rpartition("/")[2].strip(), alias.strip(), words.strip()]
    return [*dict.fromkeys(filter(None, names))]


def words_of_link(link: re.Match[str]) -> str:
    """Return the words that a match of ``LINK`` shows."""
    return link[2] or link[3] or link[1]


def inline_values(name: str, value: str) -> Iterator[Property]:
    """Yield a property for each value in ``name:: value``, which stands in a note's text."""
    for item in logseq_values(name.lower(), value):
        if isinstance(item, str):
            yield from (replace(one, inline=True) for one in _named(one_line(name), item))


def properties_of(found: dict[str, Value], above: str = "") -> Iterator[Property]:
    """Yield a property for each value.

    The key of a value in a mapping begins with ``above`` and the key of the mapping.
    """
    for name, value in found.items():
        key = one_line(f"{above}{name}")
        for item in items_of(value):
            if isinstance(item, dict):
                yield from properties_of(item, f"{key}.")
                inner = (flat_text(one) for one in item.values() if isinstance(one, str))
                yield from (property_of(key, text) for text in filter(None, inner))
            elif key:
                text = f"[[{flat_text(item)}]]" if isinstance(item, list) else flat_text(item)
                yield from _named(key, text)


def _named(key: str, text: str) -> Iterator[Property]:
    """Yield a property for each name in a value; of a link, only the words it shows are shown."""
    names = _names_of_links(text)
    shown = {words_of_link(link).strip() for link in LINK.finditer(text)}
    for name in names:
        yield replace(property_of(key, name), hidden=len(names) > 1 and name not in shown)


def property_of(key: str, text: str) -> Property:
    """Return the property ``key`` with ``text``, and with its number or date if it is one."""
    text = LINK.sub(lambda link: link[2] or link[1] or link[0], text)
    text = one_line(text.removeprefix("[[").removesuffix("]]"), VALUES_LIMIT)
    day = date_of_property(key, text)
    number = amount(text) if day is None or len(text) == _YEAR_LENGTH else None
    # "2026 Jan" is a date, although it looks like a number with a unit.
    named = start_of(text) if not day and (number is None or text[-1].isalpha()) else None
    return Property(key, text, None if named else number, named or day)
