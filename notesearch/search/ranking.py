"""Fuses the rankings by words and by meaning: what goes before what, how much of one note."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import itemgetter
from types import MappingProxyType
from typing import NamedTuple

from notesearch.search.lexical import Lexical
from notesearch.search.retrieval import SIMILAR
from notesearch.search.weights import CHOSEN, Weights
from notesearch.store.rows import MeaningHit

RELATED = 0.6
"""Beside sections found by words, least share of the nearest's cosine that is worth showing."""


SUPPORTING = 30
"""How many of the first sections support others of their note."""


class Fused(NamedTuple):
    """A section with its places in both rankings; made by the thousand, so it is a tuple.

    Attributes:
        words_rank: From 1; None when no word matched.
        meaning_rank: From 1; None when it is not near.
        passage: The place of the nearest one; None when meaning did not find it.
        has_all: Every word of the query is in it.
    """

    section_id: int
    score: float
    words_rank: int | None
    meaning_rank: int | None
    passage: int | None
    has_all: bool


def fuse(
    lexical: Lexical,
    dense: Sequence[MeaningHit],
    paths: Mapping[int, float] | None = None,
    known: float = 1.0,
    weights: Weights = CHOSEN,
) -> list[Fused]:
    """Merge both rankings by a weighted sum of their scores, each scaled to its best.

    Compared with reciprocal ranks in docs/decisions/ranking.md, as by Bruch, Gai and Ingber, "An
    Analysis of Fusion Functions for Hybrid Retrieval", 2022.

    Where no section holds every word, words are weak evidence and count for less. A section that
    holds every word stands before one that was found by meaning alone.

    Args:
        lexical: By words.
        dense: By meaning, nearest first.
        paths: How near the heading path of each section is to the query, a cosine.
        known: How much of the query the model understands, 0 to 1; meaning counts for as much.
        weights: What each signal is worth.
    """
    weight = weights.meaning * (known if lexical.hits else 1.0)
    most = max((score for _, score in lexical.hits), default=1.0) or 1.0
    nearest = max((near for _, _, near in dense), default=1.0)
    span = max(nearest - SIMILAR, 1e-6)
    near = {
        section: (rank, place, (similarity - SIMILAR) / span, similarity)
        for rank, (section, place, similarity) in enumerate(dense, 1)
    }
    share = (1 - weight) * (1.0 if lexical.with_all or not dense else weights.some_words)
    far, worth = weights.far_path, weights.heading_path
    named = {id_: worth * (cosine - far) for id_, cosine in (paths or {}).items() if cosine > far}
    fused: list[Fused] = []
    held, with_all = lexical.held.get, lexical.with_all
    complete = weights.with_all if lexical.several else 1.0
    for rank, (section, by_words) in enumerate(lexical.hits, 1):
        meaning_rank, place, nearness, _ = near.pop(section, _NOT_NEAR)
        near_by = nearness + named.get(section, 0.0)
        has_all = section in with_all
        score = share * by_words / most + weight * near_by + weights.held * held(section, 0.0)
        score *= complete if has_all else 1.0
        fused.append(Fused(section, score, rank, meaning_rank, place, has_all))
    least = RELATED * nearest if lexical.hits else 0.0
    fused += [
        Fused(section, weight * (nearness + named.get(section, 0.0)), None, rank, place, False)
        for section, (rank, place, nearness, similarity) in near.items()
        if similarity >= least
    ]
    return _in_order(fused)


_NOT_NEAR = (None, None, 0.0, 0.0)


def weighed(
    ranked: Sequence[Fused], factors: Mapping[int, float], order: Mapping[int, int]
) -> list[Fused]:
    """Multiply scores by what else speaks for a section, and put them in order again.

    ``order`` tells which stands first of those that score the same.
    """
    known = factors.get
    return _in_order(
        [
            item if (factor := known(item[0], 1.0)) == 1.0 else _with_score(item, item[1] * factor)
            for item in ranked
        ],
        order,
    )


def supported(
    ranked: Sequence[Fused],
    note_of: Mapping[int, int],
    weights: Weights = CHOSEN,
    order: Mapping[int, int] = MappingProxyType({}),
) -> list[Fused]:
    """Add to each of the first sections a share of the next best ones of its note.

    A note with several good sections is more likely about what was asked than one with a chance
    hit.
    """
    front = ranked[:SUPPORTING]
    scores: dict[int, list[float]] = {}
    for item in front:
        scores.setdefault(note_of[item.section_id], []).append(item.score)
    lifted = [
        _with_score(
            item, item.score + weights.support * sum(scores[note_of[item.section_id]][1:4]) / 3
        )
        for item in front
    ]
    return [*_in_order(lifted, order), *ranked[SUPPORTING:]]


def _with_score(item: Fused, score: float) -> Fused:
    return Fused(item[0], score, *item[2:])


def _in_order(items: list[Fused], order: Mapping[int, int] = MappingProxyType({})) -> list[Fused]:
    if order:
        items.sort(key=lambda item: order.get(item[0], item[0]))
    else:
        items.sort(key=_section)
    items.sort(key=_score, reverse=True)  # stable: equal ones stay in that order
    return _words_before_meaning(items)


_section = itemgetter(0)
_score = itemgetter(1)


def _words_before_meaning(fused: list[Fused]) -> list[Fused]:
    """Move lone near misses by meaning below the sections that hold all the words."""
    end = next((i for i in range(len(fused), 0, -1) if fused[i - 1].has_all), 0)
    lone = [item for item in fused[:end] if item.words_rank is None]
    if not lone:
        return fused
    front = [item for item in fused[:end] if item.words_rank is not None]
    return [*front, *lone, *fused[end:]]


def exact_first(ranked: Iterable[Fused], exactness: Callable[[Fused], int]) -> list[Fused]:
    """Move what is called as was asked to the front, the greatest ``exactness`` first."""
    front: list[tuple[int, Fused]] = []
    others: list[Fused] = []
    for item in ranked:
        exact = exactness(item)
        if exact:
            front.append((exact, item))
        else:
            others.append(item)
    front.sort(key=lambda found: -found[0])
    return [*(item for _, item in front), *others]


def as_typed_first(ranked: list[Fused], lexical: Lexical) -> list[Fused]:
    """Move sections that hold what was typed as it stands to the front.

    Of an address those whose text has it stand before those that only point there.
    """
    if not lexical.said and not lexical.addressed:
        return ranked
    said, addressed = lexical.said, lexical.addressed
    return exact_first(
        ranked, lambda item: int(item.section_id in said) or addressed.get(item.section_id, 0)
    )


def newest_first(ranked: Iterable[Fused], modified: Callable[[Fused], float]) -> list[Fused]:
    """Put what was changed last first; what meaning alone found follows, in the same order."""
    return sorted(ranked, key=lambda item: (item.words_rank is None, -modified(item)))


def within(
    ranked: Iterable[Fused], note_of: Mapping[int, int], limit: int, per_note: int
) -> list[Fused]:
    """Return the best ``limit`` sections with at most ``per_note`` of one note."""
    taken: dict[int, int] = {}
    kept: list[Fused] = []
    for item in ranked:
        note = note_of.get(item.section_id)
        if note is None or taken.get(note, 0) >= per_note:
            continue
        taken[note] = taken.get(note, 0) + 1
        kept.append(item)
        if len(kept) == limit:
            break
    return kept
