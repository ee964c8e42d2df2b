"""The addresses by which people and programs name a note, a section or lines of it.

An address is a path as this program prints it (``path:12``, ``path:10-40``, ``path#Heading``,
``path > Heading``, ``path::chunk_2``, ``note:///…``), a link copied from an editor or a browser
(``obsidian://``, ``file://``, ``path#L12``), a wikilink or a Markdown link. With several vaults, it
may begin with the name of a vault.
"""

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sized
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import SplitResult, parse_qs, quote, unquote, urlsplit

from notesearch.errors import NoteMissingError, NotesearchError, SectionMissingError, VaultNameError
from notesearch.notes import Span

_BRACKETED = re.compile(r"!?\[\[(?P<wiki>.+?)\]\]|!?\[[^\]]*\]\((?P<link>.+)\)|<(?P<angle>[^<>]+)>")
_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:/{1,3}(?=.)|note:(?=.)")
_LINES = re.compile(
    r"(?<=.)(?::(?:L|lines? )?|#L|,? lines? )(?P<first>\d{1,9})"
    r"(?:[-–]L?(?P<last>\d{1,9})|:\d{1,9})?(?=:?\Z|:\s)"
)
"""Lines after a name: ``:12``, ``:10-40``, `` lines 10-40``, ``:12:5`` with a column, ``:12: text``
of grep."""
_PASSAGE = re.compile(r"(?<=.)::chunk_(\d{1,9})\Z")
_BREADCRUMB = re.compile(r"(?<!\s)\s++[>›]\s+")
_LISTED = re.compile(
    r"(?:\d{1,3}\. )?(?P<address>.+?)(?: \((?:score \d+|sections?: lines|\d[\d,]* words)[^()]*\))?"
)
"""An address with its number and remarks, as answers to agents list results."""

_QUOTES = "\"'`“”„«»"
_ESCAPE = re.compile(r"\\(?:[tnr]|x[0-9a-f]{2}|u[0-9a-f]{4}|U000[0-9a-f]{5}|U0010[0-9a-f]{4})")
_MOST_MEANINGS = 100
"""Maximum meanings of an address to look up; only a text that is not an address has more."""
_OF_PARAMETERS = ("file", "path", "filepath", "page")
"""Parameters of web addresses, such as those of Obsidian and Logseq, that name a note."""


@dataclass(frozen=True, slots=True)
class NoteAddress:
    """The parts of an address, according to one of its possible meanings.

    Attributes:
        heading: A heading, ``Heading#Sub-heading``, or ``^`` with a block's id; else empty.
        lines: The first and the last line, from 1; both 0 if no line is given. The last is 0 if
            only one line is given.
        passage: The number of a passage in the note, from 0, as in the ids of ``semantic-search``;
            else None.
    """

    name: str
    heading: str = ""
    lines: Span = (0, 0)
    passage: int | None = None


def meanings(text: str, vault: Path) -> Iterator[NoteAddress]:
    """Yield the possible meanings of an address, the most likely first.

    There may be several, because the name of a note may contain any character.

    Args:
        text: The address.
        vault: The notes folder; absolute paths in it are made relative.
    """
    relative = (replace(meant, name=_relative(meant.name, vault)) for meant in _meanings(text))
    named = (meant for meant in relative if meant.name.strip() and "\0" not in meant.name)
    seen = set[NoteAddress]()
    for address in named:
        if len(seen) == _MOST_MEANINGS:
            return
        if address not in seen:
            seen.add(address)
            yield address


def _meanings(text: str) -> Iterator[NoteAddress]:
    yield NoteAddress(text)
    for bare in (*_bare_texts(text.strip()), text):
        if _URL.match(bare):
            yield from _spellings(_local_part(bare))
        yield from _spellings(bare)


def _bare_texts(text: str) -> Iterator[str]:
    """Yield the possible addresses in ``text``, such as the target of a link.

    The last is ``text`` itself, because the name of a note may have brackets or quotes.
    """
    is_quoted = text[:1] in _QUOTES and text[-1:] in _QUOTES
    bare = text.strip(_QUOTES) if is_quoted else text
    inner = _BRACKETED.fullmatch(bare)
    if inner:
        target = inner["wiki"] or inner["link"] or inner["angle"]
        yield target.partition("|")[0].strip("\\ ") if inner["wiki"] else target.strip("<> ")
    yield bare
    listed = _LISTED.fullmatch(bare)
    if listed:
        yield listed["address"]
    yield text


def _spellings(text: str) -> Iterator[NoteAddress]:
    """Yield the possible meanings of ``text``: as written, and with encoded characters decoded."""
    for name in (text, without_escapes(text), text.replace("\\", "/")):
        yield from _parts(name)
    if "%" in text:
        # An encoded character belongs to a name, so the parts are separated before decoding.
        for meant in tuple(_parts(text)):
            yield replace(meant, name=unquote(meant.name), heading=unquote(meant.heading))


def with_backslashes_escaped(text: str) -> str:
    r"""Return ``text`` with ``\x5c`` for each backslash that looks like the start of an escape.

    If invisible characters are escaped afterwards, ``without_escapes`` gives the text back.
    """
    return _ESCAPE.sub(lambda found: rf"\x5c{found[0][1:]}", text)


def without_escapes(text: str) -> str:
    r"""Return ``text`` with the escapes of an answer, such as ``\x07``, decoded."""
    return _ESCAPE.sub(lambda found: found[0].encode().decode("unicode_escape"), text)


def _parts(text: str) -> Iterator[NoteAddress]:
    yield NoteAddress(text)
    for crumb in _BREADCRUMB.finditer(text):  # a name may contain such characters, too
        headings = "#".join(_BREADCRUMB.split(text[crumb.end() :]))
        yield from _in_note(text[: crumb.start()], headings)
    yield from _in_note(text, "")
    for at in range(len(text) - 1, 0, -1):
        if text[at] == "#":
            yield NoteAddress(text[:at].rstrip(), text[at + 1 :])


def _in_note(text: str, headings: str) -> Iterator[NoteAddress]:
    """Yield the possible meanings of ``text``: a note's name, with lines or a passage number."""
    numbered = _PASSAGE.search(text)
    if numbered:
        text = text[: numbered.start()]
    for found in _LINES.finditer(text):
        first = int(found["first"])
        last = int(found["last"] or 0)
        yield NoteAddress(text[: found.start()], "", (max(first, min(last, 1)), last))
    if headings or numbered:
        yield NoteAddress(text, headings, passage=int(numbered[1]) if numbered else None)


def _local_part(url: str) -> str:
    parts = _split(url)
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


def _split(url: str) -> SplitResult:
    try:
        return urlsplit(url)
    except ValueError:
        return SplitResult("", "", url, "", "")


def _relative(name: str, vault: Path) -> str:
    """Return ``name`` relative to ``vault`` if it is an absolute path in ``vault``."""
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
"""Up to this number of vaults, an error lists the names of all."""


def split_vault(path: str, vaults: Iterable[str]) -> tuple[str, str]:
    """Return the name of the vault with which ``path`` begins, and the rest of the path.

    If it begins with none of ``vaults``, return an empty name and the whole path.
    """
    name, slash, inside = path.partition("/")
    return (name, inside) if slash and name and name in vaults else ("", path)


def known_vault(name: str, names: Iterable[str]) -> str:
    """Return the name in ``names`` that equals ``name``, ignoring case; raises VaultNameError."""
    known = {own.casefold(): own for own in names}
    wanted = name.strip().rstrip("/").casefold()
    if wanted in known:
        return known[wanted]
    from difflib import get_close_matches  # seldom needed

    near = get_close_matches(wanted, known, n=3, cutoff=0.5) if len(known) > _FEW_VAULTS else []
    raise VaultNameError(
        "vault_name_unknown", name=name, near=tuple(known[key] for key in near or known)
    )


def vault_holding(address: str, paths: Mapping[str, Callable[[str], str]]) -> tuple[str, str]:
    """Return the name of the vault with the note at ``address``, and the note's address in it.

    Args:
        address: An address, as for ``NoteLibrary.read``; it may begin with the name of a vault.
        paths: For each vault, a function like ``NoteLibrary.note_path``.

    Raises:
        NoteMissingError: No vault has this note, or several vaults have it.
        NotesearchError: No vault has this note, and one cannot answer.
    """
    holding: dict[str, str] = {}
    problems: list[NotesearchError] = []
    # A folder in the only vault may have the vault's name.
    of_only = [(name, address) for name in paths] if len(paths) == 1 else []
    for name, inside in [*of_only, *within_vaults(address, paths)]:
        try:
            with naming_vault(name, paths):
                paths[name](inside)
        except NotesearchError as error:
            problems.append(error)
        else:
            return name, inside
    for name, path_of in paths.items():
        try:
            with naming_vault(name, paths, typed=address):
                holding[name] = path_of(address)
        except NotesearchError as error:
            problems.append(error)
    exact = [name for name, path in holding.items() if path == address]
    for names in (exact, list(holding)):
        if len(names) == 1:
            return names[0], address
    if holding:
        whole = tuple(f"{name}/{path}" for name, path in holding.items())
        raise NoteMissingError("note_name_ambiguous", count=len(whole), name=address, paths=whole)
    raise min(problems, key=_vagueness)


@contextmanager
def naming_vault(vault: str, vaults: Sized, *, typed: str | None = None) -> Iterator[None]:
    """Put the name of ``vault`` before each note in errors of the block, except before ``typed``.

    If ``vault`` is the only one of ``vaults``, errors stay as they are.
    """
    try:
        yield
    except (NoteMissingError, SectionMissingError) as error:
        if len(vaults) == 1:
            raise
        fields = dict(error.fields)
        for field in ("path", "name", "near", "paths"):
            notes = fields.get(field)
            if isinstance(notes, str) and notes != typed:
                fields[field] = f"{vault}/{notes}"
            elif isinstance(notes, tuple):
                fields[field] = tuple(f"{vault}/{note}" for note in notes)
        raise type(error)(error.code, **fields) from error


def _vagueness(problem: NotesearchError) -> int:
    """Return how little an error says; "cannot answer" says more than "does not have the note"."""
    if not isinstance(problem, NoteMissingError):
        return 1
    return {"note_name_ambiguous": 0, "note_name_unknown_near": 2}.get(problem.code, 3)


_LEAD = re.compile(r"\s*(?:note:///|!?\[\[|<)?/?")


def within_vaults(address: str, names: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield each vault whose name ``address`` may begin with, and the address without that name.

    A link of Obsidian names the vault by a parameter; then the address stays as it is.
    """
    start = _LEAD.match(address)
    at = start.end() if start else 0
    for name in names:
        for written in dict.fromkeys((name, quote(name, errors="replace"))):
            begun = f"{written}/"
            if address[at : at + len(begun)].casefold() == begun.casefold():
                yield name, address[:at] + address[at + len(begun) :]
    if address.startswith("obsidian:"):
        named = parse_qs(_split(address).query).get("vault", [""])[0]
        yield from ((name, address) for name in names if name.casefold() == named.casefold())
