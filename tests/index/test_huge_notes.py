"""A huge note: given up half way when asked to stop, and never in the way of the others."""

import gc
import itertools
import random
import time
from collections.abc import Callable, Iterable, Iterator

import pytest

from notesearch.config import Settings
from notesearch.index.changes import Reconciled
from notesearch.index.indexer import Indexer
from notesearch.index.turns import GivesWay
from notesearch.status import Report
from tests.faults.quick_model import QuickModel
from tests.folders import write
from tests.index.bench import Bench, silent

SHORT = {"a.md": "# A\n\nOtters.\n", "z.md": "# Z\n\nBeavers.\n"}


def prose(characters: int, words_a_line: int) -> str:
    draw = random.Random(1)
    words = [f"{draw.choice('brwls')}{draw.choice('aeiou')}{n:x}" for n in range(5_000)]
    text = draw.choices(words, k=characters // 6)
    lines = (text[n : n + words_a_line] for n in range(0, len(text), words_a_line))
    return "\n".join(map(" ".join, lines))


ONE_LINE = prose(1_100_000, 1_100_000)
LINES = prose(1_100_000, 12)


@pytest.fixture
def bench(bench: Bench) -> Bench:
    bench.settings = Settings()
    bench.embedder = QuickModel()
    return bench


def compare(bench: Bench, stopped: Callable[[], bool] = lambda: False) -> Report:
    with bench.store.writing() as writer:
        indexer = Indexer(bench.vault, bench.settings, writer, bench.embedder)
        return indexer.reconcile_all(silent, stopped).report


def look(bench: Bench, paths: Iterable[str], gives_way: GivesWay) -> Reconciled:
    with bench.store.writing() as writer:
        indexer = Indexer(bench.vault, bench.settings, writer, bench.embedder)
        return indexer.reconcile_paths(paths, silent, lambda: False, gives_way)


def longest_silence(bench: Bench) -> float:
    """Return how much of the work, by the processor's time, was done at once without asking.

    Without the collector: what it looks through is left of all tests that this process ran before.
    """
    asked = [time.process_time()]

    def stopped() -> bool:
        asked.append(time.process_time())
        return False

    gc.disable()
    try:
        compare(bench, stopped)
    finally:
        gc.enable()
    longest = max(later - before for before, later in itertools.pairwise(asked))
    return longest / (asked[-1] - asked[0])


def given_up_after(bench: Bench, steps: int) -> Report:
    asked = itertools.count()
    report = compare(bench, lambda: next(asked) >= steps)
    assert next(asked) == steps + 2, "the comparison itself asks again"
    return report


def test_comes_after_the_others(bench: Bench) -> None:
    write(bench.vault, {**SHORT, "huge.md": ONE_LINE})
    assert compare(bench).added == ("a.md", "z.md", "huge.md")


@pytest.mark.parametrize("text", [ONE_LINE, LINES], ids=["one line", "lines"])
def test_asks_all_the_time_whether_to_stop(bench: Bench, text: str) -> None:
    """A file may be thirty times as large; a busy machine is slower at all of it."""
    write(bench.vault, {"huge.md": "Old words."})
    for text_now in (text, f"Changed. {text}"):
        write(bench.vault, {"huge.md": text_now})
        assert longest_silence(bench) < 0.2


def test_given_up_leaves_what_was(bench: Bench) -> None:
    write(bench.vault, {**SHORT, "huge.md": "# Huge\n\nFew words.\n"})
    compare(bench)
    before = bench.holds()
    write(bench.vault, {"huge.md": ONE_LINE})
    for steps in (3, 15, 30, 60):
        assert not given_up_after(bench, steps)
        assert bench.holds() == before
    bench.refresh()
    bench.assert_like_new()


def test_is_found_as_a_whole(bench: Bench) -> None:
    """Words and passages at the seams of its portions are those of its text."""
    text = f"{ONE_LINE} the needle end"
    write(bench.vault, {"huge.md": text})
    compare(bench)
    with bench.store.writing() as writer:
        sql = writer._db.sql
        ((held,),) = sql.execute("select decompressed(text) from body").fetchall()
        assert held == " ".join(text.split())
        spans = list(sql.execute("select start, stop from passage order by start"))
        assert sql.execute("select 1 from words where words match 'needle'").fetchall()
    covered = 0
    for start, stop in spans:
        assert not held[covered:start].strip()
        covered = max(covered, stop)
    assert covered == len(held)


def test_without_a_blank_has_portions_too(bench: Bench) -> None:
    write(bench.vault, {"huge.md": "\u6f22\u5b57\u4eee\u540d\u4ea4" * 110_000})
    assert longest_silence(bench) < 0.4


def test_gives_way_and_leaves_what_was(bench: Bench) -> None:
    write(bench.vault, {"huge.md": "# Huge\n\nFew words.\n"})
    compare(bench)
    before = bench.holds()
    write(bench.vault, {"huge.md": ONE_LINE})
    for steps in (0, 60):
        asked = itertools.count()

        def gives_way(_path: str, asked: Iterator[int] = asked, last: int = steps) -> bool:
            return next(asked) >= last

        done = look(bench, ["huge.md"], gives_way)
        assert next(asked) == steps + 1
        assert done.put_off == ("huge.md",)
        assert not done.report
        assert bench.holds() == before
    assert look(bench, ["huge.md"], lambda _path: False).report.changed == ("huge.md",)


def test_what_was_done_is_told_before_the_next_one(bench: Bench) -> None:
    write(bench.vault, {**SHORT, "huge.md": ONE_LINE, "other.md": LINES})
    left, told = (*SHORT, "huge.md", "other.md"), []
    while left:
        done = look(bench, left, lambda _path: False)
        told.append(done.report.added)
        left = done.put_off
    assert told == [("a.md", "z.md"), ("huge.md",), ("other.md",)]


def test_is_moved_though_its_turn_comes_later(bench: Bench) -> None:
    write(bench.vault, {**SHORT, "huge.md": ONE_LINE})
    compare(bench)
    write(bench.vault, {"a.md": "# A\n\nOther words.\n", "new/note": ""})
    (bench.vault / "huge.md").rename(bench.vault / "new" / "huge.md")
    done = look(bench, ["a.md", "huge.md", "new/huge.md"], lambda _path: False)
    assert (done.report.changed, set(done.put_off)) == (("a.md",), {"new/huge.md", "huge.md"})
    assert look(bench, done.put_off, lambda _path: False).report.moved == ("new/huge.md",)
