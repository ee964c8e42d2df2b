"""The words that stand in the index, kept in memory for what FTS5 cannot look up by itself."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain

_SHORTEST = 3
_LONGEST = 40


class Vocabulary:
    """Words of the index, folded and stemmed, and in how many sections each stands."""

    def __init__(self, rows: Iterable[tuple[str, int]]) -> None:
        """Keep those of ``rows`` that are words of letters."""
        self.sections: Mapping[str, int] = {
            term: count
            for term, count in rows
            if _SHORTEST <= len(term) <= _LONGEST and term.isalpha()
        }
        self._by_start: dict[tuple[str, int], list[str]] = defaultdict(list)
        self._by_end: dict[tuple[str, int], list[str]] = defaultdict(list)
        for term in self.sections:
            self._by_start[term[0], len(term)].append(term)
            self._by_end[term[-2:], len(term)].append(term)

    def near(self, word: str, by: int) -> Iterator[str]:
        """Return words that may be ``word`` with up to ``by`` slips, and many others.

        They begin with its first or second letter, or end with its last two: whoever slips at
        one end of a word rarely does at the other.
        """
        lengths = range(max(_SHORTEST, len(word) - by), len(word) + by + 1)
        starts = dict.fromkeys(word[:2])
        found = [self._by_start.get((start, n), ()) for start in starts for n in lengths]
        found += [self._by_end.get((word[-2:], n), ()) for n in lengths]
        return chain.from_iterable(found)
