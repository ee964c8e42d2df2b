"""Chooses the weights of the ranking, and tells how much of the choice is luck of the sets.

    python -m tests.quality.choose [--sets vue-docs,sample] [--by-chance 40] [--home build/eval]

Combinations of round numbers are tried on every set: those in use, each number changed alone, and
some drawn by chance with a fixed seed. What is best on all sets but one is then measured on the one
left out. Indexes are kept under ``--home``, as by ``evaluate``.
"""

import argparse
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from pathlib import Path
from statistics import mean
from typing import TYPE_CHECKING

from notesearch.config import BUILTIN_MODEL, resources
from notesearch.embedding.embedder import Embedder, load_embedder
from notesearch.library import NoteLibrary
from notesearch.results import Mode, SearchResult
from notesearch.search.presentation import Bounds
from notesearch.search.ranking import CHOSEN, Weights
from notesearch.search.search import search
from notesearch.store.reader import Reader
from notesearch.store.store import Store
from tests.quality import runs
from tests.quality.labels import LINKED, SAMPLE, SECTIONS, tasks
from tests.quality.measures import means

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

TRIED: Mapping[str, tuple[float, ...]] = {
    "meaning": (0.3, 0.4, 0.5),
    "some_words": (0.35, 0.5, 0.7),
    "held": (0.3, 0.45, 0.6),
    "with_all": (1.2, 1.4, 1.6),
    "heading_path": (1.0, 2.0, 3.0),
    "far_path": (0.1, 0.15, 0.2),
    "support": (0.2, 0.4, 0.6),
    "own_heading": (0.2, 0.35, 0.5),
    "whole_path": (0.25, 0.5, 0.75),
}
"""Round values of each number of ``Weights``."""

_SEED = 4

Figures = tuple[float, float]
"""hit@1 and MRR@10 of a set."""

Table = Mapping[Weights, Mapping[str, Figures]]
"""What each combination did on each set."""


def combinations(by_chance: int) -> tuple[Weights, ...]:
    """Return the weights in use, each number changed alone, and so many drawn by chance."""
    alone = [replace(CHOSEN, **{name: value}) for name, tried in TRIED.items() for value in tried]
    drawn = random.Random(_SEED)
    chance = [
        Weights(**{name: drawn.choice(tried) for name, tried in TRIED.items()})
        for _ in range(by_chance)
    ]
    return tuple(dict.fromkeys([CHOSEN, *alone, *chance]))


def best(table: Table, sets: Sequence[str]) -> Weights:
    """Return the weights with the highest mean over ``sets``; the earlier ones where it is equal.

    A set counts as much as another, however many queries it has, and so do both measures.
    """
    return max(table, key=lambda weights: mean(mean(table[weights][name]) for name in sets))


@dataclass(frozen=True, slots=True)
class Weighed:
    """Searches one index with ``weights``."""

    reader: Reader
    embedder: Embedder
    weights: Weights

    def search(
        self, text: str, *, limit: int = 10, per_note: int = 2, mode: str = "hybrid"
    ) -> SearchResult:
        """Answer ``text``."""
        bounds = Bounds(limit, per_note)
        return search(self.reader, text, Mode(mode), bounds, self.embedder, weights=self.weights)


class Remembering:
    """An embedder that makes the vector of a query once."""

    def __init__(self, embedder: Embedder) -> None:
        """Ask ``embedder`` for what is asked the first time."""
        self.fingerprint, self.dimensions = embedder.fingerprint, embedder.dimensions
        self.window, self.count_tokens = embedder.window, embedder.count_tokens
        self.embed_passages = embedder.embed_passages
        self._remembered = lru_cache(embedder.embed_query)

    def embed_query(self, text: str) -> "NDArray[np.float32]":
        """Return the vector of ``text``."""
        return self._remembered(text)


def figures(name: str, home: Path, tried: Sequence[Weights]) -> dict[Weights, Figures]:
    """Ask all queries of a set with each of the weights."""
    (task,) = tasks(name, (SECTIONS,))
    with NoteLibrary.open(task.vault(home), home=home) as library:
        library.refresh()
        store = Store(Path(library.status().index_path))
        embedder = Remembering(load_embedder(BUILTIN_MODEL, resources() / "models"))
        searches = [Weighed(store.reader(), embedder, weights) for weights in tried]
        judged = [
            # All weights of one query after each other: the index remembers its words.
            [runs.run(one, replace(task, queries=(query,)), "hybrid").outcomes[0].judged
             for one in searches]
            for query in task.queries
        ]  # fmt: skip
        store.close()
    found = (means(of_weights) for of_weights in zip(*judged, strict=True))
    told = [(measured["hit@1"], measured["MRR@10"]) for measured in found]
    return dict(zip(tried, told, strict=True))


def report(table: Table) -> Iterator[str]:
    """Yield for each set what was chosen on the others, and what that does on it."""
    sets = tuple(next(iter(table.values())))
    yield f"{len(table)} combinations; hit@1 / MRR@10 of sections"
    yield f"{'left out':22}{'chosen on the others':24}{'in use':24}what differs from those in use"
    for name in sets:
        chosen = best(table, [other for other in sets if other != name])
        of_it, in_use = _shown(table[chosen][name]), _shown(table[CHOSEN][name])
        yield f"{name:22}{of_it:24}{in_use:24}{_differences(chosen)}"
    yield f"chosen on all sets: {_differences(best(table, sets))}"


def _shown(measured: Figures) -> str:
    return " / ".join(f"{value:.3f}".lstrip("0") for value in measured)


def _differences(weights: Weights) -> str:
    used = asdict(CHOSEN)
    changed = [f"{k} {v:g}" for k, v in asdict(weights).items() if v != used[k]]
    return ", ".join(changed) or "nothing"


def main() -> None:
    """Print the choice of each set's others, and of all."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sets", default=",".join((*LINKED, SAMPLE)))
    parser.add_argument("--by-chance", type=int, default=40)
    parser.add_argument("--home", type=Path, default=Path("build/eval"))
    asked = parser.parse_args()
    tried = combinations(asked.by_chance)
    table: dict[Weights, dict[str, Figures]] = {weights: {} for weights in tried}
    here = [name for name in asked.sets.split(",") if list(tasks(name, (SECTIONS,)))]
    if len(here) < 2:
        parser.error(f"one set cannot be held against others; here: {here or 'none'}")
    for name in here:
        for weights, measured in figures(name, asked.home, tried).items():
            table[weights][name] = measured
        print(f"{name}: {_shown(table[CHOSEN][name])} in use", flush=True)
    print(*report(table), sep="\n")


if __name__ == "__main__":
    main()
