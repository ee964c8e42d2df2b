"""The word index: the full-text index (FTS5) of all sections.

FTS5 stores no text, only words. The text is stored once, compressed, in the section's row. So a
section is deleted without tokenizing its old text again, and the word index can be rebuilt from the
rows.
"""

import json
from collections.abc import Collection, Iterator
from itertools import zip_longest
from typing import TYPE_CHECKING, cast

from notesearch.notes import Note, Section
from notesearch.store.stemming import has_own_stems
from notesearch.store.tokenizer import locale_of

if TYPE_CHECKING:
    import apsw

COLUMNS = ("body", "folder", "title", "aliases", "parents", "heading", "tags")

Texts = tuple[str, str, str, str, str, str, str]
"""The texts of a section, one for each of ``COLUMNS``."""

_INSERT = (
    f"insert into {{}} (rowid, {', '.join(COLUMNS)})"
    f" values (?1{''.join(f', fts5_locale(?2, ?{n})' for n, _ in enumerate(COLUMNS, 3))})"
)

_USUAL_SHARE = 0.2
"""A language is usual if at least this share of the notes that have a language is in it."""

_ROWS = (
    "select s.id, n.language, n.path, n.title, n.title_from_name, n.aliases, n.common_tags,"
    " n.category, n.properties, s.ordinal, s.path, s.tags, decompressed(b.text)"
    " from section s join note n on n.id = s.note_id join body b on b.section_id = s.id"
)

_OF_LANGUAGE = frozenset({"lang", "language"})
"""Properties whose values say nothing of the subject."""

_LABELS = 4_000
"""Only this many characters of tags and properties are found as words."""

_EXPECTED = "temp.expected"
_OCCURRENCES = "select term, doc, col, offset from {}"
# FTS5 stores the first word of each page, and the page's number times two.
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
"""Pages that are merged in one step, in about twenty milliseconds."""

_MERGE_STEPS = 10_000
_SIZES = "select id, sz from {} order by id"
_TOTALS = "select block from {} where id = 1 and block != zeroblob(length(block))"


def folder_words(path: str, *, with_name: bool) -> str:
    """Return the words by which ``path`` is found: folders and, ``with_name``, the file name."""
    folder, _, name = path.rpartition("/")
    return f"{folder} {name.rpartition('.')[0]}".strip() if with_name else folder


def texts(note: Note, section: Section) -> Texts:
    """Return the texts by which ``section`` is found.

    Each is a column with a score of its own. So the folder and the heading are left out where they
    only repeat the title.
    """
    named = () if section.ordinal else note.properties.items()
    values = [value for key, value in named if key.lower() not in _OF_LANGUAGE]
    *parents, own = section.path if section.path != (note.title,) else ("",)
    folder = folder_words(note.path, with_name=not note.title_from_name)
    tags = dict.fromkeys((*note.common_tags, *section.tags))
    return (
        section.text,
        folder,
        note.title,
        "\n".join(note.aliases),
        "\n".join(parents),
        own,
        "\n".join([" ".join([*tags, note.category]), *values])[:_LABELS].strip(),
    )


def put(
    sql: "apsw.Connection", id_: int, language: str, columns: Texts, table: str = "words"
) -> None:
    """Add section ``id_`` of a note in ``language`` to the word index, with texts by column.

    A note without a language has English stems and those of the usual languages.
    """
    locale = locale_of(language or _usual_languages(sql))
    sql.execute(_INSERT.format(table), (id_, locale, *columns))


def _usual_languages(sql: "apsw.Connection") -> str:
    """Return the usual languages, with a "+" before each."""
    return str(sql.execute("select value from meta where key = 'usual_languages'").get or "")


def choose_usual_languages(sql: "apsw.Connection") -> None:
    """Choose the usual languages; if they change, stem the notes without a language again.

    A note of a few words often has no function word that shows its language. It is probably in a
    language that many other notes are in.
    """
    query = "select language, count(*) from note where language != '' group by 1 order by 1"
    counts = cast("dict[str, int]", dict(sql.execute(query)))
    least = _USUAL_SHARE * sum(counts.values())
    usual = (name for name, notes in counts.items() if notes >= least and has_own_stems(name))
    languages = "".join(f"+{name}" for name in usual)
    if languages == _usual_languages(sql):
        return
    sql.execute("insert or replace into meta values ('usual_languages', ?)", (languages,))
    for id_, language, columns in _rows(sql, "where n.language = ''"):
        sql.execute("delete from words where rowid = ?", (id_,))
        put(sql, id_, language, columns)


def delete(sql: "apsw.Connection", note_id: int) -> None:
    """Delete the sections of a note from the word index."""
    sql.execute(
        "delete from words where rowid in (select id from section where note_id = ?)", (note_id,)
    )


def pages_of(sql: "apsw.Connection", begun: str) -> int:
    """Estimate how many pages of the word index have words with the beginning ``begun``.

    There may be more, never fewer. The estimate says at once how long FTS5 would take to collect
    these words.
    """
    first = f"0{begun}".encode()
    return cast("int", sql.execute(_PAGES, (first, first + b"\xff")).get)


def texts_of(sql: "apsw.Connection", ids: Collection[int]) -> dict[int, Texts]:
    """Return the texts of the sections ``ids``."""
    only = "where s.id in (select value from json_each(?))"
    return {id_: columns for id_, _, columns in _rows(sql, only, json.dumps(list(ids)))}


def merge(sql: "apsw.Connection") -> None:
    """Merge all segments of the word index into one, in small steps, outside a transaction.

    FTS5 looks up each word in each segment, and keeps the words of deleted rows until it merges
    them: merged, a search of 100,000 sections takes two thirds of the time.
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
    for id_, language, *of_note, ordinal, crumbs, own, body in sql.execute(
        f"{_ROWS} {only}", values
    ):
        path, title, from_name, aliases, common, category, properties = of_note
        note = Note(
            path=str(path),
            title=str(title),
            sections=(),
            title_from_name=bool(from_name),
            aliases=tuple(json.loads(str(aliases))),
            common_tags=tuple(json.loads(str(common))),
            category=str(category),
            properties=json.loads(str(properties)),
        )
        number = cast("int", ordinal)
        breadcrumb, tags = (tuple(json.loads(str(names))) for names in (crumbs, own))
        section = Section(number, "", breadcrumb, 0, 0, 0, str(body), tags)
        yield cast("int", id_), str(language), texts(note, section)


def is_as_expected(sql: "apsw.Connection") -> bool:
    """Return whether the rows would make the same word index; call it within a transaction."""
    statement = sql.execute("select sql from sqlite_schema where name = 'words'").get
    sql.execute(str(statement).replace("words", _EXPECTED, 1))
    for row in _rows(sql, "order by s.id"):
        put(sql, *row, _EXPECTED)
    # A vocabulary table must be in the schema of its list, so the second list has its own.
    sql.execute("create virtual table temp.expected_occurrence using fts5vocab(expected, instance)")
    pairs = (
        (_OCCURRENCES, "main.occurrence", "temp.expected_occurrence"),
        (_SIZES, "main.words_docsize", "temp.expected_docsize"),
        (_TOTALS, "main.words_data", "temp.expected_data"),
    )
    return all(_are_equal(sql, *pair) for pair in pairs)


def _are_equal(sql: "apsw.Connection", query: str, table: str, other: str) -> bool:
    rows = zip_longest(sql.execute(query.format(table)), sql.execute(query.format(other)))
    return all(a == b for a, b in rows)
