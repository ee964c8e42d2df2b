"""What the headings of a found section say about the query; weighs the fused ranking."""

from collections.abc import Mapping, Sequence

from notesearch.search.matching import Index, Pattern
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
    """Return a factor from 1 for each section: how well its place in the vault fits the query."""
    asked = {token for pattern in wanted for token in pattern.tokens}
    begun = tuple(pattern.begun for pattern in wanted if pattern.begun)
    if not asked:
        return {}
    places = {id_: _place(note) for id_, note in notes.items()}
    about = {id_: _tokens(index, text) for id_, text in places.items()}
    known: dict[str, frozenset[str]] = {}
    factors = {}
    for id_, row in rows.items():
        for heading in row.path:
            if heading not in known:
                known[heading] = _tokens(index, heading)
        path = about[row.note_id].union(*(known[heading] for heading in row.path))
        factors[id_] = 1.0 + weights.own_heading * _fit(known[row.path[-1]], asked, begun)
        factors[id_] += weights.whole_path * _covered(path, asked, begun)
    return factors


def _place(note: NoteRow) -> str:
    return " ".join((note.path.rpartition(".")[0], note.title, *note.aliases))


def _tokens(index: Index, text: str) -> frozenset[str]:
    cut = index.tokens(text)
    telling = [token for (start, end), token in cut if not is_stop_word(text[start:end])]
    return frozenset(telling or [token for _, token in cut])


def _fit(heading: frozenset[str], asked: set[str], begun: tuple[str, ...]) -> float:
    """Return how much of the heading was asked for; a symbol in it says nothing unasked."""
    told = [token for token in heading if token in asked or not is_symbol(token)]
    if not told:
        return 0.0
    return sum(t in asked or t.startswith(begun) for t in told) / len(told)


def _covered(path: frozenset[str], asked: set[str], begun: tuple[str, ...]) -> float:
    """Return how much of what was asked stands in the path."""
    found = len(asked & path)
    if found < len(asked) and begun and any(t.startswith(begun) for t in path - asked):
        found += 1
    return found / len(asked)
