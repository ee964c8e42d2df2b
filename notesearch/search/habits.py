"""A person's habits: opened sections, recent notes and favourite folders rank higher."""

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
"""How much the first opening of a section counts, 0 to 1: enough to decide between near ties."""

_MOST = 20
"""Maximum number of sections that rank higher because they were opened before."""

_HALF_S = 30 * 86_400
"""A note that changed this many seconds ago counts half as much as one that changes now."""


@dataclass(frozen=True, slots=True)
class Habits:
    """A person's habits, which decide among sections that answer a query equally well.

    Attributes:
        openings: The sections that the person opened after earlier queries.
        recent: Whether the person prefers notes that changed recently.
        folders: Folders with notes that the person prefers, as paths from the top of the vault.
    """

    openings: tuple[Opening, ...] = ()
    recent: bool = False
    folders: tuple[str, ...] = ()


NO_HABITS = Habits()


class Favour(NamedTuple):
    """How strongly each of a person's habits favours one section, from 0 to 1.

    ``Weights`` says how much each habit counts in the ranking.
    """

    opened: float = 0.0
    recent: float = 0.0
    folder: float = 0.0


def favours(
    reader: Reader, text: str, habits: Habits, note_of: Mapping[int, int]
) -> dict[int, Favour]:
    """Return how strongly ``habits`` favour each section, by section id.

    ``note_of`` maps the ids of the sections that are ranked for the query ``text`` to their notes.
    """
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
    """Return the words of ``text`` as the index has them.

    Stop words are left out, unless ``text`` has no other words.
    """
    tokens = list(reader.lexicon.tokens(text))
    content = frozenset(token for (a, b), token in tokens if not is_stop_word(text[a:b]))
    return content or frozenset(token for _, token in tokens)


def opened_before(reader: Reader, text: str, openings: Iterable[Opening]) -> dict[int, float]:
    """Return how strongly earlier openings favour a section, from 0 to 1, by section id.

    One opening of a section after an earlier query counts 0.3, two 0.51, three 0.66, and so on.
    This is multiplied by the share of words that the earlier query has in common with the query
    ``text``. Queries with a share below ``_ALIKE`` do not count; of the others, only the best does.
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
