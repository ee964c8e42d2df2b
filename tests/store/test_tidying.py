"""An index stays small and quick: its word list becomes one piece when much has changed."""

import apsw
import pytest

from notesearch.store.store import Store
from notesearch.store.writer import Writer
from tests.store.notes_to_store import put

_MANY = 60


@pytest.fixture
def sql(store: Store) -> apsw.Connection:
    """Return a connection that looks into the word list."""
    return store.reader().state.sql


def pieces(sql: apsw.Connection) -> int:
    """Return in how many segments FTS5 keeps the word list."""
    return int(str(sql.execute("select count(distinct segid) from words_idx").fetchall()[0][0]))


def test_a_new_word_list_becomes_one_piece(writer: Writer, sql: apsw.Connection) -> None:
    for number in range(_MANY):
        put(writer, f"{number}.md", f"# Trout {number}\n\nA river.\n")
    assert pieces(sql) > 1
    writer.tidy()
    assert pieces(sql) == 1


def test_a_few_changes_are_left_as_they_are(writer: Writer, sql: apsw.Connection) -> None:
    for number in range(5 * _MANY):
        put(writer, f"{number}.md", f"# Trout {number}\n\nA river.\n")
    writer.tidy()
    put(writer, "1.md", "# Salmon\n\nA sea.\n")
    writer.tidy()
    assert pieces(sql) == 2, "to write all of it anew for one note would be a waste"


def test_changes_add_up(writer: Writer, sql: apsw.Connection) -> None:
    for number in range(_MANY):
        put(writer, f"{number}.md", f"# Trout {number}\n\nA river.\n")
    writer.tidy()
    for number in range(_MANY):
        put(writer, f"{number}.md", f"# Salmon {number}\n\nA sea.\n")
        writer.tidy()
    assert pieces(sql) < 10
