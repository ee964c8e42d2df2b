"""One sum of signals, names before other matches, and no note that fills the list."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from notesearch.search.meaning_retrieval import MeaningRanking
from notesearch.search.ranking import (
    CHOSEN_WEIGHTS,
    RankedSection,
    Ranking,
    Signals,
    exact_first,
    score,
    score_notes,
    weights_for,
    with_pieces,
    with_signal,
)
from notesearch.search.word_retrieval import WordRanking, WordShares
from notesearch.store.rows import MeaningHit, WordHit


def words(shares: Mapping[int, float]) -> WordRanking:
    """Return sections with these shares of a query, all of one word."""
    hits = sorted((WordHit(id_, share) for id_, share in shares.items()), key=lambda h: -h.score)
    return WordRanking(
        hits=tuple(hits),
        shares_of=lambda id_: WordShares(shares.get(id_, 0.0), shares.get(id_, 0.0), id_ in shares),
        held_share=float,
    )


def meaning(
    cosines: Mapping[int, float],
    paths: Mapping[int, float] | None = None,
    understood: float = 1.0,
) -> MeaningRanking:
    """Return sections with these cosines; their passages are 100 + id."""
    hits = (MeaningHit(id_, 100 + id_, cosine) for id_, cosine in cosines.items())
    return MeaningRanking(
        tuple(sorted(hits, key=lambda hit: -hit.similarity)),
        (),
        paths or {},
        understood=understood,
    )


def ids(ranked: list[RankedSection]) -> list[int]:
    return [section.section_id for section in ranked]


NOTE_OF = {1: 10, 2: 20, 3: 30}


@pytest.mark.parametrize(
    ("by_words", "by_meaning", "order"),
    [
        # one ranking alone keeps its order
        ({1: 0.9, 2: 0.5, 3: 0.1}, {}, [1, 2, 3]),
        ({}, {3: 0.5, 1: 0.4, 2: 0.3}, [3, 1, 2]),
        # sections that tie have a fixed order
        ({1: 0.5, 2: 0.5, 3: 0.5}, {}, [1, 2, 3]),
        # found by both comes before found by one
        ({1: 0.5, 2: 0.5, 3: 0.5}, {3: 0.4}, [3, 1, 2]),
        # all words come before meaning, unless that is certain
        ({1: 0.9, 2: 0.2}, {3: 0.7}, [1, 3, 2]),
    ],
)
def test_the_order_of_scores(
    by_words: dict[int, float], by_meaning: dict[int, float], order: list[int]
) -> None:
    assert ids(score(words(by_words), meaning(by_meaning), NOTE_OF)) == order


def test_a_score_is_the_weighted_sum_of_the_signals() -> None:
    ranked = score(words({1: 0.5}), meaning({1: 0.4}, {1: 0.35}), {1: 10})
    ranked = with_signal(with_signal(ranked, "headings", {1: 0.7}), "note", {1: 0.2})
    assert ranked[0].signals == Signals(0.5, 0.5, 0.7, 0.4, 0.35, 0.2, 1.0)
    expected = 0.5 + 0.5 + 0.6 * 0.7 + 2 * 0.4 + 0.35 + 0.75 * 0.2 + 0.25 * 1.0
    assert ranked[0].score == pytest.approx(expected)


def test_a_title_that_says_nothing_does_not_lower_a_section_much() -> None:
    ranked = score(words({}), meaning({1: 0.5, 2: 0.4}, {1: -0.1, 2: 0.3}), {1: 10, 2: 20})
    paths = {section.section_id: section.signals.path for section in ranked}
    assert paths == {1: pytest.approx(0.8 * 0.5), 2: pytest.approx(0.8 * 0.4)}
    assert [section.section_id for section in ranked] == [1, 2]


def test_a_score_does_not_depend_on_what_else_was_found() -> None:
    alone = score(words({1: 0.3}), meaning({1: 0.4}), {1: 10})
    among = score(words({1: 0.3, 2: 0.9}), meaning({1: 0.4, 3: 0.8}), NOTE_OF)
    assert next(s for s in among if s.section_id == 1).score == alone[0].score


class Comparison:
    """Compares passages by known figures, and remembers which it was asked for."""

    def __init__(self, **near: float) -> None:
        self.asked: list[Mapping[int, int]] = []
        self._near = {int(name[1:]): value for name, value in near.items()}

    def __call__(self, places: Mapping[int, int]) -> dict[int, float]:
        self.asked.append(places)
        return {id_: self._near.get(id_, 0.0) for id_ in places}


def _to_compare(*scores: float, headings: float = 0.0) -> list[RankedSection]:
    """Return sections 1, 2, … whose word pieces count 3."""
    signals, weights = Signals(headings=headings), (*[0.0] * 10, 3.0)
    return [
        RankedSection(id_, score, passage=id_ + 10, signals=signals, weights=weights)
        for id_, score in enumerate(scores, 1)
    ]


def test_the_word_pieces_of_the_first_sections_decide_between_them() -> None:
    near = Comparison(_1=0.1, _2=0.5, _3=0.2)
    ranked = with_pieces(_to_compare(2.0, 1.5, 1.0), near)
    assert [(s.section_id, round(s.score, 3)) for s in ranked] == [(2, 3.0), (1, 2.3), (3, 1.6)]
    assert ranked[0].signals.pieces == 0.5
    assert near.asked == [{1: 11, 2: 12}, {3: 13}]


@pytest.mark.parametrize(
    ("scores", "headings", "asked"),
    [
        # the first two are compared for their scores, even if no other can come before them
        ((2.0,), 0.0, 1),
        ((5.0, 1.9), 0.0, 2),
        # the third cannot come before the first
        ((5.0, 2.1, 1.9), 0.0, 2),
        ((5.0, 2.1, 2.1), 0.0, 3),
        # headings with half of the query leave half of the weight, with all of it nothing
        ((5.0, 3.6, 3.4), 0.5, 2),
        ((5.0, 4.9), 1.0, 0),
        ((5.0, 4.9, 4.8), 0.9, 3),
        # only the first ten are ever compared
        ((1.0,) * 30, 0.0, 10),
    ],
)
def test_word_pieces_are_compared_only_while_another_can_come_first(
    scores: tuple[float, ...], headings: float, asked: int
) -> None:
    near = Comparison()
    ranked = with_pieces(_to_compare(*scores, headings=headings), near)
    assert sum(map(len, near.asked)) == asked
    assert ids(ranked) == [*range(1, len(scores) + 1)]
    assert all(s.weights[-1] == pytest.approx(3.0 * (1 - headings)) for s in ranked)


def test_a_model_without_vectors_of_word_pieces_leaves_them_out() -> None:
    ranked = score(words({1: 0.5}), meaning({1: 0.4}), {1: 10})
    assert with_pieces(ranked, None) == ranked
    assert ranked[0].weights[-1] == 0.0


def test_a_section_knows_which_ranking_found_it() -> None:
    ranked = score(words({1: 0.9, 2: 0.8}), meaning({1: 0.9, 3: 0.89}), NOTE_OF)
    first, second, third = sorted(ranked, key=lambda section: section.section_id)
    assert (first.words_rank is None, first.meaning_rank, first.passage) == (False, 1, 101)
    assert (second.words_rank is None, second.meaning_rank, second.passage) == (False, None, None)
    assert (third.words_rank, third.meaning_rank, third.passage) == (None, 2, 103)


def test_meaning_counts_for_as_much_as_the_model_understands() -> None:
    found, paths = words({1: 0.6, 2: 0.5, 3: 0.0}), {2: 0.5}
    order = {
        understood: ids(score(found, meaning({2: 0.5}, paths, understood=understood), NOTE_OF))[0]
        for understood in (1.0, 0.0)
    }
    assert order == {1.0: 2, 0.0: 1}


def test_in_scripts_without_spaces_meaning_counts_more_than_pairs_of_signs() -> None:
    found = meaning({1: 0.5})
    assert weights_for("chain of the bike 42", found) == CHOSEN_WEIGHTS
    for text in ("匈牙利算法", "自転車のチェーン", "第3章"):
        weights = weights_for(text, found)
        assert (weights.held, weights.least_path) == (0.0, 0.0)
        assert weights.passage == 2 * CHOSEN_WEIGHTS.passage
        assert weights.words == CHOSEN_WEIGHTS.words
        assert weights_for(text, MeaningRanking()) == CHOSEN_WEIGHTS, "words alone"
        assert weights_for(text, meaning({1: 0.5}, understood=0.0)) == CHOSEN_WEIGHTS
    mixed = weights_for("BSGS算法方案", found)
    assert mixed.held == pytest.approx(CHOSEN_WEIGHTS.held / 2)


def test_a_negative_cosine_counts_as_none() -> None:
    ranked = score(words({1: 0.5}), meaning({}, {1: -0.5}), {1: 10})
    ranked = with_signal(ranked, "note", {1: -0.5})
    assert ranked[0].signals.path == ranked[0].signals.note == 0.0


def _ranked(*sections: int) -> list[RankedSection]:
    return [RankedSection(id_, 1 / (n + 1), n + 1) for n, id_ in enumerate(sections)]


@pytest.mark.parametrize(
    ("exact", "order"),
    [
        ({}, [1, 2, 3, 4]),
        ({3: 1}, [3, 1, 2, 4]),
        ({4: 1, 2: 1}, [2, 4, 1, 3]),
        ({4: 2, 2: 1}, [4, 2, 1, 3]),
        ({1: 1}, [1, 2, 3, 4]),
    ],
)
def test_names_come_first(exact: dict[int, int], order: list[int]) -> None:
    assert ids(exact_first(_ranked(1, 2, 3, 4), exact)) == order


OWNERS = {1: 10, 2: 10, 3: 10, 4: 20, 5: 30, 6: 30}


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
    ranking = Ranking(_ranked(1, 2, 3, 4, 5, 6), OWNERS)
    assert ids(ranking.top(limit, per_note)) == kept


def _scored(id_: int, score: float, signals: Signals) -> RankedSection:
    return RankedSection(id_, score, 1, 1, None, signals, (1.0,) * len(signals))


def test_a_note_about_the_query_comes_before_one_with_a_better_section() -> None:
    sections = [
        _scored(1, 3.0, Signals(note_words=0.5)),
        _scored(2, 2.9, Signals(note_words=1.0)),
        _scored(3, 2.8, Signals(note_words=0.5)),
    ]
    scores = score_notes(sections, NOTE_OF)
    assert list(scores) == [20, 10, 30]
    assert scores[20] == pytest.approx(2.9 + CHOSEN_WEIGHTS.of_notes * 1.0)


@pytest.mark.parametrize(
    ("best", "second", "single", "order"),
    [
        # the second section of a note speaks for it
        ([3.0, 2.9], [0.0, 0.5], (), [20, 10]),
        ([3.0, 2.9], [0.5, 0.5], (), [10, 20]),
        ([3.0, 2.9], [0.0, 0.05], (), [10, 20]),
        # a note of one section has no second one to be missed
        ([3.0, 2.9], [None, 0.5], (), [20, 10]),
        ([3.0, 2.9], [None, 0.5], (10,), [10, 20]),
        ([3.0, 2.9], [None, None], (10, 20), [10, 20]),
    ],
)
def test_a_note_with_the_words_in_two_sections_comes_before_one_good_line(
    best: list[float], second: list[float | None], single: tuple[int, ...], order: list[int]
) -> None:
    sections = [_scored(n, value, Signals(1.0, 1.0)) for n, value in enumerate(best, 1)]
    sections += [
        _scored(10 * n, 1.0, Signals(share, share))
        for n, share in enumerate(second, 1)
        if share is not None
    ]
    note_of = {1: 10, 10: 10, 2: 20, 20: 20}
    assert list(score_notes(sections, note_of, single=single)) == order


def test_the_note_of_an_exact_name_comes_first() -> None:
    """If its section was first already by score, another note with a higher sum once came first."""
    sections = [
        _scored(1, 3.0, Signals()),
        _scored(2, 2.9, Signals(note_words=1.0)),
        _scored(3, 2.8, Signals()),
    ]
    assert list(score_notes(sections, NOTE_OF)) == [20, 10, 30]
    assert list(score_notes(sections, NOTE_OF, first=[10])) == [10, 20, 30]
    assert list(score_notes(sections, NOTE_OF, first=[30])) == [30, 20, 10]


def test_a_section_without_a_vector_has_the_assumed_similarity() -> None:
    found = replace(meaning({1: 0.4}), assumed={2: 0.4})
    ranked = score(words({1: 0.3, 2: 0.9}), found, NOTE_OF)
    assert {s.section_id: s.signals.passage for s in ranked} == {1: 0.4, 2: 0.4, 3: 0.0}
    assert ids(ranked)[0] == 2
