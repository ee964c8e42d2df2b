"""Joins the answers of several vaults to one question into one answer."""

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
    """Ask several vaults by name; return their answers by name, and the vaults that cannot answer.

    Raises:
        SearchCancelledError: The search was cancelled.
        NotesearchError: No vault can answer; this is the error of the first vault.
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


def merged_result(
    answers: Mapping[str, SearchResult],
    unanswered: Sequence[Unanswered] = (),
    *,
    limit: int,
    newest: bool = False,
) -> SearchResult:
    """Return the results of several vaults for one query as one result.

    Scores mean the same in each vault, so they order the sections of all vaults. A vault may list a
    section before sections with higher scores, because its name is exactly the query. Such a
    section stays before them.

    Args:
        answers: The results by the names of the vaults; at least one.
        unanswered: The vaults that could not answer.
        limit: The most sections.
        newest: The results are sorted by date instead of by score.
    """
    each = tuple(answers.values())
    dates = {(name, note.path): note.date for name in answers for note in answers[name].notes}
    by_date = newest or not any(section.signals for result in each for section in result.sections)
    sections = _in_order(
        {name: result.sections for name, result in answers.items()},
        lambda section: dates[section.vault, section.path] if by_date else section.score,
    )[:limit]
    notes = _in_order(
        {name: result.notes for name, result in answers.items()},
        lambda note: note.date if by_date else note.score,
    )
    suggestions = [result.suggestion for result in each if result.suggestion]
    return replace(
        each[0],
        took_ms=sum(result.took_ms for result in each),
        total=sum(result.total for result in each),
        sections=tuple(sections),
        notes=tuple(notes_with(notes, sections)),
        meaning=all(result.meaning for result in each),
        missing=_in_all([result.missing for result in each]),
        spelling=_spelling(each),
        unmet=() if sections else _unmet([result.unmet for result in each]),
        near_filters=_near_filters([result.near_filters for result in each]),
        suggestion=suggestions[0] if suggestions and not sections else "",
        unanswered=tuple(unanswered),
    )


def merged_passages(
    answers: Mapping[str, PassagesFound], unanswered: Sequence[Unanswered] = (), *, limit: int
) -> PassagesFound:
    """Return the passages that several vaults have found for one query as one result.

    The arguments are as for ``merged_result``.
    """
    each = tuple(answers.values())
    passages = _in_order({name: answers[name].passages for name in answers}, lambda p: p.score)
    return PassagesFound(
        query=each[0].query,
        took_ms=sum(answer.took_ms for answer in each),
        total=sum(answer.total for answer in each),
        passages=tuple(passages[:limit]),
        meaning=all(answer.meaning for answer in each),
        unmet=() if passages else _unmet([answer.unmet for answer in each]),
        unanswered=tuple(unanswered),
    )


def _in_order(
    lists: Mapping[str, Sequence[_Ranked]], value: Callable[[_Ranked], float]
) -> list[_Ranked]:
    """Return the lists of several vaults as one list, sorted by ``value``, the greatest first.

    The order within each list stays: an item counts as much as the greatest item after it. The
    lists are given by the names of the vaults.
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
    """Yield each note that has some of ``sections``, with these sections only.

    The number of its other sections is added to ``more``.
    """
    shown = {place_of(section): section for section in sections}
    for note in notes:
        keys = [(note.vault, note.path, section.line) for section in note.sections]
        own = tuple(shown[key] for key in keys if key in shown)
        if own:
            more = note.more + len(note.sections) - len(own)
            yield replace(note, sections=own, more=more)


def place_of(section: SectionResult) -> tuple[str, str, int]:
    """Return vault, path and line of a section; no other section has the same."""
    return section.vault, section.path, section.line


def _in_all(lists: Sequence[tuple[_Item, ...]]) -> tuple[_Item, ...]:
    """Return the items that every list has."""
    return tuple(item for item in lists[0] if all(item in other for other in lists[1:]))


def _near_filters(
    lists: Sequence[Mapping[str, tuple[str, ...]]],
) -> dict[str, tuple[str, ...]]:
    """Return the similar filters of all vaults by the word to which they are similar."""
    words = dict.fromkeys(chain.from_iterable(lists))
    return {word: _joined(near.get(word, ()) for near in lists) for word in words}


def _joined(lists: Iterable[tuple[str, ...]]) -> tuple[str, ...]:
    """Return the texts of all lists, each once."""
    return tuple(dict.fromkeys(chain.from_iterable(lists)))


def _unmet(lists: Sequence[tuple[Unmet, ...]]) -> tuple[Unmet, ...]:
    """Return the filters that match nothing in any vault, with similar filters of all vaults."""
    near = [{unmet.filter: unmet.near for unmet in of_vault} for of_vault in lists]
    everywhere = [unmet for unmet in lists[0] if all(unmet.filter in each for each in near)]
    return tuple(
        replace(unmet, near=_joined(each[unmet.filter] for each in near)) for unmet in everywhere
    )


def _spelling(answers: Sequence[SearchResult]) -> tuple[Respelling, ...]:
    """Return the corrections of all answers, each word once.

    If a vault did not correct a word, because it has the word, ``also`` is true for the word.
    """
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
