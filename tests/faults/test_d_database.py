"""Faults D: what becomes of an index file that something happened to."""

import contextlib
import os
import shutil
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import apsw
import pytest

from notesearch.config import Settings
from notesearch.errors import IndexBusyError, IndexDamagedError, NotesearchError
from notesearch.library import NoteLibrary
from notesearch.results import Mode
from notesearch.status import Part, Phase
from notesearch.store import lock
from notesearch.store.db import Connection
from notesearch.store.lock import WriterLock
from notesearch.store.vectors import nearest
from tests import index_contents
from tests.faults.quick_model import QuickModel
from tests.folders import write
from tests.indexing_listener import IndexingListener

NOTES = {
    f"{n}.md": f"# Note {n}\n\nOtters swim {n} times.\n\n## Food\n\nFish.\n" for n in range(12)
}
SETTINGS = Settings()
SAVED = 1_700_000_000
"""When the notes were saved, so that every index of them holds the same."""


def write_notes(vault: Path) -> None:
    write(vault, NOTES)
    for path in NOTES:
        os.utime(vault / path, (SAVED, SAVED))


@cache
def of_notes() -> set[tuple[object, ...]]:
    """Return what a new index of the notes holds."""
    with TemporaryDirectory() as folder:
        write_notes(Path(folder))
        return index_contents.from_scratch(Path(folder), SETTINGS, QuickModel())


@pytest.fixture
def model() -> QuickModel:
    return QuickModel()


@pytest.fixture
def library(vault: Path, model: QuickModel) -> Iterator[NoteLibrary]:
    write_notes(vault)
    with NoteLibrary.open(vault, settings=SETTINGS, embedder=model) as library:
        library.refresh()
        yield library


@pytest.fixture
def index(library: NoteLibrary) -> Path:
    return Path(library.status().index_path)


def sql(index: Path, *statements: str) -> None:
    connection = Connection(index, writer=True)
    for statement in statements:
        connection.sql.execute(statement)
    connection.close()


def parts(library: NoteLibrary) -> set[Part]:
    return {problem.part for problem in library.check().problems}


def assert_like_new(library: NoteLibrary, index: Path, *, changed: bool = False) -> None:
    """Compare ``index`` with a new one; ``changed`` says whether the notes have changed."""
    assert library.check().problems == ()
    library.close()
    new = (
        index_contents.from_scratch(library.vault, SETTINGS, QuickModel())
        if changed
        else of_notes()
    )
    assert index_contents.of(index) == new


@pytest.fixture
def dropped_log(library: NoteLibrary, vault: Path, index: Path, tmp_path: Path) -> Path:
    """The index as its file alone holds it while the last changes are still in its log."""
    copy = tmp_path / "copy.sqlite"
    connection = Connection(index, writer=True)
    with library._index.store.writing() as writer:
        writer._db.sql.execute("pragma wal_autocheckpoint = 0")
        shutil.copy(index, copy)
        (vault / "1.md").unlink()
        write(vault, {"2.md": "# Changed\n\nBeavers.\n"})
        writer.delete_notes(["1.md", "3.md"])
    connection.close()
    return copy


@pytest.mark.fault(
    "D4, D5",
    fault="The write-ahead log is deleted, or an old copy put back",
    outcome="The next comparison restores the rest",
)
def test_d04_the_log_was_deleted(library: NoteLibrary, index: Path, dropped_log: Path) -> None:
    library.close()
    shutil.copy(dropped_log, index)
    index.with_name(index.name + "-wal").unlink(missing_ok=True)
    assert parts(library) == {Part.FOLDER}
    library.refresh()
    assert_like_new(library, index, changed=True)


@pytest.mark.fault("D4, D5")
def test_d05_an_old_copy_was_put_back(
    library: NoteLibrary, vault: Path, index: Path, tmp_path: Path
) -> None:
    library.close()
    shutil.copy(index, tmp_path / "backup")
    write(vault, {"new.md": "# New\n", "2.md": "# Changed\n\nBeavers.\n"})
    library.refresh()
    library.close()
    shutil.copy(tmp_path / "backup", index)
    library.refresh()
    assert_like_new(library, index, changed=True)


def no_database(index: Path) -> None:
    index.write_bytes(b"This is no database. " * 1000)


def header_zeroed(index: Path) -> None:
    with index.open("r+b") as file:
        file.write(bytes(100))


def cut_in_half(index: Path) -> None:
    with index.open("r+b") as file:
        file.truncate(index.stat().st_size // 2)


def emptied(index: Path) -> None:
    index.write_bytes(b"")


@pytest.mark.fault("D3")
@pytest.mark.fault(
    "D1",
    row="D1, D2, D25, D26",
    fault="Zeros, a lost header, missing or overwritten pages, flipped bits, undecodable rows",
    outcome="Noticed by checksums; set aside and rebuilt, with a message",
)
@pytest.mark.parametrize("damage", [no_database, header_zeroed, cut_in_half, emptied])
@pytest.mark.parametrize("watched", [False, True], ids=["next start", "watch"])
def test_d01_d02_d03_the_file_is_no_index_any_more(
    library: NoteLibrary,
    index: Path,
    damage: Callable[[Path], None],
    watched: bool,
) -> None:
    """It is renamed and kept, reported, and made again. An empty file is not kept."""
    library.close()
    damage(index)
    if watched:
        listener = IndexingListener()
        library.watch(listener)
        listener.until(lambda: listener.phases[-1:] == [Phase.IDLE])
    else:
        library.refresh()
    assert library.search("otters", mode=Mode.WORDS).total == len(NOTES)
    assert bool(library.rebuilt) == (damage is not emptied)
    assert bool(library.check().set_aside) == (damage is not emptied)
    assert_like_new(library, index)


DRIFTED = {
    "text": "update body set text = 'Weasels.' where section_id = 2",
    "title": "update note set title = 'Weasel' where id = 5",
    "heading": "update section set path = '[\"Weasel\"]' where id = 2",
    "lengths": "update words_docsize set sz = x'00000000000001' where id = 2",
}


@pytest.mark.fault(
    "D7, D8",
    row="D7, D8, D11",
    fault="Words without text; a damaged word index; tables that disagree",
    outcome="doctor finds it, --repair mends it",
)
@pytest.mark.parametrize("statement", DRIFTED.values(), ids=DRIFTED)
def test_d07_words_that_drifted_from_their_text(
    library: NoteLibrary, index: Path, statement: str
) -> None:
    sql(index, statement)
    assert parts(library) == {Part.FILE}
    fixed = library.repair()
    assert fixed.problems == ()
    assert "was rebuilt" in fixed.repaired[0]
    assert_like_new(library, index)


@pytest.mark.fault("D7, D8")
def test_d07_a_text_that_cannot_be_read(library: NoteLibrary, index: Path) -> None:
    sql(index, "update body set text = x'ff00'")
    with pytest.raises(IndexDamagedError):
        library.search("otters", mode=Mode.WORDS)
    library.refresh()
    assert library.check().problems == ()
    assert_like_new(library, index)


@pytest.mark.fault("D7, D8")
@pytest.mark.parametrize(
    "statement",
    [
        "update words_data set block = zeroblob(length(block)) where id > 10",
        "update words_idx set pgno = 1998",
        "update words_idx set segid = 0",
    ],
    ids=["pages emptied", "no such page", "no such segment"],
)
def test_d08_the_word_list_is_damaged(library: NoteLibrary, index: Path, statement: str) -> None:
    sql(index, statement)
    assert parts(library) == {Part.FILE}
    library.repair()
    assert library.search("otters", mode=Mode.WORDS).total == len(NOTES)
    assert_like_new(library, index)


@pytest.mark.fault(
    "D9",
    fault="A deletion of the wrong words",
    outcome="Impossible: sections are deleted by number",
)
def test_d09_words_are_deleted_without_their_text(index: Path) -> None:
    connection = Connection(index, writer=False)
    (made,) = connection.sql.execute("select sql from sqlite_schema where name = 'words'")
    connection.close()
    assert "contentless_delete = 1" in str(made[0])


VECTOR_DAMAGE = {
    "blobs cut off": "update nearest_vector_chunks00 set vectors = zeroblob(3)",
    "blobs emptied": "update nearest_vector_chunks00 set vectors = zeroblob(length(vectors))",
    "blobs gone": "delete from nearest_vector_chunks00",
    "no chunk is known": "delete from nearest_chunks",
    "rows gone": "delete from nearest_rowids where rowid % 2",
    "rows too many": "delete from embedding where id % 2",
}


@pytest.mark.fault(
    "D10",
    fault="Damage inside the vectors' search copy",
    outcome="Rebuilt from the vectors, without the model",
)
@pytest.mark.parametrize("statement", VECTOR_DAMAGE.values(), ids=VECTOR_DAMAGE)
def test_d10_the_vectors_are_damaged(
    library: NoteLibrary, index: Path, model: QuickModel, statement: str
) -> None:
    before = library.search("otters", mode=Mode.MEANING).sections
    model.embedded.clear()
    sql(index, statement)
    assert Part.VECTORS in parts(library)
    fixed = library.repair()
    assert fixed.problems == ()
    assert bool(model.embedded) == ("nearest" not in statement)
    assert library.search("otters", mode=Mode.MEANING).sections == before
    assert_like_new(library, index)


@pytest.mark.fault("D10")
@pytest.mark.parametrize("statement", VECTOR_DAMAGE.values(), ids=VECTOR_DAMAGE)
def test_d10_words_answer_all_the_same(library: NoteLibrary, index: Path, statement: str) -> None:
    sql(index, statement)
    assert library.search("otters", limit=100, mode=Mode.WORDS).total == len(NOTES)


@pytest.mark.fault("D10")
def test_d10_a_search_that_meets_it_has_the_vectors_mended(
    library: NoteLibrary, index: Path, model: QuickModel
) -> None:
    before = library.search("otters", mode=Mode.MEANING).sections
    model.embedded.clear()
    sql(index, VECTOR_DAMAGE["blobs cut off"])
    with pytest.raises(IndexDamagedError):
        library.search("otters", mode=Mode.MEANING)
    assert library.search("otters", mode=Mode.MEANING).sections == before
    assert not model.embedded
    assert_like_new(library, index)


ROWS: dict[str, tuple[str, ...]] = {
    "sections without words": ("delete from words where rowid = 2",),
    "words without a section": ("insert into words (rowid, body) values (9999, 'stray')",),
    "a note without its first section": ("delete from section where ordinal = 0",),
    "passages nobody embeds": ("delete from embedding", "delete from nearest"),
    "embedded and waiting": (
        "insert into pending (id, text, of_path) select id, 'x', 0 from embedding limit 3",
    ),
    "sections of no note": ("pragma foreign_keys = off", "delete from note where id % 3 = 0"),
    "sections without text": ("delete from body where section_id = 2",),
}


@pytest.mark.fault("D11")
@pytest.mark.parametrize("statements", ROWS.values(), ids=ROWS)
def test_d11_tables_that_disagree(
    library: NoteLibrary, index: Path, statements: tuple[str, ...]
) -> None:
    sql(index, *statements)
    assert parts(library) in ({Part.FILE}, {Part.VECTORS})
    fixed = library.repair()
    assert fixed.problems == ()
    assert fixed.repaired
    assert_like_new(library, index)


@pytest.mark.fault("D2")
def test_d02_pages_overwritten_are_found_and_made_again(library: NoteLibrary, index: Path) -> None:
    library.close()
    content = bytearray(index.read_bytes())
    content[3 * 4096 : -4096] = bytes(len(content) - 4 * 4096)
    index.write_bytes(content)
    assert parts(library) == {Part.FILE}
    fixed = library.repair()
    assert fixed.problems == ()
    assert len(fixed.set_aside) >= 1
    assert_like_new(library, index)


@pytest.mark.fault("D2")
def test_d02_only_the_newest_damaged_file_is_kept(
    library: NoteLibrary, index: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(4):
        monkeypatch.setattr("time.strftime", lambda _format, n=number: f"20260101-00000{n}")
        library.close()
        index.write_bytes(b"no index" * 1000)
        library.refresh()
    aside = [file.name for file in index.parent.iterdir() if "set-aside" in file.name]
    assert aside == [f"{index.name}.set-aside-20260101-000003"]


@pytest.mark.fault("D4, D5")
def test_d04_notes_that_only_look_untouched_are_found(library: NoteLibrary, index: Path) -> None:
    sql(index, "update note set hash = x'00' where path = '3.md'")
    (problem,) = library.check().problems
    assert problem.text.startswith("1 note differs from the index")
    assert library.repair().problems == ()
    assert_like_new(library, index)


def test_a_repair_does_not_wait_for_ever(
    library: NoteLibrary, index: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lock, "_CLAIM_PATIENCE_S", 0.1)
    sql(index, "delete from words where rowid = 2")
    with WriterLock(index).held(), pytest.raises(IndexBusyError):
        library.repair()


@pytest.mark.fault("D22, D23")
def test_d21_d23_the_sqlite_that_is_used_has_what_is_needed(index: Path) -> None:
    connection = Connection(index, writer=True)
    try:
        assert connection.sql.execute("select vec_version()").fetchall()
        rows = nearest(connection.sql, QuickModel().embed_query("fish"), 3)
        assert len(rows) == 3
    finally:
        connection.close()


@pytest.mark.fault("D20", fault="An SQLite version that loses commits", outcome="Ours is newer")
def test_d20_sqlite_is_not_among_those_that_lose_commits() -> None:
    assert apsw.SQLITE_VERSION_NUMBER >= 3_051_003
    version = tuple(map(int, apsw.sqlite_lib_version().split(".")))
    assert version >= (3, 51, 3)


@pytest.mark.fault(
    "D22, D23",
    fault="Any number of results",
    outcome="Every query has a limit",
)
def test_d22_any_number_of_results_may_be_asked_for(library: NoteLibrary) -> None:
    def find(count: int) -> int:
        return len(library.search("otters fish", limit=count).sections)

    assert [find(n) for n in (0, -1, 1)] == [1, 1, 1]
    assert find(4097) == find(10**9) == find(10**20) <= 2 * len(NOTES)
    assert library.related("1.md", limit=10**20) == library.related("1.md", limit=100)
    listed = library.search("file:.md", limit=10**20, per_note=10**20).sections
    assert len(listed) == len(library.search("file:.md", limit=100, per_note=100).sections) > 1


MISSHAPEN = {
    "a heading that is no UTF-8": "drop index if exists section_heading;"
    " update section set heading = cast(x'ffff' as text) where id = 3",
    "a title that is no UTF-8": "update note set title = cast(x'c328' as text) where id = 3",
    "a path that is no UTF-8": "update note set path = cast(x'ff' as text) where id = 3",
    "a text that is no UTF-8": "update body set text = cast(x'ff' as text) where section_id = 3",
    "a text that is no zlib": "update body set text = x'ff00ff' where section_id = 3",
    "a text that is a number": "update body set text = 5 where section_id = 3",
    "a problem that is no JSON": "update note set problem = '[\"file' where id = 3",
    "a passage beyond its text": "update passage set stop = 99999 where section_id = 3",
    "a passage before its text": "update passage set start = -1 where section_id = 3",
    "a breadcrumb that is no JSON": "update section set path = '[\"Note' where id = 3",
    "a breadcrumb that is a number": "update section set path = '5' where id = 3",
    "tags that are no JSON": "update note set tags = 'otters' where id = 3",
    "common tags that are no JSON": "update note set common_tags = 'otters' where id = 3",
    "tags of a section that are a number": "update section set tags = '5' where id = 3",
    "properties that are no JSON": "update note set inline_properties = '{' where id = 3",
    "properties that are a list": "update note set properties = '[1]' where id = 3",
    "lines that are no JSON": "update body set source = '[[1,' where section_id = 3",
    "a short vector": "update embedding set vector = x'01' where id = 3",
    "short signs": "update heading_path set signs = x'01' where id < 20",
    "a setting that is no UTF-8": "update meta set value = cast(x'ff' as text) where key = 'root'",
}


@pytest.mark.fault("D26")
@pytest.mark.parametrize("statement", MISSHAPEN.values(), ids=MISSHAPEN)
def test_d26_doctor_finds_rows_without_their_form(
    library: NoteLibrary, index: Path, statement: str
) -> None:
    sql(index, statement)
    (problem,) = library.check().problems
    assert problem.text == "The index file is damaged. Your notes are not affected."
    assert library.repair().problems == ()
    assert_like_new(library, index)


ASKED: dict[str, Callable[[NoteLibrary], object]] = {
    "words": lambda library: library.search("otters food", limit=100, mode=Mode.WORDS),
    "meaning": lambda library: library.search("otters food", limit=100, mode=Mode.MEANING),
    "sections": lambda library: [library.sections(path) for path in NOTES],
    "read": lambda library: [library.read(path) for path in NOTES],
    "related": lambda library: library.related("2.md", "Food"),
    "status": lambda library: library.status(),
    "refresh": lambda library: library.refresh(),
}


@pytest.mark.fault("D26")
@pytest.mark.parametrize("statement", MISSHAPEN.values(), ids=MISSHAPEN)
def test_d26_nothing_ends_in_another_error_than_one_of_ours(
    library: NoteLibrary, index: Path, statement: str
) -> None:
    for ask in ASKED.values():
        sql(index, statement)
        with contextlib.suppress(NotesearchError):
            ask(library)
        library.refresh()
    library.repair()
    assert_like_new(library, index)


def test_a_wrong_statement_is_no_damage(library: NoteLibrary, index: Path) -> None:
    """Such a mistake once made the program rename the index and rebuild it."""
    before = index.stat().st_ino
    for wrong in ("select nothing from note", "select rowid from words where words match '\"'"):
        with pytest.raises(apsw.SQLError), library._index.reading() as reader:
            reader.state.rows(wrong)
        with pytest.raises(apsw.SQLError), library._index.writing() as indexer:
            indexer.writer._db.sql.execute(wrong)
    assert index.stat().st_ino == before
    assert not library.rebuilt
    assert_like_new(library, index)


def test_a_missing_table_is_damage(library: NoteLibrary, index: Path) -> None:
    sql(index, "drop table link")
    with pytest.raises(IndexDamagedError), library._index.reading() as reader:
        reader.state.rows("select * from link")
    library.refresh()
    assert_like_new(library, index)
