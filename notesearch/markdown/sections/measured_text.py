"""Measures a text in a model's tokens and finds good places to cut it."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable
from functools import cached_property
from itertools import accumulate

from notesearch.notes import Span

MAX_ATOM = 32

_CACHED_WORDS = 30_000
_SAMPLE = "Don't panic: 42 naïve words (e.g. unbelievably re-indexed ones), 中文 and 日本語。"

_UNSPACED = r"\u2e80-\u312f\u31a0-\u9fff\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff"
_MARK = r"!-/:-@\[-`{-~"
_PART = re.compile(rf"[{_UNSPACED}{_MARK}]|[^\s{_UNSPACED}{_MARK}]+")
_ATOM = re.compile(
    rf"""[^\s{_UNSPACED}]{{1,{MAX_ATOM}}}+(?![^\s{_UNSPACED}])  # a word
        |[{_UNSPACED}{_MARK}]|[^\s{_UNSPACED}{_MARK}]{{1,{MAX_ATOM}}}  # parts of a long one""",
    re.VERBOSE,
)
_SENTENCE_END = re.compile(r"[.!?…][\"'”’)\]]*(?=\s)|[。．！？；｡][”’」』）]*|\n")


class TokenCounts(dict[str, int]):
    """Token counts by word, cached across notes; the tokenizer counts each part of a word once.

    BERT-like tokenizers split at ASCII punctuation and around CJK characters, so the counts of
    those parts add up. There are far fewer distinct parts than words with their punctuation.
    """

    def __init__(self, count_tokens: Callable[[str], int]) -> None:
        super().__init__()
        self._count_tokens = count_tokens

    def __call__(self, text: str) -> int:
        """Return the tokens of ``text`` as the tokenizer counts the whole."""
        return self._count_tokens(text)

    def __missing__(self, word: str) -> int:
        if len(self) >= _CACHED_WORDS:
            self.clear()
        parts = _PART.findall(word)
        is_single = len(parts) < 2
        count = self._count_tokens(word) if is_single else sum(map(self.__getitem__, parts))
        self[word] = count
        return count

    def of(self, text: str) -> int:
        """Return the tokens of ``text``, summed over its words."""
        return sum(map(self.__getitem__, text.split()))

    @cached_property
    def adds_up(self) -> bool:
        """Whether the sum over words is exact: it is for WordPiece; elsewhere spaces may count."""
        return self.of(_SAMPLE) == self._count_tokens(_SAMPLE)


class MeasuredText:
    """A text as atoms (words, bits of long words, single CJK characters) with their token counts.

    Attributes:
        chopped: An overlong word was cut at an arbitrary place, so its parts may have more tokens
            than the whole.
    """

    def __init__(self, text: str, counts: TokenCounts, budget: int) -> None:
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
            if len(atom) == MAX_ATOM
        )

    def __len__(self) -> int:
        return len(self.starts)

    def fit(self, first: int, tokens: int, characters: int) -> int:
        """Return the end of the longest run from atom ``first`` within both limits (at least 1)."""
        by_tokens = bisect_right(self.sums, self.sums[first] + tokens) - 1
        by_characters = bisect_right(self.ends, self.starts[first] + characters)
        return max(min(by_tokens, by_characters), first + 1)

    def best_end(self, first: int, last: int) -> int:
        """Return the best end in (first, last]: after a paragraph, else a sentence, else a word."""
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
        """Return the last end of a word in (first, last]."""
        for end in range(last, first, -1):
            if self.starts[end] > self.ends[end - 1]:
                return end
        return last

    def overlap_start(self, first: int, end: int, words: int, tokens: int) -> int:
        """Return where the next run starts, to overlap the one ending at ``end``."""
        start = max(end - words, first + 1, bisect_left(self.sums, self.sums[end] - tokens))
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
        """Return the span of characters of the atoms from ``first`` to ``end`` (exclusive)."""
        return self.starts[first], self.ends[end - 1]
