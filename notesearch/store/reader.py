"""Reads the index: one reader for each thread, which consists of parts."""

import contextlib
import json
from collections.abc import Iterable, Sequence
from typing import Any

from notesearch.messages import Sentence
from notesearch.status import LanguageShare, Unread
from notesearch.store.conditions import property_key, versioned
from notesearch.store.db import Cancelled, Connection, IndexState
from notesearch.store.folding import folded_name
from notesearch.store.lexicon import Lexicon
from notesearch.store.links import LinkReader
from notesearch.store.row_reader import RowReader
from notesearch.store.rows import IS_NOTE, Counts, LabelledSection, NoteState, note_states
from notesearch.store.vector_reader import VectorReader
from notesearch.store.web_addresses import leads_to
from notesearch.store.word_reader import WordReader

_PENDING = (
    "(select count(*) from passage where identity_id in (select id from pending where not of_path))"
)
"""Counts the passages that wait for their vector. Heading paths wait too, but are not counted."""

_PENDING_OF_NEXT_MODEL = """ + (select count(*) from next_passage where identity_id in
    (select id from next_pending where not of_path)) + (select count(*) from passage where
    section_id in (select id from section where note_id not in (select note_id from next_note)))"""
"""Counts the passages that wait for a model that will take over. For notes that it has not cut into
passages yet, this counts the passages of the present model."""


class Reader:
    """Reads one index; ``state`` is the connection, which all parts share."""

    def __init__(self, connection: Connection) -> None:
        """Read over ``connection``."""
        self.state = IndexState(connection)
        self.lexicon = Lexicon(self.state)
        self.words = WordReader(self.state, self.lexicon)
        self.rows = RowReader(self.state)
        self.vectors = VectorReader(self.state, self.rows)
        self.links = LinkReader(self.state, self.rows)
        self.labels = LabelReader(self.state)
        connection.add_function("versioned", versioned, 1)
        connection.add_function("leads_to", leads_to, 3)

    def snapshot(self, cancelled: Cancelled = None) -> contextlib.AbstractContextManager[None]:
        """Return a context in which all reads see one state of the index.

        They stop with a ``SearchCancelledError`` once ``cancelled()`` is true.
        """
        return self.state.snapshot(cancelled)

    def stop_if_cancelled(self) -> None:
        """Raise a ``SearchCancelledError`` if the condition of the snapshot is true."""
        self.state.stop_if_cancelled()

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
        """Return the notes that were not read or have a remark, by path; then ``skipped``."""
        query = (
            "select path, problem, hash != x'' and not outdated from note"
            " where problem != '' order by 1"
        )
        return (*map(_unread, self.state.rows(query)), *self.skipped())

    def skipped(self) -> tuple[Unread, ...]:
        """Return the files that the last scan skipped because they are not notes."""
        return tuple(map(_unread, json.loads(self.state.meta("skipped") or "[]")))

    def note_states(self, paths: Iterable[str] | None = None) -> dict[str, NoteState]:
        """Return the states of all notes' files in the index, or of those at ``paths``, by path."""
        with self.state.reading():
            return note_states(self.state.sql, paths)

    def last_scan(self) -> float:
        """Return when the folder was last compared with the index (Unix time); 0 for never."""
        return float(self.state.meta("last_scan") or 0)

    def root(self) -> str:
        """Return the identity of the folder at the last comparison, from ``vault_identity``."""
        return self.state.meta("root")

    def mounts(self) -> list[str]:
        """Return the folders on which other drives were mounted at the last comparison."""
        return list(json.loads(self.state.meta("mounts") or "[]"))

    def read_as(self) -> str:
        """Return the settings with which notes were read, as ``Writer.read_as`` stored them."""
        return self.state.meta("read_as")

    def watching(self) -> str:
        """Return how the indexing process notices changes; empty if no process watches."""
        return self.state.meta("watching")


def _unread(row: Sequence[Any]) -> Unread:
    path, reason, remark = row
    return Unread(path, Sentence.from_json(reason), bool(remark))


_TAG_LISTS = 2
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
    """The part of the reader that lists tags, properties, languages and names of notes."""

    def __init__(self, state: IndexState) -> None:
        self._state = state
        # While somebody types a tag, each letter needs all tags again.
        self._counted_tags = state.cached(self._count_tags, _TAG_LISTS)

    def tag_counts(self, beginning: str = "") -> tuple[tuple[str, int], ...]:
        """Return the tags, in lower case, that begin with ``beginning``, the most frequent first.

        Each has the number of notes with it or with a tag below it, ignoring case and accents.
        """
        return self._counted_tags(folded_name(beginning))

    def _count_tags(self, beginning: str) -> tuple[tuple[str, int], ...]:
        query = """
            with recursive tagged(tag, note_id, written) as (
                select tag, note_id, written from note_tag
                    where tag >= ?1 and tag < ?1 || char(0x10ffff) union all
                select t.tag, s.note_id, t.written from section_tag t
                    join section s on s.id = t.section_id
                    where tag >= ?1 and tag < ?1 || char(0x10ffff) union all
                select rtrim(rtrim(tag, replace(tag, '/', '')), '/'), note_id,
                    rtrim(rtrim(written, replace(written, '/', '')), '/')
                    from tagged where instr(tag, '/'))
            select coalesce(max(written), tag), count(distinct note_id) from tagged
            where tag >= ?1 and tag > ''
            group by tag order by 2 desc, tag"""
        return tuple((tag, count) for tag, count in self._state.rows(query, beginning))

    def of_sections(self, places: Sequence[tuple[str, int]]) -> list[LabelledSection]:
        """Return the labels of the sections at ``places``, pairs of a note's path and a line.

        They are not in the order of ``places``; a place without a section has no labels.
        """
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
        """Return labels with the number of notes that have each, the most frequent first.

        The ``kind`` is ``key`` (the names of properties), ``value`` (the values of the property in
        the argument ``key``), ``code`` (languages of code blocks) or ``heading``.
        """
        query = _COUNTED[kind]
        values = (property_key(key),) if key else ()
        return dict(self._state.rows(query, *values))

    def folders(self) -> tuple[str, ...]:
        """Return the top-level folders that notes are in, by name."""
        query = """
            select distinct substr(path, 1, instr(path, '/') - 1) from note
            where instr(path, '/') order by 1"""
        return self._state.column(query)

    def aliases(self) -> tuple[tuple[str, str], ...]:
        """Return path and alias for each alias of each note, sorted by path."""
        query = """
            select note.path, alias.value from note, json_each(note.aliases) as alias
            where note.aliases != '[]' order by 1"""
        return tuple((path, alias) for path, alias in self._state.rows(query))
