"""The addresses by which people and programs name a note, a section or lines of it.

Paths as this program prints them (``path:12``, ``path:10-40``, ``path#Heading``,
``path > Heading``, ``path::chunk_2``, ``note:///…``), links copied from editors and browsers
(``obsidian://``, ``file://``, ``path#L12``), wikilinks, Markdown links. Among several vaults, an
address may begin with the name of one.
"""

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import parse_qs, quote, unquote, urlsplit

from notesearch.errors import NoteMissingError, VaultNameError
from notesearch.notes import Span

_BRACKETED = re.compile(r"!?\[\[(?P<wiki>.+?)\]\]|!?\[[^\]]*\]\((?P<link>.+)\)|<(?P<angle>[^<>]+)>")
_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:/{1,3}(?=.)|note:(?=.)")
_LINES = re.compile(
    r"(?<=.)(?::(?:L|line )?|#L)(?P<first>\d{1,9})(?:-L?(?P<last>\d{1,9})|:\d{1,9})?(?=:?\Z|:\s)"
)
"""Lines behind a name: ``:12``, ``:10-40``, ``:12:5`` with a column, ``:12: text`` of grep."""
_PASSAGE = re.compile(r"(?<=.)::chunk_(\d{1,9})\Z")
_BREADCRUMB = re.compile(r"\s+[>›]\s+")
_QUOTES = "\"'`“”„«»"
_SPELT_OUT = re.compile(r"\\(?:[tnr]|x[0-9a-f]{2}|u[0-9a-f]{4}|U000[0-9a-f]{5}|U0010[0-9a-f]{4})")
_MOST_MEANINGS = 100
"""Each is looked up among all notes; only a text that is no address may mean more."""
_OF_PARAMETERS = ("file", "path", "filepath", "page")
"""Parameters of addresses, such as those of Obsidian and Logseq, that name a note."""


@dataclass(frozen=True, slots=True)
class NoteAddress:
    """What an address may mean.

    Attributes:
        name: A path, file name, title or alias.
        heading: A heading, ``Heading#Sub-heading``, or ``^`` with a block's id; else empty.
        lines: The first and the last line, from 1; both 0 for the whole note. The last is 0 if
            only one line is given.
        passage: The number of a passage in the note, from 0, as in the ids of ``semantic-search``.
    """

    name: str
    heading: str = ""
    lines: Span = (0, 0)
    passage: int | None = None


def meanings(text: str, vault: Path) -> Iterator[NoteAddress]:
    """Yield what ``text`` may mean, the likeliest first: a name may hold any sign.

    Args:
        text: An address.
        vault: The notes folder; absolute paths in it are made relative.
    """
    relative = (replace(one, name=_relative(one.name, vault)) for one in _meanings(text))
    named = (one for one in relative if one.name.strip() and "\0" not in one.name)
    seen = set[NoteAddress]()
    for address in named:
        if len(seen) == _MOST_MEANINGS:
            return
        if address not in seen:
            seen.add(address)
            yield address


def _meanings(text: str) -> Iterator[NoteAddress]:
    yield NoteAddress(text)
    for bare in (*_unwrapped(text.strip()), text):
        if _URL.match(bare):
            yield from _spellings(_local_part(bare))
        yield from _spellings(bare)


def _unwrapped(text: str) -> Iterator[str]:
    """Yield ``text`` without the quotes or brackets around it, then with them.

    A name may begin with such a sign while a heading behind it ends with one.
    """
    is_quoted = text[:1] in _QUOTES and text[-1:] in _QUOTES
    bare = text.strip(_QUOTES) if is_quoted else text
    if inner := _BRACKETED.fullmatch(bare):
        target = inner["wiki"] or inner["link"] or inner["angle"]
        yield target.partition("|")[0].strip("\\ ") if inner["wiki"] else target.strip("<> ")
    yield bare
    yield text


def _spellings(text: str) -> Iterator[NoteAddress]:
    """Yield the readings of ``text``: as written, and with its encoded signs decoded."""
    for name in (text, unspelt(text), text.replace("\\", "/")):
        yield from _parts(name)
    if "%" in text:
        # An encoded sign belongs to the name, so the parts are separated first.
        for one in tuple(_parts(text)):
            yield replace(one, name=unquote(one.name), heading=unquote(one.heading))


def unspelt(text: str) -> str:
    """Return ``text`` with the characters that answers spell out, such as a bell as ``x07``."""
    return _SPELT_OUT.sub(lambda found: found[0].encode().decode("unicode_escape"), text)


def _parts(text: str) -> Iterator[NoteAddress]:
    yield NoteAddress(text)
    for crumb in _BREADCRUMB.finditer(text):  # a name may hold such signs, too
        headings = "#".join(_BREADCRUMB.split(text[crumb.end() :]))
        yield from _in_note(text[: crumb.start()], headings)
    yield from _in_note(text, "")
    for at in range(len(text) - 1, 0, -1):
        if text[at] == "#":
            yield NoteAddress(text[:at].rstrip(), text[at + 1 :])


def _in_note(place: str, headings: str) -> Iterator[NoteAddress]:
    """Yield what ``place``, a note with lines or a passage, may mean before ``headings``."""
    numbered = _PASSAGE.search(place)
    if numbered:
        place = place[: numbered.start()]
    for found in _LINES.finditer(place):
        lines = int(found["first"]), int(found["last"] or 0)
        yield NoteAddress(place[: found.start()], "", lines)
    if headings or numbered:
        yield NoteAddress(place, headings, passage=int(numbered[1]) if numbered else None)


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


# Among several vaults


_FEW_VAULTS = 9
"""An answer lists all names of vaults if there are no more than this."""


def split_vault(path: str, vaults: Iterable[str]) -> tuple[str, str]:
    """Return the one of ``vaults`` that is the first part of ``path``, and the rest of the path.

    If none is, return the empty name and the whole path.
    """
    name, slash, inside = path.partition("/")
    return (name, inside) if slash and name and name in vaults else ("", path)


def known_vault(name: str, names: Iterable[str]) -> str:
    """Return the one of ``names`` that equals ``name`` apart from case.

    Raises:
        VaultNameError: There is none; the sentence names all, or of many the similar ones.
    """
    known = {one.casefold(): one for one in names}
    wanted = name.strip().casefold()
    if wanted in known:
        return known[wanted]
    from difflib import get_close_matches  # seldom needed

    near = get_close_matches(wanted, known, n=3, cutoff=0.5) if len(known) > _FEW_VAULTS else []
    raise VaultNameError(
        "vault_name_unknown", name=name, near=tuple(known[one] for one in near or known)
    )


def vault_holding(address: str, paths: Mapping[str, Callable[[str], str]]) -> tuple[str, str]:
    """Return the name of the vault that holds the note at ``address``, and its address there.

    An address may begin with the name of a vault and a slash, as in ``work/japan.md``. Any other
    one is looked up in all vaults.

    Args:
        address: As ``NoteLibrary.read`` takes it.
        paths: For each vault, a function that returns the path of a note, or raises as
            ``NoteLibrary.note_path`` does.

    Raises:
        NoteMissingError: No vault has this note, or several have.
    """
    holding: dict[str, str] = {}
    problems: list[NoteMissingError] = []
    for name, inside in within_vaults(address, paths):
        try:
            paths[name](inside)
        except NoteMissingError as error:
            problems.append(error)
        else:
            return name, inside
    for name, path_of in paths.items():
        try:
            holding[name] = path_of(address)
        except NoteMissingError as error:
            problems.append(error)
    exact = [name for name, path in holding.items() if path == address]
    for found in (exact, list(holding)):
        if len(found) == 1:
            return found[0], address
    if holding:
        places = tuple(f"{name}/{path}" for name, path in holding.items())
        raise NoteMissingError("note_name_ambiguous", count=len(places), name=address, paths=places)
    by_code = {error.code: error for error in reversed(problems)}
    raise by_code.get("note_name_ambiguous") or by_code.get("note_name_unknown_near") or problems[0]


_LEAD = re.compile(r"\s*(?:note:///|!?\[\[|<)?/?")


def within_vaults(address: str, names: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield the name of each vault that ``address`` names, and the address in it.

    The address begins with the name, or names the vault as a link of Obsidian does.
    """
    start = _LEAD.match(address)
    at = start.end() if start else 0
    for name in names:
        for written in dict.fromkeys((name, quote(name))):
            begun = f"{written}/"
            if address[at : at + len(begun)].casefold() == begun.casefold():
                yield name, address[:at] + address[at + len(begun) :]
    if address.startswith("obsidian:") and "vault" in (given := parse_qs(urlsplit(address).query)):
        wanted = given["vault"][0].casefold()
        yield from ((name, address) for name in names if name.casefold() == wanted)
