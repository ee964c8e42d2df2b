"""Reads the index: one reader per thread, made of parts."""

import contextlib
import json
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from notesearch.messages import Sentence
from notesearch.status import LanguageShare, Unread
from notesearch.store.conditions import (
    property_key,
    versioned,
)
from notesearch.store.db import Connection, IndexState
from notesearch.store.folding import folded_name
from notesearch.store.lexicon import Lexicon
from notesearch.store.links import LinkReader, leads_to
from notesearch.store.row_reader import RowReader
from notesearch.store.rows import (
    IS_NOTE,
    Counts,
    LabelledSection,
    NoteState,
    note_states,
)
from notesearch.store.vector_reader import VectorReader
from notesearch.store.word_reader import WordReader

if TYPE_CHECKING:
    import apsw

_PENDING = (
    "(select count(*) from passage where identity_id in (select id from pending where not of_path))"
)
"""Counts the passages that wait for their vector. Heading paths wait too, but are not counted."""

_PENDING_OF_NEXT_MODEL = """ + (select count(*) from next_passage where hash in
    (select hash from next_pending where not of_path)) + (select count(*) from passage where
    section_id in (select id from section where note_id not in (select note_id from next_note)))"""
"""Counts the passages that wait for a model that will take over. For notes that it has not cut into
passages yet, this counts the passages of the present model."""


class Reader:
    """Reads one index.

    Attributes:
        state: The connection and the version of the index, which all parts share.
        lexicon: Cuts text into words as the index does, and knows its vocabulary.
        words: Finds and scores sections by words.
        rows: Notes, sections and passages by id, by name and by condition.
        vectors: Finds passages by meaning.
        links: Finds sections by where their links lead.
        labels: Tags, properties and names of notes.
    """

    def __init__(self, connection: Connection) -> None:
        """Read over ``connection``."""
        self.state = IndexState(connection)
        self.lexicon = Lexicon(self.state)
        self.words = WordReader(self.state, self.lexicon)
        self.rows = RowReader(self.state)
        self.vectors = VectorReader(self.state, self.rows)
        self.links = LinkReader(self.state)
        self.labels = LabelReader(self.state)
        self.state.sql.create_scalar_function("versioned", _versioned, 1, deterministic=True)
        self.state.sql.create_scalar_function("leads_to", _leads_to, 3, deterministic=True)

    def snapshot(self) -> contextlib.AbstractContextManager[None]:
        """Return a context in which all reads see one state of the index."""
        return self.state.snapshot()

    def counts(self) -> Counts:
        """Count notes, sections, passages, words and vectors of the index."""
        # One transaction: rows of the next model are gone once it has taken over.
        with self.state.reading(), self.state.sql:
            pending = _PENDING + (_PENDING_OF_NEXT_MODEL if self.vectors.next_model() else "")
            query = f"""select count(*) filter (where {IS_NOTE}),
                (select count(*) from section), (select count(*) from passage),
                coalesce(sum(words), 0), (select count(*) from embedding),
                {pending}, coalesce(sum(size) filter (where {IS_NOTE}), 0) from note"""
            (row,) = self.state.rows(query)
        return Counts(*row)

    def language_shares(self) -> tuple[LanguageShare, ...]:
        """Return the share of each known language in the size of all notes, the greatest first."""
        query = "select language, sum(size) from note where size > 0 group by 1 order by 2 desc"
        sizes = [(str(language), int(size)) for language, size in self.state.rows(query)]
        whole = sum(size for _, size in sizes)
        return tuple(LanguageShare(name, size / whole) for name, size in sizes if name)

    def unread(self) -> tuple[Unread, ...]:
        """Return the files that could not be read, and those that were read with a remark."""
        query = (
            "select path, problem, hash != x'' and not outdated from note"
            " where problem != '' order by 1"
        )
        return (*map(_unread, self.state.rows(query)), *self.skipped())

    def skipped(self) -> tuple[Unread, ...]:
        """Return the files that the last scan skipped because they are not notes."""
        return tuple(map(_unread, json.loads(self.state.meta("skipped") or "[]")))

    def note_states(self) -> dict[str, NoteState]:
        """Return the state of each note's file in the index, by path."""
        with self.state.reading():
            return note_states(self.state.sql)

    def last_scan(self) -> float:
        """Return when the folder was last compared with the index (Unix time); 0 for never."""
        return float(self.state.meta("last_scan") or 0)

    def root(self) -> str:
        """Return the identity of the folder that was compared last, from ``vault_identity``."""
        return self.state.meta("root")

    def read_as(self) -> str:
        """Return the settings that notes were read with, as ``Writer.read_as`` stored them."""
        return self.state.meta("read_as")

    def watching(self) -> str:
        """Return how the indexing process notices changes; empty when none does."""
        return self.state.meta("watching")


def _versioned(*stored: "apsw.SQLiteValue") -> str | None:
    return versioned(str(stored[0]))


def _leads_to(*values: "apsw.SQLiteValue") -> bool:
    address, target, begun = values
    return leads_to(str(address), str(target), begun=bool(begun))


def _unread(row: Sequence[Any]) -> Unread:
    path, reason, remark = row
    return Unread(path, Sentence.from_json(reason), bool(remark))


_COUNTED = {
    "key": "select key, count(distinct note_id) from property group by key order by 2 desc, 1",
    "value": """
        select text, count(distinct note_id) from property where key = ? and text != ''
        group by text order by 2 desc, 1
    """,
    "code": """
        select language, count(distinct note_id) from section_code
        join section on section.id = section_id group by language order by 2 desc, 1
    """,
    "heading": """
        select heading, count(distinct note_id) from section where level > 0 and heading != ''
        group by folded(heading) order by 2 desc, 1 limit 20000
    """,
}


class LabelReader:
    """The part of the reader that lists tags, properties, languages and names of notes.

    The most frequent come first.
    """

    def __init__(self, state: IndexState) -> None:
        self._state = state
        self.suffixes = state.cached(self._read_suffixes, 1)  # each link asks

    def tag_counts(self, beginning: str = "") -> tuple[tuple[str, int], ...]:
        """Return the tags that begin with ``beginning``, and the number of notes that have each.

        Tags of single sections count, too. The tags are in lower case; neither case nor accents
        of ``beginning`` count. The most frequent come first.
        """
        query = """
            select coalesce(max(written), tag), count(distinct note_id) from (
                select tag, note_id, written from note_tag union all
                select t.tag, s.note_id, t.written from section_tag t
                    join section s on s.id = t.section_id)
            where tag >= ?1 and tag < ?1 || char(0x10ffff)
            group by tag order by 2 desc, tag"""
        rows = self._state.rows(query, folded_name(beginning))
        return tuple((tag, count) for tag, count in rows)

    def of_sections(self, places: Sequence[tuple[str, int]]) -> list[LabelledSection]:
        """Return the labels of the sections at ``places``, pairs of a note's path and a line."""
        query = """
            select n.path, s.features, coalesce(strftime('%Y', n.dated, 'unixepoch'),
                    strftime('%Y', n.mtime_ns / 1000000000, 'unixepoch', 'localtime')),
                (select json_group_array(label) from (
                    select coalesce(max(written), tag) as label from (
                        select tag, written from note_tag where note_id = n.id union all
                        select tag, written from section_tag where section_id = s.id)
                    group by tag))
            from json_each(?) place join note n on n.path = place.value ->> 0
                join section s on s.note_id = n.id and s.line = place.value ->> 1
            group by n.id, s.line"""
        rows = self._state.rows(query, places)
        return [
            LabelledSection(p, bits, int(y or 0), tuple(json.loads(t))) for p, bits, y, t in rows
        ]

    def counted(self, kind: str, key: str = "") -> dict[str, int]:
        """Return labels and in how many notes each is, the most frequent first.

        Args:
            kind: ``key`` (of properties), ``value`` (of the property ``key``), ``code``
                (languages), or ``heading``.
            key: The name of a property.
        """
        query, values = _COUNTED[kind], (property_key(key),) if key else ()
        return dict(self._state.rows(query, *values))

    def folders(self) -> tuple[str, ...]:
        """Return the top-level folders that notes are in, by name."""
        query = """
            select distinct substr(path, 1, instr(path, '/') - 1) from note
            where instr(path, '/') order by 1"""
        return self._state.column(query)

    def notes_of_files(self, names: Iterable[str]) -> tuple[str, ...]:
        """Return the paths of the notes whose file has one of ``names``.

        They are in the order of the names; those of one name begin with the shortest.
        """
        query = """
            select n.path from json_each(?) as name cross join note n on n.file = name.value
            order by name.key, length(n.path), n.path"""
        return self._state.column(query, map(folded_name, names))

    def notes_of_file_beginning(self, start: str) -> tuple[str, ...]:
        """Return the paths of the notes whose file's name begins with ``start``, a number."""
        query = "select path from note where file >= ? and file < ? order by length(path), path"
        return self._state.column(query, start, f"{start}\U0010ffff")

    def notes_with_id(self, id_: str) -> dict[str, bool]:
        """Return paths of notes with the id ``id_``, each with whether only a part has the id."""
        query = """
            select n.path, min(p.inline) from property p join note n on n.id = p.note_id
            where p.key in ('id', 'uid') and p.text = ? group by 1 order by 1"""
        return {path: bool(inline) for path, inline in self._state.rows(query, folded_name(id_))}

    def notes_entitled(self, name: str) -> tuple[str, ...]:
        """Return the paths of the notes that have ``name`` as title or alias.

        Neither case nor accents count, but the notes with this very title come first, and then
        those with the shortest path.
        """
        query = """
            select n.path from note_name join note n on n.id = note_id where name = ?
            order by n.title != ?, length(n.path), n.path"""
        return self._state.column(query, folded_name(name), name)

    def aliases(self) -> tuple[tuple[str, str], ...]:
        """Return path and alias for each alias of each note, ordered by path."""
        query = """
            select note.path, alias.value from note, json_each(note.aliases) as alias
            where note.aliases != '[]' order by 1"""
        return tuple((path, alias) for path, alias in self._state.rows(query))

    def blocks(self, ids: Iterable[str]) -> dict[str, str]:
        """Return the texts of blocks by id; ids of no block and of several blocks are left out."""
        query = """
            select id, min(text) from block where id in (select value from json_each(?))
            group by id having count(*) = 1"""
        return dict(self._state.rows(query, ids))

    def names_of(self, path: str) -> tuple[str, ...]:
        """Return the title, aliases and ids of the note at ``path``, folded.

        A link can name the note by each of them.
        """
        query = """
            select name from note_name join note n on n.id = note_id where n.path = ?1
            union select p.text from property p join note n on n.id = p.note_id
                where n.path = ?1 and p.key in ('id', 'uid')"""
        return self._state.column(query, path)

    def _read_suffixes(self) -> tuple[str, ...]:
        """Return the file types of all notes: ``.md``, then the most frequent first."""
        query = """
            select replace(file, rtrim(file, replace(file, '.', '')), '.') as type from note
            group by 1 order by type != '.md', count(*) desc, 1"""
        return self._state.column(query)
