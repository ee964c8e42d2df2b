"""Computes how much of a query headings, titles and file names have: the signal ``headings``."""

from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

from notesearch.search.habits import content_words
from notesearch.search.patterns import Pattern
from notesearch.search.query_resolution import ResolvedQuery
from notesearch.store.reader import Reader
from notesearch.store.rows import NoteRow, SectionRow


def heading_shares(
    reader: Reader,
    query: ResolvedQuery,
    worths: Sequence[float],
    rows: Mapping[int, SectionRow],
    notes: Mapping[int, NoteRow],
) -> dict[int, float]:
    """Return by section id how much of the query its headings have, from 0 to 1.

    The result is the mean of two shares: of the query in the section's own heading, and in folder,
    file name, title, aliases and all headings together. Half of the first share is multiplied by
    the share of the heading that is in the query, because "v-else" is nearer to "v-else" than
    "v-else-if" is. The title does not count as own heading. Sections without any word in these
    texts are left out. ``worths`` says how much each word of the query counts; all count alike if
    it is empty.
    """
    judge = _HeadingJudge(reader, query.groups, worths)
    names = {id_: _names(note) for id_, note in notes.items()}
    headings = chain.from_iterable(row.path for row in rows.values())
    judged = judge.words_by_text({*names.values(), *headings})
    shares: dict[int, float] = {}
    for id_, row in rows.items():
        has_own = row.path and row.path != (notes[row.note_id].title,)
        own = judged.get(row.path[-1], _NO_WORDS) if has_own else _NO_WORDS
        path = 0
        for text in (names[row.note_id], *row.path):
            path |= judged.get(text, _NO_WORDS).bits
        if path:
            share_of_own = judge.share(own.bits) * (1 + own.share_of_text) / 2
            shares[id_] = (share_of_own + judge.share(path)) / 2
    return shares


class _WordsInText(NamedTuple):
    """The words of the query in a text, as a bit set, and the share of the text that they are."""

    bits: int
    share_of_text: float


_NO_WORDS = _WordsInText(0, 0.0)


class _HeadingJudge:
    """Compares headings with the words of one query; sets of words are bit sets."""

    def __init__(
        self, reader: Reader, groups: Sequence[Sequence[Pattern]], worths: Sequence[float]
    ) -> None:
        self._reader = reader
        self._worths = worths or [1.0] * len(groups)
        patterns = list(chain.from_iterable(groups))
        tokens = dict.fromkeys(token for pattern in patterns for token in pattern.tokens)
        bits = {token: 1 << number for number, token in enumerate(tokens)}
        self._groups = [
            [sum(bits[token] for token in set(_content(pattern))) for pattern in group]
            for group in groups
        ]
        self.share = lru_cache(None)(self._share)
        self._bits: dict[str, int] = {}
        for pattern in patterns:
            for token, forms in zip(pattern.tokens, pattern.forms, strict=True):
                for form in (token, *forms):
                    self._bits[form] = self._bits.get(form, 0) | bits[token]
        # An unfinished last word may become any word that begins like it.
        self._prefixes = {p.beginning: bits[p.tokens[-1]] for p in patterns if p.beginning}

    def words_by_text(self, texts: Collection[str]) -> dict[str, _WordsInText]:
        """Return the query's words in each text; texts without any are left out."""
        judged = ((text, self._words_in(text)) for text in texts)
        return {text: words for text, words in judged if words.bits}

    def _words_in(self, text: str) -> _WordsInText:
        bits = matching = 0
        tokens = content_words(self._reader, text)
        for token in tokens:
            words = self._bits.get(token, 0)
            for prefix, bit in self._prefixes.items():
                if token.startswith(prefix):
                    words |= bit
            bits |= words
            matching += words > 0
        return _WordsInText(bits, matching / max(len(tokens), 1))

    def _share(self, bits: int) -> float:
        """Return the share of the query, 0 to 1, that the words in the bit set ``bits`` make up."""
        reached = whole = 0.0
        for group, worth in zip(self._groups, self._worths, strict=True):
            parts = [(bits & words).bit_count() / words.bit_count() for words in group if words]
            reached += worth * max(parts, default=0.0)
            whole += worth
        return reached / whole if whole else 0.0


def _content(pattern: Pattern) -> list[str]:
    """Return those tokens of ``pattern`` that are worth finding alone, or all if none is."""
    words = zip(pattern.tokens, pattern.forms, strict=True)
    content = [token for token, forms in words if not forms.isdisjoint(pattern.content_tokens)]
    return content or list(pattern.tokens)


def _names(note: NoteRow) -> str:
    """Return folder, file name, title and aliases of a note, as one text."""
    return " ".join((note.path.rpartition(".")[0], note.title, *note.aliases))
