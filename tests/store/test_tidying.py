"""After many changes the word index is merged into one segment, and vectors are compacted."""

import apsw
import pytest

from notesearch.store import vectors
from notesearch.store.store import Store
from notesearch.store.writer import Writer
from tests.store.note_writing import DIMENSIONS, embed, put, vector

_MANY = 60


@pytest.fixture
def sql(store: Store) -> apsw.Connection:
    """A connection to look into the word index."""
    return store.reader().state.sql


def segments(sql: apsw.Connection) -> int:
    """Return the number of segments of the word index."""
    return int(str(sql.execute("select count(distinct segid) from words_idx").fetchall()[0][0]))


def test_a_new_word_list_is_merged(writer: Writer, sql: apsw.Connection) -> None:
    for number in range(_MANY):
        put(writer, f"{number}.md", f"# Trout {number}\n\nA river.\n")
    assert segments(sql) > 1
    writer.tidy()
    assert segments(sql) == 1


def test_a_few_changes_do_not_merge_the_list(writer: Writer, sql: apsw.Connection) -> None:
    for number in range(5 * _MANY):
        put(writer, f"{number}.md", f"# Trout {number}\n\nA river.\n")
    writer.tidy()
    put(writer, "1.md", "# Salmon\n\nA sea.\n")
    writer.tidy()
    assert segments(sql) == 2, "merging rewrites the whole list"


def test_many_small_changes_add_up_to_a_merge(writer: Writer, sql: apsw.Connection) -> None:
    for number in range(_MANY):
        put(writer, f"{number}.md", f"# Trout {number}\n\nA river.\n")
    writer.tidy()
    for number in range(_MANY):
        put(writer, f"{number}.md", f"# Salmon {number}\n\nA sea.\n")
        writer.tidy()
    assert segments(sql) < 10


def test_many_deletions_give_back_the_room_of_vectors(writer: Writer, sql: apsw.Connection) -> None:
    writer.vectors.set_model("test", DIMENSIONS)
    for number in range(5 * _MANY):
        put(writer, f"{number}.md", f"# Trout {number}\n\nA river.\n")
    embed(writer)
    assert chunks(sql) > 1
    writer.delete_notes([f"{number}.md" for number in range(5 * _MANY) if number % 10])
    writer.sweep(whole=False)
    writer.tidy()
    assert chunks(sql) == 1
    found = vectors.nearest(sql, vector(1), 1000)
    assert len(found) == 5 * _MANY // 10


def chunks(sql: apsw.Connection) -> int:
    """Return the number of chunks in which vec0 keeps the vectors."""
    return int(str(sql.execute("select count(*) from nearest_chunks").fetchall()[0][0]))
