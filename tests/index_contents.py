"""The measure of an index: one built from scratch of the same folder must hold the same."""

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, cast

import numpy as np

from notesearch.config import Settings
from notesearch.index import scan
from notesearch.index.embedding_queue import NoteCutter
from notesearch.index.indexer import Indexer
from notesearch.index.note_reader import NoteReader
from notesearch.index.vault_index import VaultIndex
from notesearch.results import Mode
from notesearch.search.presentation import SearchRun
from notesearch.search.search import search
from notesearch.store.db import Connection
from notesearch.store.reader import Reader
from notesearch.store.store import Store
from notesearch.store.vector_writer import stored_note
from notesearch.store.vectors import EmbeddedText, center_of, identity_key, sign_bits, signs_of
from tests.store.invariants import assert_words_agree

if TYPE_CHECKING:
    from notesearch.embedding.embedder import Embedder

_IN_MEMORY = Path("/dev/shm")
_NOTES = """
    select 'note', path, mtime_ns, lower(hex(hash)), title, title_from_name, aliases, tags,
        common_tags, category, properties, inline_properties, words, size, problem, place, file,
        language, dated, outdated from note
"""
_SECTIONS = """
    select 'section', n.path, s.ordinal, s.heading, s.path, s.tags, s.level, s.line, s.end_line,
        s.features, decompressed(b.text), b.source
    from section s join note n on n.id = s.note_id join body b on b.section_id = s.id
"""
_PASSAGES = """
    select 'passage', n.path, s.ordinal, p.idx, p.start, p.stop, hex(i.hash),
        (select hex(e.vector) from embedding e where e.id = i.id)
    from passage p join identity i on i.id = p.identity_id
    join section s on s.id = p.section_id join note n on n.id = s.note_id
"""
_PATHS = """
    select 'path', n.path, s.ordinal, hex(i.hash),
        (select hex(h.signs) from heading_path h where h.id = i.id)
    from section s join identity i on i.id = s.path_id join note n on n.id = s.note_id
"""
_OF_NOTES = """
    select 'tag of note', n.path, t.tag, t.written, null, null, null
        from note_tag t join note n on n.id = t.note_id
    union all select 'name', n.path, m.name, null, null, null, null
        from note_name m join note n on n.id = m.note_id
    union all select 'block', n.path, b.id, b.text, null, null, null
        from block b join note n on n.id = b.note_id
    union all select 'property', n.path, p.key, p.text, p.number, p.day, p.inline
        from property p join note n on n.id = p.note_id
    union all select 'link of note', n.path, l.target, l.idx, l.line, l.relative, null
        from note_link l join note n on n.id = l.note_id
"""
_OF_SECTIONS = """
    with place as (select s.id, n.path, s.ordinal from section s join note n on n.id = s.note_id)
    select 'tag', path, ordinal, tag, written, null
        from section_tag join place on place.id = section_id
    union all select 'code', path, ordinal, language, null, null
        from section_code join place on place.id = section_id
    union all select 'link', path, ordinal, address, start, stop
        from link join place on place.id = section_id
"""
_HITS = "select 'hits of', term, col, doc, cnt from temp.hits"
_COUNTS = """
    select 'counts', (select count(*) from words), (select count(*) from embedding),
        (select count(*) from pending), (select count(*) from heading_path),
        (select count(*) from identity), (select count(*) from note_tag),
        (select count(*) from property), (select count(*) from section_tag),
        (select count(*) from section_code), (select count(*) from link),
        (select count(*) from note_link), (select count(*) from block),
        (select count(*) from note_name)
"""


_SHOWN_ROWS = 40
_SHOWN_CHARACTERS = 200
_PLACES = "select n.path, s.ordinal from section s join note n on n.id = s.note_id where s.id = ?"


def _answers(connection: Connection, index: Path) -> Iterator[tuple[object, ...]]:
    """Yield which sections are found by some words of the index, and near some of its vectors."""
    sql = connection.sql
    reader = Reader(connection)
    for (word,) in sql.execute("select term from vocabulary order by doc, term limit 3").fetchall():
        result = search(reader, str(word), Mode.WORDS, SearchRun(50, 50), None)
        yield from (("found by", word, hit.path, hit.line) for hit in result.sections)
    if not sql.execute("select 1 from sqlite_schema where name = 'nearest'").fetchall():
        return
    some = "select vector from embedding join identity using (id) order by hash limit 3"
    for (vector,) in sql.execute(some).fetchall():
        query = np.frombuffer(cast("bytes", vector), np.int8).astype(np.float32)
        for hit in reader.vectors.nearest(query / np.linalg.norm(query), 5):
            ((path, ordinal),) = sql.execute(_PLACES, (hit.section_id,))
            yield "near to", vector, path, ordinal, hit.number, round(hit.similarity, 3)


def of(index: Path) -> set[tuple[object, ...]]:
    """Return everything that an index file holds and answers, except row numbers."""
    connection = Connection(index, writer=True)
    try:
        sql = connection.sql
        assert sql.execute("pragma integrity_check").fetchall() == [("ok",)]
        assert_words_agree(sql)
        if sql.execute("select 1 from sqlite_schema where name = 'nearest'").fetchall():
            orphans = sql.execute(
                "select (select count(*) from nearest) - (select count(*) from embedding)"
            )
            assert orphans.fetchall() == [(0,)]
        sql.execute("create virtual table temp.hits using fts5vocab(main, words, col)")
        queries = (
            _NOTES, _OF_NOTES, _SECTIONS, _OF_SECTIONS, _PASSAGES, _PATHS, _HITS, _COUNTS,
        )  # fmt: skip
        return {row for query in queries for row in sql.execute(query)} | {
            *_answers(connection, index)
        }
    finally:
        connection.close()


def from_scratch(
    vault: Path, settings: Settings, embedder: "Embedder | None"
) -> set[tuple[object, ...]]:
    """Return what a new index of ``vault`` holds."""
    with tempfile.TemporaryDirectory(dir=_IN_MEMORY if _IN_MEMORY.is_dir() else None) as folder:
        store = Store(Path(folder) / "scratch.sqlite")
        store.prepare()
        with store.writing() as writer:
            indexer = Indexer(vault, settings, writer, embedder, NoteReader(vault, settings))
            indexer.reconcile_all(lambda _: None, lambda: False)
            indexer.embed_pending(lambda _: None, lambda: False)
        return of(store.path)


def differences(held: set[tuple[object, ...]], new: set[tuple[object, ...]]) -> str:
    """Return some rows that only one of two indexes holds, shortened: a line for each."""
    only = [
        (str(row)[:_SHOWN_CHARACTERS], whose)
        for rows, whose in ((held - new, "held"), (new - held, "new"))
        for row in rows
    ]
    lines = [f"{whose}: {row}" for row, whose in sorted(only)]
    return "\n".join([f"{len(lines)} rows differ", *lines[:_SHOWN_ROWS]])


_Rows = list[tuple[bytes, bytes | None]]

_ROUNDING = 0.1
"""Rounding may change this share of a vector's signs; different texts differ in a third of them."""

_EMBEDDED_PASSAGES = """
    select i.hash, e.vector from section s join passage p on p.section_id = s.id
    left join identity i on i.id = p.identity_id left join embedding e on e.id = i.id
    where s.note_id = ?"""
_EMBEDDED_PATHS = """
    select i.hash, h.signs from section s left join identity i on i.id = s.path_id
    left join heading_path h on h.id = i.id where s.note_id = ? and s.path_id is not null"""


def unlike_vectors(index: VaultIndex) -> tuple[list[str], int]:
    """Return the notes whose vectors were made of other texts, and how many vectors are wrong."""
    embedder = index.embedder()
    assert embedder is not None
    cutter = NoteCutter(embedder, scan.read_as(index.settings, index.vault))
    foreign: list[str] = []
    texts: list[str] = []
    signs: list[bytes] = []
    with index.store.writing() as writer:
        sql, center = writer._db.sql, center_of(writer._db.sql)
        for (row,) in sql.execute("select id from note where hash != x''").fetchall():
            id_ = cast("int", row)
            note = stored_note(sql, id_)
            passages, paths = cutter.cut(note)
            embedded: tuple[EmbeddedText, ...] = (*passages, *paths)
            meant = {identity_key(text): text.text for text in embedded}
            stored = dict(cast("_Rows", sql.execute(_EMBEDDED_PATHS, (id_,)).fetchall()))
            for key, vector in cast("_Rows", sql.execute(_EMBEDDED_PASSAGES, (id_,)).fetchall()):
                stored[key] = vector and signs_of(vector, center)
            if stored and meant.keys() != stored.keys():
                foreign.append(note.path)
            made = [(meant[key], bits) for key, bits in stored.items() if key in meant and bits]
            texts += [text for text, _ in made]
            signs += [bits for _, bits in made]
    packed = np.array([np.frombuffer(bits, np.uint8) for bits in signs])
    differing = np.bitwise_count(packed ^ sign_bits(embedder.embed_passages(texts), center))
    return foreign, int((differing.sum(axis=1) > _ROUNDING * embedder.dimensions).sum())
