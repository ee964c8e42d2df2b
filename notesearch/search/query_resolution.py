"""Resolves a corrected query against the index: patterns to rank by, and a condition to fulfil."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain

from notesearch.search.correction import CorrectedQuery
from notesearch.search.patterns import (
    COMMON,
    Pattern,
    StopWordPhrase,
    build_stop_word_phrase,
    build_with_links,
)
from notesearch.search.query import Clause, Either, Filter, Query, Term, Tree, Without
from notesearch.store.conditions import All, AnyOf, Condition, Not, Within, joined
from notesearch.store.links import looked_up
from notesearch.store.reader import Reader

_HYPHEN = re.compile(r"(?<=[^\W\d_])-(?=[^\W\d_])")
_WORD = re.compile(r"(?<!\S)[A-Za-z]{4,14}(?!\S)")
_LONGEST_PHRASE = 60


@dataclass(frozen=True, slots=True)
class ResolvedQuery:
    """The patterns and conditions to look up in the index.

    Attributes:
        query: The corrected query.
        groups: What ranks sections. The patterns of one group are alternatives to each other.
        condition: What every result must fulfil; None for everything.
        missing: Quoted phrases that no section has. Their words are among the groups.
        stop_word_phrase: The query as one phrase, if it is little more than stop words.
    """

    query: Query
    groups: tuple[tuple[Pattern, ...], ...]
    condition: Condition | None
    missing: tuple[str, ...]
    stop_word_phrase: StopWordPhrase | None

    @property
    def is_only_filters(self) -> bool:
        """Whether the query has filters but no terms to rank by."""
        return self.condition is not None and not self.query.groups

    @property
    def patterns(self) -> tuple[Pattern, ...]:
        """The patterns of all groups, each once."""
        return tuple(dict.fromkeys(chain(*self.groups)))


def resolve(corrected: CorrectedQuery, reader: Reader, folder: str = "") -> ResolvedQuery:
    """Resolve a query.

    A quoted phrase is required, unless no section has it: then its words rank like all others.

    Args:
        corrected: The query.
        reader: Reads the index.
        folder: Only sections in this folder, or in the note of this path.
    """
    query = corrected.query
    conditions = [condition_of(clause, reader) for clause in query.required]
    groups: list[tuple[Pattern, ...]] = []
    missing: list[str] = []
    for terms in corrected.groups:
        phrase = terms[0] if len(terms) == 1 and terms[0].phrase else None
        others = tuple(_other_spellings(phrase, reader)) if phrase else ()
        group = build_with_links((*terms, *others), reader)
        if phrase and group:
            has_phrase = AnyOf(tuple(pattern.condition for pattern in group))
            if not reader.rows.is_fulfilled(has_phrase):
                missing.append(phrase.text)
                words = build_with_links(_content_words(phrase), reader)
                groups += [(word,) for word in words]
                continue
            conditions.append(has_phrase)
        groups.append(group)
    groups = [group for group in groups if group]
    if len(groups) > 1:
        groups = [tuple(_complete_if_frequent(p, reader) for p in group) for group in groups]
    if folder:
        conditions.append(Within(folder))
    return ResolvedQuery(
        query,
        tuple(groups),
        joined(*conditions),
        tuple(missing),
        build_stop_word_phrase(query.terms, reader),
    )


def _other_spellings(phrase: Term, reader: Reader) -> Iterator[Term]:
    """Yield other spellings of a quoted phrase that are in the index: with and without hyphens."""
    text = phrase.text
    if " " not in text or len(text) > _LONGEST_PHRASE:
        return
    hyphenated = [
        f"{text[:at]}-{text[at:]}"
        for word in _WORD.finditer(text)
        for at in range(word.start() + 1, word.end() - 1)
    ]
    for spelling in dict.fromkeys([_HYPHEN.sub("", text), *hyphenated]):
        other = Term(spelling, phrase=True, prefix=phrase.prefix)
        if spelling != text and reader.words.known(other.expression):
            yield other


def _content_words(phrase: Term) -> list[Term]:
    words = [Term(word) for word in phrase.text.split()]
    words[-1] = Term(words[-1].text, prefix=phrase.prefix)
    return [word for word in words if not word.is_stop_word] or words


def _complete_if_frequent(pattern: Pattern, reader: Reader) -> Pattern:
    """Return ``pattern``, with its last word as complete if too many words begin with that.

    This concerns a single letter and a common word: nearly every section has a word that begins so,
    which takes longest to look up and hardly tells sections apart.
    """
    if not pattern.beginning:
        return pattern
    complete = pattern.complete()
    is_letter = len(pattern.beginning) == 1 and pattern.beginning.isascii()
    if is_letter or reader.words.count(complete.expression, COMMON + 1) > COMMON:
        return complete
    return pattern


def condition_of(clause: Clause | Iterable[Tree], reader: Reader) -> Condition:
    """Return the condition that one of the alternatives in ``clause`` holds."""
    parts = tuple(_condition(part, reader) for part in clause)
    return parts[0] if len(parts) == 1 else AnyOf(parts)


def _condition(tree: Tree, reader: Reader) -> Condition:
    """Return the condition that ``tree`` holds; a term of nothing but punctuation always holds."""
    if isinstance(tree, Filter):
        return looked_up(tree.condition, reader)
    if isinstance(tree, Without):
        return Not(_condition(tree.part, reader))
    if isinstance(tree, Either):
        return condition_of(tree.parts, reader)
    if isinstance(tree, Term):
        patterns = build_with_links((tree,), reader)
        return patterns[0].condition if patterns else All(())
    return All(tuple(_condition(part, reader) for part in tree.parts))
