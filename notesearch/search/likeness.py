"""Likeness in meaning: finds sections like a given one, and sorts results by likeness.

Both compare the stored vectors, so they need no model.
"""

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING

from notesearch.errors import NoteMissingError
from notesearch.results import SearchResult, SectionLink, SectionResult, as_percent
from notesearch.search.presentation import Highlighter, section_result
from notesearch.search.ranking import RankedSection, Signals
from notesearch.store.reader import Reader
from notesearch.store.rows import MeaningHit
from notesearch.store.vector_reader import SectionVectors

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_RELATED = 0.35
"""Minimum cosine of two passages that is worth showing. Passages are nearer to each other than a
short query is to any."""

_UNRELATED = 0.45
"""The cosine that the nearest passage of a folder about other subjects hardly ever reaches."""

_RELATED_RETRIEVED = 300
"""Passages that are compared in a search for related sections."""

_MOST_OWN = 700
"""At most this many more passages are compared, because the note's own are the nearest ones."""

Place = tuple[str, int]
"""The path of a note, and the line of a section."""

Vectors = dict[Place, SectionVectors]
"""By section, the vectors of its passages."""


def related(
    reader: Reader, path: str, heading: str | None, limit: int, *, other_notes_only: bool
) -> tuple[SectionResult, ...]:
    """Return the sections nearest to a section of the note at ``path``, or to the whole note.

    Two sections are as similar as their two nearest passages. ``heading`` is a heading or
    ``Parent/Child``; None or blank for the whole note.

    Raises:
        NoteMissingError: The index does not have the note.
        SectionMissingError: The note has no such section, or several.
    """
    with reader.snapshot():
        own = _own_sections(reader, path, heading)
        without = set(reader.rows.of_notes([path])) if other_notes_only else own
        return _near(reader, reader.vectors.of_sections(own), limit, without)


def vectors_of(reader: Reader, path: str, heading: str | None) -> "NDArray[np.float32]":
    """Return the vectors of a section or note, shape (passages, dimensions), as ``related``."""
    with reader.snapshot():
        return reader.vectors.of_sections(_own_sections(reader, path, heading))


def near(reader: Reader, vectors: "NDArray[np.float32]", limit: int) -> tuple[SectionResult, ...]:
    """Return the sections nearest to any of ``vectors``, which the model of the index made."""
    with reader.snapshot():
        return _near(reader, vectors, limit, set())


def _near(
    reader: Reader, vectors: "NDArray[np.float32]", limit: int, without: set[int]
) -> tuple[SectionResult, ...]:
    # The sections left out are the nearest ones, so more passages are needed.
    room = _RELATED_RETRIEVED + min(_MOST_OWN, reader.rows.count_passages(without))
    hits = reader.vectors.near_passages(vectors, room)
    # A heading without text was embedded with its subsections, which are found themselves.
    without = without | reader.rows.without_text(hit.section_id for hit in hits)
    return _related_results(reader, [hit for hit in hits if hit.section_id not in without], limit)


def _own_sections(reader: Reader, path: str, heading: str | None) -> set[int]:
    from notesearch.markdown.sections import section_lookup

    rows = reader.rows.note_sections(path)
    if not rows:
        raise NoteMissingError("note_without_sections", path=path)
    if not heading or not heading.strip():
        return {row.id for row in rows}
    (note,) = reader.rows.notes({rows[0].note_id}).values()
    links = tuple(SectionLink(r.heading, r.path, r.level, r.line, r.end_line, 0) for r in rows)
    outline = section_lookup.NoteOutline(path, note.title, links)
    return {rows[section_lookup.find_section(outline, heading)].id}


def _related_results(
    reader: Reader, hits: list[MeaningHit], limit: int
) -> tuple[SectionResult, ...]:
    best: dict[int, MeaningHit] = {}
    for hit in hits:
        if hit.similarity >= _RELATED and len(best) < limit:
            best.setdefault(hit.section_id, hit)
    rows = reader.rows.sections(best)
    notes = reader.rows.notes({row.note_id for row in rows.values()})
    passages = reader.rows.passages(best)
    highlighter = Highlighter(reader, ())
    return tuple(
        section_result(
            highlighter,
            RankedSection(id_, cosine, None, rank, number, Signals(passage=cosine)),
            rows[id_],
            notes[rows[id_].note_id],
            passages.get(id_, ()),
            as_percent(cosine, _UNRELATED),
        )
        for rank, (id_, number, cosine) in enumerate(best.values(), 1)
    )


def vectors_at(reader: Reader, places: Iterable[Place]) -> Vectors:
    """Return the vectors of those sections at ``places`` that have any."""
    ids = reader.rows.at_lines(set(places))
    of_section = reader.vectors.by_section(ids.values())
    return {place: of_section[id_] for place, id_ in ids.items() if id_ in of_section}


def by_likeness(
    vectors: Vectors, result: SearchResult, liked: Iterable[Place], unliked: Iterable[Place]
) -> SearchResult:
    """Return ``result`` with the sections most like ``liked`` and least like ``unliked`` first.

    Sections without a vector come last. The order stays if none of these has a vector.
    """
    places = [(section.path, section.line) for section in result.sections]
    liked = frozenset(liked)
    unliked = frozenset(unliked)
    wanted, unwanted = ([vectors[p] for p in group if p in vectors] for group in (liked, unliked))
    if not (wanted or unwanted):
        return result

    def value(place: Place) -> float:
        own = vectors.get(place)
        return -math.inf if own is None else own.likeness(wanted) - own.likeness(unwanted)

    values = [value(place) for place in places]
    return result.in_order(sorted(range(len(places)), key=lambda at: -values[at]))
