"""Puts equally good sections in the order of their notes: what came into the index first is chance.

Copies of a note score the same. Only those are looked up that a cut would part, and those shown.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from notesearch.store.reader import Reader
from notesearch.store.rows import NoteRow, SectionRow

_Item = TypeVar("_Item")


def settled(
    reader: Reader,
    ranked: Sequence[_Item],
    at: int,
    score: Callable[[_Item], object],
    section: Callable[[_Item], int],
) -> list[_Item]:
    """Return ``ranked`` with what scores the same before and behind ``at`` in order of place."""
    found = list(ranked)
    if not 0 < at < len(found) or score(found[at - 1]) != score(found[at]):
        return found
    same, start, end = score(found[at]), at, at
    while start and score(found[start - 1]) == same:
        start -= 1
    while end < len(found) and score(found[end]) == same:
        end += 1
    places = reader.rows.places(map(section, found[start:end]))
    found[start:end] = sorted(found[start:end], key=lambda item: places[section(item)])
    return found


def order_of(
    ids: Sequence[int], rows: Mapping[int, SectionRow], notes: Mapping[int, NoteRow]
) -> dict[int, int]:
    """Return for each of ``ids`` where it stands among those that score the same.

    Those in ``rows`` stand by the path of their note, the rest behind them as they come.
    """
    near = sorted(
        (id_ for id_ in ids if id_ in rows),
        key=lambda id_: (notes[rows[id_].note_id].path, rows[id_].ordinal),
    )
    return {id_: n for n, id_ in enumerate(dict.fromkeys([*near, *ids]))}
