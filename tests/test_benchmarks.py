"""The benchmarks themselves: ratios are compared, and made-up notes are like real ones."""

import itertools
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.benchmarks import goals, ratios, saving, synthetic, vaults
from tests.benchmarks.measured import Figure, percentile, table
from tests.benchmarks.parts import Part, PartRunner

REAL = (
    "# Kyoto\n\nTemples, *gardens* and [tea](tea.md) in the old town.\n\n## Food\n\n- noodles\n",
    "# Bread\n\n```sh\nknead --long\n```\n\nFlour and water, nothing else but patience.\n",
)


def _figure(ratio: float | None) -> Figure:
    return Figure("indexed", "3 s", note="tldr: 38,000 notes", peer="recollindex", ratio=ratio)


@pytest.mark.parametrize(
    ("before", "now", "is_worse"),
    [
        (1.0, 1.0, False),
        (1.0, 1.49, False),
        (1.0, 1.6, True),
        (2.0, 0.5, False),
        (1.0, None, False),
    ],
)
def test_a_ratio_that_grew_by_half_is_told(
    tmp_path: Path, before: float, now: float | None, is_worse: bool
) -> None:
    kept = tmp_path / "ratios.json"
    ratios.keep([_figure(before)], kept)
    assert bool(ratios.worse([_figure(now)], kept)) is is_worse


def test_a_ratio_is_new_where_none_was_kept(tmp_path: Path) -> None:
    assert ratios.worse([_figure(9.0)], tmp_path / "ratios.json") == []


def test_keeping_one_ratio_keeps_the_others(tmp_path: Path) -> None:
    kept = tmp_path / "ratios.json"
    ratios.keep([_figure(1.0)], kept)
    ratios.keep([Figure("searched", "5 ms", peer="recollq", ratio=2.0)], kept)
    assert ratios.worse([_figure(2.0)], kept) == [
        "indexed, recollindex, tldr: 2.00 instead of 1.00"
    ]


def test_ratios_of_an_idle_run_are_kept_with_the_program() -> None:
    painted = Figure("exec to first paint", "1 s", note="offscreen", peer="an empty window")
    assert ratios.worse([replace(painted, ratio=2.0)]) == []
    assert len(ratios.worse([replace(painted, ratio=9.0)])) == 1


def test_figures_of_the_load_tests_are_read_from_their_table() -> None:
    rows = [
        Figure("save to found by words", "p50 94, p95 103, max 120 ms", "", "600 notes"),
        Figure("save to found by meaning", "p50 300, p95 700, max 801 ms", "", "600 notes"),
    ]
    figures = saving.figures_in(f"figures\n{table(rows)}\n1 passed")
    assert [(figure.name, figure.goal, figure.met) for figure in figures] == [
        ("save to found by words", "p95 <= 150 ms", True),
        ("save to found by meaning", "p95 <= 600 ms", False),
    ]


def test_a_goal_is_met_or_not_in_the_table() -> None:
    rows = table([Figure("a", "1 s", "<= 2 s", met=True), Figure("b", "3 s", "<= 2 s", met=False)])
    assert "| a | 1 s | <= 2 s | yes |" in rows
    assert "| b | 3 s | <= 2 s | **no** |" in rows


class TestTheTable:
    def test_goals_come_first_and_in_their_order(self) -> None:
        found = [
            Figure("something else", "1"),
            Figure("save to found by words", "90 ms"),
            Figure("search, words", "7 ms", "p95 <= 20 ms", "of 100,000"),
            Figure("search, hybrid", "60 ms", "p95 <= 40 ms", "of 100,000"),
        ]
        rows = goals.first(found, whole=False).splitlines()[2:]
        assert [row.split(" | ")[1] for row in rows] == ["90 ms", "7 ms", "60 ms", "1"]

    def test_of_a_whole_run_no_goal_is_left_out(self) -> None:
        rows = goals.first([], whole=True).splitlines()[2:]
        assert len(rows) == len(goals.GOALS)
        assert all("not measured" in row for row in rows)
        assert goals.first([], whole=False).splitlines()[2:] == []

    def test_every_peer_of_a_goal_has_a_row(self) -> None:
        names = ("recollindex", "qmd collection add", "rg")
        found = [
            Figure("words searchable, from nothing", "9 s", note="many-38000: x", peer=peer)
            for peer in names
        ]
        rows = goals.first(found, whole=False).splitlines()[2:]
        assert [peer in row for peer, row in zip(names, rows, strict=True)] == [True] * 3

    def test_what_is_missed_is_named(self) -> None:
        found = [Figure("a", "3 s", "<= 2 s", met=False), Figure("b", "1 s", "<= 2 s", met=True)]
        assert goals.missed(found) == ["a: 3 s, goal <= 2 s"]


def test_a_part_that_fails_ends_no_other(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def fails() -> Iterator[Figure]:
        yield Figure("before", "1 s")
        raise OSError("no such\nfile")

    parts = {"one": Part(2, fails), "two": Part(3, lambda: iter([Figure("after", "2 s")]))}
    run = PartRunner(parts, tmp_path)
    assert [(f.name, f.value) for f in run.run(("one", "two"))] == [
        ("before", "1 s"), ("one", "failed"), ("after", "2 s"),
    ]  # fmt: skip
    assert run.failed == ["one: OSError: no such\nfile"]
    told = capsys.readouterr().err.splitlines()
    assert told[0] == "-- one (1 of 2), about 2 minutes; all that is left about 5"
    list(PartRunner(parts, tmp_path).run(("two",)))
    assert "about 0 minutes" in capsys.readouterr().err  # as long as it took the last time


def test_percentiles() -> None:
    assert (percentile([3, 1, 2], 0.5), percentile([3, 1, 2], 0.95)) == (2, 3)


def test_a_folder_is_as_large_where_nothing_but_the_sample_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vaults, "EVAL", tmp_path / "none")
    monkeypatch.setattr(vaults, "_TLDR", tmp_path / "none.tar.xz")
    made = vaults.large(tmp_path, 2_000)
    size = sum(file.stat().st_size for file in made.rglob("*.md"))
    assert size == pytest.approx(2_000 * vaults.CHARACTERS, rel=0.05)


class TestMadeUpNotes:
    def test_the_same_seed_makes_the_same_notes(self) -> None:
        one, two, other = (list(itertools.islice(synthetic.notes(n, REAL), 5)) for n in (1, 1, 2))
        assert one == two != other

    def test_they_are_built_as_real_ones_are(self) -> None:
        structures = {re.sub(r"[A-Za-z]{2,}", "w", text) for text in REAL}
        for text in itertools.islice(synthetic.notes(1, REAL), 20):
            assert re.sub(r"[A-Za-z]{2,}", "w", text).replace("w", "") in {
                structure.replace("w", "") for structure in structures
            }

    def test_words_grow_more_slowly_than_text(self) -> None:
        texts = list(itertools.islice(synthetic.notes(1, REAL), 4000))
        half, whole = ({w for t in texts[:n] for w in t.split()} for n in (2000, 4000))
        assert len(half) < len(whole) < 2 * len(half)

    def test_a_folder_is_made_once(self, tmp_path: Path) -> None:
        folder = synthetic.fill(tmp_path / "made", 0.2, 400)
        made = {file: file.stat().st_mtime_ns for file in folder.rglob("*.md")}
        assert sum(file.stat().st_size for file in made) >= 0.2e6
        synthetic.fill(folder, 0.2, 400)
        assert {file: file.stat().st_mtime_ns for file in folder.rglob("*.md")} == made
