"""What the headings of a found section say about the query; weighs the fused ranking."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

from notesearch.search.finding import beginnings
from notesearch.search.matching import Index, Pattern, TokenSpan
from notesearch.search.query import is_stop_word
from notesearch.search.weights import CHOSEN, Weights
from notesearch.store.rows import NoteRow, SectionRow
from notesearch.store.symbols import is_symbol


def of_headings(
    index: Index,
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
    judge = _Judge(index, asked, tuple(pattern.begun for pattern in wanted if pattern.begun))
    about = {id_: judge.told(_place(note)) for id_, note in notes.items()}
    factors = {}
    for id_, row in rows.items():
        path = [judge.told(heading) for heading in row.path]
        factors[id_] = 1.0 + weights.own_heading * path[-1].fit
        factors[id_] += weights.whole_path * judge.covered([about[row.note_id], *path])
    return factors


class _Told(NamedTuple):
    """What a heading, or the place of a note, says of the query.

    Attributes:
        asked: Words of the query in it.
        begun: It holds another word that the one being typed may become.
        fit: How much of it was asked for.
    """

    asked: frozenset[str]
    begun: bool
    fit: float


_NOTHING = _Told(frozenset(), begun=False, fit=0.0)


class _Judge:
    """Compares headings, which repeat, with the words of one query."""

    def __init__(self, index: Index, asked: frozenset[str], begun: tuple[str, ...]) -> None:
        self._index, self._asked, self._begun = index, asked, begun
        self._known: dict[str, _Told] = {}
        # Most headings hold no letters of the query, and need not be cut into words.
        words = [*asked, *begun]
        narrow = all(len(w) > 1 and w.isascii() and w.isalnum() for w in words)
        self._letters = set(chain.from_iterable(map(beginnings, words))) if narrow else {""}

    def told(self, text: str) -> _Told:
        """Return what ``text`` says."""
        if text not in self._known:
            self._known[text] = self._judged(text)
        return self._known[text]

    def _judged(self, text: str) -> _Told:
        if text.isascii():
            lower = text.lower()
            if not any(letters in lower for letters in self._letters):
                return _NOTHING
        cut = self._index.tokens(text)
        every = {token for _, token in cut}
        if every.isdisjoint(self._asked) and not self._is_begun(every):
            return _NOTHING
        tokens = _telling(cut, text)
        found = tokens & self._asked
        begun = self._is_begun(tokens - self._asked)
        if not (found or begun):
            return _NOTHING
        return _Told(found, begun, _fit(tokens, self._asked, self._begun))

    def _is_begun(self, tokens: Iterable[str]) -> bool:
        return bool(self._begun) and any(token.startswith(self._begun) for token in tokens)

    def covered(self, path: Sequence[_Told]) -> float:
        """Return the share, 0 to 1, of the words asked for that stand in the path."""
        path = [told for told in path if told is not _NOTHING]
        if not path:
            return 0.0
        found = len(frozenset[str]().union(*(told.asked for told in path)))
        if found < len(self._asked) and any(told.begun for told in path):
            found += 1
        return found / len(self._asked)


def _place(note: NoteRow) -> str:
    return " ".join((note.path.rpartition(".")[0], note.title, *note.aliases))


def _telling(cut: Sequence[TokenSpan], text: str) -> frozenset[str]:
    telling = [token for (start, end), token in cut if not is_stop_word(text[start:end])]
    return frozenset(telling or [token for _, token in cut])


def _fit(heading: frozenset[str], asked: frozenset[str], begun: tuple[str, ...]) -> float:
    """Return how much of the heading was asked for; a symbol in it says nothing unasked."""
    told = [token for token in heading if token in asked or not is_symbol(token)]
    if not told:
        return 0.0
    return sum(t in asked or t.startswith(begun) for t in told) / len(told)
