"""How much earlier openings speak for a section: those for this query or one like it."""

from collections.abc import Iterable

from notesearch.notes import Opening
from notesearch.search.query import is_stop_word
from notesearch.store.reader import Reader

_ALIKE = 0.5
"""Least share of common words at which two queries are alike."""

_FIRST = 0.3
"""How much the first opening counts: it decides between near ties. Several lift further."""

_MOST = 20
"""Sections at most."""


def content_words(reader: Reader, text: str) -> frozenset[str]:
    """Return the words of ``text``, as the index has them, without stop words.

    If it has only stop words, they are returned.
    """
    tokens = list(reader.lexicon.tokens(text))
    content = frozenset(token for (a, b), token in tokens if not is_stop_word(text[a:b]))
    return content or frozenset(token for _, token in tokens)


def opened_before(reader: Reader, text: str, openings: Iterable[Opening]) -> dict[int, float]:
    """Return how much its openings speak for a section, from 0 to 1, by section id.

    Two queries are as alike as the share of their words that they have in common. The first opening
    for a query counts 0.3; each further one adds 0.3 of what is missing to 1.

    Args:
        reader: Reads the index.
        text: The query, without filters.
        openings: Those of the vault.
    """
    values: dict[tuple[str, tuple[str, ...]], float] = {}
    words = content_words(reader, text) if openings else frozenset()
    for one in openings if words else ():
        alike = len(words & one.words) / len(words | one.words)
        if alike >= _ALIKE:
            place = one.path, one.section_path
            values[place] = max(values.get(place, 0.0), alike * (1 - (1 - _FIRST) ** one.times))
    best = sorted(values.items(), key=lambda item: -item[1])[:_MOST]
    return {
        row.id: value
        for (path, headings), value in best
        for row in reader.rows.note_sections(path)
        if row.path == headings
    }
