"""What is chosen on some sets is measured on the one left out."""

from dataclasses import replace
from pathlib import Path

from notesearch.search.ranking import CHOSEN
from tests.quality.choose import TRIED, best, combinations, figures, report
from tests.quality.labels import SAMPLE

LESS = replace(CHOSEN, meaning=0.3)
TABLE = {
    CHOSEN: {"a": (0.5, 0.5), "b": (0.9, 0.9), "c": (0.6, 0.6)},
    LESS: {"a": (0.8, 0.8), "b": (0.7, 0.7), "c": (0.6, 0.6)},
}


def test_the_best_mean_over_sets_is_chosen() -> None:
    assert best(TABLE, ["a", "b"]) == LESS
    assert best(TABLE, ["b", "c"]) == CHOSEN
    assert best(TABLE, ["c"]) == CHOSEN  # the same: what is in use stays


def test_each_set_is_judged_by_what_the_others_chose() -> None:
    lines = [line.split() for line in report(TABLE)][2:]
    assert lines[0] == ["a", ".500", "/", ".500", ".500", "/", ".500", "nothing"]
    assert lines[1][:4] == ["b", ".700", "/", ".700"]
    assert lines[1][-2:] == ["meaning", "0.3"]


def test_the_numbers_in_use_are_tried_and_each_changed_alone() -> None:
    tried = combinations(5)
    assert tried[0] == CHOSEN
    assert len(set(tried)) == len(tried) == 1 + sum(len(v) - 1 for v in TRIED.values()) + 5
    assert all(getattr(CHOSEN, name) in values for name, values in TRIED.items())


def test_weights_change_what_stands_first(sample_home: Path) -> None:
    without = replace(CHOSEN, meaning=0.0)
    measured = figures(SAMPLE, sample_home, (CHOSEN, without))
    assert measured[CHOSEN] > measured[without]
