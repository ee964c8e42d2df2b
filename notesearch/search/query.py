"""Reads what was typed into terms, phrases and exclusions; any string is a valid query."""

import re
import unicodedata
from dataclasses import dataclass

from notesearch.markdown.dates import period
from notesearch.store.conditions import Condition, InPath, Not, Since, Tagged, joined

MAX_CHARACTERS = 1000
MAX_TERMS = 32
_SOFT_HYPHEN = "\u00ad"

_PIECE = re.compile(r'(-?)"([^"]*)("?)|(-?)(path|tag|before|after):(?:"([^"]+)"|([^\s"]+))|(\S+)')
_STOP_WORDS = frozenset(
    """
    a about all also am an and any are as at be been but by can could did do does for from had
    has have he her his how i if in into is it its me my no of on or our she should so some than
    that the their them then there these they this to us was we were what when where which who
    whose why will with would you your
    """.split()
)


@dataclass(frozen=True, slots=True)
class Term:
    """One thing to look for.

    Attributes:
        text: As typed, without quotes.
        phrase: It was quoted: its words stand together and in order.
        prefix: It is still being typed: longer words that begin so match too.
    """

    text: str
    phrase: bool = False
    prefix: bool = False


@dataclass(frozen=True, slots=True)
class Query:
    """What was typed, read.

    Attributes:
        text: Cleaned, as one line.
        terms: What should be there, in order.
        excluded: What must not be there.
        condition: What its filters ask for; None when there are none.
    """

    text: str
    terms: tuple[Term, ...]
    excluded: tuple[Term, ...] = ()
    condition: Condition | None = None

    @property
    def meaning(self) -> str:
        """The text to embed: the terms without signs and quotes."""
        return " ".join(term.text for term in self.terms)

    @property
    def telling(self) -> tuple[Term, ...]:
        """The terms without stop words; all of them when no other word was typed."""
        kept = tuple(t for t in self.terms if t.phrase or not is_stop_word(t.text))
        return kept if any(c.isalnum() for t in kept for c in t.text) else self.terms


def is_stop_word(word: str) -> bool:
    """Return whether ``word`` is too common in English to tell sections apart."""
    return word.casefold().strip(".,;:!?'’") in _STOP_WORDS


def parse(text: str) -> Query:
    """Read a query: words, ``"phrases"`` and ``-exclusions``; the last word may be unfinished."""
    cleaned = _clean(text)
    terms: list[Term] = []
    excluded: list[Term] = []
    filters: list[Condition] = []
    for piece in list(_PIECE.finditer(cleaned))[:MAX_TERMS]:
        minus, phrase, closed, negated, name, quoted, value, word = piece.groups()
        unfinished = piece.end() == len(cleaned) and not text[-1:].isspace()
        found = _filter(name, quoted or value) if name else None
        word = word or (piece.group() if found is None else "")
        if found is not None:
            filters.append(Not(found) if negated else found)
        elif phrase is not None:
            wanted = phrase.strip()
            if minus and wanted:
                excluded.append(Term(wanted, phrase=True))
            elif wanted:
                terms.append(Term(wanted, phrase=True, prefix=unfinished and not closed))
        elif len(word) > 1 and word[0] == "-" and word[1].isalnum():
            excluded.append(Term(word[1:]))
        else:
            terms.append(Term(word, prefix=unfinished))
    if not terms and not filters:
        # Only "-x" was typed: then it is looked for as it stands.
        terms, excluded = [Term(t.text, t.phrase) for t in excluded], []
    return Query(cleaned, tuple(terms), tuple(excluded), joined(*filters))


def _filter(name: str, value: str) -> Condition | None:
    if name == "path":
        return InPath(value)
    if name == "tag":
        return Tagged(value.lstrip("#")) if value.strip("#/") else None
    found = period(value)
    if found is None:
        return None
    return Since(found[0]) if name == "after" else Not(Since(found[0]))


def _clean(text: str) -> str:
    looked_at = text[: 4 * MAX_CHARACTERS].replace(_SOFT_HYPHEN, "")
    shown = "".join(" " if unicodedata.category(c) in {"Cc", "Cs", "Cf"} else c for c in looked_at)
    return " ".join(shown.split())[:MAX_CHARACTERS]
