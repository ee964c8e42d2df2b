"""The addresses by which people and programs name a note, a section or lines of it.

Paths as this program prints them (``path:12``, ``path:10-40``, ``path#Heading``,
``path > Heading``, ``path::chunk_2``, ``note:///…``), links copied from editors and browsers (``obsidian://``,
``file://``, ``path#L12``), wikilinks, Markdown links.
"""

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

from notesearch.notes import Span

_BRACKETED = re.compile(r"!?\[\[(?P<wiki>.+?)\]\]|!?\[[^\]]*\]\((?P<link>.+)\)|<(?P<angle>[^<>]+)>")
_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:/{1,3}(?=.)|note:(?=.)")
_LINES = re.compile(
    r"(?P<name>.+?)(?::(?:L|line )?|#L)(?P<first>\d{1,9})(?:[-:]L?(?P<last>\d{1,9}))?:?"
)
_PASSAGE = re.compile(r"(?<=.)::chunk_\d{1,9}\Z")
_BREADCRUMB = re.compile(r"\s+[>›]\s+")
_QUOTES = "\"'`“”„«»"
_OF_PARAMETERS = ("file", "path", "filepath", "page")
"""Parameters of addresses, such as those of Obsidian and Logseq, that name a note."""


@dataclass(frozen=True, slots=True)
class NoteAddress:
    """What an address may mean.

    Attributes:
        name: A path, file name or title.
        heading: A heading, ``Heading#Sub-heading``, or ``^`` with a block's id; else empty.
        lines: The first and the last line, from 1; both 0 for the whole note. The last is 0 if
            only one line is given.
    """

    name: str
    heading: str = ""
    lines: Span = (0, 0)


def meanings(text: str, vault: Path) -> Iterator[NoteAddress]:
    """Yield what ``text`` may mean, the likeliest first: a name may hold any sign.

    Args:
        text: An address.
        vault: The notes folder; absolute paths in it are made relative.
    """
    seen: dict[NoteAddress, None] = {}
    for address in _meanings(text, vault):
        name = _relative(address.name, vault)
        if name.strip() and "\0" not in name:
            seen.setdefault(replace(address, name=name))
    yield from seen


def _meanings(text: str, vault: Path) -> Iterator[NoteAddress]:
    yield NoteAddress(text)
    text = text.strip()
    if text[:1] in _QUOTES and text[-1:] in _QUOTES:
        text = text.strip(_QUOTES)
    inner = _BRACKETED.fullmatch(text)
    if inner:
        text = inner["wiki"] or inner["link"] or inner["angle"]
        text = text.partition("|")[0].strip("\\ ") if inner["wiki"] else text.strip("<> ")
    is_url = _URL.match(text)
    if is_url:
        text = _local_part(text)
    for name in (text, text.replace("\\", "/")):
        yield from _parts(name)
    if "%" in text:
        # An encoded sign belongs to the name, so the parts are told apart first.
        for one in tuple(_parts(text)):
            yield replace(one, name=unquote(one.name), heading=unquote(one.heading))


def _parts(text: str) -> Iterator[NoteAddress]:
    yield NoteAddress(text)
    place, *headings = _BREADCRUMB.split(text)
    place = _PASSAGE.sub("", place)
    lines = _LINES.fullmatch(place)
    if lines:
        yield NoteAddress(lines["name"], "", (int(lines["first"]), int(lines["last"] or 0)))
    if place != text:
        yield NoteAddress(place, "#".join(headings))
    for at in range(len(text) - 1, 0, -1):
        if text[at] == "#":
            yield NoteAddress(text[:at].rstrip(), text[at + 1 :])


def _local_part(url: str) -> str:
    """Return the note that ``url`` names, percent-encoded, with its fragment."""
    parts = urlsplit(url)
    fragment = f"#{parts.fragment}" if parts.fragment else ""
    given = parse_qs(parts.query, keep_blank_values=True)
    for name in _OF_PARAMETERS:
        if name in given:
            line = given.get("line", [""])[0]
            return given[name][0] + (f":{line}" if line.isdigit() else fragment)
    path = parts.path
    if parts.scheme.lower() == "file" and re.match(r"/[A-Za-z]:", path):
        path = path[1:]
    return path + fragment


def _relative(name: str, vault: Path) -> str:
    """Return ``name`` relative to ``vault`` if it is the absolute path of something in it."""
    if "\0" in name or not os.path.isabs(name):  # noqa: PTH117 - keeps the spelling
        return name
    for root in (vault, Path(os.path.realpath(vault))):
        absolute = Path(os.path.normpath(name))
        if absolute.is_relative_to(root):
            return absolute.relative_to(root).as_posix()
    absolute = Path(os.path.realpath(name))
    if absolute.is_relative_to(os.path.realpath(vault)):
        return absolute.relative_to(os.path.realpath(vault)).as_posix()
    return name.lstrip("/") or name


def in_vault(path: str, vaults: Iterable[str]) -> tuple[str, str]:
    """Return the one of ``vaults`` that is the first part of ``path``, and the rest of the path.

    If none is, return the empty name and the whole path.
    """
    name, slash, inside = path.partition("/")
    return (name, inside) if slash and name and name in vaults else ("", path)
