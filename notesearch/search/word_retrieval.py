"""Retrieval by words: which sections have which words of the query, and how strong each word is.

Each rare word is looked up by itself. A word in thousands of sections hardly distinguishes them, so
it is only looked up in the sections that the other words found.

The strength of a word in a section, 0 to 1, is its BM25 as a share of its maximum. Words count by
their rarity, so the shares of a section do not depend on other results.
"""

import math
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import chain
from typing import NamedTuple

from notesearch.search.patterns import Pattern
from notesearch.search.query import MAX_TERMS
from notesearch.search.query_resolution import COMMON, ResolvedQuery
from notesearch.store.conditions import Condition
from notesearch.store.reader import Reader
from notesearch.store.rows import SectionPlace, WordHit
from notesearch.store.word_reader import Scored, bm25_bound

WEIGHTS = (1.0, 2.0, 4.0, 4.0, 3.0, 6.0, 3.0)
"""Weights of body, folder, title, aliases, parent headings, own heading and tags in BM25."""

_MANY = 4 * COMMON
"""If at most this many sections have all words, each of them is scored."""

_CANDIDATES_FOR_ONE = 4
"""How many sections compete for each wanted one, so that those of many notes can be chosen."""

_OF_ONE_NOTE = 30
"""If too many sections are found, at most this many of one note precede those of others."""

_OTHERWISE = 0.8
"""Strength of an alternative, such as another spelling, as a share of the first one's."""

_LINK = "link "
"""Marks a link target among the words, which are all in quotes."""

_BELOW = 0.75
"""Worth of a link that leads far below the target; one to the target itself is worth 1."""

_NAMES = "{title aliases heading tags}"

_Weighted = tuple[float, dict[int, float]]
"""The weight of a word, and its strength by section."""


class WordShares(NamedTuple):
    """How much of a query one section has.

    Attributes:
        words: The share of the query, 0 to 1, each word counted by its strength in the section.
        held: The share of the query, 0 to 1, each word of the section counted in full.
        bits: The words it has, as a bit set.
    """

    words: float
    held: float
    bits: int


@dataclass(frozen=True, slots=True)
class WordRanking:
    """Sections found by words, best first.

    Attributes:
        hits: The sections with their scores.
        named: The ids of sections whose heading is the query, and of the first sections of notes
            that it names.
        with_all: The ids of the sections with every word.
        total: How many sections have any of the words, as far as they were searched.
        verbatim: 2 for sections whose text has the whole query, if it is one address or has only
            stop words; 1 for sections that only link to the address.
        worths: How much each word of the query counts, by its rarity. Alternatives count as one
            word.
        places: The places of the sections found, and perhaps of others.
        shares_of: Returns the shares of the query that a section has.
        held_share: Returns the share of the query, 0 to 1, that a bit set of words makes up.
    """

    hits: tuple[WordHit, ...] = ()
    named: frozenset[int] = frozenset()
    with_all: frozenset[int] = frozenset()
    total: int = 0
    verbatim: Mapping[int, int] = field(default_factory=dict)
    worths: tuple[float, ...] = ()
    places: Mapping[int, SectionPlace] = field(default_factory=dict)
    shares_of: Callable[[int], WordShares] = lambda _: WordShares(0.0, 0.0, 0)
    held_share: Callable[[int], float] = lambda _: 0.0


def retrieve_words(
    reader: Reader,
    query: ResolvedQuery,
    named: frozenset[int],
    limit: int,
) -> WordRanking:
    """Find sections with any of the words of ``query``, and rank them.

    Args:
        reader: Reads the index.
        query: The words.
        named: Sections whose name is the query. They are always found, however low they rank.
        limit: How many sections to return at most, not counting ``named``.
    """
    groups = query.groups
    if not groups:
        return WordRanking(named=named)
    search = _WordSearch(reader, groups, query.condition)
    search.take_rare_words()
    runs = search.take_phrases(_unspaced_runs(groups))
    search.take_links(groups)
    sayings = search.take_phrases([query.stop_word_phrase] if query.stop_word_phrase else [])
    search.take_common_words(limit)
    hits = search.best(limit)
    others = sorted(named - {hit.section_id for hit in hits})
    least = hits[-1].score if hits else 1.0
    hits += [WordHit(id_, least) for id_ in others]
    return WordRanking(
        hits=tuple(hits),
        named=named,
        with_all=named.union(search.with_each_group(hit.section_id for hit in hits)),
        total=max(search.count, len(hits)),
        verbatim={**search.addressed(groups, runs), **dict.fromkeys(sayings, 2)},
        worths=search.worths,
        places=search.places,
        shares_of=search.shares_of,
        held_share=search.held_share,
    )


class _WordSearch:
    """The sections that one query has found so far: their scores, and the words they have.

    Sets of words are bit sets. The methods called ``take_…`` add sections.

    Attributes:
        places: The places of the sections that were put in order.
    """

    def __init__(
        self,
        reader: Reader,
        groups: Sequence[Sequence[Pattern]],
        condition: Condition | None,
    ) -> None:
        self._reader = reader
        self._condition = condition
        parts = [[_words_of(pattern) for pattern in group] for group in groups]
        patterns = chain.from_iterable(parts)
        self._words = list(dict.fromkeys(chain.from_iterable(patterns)))[:MAX_TERMS]
        self._bits = {word: 1 << number for number, word in enumerate(self._words)}
        self._alternatives = [[self._looked_up(words) for words in group] for group in parts]
        self._link_bits = 0
        self._counts = {word: self._count(word) for word in self._words}
        known = [[words for words in group if self._are_known(words)] for group in parts]
        self._all = " AND ".join(_any_of(group) for group in known if group)
        self.places: dict[int, SectionPlace] = {}
        self._scores: dict[int, float] = {}
        self._held: dict[int, int] = {}
        self._strengths: dict[str, dict[int, float]] = {}
        self._phrases: list[str] = []
        self._found_by: list[str] = []
        self._sections = max(reader.words.sections(), 1)
        self._rarities = {word: self._rarity(word) for word in self._words}
        self._limit_unfinished([pattern for pattern in chain(*groups) if pattern.begins_many])
        self.held_share = lru_cache(None)(self._held_share)

    def _looked_up(self, words: Iterable[str]) -> list[str]:
        """Return the ``words`` that are looked up: all, or the first ones of a very long query."""
        return [word for word in words if word in self._bits]

    def _groups(self, without: Collection[str] = ()) -> list[list[int]]:
        """Return the words of each alternative of each group, but those ``without``."""
        return [
            [sum(self._bits[word] for word in words if word not in without) for words in group]
            for group in self._alternatives
        ]

    def _are_known(self, words: Iterable[str]) -> bool:
        """Return whether a section has each of ``words``; those not looked up count as known."""
        return all(self._counts.get(word, 1) for word in words)

    def _count(self, match: str) -> int:
        return self._reader.words.count(match, COMMON + 1, self._condition)

    def _holding(self, word: str) -> float:
        """Return about how many sections of the whole index have ``word``."""
        count: float = self._counts.get(word) or self._count(word)
        if count > COMMON or self._condition:
            count = max(count, self._reader.words.most_holding(word))
        return min(count, self._sections)

    def _rarity(self, word: str) -> float:
        return _rarity(self._sections, self._holding(word) if self._counts[word] else 0)

    def _limit_unfinished(self, patterns: Iterable[Pattern]) -> None:
        """Let the words of unfinished ``patterns`` count for at most half of any other known word.

        As a word, the "th" of an unfinished "the" may be rare. It must not come before the words
        that the user has completed. A common word counts little anyway, and is probably complete.
        """
        words = {word for pattern in patterns for word in self._looked_up(_words_of(pattern))}
        unfinished = {word for word in words if self._counts[word] <= COMMON}
        others = [word for word in self._words if self._counts[word] and word not in unfinished]
        if unfinished and others:
            most = min(map(self._rarities.__getitem__, others)) / 2
            self._rarities |= {word: min(self._rarities[word], most) for word in unfinished}

    def take_rare_words(self) -> None:
        """Take all sections with each word that is not common."""
        for word in self._words:
            if 0 < self._counts[word] <= COMMON:
                self._take(word)

    def take_phrases(self, phrases: Sequence[str]) -> frozenset[int]:
        """Take the sections with ``phrases``, each counted as one more word; return their ids.

        Phrases that more than ``COMMON`` sections have are ignored.
        """
        holders: set[int] = set()
        for phrase in dict.fromkeys(phrases):
            count = self._count(phrase)
            if 0 < count <= COMMON:
                self._phrases.append(phrase)
                self._rarities[phrase] = _rarity(self._sections, self._holding(phrase))
                self._take(phrase)
                holders.update(self._strengths[phrase])
        return frozenset(holders)

    def _take(self, word: str) -> None:
        scored = self._reader.words.scored(word, WEIGHTS, COMMON, self._condition)
        self._add_scored(scored, (word,))
        self._found_by.append(word)

    def take_links(self, groups: Sequence[Sequence[Pattern]]) -> None:
        """Take the sections that link to a target of ``groups``; each target is one more word."""
        for number, group in enumerate(groups):
            for target in dict.fromkeys(p.target for p in group if p.target):
                hits = self._reader.links.sections_linking_to(target, self._condition)
                word = f"{_LINK}{target.address}"
                bit = self._bits.setdefault(word, 1 << len(self._bits))
                self._alternatives[number].append([word])
                self._link_bits |= bit
                self._rarities[word] = _rarity(self._sections, len(hits))
                self._add(
                    word,
                    {hit.section_id: _BELOW + (1 - _BELOW) * hit.share for hit in hits.values()},
                )

    def addressed(
        self, groups: Sequence[Sequence[Pattern]], runs: frozenset[int]
    ) -> Mapping[int, int]:
        """Return ``WordRanking.verbatim`` for a query of one address.

        ``runs`` are the sections that have the address as a phrase.
        """
        if not self._link_bits or len(groups) > 1:
            return {}
        words = [bits for bits in self._groups()[0] if not bits & self._link_bits]
        texts = {id_ for id_, held in self._held.items() if _has_each([words], held)}
        if not any(pattern.is_verbatim for pattern in groups[0]):
            texts = set(runs)
        links = {id_ for id_, held in self._held.items() if held & self._link_bits}
        return dict.fromkeys(links, 1) | dict.fromkeys(texts, 2)

    def take_common_words(self, limit: int) -> None:
        """Look up the common words last, so that few sections need to be read for them.

        If there are several words, the common ones are looked up in the best sections found so far.
        Unless rare words distinguish the sections, those with all words are added. If fewer than
        ``limit`` were found, sections with one common word follow, first those with it in a name.
        """
        words = [word for word in self._words if self._counts[word] > COMMON]
        if not words:
            return
        if len(self._words) > 1:
            best = set(self._best_first()[: 2 * limit])
            # Without any rare word, several common words must distinguish the sections.
            rarer: list[list[int]] = []
            if self._scores or len(words) == 1:
                rarer = [group for group in self._groups(without=words) if all(group)]
            if rarer:
                enough = {held for held in set(self._held.values()) if _has_each(rarer, held)}
                best |= {id_ for id_, held in self._held.items() if held in enough}
            if best:
                # A section found by a link need not have any of the words.
                among = "" if self._link_bits else " OR ".join(self._found_by)
                scored = self._reader.words.scored_of(words, WEIGHTS, best, among)
                for word, found in zip(words, scored, strict=True):
                    self._add_scored(found, (word,))
            if not rarer:
                fresh = [hit for hit in self._with_all_words() if hit[0] not in best]
                self._add_scored(fresh, [word for word in self._words if self._counts[word]])
        linking = sum(held & self._link_bits > 0 for held in self._held.values())
        if len(self._scores) - linking < limit:
            self._take_names(words, limit + linking)

    def _with_all_words(self) -> Scored:
        """Return the sections with all words; if there are too many, the best of them."""
        every = self._all
        count = self._reader.words.count(every, _MANY + 1, self._condition)
        if count <= COMMON:
            return self._reader.words.scored_few(every, WEIGHTS, self._condition)
        if count <= _MANY:
            return self._reader.words.scored(every, WEIGHTS, _MANY, self._condition)
        return self._reader.words.best(every, WEIGHTS, 2 * COMMON, self._condition)

    def _take_names(self, words: Sequence[str], limit: int) -> None:
        """Take sections with a common word in a name, then with one anywhere; rarer words first."""
        rarest_first = sorted(words, key=self._rarities.__getitem__, reverse=True)
        for where in (f"{_NAMES} : ", ""):
            known = set(self._scores)
            for word in rarest_first:
                hits = self._reader.words.best(where + word, WEIGHTS, COMMON, self._condition)
                self._add_scored((hit for hit in hits if hit[0] not in known), (word,))
                if len(self._scores) >= limit:
                    return

    def _add_scored(self, scored: Iterable[tuple[int, float]], words: Collection[str]) -> None:
        """Add sections that have all ``words``; ``scored`` has their BM25 for all of these."""
        reach = sum(bm25_bound(self._sections, self._holding(word)) for word in words)
        strengths = {id_: min(score / reach, 1.0) for id_, score in scored}
        for word in words:
            self._add(word, strengths)

    def _add(self, word: str, strengths: Mapping[int, float]) -> None:
        """Add sections that have ``word``, with its strength in each."""
        bit = self._bits.get(word, 0)
        rarity = self._rarities[word]
        scores = self._scores
        held = self._held
        known = self._strengths.setdefault(word, {})
        for id_, strength in strengths.items():
            if id_ not in known:
                known[id_] = strength
                scores[id_] = scores.get(id_, 0.0) + rarity * (1.0 + strength)
                held[id_] = held.get(id_, 0) | bit

    @property
    def count(self) -> int:
        """The number of sections found; if all words are common, the number examined."""
        return len(self._scores)

    def best(self, limit: int) -> list[WordHit]:
        """Return the best sections, at most ``limit``, and few of one note if others are left."""
        best = self._best_first()[: _CANDIDATES_FOR_ONE * limit]
        if len(best) > limit:
            best = self._of_many_notes(best)[:limit]
        return [WordHit(id_, self._scores[id_]) for id_ in best]

    def _of_many_notes(self, ids: list[int]) -> list[int]:
        """Move all sections but the best few of each note to the end."""
        taken = Counter[int]()
        is_more: dict[int, bool] = {}
        for id_ in ids:
            note = self.places[id_].note_id
            taken[note] += 1
            is_more[id_] = taken[note] > _OF_ONE_NOTE
        return sorted(ids, key=is_more.__getitem__)

    def _best_first(self) -> list[int]:
        """Return the sections found, the best score first; equal ones by path and position.

        Copies of a note have the same score. The order of indexing must not decide which are cut
        off.
        """
        places = self.places
        places |= self._reader.rows.places(self._scores.keys() - places.keys())
        return sorted(places, key=lambda id_: (-self._scores[id_], places[id_]))

    def with_each_group(self, sections: Iterable[int]) -> list[int]:
        """Return the ``sections`` that have a word of each group."""
        groups = self._groups()
        every = {held for held in set(self._held.values()) if _has_each(groups, held)}
        return [id_ for id_ in sections if self._held.get(id_) in every]

    @cached_property
    def worths(self) -> tuple[float, ...]:
        """How much each group counts: the rarity of its most common alternative that was found."""
        return tuple(self._worth(words) for words in self._alternatives)

    def _worth(self, alternatives: Sequence[Sequence[str]]) -> float:
        found = [words for words in alternatives if not self._strengths.keys().isdisjoint(words)]
        if found:
            return min(self._sum(words) for words in found)
        return max((self._sum(words) for words in alternatives), default=0.0)

    def _sum(self, words: Iterable[str]) -> float:
        return sum(self._rarities[word] for word in words)

    def shares_of(self, section: int) -> WordShares:
        """Return the shares of the query that ``section`` has."""
        bits = self._held.get(section)
        if bits is None:
            return WordShares(0.0, 0.0, 0)
        terms, whole = self._terms
        total = 0.0
        for alternatives in terms:
            most = 0.0
            for words in alternatives:
                reached = 0.0
                for weight, strengths in words:
                    if section in strengths:
                        reached += weight * strengths[section]
                most = reached if reached > most else most  # faster than calls of max
            total += most
        return WordShares(total / whole if whole else 0.0, self.held_share(bits), bits)

    @cached_property
    def _terms(self) -> tuple[list[list[list[_Weighted]]], float]:
        """Return the words of each alternative of each term, with weights and strengths.

        The second value is the greatest possible sum of weights.
        """
        terms: list[list[list[_Weighted]]] = []
        for alternatives, worth in zip(self._alternatives, self.worths, strict=True):
            first, *others = alternatives
            term = [self._weighted(first, worth)]
            term += [self._weighted(words, _OTHERWISE * worth) for words in others]
            terms.append(term)
        terms += [[self._weighted([run], self._rarities[run])] for run in self._phrases]
        return terms, sum(self.worths) + self._sum(self._phrases)

    def _weighted(self, words: Sequence[str], worth: float) -> list[_Weighted]:
        """Return weight and strengths of each of ``words`` that was found.

        The weights of all ``words``, found or not, add up to ``worth``.
        """
        whole = self._sum(words)
        return [
            (worth * self._rarities[word] / whole, self._strengths[word])
            for word in words
            if word in self._strengths
        ]

    def _held_share(self, bits: int) -> float:
        """Return which share of the query is in a bit set of words; rarer words weigh more."""
        held = whole = 0.0
        for alternatives, worth in zip(self._alternatives, self.worths, strict=True):
            parts = [self._part_in(bits, words) for words in alternatives]
            held += worth * max(parts, default=0.0)
            whole += worth
        return held / whole if whole else 0.0

    def _part_in(self, bits: int, words: Sequence[str]) -> float:
        """Return which share of ``words`` is in the bit set ``bits``; rarer words weigh more."""
        whole = self._sum(words)
        part = self._sum(word for word in words if self._bits[word] & bits)
        return part / whole if whole else 0.0


def _rarity(sections: int, count: float) -> float:
    """Return the inverse document frequency of a word in ``count`` of ``sections``; above 0."""
    return math.log(1 + (max(sections - count, 0) + 0.5) / (count + 0.5))


def _has_each(groups: Sequence[Sequence[int]], held: int) -> bool:
    """Return whether ``held`` has, for each group, all words of at least one pattern."""
    return all(any(held & bits == bits for bits in group) for group in groups)


def _unspaced_runs(groups: Sequence[Sequence[Pattern]]) -> list[str]:
    """Return the unquoted terms of ``groups`` that have several parts, each as a phrase."""
    patterns = [pattern for group in groups for pattern in group if not pattern.term.phrase]
    return [pattern.expression for pattern in patterns if len(pattern.parts) > 1]


def _words_of(pattern: Pattern) -> list[str]:
    """Return the parts of ``pattern`` as FTS5 expressions, each once."""
    return list(dict.fromkeys(expression for _, expression in pattern.parts))


def _any_of(group: Sequence[Sequence[str]]) -> str:
    """Return an FTS5 expression that needs all parts of at least one pattern of ``group``."""
    alternatives = [f"({' AND '.join(words)})" for words in group]
    return f"({' OR '.join(alternatives)})"
