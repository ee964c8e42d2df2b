"""Huge notes can be interrupted, and others do not wait for more than one of them."""

import gc
import itertools
import random
import time
from collections.abc import Callable, Iterable

import pytest

from notesearch.config import Settings
from notesearch.index.indexer import Comparison
from notesearch.status import Report
from tests.faults.quick_model import QuickModel
from tests.folders import write
from tests.formats.other_files import TOPICS, with_fpdf
from tests.index.stepwise_index import Bench, silent

SHORT = {"a.md": "# A\n\nOtters.\n", "z.md": "# Z\n\nBeavers.\n"}


def prose(characters: int, words_a_line: int) -> str:
    draw = random.Random(1)
    words = [f"{draw.choice('brwls')}{draw.choice('aeiou')}{n:x}" for n in range(5_000)]
    text = (words * (characters // 6 // len(words) + 1))[: characters // 6]
    lines = (text[n : n + words_a_line] for n in range(0, len(text), words_a_line))
    return "\n".join(map(" ".join, lines))


ONE_LINE = prose(1_100_000, 1_100_000)
LINES = prose(1_100_000, 12)
SMALLER_LINE = prose(300_000, 300_000)
SMALLER_LINES = prose(300_000, 12)
"""Huge where the bound is a quarter of the real one, and quicker to index."""


@pytest.fixture
def bench(bench: Bench) -> Bench:
    bench.settings = Settings()
    bench.embedder = model = QuickModel()
    model.window = 250  # all of a huge note is embedded
    return bench


def compare(bench: Bench, stopped: Callable[[], bool] = lambda: False) -> Report:
    with bench.store.writing() as writer:
        return bench.indexer(writer).reconcile_all(silent, stopped).report


def look(bench: Bench, paths: Iterable[str]) -> Comparison:
    with bench.store.writing() as writer:
        indexer = bench.indexer(writer)
        return indexer.reconcile_paths(paths, silent, lambda: False, postpones=True)


def longest_silence(bench: Bench) -> float:
    """Return the largest share of processor time between two checks.

    Without the collector: what it looks through is left of all tests that this process ran before.
    """
    checks = [time.process_time()]

    def stopped() -> bool:
        checks.append(time.process_time())
        return False

    gc.disable()
    try:
        compare(bench, stopped)
    finally:
        gc.enable()
    longest = max(later - before for before, later in itertools.pairwise(checks))
    return longest / (checks[-1] - checks[0])


def imported(bench: Bench) -> None:
    """Index a short note, so that what the first note imports is not part of a silence."""
    write(bench.vault, SHORT)
    compare(bench)


def given_up_after(bench: Bench, steps: int) -> Report:
    checks = itertools.count()
    report = compare(bench, lambda: next(checks) >= steps)
    assert next(checks) == steps + 2, "the comparison itself asks again"
    return report


@pytest.mark.usefixtures("a_quarter")
def test_a_huge_note_comes_last(bench: Bench) -> None:
    write(bench.vault, {**SHORT, "huge.md": SMALLER_LINE})
    assert compare(bench).added == ("a.md", "z.md", "huge.md")


@pytest.mark.parametrize("text", [ONE_LINE, LINES], ids=["one line", "lines"])
def test_checks_often_whether_to_stop(bench: Bench, text: str) -> None:
    """Files can be thirty times as large; the limit is relative, as a busy machine is slower."""
    imported(bench)
    for current_text in (text, f"Changed. {text}"):
        write(bench.vault, {"huge.md": current_text})
        assert longest_silence(bench) < 0.2


@pytest.mark.usefixtures("a_quarter")
def test_stopping_leaves_the_old_text(bench: Bench) -> None:
    write(bench.vault, {**SHORT, "huge.md": "# Huge\n\nFew words.\n"})
    compare(bench)
    before = bench.holds()
    write(bench.vault, {"huge.md": SMALLER_LINE})
    for steps in (3, 6, 9, 12):
        assert not given_up_after(bench, steps)
        assert bench.holds() == before
    bench.refresh()
    bench.assert_like_new()


def test_every_word_is_found(bench: Bench) -> None:
    """No words and passages are lost between portions."""
    text = f"{ONE_LINE} the needle end"
    write(bench.vault, {"huge.md": text})
    compare(bench)
    with bench.store.writing() as writer:
        sql = writer._db.sql
        ((indexed_text,),) = sql.execute("select decompressed(text) from body").fetchall()
        assert indexed_text == " ".join(text.split())
        spans = list(sql.execute("select start, stop from passage order by start"))
        assert sql.execute("select 1 from words where words match 'needle'").fetchall()
    covered = 0
    for start, stop in spans:
        assert not indexed_text[covered:start].strip()
        covered = max(covered, stop)
    assert covered == len(indexed_text)


def test_checks_even_in_text_without_blanks(bench: Bench) -> None:
    imported(bench)
    write(bench.vault, {"huge.md": "\u6f22\u5b57\u4eee\u540d\u4ea4" * 110_000})
    assert longest_silence(bench) < 0.4


@pytest.mark.usefixtures("a_quarter")
def test_changes_are_reported_before_each_huge_note(bench: Bench) -> None:
    write(bench.vault, {**SHORT, "huge.md": SMALLER_LINE, "other.md": SMALLER_LINES})
    left, reported = [*SHORT, "huge.md", "other.md"], []
    while left:
        done = look(bench, left)
        reported.append(done.report.added)
        left = done.postponed
    assert reported == [("a.md", "z.md"), ("huge.md",), ("other.md",)]


@pytest.mark.usefixtures("a_quarter")
@pytest.mark.parametrize("name", ["huge.md", "small.pdf"])
def test_a_postponed_note_can_still_be_moved(bench: Bench, name: str) -> None:
    content = SMALLER_LINE if name == "huge.md" else with_fpdf(*TOPICS[0])
    write(bench.vault, {**SHORT, name: content})
    compare(bench)
    write(bench.vault, {"a.md": "# A\n\nOther words.\n", "new/note": ""})
    (bench.vault / name).rename(bench.vault / "new" / name)
    done = look(bench, ["a.md", name, f"new/{name}"])
    assert (done.report.changed, set(done.postponed)) == (("a.md",), {f"new/{name}", name})
    assert look(bench, done.postponed).report.moved == (f"new/{name}",)
