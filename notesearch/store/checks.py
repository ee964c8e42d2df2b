"""Checks an index file, table against table, and repairs what can be repaired in place."""

from collections.abc import Collection, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, cast

from notesearch.errors import IndexDamagedError
from notesearch.sentences import Sentence
from notesearch.status import Part, Problem
from notesearch.store import vectors, word_list
from notesearch.store.db import Connection, translated

if TYPE_CHECKING:
    import apsw

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
            "select section_id from link except select id from section"
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


def check(path: Path) -> tuple[Problem, ...]:
    """Return the problems of the index file at ``path``.

    Raises:
        IndexFileError: The file cannot be opened.
    """
    try:
        connection = Connection(path, writer=True)
    except IndexDamagedError as error:
        return (Problem(Part.FILE, error.sentence),)
    try:
        with translated(path):
            connection.check_version(path)
            return tuple(_problems(connection.sql, connection.vectors_problem))
    except IndexDamagedError as error:
        return (Problem(Part.FILE, error.sentence),)
    finally:
        connection.close()


def _problems(sql: "apsw.Connection", vectors_problem: Sentence) -> Iterator[Problem]:
    damage = [str(row[0]) for row in sql.execute("pragma integrity_check(5)") if row != ("ok",)]
    in_words = [text for text in damage if "fts5" in text.lower()]
    if len(in_words) < len(damage):
        yield Problem(Part.FILE, Sentence("found_file_damaged", detail=damage[0]))
        return
    sql.execute("pragma temp_store = file")  # the expected word list may be large
    sql.execute("begin")
    try:
        disagreements = tuple(_disagreements(sql, Part.SECTIONS))
        # Missing or stray sections explain why the word list is not as expected.
        if damage or not (disagreements or _words_are_sound(sql)):
            yield Problem(Part.WORDS, Sentence("found_words_drifted"))
        yield from disagreements
        if vectors_problem:
            yield Problem(Part.PROGRAM, vectors_problem)
        elif _has_vectors(sql):
            yield from _vector_problems(sql)
    finally:
        sql.execute("rollback")


def _words_are_sound(sql: "apsw.Connection") -> bool:
    import apsw

    try:
        sql.execute("insert into words (words) values ('integrity-check')")
        return word_list.is_as_expected(sql)
    except apsw.CorruptError:
        return False


def _disagreements(sql: "apsw.Connection", part: Part) -> Iterator[Problem]:
    for code, query in _STRAY_ROWS[part].items():
        found = cast("int", sql.execute(f"select count(*) from ({query})").fetchall()[0][0])
        if found:
            yield Problem(part, Sentence(code, count=found))


def _has_vectors(sql: "apsw.Connection") -> bool:
    return bool(sql.execute("select 1 from sqlite_schema where name = 'nearest'").fetchall())


def _vector_problems(sql: "apsw.Connection") -> Iterator[Problem]:
    import apsw

    try:
        yield from _disagreements(sql, Part.VECTORS)
        different = vectors.differing(sql)
    except apsw.SQLError:
        # vec0 has no code for damage: it fails as on a wrong statement.
        yield Problem(Part.VECTORS, Sentence("found_vectors_unusable"))
        return
    if different:
        yield Problem(Part.VECTORS, Sentence("found_vectors_differ", count=different))


def repair(path: Path, parts: Collection[Part]) -> None:
    """Repair ``parts`` of the index file, so that the next comparison with the folder can finish.

    Raises:
        IndexFileError: The file cannot be written.
        IndexDamagedError: It cannot be repaired.
    """
    connection = Connection(path, writer=True)
    try:
        with translated(path), connection.transaction() as sql:
            if Part.SECTIONS in parts:
                _delete_stray_rows(sql)
            if {Part.SECTIONS, Part.WORDS} & set(parts):
                word_list.rebuild(sql)
                # Either the words or the text may be wrong, so all notes are read again.
                sql.execute("update note set hash = x'', mtime_ns = -1")
            if Part.VECTORS in parts:
                vectors.rebuild(sql)
    finally:
        connection.close()


def _delete_stray_rows(sql: "apsw.Connection") -> None:
    """Delete rows that refer to something missing, and waiting texts that have a vector."""
    sql.execute("delete from section where note_id not in (select id from note)")
    sql.execute("delete from words where rowid not in (select id from section)")
    sql.execute("delete from body where section_id not in (select id from section)")
    sql.execute("delete from link where section_id not in (select id from section)")
    sql.execute("delete from passage where section_id not in (select id from section)")
    sql.execute("delete from pending where id in (select id from embedding)")
    for table in ("embedding", "heading_path", "pending"):
        sql.execute(f"delete from {table} where id not in (select id from identity)")
