"""Joins the results of several vaults into one result."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from heapq import merge
from itertools import accumulate, chain
from operator import itemgetter
from typing import Any, TypeVar

from notesearch.results import (
    Found,
    NoteResult,
    PassageResult,
    PassagesFound,
    Respelling,
    SearchResult,
    SectionResult,
    Unanswered,
    Unmet,
)
from notesearch.search.filters import same_names

_Ranked = TypeVar("_Ranked", SectionResult, NoteResult, PassageResult)


def merged_result(
    answers: Mapping[str, SearchResult],
    unanswered: Sequence[Unanswered] = (),
    *,
    limit: int,
    newest: bool = False,
) -> SearchResult:
    """Return the results of several vaults as one, best first.

    Sections whose name is the query stay in front. A vault without vectors gives lower scores than
    others, so percents are compared.
    """
    each = tuple(answers.values())
    dates = {(name, note.path): note.date for name in answers for note in answers[name].notes}
    by_date = newest or not any(section.signals for result in each for section in result.sections)
    sections = in_order(
        {name: result.sections for name, result in answers.items()},
        lambda section: (
            (dates[section.vault, section.path], 0.0)
            if by_date
            else (section.percent, section.score)
        ),
    )[:limit]
    notes = in_order(
        {name: result.notes for name, result in answers.items()},
        lambda note: note.date if by_date else _percent(note),
    )
    suggestions = [result.suggestion for result in each if result.suggestion]
    return replace(
        each[0],
        **_joined_fields(each, unanswered, is_found=bool(sections)),
        sections=tuple(sections),
        notes=tuple(_notes_with(notes, sections)),
        missing=tuple(
            word for word in each[0].missing if all(word in result.missing for result in each)
        ),
        spelling=_spelling(each),
        near_filters=_near_filters([result.near_filters for result in each]),
        suggestion=suggestions[0] if suggestions and not sections else "",
    )


def _percent(note: NoteResult) -> float:
    """Return the score of ``note`` in percent, on the scale of its best section; not rounded."""
    best = note.sections[0]
    return note.score * best.percent / best.score if best.score else 0.0


def merged_passages(
    answers: Mapping[str, PassagesFound], unanswered: Sequence[Unanswered] = (), *, limit: int
) -> PassagesFound:
    """Return the passages that several vaults have found for one query as one result."""
    each = tuple(answers.values())
    passages = in_order({name: answers[name].passages for name in answers}, lambda p: p.score)
    fields = _joined_fields(each, unanswered, is_found=bool(passages))
    return replace(each[0], **fields, passages=tuple(passages[:limit]))


def _joined_fields(
    each: Sequence[Found], unanswered: Iterable[Unanswered], *, is_found: bool
) -> dict[str, Any]:
    """Return the fields of ``Found`` for the answers of ``each`` vault together."""
    return {
        "took_ms": sum(found.took_ms for found in each),
        "total": sum(found.total for found in each),
        "meaning": all(found.meaning for found in each),
        "unmet": () if is_found else _unmet([found.unmet for found in each]),
        "unanswered": tuple(unanswered),
    }


def merged_tags(answers: Iterable[Iterable[tuple[str, int]]]) -> Sequence[tuple[str, int]]:
    """Return the tags of several vaults, each with its number of notes, the most used first."""
    counts = same_names(chain(*answers))
    return sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))


def in_order(
    lists: Mapping[str, Sequence[_Ranked]], value: Callable[[_Ranked], Any]
) -> list[_Ranked]:
    """Return the lists by vault as one, sorted by ``value``, the greatest first.

    The order within each list stays: each item counts at least as much as the items after it.
    """
    valued = []
    for name, items in lists.items():
        own: list[_Ranked] = [replace(item, vault=name) for item in items]
        values = [*accumulate(map(value, reversed(own)), max)]
        valued.append(zip(reversed(values), own, strict=True))
    return [item for _, item in merge(*valued, key=itemgetter(0), reverse=True)]


def _notes_with(
    notes: Iterable[NoteResult], sections: Sequence[SectionResult]
) -> Iterator[NoteResult]:
    """Yield the notes of ``sections``, each with only these; ``more`` counts its other sections."""
    shown = {section.place: section for section in sections}
    for note in notes:
        keys = [(note.vault, note.path, section.line) for section in note.sections]
        own = tuple(shown[key] for key in keys if key in shown)
        if own:
            more = note.more + len(note.sections) - len(own)
            yield replace(note, sections=own, more=more)


def _near_filters(lists: Sequence[Mapping[str, tuple[str, ...]]]) -> dict[str, tuple[str, ...]]:
    words = dict.fromkeys(chain.from_iterable(lists))
    return {word: _joined(near.get(word, ()) for near in lists) for word in words}


def _joined(lists: Iterable[tuple[str, ...]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(chain.from_iterable(lists)))


def _unmet(lists: Sequence[tuple[Unmet, ...]]) -> tuple[Unmet, ...]:
    """Return the filters and words that match nothing in any vault, with similar filters."""
    every = {unmet.filter: unmet for unmet in chain.from_iterable(lists)}
    return tuple(
        replace(unmet, near=_joined(near.near for near in chain(*lists) if near.filter == typed))
        for typed, unmet in every.items()
        if all(any(_parts(other) <= _parts(unmet) for other in each) for each in lists)
    )


def _parts(unmet: Unmet) -> set[str]:
    return set(unmet.together or (unmet.filter,))


def _spelling(answers: Sequence[SearchResult]) -> tuple[Respelling, ...]:
    """Return the corrections of all answers; ``also`` is true if a vault has the typed word."""
    corrections = {word.typed: word for answer in answers for word in answer.spelling}
    as_typed = {
        typed
        for typed in corrections
        for answer in answers
        if answer.sections
        and typed not in answer.missing
        and all(word.typed != typed for word in answer.spelling)
    }
    return tuple(
        replace(word, also=word.also or word.typed in as_typed) for word in corrections.values()
    )
