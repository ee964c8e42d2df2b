"""Conditions that hold in every index at every moment."""

from pathlib import Path

import apsw

from notesearch.store import full_text_index
from notesearch.store.db import Connection

_ALWAYS_EMPTY = {
    "sections without words": "select id from section except select rowid from words",
    "words without a section": "select rowid from words except select id from section",
    "sections without a note": "select note_id from section except select id from note",
    "passages without a section": "select section_id from passage except select id from section",
    "ordinals with gaps": """select note_id from section group by note_id
        having min(ordinal) != 0 or max(ordinal) != count(*) - 1""",
    "passages with gaps": """select section_id from passage group by section_id
        having min(idx) != 0 or max(idx) != count(*) - 1""",
    "passages outside of their text": """select p.section_id, p.idx from passage p
        join body b on b.section_id = p.section_id
        where p.start < 0 or p.start > p.stop or p.stop > length(decompressed(b.text))""",
    "waiting though embedded": "select id from pending intersect select id from embedding",
    "passages without a vector that do not wait": """select identity_id from passage except
        select id from pending except select id from embedding""",
    "heading paths without a vector that do not wait": """select path_id from section
        where path_id is not null except
        select id from pending except select id from heading_path""",
    "identities that are missing": """select id from (select identity_id as id from passage
        union select path_id from section where path_id is not null
        union select id from embedding union select id from heading_path
        union select id from pending union select identity_id from next_passage
        union select path_id from next_path union select id from next_embedding
        union select id from next_heading_path union select id from next_pending)
        except select id from identity""",
    "links without a note": "select note_id from note_link except select id from note",
    "links without a section": "select section_id from link except select id from section",
    "words of links outside of their text": """select l.section_id, l.address from link l
        join body b on b.section_id = l.section_id
        where l.start < 0 or l.start >= l.stop or l.stop > length(decompressed(b.text))""",
    "sections without text": "select id from section except select section_id from body",
    "broken references": "pragma foreign_key_check",
}

_AFTER_A_SWEEP = {
    "vectors without a passage": "select id from embedding except select identity_id from passage",
    "waiting texts without a passage or section": """select id from pending
        except select identity_id from passage except select path_id from section""",
    "heading paths without a section": """select id from heading_path
        except select path_id from section""",
    "identities without a passage or section": """select id from identity
        except select identity_id from passage except select path_id from section
        except select identity_id from next_passage except select path_id from next_path
        except select id from next_embedding except select id from next_heading_path""",
}

_VECTORS = {
    "vectors that are not searched": "select id from embedding except select rowid from nearest",
    "signs without an int8 vector": "select rowid from nearest except select id from embedding",
}


def check(index: Path, *, swept: bool = False) -> None:
    """Fail if the tables of ``index`` disagree with each other."""
    connection = Connection(index, writer=True)
    try:
        _check(connection.sql, swept)
    finally:
        connection.close()


def assert_words_agree(sql: apsw.Connection) -> None:
    """Fail if the word index is not the one that the rows would make."""
    sql.execute("insert into words (words) values ('integrity-check')")
    sql.execute("begin")
    assert full_text_index.is_as_expected(sql)
    sql.execute("rollback")


def _check(sql: apsw.Connection, swept: bool) -> None:
    assert sql.execute("pragma integrity_check").fetchall() == [("ok",)]
    assert_words_agree(sql)
    has_vectors = sql.execute("select 1 from sqlite_schema where name = 'nearest'").fetchall()
    queries = dict(_ALWAYS_EMPTY)
    queries |= _VECTORS if has_vectors else {}
    queries |= _AFTER_A_SWEEP if swept else {}
    for name, query in queries.items():
        assert sql.execute(query).fetchall() == [], name
