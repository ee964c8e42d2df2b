"""What a query asks of one index: its telling words, and what misspelt words were meant to be."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Protocol

from notesearch.embedding.words import is_common
from notesearch.markdown.function_words import FUNCTION_WORDS
from notesearch.notes import Respelling
from notesearch.search import matching, spelling
from notesearch.search.query import Query, Term, have_word, is_stop_word
from notesearch.store.conditions import quoted
from notesearch.store.vocabulary import Vocabulary


class Index(matching.Index, Protocol):
    """Knows its words and the languages of its notes as well."""

    def languages(self) -> Mapping[str, int]:
        """Return how many notes are in which language."""

    def vocabulary(self) -> Vocabulary:
        """Return the words that stand in the index."""

    def written(self, term: str) -> Iterable[str]:
        """Return how words with the stem ``term`` are written in the notes."""


_SHARE = 0.1
"""Of the notes: a language that fewer are in says nothing about the words of a query."""

_ENGLISH_TOO = frozenset(
    """also art as come den dot fin for gen has hat her him man mas men met min mine no once or
    over par per plus pour set she sin sob son top van via vice war were won""".split()
)
"""Small words of other languages that are words of their own in English."""


def telling(query: Query, index: Index) -> tuple[tuple[Term, ...], ...]:
    """Return what is wanted without words too common to tell; all of it when nothing else is."""
    common = _common(index)
    if not common:
        return query.groups
    kept = [tuple(t for t in clause if not _is(t, common)) for clause in query.groups]
    kept = [clause for clause in kept if clause]
    return tuple(kept) if have_word(kept) else query.groups


def _common(index: Index) -> frozenset[str]:
    """Return the small words of the languages that many notes are in."""
    notes = index.languages()
    least = _SHARE * sum(notes.values())
    others = [language for language, count in notes.items() if count > least and language != "en"]
    common = frozenset[str]().union(*(FUNCTION_WORDS.get(language, ()) for language in others))
    return common - _ENGLISH_TOO if notes.get("en", 0) > least else common


def _is(term: Term, common: frozenset[str]) -> bool:
    return not term.phrase and term.text.lower().strip(_MARKS) in common


_MARKS = ".,;:!?'’«»„“”、。！？"


def corrected(query: Query, index: Index) -> tuple[Query, tuple[Respelling, ...]]:
    """Return ``query`` with words that stand nowhere as they were meant, and which those are."""
    respelt: dict[Term, Respelling] = {}
    for term in query.terms:
        meant = "" if term.phrase else _meant(term, index)
        if meant:
            respelt[term] = Respelling(term.text, meant)
    if not respelt:
        return query, ()
    wanted = tuple(
        tuple(Term(respelt[term].meant) if term in respelt else term for term in clause)
        for clause in query.wanted
    )
    return replace(query, wanted=wanted), tuple(respelt.values())


def _meant(term: Term, index: Index) -> str:
    """Return the word that ``term`` was meant to be; empty when it stands in the index."""
    cut = index.tokens(term.text)
    if len(cut) != 1:
        return ""
    (start, end), stem = cut[0]
    word = term.text[start:end]
    slips = spelling.slips_in(stem)
    if not slips or not word.isalpha() or is_stop_word(word) or _stands(term, word, index):
        return ""
    if is_common(word.lower()):
        return ""
    typed = index.tokens(word, begun=True)[0][1]
    near = spelling.near(typed, stem, spelling.slips_in(typed), index.vocabulary())
    written = {
        shown: sections
        for term, sections in list(near.items())[:_COMPARED]
        for shown in index.written(term)
    }
    costs = {shown: _cost(typed, shown, sections, index) for shown, sections in written.items()}
    return min(costs, key=costs.__getitem__, default="").lower()


_COMPARED = 4


def _cost(typed: str, written: str, sections: int, index: Index) -> float:
    return spelling.cost(typed, index.tokens(written, begun=True)[0][1], sections)


def _stands(term: Term, word: str, index: Index) -> bool:
    """Return whether the index holds ``word``, or what it is the beginning of."""
    (pattern,) = matching.patterns([replace(term, text=word)], index)
    alternatives: Sequence[str] = (word, *pattern.endings)
    forms = [quoted(text) for text in alternatives]
    forms += [quoted(word, prefix=True)] * term.prefix
    return index.known(" OR ".join(forms))
