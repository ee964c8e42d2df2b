"""What the headings of a found section say about the query; weighs the fused ranking."""

from bisect import bisect_right
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate, chain
from typing import NamedTuple

from notesearch.search.finding import beginnings
from notesearch.search.matching import Pattern, TokenSpan
from notesearch.search.query import is_stop_word
from notesearch.search.weights import CHOSEN, Weights
from notesearch.store.reader import Reader
from notesearch.store.rows import NoteRow, SectionRow
from notesearch.store.symbols import is_symbol

_REMEMBERED = 512
"""Headings whose words are kept; those of a folder repeat, and with each letter they come again."""


def of_headings(
    reader: Reader,
    wanted: Sequence[Pattern],
    rows: Mapping[int, SectionRow],
    notes: Mapping[int, NoteRow],
    weights: Weights = CHOSEN,
) -> dict[int, float]:
    """Return how well the place of each section in the vault fits the query.

    Factors from 1 (it tells nothing) to 1 with both of the ``weights`` of headings.
    """
    asked = frozenset(token for pattern in wanted for token in pattern.tokens)
    if not asked:
        return {}
    judge = _Judge(reader, asked, tuple(pattern.begun for pattern in wanted if pattern.begun))
    places = {id_: _place(note) for id_, note in notes.items()}
    told = judge.told({*places.values(), *chain.from_iterable(row.path for row in rows.values())})
    factors = dict.fromkeys(rows, 1.0)
    for id_, row in rows.items() if told else ():
        path = [told[text] for text in (places[row.note_id], *row.path) if text in told]
        if path:
            own = told.get(row.path[-1], _NOTHING)
            factors[id_] += weights.own_heading * own.fit
            factors[id_] += weights.whole_path * judge.covered(path)
    return factors


class _Told(NamedTuple):
    """What a heading, or the place of a note, says of the query.

    Attributes:
        asked: Words of the query in it, a bit for each.
        begun: It holds another word that the one being typed may become.
        fit: How much of it was asked for.
    """

    asked: int
    begun: bool
    fit: float


_NOTHING = _Told(0, begun=False, fit=0.0)


class _Judge:
    """Compares headings, which repeat, with the words of one query."""

    def __init__(self, reader: Reader, asked: frozenset[str], begun: tuple[str, ...]) -> None:
        self._reader, self._asked, self._begun = reader, asked, begun
        self._bits = {token: 1 << number for number, token in enumerate(asked)}
        # Most headings hold no letters of the query, and need not be cut into words.
        words = [*asked, *begun]
        narrow = all(len(w) > 1 and w.isascii() and w.isalnum() for w in words)
        self._letters = set(chain.from_iterable(map(beginnings, words))) if narrow else {""}

    def told(self, texts: Collection[str]) -> dict[str, _Told]:
        """Return what those of ``texts`` say that say anything."""
        ascii_texts = [text for text in texts if text.isascii()]
        worth_it = [text for text in texts if not text.isascii()]
        worth_it += _holding(self._letters, ascii_texts)
        judged = ((text, self._judged(text)) for text in worth_it)
        return {text: found for text, found in judged if found is not _NOTHING}

    def _judged(self, text: str) -> _Told:
        every, telling = _words(tuple(self._reader.lexicon.tokens(text)), text)
        if every.isdisjoint(self._asked) and not self._are_begun(every):
            return _NOTHING
        found = telling & self._asked
        others = telling - found
        begun = self._are_begun(others)
        if not (found or begun):
            return _NOTHING
        # A symbol in a heading says nothing unasked.
        others = frozenset(token for token in others if not is_symbol(token))
        fit = len(found) + len(self._are_begun(others))
        bits = sum(self._bits[token] for token in found)
        return _Told(bits, bool(begun), fit / (len(found) + len(others)) if fit else 0.0)

    def _are_begun(self, tokens: Iterable[str]) -> list[str]:
        return [one for one in tokens if one.startswith(self._begun)] if self._begun else []

    def covered(self, path: Sequence[_Told]) -> float:
        """Return the share, 0 to 1, of the words asked for that stand in the path."""
        bits, begun = 0, False
        for told in path:
            bits |= told.asked
            begun = begun or told.begun
        found = bits.bit_count()
        return (found + (begun and found < len(self._asked))) / len(self._asked)


@lru_cache(_REMEMBERED)
def _words(cut: tuple[TokenSpan, ...], text: str) -> tuple[frozenset[str], frozenset[str]]:
    """Return all tokens of a heading, and those that tell something: all where none does."""
    every = frozenset(token for _, token in cut)
    return every, frozenset(t for (a, b), t in cut if not is_stop_word(text[a:b])) or every


def _holding(letters: Collection[str], texts: Sequence[str]) -> list[str]:
    """Return those of ``texts``, all ASCII, that hold any of ``letters``.

    They are looked through as one: most hold none.
    """
    whole = "\n".join(texts).lower()
    ends = list(accumulate(len(text) + 1 for text in texts))
    found: set[int] = set()
    for some in letters:
        at = whole.find(some)
        while 0 <= at < len(whole):
            number = bisect_right(ends, at)
            found.add(number)
            at = whole.find(some, ends[number])
    return [texts[number] for number in found]


def _place(note: NoteRow) -> str:
    return " ".join((note.path.rpartition(".")[0], note.title, *note.aliases))
