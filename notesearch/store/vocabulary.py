"""The words that stand in the index, kept in memory for what FTS5 cannot look up by itself."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from itertools import chain

_SHORTEST = 3
_LONGEST = 40

Read = Callable[[str], Iterable[tuple[str, int]]]
"""Returns the words of the index that begin so, and in how many sections each is."""


class Vocabulary:
    """Words of the index, folded and stemmed; those of a letter are read when it is asked for.

    Attributes:
        sections: Of each word read so far, in how many sections it stands.
        is_large: To read the words of a letter takes up to half a second.
    """

    def __init__(self, read: Read, *, is_large: bool = False) -> None:
        """Take words from ``read``."""
        self._read = read
        self.is_large = is_large
        self._by_letter: dict[str, Mapping[int, list[str]]] = {}
        self.sections: dict[str, int] = {}

    def near(self, letters: str, lengths: range) -> list[str]:
        """Return the words of such ``lengths`` that begin with one of ``letters``."""
        by_length = [self._of(letter) for letter in dict.fromkeys(letters)]
        found = (words.get(length, ()) for words in by_length for length in lengths)
        return list(chain.from_iterable(found))

    def count(self, word: str) -> int:
        """Return in how many sections ``word`` stands."""
        self._of(word[0])
        return self.sections.get(word, 0)

    def standing(self, words: Iterable[str]) -> list[str]:
        """Return those of ``words`` that stand in the index; others of their letters are not read.

        To read all words of a letter takes milliseconds where there are many notes.
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
