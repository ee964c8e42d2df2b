"""A text measured for a tokenizer: where it may be cut, and how many word pieces lie between."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable
from functools import cached_property
from itertools import accumulate

from notesearch.notes import Span

LONGEST_ATOM = 32

_REMEMBERED = 30_000
_SAMPLE = "Don't panic: 42 naïve words (e.g. unbelievably re-indexed ones), 中文 and 日本語。"

_UNSPACED = r"\u2e80-\u312f\u31a0-\u9fff\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff"
_MARK = r"!-/:-@\[-`{-~"
_PART = re.compile(rf"[{_UNSPACED}{_MARK}]|[^\s{_UNSPACED}{_MARK}]+")
_ATOM = re.compile(
    rf"""[^\s{_UNSPACED}]{{1,{LONGEST_ATOM}}}+(?![^\s{_UNSPACED}])  # a word
        |[{_UNSPACED}{_MARK}]|[^\s{_UNSPACED}{_MARK}]{{1,{LONGEST_ATOM}}}  # parts of a long one""",
    re.VERBOSE,
)
_SENTENCE_END = re.compile(r"[.!?…][\"'”’)\]]*(?=\s)|[。．！？；｡][”’」』）]*|\n")


def parts(text: str) -> set[str]:
    """Return the parts of words in ``text`` that a tokenizer is asked about."""
    return set(_PART.findall(text))


class PieceCounts(dict[str, int]):
    """Word pieces by word, asked of the tokenizer once for each part of a word.

    Tokenizers of the BERT family cut at ASCII punctuation and around CJK characters, so that the
    parts add up; and there are far fewer parts than words with a comma behind. Kept from note to
    note it asks for common words once.
    """

    def __init__(self, count_pieces: Callable[[str], int]) -> None:
        super().__init__()
        self._count_pieces = count_pieces

    def __call__(self, text: str) -> int:
        """Return the pieces of ``text`` as the tokenizer counts them in one go."""
        return self._count_pieces(text)

    def __missing__(self, word: str) -> int:
        if len(self) >= _REMEMBERED:
            self.clear()
        parts = _PART.findall(word)
        one = len(parts) < 2
        count = self._count_pieces(word) if one else sum(map(self.__getitem__, parts))
        self[word] = count
        return count

    def of(self, text: str) -> int:
        """Return the pieces of ``text``, the sum over its words."""
        return sum(map(self.__getitem__, text.split()))

    @cached_property
    def adds_up(self) -> bool:
        """Whether the sum is sure: for WordPiece it is, for others a space may count."""
        return self.of(_SAMPLE) == self._count_pieces(_SAMPLE)


class Atoms:
    """The smallest parts a text is cut into: words, bits of long words, single CJK characters.

    Attributes:
        chopped: A word without any place to cut was cut all the same, so that its parts may
            count differently than the whole.
    """

    def __init__(self, text: str, counts: PieceCounts, budget: int) -> None:
        atoms = _ATOM.findall(text)
        self.starts = [match.start() for match in _ATOM.finditer(text)]
        costs = [counts[atom] for atom in atoms]
        if max(costs, default=0) > budget:
            self.starts = [place for place, character in enumerate(text) if not character.isspace()]
            atoms = [text[place] for place in self.starts]
            costs = [counts[atom] for atom in atoms]
        self.text = text
        self.ends = [start + len(atom) for start, atom in zip(self.starts, atoms, strict=True)]
        self.sums = list(accumulate(costs, initial=0))
        self.chopped = any(
            end < len(text) and _PART.fullmatch(text, end - 1, end + 1)
            for atom, end in zip(atoms, self.ends, strict=True)
            if len(atom) == LONGEST_ATOM
        )

    def __len__(self) -> int:
        return len(self.starts)

    def fit(self, first: int, pieces: int, characters: int) -> int:
        """Return the end of the longest run from ``first`` within both limits: one atom or more."""
        by_pieces = bisect_right(self.sums, self.sums[first] + pieces) - 1
        by_characters = bisect_right(self.ends, self.starts[first] + characters)
        return max(min(by_pieces, by_characters), first + 1)

    def best_end(self, first: int, last: int) -> int:
        """Return the best end in (first, last]: after a paragraph, a sentence, else a word."""
        if last >= len(self):
            return len(self)
        low, high = self.ends[first], self.starts[last]
        paragraph = self.text.rfind("\n\n", low, high)
        if paragraph >= 0:
            return bisect_left(self.starts, paragraph)
        sentences = list(_SENTENCE_END.finditer(self.text, low, high))
        if sentences:
            return bisect_left(self.starts, sentences[-1].end())
        return self._word_end(first, last)

    def _word_end(self, first: int, last: int) -> int:
        """Go back from ``last`` to the end of a word, but not beyond ``first``."""
        for end in range(last, first, -1):
            if self.starts[end] > self.ends[end - 1]:
                return end
        return last

    def overlap_start(self, first: int, end: int, words: int, pieces: int) -> int:
        """Return where the run after the one ending at ``end`` begins, repeating words."""
        start = max(end - words, first + 1, bisect_left(self.sums, self.sums[end] - pieces))
        if start >= end:
            return end
        latest = end - min(10, words // 2)
        for sentence in _SENTENCE_END.finditer(self.text, self.starts[start], self.ends[end - 1]):
            begin = bisect_left(self.starts, sentence.end())
            if begin <= latest:
                return begin
            break
        return start

    def span(self, first: int, end: int) -> Span:
        """Return the characters from atom ``first`` up to ``end``."""
        return self.starts[first], self.ends[end - 1]
