"""A query against an index: the patterns that are wanted, and the condition that is required."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from notesearch.notes import Linked, Span
from notesearch.search import asking, matching, variants
from notesearch.search.addressing import asked_for, holding, patterns
from notesearch.search.grammar import Either, Filter, Term, Tree, Without
from notesearch.search.lexical import COMMON
from notesearch.search.matching import Pattern
from notesearch.search.query import Query, is_stop_word
from notesearch.search.retrieval import expression
from notesearch.store.conditions import All, AnyOf, Condition, Not, joined
from notesearch.store.reader import Reader


@dataclass(frozen=True, slots=True)
class Asked:
    """What is asked of an index.

    Attributes:
        groups: What should be there; of each group any pattern is enough.
        condition: What has to hold; None when nothing has to.
        missing: Phrases that no section holds; their words are among the groups.
    """

    groups: tuple[tuple[Pattern, ...], ...]
    condition: Condition | None
    missing: tuple[str, ...]

    @property
    def patterns(self) -> tuple[Pattern, ...]:
        """All that should be there, each once."""
        return tuple(dict.fromkeys(chain(*self.groups)))


def resolve(query: Query, reader: Reader) -> Asked:
    """Return what ``query`` asks of the index.

    A phrase is required, unless it stands nowhere: then its words are wanted like any others.
    """
    condition = joined(*(_any(clause, reader) for clause in query.required))
    groups: list[tuple[Pattern, ...]] = []
    missing: list[str] = []
    for clause in variants.in_other_ways(asking.telling(query, reader), reader):
        group = _patterns(clause, reader)
        if len(group) == 1 and group[0].term.phrase:
            group = _patterns(variants.of_phrase(group[0].term, reader), reader)
            held = holding(" OR ".join(map(expression, group)), group[0])
            if reader.rows.is_fulfilled(held):
                condition = joined(condition, held)
            else:
                missing.append(group[0].term.text)
                groups += [(word,) for word in _patterns(_words(group[0].term), reader)]
                continue
        groups.append(group)
    found = tuple(filter(None, groups))
    if len(found) > 1:
        found = tuple(tuple(_not_every_word(p, reader) for p in group) for group in found)
    return Asked(found, condition, tuple(missing))


def _patterns(terms: Sequence[Term], reader: Reader) -> tuple[Pattern, ...]:
    return tuple(patterns(terms, reader))


def _not_every_word(pattern: Pattern, reader: Reader) -> Pattern:
    """Take for a whole word the first letter of one, and what is a common word as it stands.

    Beside others they tell little more when they go on, and to look for all they may become takes
    longest: nearly every section holds some word that begins so.
    """
    if not pattern.begun:
        return pattern
    whole = replace(pattern, begun="", endings=(), stems=frozenset(), begun_otherwise=())
    is_letter = len(pattern.begun) == 1 and pattern.begun.isascii()
    return (
        whole
        if is_letter or reader.words.count(expression(whole), COMMON + 1) > COMMON
        else pattern
    )


def spans(
    query: Query, text: str, reader: Reader, links: Sequence[Linked] = ()
) -> tuple[Span, ...]:
    """Return the spans of ``text`` that match ``query``, in order and without overlap.

    So do those of its ``links`` that lead to an address in the query; parts of that count less.
    """
    corrected, _ = asking.corrected(query, reader)
    wanted = resolve(corrected, reader).patterns
    led = asked_for(links, wanted)
    if led:
        wanted = tuple(replace(p, whole=p.whole or p.links is not None) for p in wanted)
    found = matching.find(wanted, reader.lexicon.forms(text), text)
    return matching.merged([*led, *(span for span, _ in found)])


def _words(phrase: Term) -> list[Term]:
    words = phrase.text.split()
    telling = [word for word in words if not is_stop_word(word)] or words
    return [Term(word, prefix=phrase.prefix and word is words[-1]) for word in telling]


def _any(clause: Iterable[Tree], reader: Reader) -> Condition:
    parts = tuple(_condition(part, reader) for part in clause)
    return parts[0] if len(parts) == 1 else AnyOf(parts)


def _condition(tree: Tree, reader: Reader) -> Condition:
    """Return ``tree`` as what has to hold; a term of only punctuation holds everywhere."""
    if isinstance(tree, Filter):
        return tree.condition
    if isinstance(tree, Without):
        return Not(_condition(tree.part, reader))
    if isinstance(tree, Either):
        return _any(tree.parts, reader)
    if isinstance(tree, Term):
        patterns = _patterns((tree,), reader)
        return holding(expression(patterns[0]), patterns[0]) if patterns else All(())
    return All(tuple(_condition(part, reader) for part in tree.parts))
