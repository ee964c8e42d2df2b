"""Cuts sections into passages: texts that fit the embedding model's window.

Together, the passages of a section contain all its words, but no formulas and no binary data. A
text is first split into atoms: words, parts of long words, and single CJK characters. A passage is
a run of atoms.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import accumulate, chain, islice

from notesearch.markdown.bounds import PASSAGES, Check, never_cancel, portions
from notesearch.notes import (
    OVERLAP_WORDS,
    SENTENCE_ENDS,
    UNSPACED_SENTENCE_ENDS,
    HeadingPath,
    Note,
    Passage,
    Section,
    Span,
)

SPECIAL_TOKENS = 2
STUB_TOKENS = 65
"""A section of fewer tokens is a stub. If stubs are embedded alone, the right answer to 7 of 100
labelled questions to documentation is not listed first any more."""
TINY_TOKENS = 25
"""A stub is extended with its subsections; a stub shorter than this also with the sections after it
on its own level."""
STUB_FOLLOWERS = 12
CHARACTERS_PER_TOKEN = 16

_MAX_ATOM = 32

_CACHED_WORDS = 30_000
_SAMPLE = "Don't panic: 42 naïve words (e.g. unbelievably re-indexed ones), 中文 and 日本語。"

_UNSPACED = r"\u2e80-\u312f\u31a0-\u9fff\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff"
_MARK = r"!-/:-@\[-`{-~"
_PART = re.compile(rf"[{_UNSPACED}{_MARK}]|[^\s{_UNSPACED}{_MARK}]+")
_ATOM = re.compile(
    rf"""[^\s{_UNSPACED}]{{1,{_MAX_ATOM}}}+(?![^\s{_UNSPACED}])  # a word
        |[{_UNSPACED}{_MARK}]|[^\s{_UNSPACED}{_MARK}]{{1,{_MAX_ATOM}}}  # parts of a long one""",
    re.VERBOSE,
)
_UNSPACED_ONE = re.compile(rf"[{_UNSPACED}]")
_ABBREVIATIONS = "".join(rf"(?<!\b{word}\.)" for word in "[A-Za-z] Dr Mr Mrs vs cf".split())
_SENTENCE_END = re.compile(
    rf"[{SENTENCE_ENDS}…][\"'”’)\]]*(?=\s){_ABBREVIATIONS}|[{UNSPACED_SENTENCE_ENDS}；][”’」』）]*|\n"
)
"""The end of a sentence or line. After "e.g." and "Dr.", a sentence continues."""

_FORMULA = re.compile(
    r"(?<![0-9A-Za-z_$\\])(\$\$?)(?=[^\s$])[^$\n]{1,500}(?<!\s)\1(?![0-9A-Za-z_${(])"
)

_LONG_RUN = re.compile(r"(?<![\w+/-])[\w+/-]{50,}+=*", re.ASCII)
"""Characters without spaces, as Base64 and hexadecimal digits are written: keys, files, hashes."""

_LONG_WORD = re.compile(r"[A-Z]?[a-z]{4,}|[A-Z]{5,}")

_PARAGRAPH_END = re.compile(r"\n\n")
_CLAUSE_END = re.compile(r"[,;:][\"'”’)\]]*(?=\s)|[，、：][”’」』）]*| [–—](?=\s)|——")


def text_for_model(text: str) -> str:
    """Return ``text`` without formulas and data, which mean little to a model."""
    return without_formulas(without_data(text))


def without_formulas(text: str) -> str:
    """Return ``text`` without formulas between dollar signs, unless nothing else is there.

    A model splits a formula into many pieces that mean little. In the vector, the mean of all
    pieces, they outweigh the words.
    """
    if "$" not in text:
        return text
    words = _FORMULA.sub(" ", text)
    return words if words.strip() else text


def without_data(text: str) -> str:
    """Return ``text`` with spaces for Base64 and hexadecimal data, which mean nothing to a model.

    These are long runs of which words are less than a third. Paths, slugs and compounds have more.
    Long rows of dashes go, too.
    """

    def shown(run: re.Match[str]) -> str:
        in_words = sum(map(len, _LONG_WORD.findall(run[0])))
        return run[0] if 3 * in_words >= len(run[0]) else " " * len(run[0])

    return _LONG_RUN.sub(shown, text)


def cut_into_passages(
    note: Note,
    count_tokens: Callable[[str], int],
    window: int,
    check: Check = never_cancel,
    *,
    overlap: int = OVERLAP_WORDS,
) -> tuple[Passage, ...]:
    """Cut the sections of ``note`` into passages for a model that reads ``window`` tokens.

    Only the first ``PASSAGES`` are returned. ``count_tokens`` counts without special tokens,
    ``window`` with them; two passages of a section share at most ``overlap`` words.
    """
    cutter = _PassageCutter(note, count_tokens, window, check, overlap)
    is_only = len(note.sections) == 1
    cut = (s for s in note.sections if s.text or (s.level and s.heading) or is_only)
    return tuple(islice(chain.from_iterable(map(cutter.passages, cut)), PASSAGES))


def heading_paths(
    note: Note, count_tokens: Callable[[str], int], window: int, check: Check = never_cancel
) -> tuple[HeadingPath, ...]:
    """Return the heading path to embed for each section with a title or heading.

    The arguments are as for ``cut_into_passages``.
    """
    cutter = _PassageCutter(note, count_tokens, window, check, 0)
    paths = ((section.ordinal, " > ".join(cutter.path(section))) for section in note.sections)
    return tuple(HeadingPath(ordinal, path) for ordinal, path in paths if path)


class TokenCounts(dict[str, int]):
    """The number of tokens of each word, cached across notes.

    Tokenizers like BERT's split words at ASCII punctuation and around CJK characters, so a word has
    as many tokens as its parts together. The cache holds the parts: there are far fewer.
    """

    def __init__(self, count_tokens: Callable[[str], int]) -> None:
        super().__init__()
        self._count_tokens = count_tokens

    def __call__(self, text: str) -> int:
        """Return the number of tokens of ``text`` exactly, by the tokenizer."""
        return self._count_tokens(text)

    def __missing__(self, word: str) -> int:
        if len(self) >= _CACHED_WORDS:
            self.clear()
        parts = _PART.findall(word)
        is_single = len(parts) < 2
        count = self._count_tokens(word) if is_single else sum(map(self.__getitem__, parts))
        self[word] = count
        return count

    def count(self, text: str) -> int:
        """Return the number of tokens of ``text``, as the sum over its words."""
        return sum(map(self.__getitem__, text.split()))

    @cached_property
    def adds_up(self) -> bool:
        """Whether ``count`` is exact: the sum over words is the number of tokens of the text.

        This is true for WordPiece. Other tokenizers may count spaces, too.
        """
        return self.count(_SAMPLE) == self._count_tokens(_SAMPLE)


class _MeasuredText:
    """A text split into atoms, with the tokens of each; indexes count atoms if not said otherwise.

    No passage ends inside a span of ``whole`` if the span fits into a passage. If an atom has more
    tokens than ``budget``, all atoms are single characters.

    Attributes:
        starts: The position in the text of the start of each atom.
        ends: The position in the text of the end of each atom.
        sums: How many tokens are before each atom, and in all atoms.
        has_parts: Whether an atom may be a part of an overlong word. The parts may have more tokens
            than the word.
    """

    def __init__(
        self, text: str, counts: TokenCounts, budget: int, whole: Iterable[Span] = ()
    ) -> None:
        atoms = _ATOM.findall(text)
        self.starts = [match.start() for match in _ATOM.finditer(text)]
        costs = [counts[atom] for atom in atoms]
        if max(costs, default=0) > budget:
            self.starts = [at for at, character in enumerate(text) if not character.isspace()]
            atoms = [text[at] for at in self.starts]
            costs = [counts[atom] for atom in atoms]
        self.text = text
        self.ends = [start + len(atom) for start, atom in zip(self.starts, atoms, strict=True)]
        self.sums = list(accumulate(costs, initial=0))
        self._inside = frozenset(
            atom
            for start, end in whole
            for atom in range(bisect_right(self.starts, start), bisect_left(self.starts, end))
        )
        self.has_parts = _MAX_ATOM in map(len, atoms)

    def __len__(self) -> int:
        return len(self.starts)

    def fit(self, first: int, tokens: int, characters: int) -> int:
        """Return the end (exclusive) of the longest run, at least one atom, within both limits."""
        by_tokens = bisect_right(self.sums, self.sums[first] + tokens) - 1
        by_characters = bisect_right(self.ends, self.starts[first] + characters)
        return max(min(by_tokens, by_characters), first + 1)

    def best_end(self, first: int, half: int, last: int) -> int:
        """Return the best end (exclusive) in (first, last] for a run.

        If possible, it is after a paragraph or sentence that ends beyond ``half``, else after any
        sentence, else after a clause beyond ``half``, else after a word.
        """
        if last >= len(self):
            return len(self)
        half = max(first, half)
        return (
            self._last_end(_PARAGRAPH_END, half, last)
            or self._last_end(_SENTENCE_END, half, last)
            or self._last_end(_SENTENCE_END, first, half)
            or self._last_end(_CLAUSE_END, half, last)
            or self.last_whole(first, last)
        )

    def ends_sentence(self, first: int, last: int) -> bool:
        """Return whether a sentence or the text ends in (first, last]."""
        return last >= len(self) or self._last_end(_SENTENCE_END, first, last) > 0

    def _last_end(self, ends_here: re.Pattern[str], first: int, last: int) -> int:
        """Return the last atom in (first, last] after a match of ``ends_here``; else 0."""
        if last <= first:
            return 0
        found = ends_here.finditer(self.text, self.starts[first], self.starts[last])
        ends = [bisect_left(self.starts, one.end()) for one in found]
        return max((end for end in ends if end not in self._inside), default=0)

    def last_whole(self, first: int, last: int) -> int:
        """Return the last atom in (first, last] that begins outside of a word; else ``last``."""
        return next((end for end in range(last, first, -1) if self._is_between(end)), last)

    def _is_between(self, atom: int) -> bool:
        if atom in self._inside:
            return False
        before = self.ends[atom - 1]
        return self.starts[atom] > before or bool(
            _UNSPACED_ONE.fullmatch(self.text[before - 1])
            or _UNSPACED_ONE.fullmatch(self.text[before])
        )

    def overlap_start(self, first: int, end: int, words: int, tokens: int) -> int:
        """Return the first atom of the run after the run from ``first`` to ``end``.

        The runs overlap by at most ``words`` atoms and ``tokens`` tokens, best by a sentence.
        """
        start = max(end - words, first + 1, bisect_left(self.sums, self.sums[end] - tokens))
        if start >= end or end >= len(self):
            return end
        for sentence in _SENTENCE_END.finditer(self.text, self.starts[start - 1], self.starts[end]):
            begin = bisect_left(self.starts, sentence.end())
            if start <= begin and begin not in self._inside:
                return begin  # this may be ``end``
        return next((at for at in range(start, end) if self._is_between(at)), end)

    def span(self, first: int, end: int) -> Span:
        """Return the span in characters of the atoms from ``first`` to ``end`` (exclusive)."""
        return self.starts[first], self.ends[end - 1]


class _PassageCutter:
    """Cuts one note; the arguments are as for ``cut_into_passages``."""

    def __init__(
        self,
        note: Note,
        count_tokens: Callable[[str], int],
        window: int,
        check: Check,
        overlap: int,
    ) -> None:
        self._note = note
        self._check = check
        self._overlap = overlap
        if not isinstance(count_tokens, TokenCounts):
            count_tokens = TokenCounts(count_tokens)
        self._counts = count_tokens
        self._room = max(window - SPECIAL_TOKENS, 1)
        self._characters = self._room * CHARACTERS_PER_TOKEN
        self._title = self._shortened(note.title, self._room // 8)

    def path(self, section: Section) -> list[str]:
        """Return the title of the note, and the headings of the section, each perhaps shortened."""
        self._check()
        is_named = section.path != (self._note.title,)
        return [self._title, *(self._crumbs(section.path) if is_named else ())]

    def passages(self, section: Section) -> Iterator[Passage]:
        """Yield the passages of a section in order."""
        head = f"[{' > '.join(self.path(section))}] "
        budget = max(self._room - self._counts.count(head), 1)
        size = len(section.text)
        is_only = len(self._note.sections) == 1
        text = without_data(section.text or (self._words_of_properties() if is_only else ""))
        if not text.strip():
            text = text[: self._characters]
        short = len(text) <= self._characters
        if short and (cost := self._counts.count(text)) <= budget:
            more = self._extension(section, cost, budget - cost) if cost < STUB_TOKENS else ""
            shown = f"{text}\n{more}".strip() if more else text
            if self._fits(head + shown, self._counts.count(head + shown)):
                shown = (head + without_formulas(shown)).rstrip()
                yield Passage(section.ordinal, 0, (0, min(len(text), size)), shown)
                return
        spans = self._spans(text, section.source.whole, head, budget)
        for index, (start, end) in enumerate(spans):
            shown = (head + without_formulas(text[start:end])).rstrip()
            yield Passage(section.ordinal, index, (min(start, size), min(end, size)), shown)

    def _words_of_properties(self) -> str:
        """Return what front matter says in words: no numbers, dates, addresses, true or false."""
        shown = {self._note.title, "", "true", "false"}
        said = (value.text for value in self._note.values if not (value.day or value.number))
        meant = (text for text in chain(said, self._note.tags) if text not in shown)
        return ", ".join(text for text in dict.fromkeys(meant) if not text.startswith("http"))

    def _crumbs(self, path: Sequence[str]) -> list[str]:
        """Return ``path``, shortened to about an eighth of the window; its middle goes first."""
        limit = self._room // 8
        crumbs = list(path)
        if self._counts.count(" > ".join(crumbs)) <= limit:
            return crumbs
        if len(crumbs) > 2:
            crumbs = [crumbs[0], "…", crumbs[-1]]
            if self._counts.count(" > ".join(crumbs)) <= limit:
                return crumbs
            crumbs = ["…", crumbs[-1]]
        of_separators = 4
        each = max(limit - of_separators, 1) // min(len(path), 2)
        return [self._shortened(crumb, each) for crumb in crumbs]

    def _shortened(self, heading: str, tokens: int) -> str:
        if self._counts.count(heading) <= tokens or not heading:
            return heading
        measured = _MeasuredText(heading, self._counts, tokens)
        _, end = measured.span(0, measured.fit(0, tokens, self._characters))
        return heading[:end]

    def _extension(self, section: Section, tokens: int, room: int) -> str:
        """Return text of the sections after ``section``, a stub: it has only ``tokens`` tokens.

        Only sections at deeper levels count; after a tiny stub, also sections of its own level. The
        text has at most ``room`` tokens.
        """
        highest = section.level if tokens < TINY_TOKENS else section.level + 1
        shown: list[str] = []
        first = section.ordinal + 1
        for follower in self._note.sections[first : first + STUB_FOLLOWERS]:
            if follower.level < highest or room <= STUB_TOKENS // 4:
                break
            text = without_data(follower.text[: self._characters])
            added = f"{follower.heading}: {text}".strip(": ")
            cost = self._counts.count(added)
            if cost > room:
                measured = _MeasuredText(added, self._counts, room)
                last = measured.fit(0, room, self._characters)
                _, end = measured.span(0, measured.best_end(0, last // 2, last))
                shown.append(added[:end])
                break
            shown.append(added)
            room -= cost
        return "\n".join(filter(None, shown))

    def _spans(self, text: str, whole: Sequence[Span], head: str, budget: int) -> Iterator[Span]:
        """Yield overlapping spans that cover the words of ``text``.

        Each has at most ``budget`` tokens and fits into a passage below ``head``. A span of
        ``whole`` is not cut if it fits into a passage.
        """
        for start, stop in portions(text):
            self._check()
            inside = [(a - start, b - start) for a, b in whole if a < stop and start < b]
            measured = _MeasuredText(text[start:stop], self._counts, budget, inside)
            for first, end in self._spans_of_portion(measured, head, budget):
                yield start + first, start + end

    def _spans_of_portion(self, measured: _MeasuredText, head: str, budget: int) -> Iterator[Span]:
        first = end = 0
        while end < len(measured):
            last = measured.fit(first, budget, self._characters)
            if first < end and not measured.ends_sentence(end, last):
                more = measured.fit(end, budget, self._characters)
                whole = measured.ends_sentence(end - 1, end) and measured.ends_sentence(end, more)
                if whole or measured.last_whole(end, last) <= end:
                    first = end  # a whole sentence or word fits if nothing overlaps
                    last = more
            first, end = self._fitted(measured, head, first, end, last)
            yield measured.span(first, end)
            first = measured.overlap_start(first, end, self._overlap, budget // 4)

    def _fitted(
        self, measured: _MeasuredText, head: str, first: int, previous_end: int, last: int
    ) -> tuple[int, int]:
        """Return the first atom, and the end (exclusive), of a run that fits below ``head``.

        The run begins at ``first``, which overlaps the run before it. If that is too long, it
        begins at ``previous_end``, without overlap.
        """
        end = measured.best_end(previous_end, (first + last) // 2, last)
        cost = self._counts.count(head)
        while end - first > 1:
            start, stop = measured.span(first, end)
            estimate = cost + measured.sums[end] - measured.sums[first]
            if self._fits(head + measured.text[start:stop], estimate, exact=not measured.has_parts):
                break
            if first < previous_end:
                first = previous_end
            else:
                shorter = end - max((end - first) // 8, 1)
                end = max(measured.last_whole(first, shorter), first + 1)
        return first, end

    def _fits(self, text: str, estimate: int, *, exact: bool = True) -> bool:
        """Return whether the model can read ``text``, of about ``estimate`` tokens, as a whole.

        If not ``exact``, or if the model counts spaces, the estimate may be too small. Then the
        tokens of the text are counted.
        """
        if estimate > self._room:
            return False
        return (exact and self._counts.adds_up) or self._counts(text) <= self._room
