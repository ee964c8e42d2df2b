"""What a benchmark returns, and how it is printed."""

import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured figure and what it should be."""

    name: str
    value: str
    goal: str = ""
    note: str = ""


def table(figures: Iterable[Figure]) -> str:
    """Return a Markdown table."""
    rows = ["| what | measured | goal | on |", "|---|---|---|---|"]
    rows += [f"| {f.name} | {f.value} | {f.goal} | {f.note} |" for f in figures]
    return "\n".join(rows)


def percentile(values: Sequence[float], share: float) -> float:
    """Return the value that ``share`` (0 to 1) of ``values`` do not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def spread(values: Sequence[float], unit: str, digits: int = 0) -> str:
    """Return the median with the least and the greatest."""
    low, mid, high = min(values), statistics.median(values), max(values)
    return f"{mid:.{digits}f} {unit} ({low:.{digits}f}-{high:.{digits}f})"
