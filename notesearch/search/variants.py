"""Other ways to write what was asked that the notes have: "5mg" for "5 mg", "dont" for "don't"."""

import itertools
import re
from collections.abc import Iterator, Sequence

from notesearch.search.grammar import Term
from notesearch.store.conditions import quoted
from notesearch.store.reader import Reader

Groups = Sequence[tuple[Term, ...]]

_UNIT = re.compile(r"[^\W\d_]{1,3}")
_AMOUNT = re.compile(r"(\d+)([^\W\d_]{1,3})")
_NOT = re.compile(
    r"((?:are|ca|could|did|does|do|had|has|have|is|must|need|should|was|were|wo|would)n)(['’]?)t",
    re.IGNORECASE,
)
_HYPHEN = re.compile(r"(?<=[^\W\d_])-(?=[^\W\d_])")
_WORD = re.compile(r"(?<!\S)[A-Za-z]{4,14}(?!\S)")
_LONGEST_PHRASE = 60


def in_other_ways(groups: Groups, reader: Reader) -> list[tuple[Term, ...]]:
    """Return ``groups``, each with the other ways to write it that stand in the index."""
    found = [(*group, *_known(_ways(group), reader)) for group in groups]
    for number, (amount, unit) in enumerate(itertools.pairwise(groups)):
        whole = _amount(amount, unit)
        if whole is not None and reader.words.known(quoted(whole.text)):
            found[number] += (whole,)
            found[number + 1] += (whole,)
    return found


def is_written_otherwise(term: Term, reader: Reader) -> bool:
    """Return whether another way to write ``term`` stands in the index."""
    return bool(_known(_ways((term,)), reader))


def of_phrase(term: Term, reader: Reader) -> tuple[Term, ...]:
    """Return a quoted ``term`` and how else it stands in the index: with and without hyphens."""
    if " " not in term.text or len(term.text) > _LONGEST_PHRASE:
        return (term,)
    ways = {_HYPHEN.sub("", term.text): None} | dict.fromkeys(_hyphened(term.text))
    others = [Term(way, phrase=True, prefix=term.prefix) for way in ways if way != term.text]
    return (term, *_known(others, reader))


def _hyphened(text: str) -> Iterator[str]:
    for word in _WORD.finditer(text):
        for at in range(word.start() + 1, word.end() - 1):
            yield f"{text[:at]}-{text[at:]}"


def _known(terms: Sequence[Term], reader: Reader) -> tuple[Term, ...]:
    return tuple(
        term for term in terms if reader.words.known(quoted(term.text, prefix=term.prefix))
    )


def _ways(group: tuple[Term, ...]) -> list[Term]:
    found: list[Term] = []
    for term in group:
        if term.phrase:
            continue
        amount, negated = _AMOUNT.fullmatch(term.text), _NOT.fullmatch(term.text)
        if amount:
            found.append(Term(f"{amount[1]} {amount[2]}", phrase=True))
        elif negated:
            found.append(
                Term(f"{negated[1]}t") if negated[2] else Term(f"{negated[1]}'t", phrase=True)
            )
    return found


def _amount(number: tuple[Term, ...], unit: tuple[Term, ...]) -> Term | None:
    """Return "5mg" for a number and what may be its unit."""
    if len(number) != 1 or len(unit) != 1 or number[0].phrase or unit[0].phrase:
        return None
    together = number[0].text.isdecimal() and _UNIT.fullmatch(unit[0].text)
    return Term(number[0].text + unit[0].text) if together else None
