"""Checks an index file, and recovers a damaged one: repairs it in place, or renames it."""

import contextlib
from collections.abc import Iterator, Mapping
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

_STRAY_WORDS = "select rowid from words except select id from section"
_CONTRADICTIONS = (
    _STRAY_WORDS,
    "select 1 from pragma_foreign_key_check",
    "select id from section except select rowid from words",
    """select note_id from section group by note_id
    having min(ordinal) != 0 or max(ordinal) != count(*) - 1""",
    "select id from pending intersect select id from embedding",
    "select id from section except select section_id from body",
)
"""Queries that find rows to which another table has no matching ones."""

_PASSAGES = """select identity_id from passage except select id from identity
    where id in (select id from pending union all select id from embedding)"""
_PATHS = """select path_id from section where path_id is not null except select id from identity
    where id in (select id from pending union all select id from heading_path)"""
_MISSING_VECTORS = {
    "found_passages_without_vector": _PASSAGES,
    "found_paths_without_vector": _PATHS,
}
_READ_AGAIN = f"""update note set hash = x'', ctime_ns = -1 where id in (
    select note_id from section s left join passage p on p.section_id = s.id
    where path_id in ({_PATHS}) or identity_id in ({_PASSAGES}))"""
_SEARCHED_VECTORS = {
    "found_vectors_not_searched": "select id from embedding except select rowid from nearest",
    "found_vectors_without_passage": "select rowid from nearest except select id from embedding",
}

_TABLES = "select name from pragma_table_list where schema = 'main' and type = 'table'"

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
    """Repair the index if only the search table of its vectors is damaged; else rename its file.

    After an error ``REBUILD_ASKED``, delete the file. Without a file of its name, the next refresh,
    or a watch, makes a new index.
    """
    if error.sentence.code == REBUILD_ASKED:
        store.set_aside(error.sentence, keep=False)
        return
    if store.exists:
        with contextlib.suppress(IndexFileError):
            if {problem.part for problem in check(store.path)} == {Part.VECTORS}:
                repair_vectors(store.path)
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
            if not whole or not _rows_are_readable(sql) or _any(sql, _STRAY_WORDS):
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
    is_intact = sql.execute("pragma integrity_check(1)").fetchall() == [("ok",)]
    if not is_intact or not _rows_are_readable(sql):
        yield Problem(Part.FILE, Sentence("found_file_damaged"))
        return
    sql.execute("pragma temp_store = file")  # the expected word index may be large
    sql.execute("begin")
    try:
        if any(_any(sql, query) for query in _CONTRADICTIONS) or not _words_are_sound(sql):
            yield Problem(Part.FILE, Sentence("found_index_contradictory"))
            return
        yield from _found(sql, _MISSING_VECTORS)
        if connection.vectors_problem:
            yield Problem(Part.PROGRAM, connection.vectors_problem)
        elif _can_search_vectors(connection):
            yield from _vector_problems(sql)
    finally:
        sql.execute("rollback")


def _any(sql: apsw.Connection, query: str) -> bool:
    return bool(sql.execute(f"{query} limit 1").fetchall())


def _words_are_sound(sql: apsw.Connection) -> bool:
    if sql.execute(_NOT_FINDABLE).fetchall():
        return False
    try:
        sql.execute("insert into words (words) values ('integrity-check')")
        return full_text_index.is_as_expected(sql)
    except apsw.CorruptError:
        return False


def _can_search_vectors(connection: Connection) -> bool:
    query = "select 1 from sqlite_schema where name = 'nearest'"
    return not connection.vectors_problem and _any(connection.sql, query)


def _found(sql: apsw.Connection, queries: Mapping[str, str]) -> Iterator[Problem]:
    for code, query in queries.items():
        count = cast("int", sql.execute(f"select count(*) from ({query})").get)
        if count:
            yield Problem(Part.VECTORS, Sentence(code, count=count))


def _vector_problems(sql: apsw.Connection) -> Iterator[Problem]:
    try:
        yield from _found(sql, _SEARCHED_VECTORS)
        different = vectors.differing(sql)
    except apsw.SQLError:
        # vec0 has no error code for damage: it reports a wrong SQL statement.
        yield Problem(Part.VECTORS, Sentence("found_vectors_unusable"))
        return
    if different:
        yield Problem(Part.VECTORS, Sentence("found_vectors_differ", count=different))


def repair_vectors(path: Path) -> None:
    """Rebuild the search table of the vectors; the next scan embeds what lacks a vector."""
    with _connected(path, writer=True) as connection, connection.transaction() as sql:
        if _can_search_vectors(connection):
            vectors.rebuild(sql)
        sql.execute(_READ_AGAIN)
