"""Small words that Hebrew and Arabic write as one with the next word: "the", "and", "in", "to".

The index holds Hebrew words as they stand, so that "house" has to be looked for as "the house",
too. The stem of an Arabic noun has lost its article and an "in", but not an "and the", and neither
an "as" nor a "to" without an article; those are looked through before longer words alone, since
many short ones are other words with them: "speech" would be "as mother".
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol

from notesearch.notes import Span
from notesearch.store.conditions import quoted


class Index(Protocol):
    """Knows what is in it."""

    def known(self, match: str) -> bool:
        """Return whether any section matches the FTS5 expression ``match``."""

    def asked(self, text: str) -> Sequence[tuple[Span, tuple[str, ...]]]:
        """Return the words of a query, each with the forms any of which finds it."""


_BEFORE = (
    (re.compile("[א-ת]{3,}"), tuple("ה ו ב ל כ מ ש וה וב ול וכ ומ וש שה מה כש".split())),
    (re.compile("[\u0621-\u064a]{3,}"), ("وال", "فال")),
    (re.compile("[\u0621-\u064a]{4,}"), ("ب", "ك", "ل")),
)
"""Letters of a script, and the small words that may stand before a word in it."""

_WITH_ARTICLE = re.compile("[وفبك]?ال([\u0621-\u064a]{2,})")


def with_small_words(forms: Iterable[str], index: Index) -> tuple[str, ...]:
    """Return what stands in the index and is one of ``forms`` with small words before it."""
    known = tuple(forms)
    found = (one for form in known for one in _longer(form, index, prefix=False))
    return tuple(dict.fromkeys(one for one in found if set(known).isdisjoint(_forms(one, index))))


def _forms(word: str, index: Index) -> Iterator[str]:
    """Yield what finds ``word``: its stem may have lost a small word already."""
    return (form for _, forms in index.asked(word) for form in forms)


def beginnings(begun: str, index: Index) -> tuple[str, ...]:
    """Return how else words may begin that are to become what ``begun`` is the beginning of."""
    article = _WITH_ARTICLE.fullmatch(begun)
    bare = article[1] if article else begun
    return (*((bare,) if article else ()), *_longer(bare, index, prefix=True))


def _longer(word: str, index: Index, *, prefix: bool) -> Iterator[str]:
    for letters, small_words in _BEFORE:
        if letters.fullmatch(word):
            longer = (small + word for small in small_words)
            yield from (one for one in longer if index.known(quoted(one, prefix=prefix)))
