"""What a benchmark returns, and how it is printed."""

import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured figure and its goal.

    Attributes:
        name: What was measured.
        value: The figure with its unit.
        goal: The goal, such as ``<= 20 ms``; empty without one.
        note: On what it was measured.
        met: Whether the goal is met; None without a goal.
        peer: Another program that does the same work, or a limit of the machine.
        peers: The figure of the peer in the same run.
        ratio: Our cost divided by the cost of the peer; the smaller, the better.
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
    """Return a text with the median, the least and the greatest of ``values``."""
    low, mid, high = min(values), statistics.median(values), max(values)
    return f"{mid:.{digits}f} {unit} ({low:.{digits}f}-{high:.{digits}f})"
