"""Patterns: query terms as the index holds them, and how to find these in texts.

A pattern gives the FTS5 expression that finds its term, and finds the term in the words of a text.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from notesearch.notes import Linked, Span
from notesearch.search.query import Term
from notesearch.store.conditions import AnyOf, Condition, LinksTo, Matching, quoted
from notesearch.store.reader import Reader
from notesearch.store.stemming import BEGINNING_ALIKE, has_own_stems, unmarked
from notesearch.store.web_addresses import leads_to, normalized_address
from notesearch.store.word_cutting import is_single_unspaced, numbers_as_words

Word = tuple[Span, tuple[str, ...]]
"""The span of a word in a text (characters), and all tokens by which it can be found."""

Spots = list[tuple[Span, int]]
"""Spans (characters) that match, each with the index of its pattern."""

_BEGINNING = 3
"""The first letters of a stem, this many, are also the first letters of its words."""

_PUNCTUATION_BEFORE = re.compile(r"[^\s'\"«“„(\[{]*$")
_PUNCTUATION_AFTER = re.compile(r"[^\s'\"»”()\[\]{},.;:!?、。！？）」』]*")


@dataclass(frozen=True, slots=True)
class Punctuation:
    """Punctuation right before and after the words of a term, as in "c++", ".env", "50%".

    It belongs to the typed text but to no word. Punctuation of sentences does not count.
    """

    before: str = ""
    after: str = ""

    @staticmethod
    def of(text: str, words: Span) -> "Punctuation":
        """Return the punctuation in ``text`` that touches its ``words``, a span of characters."""
        before = _PUNCTUATION_BEFORE.search(text, 0, words[0])
        after = _PUNCTUATION_AFTER.match(text, words[1])
        return Punctuation(before[0] if before else "", after[0] if after else "")

    def extend(self, spans: Iterable[Span], text: str) -> list[Span]:
        """Return ``spans`` of ``text``, with this punctuation where it touches a span."""
        if not self.before and not self.after:
            return list(spans)
        return [
            (
                start - len(self.before) * text.endswith(self.before, 0, start),
                end + len(self.after) * text.startswith(self.after, end),
            )
            for start, end in spans
        ]


NO_PUNCTUATION = Punctuation()


@dataclass(frozen=True, slots=True)
class Pattern:
    """A term as a run of words. If the term is a prefix, its last word may continue.

    Attributes:
        forms: For each word, the tokens under which the index may store it: its stems in all
            languages.
        pieces: The words as typed; characters without spaces between them are one piece.
        beginning: How the last word begins, folded but not stemmed; empty if it is complete.
        other_words: Other words that match in place of the last one: completions whose stem does
            not begin with it ("cook" does not begin with "cookin"), and compounds that end with it.
        content_words: The words of an unquoted term that are worth finding alone, as typed.
        joined: The term without its hyphens, if the index has that word; else empty.
        is_verbatim: Whether the index has the whole run as typed, so that its words alone do not
            match.
        target: The target of links that match like the term, if the index has any such link.
        begins_many: Whether the last word may be unfinished, but is looked up as a complete one,
            because too many words begin with it.
    """

    term: Term
    tokens: tuple[str, ...]
    forms: tuple[frozenset[str], ...]
    pieces: tuple[str, ...]
    beginning: str
    other_words: tuple[str, ...]
    other_tokens: frozenset[str]
    content_words: tuple[str, ...]
    content_tokens: frozenset[str]
    joined: str = ""
    joined_tokens: frozenset[str] = frozenset()
    is_verbatim: bool = False
    punctuation: Punctuation = NO_PUNCTUATION
    other_beginnings: tuple[str, ...] = ()
    target: LinksTo | None = None
    begins_many: bool = False

    @property
    def expression(self) -> str:
        """The FTS5 expression that finds the term."""
        head = "".join(f"{quoted(piece)} + " for piece in self.pieces[:-1])
        runs = [head + ending for ending in self._endings()]
        runs += [quoted(self.joined)] if self.joined else []
        return f"({' OR '.join(runs)})"

    @property
    def parts(self) -> list[tuple[str, str]]:
        """The parts of the term that are worth finding alone, each with its FTS5 expression.

        A single word or a phrase is one part. The parts of a run such as "state-of-the-art" are its
        content words; the parts of a run without spaces are its pairs of characters, and
        characters that may be words.
        """
        if self.term.phrase or self.is_verbatim or len(self.tokens) == 1:
            return [(self.term.text, self.expression)]
        return [(word, self._part(word)) for word in self.content_words]

    def _part(self, word: str) -> str:
        if word == self.pieces[-1]:
            joined = [quoted(self.joined)] if self.joined else []
            return f"({' OR '.join(self._endings() + joined)})"
        return quoted(word, prefix=is_single_unspaced(word))

    def _endings(self) -> list[str]:
        last = self.pieces[-1]
        beginnings = (last, *self.other_beginnings) if self.beginning else ()
        endings = [quoted(beginning, prefix=True) for beginning in beginnings]
        endings.append(quoted(last, prefix=is_single_unspaced(self.tokens[-1])))
        return endings + [quoted(word) for word in self.other_words]

    @property
    def condition(self) -> Condition:
        """The condition that a section has the term, or links to its target."""
        words = Matching(self.expression)
        return AnyOf((words, self.target)) if self.target else words

    @property
    def address_as_one(self) -> "Pattern":
        """A copy that matches an address only as a whole, not by its words."""
        return replace(self, is_verbatim=self.is_verbatim or self.target is not None)

    def complete(self) -> "Pattern":
        """Return a copy whose last word is complete: it no longer finds words that begin with it.

        Use it if too many words begin with the last word.
        """
        return replace(
            self,
            beginning="",
            other_words=(),
            other_tokens=frozenset(),
            other_beginnings=(),
            begins_many=True,
        )

    def find(self, words: Sequence[Word]) -> list[Span]:
        """Return the spans in ``words`` that match the whole run."""
        last = len(self.tokens) - 1
        if last == 0:
            if is_single_unspaced(self.tokens[0]):
                return [spot for form in self.forms[0] for spot in _characters(form, words)]
            return self._find_last(words)
        spans = [
            (words[i][0][0], words[i + last][0][1])
            for i in self._starts(words[:-last])
            if all(self._is(j, words[i + j][1]) for j in range(1, last))
            and self._find_last(words[i + last : i + last + 1])
        ]
        if self.joined:
            spans += [span for span, forms in words if not self.joined_tokens.isdisjoint(forms)]
        return spans

    @property
    def needed_forms(self) -> frozenset[str]:
        """Word forms: a text without any of them does not match. Empty if it may match anyway."""
        words = self.forms[-1] | self.other_tokens | self.joined_tokens | self.content_tokens
        has_single = any(map(is_single_unspaced, (*self.tokens, *self.content_tokens)))
        return frozenset() if self.beginning or self.other_beginnings or has_single else words

    def find_parts(self, words: Sequence[Word]) -> list[Span]:
        """Return the spans of the run's single words, for a text that lacks the whole run.

        Empty for a quoted run, which must match as a whole.
        """
        if self.term.phrase or self.is_verbatim or len(self.tokens) == 1:
            return []
        spans = [span for span, forms in words if not self.content_tokens.isdisjoint(forms)]
        if self.beginning and self.pieces[-1] in self.content_words:
            spans += self._find_last(words)
        for single in filter(is_single_unspaced, self.content_tokens):
            spans += _characters(single, words)
        return spans

    def _starts(self, words: Sequence[Word]) -> list[int]:
        if is_single_unspaced(self.tokens[0]):
            return [i for i, (_, forms) in enumerate(words) if self._is(0, forms)]
        differs = self.forms[0].isdisjoint
        return [i for i, (_, forms) in enumerate(words) if not differs(forms)]

    def _is(self, number: int, forms: tuple[str, ...]) -> bool:
        token = self.tokens[number]
        if not self.forms[number].isdisjoint(forms):
            return True
        return is_single_unspaced(token) and any(form.endswith(token) for form in forms)

    def _find_last(self, words: Sequence[Word]) -> list[Span]:
        last = self.tokens[-1]
        matching = self.other_tokens | self.forms[-1]
        beginnings = filter(None, (self.beginning, last if is_single_unspaced(last) else ""))
        prefixes = (*beginnings, *self.other_beginnings)
        if prefixes:  # compare each form once: a text repeats its words
            every = set(chain.from_iterable(forms for _, forms in words))
            matching = matching.union(form for form in every if form.startswith(prefixes))
        differs = matching.isdisjoint
        return [span for span, forms in words if not differs(forms)]


def _characters(character: str, words: Sequence[Word]) -> list[Span]:
    pairs = [(span, form) for span, forms in words for form in forms]
    starts = [(start, start + 1) for (start, _), form in pairs if form.startswith(character)]
    return starts + [(end - 1, end) for (_, end), form in pairs if form.endswith(character)]


def find(
    patterns: Sequence[Pattern],
    words: Sequence[Word],
    text: str = "",
    numbers: Iterable[int] | None = None,
) -> Spots:
    """Return the spans of ``words`` that match, each with the index of its pattern.

    If the ``text`` of the words is given, spans include the punctuation of the pattern.
    ``numbers`` are the indexes of the patterns to look for; None for all.
    """
    return _joined(*_whole_and_parts(patterns, words, text, numbers))


def _whole_and_parts(
    patterns: Sequence[Pattern], words: Sequence[Word], text: str, numbers: Iterable[int] | None
) -> tuple[Spots, Spots]:
    """Return the spots of whole patterns, and those of their parts; arguments as for ``find``."""
    whole: Spots = []
    parts: Spots = []
    for number in range(len(patterns)) if numbers is None else numbers:
        pattern = patterns[number]
        spans = pattern.punctuation.extend(pattern.find(words), text)
        whole += [(span, number) for span in spans]
        parts += [(span, number) for span in pattern.find_parts(words)]
    return whole, parts


def _joined(whole: Spots, parts: Spots) -> Spots:
    """Return both in order; the parts of a pattern only count if it is nowhere as a whole."""
    found = {number for _, number in whole}
    return sorted(whole + [spot for spot in parts if spot[1] not in found])


def beginnings(stem: str) -> tuple[str, ...]:
    """Return texts: each word with this ``stem`` begins with one of them.

    The stemmer cuts an ending off, and may change the end of the rest: "happy" to "happi", "using"
    to "use", "dying" to "die", "skies" to "sky".
    """
    stem = unmarked(stem)
    first = stem[:-1] if len(stem) == _BEGINNING and stem.endswith("e") else stem[:_BEGINNING]
    return (first[:-1] + "i", first[:-1] + "y") if first.endswith(("i", "y")) else (first,)


def spans_of_links(links: Iterable[Linked], patterns: Iterable[Pattern]) -> list[Span]:
    """Return the spans of those ``links`` that lead to the target of a pattern."""
    targets = [pattern.target for pattern in patterns if pattern.target]
    return [
        span
        for span, address in (links if targets else ())
        if any(_leads_to(normalized_address(address), target) for target in targets)
    ]


def _leads_to(address: str, target: LinksTo) -> bool:
    if target.exact:
        return address == target.address
    return leads_to(address, target.address, target.begun)


# Matches in long texts

_SHORTEST = 2

_SEPARATING = "\u00a0«·»–—‘’“”„•…"
_OTHER = re.compile(f"[^\\x00-\\x7f{_SEPARATING}]")
"""Characters beyond ASCII that may be letters; the others separate words."""

_OTHER_SCRIPTS = "α-ωА-Яа-яא-תء-غف-يअ-हぁ-ゖァ-ヺ一-鿿가-힣"
_LIKE_ASCII = re.compile(f"[^\\x00-\\x7f{_SEPARATING}{_OTHER_SCRIPTS}]")
"""Characters beyond ASCII that match an ASCII letter, as "é" and "ｅ" match "e"."""

_LETTERS_FOR_ONE = 40
"""A text with at least this many characters for each letter beyond ASCII is cut in pieces."""

_BETWEEN_LETTERS = dict.fromkeys("aou", "e?-*")
"""What a text may have after a letter that a word lacks: "foehn" for "föhn", "e-mail"."""

_LONG_NUMBER = re.compile(r"\d\d")
"""Two digits: a text may have such a number in groups, as in "1,250"."""

_IN_A_WORD = re.compile("[0-9A-Za-z]")


class MatchFinder:
    """Finds the patterns of one query in many texts, and caches what repeats.

    Only pieces that may match are split into words: an English word begins like its stem. Texts in
    some other languages are split completely. ``signs`` without letters, such as ``=>``, are found
    as they are.
    """

    def __init__(self, patterns: Sequence[Pattern], reader: Reader, signs: str = "") -> None:
        self.patterns = patterns
        self.terms = len(patterns) + bool(signs)
        self._signs = re.compile(re.escape(signs)) if signs else None
        self._reader = reader
        is_ascii = all(form.isascii() for pattern in patterns for form in _forms(pattern))
        self._other = _LIKE_ASCII if is_ascii else _OTHER
        every = _beginnings(patterns)
        starts = "|".join(map(_start, every))
        self._starts = re.compile(starts) if every else None
        self._has_number = any(_LONG_NUMBER.search(pattern.term.text) for pattern in patterns)
        # A long query has hundreds of patterns, of which a text has a few.
        self._by_form: dict[str, list[int]] = {}
        self._always: list[int] = []
        for number, pattern in enumerate(patterns):
            for form in pattern.needed_forms:
                self._by_form.setdefault(form, []).append(number)
            if not pattern.needed_forms:
                self._always.append(number)
        self._alone = all(len(pattern.tokens) == 1 for pattern in patterns)
        self._cached: dict[str, dict[str, tuple[Spots, Spots]]] = {}

    def find(self, text: str, language: str | None = None) -> Spots:
        """Return the spans of ``text`` that match, in order, each with the index of its pattern."""
        if self._signs:
            return [(hit.span(), 0) for hit in self._signs.finditer(text)]
        others = self._not_like_ascii(text, language)
        if self._starts is None or language is None or others is None:
            words = self._reader.lexicon.forms(text, language)
            return find(self.patterns, words, text, self._possible(words))
        lower = text.lower().replace("\n", " ").replace("\t", " ")
        starts = [hit.start() for hit in self._starts.finditer(lower)]
        pieces = _pieces(lower, sorted(starts + others))
        if self._has_number:
            numbers = {(start, end) for start, end, _ in numbers_as_words(text)}
            pieces = sorted(numbers.union(pieces))
        return self._find_in_pieces(text, pieces, language) if pieces else []

    def is_quick(self, text: str, language: str | None) -> bool:
        """Return whether ``find`` splits only few pieces of ``text`` into words."""
        return self._not_like_ascii(text, language) is not None

    def _not_like_ascii(self, text: str, language: str | None) -> list[int] | None:
        """Return where ``text`` has letters beyond ASCII; None if all of it is split into words."""
        if self._starts is None or language is None:
            return None
        if has_own_stems(language) and language not in BEGINNING_ALIKE:
            return None
        others = [] if text.isascii() else [hit.start() for hit in self._other.finditer(text)]
        is_alike = len(text.lower()) == len(text) and len(others) * _LETTERS_FOR_ONE <= len(text)
        return others if is_alike else None

    def _possible(self, words: Sequence[Word]) -> list[int]:
        lists = (self._by_form.get(form, ()) for _, forms in words for form in forms)
        return sorted({*self._always, *chain.from_iterable(lists)})

    def _find_in_pieces(self, text: str, pieces: list[Span], language: str) -> Spots:
        cached = self._cached.setdefault(language, {})
        found: tuple[Spots, Spots] = ([], [])
        for start, end in pieces if self._alone else _runs(text, pieces):
            run = text[start:end]
            if run not in cached:
                words = self._reader.lexicon.forms(run, language)
                cached[run] = _whole_and_parts(self.patterns, words, run, self._possible(words))
            for spots, of_run in zip(found, cached[run], strict=True):
                spots += [((a + start, b + start), number) for (a, b), number in of_run]
        return _joined(*found)


def _is_letter(beginning: str) -> bool:
    """Return whether ``beginning`` is one ASCII letter, which matches only the start of a word."""
    return len(beginning) == 1 and beginning.isascii() and beginning.isalpha()


def _start(beginning: str) -> str:
    """Return a regular expression for the places where a word may begin with ``beginning``."""
    if _is_letter(beginning):
        return f"(?<![0-9a-z]){beginning}"
    spaced = (re.escape(letter) + _BETWEEN_LETTERS.get(letter, "-*") for letter in beginning[:-1])
    return "".join(spaced) + re.escape(beginning[-1])


def _pieces(lower: str, starts: Iterable[int]) -> list[Span]:
    """Split ``lower`` at spaces; return the span of each piece that contains one of ``starts``.

    ``starts`` are positions in ``lower`` in ascending order. Each piece is returned once.
    """
    pieces: list[Span] = []
    end = -1
    for at in starts:
        if at > end:
            end = lower.find(" ", at)
            end = end if end >= 0 else len(lower)
            pieces.append((lower.rfind(" ", 0, at) + 1, end))
    return pieces


def _runs(text: str, pieces: Sequence[Span]) -> Iterator[Span]:
    """Yield ``pieces``, but join neighbours if no other word stands between them."""
    start = end = -1
    for piece in pieces:
        if start >= 0 and not _IN_A_WORD.search(text, end, piece[0]):
            end = piece[1]
            continue
        if start >= 0:
            yield start, end
        start, end = piece
    if start >= 0:
        yield start, end


def _forms(pattern: Pattern) -> set[str]:
    forms = {*chain.from_iterable(pattern.forms), *pattern.other_tokens, *pattern.content_tokens}
    return forms | {*pattern.joined_tokens, *filter(None, (pattern.beginning,))}


def _beginnings(patterns: Sequence[Pattern]) -> tuple[str, ...]:
    """Return texts, one of which is in each matching English word; empty if any word may match."""
    texts: set[str] = set()
    for pattern in patterns:
        forms = _forms(pattern)
        if any(map(is_single_unspaced, pattern.tokens)):
            return ()
        texts.update(chain.from_iterable(map(beginnings, filter(str.isascii, forms))))
    if any(len(beginning) < _SHORTEST and not _is_letter(beginning) for beginning in texts):
        return ()
    if any(_is_letter(pattern.beginning) for pattern in patterns):
        return ()
    return tuple(texts) if patterns else ()
