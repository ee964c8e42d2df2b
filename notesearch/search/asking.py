"""What a query asks of one index: its telling words, and what misspelt words were meant to be."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from notesearch.embedding.words import is_common
from notesearch.markdown.sections.function_words import FUNCTION_WORDS
from notesearch.results import Respelling
from notesearch.search import matching, spelling, variants
from notesearch.search.lexical import COMMON
from notesearch.search.query import Query, Term, have_word, is_stop_word
from notesearch.search.retrieval import expression
from notesearch.store.conditions import quoted
from notesearch.store.reader import Reader

_SHARE = 0.1
"""Of the notes: a language that fewer are in says nothing about the words of a query."""

_ENGLISH_TOO = frozenset(
    """also art as come den dot fin for gen has hat her him man mas men met min mine no once or
    over par per plus pour set she sin sob son top van via vice war were won""".split()
)
"""Small words of other languages that are words of their own in English."""


def telling(query: Query, reader: Reader) -> tuple[tuple[Term, ...], ...]:
    """Return what is wanted without words too common to tell; all of it when nothing else is."""
    common = _common(reader)
    if not common:
        return query.groups
    kept = [tuple(t for t in clause if not _is(t, common)) for clause in query.groups]
    kept = [clause for clause in kept if clause]
    return tuple(kept) if have_word(kept) else query.groups


def _common(reader: Reader) -> frozenset[str]:
    """Return the small words of the languages that many notes are in."""
    notes = reader.lexicon.languages()
    least = _SHARE * sum(notes.values())
    others = [language for language, count in notes.items() if count > least and language != "en"]
    common = frozenset[str]().union(*(FUNCTION_WORDS.get(language, ()) for language in others))
    return common - _ENGLISH_TOO if notes.get("en", 0) > least else common


def _is(term: Term, common: frozenset[str]) -> bool:
    return not term.phrase and term.text.lower().strip(_MARKS) in common


_MARKS = ".,;:!?'’«»„“”、。！？"


def corrected(query: Query, reader: Reader) -> tuple[Query, tuple[Respelling, ...]]:
    """Return ``query`` with misspelt words as they were meant, and which those are.

    What stands nowhere is replaced; a word that hardly stands anywhere is looked for as well.
    """
    respelt: dict[Term, Respelling] = {}
    for term in query.terms:
        found = None if term.phrase else _respelling(term, reader)
        if found:
            respelt[term] = found
    if not respelt:
        return query, ()
    wanted = tuple(tuple(_alternatives(clause, respelt)) for clause in query.wanted)
    return replace(query, wanted=wanted), tuple(respelt.values())


def _alternatives(clause: Iterable[Term], respelt: Mapping[Term, Respelling]) -> Iterator[Term]:
    for term in clause:
        found = respelt.get(term)
        if found is None or found.also:
            yield term
        if found is not None:
            yield Term(found.meant)


def _respelling(term: Term, reader: Reader) -> Respelling | None:
    """Return what ``term`` was meant to be; None when it stands in the index as it is."""
    cut = reader.lexicon.tokens(term.text)
    if len(cut) != 1:
        return None
    (start, end), stem = cut[0]
    word = term.text[start:end]
    if not spelling.slips_in(stem) or not word.isalpha() or is_stop_word(word):
        return None
    sections = _sections(term, word, reader)
    if sections > _RARE or is_common(word.lower()) or variants.is_written_otherwise(term, reader):
        return None
    typed = reader.lexicon.tokens(word, begun=True)[0][1]
    known = _known_words_near(typed, stem, reader)
    if sections:
        known = {
            word: count
            for word, count in known.items()
            if count >= _COMMONER and spelling.slips_between(typed, word.folded) == 1
        }
    costs = {word: spelling.cost(typed, word.folded, count) for word, count in known.items()}
    meant = min(costs, key=costs.__getitem__, default=None)
    return Respelling(term.text, meant.written, also=bool(sections)) if meant else None


@dataclass(frozen=True, slots=True)
class _Word:
    """A whole word: as the notes have it, in lower case, and as words are compared."""

    written: str
    folded: str


_RARE = 1
"""Sections: a word that stands in no more may be misspelt there, too."""

_COMMONER = 20
"""Sections in which the word has to stand that it was meant to be there."""

_COMPARED = 4
_LONGEST = 24
_OTHER_ENDINGS = 2
"""Slips more than in the word that a form of it may differ by."""

_MANY = 8
"""Sections with a stem: where there are more, not all forms of it are read."""


def _known_words_near(typed: str, stem: str, reader: Reader) -> dict[_Word, int]:
    """Return words of the notes that ``typed`` may have been meant to be, each with its sections.

    Some have a stem like its own. For others the slip is in the ending, which was not cut off for
    it: "renovaton" is one slip from what has the stem of "renovation".
    """
    near = spelling.near(typed, stem, spelling.slips_in(typed), reader.lexicon.vocabulary())
    found = {
        word: sections
        for term, sections in list(near.items())[:_COMPARED]
        for word in _written(term, reader)
        if spelling.slips_between(typed, word.folded) <= spelling.slips_in(typed) + _OTHER_ENDINGS
    }
    if typed.isascii() and len(typed) <= _LONGEST:
        found |= _one_slip_from(typed, stem, reader)
    return found


def _one_slip_from(typed: str, stem: str, reader: Reader) -> dict[_Word, int]:
    guesses = list(dict.fromkeys(spelling.one_slip_from(typed)))
    count = reader.lexicon.vocabulary().count
    stems: dict[str, str] = {}
    for guess, (_, forms) in zip(guesses, reader.lexicon.asked(" ".join(guesses)), strict=True):
        likeliest = max(forms, key=count)
        if likeliest != stem and count(likeliest):
            stems[guess] = likeliest
    best = sorted(stems, key=lambda guess: spelling.cost(typed, guess, count(stems[guess])))
    found: dict[_Word, int] = {}
    for guess in best[:_COMPARED]:
        sections = count(stems[guess])
        words = [word for word in _written(stems[guess], reader) if word.folded == guess]
        if not words and sections > _MANY and is_common(guess):
            words = [_Word(guess, guess)]
        found |= dict.fromkeys(words, sections)
    return found


def _written(term: str, reader: Reader) -> list[_Word]:
    words = reader.lexicon.written(term)
    return [_Word(word.lower(), reader.lexicon.tokens(word, begun=True)[0][1]) for word in words]


def _sections(term: Term, word: str, reader: Reader) -> int:
    """Return in how many sections ``word`` stands, or what it begins; a few at most."""
    (pattern,) = matching.patterns([replace(term, text=word)], reader)
    if not term.prefix:  # which the search asks for again: then it is known
        return reader.words.count(expression(pattern), COMMON + 1)
    alternatives: Sequence[str] = (word, *pattern.endings)
    forms = " OR ".join(quoted(text) for text in alternatives)
    sections = reader.words.count(forms, _RARE + 1)
    if sections > _RARE:
        return sections
    begun = (quoted(one, prefix=True) for one in (word, *pattern.begun_otherwise))
    return reader.words.count(" OR ".join([forms, *begun]), _RARE + 1)
