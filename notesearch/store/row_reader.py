"""Reads notes, sections and passages: by id, by name, and by a condition that they match."""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import takewhile
from operator import attrgetter
from typing import Any, TypeVar, cast

from notesearch.notes import ELLIPSIS, BlockNames, Feature
from notesearch.store.conditions import Condition, only_those, wall_clock_ahead
from notesearch.store.db import IndexState
from notesearch.store.folding import folded_name
from notesearch.store.rows import (
    IS_NOTE,
    THESE,
    ListedSection,
    NoteRow,
    PassageRow,
    SectionPlace,
    SectionRow,
    source_map,
)

_OUTLINE = (
    "select s.id, s.note_id, s.ordinal, s.heading, s.path, s.tags, s.level, s.line, s.end_line,"
    f" '', '', s.features & {Feature.TEXT:d} != 0 from section s"
)
SECTION = (
    _OUTLINE.replace("'', ''", "decompressed(b.text), b.source")
    + " join body b on b.section_id = s.id"
)
"""Selects rows for ``section_row``."""

_NOTE = (
    "select id, path, title, aliases, tags, common_tags, category, mtime_ns, words, properties,"
    " language, (select count(*) from section where note_id = note.id), dated, inline_properties"
    " from note"
)
_PASSAGE = "select section_id, idx, start, stop from passage"

_HEADINGS = """
    with latest as (
        select id, level, heading, max(ordinal) as ordinal from section
        where note_id = ? and ordinal <= ? group by level
    )
    select b.source from latest s join body b on b.section_id = s.id
    where s.heading != '' and not exists (
        select 1 from latest where level < s.level and ordinal > s.ordinal
    ) order by s.level desc limit ?"""
"""The source maps of a section and of those sections whose headings are above it, lowest first."""

_NEWEST = """
    with counted as materialized (
        select s.note_id, count(*) as of_note from section s where {0} group by s.note_id
    ), shown as materialized (
        select c.*, coalesce(n.dated, n.mtime_ns / 1000000000 + ?) as age, n.path
        from counted c join note n on n.id = c.note_id order by age desc, path limit ?
    ), found as (
        select s.id, s.ordinal, n.of_note, n.age, n.path,
            row_number() over (partition by s.note_id order by s.ordinal) as place
        from shown n cross join section s on s.note_id = n.note_id where {0}
    )
    select id, of_note, (select sum(of_note) from counted)
    from found where place <= ? order by age desc, path, ordinal limit ?"""

_Row = TypeVar("_Row")


class RowReader:
    """The part of the reader that returns rows.

    Attributes:
        suffixes: Returns the file types of all notes: ``.md``, then the most frequent first.
    """

    def __init__(self, state: IndexState) -> None:
        self._state = state
        self.suffixes = state.cached(self._read_suffixes, 1)  # each link asks

    def sections(self, ids: Iterable[int], *, with_body: bool = True) -> dict[int, SectionRow]:
        """Return sections by id, in the order of ``ids``; without text unless ``with_body``."""
        query = SECTION if with_body else _OUTLINE
        ids = tuple(ids)
        return _in_order(ids, {row.id: row for row in self._by_id(query, "s.id", ids, section_row)})

    def note_sections(self, path: str) -> tuple[SectionRow, ...]:
        """Return all sections of the note at ``path``, in order."""
        query = f"{SECTION} join note n on n.id = s.note_id where n.path = ? order by s.ordinal"
        return tuple(map(section_row, self._state.rows(query, path)))

    def heading_blocks(self, row: SectionRow) -> list[BlockNames]:
        """Return the references to blocks in each heading of the path of ``row``."""
        if not any(ELLIPSIS in heading for heading in row.path):
            return [()] * len(row.path)
        rows = self._state.rows(_HEADINGS, row.note_id, row.ordinal, len(row.path))
        blocks = [source_map(source).heading_blocks for (source,) in reversed(rows)]
        return [()] * (len(row.path) - len(blocks)) + blocks

    def with_text(self, text: str) -> tuple[int, ...]:
        """Return the ids of the sections whose text contains ``text`` as it is; reads all texts."""
        query = "select section_id from body where instr(decompressed(text), ?)"
        return tuple(id_ for (id_,) in self._state.rows(query, text))

    def places(self, ids: Iterable[int]) -> dict[int, SectionPlace]:
        """Return the place of each section, by section id, in the order of ``ids``."""
        ids = tuple(ids)
        query = f"""select s.id, n.path, s.ordinal, n.id from section s
            join note n on n.id = s.note_id where s.id in {THESE}"""
        return _in_order(
            ids, {row[0]: SectionPlace(*row[1:]) for row in self._state.rows(query, ids)}
        )

    def notes(self, ids: Iterable[int]) -> dict[int, NoteRow]:
        """Return notes by id, in the order of ``ids``; unknown ids are left out."""
        ids = tuple(ids)
        made = partial(_note, ahead=wall_clock_ahead())
        return _in_order(ids, {row.id: row for row in self._by_id(_NOTE, "id", ids, made)})

    def passages(self, sections: Iterable[int]) -> dict[int, list[PassageRow]]:
        """Return the passages of each of ``sections`` that has any, in order."""
        by_section: dict[int, list[PassageRow]] = {}
        for row in self._by_id(_PASSAGE, "section_id", sections, _passage):
            by_section.setdefault(row.section_id, []).append(row)
        for rows in by_section.values():
            rows.sort(key=attrgetter("number"))
        return by_section

    def passages_of_notes(self, notes: Iterable[int]) -> dict[int, list[tuple[int, int]]]:
        """Return, by note id, the passages with text in order: pairs of section id and number."""
        query = f"""select s.note_id, p.section_id, p.idx from section s
            join passage p on p.section_id = s.id where s.note_id in {THESE}
            and p.stop > p.start order by s.note_id, s.ordinal, p.idx"""
        by_note: dict[int, list[tuple[int, int]]] = {}
        for note, section, number in self._state.rows(query, notes):
            by_note.setdefault(note, []).append((section, number))
        return by_note

    def _by_id(
        self, query: str, column: str, ids: Iterable[int], made: Callable[[Sequence[Any]], _Row]
    ) -> Iterator[_Row]:
        query = f"{query} where {column} in {THESE}"
        return map(made, self._state.rows(query, ids))

    def without_text(self, ids: Iterable[int]) -> frozenset[int]:
        """Return which of the sections ``ids`` have no text below their heading."""
        query = f"select id from section where id in {THESE} and features & {Feature.TEXT:d} = 0"
        return frozenset(self._state.column(query, ids))

    def first_with_text_below(self, section: SectionRow) -> SectionRow | None:
        """Return the first section with text below the heading of ``section``, at any level."""
        query = "select id, level, features from section where note_id = ? and ordinal > ?"
        after = self._state.rows(f"{query} order by ordinal", section.note_id, section.ordinal)
        below = takewhile(lambda row: 0 < section.level < row[1], after)
        first = next((id_ for id_, _, features in below if features & Feature.TEXT), None)
        return self.sections([first])[first] if first is not None else None

    def note_names(self) -> tuple[tuple[str, str], ...]:
        """Return path and title of all notes, by path."""
        rows = self._state.rows("select path, title from note order by path")
        return tuple((path, title) for path, title in rows)

    def note_names_from(self, letter: str) -> tuple[tuple[str, str], ...]:
        """Return path and title of notes whose title, alias or file name begins with ``letter``."""
        query = """
            select path, title from note where file >= ?1 and file < ?1 || char(0x10ffff)
            union select path, title from note_name join note on note.id = note_id
                where name >= ?1 and name < ?1 || char(0x10ffff)
            order by path"""
        rows = self._state.rows(query, folded_name(letter)[:1])
        return tuple((path, title) for path, title in rows)

    def notes_of_files(self, names: Iterable[str]) -> tuple[str, ...]:
        """Return the paths of the notes whose file has one of ``names``, in the order of names."""
        query = """
            select n.path from json_each(?) as name cross join note n on n.file = name.value
            order by name.key, length(n.path), n.path"""
        return self._state.column(query, map(folded_name, names))

    def _read_suffixes(self) -> tuple[str, ...]:
        query = """
            select replace(file, rtrim(file, replace(file, '.', '')), '.') as type from note
            group by 1 order by type != '.md', count(*) desc, 1"""
        return self._state.column(query)

    def count_passages(self, ids: Iterable[int]) -> int:
        """Return how many passages the sections ``ids`` have together."""
        query = f"select count(*) from passage where section_id in {THESE}"
        (count,) = self._state.column(query, ids)
        return cast("int", count)

    def has_match(self, condition: Condition) -> bool:
        """Return whether any section matches ``condition``."""
        only, values = condition.sql()
        return bool(self._state.rows(f"select 1 from section s where {only} limit 1", *values))

    def matching(self, condition: Condition | None, ids: Iterable[int]) -> frozenset[int]:
        """Return the sections among ``ids`` that match ``condition``."""
        if condition is None:
            return frozenset(ids)
        only, values = condition.sql()
        query = f"select s.id from section s where s.id in {THESE} and {only}"
        return frozenset(self._state.column(query, ids, *values))

    def at_lines(self, places: Iterable[tuple[str, int]]) -> dict[tuple[str, int], int]:
        """Return the ids of the sections at ``places``, pairs of path and line, by place.

        The line may be any line of a section. Lines above the first section belong to it. Places
        without a section are left out.
        """
        query = """
            select n.path, place.value ->> 1, s.id from json_each(?) place
            cross join note n on n.path = place.value ->> 0
            cross join section s on s.note_id = n.id and s.end_line >= place.value ->> 1
                and (s.line <= place.value ->> 1 or s.ordinal = 0)"""
        rows = self._state.rows(query, places)
        return {(path, line): id_ for path, line, id_ in rows}

    def of_notes(self, paths: Iterable[str]) -> tuple[int, ...]:
        """Return the ids of the sections of the notes at ``paths``."""
        query = """
            select s.id from section s join note n on n.id = s.note_id
            where n.path in (select value from json_each(?))"""
        return self._state.column(query, paths)

    def newest(self, condition: Condition, limit: int, per_note: int) -> list[ListedSection]:
        """Return ``limit`` matching sections, ``per_note`` of each note, the newest notes first."""
        only, values = condition.sql()
        query = _NEWEST.format(only)
        values = (*values, wall_clock_ahead(), limit, *values, per_note, limit)
        return [ListedSection(*row) for row in self._state.rows(query, *values)]

    def newest_notes(self, condition: Condition, limit: int) -> tuple[list[int], int]:
        """Return the ids of the ``limit`` newest notes that match, and how many match."""
        only, values = condition.sql()
        query = f"""
            with empty as (select 0 as id, id as note_id, 0 as ordinal, 0 as features from note
                where ({IS_NOTE}) and id not in (select note_id from section)),
            found as materialized (
                select distinct s.note_id from section s where {only}
                union all select s.note_id from empty s where {only})
            select n.id, (select count(*) from found) from found f join note n on n.id = f.note_id
            order by coalesce(n.dated, n.mtime_ns / 1000000000 + ?) desc, n.path limit ?"""
        rows = self._state.rows(query, *values, *values, wall_clock_ahead(), limit)
        return [id_ for id_, _ in rows], rows[0][1] if rows else 0

    def named(
        self, name: str, limit: int, condition: Condition | None = None, path: str = ""
    ) -> tuple[int, ...]:
        """Return ids of sections called ``name``, and of the first section of the note at ``path``.

        The name is their heading, or, for a first section, the title or file name of its note; case
        and accents are ignored.
        """
        only, values = only_those(condition, "found.id")
        query = f"""
            select id from (
                select id from section where folded(heading) = ?1
                union
                select s.id from note_name m join note n on n.id = m.note_id
                join section s on s.note_id = n.id and s.ordinal = 0
                where m.name = ?1 and folded(n.title) = ?1
                union
                select s.id from note n join section s on s.note_id = n.id and s.ordinal = 0
                where n.file = ?1 or n.path = ?2
            ) as found where true{only}
            order by (select path from note where id = (select note_id from section s
                where s.id = found.id)), id limit ?"""
        return self._state.column(query, folded_name(name), path, *values, limit)


def section_row(row: Sequence[Any]) -> SectionRow:
    """Return the section of a row that ``SECTION`` selects."""
    id_, note, ordinal, heading, path, tags, level, line, end_line, body, source, has_text = row
    return SectionRow(
        id=id_,
        note_id=note,
        ordinal=ordinal,
        heading=heading,
        path=_listed(path),
        tags=_listed(tags),
        level=level,
        line=line,
        end_line=end_line,
        body=body,
        has_text=has_text != 0,
        source=source_map(source),
    )


def _note(row: Sequence[Any], ahead: int) -> NoteRow:
    id_, path, title, aliases, tags, common_tags, category, mtime_ns, words = row[:9]
    properties, language, count, dated, inline_properties = row[9:]
    return NoteRow(
        id=id_,
        path=path,
        title=title,
        aliases=_listed(aliases),
        tags=_listed(tags),
        common_tags=_listed(common_tags),
        category=category,
        modified=mtime_ns / 1e9,
        words=words,
        properties=_mapped(properties),
        language=language,
        sections=count,
        date=mtime_ns / 1e9 + ahead if dated is None else dated,
        inline_properties=_mapped(inline_properties),
    )


def _mapped(written: str) -> dict[str, Any]:
    return dict(json.loads(written)) if written != "{}" else {}


def _in_order(ids: Iterable[int], rows: dict[int, _Row]) -> dict[int, _Row]:
    return {id_: rows[id_] for id_ in ids if id_ in rows}


def _passage(row: Sequence[Any]) -> PassageRow:
    section, index, start, stop = row
    return PassageRow(section, index, (start, stop))


def _listed(written: str) -> tuple[str, ...]:
    return tuple(json.loads(written)) if written != "[]" else ()
