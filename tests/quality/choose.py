"""Chooses the weights of the ranking, and shows how much the choice depends on the sets.

    python -m tests.quality.choose [--sets til,vue-docs,sample] [--by-chance 40] [--home build/eval]

Combinations of round numbers are tried on every set: those in use, each number changed alone, and
some drawn by chance with a fixed seed. The best on all folders but one is then measured on the one
left out, and the best on all kinds of questions but one on that kind. Indexes are kept under
``--home``, as by ``evaluate``.
"""

import argparse
import random
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from pathlib import Path
from statistics import mean

from notesearch.config import BUILTIN_MODEL, resources
from notesearch.embedding.embedder import Embedder
from notesearch.embedding.model_loader import load_embedder
from notesearch.library import NoteLibrary
from notesearch.results import Mode
from notesearch.search.correction import correct
from notesearch.search.meaning_retrieval import usable
from notesearch.search.presentation import SearchRun
from notesearch.search.query import parse
from notesearch.search.query_resolution import resolve
from notesearch.search.ranking import CHOSEN_WEIGHTS, Weights, rank
from notesearch.search.search import retrieve
from notesearch.store.reader import Reader
from notesearch.store.store import Store
from tests.quality import runs
from tests.quality.labels import (
    KINDS,
    LINKED,
    SAMPLE,
    SECTIONS,
    TYPED,
    TYPED_IN,
    LabelledQuery,
    Task,
    tasks,
)
from tests.quality.measures import Judged, means

TRIED: Mapping[str, tuple[float, ...]] = {
    "words": (0.5, 1.0, 1.5),
    "held": (0.5, 1.0, 1.5),
    "headings": (0.3, 0.6, 0.9),
    "passage": (1.5, 2.0, 2.5),
    "path": (0.5, 1.0, 1.5),
    "note": (0.5, 0.75, 1.0),
    "note_words": (0.0, 0.25, 0.5),
    "pieces": (0.0, 3.0, 4.0, 5.0),
}
"""Round values of each weight of a section."""

LINKS = "links"
"""The kind of queries that are the texts of links."""

_SEED = 4

_NO_VECTOR = float("-inf")
"""Stands for the cosine of a note that has no vectors."""

Figures = tuple[float, float]
"""hit@1 and MRR@10."""

Part = tuple[str, str]
"""A set and a kind of question."""

Table = Mapping[Weights, Mapping[Part, Figures]]
"""The figures of each combination on each part."""


def combinations(by_chance: int) -> tuple[Weights, ...]:
    """Return the weights in use, each number changed alone, and ``by_chance`` random ones."""
    alone = [
        replace(CHOSEN_WEIGHTS, **{name: value}) for name, tried in TRIED.items() for value in tried
    ]
    drawn = random.Random(_SEED)
    chance = [
        Weights(**{name: drawn.choice(tried) for name, tried in TRIED.items()})
        for _ in range(by_chance)
    ]
    return tuple(dict.fromkeys([CHOSEN_WEIGHTS, *alone, *chance]))


def best(table: Table, parts: Collection[Part]) -> Weights:
    """Return the weights with the highest mean over ``parts``; of equal ones the first.

    Each part counts the same, however many questions it has, and so do both measures.
    """
    return max(table, key=lambda weights: mean(mean(table[weights][part]) for part in parts))


@dataclass(frozen=True, slots=True)
class Place:
    """Where a section lies."""

    path: str
    line: int
    section: str


class QueryCandidates:
    """What one query found. It can be ranked with many weights, as a search ranks it.

    Only the ranking depends on the weights, so words and meaning are asked once. Which passages
    the model compares word by word does depend on them; each comparison is made once.
    """

    def __init__(self, reader: Reader, text: str, limit: int, embedder: Embedder) -> None:
        """Find the candidates for ``limit`` results of the query ``text``."""
        self._reader, self._limit = reader, limit
        self._query = resolve(correct(parse(text), reader), reader)
        model = usable(embedder, reader)
        found = retrieve(reader, self._query, Mode.HYBRID, SearchRun(limit, limit), model)
        self._words, self._found = found
        self._near_pieces: dict[tuple[int, int], float] = {}
        self._near_notes: dict[int, float] = {}
        self._meaning = replace(
            self._found,
            near_pieces=self._pieces if self._found.near_pieces else None,
            near_notes=self._notes,
        )

    def sections(self, weights: Weights) -> list[Place]:
        """Return the first sections, ranked with ``weights``."""
        rows = self._reader.rows
        ranking = rank(self._reader, self._query, self._words, self._meaning, weights)
        ids = [section.section_id for section in ranking.top(self._limit, self._limit)]
        sections = rows.sections(ids, with_body=False)
        notes = rows.notes({section.note_id for section in sections.values()})
        return [
            Place(notes[sections[id_].note_id].path, sections[id_].line, sections[id_].heading)
            for id_ in ids
        ]

    def _pieces(self, numbers: Mapping[int, int]) -> dict[int, float]:
        known = self._near_pieces
        new = {id_: number for id_, number in numbers.items() if (id_, number) not in known}
        compare = self._found.near_pieces
        if new and compare:
            known.update({(id_, new[id_]): near for id_, near in compare(new).items()})
        return {id_: known[id_, number] for id_, number in numbers.items()}

    def _notes(self, notes: Iterable[int]) -> dict[int, float]:
        wanted = set(notes)
        new = wanted - self._near_notes.keys()
        if new:
            near = self._found.near_notes(new)
            self._near_notes |= {note: near.get(note, _NO_VECTOR) for note in new}
        known = {note: self._near_notes[note] for note in wanted}
        return {note: near for note, near in known.items() if near != _NO_VECTOR}


def figures(
    asked: Iterable[Task], home: Path, tried: Sequence[Weights], embedder: Embedder
) -> dict[Weights, dict[Part, Figures]]:
    """Return the figures of each of ``tried`` on each part of the tasks ``asked``."""
    found: dict[Weights, dict[Part, list[Judged]]] = {weights: {} for weights in tried}
    for task in asked:
        with NoteLibrary.open(task.vault(home), home=home, embedder=embedder) as library:
            library.refresh()
            store = Store(Path(library.status().index_path))
        reader = store.reader()
        for query in task.queries:
            kind = query.split if task.level == TYPED else LINKS
            with reader.snapshot():
                judged = ranked(reader, query, tried, embedder)
            for weights, one in zip(tried, judged, strict=True):
                found[weights].setdefault((task.set, kind), []).append(one)
        store.close()
    return {
        weights: {part: _figures(judged) for part, judged in parts.items()}
        for weights, parts in found.items()
    }


def ranked(
    reader: Reader, query: LabelledQuery, tried: Sequence[Weights], embedder: Embedder
) -> list[Judged]:
    """Return how well ``query`` is answered with each of ``tried``."""

    @lru_cache(None)
    def candidates(limit: int) -> QueryCandidates:
        return QueryCandidates(reader, query.text, limit, embedder)

    results = []
    for weights in tried:

        def search(limit: int, weights: Weights = weights) -> list[Place]:
            return candidates(limit).sections(weights)

        kept = runs.first_sections(query, search)
        results.append(runs.judged_sections(query, kept))
    return results


def _figures(judged: Sequence[Judged]) -> Figures:
    measured = means(judged)
    return measured["hit@1"], measured["MRR@10"]


def report(table: Table) -> Iterator[str]:
    """Yield a line for each folder and kind: the figures of the weights chosen on the others."""
    parts = tuple(next(iter(table.values())))
    yield f"{len(table)} combinations; hit@1 / MRR@10 of sections"
    yield f"{'left out':22}{'chosen on the others':24}{'in use':24}what differs from those in use"
    folders = dict.fromkeys(name for name, _ in parts)
    kinds = dict.fromkeys(kind for _, kind in parts)
    for name in folders if len(folders) > 1 else ():
        yield _left_out(table, name, lambda part, name=name: part[0] == name)  # type: ignore[misc]
    for kind in kinds if len(kinds) > 1 else ():
        yield _left_out(table, kind, lambda part, kind=kind: part[1] == kind)  # type: ignore[misc]
    yield f"chosen on all: {_differences(best(table, parts))}"


def _left_out(table: Table, name: str, is_in: Callable[[Part], bool]) -> str:
    parts = tuple(next(iter(table.values())))
    chosen = best(table, [part for part in parts if not is_in(part)])
    inside = [part for part in parts if is_in(part)]
    of_it, in_use = _shown(table[chosen], inside), _shown(table[CHOSEN_WEIGHTS], inside)
    return f"{name:22}{of_it:24}{in_use:24}{_differences(chosen)}"


def _shown(measured: Mapping[Part, Figures], parts: Sequence[Part]) -> str:
    columns = zip(*(measured[part] for part in parts), strict=True)
    return " / ".join(f"{mean(column):.3f}".lstrip("0") for column in columns)


def _differences(weights: Weights) -> str:
    used = asdict(CHOSEN_WEIGHTS)
    changed = [f"{k} {v:g}" for k, v in asdict(weights).items() if v != used[k]]
    return ", ".join(changed) or "nothing"


def main() -> None:
    """Print the choice for each folder and each kind left out, and of all."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    every = dict.fromkeys((*TYPED_IN, *LINKED, SAMPLE))
    parser.add_argument("--sets", default=",".join(every))
    parser.add_argument("--by-chance", type=int, default=40)
    parser.add_argument("--home", type=Path, default=Path("build/eval"))
    arguments = parser.parse_args()
    tried = combinations(arguments.by_chance)
    table: dict[Weights, dict[Part, Figures]] = {weights: {} for weights in tried}
    here = [name for name in arguments.sets.split(",") if list(tasks(name, (SECTIONS, TYPED)))]
    if len(here) < 2:
        parser.error(f"one set cannot be left out of itself; here: {here or 'none'}")
    embedder = load_embedder(BUILTIN_MODEL, resources() / "models")
    for name in here:
        asked = tasks(name, (SECTIONS, TYPED))
        for weights, measured in figures(asked, arguments.home, tried, embedder).items():
            table[weights].update(measured)
        for kind in (*KINDS, LINKS):
            if (name, kind) in table[CHOSEN_WEIGHTS]:
                print(
                    f"{name} {kind}: {_shown(table[CHOSEN_WEIGHTS], [(name, kind)])} in use",
                    flush=True,
                )
    print(*report(table), sep="\n")


if __name__ == "__main__":
    main()
