"""Stems words of all languages except English, which SQLite stems itself (``tokenizer``).

Nothing else imports Snowball.
"""

import unicodedata
from collections.abc import Mapping

SNOWBALL: Mapping[str, str] = {
    "ar": "arabic",
    "ca": "catalan",
    "da": "danish",
    "de": "german",
    "el": "greek",
    "es": "spanish",
    "fi": "finnish",
    "fr": "french",
    "hi": "hindi",
    "hu": "hungarian",
    "id": "indonesian",
    "it": "italian",
    "nb": "norwegian",
    "ne": "nepali",
    "nl": "dutch",
    "pt": "portuguese",
    "ro": "romanian",
    "ru": "russian",
    "sv": "swedish",
    "tr": "turkish",
}

_UNSTEMMED = frozenset({"cs", "pl", "vi"})
"""Languages in Latin letters without a stemmer; the English one would only do harm."""

COMPOUNDING = frozenset({"da", "de", "fi", "hu", "nb", "nl", "sv"})
"""Languages that write several words as one: a "Kühlschrank" is a "Schrank"."""

BEGINNING_ALIKE = frozenset("ar ca cs da de el es fr hi hu it nb ne pl pt ro ru sv vi".split())
"""Languages whose ASCII words begin with their stems. (A German stem may have one more "e". In
languages of other scripts, ASCII words are English words and names.)"""

_ENGLISH = frozenset(
    """
    all and ani are as at be but by can do doe for from had ha he her hi him how if in is it me men
    my no not of off on onc one or our out over she so than that the them then ther there they thi
    this to too us use very veri wa was we were what when where which who will with you your
    """.split()
)
"""English function words, stemmed."""

_FOREIGN = "~"
"""Marks a stem that looks like an English function word: a German "Note" is not a "not"."""

_CACHED = 200_000
"""Words of each language whose stems are cached."""


def has_own_stems(language: str) -> bool:
    """Return whether ``language`` has its own stemmer; all others are stemmed as English."""
    return language in SNOWBALL or language in _UNSTEMMED


class Stems(dict[str, tuple[str, ...]]):
    """The stems of the words of one language, without accents, by the word in lower case.

    Accents distinguish endings ("marché", "marche"), but not everybody types them. So a word has
    the stem of its written form and, if that differs, the stem of its form without accents.
    """

    def __init__(self, language: str) -> None:
        """Load the stemmer of ``language``, if there is one."""
        super().__init__()
        self._stem = None
        if language in SNOWBALL:
            from Stemmer import Stemmer

            self._stem = Stemmer(SNOWBALL[language], 0).stemWord

    def __missing__(self, word: str) -> tuple[str, ...]:
        if len(self) >= _CACHED:
            self.clear()
        plain = without_accents(word)
        forms: tuple[str, ...] = (plain,)
        if self._stem is not None:
            stems = [without_accents(self._stem(word)), without_accents(self._stem(plain))]
            stems = [s + _FOREIGN if s in _ENGLISH and s != plain else s for s in stems]
            forms = tuple(dict.fromkeys(filter(None, stems))) or forms
        self[word] = forms
        return forms


def without_accents(word: str) -> str:
    """Return ``word`` without the accents of Latin letters, as SQLite folds them."""
    if word.isascii():
        return word
    decomposed = unicodedata.normalize("NFD", word)
    plain = [
        c
        for i, c in enumerate(decomposed)
        if not ("\u0300" <= c <= "\u036f" and _stands_on_latin(decomposed, i))
    ]
    return unicodedata.normalize("NFC", "".join(plain))


def _stands_on_latin(decomposed: str, at: int) -> bool:
    while at and "\u0300" <= decomposed[at] <= "\u036f":
        at -= 1
    return decomposed[at] < "\u0250"
