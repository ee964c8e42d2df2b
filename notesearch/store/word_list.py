"""The list of words (FTS5): what of a section is in it, and whether it is what the rows say.

FTS5 keeps no text beside its words: a section's row has that, once and packed. So a section is
taken out without cutting its old text again, and the list can be made anew from the rows.
"""

import json
from collections.abc import Collection, Iterator
from functools import cache
from itertools import zip_longest
from typing import TYPE_CHECKING, cast

from notesearch.notes import Note, Section
from notesearch.store.tokenizer import locale_of

if TYPE_CHECKING:
    import apsw

COLUMNS = ("body", "folder", "title", "aliases", "parents", "heading", "tags")

Texts = tuple[str, str, str, str, str, str, str]
"""What a section has in each of the columns."""

_PUT = f"insert into {{}} (rowid, {', '.join(COLUMNS)})"
_INSERT = f"{_PUT} values (?{', ?' * len(COLUMNS)})"

_ROWS = (
    "select s.id, n.language, n.path, n.title, n.title_from_name, n.aliases, n.tags, n.category,"
    " s.path, unpacked(b.text) from section s join note n on n.id = s.note_id"
    " join body b on b.section_id = s.id"
)

_AS_SHOULD_BE = "temp.expected"
_OCCURRENCES = "select term, doc, col, offset from {}"
# FTS5 keeps the first word of each page of its list, with the number of the page, twice that.
_PAGES = """
    with recursive part(id) as (
        select min(segid) from words_idx
        union all select (select min(segid) from words_idx where segid > id) from part where id > 0
    ), placed(start, stop) as (
        select (select pgno from words_idx where segid = id and term >= ?1 order by term limit 1),
            (select pgno from words_idx where segid = id and term < ?2 order by term desc limit 1)
        from part where id > 0
    )
    select coalesce(sum(max(stop - start, 0)), 0) / 2 from placed"""

_MERGE_PAGES = 500
"""Pages that are merged in one step: some twenty milliseconds."""

_MERGE_STEPS = 10_000
"""More than any index needs; the rest would wait for the next time."""

_SIZES = "select id, sz from {} order by id"
_TOTALS = "select block from {} where id = 1 and block != zeroblob(length(block))"


def folder_words(path: str, *, with_name: bool) -> str:
    """Return what of ``path`` can be found as words."""
    folder, _, name = path.rpartition("/")
    return f"{folder} {name.rpartition('.')[0]}".strip() if with_name else folder


def texts(note: Note, section: Section) -> Texts:
    """Return what is found of ``section``.

    What is the title is not said again as file name or heading: each field counts for itself.
    """
    *parents, own = section.path if section.path != (note.title,) else ("",)
    folder = folder_words(note.path, with_name=not note.title_from_name)
    return (
        section.text, folder, note.title, "\n".join(note.aliases), "\n".join(parents), own,
        " ".join([*note.tags, note.category]).strip(),
    )  # fmt: skip


def put(
    sql: "apsw.Connection", id_: int, language: str, found: Texts, table: str = "words"
) -> None:
    """Put the words of a section of a note in ``language`` into the list."""
    # For null, as for an empty text, there is no word, but the tokenizer is not called.
    values = [text or None for text in found]
    locale = locale_of(language)
    if locale:
        query = _insert_in(table, tuple(text is not None for text in values))
        sql.execute(query, (id_, *values, locale))
    else:
        sql.execute(_INSERT.format(table), (id_, *values))


@cache
def _insert_in(table: str, said: tuple[bool, ...]) -> str:
    """Return what inserts a row in a language; ``said`` tells which columns have a text."""
    values = (f"fts5_locale(?9, ?{n})" if one else f"?{n}" for n, one in enumerate(said, 2))
    return f"{_PUT.format(table)} values (?1, {', '.join(values)})"


def delete(sql: "apsw.Connection", note_id: int) -> None:
    """Take the sections of a note out of the list."""
    sql.execute(
        "delete from words where rowid in (select id from section where note_id = ?)", (note_id,)
    )


def put_again(sql: "apsw.Connection", note_id: int) -> None:
    """Replace the words of a note of which only its row has changed."""
    rows = list(_rows(sql, "where s.note_id = ?", note_id))
    delete(sql, note_id)
    for row in rows:
        put(sql, *row)


def pages_of(sql: "apsw.Connection", begun: str) -> int:
    """Return how many pages of the list hold the words that begin so, rather too few.

    It says how long FTS5 takes to gather these, and is known in no time. The first page that
    begins with such a word counts: where a word before it goes on for pages, these are not theirs.
    """
    first = f"0{begun}".encode()
    return cast("int", sql.execute(_PAGES, (first, first + b"\xff")).fetchall()[0][0])


def texts_of(sql: "apsw.Connection", ids: Collection[int]) -> dict[int, Texts]:
    """Return what is found of the sections ``ids``."""
    only = "where s.id in (select value from json_each(?))"
    return {id_: found for id_, _, found in _rows(sql, only, json.dumps(list(ids)))}


def make_again(sql: "apsw.Connection") -> None:
    """Make the whole list from the rows."""
    sql.execute("insert into words (words) values ('delete-all')")
    for row in _rows(sql, "order by s.id"):
        put(sql, *row)


def merge(sql: "apsw.Connection") -> None:
    """Merge all segments of the list into one, in small steps; outside a transaction.

    FTS5 looks each word up in each segment: a new index of 100,000 sections has 25, and a search
    by words takes two thirds of the time once they are one. FTS5 also keeps the words of deleted
    rows until it merges their segments: after twenty rounds of editing a fifth of all notes the
    file was 1.9 times as large as a new one.
    """
    pages = -_MERGE_PAGES  # negative: begin with all segments, whatever their level
    for _ in range(_MERGE_STEPS):
        before = sql.total_changes()
        sql.execute("insert into words (words, rank) values ('merge', ?)", (pages,))
        if sql.total_changes() - before < 2:
            return
        pages = _MERGE_PAGES


def _rows(
    sql: "apsw.Connection", only: str, *values: int | str
) -> Iterator[tuple[int, str, Texts]]:
    for id_, language, path, title, from_name, aliases, tags, category, crumbs, body in sql.execute(
        f"{_ROWS} {only}", values
    ):
        note = Note(
            str(path), str(title), (), bool(from_name), tuple(json.loads(str(aliases))),
            tuple(json.loads(str(tags))), str(category),
        )  # fmt: skip
        section = Section(0, "", tuple(json.loads(str(crumbs))), 0, 0, 0, str(body))
        yield cast("int", id_), str(language), texts(note, section)


def is_as_it_should_be(sql: "apsw.Connection") -> bool:
    """Return whether the list is the one that the rows make; within a transaction.

    Each occurrence of each word is compared with those of a second list, which goes with the
    transaction.
    """
    made = sql.execute("select sql from sqlite_schema where name = 'words'").fetchall()
    sql.execute(str(made[0][0]).replace("words", _AS_SHOULD_BE, 1))
    for row in _rows(sql, "order by s.id"):
        put(sql, *row, _AS_SHOULD_BE)
    # A name with a schema can only be made in it; so the second list has a vocabulary of its own.
    sql.execute("create virtual table temp.expected_occurrence using fts5vocab(expected, instance)")
    pairs = (
        (_OCCURRENCES, "main.occurrence", "temp.expected_occurrence"),
        (_SIZES, "main.words_docsize", "temp.expected_docsize"),
        (_TOTALS, "main.words_data", "temp.expected_data"),
    )
    return all(_are_equal(sql, *pair) for pair in pairs)


def _are_equal(sql: "apsw.Connection", query: str, one: str, other: str) -> bool:
    rows = zip_longest(sql.execute(query.format(one)), sql.execute(query.format(other)))
    return all(a == b for a, b in rows)
