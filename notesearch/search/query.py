"""A query as searching needs it: what is wanted, what is required, and what is embedded."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from itertools import chain, product
from math import prod

from notesearch.search.grammar import MAX_TERMS, Either, Every, Filter, Term, Tree, Without, read
from notesearch.store.symbols import SYMBOL, holds_word

__all__ = ["MAX_CHARACTERS", "MAX_TERMS", "Clause", "Query", "Term", "is_stop_word", "parse"]

MAX_CHARACTERS = 1000
_MAX_CLAUSES = 64
_REMEMBERED = 4096
"""Words of titles and headings, which most searches meet again."""

_SOFT_HYPHEN = "\u00ad"
_SYMBOLS = re.compile(f"({SYMBOL})")

_STOP_WORDS = frozenset(
    """
    a about all also am an and any are as at be been but by can could did do does for from had
    has have he her his how i if in into is it its me my no of on or our she should so some than
    that the their them then there these they this to us was we were what when where which who
    whose why will with would you your
    """.split()
)

Clause = tuple[Tree, ...]
"""Alternatives, each a term, a filter, or one of both that must not hold."""


@dataclass(frozen=True, slots=True)
class Query:
    """What was typed, read.

    Attributes:
        text: Cleaned, as one line.
        wanted: What should be there: of each clause any term is enough.
        required: What has to hold: of each clause any part is enough.
    """

    text: str
    wanted: tuple[tuple[Term, ...], ...] = ()
    required: tuple[Clause, ...] = ()

    @property
    def terms(self) -> tuple[Term, ...]:
        """What should be there, in order; what stands in several clauses once."""
        found: list[Term] = []
        alternatives: set[Term] = set()
        for clause in self.wanted:
            found += [term for term in clause if term not in alternatives]
            if len(clause) > 1:
                alternatives.update(clause)
        return tuple(found)

    @property
    def meaning(self) -> str:
        """The text to embed: the terms without signs, quotes, operators and filters."""
        return " ".join(filter(None, (_without_loose_ends(term.text) for term in self.terms)))

    @property
    def filters(self) -> tuple[str, ...]:
        """What has to hold, as typed: one entry for each thing."""
        return tuple(" OR ".join(map(_as_typed, clause)) for clause in self.required)

    @property
    def without(self) -> tuple[str, ...]:
        """The words and phrases that must not be there, as typed."""
        lone = (clause[0] for clause in self.required if len(clause) == 1)
        parts = (part.part for part in lone if isinstance(part, Without))
        return tuple(dict.fromkeys(part.text for part in parts if isinstance(part, Term)))

    @property
    def telling(self) -> tuple[Term, ...]:
        """The terms without stop words; all of them when no other word was typed."""
        return tuple(chain(*self.groups))

    @property
    def groups(self) -> tuple[tuple[Term, ...], ...]:
        """What is wanted without stop words; all of it when no other word was typed."""
        kept = [tuple(t for t in clause if _is_telling(t)) for clause in self.wanted]
        kept = [clause for clause in kept if clause]
        return tuple(kept) if have_word(kept) else self.wanted


def have_word(groups: Iterable[Iterable[Term]]) -> bool:
    """Return whether any term of ``groups`` is more than punctuation."""
    return any(holds_word(term.text) for group in groups for term in group)


@lru_cache(_REMEMBERED)
def is_stop_word(word: str) -> bool:
    """Return whether ``word`` is too common in English to tell sections apart."""
    return word.casefold().strip(".,;:!?'’") in _STOP_WORDS


def _without_loose_ends(text: str) -> str:
    """Return ``text`` without quotes at its ends and parentheses that have no other half."""
    if "(" not in text and ")" not in text:
        return " ".join(text.strip('" ').split())
    loose: set[int] = set()
    opened: list[int] = []
    for at, sign in enumerate(text):
        if sign == "(":
            opened.append(at)
        elif sign == ")" and opened:
            opened.pop()
        elif sign == ")":
            loose.add(at)
    loose.update(opened)
    kept = "".join(" " if at in loose else sign for at, sign in enumerate(text))
    return " ".join(kept.strip('" ').split())


def _as_typed(tree: Tree) -> str:
    if isinstance(tree, Without):
        return f"-{_as_typed(tree.part)}"
    if isinstance(tree, Either | Every):
        between = " OR " if isinstance(tree, Either) else " "
        return f"({between.join(map(_as_typed, tree.parts))})"
    return f'"{tree.text}"' if isinstance(tree, Term) and tree.phrase else tree.text


def _is_telling(term: Term) -> bool:
    return term.phrase or not all(map(is_stop_word, term.text.split("/")))  # as in "and/or"


def parse(text: str, today: date | None = None) -> Query:
    """Read a query; docs/searching.md tells its language.

    Args:
        text: Any string; its last word may be unfinished.
        today: What "yesterday" is counted from; the day it is now when left out.
    """
    cleaned = _clean(text)
    unfinished = not text[-1:].isspace()
    tree = read(cleaned, unfinished=unfinished, today=today or date.today())
    clauses = _clauses(tree, holds=True)
    wanted = tuple(terms for clause in clauses if (terms := _only_terms(clause)))
    required = tuple(clause for clause in clauses if not _only_terms(clause))
    if required and not wanted and not _has_filter(tree):
        # Only "-x" was typed: then it is looked for as it stands.
        return Query(cleaned, tuple((term,) for term in _terms(tree)))
    return Query(cleaned, wanted, required)


def _clauses(tree: Tree, *, holds: bool) -> tuple[Clause, ...]:
    """Return clauses that all hold where ``tree`` holds (or does not)."""
    if isinstance(tree, Without):
        return _clauses(tree.part, holds=not holds)
    if isinstance(tree, Term | Filter):
        return ((tree if holds else Without(tree),),)
    below = [_clauses(part, holds=holds) for part in tree.parts]
    if isinstance(tree, Every) == holds:
        return tuple(chain(*below))
    return _distributed(tree if holds else Without(tree), below)


def _only_terms(clause: Clause) -> tuple[Term, ...]:
    """Return the terms of a clause that has nothing else, else none."""
    terms = tuple(part for part in clause if isinstance(part, Term))
    return terms if len(terms) == len(clause) else ()


def _distributed(tree: Tree, below: Sequence[tuple[Clause, ...]]) -> tuple[Clause, ...]:
    """Return the clauses of alternatives that have several each: one of every combination."""
    if prod(map(len, below)) <= _MAX_CLAUSES:
        combined = (dict.fromkeys(chain(*choice)) for choice in product(*below))
        return tuple(dict.fromkeys(tuple(clause) for clause in combined))
    if all(isinstance(part, Term) for clauses in below for clause in clauses for part in clause):
        return (tuple(_terms(tree)),)
    return ((tree,),)


def _terms(tree: Tree) -> Iterator[Term]:
    if isinstance(tree, Term):
        yield tree
    elif isinstance(tree, Without):
        yield from _terms(tree.part)
    elif isinstance(tree, Either | Every):
        for part in tree.parts:
            yield from _terms(part)


def _has_filter(tree: Tree) -> bool:
    if isinstance(tree, Without):
        return _has_filter(tree.part)
    if isinstance(tree, Either | Every):
        return any(map(_has_filter, tree.parts))
    return isinstance(tree, Filter)


def _clean(text: str) -> str:
    looked_at = text[: 4 * MAX_CHARACTERS].replace(_SOFT_HYPHEN, "")
    if looked_at.isascii() and looked_at.isprintable():
        return " ".join(looked_at.split())[:MAX_CHARACTERS]
    # Some symbols are held together by what is not drawn itself.
    pieces = enumerate(_SYMBOLS.split(looked_at))
    shown = "".join(piece if number % 2 else _printable(piece) for number, piece in pieces)
    return " ".join(shown.split())[:MAX_CHARACTERS]


def _printable(text: str) -> str:
    return "".join(" " if unicodedata.category(c) in {"Cc", "Cs", "Cf"} else c for c in text)
