"""The answers of several vaults to one question, as one answer."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from heapq import merge
from itertools import accumulate, chain
from operator import itemgetter
from typing import TypeVar

from notesearch.errors import NotesearchError, SearchCancelledError
from notesearch.results import (
    NoteResult,
    PassageResult,
    PassagesFound,
    Respelling,
    SearchResult,
    SectionResult,
    Unanswered,
    Unmet,
)

_Answer = TypeVar("_Answer")
_Item = TypeVar("_Item")
_Ranked = TypeVar("_Ranked", SectionResult, NoteResult, PassageResult)


def answers_of(
    names: Iterable[str], question: Callable[[str], _Answer]
) -> tuple[dict[str, _Answer], tuple[Unanswered, ...]]:
    """Return the answers to ``question`` by the names of vaults, and those that cannot answer.

    Raises:
        SearchCancelledError: The search was cancelled.
        NotesearchError: No vault can answer; this is the error of the first one.
    """
    answers: dict[str, _Answer] = {}
    errors: dict[str, NotesearchError] = {}
    for name in names:
        try:
            answers[name] = question(name)
        except SearchCancelledError:
            raise
        except NotesearchError as error:
            errors[name] = error
    if errors and not answers:
        raise next(iter(errors.values()))
    return answers, tuple(Unanswered(name, error.sentence) for name, error in errors.items())


def joint_result(
    answers: Mapping[str, SearchResult],
    unanswered: Sequence[Unanswered] = (),
    *,
    limit: int,
    newest: bool = False,
) -> SearchResult:
    """Return the answers of several vaults to one query as one.

    Scores mean the same in each vault, so they order the sections of all. A vault may list one
    before others with higher scores, because it is named exactly as the query. Such a section keeps
    its place before them.

    Args:
        answers: By the names of the vaults, at least one.
        unanswered: The vaults that could not answer.
        limit: Sections at most.
        newest: The answers are sorted by date instead of by score.
    """
    first = next(iter(answers.values()))
    of = answers.items()
    dates = {(name, note.path): note.date for name, one in of for note in one.notes}
    by_date = newest or not any(
        section.signals for one in answers.values() for section in one.sections
    )
    sections = _in_order(
        {name: one.sections for name, one in of},
        lambda one: dates[one.vault, one.path] if by_date else one.score,
    )[:limit]
    notes = _in_order(
        {name: one.notes for name, one in of}, lambda one: one.date if by_date else one.score
    )
    suggestions = [one.suggestion for one in answers.values() if one.suggestion]
    return replace(
        first,
        took_ms=sum(one.took_ms for one in answers.values()),
        total=sum(one.total for one in answers.values()),
        sections=tuple(sections),
        notes=tuple(notes_with(notes, sections)),
        meaning=all(one.meaning for one in answers.values()),
        missing=_in_all([one.missing for one in answers.values()]),
        spelling=_spelling(tuple(answers.values())),
        unmet=() if sections else _unmet([one.unmet for one in answers.values()]),
        near_filters=tuple(
            dict.fromkeys(chain.from_iterable(one.near_filters for one in answers.values()))
        ),
        suggestion=suggestions[0] if suggestions and not sections else "",
        unanswered=tuple(unanswered),
    )


def joint_passages(answers: Mapping[str, PassagesFound], *, limit: int) -> PassagesFound:
    """Return the passages of several vaults as one list; see ``joint_result``."""
    passages = _in_order({name: one.passages for name, one in answers.items()}, lambda p: p.score)
    return PassagesFound(
        query=next(iter(answers.values())).query,
        took_ms=sum(one.took_ms for one in answers.values()),
        total=sum(one.total for one in answers.values()),
        passages=tuple(passages[:limit]),
        meaning=all(one.meaning for one in answers.values()),
        unmet=() if passages else _unmet([one.unmet for one in answers.values()]),
    )


def _in_order(
    lists: Mapping[str, Sequence[_Ranked]], value: Callable[[_Ranked], float]
) -> list[_Ranked]:
    """Return the lists of several vaults as one by ``value``, the greatest first.

    Each list keeps its order: an item counts for as much as any that comes after it.
    """
    valued = []
    for name, items in lists.items():
        own: list[_Ranked] = [replace(item, vault=name) for item in items]
        values = [*accumulate(map(value, reversed(own)), max)]
        valued.append(zip(reversed(values), own, strict=True))
    return [item for _, item in merge(*valued, key=itemgetter(0), reverse=True)]


def notes_with(
    notes: Iterable[NoteResult], sections: Sequence[SectionResult]
) -> Iterator[NoteResult]:
    """Yield each of ``notes`` with its own of ``sections``; drop those that have none."""
    shown = {place_of(section): section for section in sections}
    for note in notes:
        places = [(note.vault, note.path, section.line) for section in note.sections]
        own = tuple(shown[place] for place in places if place in shown)
        if own:
            more = note.more + len(note.sections) - len(own)
            yield replace(note, sections=own, more=more)


def place_of(section: SectionResult) -> tuple[str, str, int]:
    """Return vault, path and line, which no other section has."""
    return section.vault, section.path, section.line


def _in_all(lists: Sequence[tuple[_Item, ...]]) -> tuple[_Item, ...]:
    """Return the items that every list has."""
    return tuple(one for one in lists[0] if all(one in other for other in lists[1:]))


def _unmet(lists: Sequence[tuple[Unmet, ...]]) -> tuple[Unmet, ...]:
    """Return the filters that match nothing in any vault, with what is similar in some."""
    near = [{one.filter: one.near for one in unmet} for unmet in lists]
    return tuple(
        Unmet(name, tuple(dict.fromkeys(chain.from_iterable(one[name] for one in near))))
        for name in near[0]
        if all(name in one for one in near)
    )


def _spelling(answers: Sequence[SearchResult]) -> tuple[Respelling, ...]:
    """Return the corrections of all answers; a word that some vault has was searched for, too."""
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
