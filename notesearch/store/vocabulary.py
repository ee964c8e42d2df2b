"""The words that stand in the index, kept in memory for what FTS5 cannot look up by itself."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping

_SHORTEST = 3
_LONGEST = 40

Read = Callable[[str], Iterable[tuple[str, int]]]
"""Returns the words of the index that begin with a letter, and in how many sections each is."""


class Vocabulary:
    """Words of the index, folded and stemmed; those of a letter are read when it is asked for."""

    def __init__(self, read: Read) -> None:
        """Take words from ``read``."""
        self._read = read
        self._by_letter: dict[str, Mapping[int, dict[str, int]]] = {}

    def near(self, letters: str, lengths: range) -> dict[str, int]:
        """Return words of such ``lengths`` that begin with one of ``letters``.

        Returns:
            The words, and in how many sections each stands.
        """
        found: dict[str, int] = {}
        for letter in dict.fromkeys(letters):
            by_length = self._of(letter)
            for length in lengths:
                found |= by_length.get(length, {})
        return found

    def _of(self, letter: str) -> Mapping[int, dict[str, int]]:
        if letter not in self._by_letter:
            by_length: dict[int, dict[str, int]] = defaultdict(dict)
            for term, sections in self._read(letter):
                if _SHORTEST <= len(term) <= _LONGEST and term.isalpha():
                    by_length[len(term)][term] = sections
            self._by_letter[letter] = by_length
        return self._by_letter[letter]
