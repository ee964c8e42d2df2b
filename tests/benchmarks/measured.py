"""What a benchmark returns, and how it is printed."""

import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured figure and what it should be.

    Attributes:
        name: What was measured.
        value: The figure with its unit.
        goal: What it should be.
        note: On what it was measured.
        met: Whether it is what it should be; None where there is no goal.
        peer: Who does the same, or cannot be beaten.
        peers: The figure of the peer in the same run.
        ratio: What ours costs for what the peer costs; the smaller the better.
    """

    name: str
    value: str
    goal: str = ""
    note: str = ""
    met: bool | None = None
    peer: str = ""
    peers: str = ""
    ratio: float | None = None


_MET = {True: "yes", False: "**no**", None: ""}


def table(figures: Iterable[Figure]) -> str:
    """Return a Markdown table."""
    rows = [
        "| what | measured | goal | met | beside it, in the same run | ratio | on |",
        "|---|---|---|---|---|---|---|",
    ]
    for f in figures:
        ratio = "" if f.ratio is None else f"{f.ratio:.2f}"
        cells = (f.name, f.value, f.goal, _MET[f.met], f"{f.peer} {f.peers}".strip(), ratio, f.note)
        rows.append(f"| {' | '.join(cells)} |")
    return "\n".join(rows)


def percentile(values: Sequence[float], share: float) -> float:
    """Return the value that ``share`` (0 to 1) of ``values`` do not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def spread(values: Sequence[float], unit: str, digits: int = 0) -> str:
    """Return the median with the least and the greatest."""
    low, mid, high = min(values), statistics.median(values), max(values)
    return f"{mid:.{digits}f} {unit} ({low:.{digits}f}-{high:.{digits}f})"


def both(values: Sequence[float], digits: int = 0) -> str:
    """Return the median and the 95th percentile of milliseconds."""
    p50, p95 = percentile(values, 0.5), percentile(values, 0.95)
    return f"p50 {p50:.{digits}f} ms, p95 {p95:.{digits}f} ms"
