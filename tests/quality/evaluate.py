"""Runs labelled queries through ``NoteLibrary`` and prints how high the wanted sections stand.

    python -m tests.quality.evaluate [--sets vue-docs,rust-book] [--modes words,hybrid] [--misses]

The labels and vaults lie beside the project in ``../shared/eval`` (its README tells the format).
"""

import argparse
import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from notesearch.library import NoteLibrary

EVAL = Path(__file__).resolve().parents[3] / "shared" / "eval"
SETS = ("vue-docs", "obsidian-tasks-docs", "rust-book", "oi-wiki")
MODES = ("words", "meaning", "hybrid")
DEPTH = 10
_SPARE = 30


@dataclass(frozen=True, slots=True)
class Wanted:
    """One answer: sections of ``file`` that start between two lines."""

    file: str
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Asked:
    """A labelled query."""

    id: str
    text: str
    split: str
    excluded: frozenset[str]
    wanted: tuple[Wanted, ...]


def queries(name: str) -> list[Asked]:
    """Read the labelled queries of one vault."""
    answers: dict[str, list[Wanted]] = {}
    for row in (EVAL / "labels" / name / "sections.qrels.tsv").read_text("utf-8").splitlines()[1:]:
        qid, file, line, _path, end, *_ = row.split("\t")
        answers.setdefault(qid, []).append(Wanted(file, int(line), int(end)))
    found = []
    for row in (EVAL / "labels" / name / "sections.jsonl").read_text("utf-8").splitlines():
        asked = json.loads(row)
        wanted = tuple(answers.get(asked["id"], ()))
        if wanted:
            excluded = frozenset(asked["exclude_files"])
            found.append(Asked(asked["id"], asked["text"], asked["split"], excluded, wanted))
    return found


def rank(library: NoteLibrary, asked: Asked, mode: str) -> tuple[int | None, str]:
    """Return the place of the first wanted section, from 1, and what stood first instead."""
    limit = DEPTH + _SPARE
    result = library.search(asked.text, limit=limit, per_note=limit, mode=mode)
    kept = [s for s in result.sections if s.path not in asked.excluded][:DEPTH]
    first = f"{kept[0].path} > {' > '.join(kept[0].section_path)}" if kept else "nothing"
    for place, section in enumerate(kept, 1):
        if any(w.file == section.path and w.first <= section.line <= w.last for w in asked.wanted):
            return place, first
    return None, first


def figures(ranks: Sequence[int | None]) -> dict[str, float]:
    """Return hit@1, hit@3, hit@10, MRR@10 and nDCG@10 (one answer each)."""
    count = max(1, len(ranks))
    return {
        "n": float(len(ranks)),
        **{f"hit@{k}": sum(r is not None and r <= k for r in ranks) / count for k in (1, 3, 10)},
        "MRR@10": sum(1 / r for r in ranks if r) / count,
        "nDCG@10": sum(1 / math.log2(r + 1) for r in ranks if r) / count,
    }


def _rows(name: str, mode: str, library: NoteLibrary, misses: bool) -> Iterator[str]:
    asked = queries(name)
    ranks = []
    for query in asked:
        place, first = rank(library, query, mode)
        ranks.append(place)
        if misses and place != 1:
            yield f"    {place or '-':>2}  {query.text!r} [{query.split}]"
            yield f"        wants {query.wanted[0].file}:{query.wanted[0].first}; first: {first}"
    yield _row(name, mode, "all", ranks)
    for split in sorted({query.split for query in asked}):
        part = [r for r, query in zip(ranks, asked, strict=True) if query.split == split]
        yield _row(name, mode, split, part)


def _row(name: str, mode: str, split: str, ranks: Sequence[int | None]) -> str:
    found = figures(ranks)
    shown = "  ".join(f"{key} {value:.3f}" for key, value in found.items() if key != "n")
    return f"{name:20} {mode:8} {split:11} n={found['n']:.0f}  {shown}"


def main() -> None:
    """Index each vault once (kept under ``--home``) and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sets", default=",".join(SETS))
    parser.add_argument("--modes", default=",".join(MODES))
    parser.add_argument("--misses", action="store_true")
    parser.add_argument("--home", default="build/eval")
    chosen = parser.parse_args()
    for name in chosen.sets.split(","):
        with NoteLibrary.open(EVAL / "vaults" / name, home=chosen.home) as library:
            library.refresh()
            for mode in chosen.modes.split(","):
                for row in _rows(name, mode, library, chosen.misses):
                    print(row)


if __name__ == "__main__":
    main()
