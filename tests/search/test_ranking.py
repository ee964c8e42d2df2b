"""Two rankings made one, names before other matches, and no note that fills the list."""

from collections.abc import Mapping

import pytest

from notesearch.search.meaning_retrieval import MeaningRanking
from notesearch.search.ranking import RankedSection, Ranking, exact_first, fuse, supported
from notesearch.search.word_retrieval import WordRanking
from notesearch.store.rows import MeaningHit, WordHit


def words(*scores: float, with_all: int | None = None) -> WordRanking:
    """Return sections 1, 2, … with these scores; the first ``with_all`` hold every word."""
    hits = tuple(WordHit(number, score) for number, score in enumerate(scores, 1))
    held = len(hits) if with_all is None else with_all
    return WordRanking(hits, frozenset(hit.section_id for hit in hits[:held]))


def meaning(
    *sections: int,
    best: float = 0.8,
    step: float = 0.05,
    paths: Mapping[int, float] | None = None,
    understood: float = 1.0,
) -> MeaningRanking:
    """Return sections by meaning, each a little further away; their passages are 100 + id."""
    hits = (MeaningHit(id_, 100 + id_, best - step * n) for n, id_ in enumerate(sections))
    return MeaningRanking(tuple(hits), paths or {}, understood)


def ids(ranked: list[RankedSection]) -> list[int]:
    return [item.section_id for item in ranked]


@pytest.mark.parametrize(
    ("by_words", "by_meaning", "order"),
    [
        # one ranking alone keeps its order
        (words(), meaning(), []),
        (words(9, 5, 1), meaning(), [1, 2, 3]),
        (words(), meaning(7, 8, 9), [7, 8, 9]),
        # equal scores have a fixed order
        (words(5, 5, 5), meaning(), [1, 2, 3]),
        # what both find stands before what one of them finds
        (words(5, 5, 5), meaning(3), [3, 1, 2]),
        # all words before meaning alone, however near
        (words(9, 1), meaning(7, best=0.99), [1, 2, 7]),
        (words(9), meaning(7, 8, best=0.99), [1, 7, 8]),
        # scores of nothing do no harm
        (words(0, 0), meaning(2), [2, 1]),
    ],
)
def test_fusing(by_words: WordRanking, by_meaning: MeaningRanking, order: list[int]) -> None:
    assert ids(fuse(by_words, by_meaning)) == order


def test_meaning_may_come_first_where_no_section_has_all_words() -> None:
    assert ids(fuse(words(2, 1, with_all=0), meaning(7, best=0.9)))[0] in {1, 7}
    assert set(ids(fuse(words(2, 1, with_all=0), meaning(7, best=0.9)))) == {1, 2, 7}


def test_a_fused_section_knows_both_its_ranks() -> None:
    first, second, third = fuse(words(9, 8), meaning(1, 7, best=0.9, step=0.01))
    assert (first.section_id, first.words_rank, first.meaning_rank) == (1, 1, 1)
    assert (first.passage, first.has_all) == (101, True)
    assert (second.section_id, second.words_rank, second.meaning_rank) == (2, 2, None)
    assert (second.passage, second.has_all) == (None, True)
    assert (third.section_id, third.words_rank, third.meaning_rank) == (7, None, 2)
    assert (third.passage, third.has_all) == (107, False)
    assert first.score > second.score > third.score > 0


def _ranked(*sections: int) -> list[RankedSection]:
    return [
        RankedSection(id_, 1 / (n + 1), n + 1, None, None, True) for n, id_ in enumerate(sections)
    ]


@pytest.mark.parametrize(
    ("exact", "order"),
    [(set(), [1, 2, 3, 4]), ({3}, [3, 1, 2, 4]), ({4, 2}, [2, 4, 1, 3]), ({1}, [1, 2, 3, 4])],
)
def test_names_come_first(exact: set[int], order: list[int]) -> None:
    found = exact_first(_ranked(1, 2, 3, 4), lambda item: item.section_id in exact)
    assert ids(found) == order


NOTE_OF = {1: 10, 2: 10, 3: 10, 4: 20, 5: 30, 6: 30}


@pytest.mark.parametrize(
    ("limit", "per_note", "kept"),
    [
        (10, 10, [1, 2, 3, 4, 5, 6]),
        (10, 1, [1, 4, 5]),
        (10, 2, [1, 2, 4, 5, 6]),
        (3, 10, [1, 2, 3]),
        (3, 2, [1, 2, 4]),
        (1, 1, [1]),
    ],
)
def test_limits(limit: int, per_note: int, kept: list[int]) -> None:
    ranking = Ranking(_ranked(1, 2, 3, 4, 5, 6), NOTE_OF)
    assert ids(ranking.top(limit, per_note)) == kept


def test_sections_of_one_note_support_each_other() -> None:
    ranked = fuse(words(5.0, 4.9, 4.8, 4.7), meaning())
    assert ids(supported(ranked, {1: 10, 2: 20, 3: 20, 4: 20})) == [2, 3, 4, 1]
    assert ids(supported(ranked, {1: 10, 2: 20, 3: 30, 4: 40})) == [1, 2, 3, 4]


def test_a_heading_path_that_means_what_was_asked_counts() -> None:
    def order(paths: Mapping[int, float]) -> list[int]:
        return ids(fuse(words(), meaning(1, 2, best=0.5, step=0.0, paths=paths)))

    assert order({}) == [1, 2]
    assert order({1: 0.2, 2: 0.6}) == [2, 1]
    assert order({1: 0.1, 2: -0.5}) == [1, 2], "far is no reason"


def test_meaning_counts_for_as_much_as_the_model_knows() -> None:
    found = words(10, 9, with_all=0)
    assert ids(fuse(found, meaning(2, understood=1.0))) == [2, 1]
    assert ids(fuse(found, meaning(2, understood=0.0))) == [1, 2]


def test_all_of_several_words_stand_before_a_better_place_of_some() -> None:
    hits = (WordHit(1, 10.0), WordHit(2, 8.0))
    one = WordRanking(hits, frozenset({2}), {1: 0.6, 2: 1.0})
    several = WordRanking(hits, frozenset({2}), {1: 0.6, 2: 1.0}, has_several=True)
    scores = {item.section_id: item.score for item in fuse(one, meaning())}
    assert {item.section_id: item.score for item in fuse(several, meaning())} == {
        1: scores[1],
        2: pytest.approx(scores[2] * 1.4),
    }
