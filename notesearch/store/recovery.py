"""Checks an index file, and recovers a damaged one: repairs it in place, or renames it."""

import contextlib
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import cast

import apsw

from notesearch.errors import IndexDamagedError, IndexFileError
from notesearch.messages import Sentence
from notesearch.status import Part, Problem
from notesearch.store import full_text_index, vectors
from notesearch.store.db import Connection, translated
from notesearch.store.store import Store

REBUILD_ASKED = "index_rebuild_asked"
"""The code of an error that asks for a new index although this one is not damaged."""

_STRAY_ROWS = {
    Part.SECTIONS: {
        "found_sections_without_note": "select note_id from section except select id from note",
        "found_sections_without_words": ("select id from section except select rowid from words"),
        "found_words_without_section": ("select rowid from words except select id from section"),
        "found_notes_lack_sections": (
            "select note_id from section group by note_id"
            " having min(ordinal) != 0 or max(ordinal) != count(*) - 1"
        ),
        "found_passages_without_section": (
            "select section_id from passage except select id from section"
        ),
        "found_passages_without_vector": (
            "select identity_id from passage except select id from identity where id in"
            " (select id from pending union all select id from embedding)"
        ),
        "found_paths_without_vector": (
            "select path_id from section where path_id is not null"
            " except select id from identity where id in"
            " (select id from pending union all select id from heading_path)"
        ),
        "found_passages_waiting_again": (
            "select id from pending intersect select id from embedding"
        ),
        "found_links_without_section": (
            "select * from (select section_id from link except select id from section)"
            " union all select note_id from note_link where note_id not in (select id from note)"
        ),
        "found_sections_without_text": (
            "select id from section except select section_id from body"
        ),
    },
    Part.VECTORS: {
        "found_vectors_not_searched": "select id from embedding except select rowid from nearest",
        "found_vectors_without_passage": (
            "select rowid from nearest except select id from embedding"
        ),
    },
}


_TABLES = "select name from pragma_table_list where schema = 'main' and type = 'table'"

_REFERENCES = """
    select t.name, f."from", f."table" from pragma_table_list t, pragma_foreign_key_list(t.name) f
    where t.schema = 'main' order by f."table" = 'section'"""
"""The tables that refer to notes, such as ``section``, then the tables that refer to sections."""

_NO_JSON = """
    with listed (list, kind) as (
        select aliases, 'array' from note union all select tags, 'array' from note
        union all select common_tags, 'array' from note
        union all select properties, 'object' from note
        union all select inline_properties, 'object' from note
        union all select path, 'array' from section union all select tags, 'array' from section
        union all select source, 'array' from body
        union all select problem, 'array' from note where problem != ''
    ) select 1 from listed where iif(json_valid(list), json_type(list), '') != kind limit 1"""

_NO_TEXT = "select 1 from body where typeof(decompressed(text)) != 'text' limit 1"

_OUTSIDE_TEXT = """
    select 1 from passage p join body b using (section_id)
    where p.start not between 0 and p.stop or p.stop > length(decompressed(b.text)) limit 1"""

_FORMLESS = (_NO_JSON, _NO_TEXT, _OUTSIDE_TEXT)

_NOT_FINDABLE = """
    select 1 from (
        select segid, pgno, pgno <= lag(pgno, 1, 0) over (partition by segid order by term) as wrong
        from words_idx
    ) where wrong or segid < 1 or typeof(segid) != 'integer' or typeof(pgno) != 'integer'
        or not exists (select 1 from words_data where id = (segid << 37) + (pgno >> 1)) limit 1"""
"""Finds rows of FTS5's page index that lead a search to a wrong page; FTS5 does not check them.

In each segment, later pages begin with later words (SQLite's fts5_index.c).
"""

_LENGTHS = """
    select count(distinct length(vector)) from embedding
    union all select count(distinct length(signs)) from heading_path"""
"""Counts the different lengths of vectors: at most one, as all are made by one model."""


@contextlib.contextmanager
def noticing_damage(store: Store) -> Iterator[None]:
    """If the block fails for a reason that may be a bug, find out whether the index is damaged.

    SQLite may return damaged rows before it notices, and vec0 has no code for damage.

    Raises IndexDamagedError if the index is damaged.
    """
    try:
        yield
    except (apsw.Error, LookupError, ValueError, TypeError, AttributeError) as error:
        if is_sound(store.path):
            raise
        raise IndexDamagedError("index_damaged", file=store.path.name) from error


def recover(store: Store, error: IndexDamagedError) -> None:
    """Repair the index if only the search table of its vectors is damaged; else rename it.

    After an error ``REBUILD_ASKED``, delete it. The next refresh, or a watch, makes a new index.
    """
    if error.sentence.code == REBUILD_ASKED:
        store.set_aside(error.sentence, keep=False)
        return
    if store.exists:
        with contextlib.suppress(IndexFileError):
            if {problem.part for problem in check(store.path)} == {Part.VECTORS}:
                repair(store.path, {Part.VECTORS})
                store.reopen()
                return
    store.set_aside(error.sentence)


def check(path: Path) -> tuple[Problem, ...]:
    """Return the problems of the index file at ``path``; empty if it is sound."""
    try:
        with _connected(path, writer=True) as connection:
            return tuple(_problems(connection))
    except IndexDamagedError as error:
        return (damage(error),)


def damage(error: IndexDamagedError) -> Problem:
    """Return the problem to report for ``error``: the file is damaged, or of another version."""
    is_other = error.sentence.code == "index_other_version"
    return Problem(
        Part.FILE, Sentence("found_file_other_version" if is_other else "found_file_damaged")
    )


def is_sound(path: Path) -> bool:
    """Return whether the index file at ``path`` is undamaged and its rows can be read."""
    try:
        with _connected(path, writer=False) as connection:
            sql = connection.sql
            whole = sql.execute("pragma quick_check(1)").fetchall() == [("ok",)]
            if not whole or not _rows_are_readable(sql) or _has_stray_words(sql):
                return False
            return not (_can_search_vectors(connection) and any(_vector_problems(sql)))
    except IndexFileError:
        return False


@contextlib.contextmanager
def _connected(path: Path, *, writer: bool) -> Iterator[Connection]:
    connection = Connection(path, writer=writer)
    try:
        with translated(path):
            connection.check_version()
            connection.check_tables()
            yield connection
    except apsw.SQLError as error:
        raise IndexDamagedError("index_damaged", file=path.name) from error
    finally:
        connection.close()


def _has_stray_words(sql: apsw.Connection) -> bool:
    query = _STRAY_ROWS[Part.SECTIONS]["found_words_without_section"]
    return bool(sql.execute(f"{query} limit 1").fetchall())


def _rows_are_readable(sql: apsw.Connection) -> bool:
    """Return whether every value is valid, which checksums cannot tell."""
    try:
        for (table,) in sql.execute(_TABLES).fetchall():
            for _ in sql.execute(f'select * from "{table}"'):
                pass  # fetching a row decodes its texts
        formless = [row for query in _FORMLESS for row in sql.execute(query)]
    except (UnicodeDecodeError, IndexDamagedError):
        return False
    return not formless and max(sql.execute(_LENGTHS).fetchall()) <= (1,)


def _problems(connection: Connection) -> Iterator[Problem]:
    sql = connection.sql
    complaints = [str(row[0]) for row in sql.execute("pragma integrity_check(5)") if row != ("ok",)]
    in_words = [text for text in complaints if "fts5" in text.lower()]
    if len(in_words) < len(complaints) or not _rows_are_readable(sql):
        yield Problem(Part.FILE, Sentence("found_file_damaged"))
        return
    sql.execute("pragma temp_store = file")  # the expected word index may be large
    sql.execute("begin")
    try:
        disagreements = tuple(_disagreements(sql, Part.SECTIONS))
        # Missing or stray sections explain why the word index is not as expected.
        if complaints or not (disagreements or _words_are_sound(sql)):
            yield Problem(Part.WORDS, Sentence("found_words_drifted"))
        yield from disagreements
        if connection.vectors_problem:
            yield Problem(Part.PROGRAM, connection.vectors_problem)
        elif _can_search_vectors(connection):
            yield from _vector_problems(sql)
    finally:
        sql.execute("rollback")


def _words_are_sound(sql: apsw.Connection) -> bool:
    if sql.execute(_NOT_FINDABLE).fetchall():
        return False
    try:
        sql.execute("insert into words (words) values ('integrity-check')")
        return full_text_index.is_as_expected(sql)
    except apsw.CorruptError:
        return False


def _disagreements(sql: apsw.Connection, part: Part) -> Iterator[Problem]:
    for code, query in _STRAY_ROWS[part].items():
        count = cast("int", sql.execute(f"select count(*) from ({query})").get)
        if count:
            yield Problem(part, Sentence(code, count=count))


def _can_search_vectors(connection: Connection) -> bool:
    query = "select 1 from sqlite_schema where name = 'nearest'"
    return not connection.vectors_problem and bool(connection.sql.execute(query).fetchall())


def _vector_problems(sql: apsw.Connection) -> Iterator[Problem]:
    try:
        yield from _disagreements(sql, Part.VECTORS)
        different = vectors.differing(sql)
    except apsw.SQLError:
        # vec0 has no error code for damage: it reports a wrong SQL statement.
        yield Problem(Part.VECTORS, Sentence("found_vectors_unusable"))
        return
    if different:
        yield Problem(Part.VECTORS, Sentence("found_vectors_differ", count=different))


def repair(path: Path, parts: Collection[Part]) -> None:
    """Repair ``parts`` of the index file in place; the next scan of the folder completes it."""
    with _connected(path, writer=True) as connection, connection.transaction() as sql:
        if Part.SECTIONS in parts:
            _delete_stray_rows(sql)
        if {Part.SECTIONS, Part.WORDS} & set(parts):
            full_text_index.rebuild(sql)
            # Either the words or the text may be wrong, so all notes are read again.
            sql.execute("update note set hash = x'', ctime_ns = -1")
        if Part.VECTORS in parts:
            vectors.rebuild(sql)


def _delete_stray_rows(sql: apsw.Connection) -> None:
    for table, column, owner in sql.execute(_REFERENCES).fetchall():
        sql.execute(f"delete from {table} where {column} not in (select id from {owner})")
    sql.execute("delete from words where rowid not in (select id from section)")
    sql.execute("delete from pending where id in (select id from embedding)")
    for table in ("embedding", "heading_path", "pending"):
        sql.execute(f"delete from {table} where id not in (select id from identity)")
