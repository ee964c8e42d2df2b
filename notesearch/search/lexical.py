"""Lexical retrieval: sections by their words, word for word, so that each can tell what it holds.

BM25 is a sum over words. Each rarer word is asked for by itself; one that stands in thousands of
sections tells them apart badly, and is only looked up in those that the others found.
"""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from notesearch.search.matching import Pattern
from notesearch.search.query import MAX_TERMS, Term, is_stop_word
from notesearch.search.retrieval import Cancelled, expression, parts, phrase
from notesearch.search.ties import settled
from notesearch.store.conditions import Condition
from notesearch.store.reader import Reader
from notesearch.store.rows import LinkHit, WordHit
from notesearch.store.word_reader import Scored

WEIGHTS = (1.0, 2.0, 4.0, 4.0, 3.0, 6.0, 3.0)
"""Of body, folder, title, aliases, parent headings, own heading and tags in BM25."""

ALL_WORDS = 1.6
"""What the score of a section that holds every word is multiplied by (docs/quality.md)."""

COMMON = 500
"""A word that stands in more sections is common."""

_MANY = 4 * COMMON
"""So many sections with all words are ranked one by one."""

_LONGEST_SAYING = 8
"""Words of what is looked for as it stands, like "to be or not to be"."""

_LOOKED_THROUGH = 4
"""So many times as many sections as are wanted are looked through for those of other notes."""

_OF_ONE_NOTE = 30
"""Sections of one note that may stand before those of others, where there are too many."""

_LINK = "link "
"""Before an address, among the words: each of those is in quotes."""

_BELOW = 0.75
"""What a link is worth that leads far below the address that was asked for."""

_NAMES = "{title aliases heading tags}"


@dataclass(frozen=True, slots=True)
class Lexical:
    """Sections by words, best first.

    Attributes:
        with_all: Those that hold every word.
        held: How much of what was asked each of them holds, 0 to 1; rare words count for more.
        several: More than one word was asked for.
        total: Sections that hold any of the words, as far as they were looked through.
        said: Those that hold all that was typed as it stands, where it is nothing but small words.
        addressed: Where nothing but an address was asked for, those whose text has it (2) and
            those that only point there (1).
    """

    hits: tuple[WordHit, ...] = ()
    with_all: frozenset[int] = frozenset()
    held: Mapping[int, float] = field(default_factory=dict)
    several: bool = False
    total: int = 0
    said: frozenset[int] = frozenset()
    addressed: Mapping[int, int] = field(default_factory=dict)


def by_words(
    reader: Reader,
    groups: Sequence[Sequence[Pattern]],
    wording: Sequence[Pattern],
    condition: Condition | None,
    named: frozenset[int],
    limit: int,
    cancelled: Cancelled,
) -> Lexical:
    """Rank sections by BM25 over any of the words; holding one of each group counts for more.

    Those ``named`` so are found too, even where ``limit`` others hold the words more often.
    ``wording`` is all that was typed, with the stop words; it may be empty where that is more.
    """
    if not groups:
        return Lexical()
    search = _Search(reader, groups, condition, cancelled)
    search.rare()
    runs = search.runs(_runs(groups))
    search.linked(groups)
    as_said = search.runs(_saying(wording, reader))
    said = as_said if _is_of_small_words(wording) else frozenset[int]()
    search.common(limit)
    hits = search.ranked(limit)
    left = sorted(named - {hit.section_id for hit in hits})
    least = hits[-1].score if hits else 1.0
    hits += [WordHit(id_, least) for id_ in left]
    held, complete = search.told(id_ for id_, _ in hits)
    with_all = named.union(complete)
    held |= dict.fromkeys(left, 1.0)
    total = max(search.found, len(hits))
    addressed = search.addressed(groups, runs)
    return Lexical(tuple(hits), with_all, held, len(groups) > 1, total, said, addressed)


class _Search:
    """What one query found so far: of each section the score, and which words it holds."""

    def __init__(
        self,
        reader: Reader,
        groups: Sequence[Sequence[Pattern]],
        condition: Condition | None,
        cancelled: Cancelled,
    ) -> None:
        self._reader, self._condition, self._cancelled = reader, condition, cancelled
        asked = [[[part for _, part in parts(p)] for p in group] for group in groups]
        every = dict.fromkeys(part for group in asked for pattern in group for part in pattern)
        self._words = list(every)[:MAX_TERMS]
        bits = {word: 1 << number for number, word in enumerate(self._words)}
        self._groups = [
            [sum({bits.get(part, 0) for part in pattern}) for pattern in group] for group in asked
        ]
        self._bits = bits
        self._linking = 0
        self._counts = {word: self._counted(word) for word in self._words}
        there = [[p for p in group if all(self._counts.get(w, 1) for w in p)] for group in asked]
        self._all = " AND ".join(_any_of(group) for group in there if group)
        self._scores: dict[int, float] = {}
        self._held: dict[int, int] = {}
        self._found_by: list[str] = []
        self._sections = reader.rows.last_section()
        self._weights = self._worth(self._sections)
        self._sums: dict[int, float] = {}

    def _counted(self, match: str) -> int:
        return self._reader.words.count(match, COMMON + 1, self._condition, self._cancelled)

    def rare(self) -> None:
        """Take all sections with each word that is not common."""
        for word in self._words:
            if 0 < self._counts[word] <= COMMON:
                self._take(self._reader.words.scored(word, WEIGHTS, COMMON, *self._rest()), (word,))
                self._found_by.append(word)

    def runs(self, phrases: Sequence[str]) -> frozenset[int]:
        """Count what stands together in a section as it was typed; return where it does."""
        found: list[tuple[int, float]] = []
        for run in phrases:
            if 0 < self._counted(run) <= COMMON:
                self._found_by.append(run)
                found += self._reader.words.scored(run, WEIGHTS, COMMON, *self._rest())
        self._take(found, ())
        return frozenset(id_ for id_, _ in found)

    def linked(self, groups: Sequence[Sequence[Pattern]]) -> None:
        """Take the sections that point at an address; each counts as one that holds it once."""
        for number, group in enumerate(groups):
            for links in dict.fromkeys(p.links for p in group if p.links):
                found = self._reader.links.to(links, self._condition, self._cancelled)
                word = f"{_LINK}{links.address}"
                bit = self._bits.setdefault(word, 1 << len(self._bits))
                self._groups[number].append(bit)
                self._linking |= bit
                self._weights[word] = worth = _rarity(self._sections, len(found))
                hits = (WordHit(hit.section_id, worth * _near(hit)) for hit in found.values())
                self._take(hits, (word,))

    def addressed(
        self, groups: Sequence[Sequence[Pattern]], runs: frozenset[int]
    ) -> Mapping[int, int]:
        """Return what is told apart where the only thing asked for is an address."""
        if not self._linking or len(groups) > 1:
            return {}
        whole = [bits for bits in self._groups[0] if not bits & self._linking]
        texts = {id_ for id_, held in self._held.items() if _holds_each([whole], held)}
        if not any(pattern.whole for pattern in groups[0]):
            texts = set(runs)
        links = {id_ for id_, held in self._held.items() if held & self._linking}
        return dict.fromkeys(links, 1) | dict.fromkeys(texts, 2)

    def common(self, limit: int) -> None:
        """Look common words up: where all words stand, where the others do, else in names."""
        words = [word for word in self._words if self._counts[word] > COMMON]
        if not words:
            return
        if len(self._words) > 1:
            best = set(_best_first(self._scores)[: 2 * limit])
            # Where no rarer word stands anywhere, several common ones have to tell.
            telling = self._telling(words) if self._scores or len(words) == 1 else []
            if telling:
                enough = {held for held in set(self._held.values()) if _holds_each(telling, held)}
                best |= {id_ for id_, held in self._held.items() if held in enough}
            if best:
                # What a link found need not hold any of the words.
                among = "" if self._linking else " OR ".join(self._found_by)
                scored = self._reader.words.scored_of(words, WEIGHTS, best, self._cancelled, among)
                for word, found in zip(words, scored, strict=True):
                    self._take(found, (word,))
            if not telling:
                self._take_all_words(best)
        pointing = 0
        if self._linking:
            pointing = sum(held & self._linking > 0 for held in self._held.values())
        if len(self._scores) - pointing < limit:
            self._take_names(words, limit + pointing)

    def _telling(self, common: Sequence[str]) -> list[list[int]]:
        """Return the groups that need a word that is not common: where that is, is known."""
        rare = sum(bit for word, bit in self._bits.items() if word not in common)
        narrowed = ([bits & rare for bits in group] for group in self._groups)
        return [group for group in narrowed if all(group)]

    def _take_all_words(self, known: set[int]) -> None:
        fresh = [hit for hit in self._with_all_words() if hit[0] not in known]
        for id_, _ in fresh:
            self._scores.pop(id_, None)
        self._take(fresh, [word for word in self._words if self._counts[word]])

    def _with_all_words(self) -> Scored:
        """Return the sections with all words; of too many, those named so and some others."""
        every = self._all
        count = self._reader.words.count(every, _MANY + 1, self._condition, self._cancelled)
        if count <= COMMON:
            return self._reader.words.scored_few(every, WEIGHTS, *self._rest())
        if count <= _MANY:
            return self._reader.words.scored(every, WEIGHTS, _MANY, *self._rest())
        return self._reader.words.best(every, WEIGHTS, 2 * COMMON, *self._rest())

    def _take_names(self, words: Sequence[str], limit: int) -> None:
        """Take what is named by common words, then what holds them; the rarest word first."""
        rarest_first = self._reader.words.rarest_first(words)
        for where in (f"{_NAMES} : ", ""):
            known = set(self._scores)
            for word in rarest_first:
                found = self._reader.words.best(where + word, WEIGHTS, COMMON, *self._rest())
                self._take((hit for hit in found if hit[0] not in known), (word,))
                if len(self._scores) >= limit:
                    return

    def _rest(self) -> tuple[Cancelled, Condition | None]:
        return self._cancelled, self._condition

    def _take(self, found: Iterable[tuple[int, float]], words: Iterable[str]) -> None:
        holds = sum(self._bits[word] for word in words)
        scores, held = self._scores, self._held
        for id_, score in found:
            if id_ in scores:
                scores[id_] += score
                held[id_] |= holds
            else:
                scores[id_], held[id_] = score, held.get(id_, 0) | holds

    @property
    def found(self) -> int:
        """How many sections were found; of common words alone, those that were looked at."""
        return len(self._scores)

    def ranked(self, limit: int) -> list[WordHit]:
        """Return the best sections."""
        if len(self._words) > 1:
            every = {held for held in set(self._held.values()) if _holds_each(self._groups, held)}
            for id_, held in self._held.items() if every else ():
                if held in every:
                    self._scores[id_] *= ALL_WORDS
        best = _best_first(self._scores)[: _LOOKED_THROUGH * limit]
        if len(best) > limit:
            best = self._of_many_notes(best, limit)
            best = settled(self._reader, best, limit, self._scores.__getitem__, int)[:limit]
        return [WordHit(id_, self._scores[id_]) for id_ in best]

    def _of_many_notes(self, ids: list[int], limit: int) -> list[int]:
        """Put behind the others what is beyond the best few sections of one note."""
        note_of = self._reader.rows.note_ids(ids[:limit])
        if max(Counter(note_of.values()).values()) <= _OF_ONE_NOTE:
            return ids
        note_of |= self._reader.rows.note_ids(ids[limit:])
        taken: Counter[int] = Counter()
        few: list[int] = []
        more: list[int] = []
        for id_ in ids:
            note = note_of[id_]
            taken[note] += 1
            (few if taken[note] <= _OF_ONE_NOTE else more).append(id_)
        return few + more

    def told(self, sections: Iterable[int]) -> tuple[dict[int, float], list[int]]:
        """Return how much of all words each section holds, to 1; and which hold one of each group.

        Few sets of words occur, in many sections.
        """
        known: dict[int, tuple[bool, float]] = {}
        shares: dict[int, float] = {}
        complete: list[int] = []
        for id_ in sections:
            held = self._held.get(id_, 0)
            if held not in known:
                known[held] = _holds_each(self._groups, held), self._share(held)
            has_all, shares[id_] = known[held]
            if has_all:
                complete.append(id_)
        return shares, complete

    def _share(self, held: int) -> float:
        """Return how much of all words the words ``held`` are."""
        found = whole = 0.0
        for group in self._groups:
            of_group = [(self._sum(bits & held), self._sum(bits)) for bits in group]
            share, worth = max((f / w if w else 0.0, w) for f, w in of_group)
            found += share * worth
            whole += worth
        return found / whole if whole else 0.0

    def _sum(self, bits: int) -> float:
        found = self._sums.get(bits)
        if found is None:
            worth = (weight for word, weight in self._weights.items() if self._bits[word] & bits)
            self._sums[bits] = found = sum(worth)
        return found

    def _worth(self, sections: int) -> dict[str, float]:
        """Return what each word tells: the rarer, the more (inverse document frequency)."""
        return {word: _rarity(sections, count) for word, count in self._counts.items()}


def _rarity(sections: int, count: int) -> float:
    return math.log(1 + (max(sections - count, 0) + 0.5) / (count + 0.5))


def _near(hit: LinkHit) -> float:
    """Return what a link is worth that leads to what was asked for, or below it."""
    return _BELOW + (1 - _BELOW) * hit.share


def _best_first(scores: Mapping[int, float]) -> list[int]:
    """Return sections by their score; two whole sorts take a third of what a heap takes."""
    return sorted(sorted(scores), key=scores.__getitem__, reverse=True)


def _holds_each(groups: Sequence[Sequence[int]], held: int) -> bool:
    """Return whether the words ``held`` are all of any pattern of each group."""
    return all(any(held & bits == bits for bits in group) for group in groups)


def _runs(groups: Sequence[Sequence[Pattern]]) -> list[str]:
    """Return as phrases what was typed without spaces."""
    patterns = [pattern for group in groups for pattern in group if not pattern.term.phrase]
    return [expression(pattern) for pattern in patterns if len(parts(pattern)) > 1]


def _saying(wording: Sequence[Pattern], reader: Reader) -> list[str]:
    """Return as a phrase what is hardly more than stop words."""
    telling = sum(not is_stop_word(pattern.term.text) for pattern in wording)
    if not 1 < len(wording) <= _LONGEST_SAYING or telling > 1:
        return []
    return [phrase(wording, reader.words.begins_many)]


def may_be_saying(terms: Sequence[Term]) -> bool:
    """Return whether ``terms`` may be hardly more than stop words."""
    return sum(term.text.isalpha() and not is_stop_word(term.text) for term in terms) <= 1


def _is_of_small_words(wording: Sequence[Pattern]) -> bool:
    words = [pattern.term.text for pattern in wording]
    return all(is_stop_word(word) or word.casefold() == "not" for word in words)


def _any_of(group: Sequence[Sequence[str]]) -> str:
    """Return the FTS5 expression of what holds all parts of any pattern of ``group``."""
    return f"({' OR '.join('(' + ' AND '.join(pattern) + ')' for pattern in group)})"
