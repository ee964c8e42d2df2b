"""Compares ratios with those of an earlier run. Unlike times, they hardly depend on the machine."""

import json
from collections.abc import Sequence
from pathlib import Path

from tests.benchmarks.measured import Figure

KEPT = Path(__file__).with_name("ratios.json")
WORSE = 1.5
"""A ratio may grow by this factor, because of other work of the machine."""


def keep(figures: Sequence[Figure], file: Path = KEPT) -> None:
    """Store the ratios of ``figures``; stored ratios of other figures stay."""
    known = {**_known(file), **{_key(f): round(f.ratio, 3) for f in figures if f.ratio is not None}}
    file.write_text(json.dumps(known, indent=1, sort_keys=True) + "\n", encoding="utf-8")


def worse(figures: Sequence[Figure], file: Path = KEPT) -> list[str]:
    """Return a sentence for each ratio that grew by more than half."""
    known = _known(file)
    return [
        f"{_key(f)}: {f.ratio:.2f} instead of {known[_key(f)]:.2f}"
        for f in figures
        if f.ratio is not None and f.ratio > WORSE * known.get(_key(f), f.ratio)
    ]


def _known(file: Path) -> dict[str, float]:
    known: dict[str, float] = json.loads(file.read_text("utf-8")) if file.exists() else {}
    return known


def _key(figure: Figure) -> str:
    return f"{figure.name}, {figure.peer}, {figure.note.split(':')[0].split(',')[0]}"
