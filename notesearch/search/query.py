"""A parsed query: terms, filters, and how they are combined."""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain

from notesearch.results import Respelling
from notesearch.store.conditions import Condition, quoted
from notesearch.store.tokenizer import holds_word

MAX_TERMS = 32

_REMEMBERED = 4096
"""Words whose answer is cached: those of titles and headings come up in most searches."""

_STOP_WORDS = frozenset(
    """
    a about all also am an and any are as at be been but by can could did do does for from had
    has have he her his how i if in into is it its me my no of on or our she should so some than
    that the their them then there these they this to us was we were what when where which who
    whose why will with would you your
    """.split()
)


_SHORTENED = re.compile(r"(\w+?)(?:n['’]t|['’](?:s|re|ve|ll|d|m))")
"""Two words as one, such as "don't" and "what's"; the first is "do" and "what", "ca" in "can't"."""

ELIDED = (
    "(?:[^\\W\\d_]{1,2}|aujourd|jusqu|lorsqu|presqu|puisqu|quelqu|quoiqu|anch|bell|coll|cos|dall|dell"
    "|dov|mezz|nell|nient|quell|quest|sant|senz|sull|tutt)['’](?=\\w)(?!(?:s|t|d|m|re|ve|ll)\\b)"
)
"""Matches a small word of French, Italian or Catalan that has lost its end: "qu'" in "qu'est-ce".

Two letters that end in a form of English, as in "TV's", do not match.
"""

_PARTS = re.compile(r"['’ʼ\-/]")
_BEFORE_A_WORD = re.compile(rf"\b{ELIDED}", re.IGNORECASE)

_PUNCTUATION = ".,;:!?'’«»„“”、。！？"


@lru_cache(_REMEMBERED)
def is_stop_word(word: str) -> bool:
    """Return whether ``word`` is too common in English to tell sections apart."""
    word = word.casefold().strip(".,;:!?'’")
    shortened = _SHORTENED.fullmatch(word)
    if shortened:
        return shortened[1] in _STOP_WORDS | {"ca", "wo"}
    return word in _STOP_WORDS


@dataclass(frozen=True, slots=True)
class Term:
    """One word or phrase to look for.

    Attributes:
        text: As typed, without quotes and operators.
        phrase: Whether it was quoted, so that its words must stand together and in order.
        prefix: Whether longer words that begin with it match, too: it ends in ``*``, or is the last
            word and may still be unfinished.
    """

    text: str
    phrase: bool = False
    prefix: bool = False

    @property
    def expression(self) -> str:
        """The FTS5 expression that finds the term as typed."""
        return quoted(self.text, prefix=self.prefix)

    @property
    def is_stop_word(self) -> bool:
        """Whether the text is a single stop word."""
        return is_stop_word(self.text)

    @property
    def has_content(self) -> bool:
        """Whether the term is more than stop words; "and/or" is only stop words."""
        return self.phrase or not all(map(is_stop_word, self.text.split("/")))


@dataclass(frozen=True, slots=True)
class Filter:
    """A filter: its text as typed, and the condition that sections must match."""

    text: str
    condition: Condition


@dataclass(frozen=True, slots=True)
class Without:
    """The negation of ``part``."""

    part: "Tree"


@dataclass(frozen=True, slots=True)
class Either:
    """Alternatives: one of ``parts`` is enough."""

    parts: "tuple[Tree, ...]"


@dataclass(frozen=True, slots=True)
class Every:
    """A conjunction of ``parts``."""

    parts: "tuple[Tree, ...]"


Tree = Term | Filter | Without | Either | Every

Clause = tuple[Tree, ...]
"""Alternatives, of which one must hold: terms, filters and negations."""

Groups = tuple[tuple[Term, ...], ...]
"""Groups of terms. The terms of one group are alternatives to each other."""


@dataclass(frozen=True, slots=True)
class Query:
    """A parsed query.

    Attributes:
        text: The cleaned text, on one line.
        groups: The terms that rank sections.
        required: The clauses that every result must match.
        not_filters: Words that look like filters but are searched as plain text.
        function_words: Stop words of the languages of the notes, in lower case.
    """

    text: str
    groups: Groups = ()
    required: tuple[Clause, ...] = ()
    not_filters: tuple[str, ...] = ()
    function_words: frozenset[str] = frozenset()

    @property
    def terms(self) -> tuple[Term, ...]:
        """The terms of all groups in order; an alternative of several groups comes once."""
        terms: list[Term] = []
        alternatives: set[Term] = set()
        for group in self.groups:
            terms += [term for term in group if term not in alternatives]
            if len(group) > 1:
                alternatives.update(group)
        return tuple(terms)

    @property
    def content(self) -> Groups:
        """The groups without stop words; all groups if nothing else is left."""
        content = _content_of(self.groups, lambda term: term.has_content)
        return _content_of(content, self._is_meant)

    def _is_meant(self, term: Term) -> bool:
        """Return whether ``term`` is more than function words; "n'est-ce" is only such words."""
        text = term.text.lower().strip(_PUNCTUATION)
        if term.phrase or not self.function_words:
            return True
        parts = _PARTS.split(_BEFORE_A_WORD.sub("", text))
        return text not in self.function_words and not self.function_words.issuperset(parts)

    @property
    def plain_text(self) -> str:
        """The text to embed: the terms without quotes, operators and filters."""
        return " ".join(filter(None, (_without_loose_ends(term.text) for term in self.terms)))

    def with_conditions(self, changed: Callable[[Condition], Condition]) -> "Query":
        """Return the query with the condition of each filter replaced by ``changed(condition)``."""
        required = tuple(
            tuple(_with_conditions(part, changed) for part in clause) for clause in self.required
        )
        return replace(self, required=required)

    @property
    def filters(self) -> tuple[str, ...]:
        """The required clauses as typed."""
        return tuple(" OR ".join(map(_as_typed, clause)) for clause in self.required)

    @property
    def excluded(self) -> tuple[str, ...]:
        """The words and phrases that a minus excludes, as typed."""
        lone = (clause[0] for clause in self.required if len(clause) == 1)
        parts = (part.part for part in lone if isinstance(part, Without))
        return tuple(dict.fromkeys(part.text for part in parts if isinstance(part, Term)))


@dataclass(frozen=True, slots=True)
class CorrectedQuery:
    """A query with the terms to search for.

    Attributes:
        query: The query with its misspelt words replaced; very rare words get an alternative.
        groups: The content terms, with other ways to write them as alternatives.
        spelling: The corrections.
    """

    query: Query
    groups: Groups
    spelling: tuple[Respelling, ...]


def _with_conditions(tree: Tree, changed: Callable[[Condition], Condition]) -> Tree:
    if isinstance(tree, Filter):
        return replace(tree, condition=changed(tree.condition))
    if isinstance(tree, Without):
        return Without(_with_conditions(tree.part, changed))
    if isinstance(tree, Either | Every):
        return replace(tree, parts=tuple(_with_conditions(part, changed) for part in tree.parts))
    return tree


def _content_of(groups: Groups, is_content: Callable[[Term], bool]) -> Groups:
    """Return the terms of ``groups`` that ``is_content``; all terms if no such term is left."""
    content = tuple(terms for group in groups if (terms := tuple(filter(is_content, group))))
    has_word = any(holds_word(term.text) for term in chain(*content))
    return content if has_word else groups


def _without_loose_ends(text: str) -> str:
    """Return ``text`` without outer quotes and without unpaired parentheses."""
    if "(" not in text and ")" not in text:
        return " ".join(text.strip('" ').split())
    unpaired: set[int] = set()
    opened: list[int] = []
    for at, character in enumerate(text):
        if character == "(":
            opened.append(at)
        elif character == ")" and opened:
            opened.pop()
        elif character == ")":
            unpaired.add(at)
    unpaired.update(opened)
    paired = "".join(" " if at in unpaired else c for at, c in enumerate(text))
    return " ".join(paired.strip('" ').split())


def _as_typed(tree: Tree) -> str:
    if isinstance(tree, Without):
        return f"-{_as_typed(tree.part)}"
    if isinstance(tree, Either | Every):
        between = " OR " if isinstance(tree, Either) else " "
        return f"({between.join(map(_as_typed, tree.parts))})"
    return f'"{tree.text}"' if isinstance(tree, Term) and tree.phrase else tree.text
