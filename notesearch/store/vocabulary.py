"""The vocabulary of the index in memory, for lookups that FTS5 does not offer."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from itertools import chain

_SHORTEST = 3
_LONGEST = 40

Read = Callable[[str], Iterable[tuple[str, int]]]
"""Returns the words of the index with a prefix, each with its number of sections."""


class Vocabulary:
    """The words of the index, folded and stemmed. It reads the words of a letter when needed.

    Attributes:
        sections: The number of sections with each word read so far.
        is_large: Reading the words of a letter may take up to half a second.
    """

    def __init__(self, read: Read, *, is_large: bool = False) -> None:
        """Read words with ``read``."""
        self._read = read
        self.is_large = is_large
        self._by_letter: dict[str, Mapping[int, list[str]]] = {}
        self.sections: dict[str, int] = {}

    def near(self, letters: str, lengths: range) -> list[str]:
        """Return the words of these ``lengths`` that begin with one of ``letters``."""
        by_length = [self._of(letter) for letter in dict.fromkeys(letters)]
        found = (words.get(length, ()) for words in by_length for length in lengths)
        return list(chain.from_iterable(found))

    def count(self, word: str) -> int:
        """Return the number of sections with ``word``."""
        self._of(word[0])
        return self.sections.get(word, 0)

    def standing(self, words: Iterable[str]) -> list[str]:
        """Return those of ``words`` that are in the index.

        It does not read the other words of their letters, which takes milliseconds.
        """
        found = []
        for word in filter(_is_known, words):
            if word[0] not in self._by_letter and word not in self.sections:
                self.sections |= {term: n for term, n in self._read(word) if term == word}
            if word in self.sections:
                found.append(word)
        return found

    def _of(self, letter: str) -> Mapping[int, list[str]]:
        if letter not in self._by_letter:
            by_length: dict[int, list[str]] = defaultdict(list)
            for term, sections in self._read(letter):
                if _is_known(term):
                    by_length[len(term)].append(term)
                    self.sections[term] = sections
            self._by_letter[letter] = by_length
        return self._by_letter[letter]


def _is_known(term: str) -> bool:
    return _SHORTEST <= len(term) <= _LONGEST and term.isalpha()
