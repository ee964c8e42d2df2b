"""Small words that Hebrew and Arabic write as one with the next word: "the", "and", "in", "to".

The index holds Hebrew words as they stand, so that "house" has to be looked for as "the house",
too. The stem of an Arabic noun has lost its article and an "in", but not an "and the", and neither
an "as" nor a "to" without an article; those are looked through before longer words alone, since
many short ones are other words with them: "speech" would be "as mother".
"""

import re
from collections.abc import Iterable, Iterator

from notesearch.store.conditions import quoted
from notesearch.store.reader import Reader

_BEFORE = (
    (re.compile("[א-ת]{3,}"), tuple("ה ו ב ל כ מ ש וה וב ול וכ ומ וש שה מה כש".split())),
    (re.compile("[\u0621-\u064a]{3,}"), ("وال", "فال")),
    (re.compile("[\u0621-\u064a]{4,}"), ("ب", "ك", "ل")),
)
"""Letters of a script, and the small words that may stand before a word in it."""

_WITH_ARTICLE = re.compile("[وفبك]?ال([\u0621-\u064a]{2,})")


def with_small_words(forms: Iterable[str], reader: Reader) -> tuple[str, ...]:
    """Return what stands in the index and is one of ``forms`` with small words before it."""
    known = tuple(forms)
    found = (one for form in known for one in _longer(form, reader, prefix=False))
    return tuple(dict.fromkeys(one for one in found if set(known).isdisjoint(_forms(one, reader))))


def _forms(word: str, reader: Reader) -> Iterator[str]:
    """Yield what finds ``word``: its stem may have lost a small word already."""
    return (form for _, forms in reader.lexicon.asked(word) for form in forms)


def beginnings(begun: str, reader: Reader) -> tuple[str, ...]:
    """Return how else words may begin that are to become what ``begun`` is the beginning of."""
    article = _WITH_ARTICLE.fullmatch(begun)
    bare = article[1] if article else begun
    return (*((bare,) if article else ()), *_longer(bare, reader, prefix=True))


def _longer(word: str, reader: Reader, *, prefix: bool) -> Iterator[str]:
    for letters, small_words in _BEFORE:
        if letters.fullmatch(word):
            longer = (small + word for small in small_words)
            yield from (one for one in longer if reader.words.known(quoted(one, prefix=prefix)))
