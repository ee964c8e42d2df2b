"""Finds and scores sections by words: FTS5 expressions and BM25."""

import json
from collections.abc import Iterable, Sequence
from functools import lru_cache
from operator import itemgetter
from struct import Struct
from typing import cast

from notesearch.store import relevance, word_list
from notesearch.store.conditions import Condition, only_those, quoted
from notesearch.store.index_state import Cancelled, IndexState
from notesearch.store.lexicon import Lexicon
from notesearch.store.rows import THESE
from notesearch.store.tokenizer import AS_IT_STANDS

_SCORED = "select words.rowid, -bm25(words, ?, ?, ?, ?, ?, ?, ?) from words where words match ?"
_BEST = f"select * from ({_SCORED}{{}}) order by 2 desc limit ?"
_PLACED = f"select words.rowid, {relevance.NAME}(words) from words where words match ? limit ?"
_HOLDING = "select count(*) from words where words match"
_AS_FORMS = f"fts5_locale('{AS_IT_STANDS}', ?)"
_SIZES = f"select {relevance.SIZES}(words) from words limit 1"

# With the plus FTS5 is not asked for each id by itself, which took a hundred times as long.
_AMONG = f" and +words.rowid in {THESE}"

_MANY_PAGES = 64
"""Of the word list: FTS5 takes some 0.15 ms for each to gather all that begins with something."""

_KNOWN = 2048
_COUNTS = 512
_RANKINGS = 24
"""Remembered, of up to some two thousand sections each."""

Scored = Sequence[tuple[int, float]]
"""Sections, each with its BM25; as SQLite gives them, since there are hundreds for each word."""


class WordReader:
    """The part of the reader that searches by words. In each FTS5 expression terms are quoted."""

    def __init__(self, state: IndexState, lexicon: Lexicon) -> None:
        """Search the index of ``state``, whose words ``lexicon`` knows."""
        self._state, self._lexicon = state, lexicon
        # While somebody types, each keystroke asks for the earlier words again.
        self._cached_known = lru_cache(_KNOWN)(self._is_known)
        self._cached_count = lru_cache(_COUNTS)(self._count)
        self._cached_scored = lru_cache(_RANKINGS)(self._score)
        self._cached_best = lru_cache(_RANKINGS)(self._score_best)
        self._cached_placed = lru_cache(_RANKINGS)(self._read_placed)
        self._cached_holding = lru_cache(_COUNTS)(self._count_holding)
        self._cached_sizes = lru_cache(1)(self._read_sizes)
        self._cached_begins_many = lru_cache(_COUNTS)(self._begins_many)
        state.when_changed(self._forget)

    def _forget(self) -> None:
        for cached in (
            self._cached_known,
            self._cached_count,
            self._cached_scored,
            self._cached_best,
            self._cached_placed,
            self._cached_holding,
            self._cached_sizes,
            self._cached_begins_many,
        ):
            cached.cache_clear()

    def known(self, match: str) -> bool:
        """Return whether any section matches an FTS5 expression."""
        self._state.refresh()
        return self._cached_known(match)

    def _is_known(self, match: str) -> bool:
        if self._takes_too_long(match):
            return True
        with self._state.reading():
            query = "select 1 from words where words match ? limit 1"
            return bool(self._state.sql.execute(query, (match,)).fetchall())

    def count(
        self,
        match: str,
        most: int,
        condition: Condition | None = None,
        cancelled: Cancelled = None,
    ) -> int:
        """Return how many sections match an FTS5 expression, or ``most`` when there are more.

        What begins with a letter or two is not counted, but taken for ``most``, where it is much.
        """
        self._state.refresh()
        with self._state.reading(cancelled):
            return self._cached_count(match, most, condition)

    def _count(self, match: str, most: int, condition: Condition | None) -> int:
        if self._takes_too_long(match):
            return most
        if condition is None and relevance.is_costly(match):
            return len(self._cached_placed(match, most))
        only, values = only_those(condition, "words.rowid")
        asked, forms = self._by_forms(match)
        found = f"select 1 from words where words match {asked}{only} limit ?"
        rows = self._state.sql.execute(f"select count(*) from ({found})", (forms, *values, most))
        return cast("int", rows.fetchall()[0][0])

    def any_matches(self, match: str, ids: Iterable[int]) -> bool:
        """Return whether any of the sections ``ids`` matches an FTS5 expression."""
        self._state.refresh()
        if self._takes_too_long(match):
            return True
        with self._state.reading():
            asked, forms = self._by_forms(match)
            query = f"select 1 from words where words match {asked}{_AMONG} limit 1"
            values = (forms, json.dumps(list(ids)))
            return bool(self._state.sql.execute(query, values).fetchall())

    def begins_many(self, letters: str) -> bool:
        """Return whether so many words begin with ``letters`` that it takes long to gather all."""
        self._state.refresh()
        return self._cached_begins_many(letters)

    def _begins_many(self, letters: str) -> bool:
        folded = self._lexicon.tokens(letters, begun=True)
        with self._state.reading():
            pages = word_list.pages_of(self._state.sql, folded[-1][1]) if folded else -1
        return pages > _MANY_PAGES

    def _takes_too_long(self, match: str) -> bool:
        return any(map(self._cached_begins_many, relevance.letters_begun(match)))

    def _by_forms(self, match: str) -> tuple[str, str]:
        """Return how what ``match`` finds is asked for soonest, and with which expression.

        Words that have several forms are two to three times as long looked for as these by
        themselves are. Scores would be others.
        """
        phrases = relevance.phrases(match)
        words = list(map(relevance.single_word, phrases))
        if not all(words):
            return "?", match
        forms = {phrase: self._forms_of(word) for phrase, word in zip(phrases, words, strict=True)}
        if not any(len(some) > 1 for some in forms.values()) or not all(forms.values()):
            return "?", match
        either = {phrase: f"({' OR '.join(map(quoted, some))})" for phrase, some in forms.items()}
        return _AS_FORMS, relevance.with_phrases(match, either)

    def _forms_of(self, word: str) -> tuple[str, ...]:
        """Return the forms any of which finds ``word``; none where it is several words."""
        asked = self._state.tokenizer.query_forms(word.encode("utf-8", "replace"))
        return asked[0][2] if len(asked) == 1 else ()

    def scored(
        self,
        match: str,
        weights: Sequence[float],
        most: int,
        cancelled: Cancelled = None,
        condition: Condition | None = None,
    ) -> Scored:
        """Return sections that match an FTS5 expression, in no order, with their BM25.

        Args:
            match: FTS5 query; every term in it quoted.
            weights: Of body, folder, title, aliases, parent headings, own heading, tags.
            most: Sections at most; of more, those that were first put into the index.
            cancelled: Asked from time to time.
            condition: What the sections must fulfil.
        """
        self._state.refresh()
        with self._state.reading(cancelled):
            return self._cached_scored(match, tuple(weights), most, condition)

    def best(
        self,
        match: str,
        weights: Sequence[float],
        most: int,
        cancelled: Cancelled = None,
        condition: Condition | None = None,
    ) -> Scored:
        """Return the same, but of many the ``most`` best; where much begins so, of a part of it."""
        self._state.refresh()
        with self._state.reading(cancelled):
            return self._cached_best(match, tuple(weights), most, condition)

    def _score_best(
        self, match: str, weights: tuple[float, ...], most: int, condition: Condition | None
    ) -> Scored:
        if self._takes_too_long(match):
            return self._score_begun(match, weights, most, condition)
        if relevance.has_short_prefix(match):  # many sections may: the first will do
            return self._cached_scored(match, weights, most, condition)
        only, values = only_those(condition, "words.rowid")
        rows = self._state.sql.execute(_BEST.format(only), (*weights, match, *values, most))
        return cast("Scored", rows.fetchall())

    def _score_begun(
        self, match: str, weights: tuple[float, ...], most: int, condition: Condition | None
    ) -> Scored:
        """Return the best of the first that match, of twice as many where other words are asked."""
        whole = relevance.whole_words(match)
        if not whole:
            return self._few(match, weights, condition, 2 * most)
        found = dict(self._few(match, weights, condition, most))
        # The first of the many need not be those that hold the letters as a word.
        found |= dict(self._score_best(whole, weights, most, condition))
        return sorted(found.items(), key=itemgetter(1), reverse=True)[:most]

    def _score(
        self, match: str, weights: tuple[float, ...], most: int, condition: Condition | None
    ) -> Scored:
        if condition is None and relevance.is_costly(match):
            placed = self._cached_placed(match, most + 1)
            if len(placed) <= most:
                return relevance.scores(placed, weights)
        only, values = only_those(condition, "words.rowid")
        rows = self._state.sql.execute(f"{_SCORED}{only} limit ?", (*weights, match, *values, most))
        return cast("Scored", rows.fetchall())

    def _read_placed(self, match: str, most: int) -> tuple[relevance.Row, ...]:
        """Return sections that match an FTS5 expression, each with where it does."""
        rows = self._state.sql.execute(_PLACED, (match, most))
        return tuple(cast("Iterable[relevance.Row]", rows))

    def scored_of(
        self,
        words: Sequence[str],
        weights: Sequence[float],
        ids: Iterable[int],
        cancelled: Cancelled = None,
        among: str = "",
    ) -> tuple[Scored, ...]:
        """Return for each of ``words``, FTS5 expressions, those of the sections ``ids`` that match.

        Where all of them match ``among``, and few others do, they are found without going through
        all that hold the words.
        """
        self._state.refresh()
        wanted = " OR ".join(words)
        if among:
            wanted = f"({wanted}) AND ({among})"
        with self._state.reading(cancelled):
            found = self._weighed(words, weights, wanted, _AMONG, (json.dumps(list(ids)),))
        return tuple(
            [(id_, scores[number]) for id_, scores in found if scores[number]]
            for number in range(len(words))
        )

    def rarest_first(self, words: Iterable[str]) -> list[str]:
        """Return FTS5 expressions by how often their most frequent phrase stands in sections."""
        found = list(words)
        if len(found) < 2:
            return found
        self._state.refresh()
        with self._state.reading():
            return sorted(found, key=self._most_holding)

    def _most_holding(self, word: str) -> float:
        if self._takes_too_long(word):
            return self._cached_sizes()[0]
        return max(map(self._cached_holding, relevance.phrases(word)), default=0)

    def scored_few(
        self,
        match: str,
        weights: Sequence[float],
        cancelled: Cancelled = None,
        condition: Condition | None = None,
    ) -> Scored:
        """Return all sections that match an FTS5 expression, which are few, with their BM25."""
        self._state.refresh()
        with self._state.reading(cancelled):
            return self._few(match, weights, condition)

    def _few(
        self, match: str, weights: Sequence[float], condition: Condition | None, most: int = -1
    ) -> Scored:
        """Return sections that match, the first ``most`` of them, or all."""
        only, values = only_those(condition, "words.rowid")
        found = self._weighed((match,), weights, match, f"{only} limit ?", (*values, most))
        return [(id_, score) for id_, (score,) in found]

    def _weighed(
        self,
        words: Sequence[str],
        weights: Sequence[float],
        wanted: str,
        only: str,
        values: Sequence[str | int | float],
    ) -> list[tuple[int, Sequence[float]]]:
        """Return what matches ``wanted``, which begins with all of ``words``, with their scores."""
        rarities = [list(map(self._rarity, relevance.phrases(word))) for word in words]
        asked = relevance.asked(self._cached_sizes()[1], weights, rarities)
        score = f"{relevance.SCORE}(words, ?)"
        query = f"select words.rowid, {score} from words where words match ?{only}"
        rows = self._state.sql.execute(query, (asked, wanted, *values))
        found = cast("list[tuple[int, bytes]]", rows.fetchall())
        doubles = Struct(f"{len(words)}d").unpack
        return [(id_, doubles(blob)) for id_, blob in found]

    def _rarity(self, phrase: str) -> float:
        """Return what a phrase tells; what much begins with tells next to nothing."""
        if self._takes_too_long(phrase):
            return relevance.LEAST
        return relevance.rarity(self._cached_sizes()[0], self._cached_holding(phrase))

    def _read_sizes(self) -> tuple[float, float]:
        """Return how many sections there are, and how many words stand in one on average."""
        rows = self._state.sql.execute(_SIZES).fetchall()
        count, average = relevance.doubles(cast("bytes", rows[0][0])) if rows else (0.0, 1.0)
        return count, average

    def _count_holding(self, phrase: str) -> int:
        """Return how many sections hold a phrase."""
        asked, forms = self._by_forms(phrase)
        return cast(
            "int", self._state.sql.execute(f"{_HOLDING} {asked}", (forms,)).fetchall()[0][0]
        )
