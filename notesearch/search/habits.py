"""Ranks sections higher that fit a person's own use of the notes."""

import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from notesearch.notes import Opening
from notesearch.search.query import is_stop_word
from notesearch.store.folding import folded_name
from notesearch.store.reader import Reader

_ALIKE = 0.5
"""Minimum share of common words at which two queries are alike."""

_FIRST = 0.3
"""How much the first opening counts, 0 to 1: enough to decide between near ties."""

_MOST = 20
"""At most this many sections are lifted by openings."""

_HALF_S = 30 * 86_400
"""Seconds after which a change of a note counts half as much."""


@dataclass(frozen=True, slots=True)
class Habits:
    """A person's habits, which decide among sections that answer a query equally well.

    Attributes:
        recent: Whether the person prefers notes that changed recently.
        folders: Notes in these folders, which are paths from the top of the vault.
    """

    openings: tuple[Opening, ...] = ()
    recent: bool = False
    folders: tuple[str, ...] = ()


NO_HABITS = Habits()


class Favour(NamedTuple):
    """How strongly each habit favours a section, from 0 to 1; see ``Weights``."""

    opened: float = 0.0
    recent: float = 0.0
    folder: float = 0.0


def favours(
    reader: Reader, text: str, habits: Habits, note_of: Mapping[int, int]
) -> dict[int, Favour]:
    """Return how strongly ``habits`` favour sections, by section id; others are left out."""
    opened = opened_before(reader, text, habits.openings)
    if not (habits.recent or habits.folders):
        return {section: Favour(opened=value) for section, value in opened.items()}
    now = time.time()
    folders = tuple(f"{folded_name(folder).strip('/')}/" for folder in habits.folders)
    of_note = {
        note.id: Favour(
            recent=0.5 ** (max(now - note.date, 0.0) / _HALF_S) if habits.recent else 0.0,
            folder=float(folded_name(note.path).startswith(folders)),
        )
        for note in reader.rows.notes(set(note_of.values())).values()
    }
    return {
        section: of_note[note]._replace(opened=opened.get(section, 0.0))
        for section, note in note_of.items()
    }


def content_words(reader: Reader, text: str) -> frozenset[str]:
    """Return the words of ``text`` as in the index, without stop words unless it has no others."""
    tokens = list(reader.lexicon.tokens(text))
    content = frozenset(token for (a, b), token in tokens if not is_stop_word(text[a:b]))
    return content or frozenset(token for _, token in tokens)


def opened_before(reader: Reader, text: str, openings: Iterable[Opening]) -> dict[int, float]:
    """Return how strongly earlier openings favour a section, from 0 to 1, by section id.

    One opening of a section for a query counts 0.3, two 0.51, three 0.66, and so on, times the
    share of words that the query has in common with ``text``, at least ``_ALIKE``. The best of
    several queries counts.
    """
    values: dict[tuple[str, tuple[str, ...]], float] = {}
    words = content_words(reader, text) if openings else frozenset()
    for opening in openings if words else ():
        alike = len(words & opening.words) / len(words | opening.words)
        if alike >= _ALIKE:
            key = opening.path, opening.section_path
            values[key] = max(values.get(key, 0.0), alike * (1 - (1 - _FIRST) ** opening.times))
    best = sorted(values.items(), key=lambda item: -item[1])[:_MOST]
    return {
        row.id: value
        for (path, headings), value in best
        for row in reader.rows.note_sections(path)
        if row.path == headings
    }
