"""Several notes in one transaction: only committed notes are reported, failures are isolated."""

import itertools
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import apsw
import pytest

from notesearch.index import scheduling
from notesearch.index.indexer import Indexer
from notesearch.index.note_reader import NoteReader
from notesearch.markdown.sections import note_parser
from notesearch.notes import Note
from notesearch.status import Progress
from notesearch.store import writer
from notesearch.store.rows import NoteState
from notesearch.store.store import Store
from tests.folders import write
from tests.index.stepwise_index import Bench, rename, silent

NOTES = {f"{number:03}.md": f"# Heron {number}\n\nReeds.\n" for number in range(300)}


def visible_notes(bench: Bench) -> int:
    """Return how many notes another process can see in the index."""
    other = apsw.Connection(str(bench.store.path), flags=apsw.SQLITE_OPEN_READONLY)
    ((found,),) = other.execute("select count(*) from note").fetchall()
    other.close()
    return int(str(found))


def known(bench: Bench) -> dict[str, NoteState]:
    with bench.store.writing() as writer:
        return writer.note_states()


def compare(bench: Bench, progressed: Callable[[Progress], None]) -> tuple[list[str], list[str]]:
    """Compare the folder once; return the added notes and those that need another look."""
    with bench.store.writing() as writer:
        indexer = Indexer(
            bench.vault, bench.settings, writer, None, NoteReader(bench.vault, bench.settings)
        )
        done = indexer.reconcile_all(progressed, lambda: False)
    return list(done.report.added), list(done.unsettled)


def after(bench: Bench, seen: list[int]) -> Callable[[Progress], None]:
    return lambda _progress: seen.append(visible_notes(bench))


def test_notes_of_a_new_folder_are_committed_in_batches(bench: Bench) -> None:
    write(bench.vault, NOTES)
    seen: list[int] = []
    compare(bench, after(bench, seen))
    assert 1 < len(set(seen)) < len(NOTES) / 2
    assert visible_notes(bench) == len(NOTES)


def test_changed_and_renamed_notes_are_committed_in_batches(bench: Bench) -> None:
    write(bench.vault, NOTES)
    bench.refresh()
    for number in range(150):
        rename(bench.vault, f"{number:03}.md", f"new {number:03}.md")
    write(bench.vault, {path: f"{text}Rails.\n" for path, text in list(NOTES.items())[150:]})
    versions: list[object] = []
    with closing(apsw.Connection(str(bench.store.path), flags=apsw.SQLITE_OPEN_READONLY)) as other:
        compare(bench, lambda _: versions.append(other.execute("pragma data_version").get))
    assert 1 < len(set(versions)) < len(NOTES) / 2
    bench.assert_like_new()


def test_a_batch_with_a_note_that_cannot_be_written_is_indexed_again(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(bench.vault, NOTES)
    put, memory = writer._put_body, iter([True] * 50 + [False])

    def too_much(sql: Any, section: int, body: str | bytes, source: Any) -> None:
        put(sql, section, body, source)
        if not next(memory, True):
            raise MemoryError

    with monkeypatch.context() as little:
        little.setattr(writer, "_put_body", too_much)
        added, unsettled = compare(bench, lambda _: None)
    assert unsettled
    assert unsettled[-1] == "049.md"
    assert sorted(added + unsettled) == sorted(NOTES.keys() - {"050.md"})
    assert visible_notes(bench) == len(added) + 1  # and the one that was left, with the reason
    assert {*bench.refresh().added, *bench.refresh().changed} >= {*unsettled}
    bench.assert_like_new()


def test_a_batch_of_changed_and_renamed_notes_that_cannot_be_written_is_indexed_again(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(bench.vault, NOTES)
    bench.refresh()
    for number in range(20):
        rename(bench.vault, f"{number:03}.md", f"000 {number:03}.md")
    write(bench.vault, {path: f"{text}Rails.\n" for path, text in list(NOTES.items())[20:]})
    put, memory = writer._put_body, iter([True] * 50 + [False])

    def too_much(sql: Any, section: int, body: str | bytes, source: Any) -> None:
        put(sql, section, body, source)
        if not next(memory, True):
            raise MemoryError

    with monkeypatch.context() as little, bench.store.writing() as opened:
        little.setattr(scheduling, "_BATCH_S", 600.0)  # on a slow computer, too
        little.setattr(writer, "_put_body", too_much)
        indexer = bench.indexer(opened)
        done = indexer.reconcile_all(silent, lambda: False)
        left = {f"000 {number:03}.md" for number in range(20)}
        left |= {f"{number:03}.md" for number in range(50)}
        assert {*done.unsettled} == left
        assert not {*done.report.changed, *done.report.moved} & left
        again = indexer.reconcile_paths(done.unsettled, silent, lambda: False)
        assert len(again.report.moved) == len(again.report.moved_from) == 20
        indexer.embed_pending(silent, lambda: False)
    bench.refresh()
    bench.assert_like_new()


def test_problems_of_notes_are_kept_or_found_again_if_their_batch_fails(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    few = dict(list(NOTES.items())[:9])
    write(bench.vault, {**few, "000 large.md": "Reeds.\n" * 200})
    put, memory = writer._put_body, iter([True] * 4 + [False] + [True] * 2 + [False])

    def too_much(sql: Any, section: int, body: str | bytes, source: Any) -> None:
        put(sql, section, body, source)
        if not next(memory, True):
            raise MemoryError

    with monkeypatch.context() as little, bench.store.writing() as opened:
        little.setattr(scheduling, "_BATCH_S", 600.0)
        little.setattr(writer, "_put_body", too_much)
        indexer = bench.indexer(opened)
        unsettled = indexer.reconcile_all(silent, lambda: False).unsettled
        indexer.reconcile_paths(unsettled, silent, lambda: False)
    assert {path for path, state in known(bench).items() if state.problem} == {
        *("000 large.md", "004.md", "007.md")
    }


def test_a_note_that_cannot_be_parsed_does_not_affect_its_batch(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(bench.vault, NOTES)
    whole = note_parser.parse_note

    def too_much(text: str, path: str, *rest: Any) -> Note:
        if path == "050.md":
            raise MemoryError
        return whole(text, path, *rest)

    with monkeypatch.context() as little:
        little.setattr(note_parser, "parse_note", too_much)
        added, unsettled = compare(bench, lambda _: None)
    assert (added, unsettled) == (sorted(NOTES.keys() - {"050.md"}), [])
    assert visible_notes(bench) == len(NOTES)


@pytest.mark.usefixtures("a_sixteenth")
def test_stopping_in_a_text_that_became_huge_keeps_all_reported_notes(
    bench: Bench, tmp_path: Path
) -> None:
    """Signs of Markdown are escaped in a plain text, so the text is longer than its file."""
    few = dict(list(NOTES.items())[:60])
    write(bench.vault, {**few, "log.txt": "*a* [b] _c_ #d\n" * 3_750})
    bench.settings = replace(bench.settings, max_note_bytes=1_000_000)
    checks = itertools.count(1)
    with bench.store.writing() as writer:
        bench.indexer(writer).reconcile_all(silent, lambda: next(checks) < 0)
    most = next(checks)
    for before_the_end in (2, 3, 5, 9):
        bench.store = Store(tmp_path / f"{before_the_end}.sqlite")
        bench.store.prepare()
        report = bench.stop_after(most - before_the_end)
        assert len(report.added) == visible_notes(bench)
        bench.refresh()
        assert visible_notes(bench) == len(few) + 1


def test_stopping_keeps_all_reported_notes(bench: Bench) -> None:
    write(bench.vault, NOTES)
    report = bench.stop_after(50)
    assert len(report.added) == visible_notes(bench) == 50
    bench.refresh()
    bench.assert_like_new()
