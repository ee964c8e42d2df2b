"""Which words of a text a query matches, by the index's own tokenizer; for marks and ranks."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from notesearch.notes import Span
from notesearch.search.query import Query, Term

TokenSpan = tuple[Span, str]


class Tokens(Protocol):
    """Cuts text as the index does."""

    def __call__(self, text: str, *, begun: bool = False) -> list[TokenSpan]:
        """Return the character span and the folded form of each word of ``text``."""


@dataclass(frozen=True, slots=True)
class Pattern:
    """A term as a run of tokens; the last of a prefix may go on.

    Attributes:
        term: What was typed.
        tokens: Folded and stemmed, as the index holds them.
        pieces: The same as typed.
        stems: Other whole tokens that the word being typed may become.
    """

    term: Term
    tokens: tuple[str, ...]
    pieces: tuple[str, ...]
    stems: tuple[str, ...] = ()

    def find(self, tokens: Sequence[TokenSpan]) -> list[Span]:
        """Return the spans in ``tokens`` where the run stands."""
        last = len(self.tokens) - 1
        if last == 0:
            return [span for span, token in tokens if self._ends_with(token)]
        first = self.tokens[0]
        starts = [i for i, (_, token) in enumerate(tokens[:-last]) if token == first]
        return [
            (tokens[i][0][0], tokens[i + last][0][1])
            for i in starts
            if all(tokens[i + j][1] == self.tokens[j] for j in range(1, last))
            and self._ends_with(tokens[i + last][1])
        ]

    def find_pieces(self, tokens: Sequence[TokenSpan]) -> list[Span]:
        """Return the spans of single tokens of an unquoted run: what is left of it in a text."""
        if self.term.phrase or len(self.tokens) == 1:
            return []
        return [span for span, token in tokens if token in self.tokens]

    def _ends_with(self, token: str) -> bool:
        wanted = self.tokens[-1]
        if token == wanted or token in self.stems:
            return True
        return (self.term.prefix or _is_single(self.tokens)) and token.startswith(wanted)


def _is_single(tokens: Sequence[str]) -> bool:
    return len(tokens) == 1 and len(tokens[0]) == 1 and not tokens[0].isascii()


# What a word may end in while its ending is being typed: the stem of "cooking" is "cook", which
# "cookin" is not a prefix of.
_BEGUN_ENDINGS = ("i", "in", "io", "ti", "at", "ati", "e", "er", "es", "ie", "l", "me", "men", "ne")
_SHORTEST_STEM = 3


def patterns(terms: Sequence[Term], tokens: Tokens) -> tuple[Pattern, ...]:
    """Return ``terms`` as the index would hold them; those of only punctuation are left out."""
    found = []
    for term in terms:
        cut = tokens(term.text)
        if cut:
            run = tuple(token for _, token in cut)
            pieces = tuple(term.text[start:end] for (start, end), _ in cut)
            stems = _begun_stems(term.text, tokens) if term.prefix and len(run) == 1 else ()
            found.append(Pattern(term, run, pieces, stems))
    return tuple(found)


def _begun_stems(word: str, tokens: Tokens) -> tuple[str, ...]:
    lowered = word.lower()
    if not lowered.isascii():
        return ()
    stems = {
        token
        for ending in _BEGUN_ENDINGS
        if lowered.endswith(ending) and len(lowered) - len(ending) >= _SHORTEST_STEM
        for _, token in tokens(lowered[: -len(ending)])
    }
    return tuple(sorted(stems - {lowered}))


def find(wanted: Sequence[Pattern], tokens: Sequence[TokenSpan]) -> list[tuple[Span, int]]:
    """Return the spans in ``tokens`` that match, each with the number of its pattern."""
    found: list[tuple[Span, int]] = []
    for number, pattern in enumerate(wanted):
        spans_found = pattern.find(tokens) or pattern.find_pieces(tokens)
        found += [(span, number) for span in spans_found]
    return sorted(found)


def spans(query: Query, text: str, tokens: Tokens) -> tuple[Span, ...]:
    """Return the spans of ``text`` that match ``query``, in order and without overlap."""
    return merged([span for span, _ in find(patterns(query.telling, tokens), tokens(text))])


def merged(found: Sequence[Span]) -> tuple[Span, ...]:
    """Join spans that overlap or touch."""
    joined: list[Span] = []
    for start, end in sorted(found):
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return tuple(joined)
