"""Which words of a text a query matches, by the index's own tokenizer; for marks and ranks."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from notesearch.notes import Span
from notesearch.search import particles
from notesearch.search.query import Term, is_stop_word
from notesearch.search.signs import NO_SIGNS, Signs
from notesearch.store.conditions import LinksTo, quoted
from notesearch.store.reader import Reader
from notesearch.store.symbols import is_symbol
from notesearch.store.tokenizer import is_single_unspaced

TokenSpan = tuple[Span, str]

Word = tuple[Span, tuple[str, ...]]
"""Where a word stands, and all forms by which it may be found."""


@dataclass(frozen=True, slots=True)
class Pattern:
    """A term as a run of words; the last of a prefix may go on.

    Attributes:
        term: What was typed.
        tokens: Its words, folded and stemmed.
        forms: For each of them, what the index may hold instead: stems of other languages.
        pieces: The words, or runs without spaces, that they come from, as typed.
        begun: How the last word begins, folded and not stemmed; empty when it is complete.
        endings: Whole words that the word being typed may become, though their stems do not
            begin with it: "cookin" is not the beginning of "cook"; and those that end in it.
        stems: The tokens of those.
        parts: What of an unquoted term is worth finding alone, as typed.
        loose: The tokens of those.
        joined: The term written without its hyphen, where that is a word; else empty.
        joined_forms: The tokens of that.
        whole: The index holds the run as it was typed: its parts alone are not meant.
        signs: What was typed around its words.
        begun_otherwise: How else the last word may begin that is still being typed.
        links: Where a link leads that stands for it, if the index has any such.
    """

    term: Term
    tokens: tuple[str, ...]
    forms: tuple[frozenset[str], ...]
    pieces: tuple[str, ...]
    begun: str
    endings: tuple[str, ...]
    stems: frozenset[str]
    parts: tuple[str, ...]
    loose: frozenset[str]
    joined: str = ""
    joined_forms: frozenset[str] = frozenset()
    whole: bool = False
    signs: Signs = NO_SIGNS
    begun_otherwise: tuple[str, ...] = ()
    links: LinksTo | None = None

    def find(self, words: Sequence[Word]) -> list[Span]:
        """Return the spans in ``words`` where the run stands."""
        last = len(self.tokens) - 1
        if last == 0:
            if is_single_unspaced(self.tokens[0]):
                return _characters(self.tokens[0], words)
            return self._endings_in(words)
        found = [
            (words[i][0][0], words[i + last][0][1])
            for i in self._starts(words[:-last])
            if all(self._is(j, words[i + j][1]) for j in range(1, last))
            and self._endings_in(words[i + last : i + last + 1])
        ]
        if self.joined:
            found += [span for span, forms in words if not self.joined_forms.isdisjoint(forms)]
        return found

    def _starts(self, words: Sequence[Word]) -> list[int]:
        """Return which of ``words`` may be the first of the run."""
        if is_single_unspaced(self.tokens[0]):
            return [i for i, (_, forms) in enumerate(words) if self._is(0, forms)]
        differs = self.forms[0].isdisjoint
        return [i for i, (_, forms) in enumerate(words) if not differs(forms)]

    def find_pieces(self, words: Sequence[Word]) -> list[Span]:
        """Return the spans of single words of an unquoted run: what is left of it in a text."""
        if self.term.phrase or self.whole or len(self.tokens) == 1:
            return []
        found = [span for span, forms in words if not self.loose.isdisjoint(forms)]
        if self.begun and self.pieces[-1] in self.parts:
            found += self._endings_in(words)
        for single in filter(is_single_unspaced, self.loose):
            found += _characters(single, words)
        return found

    def _is(self, number: int, forms: tuple[str, ...]) -> bool:
        """Return whether a word with ``forms`` may be that ``number`` of the run."""
        wanted = self.tokens[number]
        if not self.forms[number].isdisjoint(forms):
            return True
        return is_single_unspaced(wanted) and any(form.endswith(wanted) for form in forms)

    def _endings_in(self, words: Sequence[Word]) -> list[Span]:
        """Return the spans of what the last word of the run may be."""
        last = self.tokens[-1]
        wanted = self.stems | self.forms[-1]
        begun = tuple(filter(None, (self.begun, last if is_single_unspaced(last) else "")))
        begun += self.begun_otherwise
        if begun:  # a text repeats its words
            every = set(chain.from_iterable(forms for _, forms in words))
            wanted = wanted.union(form for form in every if form.startswith(begun))
        differs = wanted.isdisjoint
        return [span for span, forms in words if not differs(forms)]


def _characters(character: str, words: Sequence[Word]) -> list[Span]:
    """Return where ``character`` stands in pairs."""
    pairs = [(span, form) for span, forms in words for form in forms]
    starts = [(start, start + 1) for (start, _), form in pairs if form.startswith(character)]
    return starts + [(end - 1, end) for (_, end), form in pairs if form.endswith(character)]


def name(text: str, reader: Reader) -> list[str]:
    """Return the words by which a name is compared: symbols only where there is nothing else."""
    tokens = [token for _, token in reader.lexicon.tokens(text)]
    return [token for token in tokens if not is_symbol(token)] or tokens


def patterns(terms: Sequence[Term], reader: Reader) -> tuple[Pattern, ...]:
    """Return ``terms`` as the index would hold them; those of only punctuation are left out."""
    found = (_pattern(term, reader) for term in terms)
    return tuple(pattern for pattern in found if pattern is not None)


_SIGNS = re.compile(r"\+\+|#|(?<!\w)\.")
_AS_TYPED = re.compile(r"[A-Za-z]{1,2}-\w+|[!-~]*(?:[\d_@\\]|\w[.&]\w|::|://)[!-~]*")
_VERSION = re.compile(r"v?\d+(?:\.\d+){2,}", re.IGNORECASE)
_HYPHENED = re.compile(r"[^\W\d_]+(?:-\d{1,4}|(?:-[^\W\d_]+){1,2})")


def _pattern(term: Term, reader: Reader) -> Pattern | None:
    cut, asked = reader.lexicon.tokens(term.text), reader.lexicon.asked(term.text)
    if not cut:
        return None
    if _SIGNS.search(term.text) and [span for span, _ in cut] != [span for span, _ in asked]:
        # Where nothing in the index is written with the signs, the word alone has to do.
        signed = quoted(term.text, prefix=term.prefix)
        if not reader.words.known(signed):
            return _pattern(replace(term, text=_SIGNS.sub(" ", term.text)), reader)
    pieces = tuple(term.text[slice(*span)] for span in _runs(asked))
    whole = len(cut) > 1 and _stands_as_typed(term, pieces, reader)
    if not whole and _VERSION.fullmatch(term.text):
        # Its numbers alone stand everywhere; "1.2" is as near to "1.2.9" as there is.
        shorter = _pattern(Term(term.text.rpartition(".")[0]), reader)
        if shorter and shorter.whole:
            return shorter
    telling = [(span, forms) for span, forms in asked if not is_stop_word(term.text[slice(*span)])]
    begun = _begun(pieces[-1], cut[-1], asked[-1], reader) if term.prefix else ""
    endings, stems = _endings(pieces[-1], begun, reader) if begun else ((), frozenset[str]())
    if len(cut) == 1 and not term.phrase:
        compounds = dict.fromkeys(c for form in asked[0][1] for c in reader.lexicon.compounds(form))
        compounds |= dict.fromkeys(particles.with_small_words(asked[0][1], reader))
        endings, stems = (*endings, *compounds), stems.union(compounds)
    joined, joined_forms = _joined(term, reader)
    return Pattern(
        term, tuple(token for _, token in cut), tuple(frozenset(forms) for _, forms in asked),
        pieces, begun, endings, stems,
        tuple(dict.fromkeys(term.text[slice(*span)] for span, _ in telling or asked)),
        frozenset(form for _, forms in telling or asked for form in forms), joined, joined_forms,
        whole, Signs.of(term.text, (cut[0][0][0], cut[-1][0][1])),
        particles.beginnings(begun, reader) if begun else (),
    )  # fmt: skip


def _begun(piece: str, cut: TokenSpan, asked: Word, reader: Reader) -> str:
    """Return how a word begins that is still being typed: "c++" with its signs, not as "c"."""
    return asked[1][0] if asked[0] != cut[0] else reader.lexicon.tokens(piece, begun=True)[-1][1]


def _joined(term: Term, reader: Reader) -> tuple[str, frozenset[str]]:
    """Return the hyphened ``term`` as one word, and its tokens, where the index has that word."""
    if not _HYPHENED.fullmatch(term.text):
        return "", frozenset()
    joined = term.text.replace("-", "")
    if not reader.words.known(quoted(joined)):
        return "", frozenset()
    return joined, frozenset(form for _, forms in reader.lexicon.asked(joined) for form in forms)


def _stands_as_typed(term: Term, pieces: Sequence[str], reader: Reader) -> bool:
    """Return whether a version, an address, a dotted name, "e-mail" stands in the index."""
    if len(pieces) == 1 or not _AS_TYPED.fullmatch(term.text.strip("/.:")):
        return False
    *first, last = pieces
    head = "".join(f"{quoted(piece)} + " for piece in first)
    if reader.words.known(f"{head}{quoted(last)}"):
        return True
    # What begins with a single letter is half of the vocabulary, and takes longest to look for.
    return (
        term.prefix and len(last) > 1 and reader.words.known(f"{head}{quoted(last, prefix=True)}")
    )


def _runs(cut: Sequence[Word]) -> list[Span]:
    """Join the spans of words that overlap: the pairs of a run, the parts of a folded word."""
    runs: list[Span] = []
    for (start, end), _ in cut:
        if runs and start < runs[-1][1]:
            runs[-1] = (runs[-1][0], max(end, runs[-1][1]))
        else:
            runs.append((start, end))
    return runs


_SUFFIXES = tuple(
    """
    able ally ance ation ational ations ed ement ence er es est fully fulness ible ied ies ing
    ings ion ions ism ist ities ity ive iveness ization ize less ly ment ments ness ous ousness
    """.split()
)
_SHORTEST_STEM = 3
_DOUBLED = re.compile(r"^[a-z]{2,5}([bdfgmnprt])\1$", re.IGNORECASE)
"""The letter that an English word doubles before an ending, and that its stem has once."""


def _endings(word: str, begun: str, reader: Reader) -> tuple[tuple[str, ...], frozenset[str]]:
    """Return whole words that ``word`` may become, and their stems, where the stem is shorter.

    "rigg" begins "rigging", whose stem has one letter less. The others are guesses, for a word that
    the index does not hold and nothing in it begins with: "opera" is not on its way to "operation"
    where there is an opera.
    """
    if not word.isascii():
        return (), frozenset()
    wholes = [word + ending for ending in ("ing", "ed") if _DOUBLED.search(word)]
    # One after the other: to look for all that begins so takes long, and mostly the word is there.
    if not (reader.words.known(quoted(word)) or reader.words.known(quoted(word, prefix=True))):
        wholes += _completed(word)
    guessed = {
        token: whole
        for whole in wholes
        for _, token in reader.lexicon.tokens(whole)
        if not token.startswith(begun)
    }
    return tuple(guessed.values()), frozenset(guessed)


def _completed(word: str) -> Iterator[str]:
    for suffix in _SUFFIXES:
        for typed in range(1, len(suffix)):
            stem = word[: len(word) - typed]
            if len(stem) >= _SHORTEST_STEM and word[len(stem) :].lower() == suffix[:typed]:
                yield stem + suffix


def find(
    wanted: Sequence[Pattern], words: Sequence[Word], text: str = ""
) -> list[tuple[Span, int]]:
    """Return the spans in ``words`` that match, each with the number of its pattern.

    With the ``text`` they are words of, the signs around them are found, too.
    """
    found: list[tuple[Span, int]] = []
    for number, pattern in enumerate(wanted):
        spans_found = pattern.signs.with_them(pattern.find(words), text)
        found += [(span, number) for span in spans_found or pattern.find_pieces(words)]
    return sorted(found)


def merged(found: Sequence[Span]) -> tuple[Span, ...]:
    """Join spans that overlap or touch."""
    joined: list[Span] = []
    for start, end in sorted(found):
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return tuple(joined)
