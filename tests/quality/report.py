"""Prints runs as tables, and compares two runs query by query."""

import statistics
from collections.abc import Callable, Iterator, Sequence

from tests.quality.labels import TYPED, TYPED_IN, TYPED_NOTES
from tests.quality.measures import (
    MEASURES,
    STRICT_MEASURES,
    Figure,
    differences,
    figures,
    interval,
    means,
)
from tests.quality.runs import Outcome, Run


def table(run: Run) -> Iterator[str]:
    """Yield a line for all queries and one for each split, with intervals."""
    splits = sorted({outcome.split for outcome in run.outcomes})
    yield _figures_line(run, "all", run.outcomes)
    if len(splits) > 1:
        for split in splits:
            yield _figures_line(run, split, [o for o in run.outcomes if o.split == split])


def heading() -> str:
    """Return the line above the tables."""
    names = "".join(f"{name:<18}" for name in MEASURES)
    return f"{'set':20} {'level':11} {'mode':8} {'split':14} {'n':>4}  {names}ms"


def _figures_line(run: Run, split: str, outcomes: Sequence[Outcome]) -> str:
    judged = [outcome.judged for outcome in outcomes]
    shown = "".join(f"{_shown(figure):<18}" for figure in figures(judged).values())
    took = statistics.median([outcome.took_ms for outcome in outcomes] or [0.0])
    name = run.set if run.way == "text" else f"{run.set} ({run.way})"
    line = f"{name:20} {run.level:11} {run.mode:8} {split:14} {len(outcomes):4}  {shown}{took:.1f}"
    if run.level != TYPED:
        return line
    strict = [interval([f(j) for j in judged]).value for f in STRICT_MEASURES.values()]
    return f"{line}  strict {' / '.join(f'{value:.3f}'.removeprefix('0') for value in strict)}"


def _shown(figure: Figure) -> str:
    low, high = (f"{end:.2f}".removeprefix("0") for end in (figure.low, figure.high))
    return f"{figure.value:.3f} [{low} {high}]".removeprefix("0")


def averages(runs: Sequence[Run]) -> Iterator[str]:
    """Yield the mean over the sets for each level, mode and way to ask; each set counts alike."""
    for (level, mode, way), members in _grouped(runs, lambda run: run.key[1:]).items():
        if len(members) > 1:
            each = [means([outcome.judged for outcome in run.outcomes]) for run in members]
            shown = "  ".join(f"{m} {statistics.mean(e[m] for e in each):.3f}" for m in MEASURES)
            yield f"mean of {len(members)} sets, {level} by {mode}, asked by {way}: {shown}"


def pooled(runs: Sequence[Run]) -> Iterator[str]:
    """Yield the tables of typed questions over all labelled folders; each question counts alike."""
    typed = [run for run in runs if run.level in {TYPED, TYPED_NOTES} and run.set in TYPED_IN]
    for key, members in _grouped(typed, lambda run: run.key[1:]).items():
        if len(members) > 1:
            outcomes = tuple(outcome for run in members for outcome in run.outcomes)
            yield from table(Run("all folders", *key, outcomes))


def _grouped(
    runs: Sequence[Run], key: Callable[[Run], tuple[str, str, str]]
) -> dict[tuple[str, str, str], list[Run]]:
    groups: dict[tuple[str, str, str], list[Run]] = {}
    for run in runs:
        groups.setdefault(key(run), []).append(run)
    return groups


def misses(run: Run) -> Iterator[str]:
    """Yield the queries whose answer is not the first result, and the first result of each."""
    for outcome in run.outcomes:
        if outcome.judged.first != 1:
            yield f"    {outcome.judged.first or '-':>2}  {outcome.text!r} [{outcome.split}]"
            yield f"        wants {outcome.wanted}; first: {outcome.best}"


def comparison(before: Run, after: Run) -> Iterator[str]:
    """Yield the differences of two runs and each query that was won or lost."""
    old = {outcome.id: outcome for outcome in before.outcomes}
    pairs = [(old[o.id], o) for o in after.outcomes if o.id in old]
    won = [(a, b) for a, b in pairs if _place(b) < _place(a)]
    lost = [(a, b) for a, b in pairs if _place(b) > _place(a)]
    yield f"{' '.join(after.key)}: {len(won)} won, {len(lost)} lost of {len(pairs)}"
    changed = differences([a.judged for a, _ in pairs], [b.judged for _, b in pairs])
    yield "    " + "  ".join(f"{m} {_signed(d)}" for m, d in changed.items())
    for sign, moved in (("+", won), ("-", lost)):
        for a, b in moved:
            yield (
                f"    {sign} {a.judged.first or '-':>2} -> {b.judged.first or '-':<2}"
                f" {b.text!r} [{b.split}] wants {b.wanted}; first: {b.best}"
            )


def _place(outcome: Outcome) -> int:
    return outcome.judged.first or 1000


def _signed(difference: Figure) -> str:
    return f"{difference.value:+.3f} [{difference.low:+.3f} {difference.high:+.3f}]"
