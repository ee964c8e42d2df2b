"""Which words of a text a query matches, by the index's own tokenizer; for marks and ranks."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from notesearch.notes import Span
from notesearch.search.query import Term, is_stop_word
from notesearch.store.conditions import quoted
from notesearch.store.tokenizer import is_single_unspaced

TokenSpan = tuple[Span, str]


class Index(Protocol):
    """Cuts text as the index does, and knows what is in it."""

    def tokens(self, text: str, *, begun: bool = False) -> list[TokenSpan]:
        """Return the character span and the folded form of each word of ``text``."""

    def known(self, match: str) -> bool:
        """Return whether any section matches the FTS5 expression ``match``."""


@dataclass(frozen=True, slots=True)
class Pattern:
    """A term as a run of tokens; the last of a prefix may go on.

    Attributes:
        term: What was typed.
        tokens: Folded and stemmed, as the index holds them.
        pieces: The words, or runs without spaces, that they come from, as typed.
        begun: How the last word begins, folded and not stemmed; empty when it is complete.
        endings: Whole words that the word being typed may become, though their stems do not
            begin with it: "cookin" is not the beginning of "cook".
        stems: The tokens of those.
        parts: What of an unquoted term is worth finding alone, as typed.
        loose: The tokens of those.
    """

    term: Term
    tokens: tuple[str, ...]
    pieces: tuple[str, ...]
    begun: str
    endings: tuple[str, ...]
    stems: frozenset[str]
    parts: tuple[str, ...]
    loose: frozenset[str]

    def find(self, tokens: Sequence[TokenSpan]) -> list[Span]:
        """Return the spans in ``tokens`` where the run stands."""
        last = len(self.tokens) - 1
        if last == 0:
            if is_single_unspaced(self.tokens[0]):
                return _characters(self.tokens[0], tokens)
            return self._endings_in(tokens)
        starts = [
            i for i, (_, token) in enumerate(tokens[:-last]) if _is_same(token, self.tokens[0])
        ]
        return [
            (tokens[i][0][0], tokens[i + last][0][1])
            for i in starts
            if all(_is_same(tokens[i + j][1], self.tokens[j]) for j in range(1, last))
            and self._endings_in(tokens[i + last : i + last + 1])
        ]

    def find_pieces(self, tokens: Sequence[TokenSpan]) -> list[Span]:
        """Return the spans of single tokens of an unquoted run: what is left of it in a text."""
        if self.term.phrase or len(self.tokens) == 1:
            return []
        found = [span for span, token in tokens if token in self.loose]
        if self.begun and self.pieces[-1] in self.parts:
            found += self._endings_in(tokens)
        for single in filter(is_single_unspaced, self.loose):
            found += _characters(single, tokens)
        return found

    def _endings_in(self, tokens: Sequence[TokenSpan]) -> list[Span]:
        """Return the spans of what the last word of the run may be."""
        wanted = self.tokens[-1]
        whole = self.stems | {wanted}
        begun = tuple(filter(None, (self.begun, wanted if is_single_unspaced(wanted) else "")))
        if not begun:
            return [span for span, token in tokens if token in whole]
        return [span for span, token in tokens if token in whole or token.startswith(begun)]


def _is_same(token: str, wanted: str) -> bool:
    return token == wanted or (is_single_unspaced(wanted) and token.endswith(wanted))


def _characters(character: str, tokens: Sequence[TokenSpan]) -> list[Span]:
    """Return where ``character`` stands in pairs."""
    starts = [(start, start + 1) for (start, _), token in tokens if token.startswith(character)]
    return starts + [(end - 1, end) for (_, end), token in tokens if token.endswith(character)]


def patterns(terms: Sequence[Term], index: Index) -> tuple[Pattern, ...]:
    """Return ``terms`` as the index would hold them; those of only punctuation are left out."""
    found = ((term, index.tokens(term.text)) for term in terms)
    return tuple(_pattern(term, cut, index) for term, cut in found if cut)


def _pattern(term: Term, cut: Sequence[TokenSpan], index: Index) -> Pattern:
    pieces = tuple(term.text[slice(*span)] for span in _runs(cut))
    telling = [(span, token) for span, token in cut if not is_stop_word(term.text[slice(*span)])]
    begun = index.tokens(pieces[-1], begun=True)[-1][1] if term.prefix else ""
    endings, stems = _endings(pieces[-1], begun, index) if begun else ((), frozenset[str]())
    return Pattern(
        term, tuple(token for _, token in cut), pieces, begun, endings, stems,
        tuple(dict.fromkeys(term.text[slice(*span)] for span, _ in telling or cut)),
        frozenset(token for _, token in telling or cut),
    )  # fmt: skip


def _runs(cut: Sequence[TokenSpan]) -> list[Span]:
    """Join the spans of tokens that overlap: the pairs of a run, the parts of a folded word."""
    runs: list[Span] = []
    for (start, end), _ in cut:
        if runs and start < runs[-1][1]:
            runs[-1] = (runs[-1][0], max(end, runs[-1][1]))
        else:
            runs.append((start, end))
    return runs


_SUFFIXES = tuple(
    """
    able ally ance ation ational ations ed ement ence er es est fully fulness ible ied ies ing
    ings ion ions ism ist ities ity ive iveness ization ize less ly ment ments ness ous ousness
    """.split()
)
_SHORTEST_STEM = 3


def _endings(word: str, begun: str, index: Index) -> tuple[tuple[str, ...], frozenset[str]]:
    """Return whole words that ``word`` may become, and their stems, where the stem is shorter.

    They are guesses, for a word that the index does not hold and nothing in it begins with:
    "opera" is not on its way to "operation" where there is an opera.
    """
    if not word.isascii() or index.known(f"{quoted(word)} OR {quoted(word, prefix=True)}"):
        return (), frozenset()
    guessed = {
        token: whole
        for whole in _completed(word)
        for _, token in index.tokens(whole)
        if not token.startswith(begun)
    }
    return tuple(guessed.values()), frozenset(guessed)


def _completed(word: str) -> Iterator[str]:
    for suffix in _SUFFIXES:
        for typed in range(1, len(suffix)):
            stem = word[: len(word) - typed]
            if len(stem) >= _SHORTEST_STEM and word[len(stem) :].lower() == suffix[:typed]:
                yield stem + suffix


def find(wanted: Sequence[Pattern], tokens: Sequence[TokenSpan]) -> list[tuple[Span, int]]:
    """Return the spans in ``tokens`` that match, each with the number of its pattern."""
    found: list[tuple[Span, int]] = []
    for number, pattern in enumerate(wanted):
        spans_found = pattern.find(tokens) or pattern.find_pieces(tokens)
        found += [(span, number) for span in spans_found]
    return sorted(found)


_LONG = 100_000
_BLOCK = 50_000
_LOOKED_THROUGH = 1_000_000


def find_within(wanted: Sequence[Pattern], text: str, index: Index) -> list[tuple[Span, int]]:
    """Return the spans of ``text`` as ``find`` does; of a long text, those of its best block.

    Tokens take a hundred times the room of their text, and the place for a snippet is found
    long before a text of megabytes ends.
    """
    if not wanted:
        return []
    if len(text) <= _LONG:
        return find(wanted, index.tokens(text))
    best: list[tuple[Span, int]] = []
    most = 0
    for start, end in _blocks(text[:_LOOKED_THROUGH]):
        found = find(wanted, index.tokens(text[start:end]))
        terms = len({number for _, number in found})
        if terms > most:
            best, most = [((s + start, e + start), n) for (s, e), n in found], terms
        if most == len(wanted):
            break
    return best


def _blocks(text: str) -> Iterator[Span]:
    start = 0
    while start < len(text):
        end = min(start + _BLOCK, len(text))
        space = text.rfind(" ", start + _BLOCK // 2, end) if end < len(text) else -1
        end = space if space >= 0 else end
        yield start, end
        start = end


def merged(found: Sequence[Span]) -> tuple[Span, ...]:
    """Join spans that overlap or touch."""
    joined: list[Span] = []
    for start, end in sorted(found):
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return tuple(joined)
