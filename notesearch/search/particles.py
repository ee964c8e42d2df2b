"""Small words that Hebrew and Arabic write as one with the next word: "the", "and", "in", "to".

The index holds Hebrew words as they stand, so that "house" has to be looked for as "the house",
too. The stem of an Arabic noun has lost its article, but not an "and the".
"""

import re
from collections.abc import Iterable, Iterator
from typing import Protocol

from notesearch.store.conditions import quoted


class Index(Protocol):
    """Knows what is in it."""

    def known(self, match: str) -> bool:
        """Return whether any section matches the FTS5 expression ``match``."""


_BEFORE = (
    (re.compile("[א-ת]{3,}"), tuple("ה ו ב ל כ מ ש וה וב ול וכ ומ וש שה מה כש".split())),
    (re.compile("[\u0621-\u064a]{3,}"), ("وال", "فال")),
)
"""Letters of a script, and the small words that may stand before a word in it."""

_WITH_ARTICLE = re.compile("[وفبك]?ال([\u0621-\u064a]{2,})")


def with_small_words(forms: Iterable[str], index: Index) -> tuple[str, ...]:
    """Return what stands in the index and is one of ``forms`` with small words before it."""
    return tuple(dict.fromkeys(one for form in forms for one in _longer(form, index, prefix=False)))


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
