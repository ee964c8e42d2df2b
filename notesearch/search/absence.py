"""Tells what of a query stands nowhere: its words, and its filters with what is near to them."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import PurePosixPath

from notesearch.results import Unmet
from notesearch.search import spelling
from notesearch.search.grammar import Filter
from notesearch.search.lexical import Lexical
from notesearch.search.matching import Pattern
from notesearch.search.query import Query
from notesearch.search.resolving import Asked
from notesearch.search.retrieval import parts
from notesearch.store.conditions import (
    Condition,
    InFile,
    InLanguage,
    InPath,
    Tagged,
    WithProperty,
    folded,
)
from notesearch.store.reader import Reader

_OFFERED = 3
_SLIPS = 2
_SHORTEST = 4
"""Letters of a value in which slips are looked for."""


def words(reader: Reader, asked: Asked, lexical: Lexical) -> tuple[str, ...]:
    """Return what stands in no section; words are asked for only when no section has them all."""
    if lexical.with_all:
        return asked.missing
    found = list(asked.missing)
    for group in (one for one in asked.groups if not any(pattern.links for pattern in one)):
        looked_for = [part for pattern in group for part in parts(pattern)]
        absent = [shown for shown, expression in looked_for if not reader.words.known(expression)]
        if len(group) == 1 or len(absent) == len(looked_for):
            for pattern in group:
                found += _as_typed(pattern, absent, reader)
    return tuple(dict.fromkeys(found))


def _as_typed(pattern: Pattern, absent: Sequence[str], reader: Reader) -> Iterator[str]:
    """Yield what of a term is absent, in words that were typed.

    A run without spaces is looked for in pairs; a pair that stands nowhere may only be the end of
    one word and the beginning of the next.
    """
    if pattern.term.phrase or pattern.whole:
        yield from absent if pattern.term.text in absent else ()
    elif len(pattern.tokens) == 1:
        yield from pattern.pieces if pattern.term.text in absent else ()
    elif not set(pattern.parts) - set(absent):
        spans = [span for span, _ in reader.lexicon.tokens(pattern.term.text)]
        yield pattern.term.text[spans[0][0] : spans[-1][1]]
    else:
        for piece in dict.fromkeys(pattern.pieces):
            yield from _uncovered(piece, absent, reader)


def _uncovered(piece: str, absent: Sequence[str], reader: Reader) -> Iterator[str]:
    """Yield the stretches of ``piece`` in which no part that is known stands."""
    spans = [span for span, _ in reader.lexicon.tokens(piece)]
    known = [(start, end) for start, end in spans if piece[start:end] not in absent]
    at = 0
    for start, end in [*known, (len(piece), len(piece))]:
        if start - at > 1 or not known:
            yield piece[at:start]
        at = max(at, end)


def filters(reader: Reader, query: Query) -> tuple[Unmet, ...]:
    """Return the filters that no section fulfils, of a query that found nothing."""
    clauses = [clause[0] for clause in query.required if len(clause) == 1]
    unmet = tuple(
        Unmet(one.text, tuple(_near(one, reader)))
        for one in clauses
        if isinstance(one, Filter) and not reader.rows.is_fulfilled(one.condition)
    )
    if unmet or query.wanted or not query.required:
        return unmet
    return (Unmet(" ".join(query.filters)),)


def _near(asked: Filter, reader: Reader) -> Iterator[str]:
    """Yield filters like ``asked`` that would find something."""
    name = asked.text.partition(":")[0]
    condition = asked.condition
    if isinstance(condition, WithProperty):
        yield from _near_properties(name, condition, reader)
        return
    if isinstance(condition, InLanguage):
        values = (asked.text.partition(":")[2].strip('"'), _languages(reader))
        for value in _alike(*values) or values[1][:_OFFERED]:
            yield f"{name}:{_quoted(value)}"
        return
    for value in _alike(*_values(condition, reader)):
        yield f"{name}:{_quoted(value)}"


def _near_properties(name: str, condition: WithProperty, reader: Reader) -> Iterator[str]:
    values = reader.labels.property_values(condition.key)
    if not values:
        for key in _alike(condition.key, reader.labels.property_keys()):
            yield f"{name}:{_quoted(key)}"
    elif condition.value is not None and condition.value.sign == "=":
        for value in _alike(condition.value.text, values) or values[:_OFFERED]:
            yield f"{name}:{_quoted(condition.key)}={_quoted(value)}"


def _values(condition: Condition, reader: Reader) -> tuple[str, Iterable[str]]:
    """Return what a filter asks for, and all there is of the kind."""
    if isinstance(condition, Tagged):
        return condition.tag.lstrip("#"), reader.labels.tags()
    paths = [PurePosixPath(folded(path)) for path, _ in reader.rows.note_names()]
    if isinstance(condition, InPath):
        return condition.text.strip("/"), [part for path in paths for part in path.parts[:-1]]
    if isinstance(condition, InFile):
        return condition.text, [path.stem for path in paths]
    return "", ()


def _languages(reader: Reader) -> list[str]:
    """Return the languages of notes, then those of code; each kind with the commonest first."""
    notes = reader.lexicon.languages()
    return [
        *sorted(filter(None, notes), key=lambda one: -notes[one]),
        *reader.labels.code_languages(),
    ]


def _alike(asked: str, known: Iterable[str]) -> list[str]:
    """Return a few of ``known`` that go on where ``asked`` ends, else hold it, else are like it."""
    value, there = folded(asked), list(dict.fromkeys(known))
    if not value:
        return []
    begun = [one for one in there if one.startswith(value)]
    found = begun or [one for one in there if value in one]
    if not found and len(value) >= _SHORTEST:
        found = spelling.alike(value, there, _SLIPS, _OFFERED)
    return found[:_OFFERED]


def _quoted(value: str) -> str:
    return f'"{value}"' if " " in value else value
