"""Draws what `growth` measured: cost against size, with a line for what is strictly linear.

    make plots

reads ``build/bench/growth.json`` and writes ``docs/images/growth.png``.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from matplotlib import use
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from tests.benchmarks.growth import RESULTS

SOURCE = Path("build") / "bench" / RESULTS
TARGET = Path("docs") / "images" / "growth.png"
_MODES = {"words": "#3366cc", "meaning": "#2e9e5b", "hybrid": "#c2447a"}


def draw(source: Path, target: Path) -> None:
    """Draw the four plots into one picture."""
    use("Agg")
    known: dict[str, dict[str, Any]] = json.loads(source.read_text("utf-8"))
    sizes = sorted(known.values(), key=lambda size: size["passages"])
    passages = [size["passages"] for size in sizes]
    figure = Figure(figsize=(9, 6.4), dpi=100, layout="constrained")
    (index, restart), (search, room) = figure.subplots(2, 2)
    _line(index, passages, [s["index_s"] for s in sizes], "#3366cc", "measured")
    _line(restart, passages, [s["restart_s"] for s in sizes], "#3366cc", "measured")
    for mode, colour in _MODES.items():
        _line(search, passages, [s["search_ms"][mode][1] for s in sizes], colour, mode)
    room.semilogx(passages, [s["per_byte"] for s in sizes], "o-", color="#3366cc")
    room.set_ylim(0, 3.5)
    room.axhline(1.5, ls="--", color="#999999")
    _linear(index, passages, [s["index_s"] for s in sizes])
    _linear(restart, passages, [s["restart_s"] for s in sizes])
    titles = {
        index: "Indexed from nothing: processor time, s",
        restart: "Nothing changed: opened and compared, s",
        search: "A search: 95th percentile, ms",
        room: "Bytes of the index for a byte of notes",
    }
    for axes, title in titles.items():
        axes.set_title(title, fontsize=10)
        axes.set_xlabel("passages", fontsize=8)
        axes.grid(alpha=0.3)
        axes.xaxis.set_major_formatter("{x:,.0f}")
        if axes is not room:
            axes.legend(fontsize=8, loc="upper left")
            axes.yaxis.set_major_formatter("{x:g}")
    search.set_yticks([5, 10, 20, 50, 100], minor=False)
    search.yaxis.set_minor_formatter("")
    target.parent.mkdir(exist_ok=True)
    figure.savefig(target)


def _line(axes: Axes, sizes: Sequence[int], costs: Sequence[float], colour: str, name: str) -> None:
    axes.loglog(sizes, costs, "o-", color=colour, label=name)


def _linear(axes: Axes, sizes: Sequence[int], costs: Sequence[float]) -> None:
    """Draw what the cost would be if it grew as the number of passages from the first size on."""
    grown = [costs[0] * size / sizes[0] for size in sizes]
    axes.loglog(sizes, grown, "--", color="#999999", label="strictly linear")


if __name__ == "__main__":
    draw(SOURCE, TARGET)
