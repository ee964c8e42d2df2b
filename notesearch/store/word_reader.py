"""Finds and scores sections by words: FTS5 expressions and BM25.

FTS5's own ``bm25`` returns only one score for all words together. The SQL function ``bm25_by_word``
returns one for each word of a query; each equals the score by ``bm25`` for the word alone.

Sources: the formula in sqlite.org/fts5.html#the_bm25_function, after Robertson and Zaragoza, "The
Probabilistic Relevance Framework: BM25 and Beyond", 2009.
"""

import json
import math
import re
from array import array
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from itertools import chain
from operator import itemgetter
from struct import Struct
from typing import TYPE_CHECKING, cast

from notesearch.store import full_text_index
from notesearch.store.conditions import Condition, only_those
from notesearch.store.db import IndexState
from notesearch.store.lexicon import Lexicon
from notesearch.store.rows import THESE

if TYPE_CHECKING:
    import apsw

_BY_WORD = "bm25_by_word"
_SIZES_OF_ALL = "sizes"
"""The names under which SQL calls ``_by_word`` and ``_sizes_of_all``."""

_K1 = 1.2
_B = 0.75
"""The constants k1 and b of BM25 as FTS5 has them; they cannot be changed there."""

_MOST_OF_PHRASE = _K1 + 1.0

_LEAST = 1e-6
"""The rarity of a phrase in more than half of the sections: BM25's formula gives less than 0."""

_SCORED = "select words.rowid, -bm25(words, ?, ?, ?, ?, ?, ?, ?) from words where words match ?"
_BEST = f"select * from ({_SCORED}{{}}) order by 2 desc limit ?"
_HOLDING = "select count(*) from words where words match ?"
_SIZES = f"select {_SIZES_OF_ALL}(words) from words limit 1"

# Without the plus SQLite asks FTS5 for each id by itself, which takes a hundred times as long.
_AMONG = f" and +words.rowid in {THESE}"

_MANY_PAGES = 64
"""A prefix on more pages of the word index takes too long: FTS5 needs about 0.15 ms a page."""

_COUNTS = 2048
_COUNTED = 501
"""Sections are counted up to this number even for a caller who needs fewer: the next caller, who
asks about the same word, needs as many."""

Scored = Sequence[tuple[int, float]]
"""Section ids, each with its BM25, in the form in which SQLite returns them."""

_SHORT_PREFIX = re.compile(r'"[^" ]{1,2}"\*')
_LETTERS = re.compile(r'(?<!\+ )"([0-9A-Za-z\u00c0-\u052f]{1,2})"\*')
"""Prefixes of one or two letters: Latin, Greek or Cyrillic. Two Chinese characters are a word."""

_ALTERNATIVES = re.compile(r'((?:\{[^}]*\} : )?)\(("[^"]*"\*?(?: OR "[^"]*"\*?)*)\)')
_PHRASE = re.compile(r'"(?:[^"]|"")*"\*?(?: \+ "(?:[^"]|"")*"\*?)*')


class WordReader:
    """The part of the reader that searches by words.

    Callers must quote the terms in FTS5 expressions.
    """

    def __init__(self, state: IndexState, lexicon: Lexicon) -> None:
        self._state = state
        self._lexicon = lexicon
        # While somebody types, each keystroke asks for the earlier words again.
        self._cached_count = state.cached(self._count, _COUNTS)
        self._cached_holding = state.cached(self._count_holding, _COUNTS)
        self._sizes = state.cached(self._read_sizes, 1)
        state.sql.register_fts5_function(_SIZES_OF_ALL, _sizes_of_all)
        state.sql.register_fts5_function(_BY_WORD, _by_word)

    def known(self, match: str) -> bool:
        """Return whether any section matches an FTS5 expression.

        A short prefix with which too many words begin is not looked up, and counts as known.
        """
        return self.count(match, 1) > 0

    def count(self, match: str, most: int, condition: Condition | None = None) -> int:
        """Return the number of sections that match an FTS5 expression, or ``most`` if more do.

        Also returns ``most`` for a short prefix with which too many words begin.
        """
        with self._state.reading():
            counted = most if condition else max(most, _COUNTED)
            return min(self._cached_count(match, counted, condition), most)

    def _count(self, match: str, most: int, condition: Condition | None) -> int:
        if self._takes_too_long(match):
            return most
        only, values = only_those(condition, "words.rowid")
        query = f"select 1 from words where words match ?{only} limit ?"
        rows = self._state.sql.execute(f"select count(*) from ({query})", (match, *values, most))
        return cast("int", rows.get)

    def any_matches(self, match: str, ids: Iterable[int]) -> bool:
        """Return whether any of the sections ``ids`` matches an FTS5 expression.

        A short prefix with which too many words begin is not looked up, and counts as a match.
        """
        if self._takes_too_long(match):
            return True
        query = f"select 1 from words where words match ?{_AMONG} limit 1"
        return bool(self._state.rows(query, match, ids))

    def begins_many(self, letters: str) -> bool:
        """Return whether too many words begin with ``letters`` to collect them in time."""
        folded = self._lexicon.tokens(letters, begun=True)
        with self._state.reading():
            pages = full_text_index.pages_of(self._state.sql, folded[-1][1]) if folded else -1
        return pages > _MANY_PAGES

    def _takes_too_long(self, match: str) -> bool:
        return any(map(self.begins_many, _LETTERS.findall(match)))

    def scored(
        self,
        match: str,
        weights: Sequence[float],
        most: int,
        condition: Condition | None = None,
    ) -> Scored:
        """Return sections that match an FTS5 expression with their BM25, in no order.

        Args:
            match: The expression.
            weights: The weights of body, folder, title, aliases, parent headings, own heading,
                tags.
            most: How many sections to return at most. If more match, the first in the index.
            condition: The condition that the sections must match.
        """
        only, values = only_those(condition, "words.rowid")
        with self._state.reading():
            return self._state.rows(f"{_SCORED}{only} limit ?", *weights, match, *values, most)

    def best(
        self,
        match: str,
        weights: Sequence[float],
        most: int,
        condition: Condition | None = None,
    ) -> Scored:
        """Return the ``most`` sections with the best BM25 that match an FTS5 expression.

        For a short prefix of very many words, only some of the sections are examined. The other
        arguments are as for ``scored``.
        """
        only, values = only_those(condition, "words.rowid")
        with self._state.reading():
            if self._takes_too_long(match):
                return self._best_begun(match, weights, most, condition)
            if _SHORT_PREFIX.search(match):  # too many sections: the first ones will do
                return self.scored(match, weights, most, condition=condition)
            return self._state.rows(_BEST.format(only), *weights, match, *values, most)

    def _best_begun(
        self, match: str, weights: Sequence[float], most: int, condition: Condition | None
    ) -> Scored:
        whole = whole_words(match)
        if not whole:
            return self.scored_few(match, weights, condition=condition, most=2 * most)
        scores = dict(self.scored_few(match, weights, condition=condition, most=most))
        # A section with the letters as a whole word is better, but may not be among the first ones.
        scores |= dict(self.best(whole, weights, most, condition=condition))
        return sorted(scores.items(), key=itemgetter(1), reverse=True)[:most]

    def scored_of(
        self,
        words: Sequence[str],
        weights: Sequence[float],
        ids: Iterable[int],
        among: str = "",
    ) -> tuple[Scored, ...]:
        """Return, for each of ``words``, the sections that match it, each with its BM25.

        Args:
            words: FTS5 expressions.
            weights: The weights of the columns.
            ids: The sections to look at.
            among: An FTS5 expression that makes the search faster. All of the sections ``ids`` must
                match it; few others should.
        """
        wanted = " OR ".join(words)
        if among:
            wanted = f"({wanted}) AND ({among})"
        with self._state.reading():
            found = self._weighed(words, weights, wanted, _AMONG, (json.dumps(list(ids)),))
        return tuple(
            [(id_, scores[number]) for id_, scores in found if scores[number]]
            for number in range(len(words))
        )

    def most_holding(self, expression: str) -> float:
        """Return the number of sections that contain the most frequent phrase of ``expression``.

        For a short prefix with which too many words begin, returns the number of all sections.
        """
        with self._state.reading():
            if self._takes_too_long(expression):
                return self._sizes()[0]
            return max(map(self._cached_holding, _phrases(expression)), default=0)

    def scored_few(
        self,
        match: str,
        weights: Sequence[float],
        condition: Condition | None = None,
        most: int = -1,
    ) -> Scored:
        """Return the sections that match an FTS5 expression, in index order, with their BM25.

        Returns at most ``most`` sections; all if it is -1. It is fast only if few sections match.
        """
        only, values = only_those(condition, "words.rowid")
        with self._state.reading():
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
        """Return the sections that match ``wanted``, each with its BM25 for each of ``words``.

        ``wanted`` is an FTS5 expression that begins with all of ``words``. ``only`` is SQL that
        continues the ``where`` clause, with the parameters ``values``.
        """
        rarities = [list(map(self._rarity, _phrases(word))) for word in words]
        asked = _parameters(self._sizes()[1], weights, rarities)
        score = f"{_BY_WORD}(words, ?)"
        query = f"select words.rowid, {score} from words where words match ?{only}"
        doubles = Struct(f"{len(words)}d").unpack
        rows = self._state.sql.execute(query, (asked, wanted, *values))
        return [(id_, doubles(blob)) for id_, blob in cast("Iterable[tuple[int, bytes]]", rows)]

    def _rarity(self, phrase: str) -> float:
        if self._takes_too_long(phrase):
            return _LEAST
        return _rarity_of(self._sizes()[0], self._cached_holding(phrase))

    def sections(self) -> int:
        """Return the number of sections."""
        return int(self._sizes()[0])

    def _read_sizes(self) -> tuple[float, float]:
        """Return the number of sections and their average length in words."""
        sizes = self._state.sql.execute(_SIZES).get
        count, average = array("d", cast("bytes", sizes)) if sizes else (0.0, 1.0)
        return count, average

    def _count_holding(self, phrase: str) -> int:
        return cast("int", self._state.sql.execute(_HOLDING, (phrase,)).get)


def _phrases(match: str) -> list[str]:
    return _PHRASE.findall(match)


def whole_words(match: str) -> str:
    """Return ``match``, such as ``("a"* OR "ab")``, without its prefixes of one or two letters.

    Empty if nothing is left, or if ``match`` is not words joined by OR.
    """
    alternatives = _ALTERNATIVES.fullmatch(match)
    words = alternatives[2].split(" OR ") if alternatives else []
    kept = " OR ".join(word for word in words if not _LETTERS.fullmatch(word))
    return f"{alternatives[1]}({kept})" if alternatives and kept else ""


def _sizes_of_all(api: "apsw.FTS5ExtensionApi", *_: object) -> bytes:
    return array("d", (api.row_count, api.column_total_size() / api.row_count)).tobytes()


def bm25_bound(sections: float, holding: float) -> float:
    """Return a bound that the BM25 of a phrase in ``holding`` of all ``sections`` never reaches."""
    return _MOST_OF_PHRASE * _rarity_of(sections, holding)


def _rarity_of(sections: float, holding: float) -> float:
    return max(math.log((sections - holding + 0.5) / (holding + 0.5)), 0.0) or _LEAST


def _parameters(
    average: float, weights: Sequence[float], words: Sequence[Sequence[float]]
) -> bytes:
    """Return the argument of ``_by_word``: doubles in one blob.

    ``words`` has, for each word, the rarities of the phrases that may stand for it.
    """
    lengths = [float(len(word)) for word in words]
    return array("d", (average, len(words), *lengths, *chain(*words), *weights)).tobytes()


_Parameters = tuple[
    float, Sequence[float], Sequence[Sequence[tuple[int, float]]], Callable[..., bytes]
]
"""The average length of rows, the weights of the columns, number and rarity of each phrase of
each word, and a function that packs the scores."""


@lru_cache(8)
def _unpacked(blob: bytes) -> _Parameters:
    average, count, *rest = array("d", blob)
    words = []
    at = int(count)
    for length in map(int, rest[: int(count)]):
        first = at - int(count)
        words.append(list(enumerate(rest[at : at + length], first)))
        at += length
    return average, rest[at:], words, Struct(f"{len(words)}d").pack


def _by_word(api: "apsw.FTS5ExtensionApi", *blob: object) -> bytes:
    """Return the BM25 of FTS5's current row for each of several words, as doubles in one blob.

    ``blob`` is from ``_parameters``. FTS5's query must begin with the phrases of these words.
    """
    average, weights, words, packed = _unpacked(cast("bytes", blob[0]))
    columns = api.phrase_columns
    offsets = api.phrase_column_offsets
    length = _K1 * (1 - _B + _B * api.column_size() / average)
    scores = []
    for word in words:
        score = 0.0
        for phrase, rarity in word:
            phrase_columns = columns(phrase)
            if phrase_columns:
                frequency = 0.0
                for column in phrase_columns:
                    frequency += weights[column] * len(offsets(phrase, column))
                score += rarity * ((frequency * _MOST_OF_PHRASE) / (frequency + length))
        scores.append(score)
    return packed(*scores)
