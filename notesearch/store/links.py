"""Follows links: to the note that a link names, to blocks, to web addresses, and back.

A link names a note as in Obsidian: by its path from the root of the vault, else by its path from
the folder of the linking note, else by the end of its path (the shortest path wins), else by a
title or an alias, else by the number of a Zettelkasten. Case and file type may be left out. The
index stores links as they are written. They are resolved only when needed, because a name may soon
mean another note.
"""

import posixpath
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain, islice
from urllib.parse import unquote

from notesearch.notes import BLOCK_REFERENCE, ELLIPSIS, LONGEST_BLOCK
from notesearch.store.conditions import (
    Condition,
    InSections,
    LinkedFrom,
    LinksTo,
    LinksToNote,
    only_those,
)
from notesearch.store.db import IndexState
from notesearch.store.folding import folded_name
from notesearch.store.row_reader import RowReader
from notesearch.store.rows import LinkHit, WrittenLink

_MAX_SIGNS = 6
"""How many ``#`` of a link may belong to a note's name."""

_LONGEST_NAME = 1000
_MOST_NESTED = 3
"""How many references may lead from one block to the next."""

_DIGITS = re.compile(r"\d{8}(?:[Tt]\d{6}|\d{0,12})")
_NUMBER = re.compile(rf"{_DIGITS.pattern}(?!\w)")
"""The date and perhaps the time at the beginning of names in a Zettelkasten or of Denote."""

_DAY = re.compile(r"([A-Za-z]{3,9})\.? (\d{1,2})(?:st|nd|rd|th)?, (\d{4})")
_ISO_DAY = re.compile(r"(\d{4})[-/.](\d\d)[-/.](\d\d)")
_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()

_INDEXES = ("_index", "index", "readme")
"""The names, in any case, of a note that a link to its folder means on web sites, likeliest first.
"""

_FOLDERS = frozenset((".", ".."))
"""A target that ends with one of these names a note by its folder: ``..`` means ``folder.md``."""
_PAGE = ".html"
"""The suffix of the page that a web site makes of a note; links may have it."""

_SIGNS_OF_HEADINGS = re.compile(r"[\W_]+")
_REMEMBERED = 32


class LinkReader:
    """The part of the reader that follows links: to notes, to blocks and to addresses."""

    def __init__(self, state: IndexState, rows: RowReader) -> None:
        self._state = state
        self._rows = rows
        self._cached_sections = state.cached(self._read_sections, _REMEMBERED)
        self._cached_naming = state.cached(self._read_naming, _REMEMBERED)
        self._cached_with_words = state.cached(self._read_with_words, _REMEMBERED)
        self.backlink_counts = state.cached(self._count_backlinks, 1)
        self._cached_sources = state.cached(self._find_sources, 1)
        # Each unknown word looks at all targets; an index of them would be as large as the links.
        targets = "select distinct target from note_link"
        self._targets = state.cached(lambda: state.column(targets), 1)

    def sections_linking_to(
        self, target: LinksTo, condition: Condition | None = None
    ) -> Mapping[int, LinkHit]:
        """Return the sections that link to ``target`` and match ``condition``, by id."""
        with self._state.reading():
            return self._cached_sections(target, condition)

    def _read_sections(self, target: LinksTo, condition: Condition | None) -> Mapping[int, LinkHit]:
        where, values = target.links_sql()
        only, more = only_those(condition, "link.section_id")
        query = f"select section_id, address, start, stop from link where {where}{only}"
        found: dict[int, LinkHit] = {}
        for section_id, address, start, stop in self._state.rows(query, *values, *more):
            share = len(target.address) / len(address)
            if section_id not in found or share > found[section_id].share:
                span = None if start is None or stop is None else (start, stop)
                found[section_id] = LinkHit(section_id, share, span)
        return found

    def looked_up(self, condition: Condition) -> Condition:
        """Return the sections that a condition on links of a note means; any other as it is."""
        if not isinstance(condition, LinksToNote | LinkedFrom):
            return condition
        note, heading = self.place_of(condition.name, "")
        if isinstance(condition, LinksToNote):
            unwritten = frozenset(filter(None, (folded_name(condition.name),)))
            links = self.to_note(note) if note else self._cached_naming(unwritten)
            return self._sections_with(
                link for link in links if not heading or self._leads_to_heading(link, heading)
            )
        if not note:
            return InSections(())
        query = "select distinct target, relative from note_link l join note n on n.id = l.note_id"
        targets = {
            self.place_of(target, note, relative=relative)[0]
            for target, relative in self._state.rows(f"{query} where n.path = ?", note)
        }
        return InSections(self._rows.of_notes(path for path in targets if path and path != note))

    def with_words(self, words: str) -> InSections:
        """Return the condition that the target of a link has ``words``, side by side."""
        return self._sections_with(self._cached_with_words(words))

    def _sections_with(self, links: Iterable[WrittenLink]) -> InSections:
        places = ((link.path, link.line) for link in links)
        return InSections(tuple(dict.fromkeys(self._rows.at_lines(places).values())))

    def to_note(self, path: str) -> Iterator[WrittenLink]:
        """Yield the links of other notes to the note at ``path``, ordered by path and line."""
        file = folded_name(posixpath.basename(path))
        number = _DIGITS.match(file)
        names = frozenset(
            (
                *_FOLDERS,
                file,
                _folder_named_by(path) or file,
                *(file.removesuffix(folded_name(suffix)) for suffix in self._rows.suffixes()),
                *self._names_of(path),
                number[0] if number else file,
            )
        )
        meant: dict[tuple[str, str, bool], str | None] = {}
        for link in self._cached_naming(names):
            # Equal links of notes in one folder lead to the same note.
            key = posixpath.dirname(link.path), link.target, link.relative
            if key not in meant:
                meant[key] = self.place_of(link.target, link.path, relative=link.relative)[0]
            if meant[key] == path != link.path:
                yield link

    def _count_backlinks(self) -> Counter[str]:
        """Return, for the path of each note, how many other notes have a link that may lead to it.

        Notes to which no link may lead are left out.
        """
        sources = self._cached_sources().items()
        return +Counter({path: len(linked - {path}) for path, linked in sources})

    def _find_sources(self) -> Mapping[str, set[str]]:
        """Return, for the path of each note, the notes with a link that may lead to it.

        A link that may lead to several notes counts for each of them.
        """
        written = defaultdict[str, set[str]](set)  # the notes with a link, by its target
        query = "select distinct target, n.path from note_link join note n on n.id = note_id"
        for target, source in self._state.rows(query):
            written[target].add(source)
        linking = defaultdict[str, set[str]](set)  # the same by a name that the link may mean
        for target, notes in written.items():
            for name in _names_in(target):
                linking[name] |= notes
        sources = defaultdict[str, set[str]](set)
        for path, _ in self._rows.note_names():
            file = folded_name(posixpath.basename(path))
            sources[path] |= linking[file] | linking[posixpath.splitext(file)[0]]
            sources[path] |= linking[_folder_named_by(path) or file]
        named = "select n.path, name from note_name join note n on n.id = note_id"
        for path, name in self._state.rows(named):
            sources[path] |= linking[name]
        return sources

    def linking_notes(self) -> tuple[str, ...]:
        """Return the paths of the notes with a link that may mean another note."""
        linking = (linked - {path} for path, linked in self._cached_sources().items())
        return tuple(sorted(set[str]().union(*linking)))

    def _leads_to_heading(self, link: WrittenLink, heading: str) -> bool:
        """Return whether ``link`` leads to ``heading``, which it may write as ``#my-heading``."""
        _, written = self.place_of(link.target, link.path, relative=link.relative)
        return _SIGNS_OF_HEADINGS.sub("", folded_name(written)) == _SIGNS_OF_HEADINGS.sub(
            "", folded_name(heading)
        )

    def _names_of(self, path: str) -> tuple[str, ...]:
        query = """
            select name from note_name join note n on n.id = note_id where n.path = ?1
            union select p.text from property p join note n on n.id = p.note_id
                where n.path = ?1 and p.key in ('id', 'uid')"""
        return self._state.column(query, path)

    def _read_naming(self, names: frozenset[str]) -> tuple[WrittenLink, ...]:
        """Return the links that may mean one of the folded ``names``, by path and line."""
        return self._read_to(lambda target: not names.isdisjoint(_names_in(target)))

    def _read_with_words(self, name: str) -> tuple[WrittenLink, ...]:
        """Return the links whose target, unless it is the id of a block, has the words ``name``."""
        words = folded_name(name)
        if f".{words}" in self._rows.suffixes():
            return ()
        written = re.compile(rf"(?<![^\W_]){re.escape(words)}(?![^\W_])")

        def has_words(target: str) -> bool:
            names = folded_name(target)
            found = words in names and written.search(names)  # few targets need the slow search
            return bool(found) and not BLOCK_REFERENCE.fullmatch(target)

        return self._read_to(has_words)

    def _read_to(self, is_meant: Callable[[str], bool]) -> tuple[WrittenLink, ...]:
        """Return the links whose target ``is_meant``, ordered by path and line."""
        targets = filter(is_meant, self._targets())
        query = """
            select n.path, l.line, l.target, l.relative from note_link l
            join note n on n.id = l.note_id where l.target in (select value from json_each(?))
            order by n.path, l.idx"""
        return tuple(WrittenLink(*row) for row in self._state.rows(query, list(targets)))

    def place_of(
        self, target: str, source: str, *, relative: bool = False
    ) -> tuple[str | None, str]:
        """Return the path of the note that a link names, and the heading or ``^block`` in it.

        The path is None if there is no such note. A note's name may contain ``#``, too: the longest
        name of an existing note counts. An empty name means ``source``, the note with the link.
        With ``relative``, the folder of ``source`` is searched first, as for Markdown links.
        ``((id))`` of Logseq names a block. The id of a heading leads to the heading. Bear writes a
        slash before the heading. If no note has the name as it is written, percent signs are
        decoded (``%20``); at last, a hyphen stands for each space, as in the files of a wiki.
        """
        block = BLOCK_REFERENCE.fullmatch(target)
        if block:
            return self.note_called(block[1], source), f"^{block[1]}"
        for end in (len(target), *reversed(_signs(target))):
            name = target[:end]
            heading = target[end + 1 :]
            if not name.strip():
                return source, heading
            path = self._named(name, source, relative=relative)
            if path is None:
                path, id_ = self.note_with_id(name)
                heading = heading or id_
            if path:
                return path, heading
        name, _, heading = target.rpartition("/")  # Bear writes "Note/Heading"
        path = self._named(name, source, relative=False) if heading.strip() else None
        if path and self._has_heading(path, heading):
            return path, heading
        other = _decoded_name(target) or _wiki_name(target)
        return self.place_of(other, source, relative=relative) if other else (None, "")

    def _has_heading(self, path: str, heading: str) -> bool:
        query = """
            select 1 from section s join note n on n.id = s.note_id
            where n.path = ? and folded(s.heading) = ? limit 1"""
        return bool(self._state.rows(query, path, folded_name(heading.strip())))

    def note_called(self, name: str, source: str = "") -> str | None:
        """Return the path of the note that the link ``[[name]]`` in ``source`` means, or None.

        It may also be the id of a section or block.
        """
        return self._named(name, source, relative=False) or self.note_with_id(name)[0]

    def note_with_id(self, name: str) -> tuple[str | None, str]:
        """Return the path of the only note with the id ``name``, and the id if only a part has it.

        An id is a property ``id``; Org writes ``id:`` before it, and Joplin ``:/``. The number of a
        Zettelkasten at the beginning of a file's name is an id, too.
        """
        name = unicodedata.normalize("NFC", name.strip()).removeprefix("id:").removeprefix(":/")
        if len(name) > _LONGEST_NAME or "\0" in name:
            return None, ""
        number = _NUMBER.match(name.rpartition("/")[2].removeprefix("§").strip())
        paths = self._with_property(name)
        if not paths and number:
            paths = self._numbered(number[0]) or self._with_property(number[0])
        if len(paths) != 1:
            return None, ""
        ((path, inline),) = paths.items()
        return path, name if inline else ""

    def _with_property(self, id_: str) -> dict[str, bool]:
        """Return paths of notes with the id ``id_``, each with whether only a part has the id."""
        query = """
            select n.path, min(p.inline) from property p join note n on n.id = p.note_id
            where p.key in ('id', 'uid') and p.text = ? group by 1 order by 1"""
        return {path: bool(inline) for path, inline in self._state.rows(query, folded_name(id_))}

    def _numbered(self, number: str) -> dict[str, bool]:
        """Return, like ``_with_property``, notes whose file's name begins with ``number``."""
        query = "select path from note where file >= ?1 and file < ?1 || char(0x10ffff)"
        paths = self._state.column(query, number.lower())
        names = ((path, path.rpartition("/")[2]) for path in paths)
        return {path: False for path, name in names if not name[len(number) :][:1].isalnum()}

    def _named(self, name: str, source: str, *, relative: bool) -> str | None:
        """Return the path of the note with this path, name, title or alias; else None."""
        name = unicodedata.normalize("NFC", name.strip())
        if not name or len(name) > _LONGEST_NAME or "\0" in name or "\\" in name:
            return None
        folder = posixpath.dirname(source)
        paths = list(dict.fromkeys(_possible_paths(name, folder, relative=relative)))
        candidates = self._candidates((*paths, name))
        for path in paths:
            found = self._at(path, candidates)
            if found:
                return found
        if name.startswith(("./", "../")):
            return self._index_of(paths)
        if name.startswith("/"):  # the top of a web site may be a folder of the vault
            return self._index_of(paths) or self._ending_in(name[1:], folder, candidates)
        found = self._ending_in(name, folder, candidates)
        found = found or next(iter(self.notes_entitled(name)), None)
        return found or self.note_of_day(name, folder) or self._index_of(paths)

    def _index_of(self, folders: Iterable[str]) -> str | None:
        """Return the path of the note that stands for one of ``folders`` on web sites, or None."""
        names = [posixpath.join("/", folder, name) for folder in folders for name in _INDEXES]
        paths = chain.from_iterable(map(self._with_suffixes, map(posixpath.normpath, names)))
        query = """
            select n.path from json_each(?) p join note n on n.place = p.value
            order by p.key, n.path"""
        return next(iter(self._state.column(query, map(folded_name, paths))), None)

    def note_of_day(self, name: str, folder: str = "") -> str | None:
        """Return the path of the journal of a day, ``Mar 5th, 2024``; preferably in ``folder``."""
        day = _journal_name(name)
        return self._ending_in(day, folder, self._candidates((day,))) if day else None

    def notes_entitled(self, name: str) -> tuple[str, ...]:
        """Return the paths of the notes with ``name`` as title or alias, ignoring case and accents.

        Notes with exactly this title come first, then those with the shortest path.
        """
        query = """
            select n.path from note_name join note n on n.id = note_id where name = ?
            order by n.title != ?, length(n.path), n.path"""
        return self._state.column(query, folded_name(name), name)

    def _at(self, wanted: str, candidates: Iterable[str]) -> str | None:
        """Return the candidate with the path ``wanted``, which may lack its suffix; else None.

        A path with the same case is preferred to one with another.
        """
        paths = {folded_name(f"/{path}"): path for path in self._with_suffixes(wanted)}
        found = [path for path in candidates if folded_name(f"/{path}") in paths]
        exact = [path for path in found if path in paths.values()]
        return next(iter(exact or found), None)

    def _ending_in(self, name: str, folder: str, candidates: Iterable[str]) -> str | None:
        ends = tuple(folded_name(f"/{path}") for path in self._with_suffixes(name))
        found = [path for path in candidates if folded_name(f"/{path}").endswith(ends)]
        near = [path for path in found if folder and path.startswith(f"{folder}/")]
        return next(iter(near or found), None)

    def _candidates(self, paths: Iterable[str]) -> tuple[str, ...]:
        """Return the paths of the notes whose file has the last part of one of ``paths``."""
        names = dict.fromkeys(map(posixpath.basename, paths))
        files = chain.from_iterable(map(self._with_suffixes, names))
        return self._rows.notes_of_files(dict.fromkeys(files))

    def _with_suffixes(self, path: str) -> list[str]:
        suffixes = self._rows.suffixes()
        typed = path.lower().endswith(suffixes)
        names = dict.fromkeys((path, path.removesuffix(_PAGE)))
        return [path] if typed else [f"{name}{suffix}" for name in names for suffix in suffixes]

    def block_texts(self, ids: Iterable[str]) -> dict[str, str]:
        """Return what a reference to each block shows, its first line, by the block's id.

        References in that line are replaced in the same way, at most ``_MOST_NESTED`` levels deep.
        """
        found = self._blocks(ids)
        for _ in range(_MOST_NESTED):
            inner = {id_ for text in found.values() for id_ in BLOCK_REFERENCE.findall(text)}
            texts = self._blocks(inner) if inner else {}
            found = {
                id_: _with_blocks(text, {**texts, id_: ELLIPSIS})
                if len(text) < _LONGEST_NAME
                else text
                for id_, text in found.items()
            }
        return {id_: _with_blocks(text, {})[:LONGEST_BLOCK] for id_, text in found.items() if text}

    def _blocks(self, ids: Iterable[str]) -> dict[str, str]:
        query = """
            select id, min(text) from block where id in (select value from json_each(?))
            group by id having count(*) = 1"""
        return dict(self._state.rows(query, ids))


def _names_in(target: str) -> Iterator[str]:
    """Yield, folded, each name of a note that a link to ``target`` may mean."""
    other = _decoded_name(target) or _wiki_name(target)
    if other:
        yield from _names_in(other)
    whole = folded_name(target)
    for end in (len(whole), *_signs(whole)):
        name = whole[:end].strip()
        last = name.rstrip("/").rpartition("/")[2].strip()
        yield name
        yield last
        yield last.removesuffix(_PAGE)
        yield name.rpartition("/")[0].rpartition("/")[2].strip()
        number = _DIGITS.match(last.removeprefix("§").strip())
        if number:
            yield number[0]
    day = _journal_name(target)
    if day:
        yield day
    if whole.startswith("(("):
        yield whole.strip("()")


def _decoded_name(target: str) -> str:
    """Return ``target`` with its ``%20`` decoded; empty if it has none, or is encoded twice."""
    decoded = unquote(target)
    return decoded if decoded != target and unquote(decoded) == decoded else ""


def _wiki_name(target: str) -> str:
    """Return ``target`` with the hyphens that a wiki of GitHub has for spaces; empty if equal."""
    return target.replace(" ", "-") if " " in target.strip() else ""


def _folder_named_by(path: str) -> str:
    """Return the folded name of the folder for which the note at ``path`` stands; else empty."""
    folder, file = posixpath.split(path)
    stands_for_it = posixpath.splitext(file)[0].lower() in _INDEXES
    return folded_name(posixpath.basename(folder)) if stands_for_it else ""


def _signs(target: str) -> list[int]:
    signs = (at for at, character in enumerate(target) if character == "#")
    return list(islice(signs, _MAX_SIGNS)) if "#" in target else []


def _with_blocks(text: str, texts: Mapping[str, str]) -> str:
    return BLOCK_REFERENCE.sub(lambda named: texts.get(named[1], ELLIPSIS), text)


def _journal_name(name: str) -> str:
    """Return Logseq's file name for a day, such as ``2024_03_05``; empty for no day."""
    if iso := _ISO_DAY.fullmatch(name):
        return "_".join(iso.groups())
    day = _DAY.fullmatch(name)
    month = day[1][:3].lower() if day else ""
    if not day or month not in _MONTHS:
        return ""
    return f"{day[3]}_{_MONTHS.index(month) + 1:02}_{int(day[2]):02}"


def _possible_paths(name: str, folder: str, *, relative: bool) -> Iterator[str]:
    """Yield the paths that ``name`` may mean, likeliest first: from ``folder`` if ``relative``."""
    from_folder = posixpath.normpath(posixpath.join(folder, name))
    if name.startswith("/"):
        yield posixpath.normpath(name.lstrip("/"))
    elif relative or name.startswith(("./", "../")):
        yield from_folder
        yield posixpath.normpath(name)
    else:
        yield posixpath.normpath(name)
        yield from_folder
