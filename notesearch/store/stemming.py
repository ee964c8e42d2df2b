"""The stems of words by language; the only door to Snowball."""

import unicodedata
from collections.abc import Mapping

SNOWBALL: Mapping[str, str] = {
    "ar": "arabic", "ca": "catalan", "da": "danish", "de": "german", "el": "greek",
    "es": "spanish", "fi": "finnish", "fr": "french", "hi": "hindi", "hu": "hungarian",
    "id": "indonesian", "it": "italian", "nb": "norwegian", "ne": "nepali", "nl": "dutch",
    "pt": "portuguese", "ro": "romanian", "ru": "russian", "sv": "swedish", "tr": "turkish",
}  # fmt: skip

_UNSTEMMED = frozenset({"cs", "pl", "vi"})
"""In Latin letters and without a stemmer: the English one would only do harm."""

COMPOUNDING = frozenset({"da", "de", "fi", "hu", "nb", "nl", "sv"})
"""They write several words as one: a "Kühlschrank" is a "Schrank"."""

BEGINNING_ALIKE = frozenset("ca cs da de es fr hu it nb pl pt ro sv vi".split())
"""Their words begin as their stems do, but that a German one may have an e more."""

_ENGLISH = frozenset(
    """
    all and ani are as at be but by can do doe for from had ha he her hi him how if in is it me men
    my no not of off on onc one or our out over she so than that the them then ther there they thi
    this to too us use very veri wa was we were what when where which who will with you your
    """.split()
)
"""Small words of English, as its notes are indexed."""

_FOREIGN = "~"
"""Ends the stem of a word that would be one of them: a German "Note" is not an English "not"."""

_KEPT = 200_000
"""Words whose stems are remembered, of each language."""


def has_own_stems(language: str) -> bool:
    """Return whether words of ``language`` are not stemmed as English ones are."""
    return language in SNOWBALL or language in _UNSTEMMED


class Stems(dict[str, tuple[str, ...]]):
    """The folded stems of the words of one language, by the word in lower case.

    Accents tell endings apart ("marché", "marche"), but not everybody types them: a word has the
    stem of its letters as they stand, and that without its accents where it is another one.
    """

    def __init__(self, language: str) -> None:
        """Load the stemmer of ``language``, if there is one."""
        super().__init__()
        self._stem = None
        if language in SNOWBALL:
            from Stemmer import Stemmer

            self._stem = Stemmer(SNOWBALL[language], 0).stemWord

    def __missing__(self, word: str) -> tuple[str, ...]:
        if len(self) >= _KEPT:
            self.clear()
        plain = without_accents(word)
        found: tuple[str, ...] = (plain,)
        if self._stem is not None:
            stems = [without_accents(self._stem(word)), without_accents(self._stem(plain))]
            stems = [s + _FOREIGN if s in _ENGLISH and s != plain else s for s in stems]
            found = tuple(dict.fromkeys(filter(None, stems))) or found
        self[word] = found
        return found


def without_accents(word: str) -> str:
    """Return ``word`` without the accents of Latin letters, as SQLite folds them."""
    if word.isascii():
        return word
    apart = unicodedata.normalize("NFD", word)
    bare = [
        c
        for i, c in enumerate(apart)
        if not ("\u0300" <= c <= "\u036f" and _stands_on_latin(apart, i))
    ]
    return unicodedata.normalize("NFC", "".join(bare))


def _stands_on_latin(apart: str, at: int) -> bool:
    while at and "\u0300" <= apart[at] <= "\u036f":
        at -= 1
    return apart[at] < "\u0250"
