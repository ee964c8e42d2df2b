"""Stems the words of all languages.

Nothing else imports Snowball. Hebrew, which Snowball does not know, has a few endings here. Chinese
has no endings, but two ways to write its characters.
"""

import re
import unicodedata
from collections.abc import Callable, Mapping
from functools import cache, lru_cache, partial

from notesearch.config import resources
from notesearch.store.folding import ACCENTS

SNOWBALL: Mapping[str, str] = {
    "ar": "arabic",
    "ca": "catalan",
    "cs": "czech",
    "da": "danish",
    "de": "german",
    "el": "greek",
    "es": "spanish",
    "fa": "persian",
    "fi": "finnish",
    "fr": "french",
    "hi": "hindi",
    "hu": "hungarian",
    "id": "indonesian",
    "it": "italian",
    "nb": "norwegian",
    "ne": "nepali",
    "nl": "dutch",
    "pl": "polish",
    "pt": "portuguese",
    "ro": "romanian",
    "ru": "russian",
    "sr": "serbian",
    "sv": "swedish",
    "tr": "turkish",
}

ENGLISH = ""
"""Stands for English and for all languages that have no stems of their own."""

_UNSTEMMED = frozenset({"vi"})
"""Languages in Latin letters without a stemmer; the English one would only do harm."""

COMPOUNDING = frozenset({"da", "de", "fi", "hu", "nb", "nl", "sv"})
"""Languages that write several words as one: a "Kühlschrank" is a "Schrank"."""

CHINESE = "zh"

_HEBREW = "he"

_RESPELT: Mapping[str, tuple[tuple[str, str], ...]] = {
    **dict.fromkeys(("da", "nb"), (("aa", "a"), ("oe", "o"))),  # "å", "ø" without accents
    "ar": (("ؤ", "ئ"),),
    "es": (("ces", "z"),),  # luces, luz
    "fi": (("ng", "nk"), ("kk", "k"), ("pp", "p"), ("tt", "t")),  # kaupungin, kukan, matot
    "hi": (("ये", "ए"), ("यी", "ई")),
    "pt": (("oes", "ao"), ("aes", "ao")),  # nações, pães; without accents, Snowball keeps them
    "vi": tuple((f"{before}y", f"{before}i") for before in ("h", "k", "l", "m", "s", "t", "qu")),
}
"""Letters that have a second spelling, or that change before an ending: pairs by language."""

_STEMMED_TWICE = frozenset({"ar", "el", "fi", "hu", "tr"})
"""Languages with many endings: a word without one often looks as if it had one (Turkish yumurta,
yumurtalar), and one that lost an ending may have another."""

_WITH_WORDS = frozenset({_HEBREW, "sr"})
"""Languages in which some words do not begin with their stems. So the index also has the words.

A Hebrew stem never has the final form of a letter, and a Serbian stem has Latin letters.
"""

BEGINNING_ALIKE = frozenset(
    "ar ca cs da de el es fa fr he hi hu it nb ne pl pt ro ru sv vi zh".split()
)
"""Languages whose ASCII words begin with their stems. (A German stem may have one more "e". In
languages of other scripts, ASCII words are English words and names.)"""

_FUNCTION_WORDS = frozenset(
    """
    all and ani are as at back be but by can do doe for from had has he her him his how if in is
    it me men my no not of off on onc one or our out over she so than that the them then there
    they this to too us use veri was we were what when where which who will with you your
    """.split()
)
"""English function words, stemmed."""

_FOREIGN = "~"
"""Marks a stem that looks like an English function word: a German "Note" is not a "not"."""

_PLURAL = re.compile("(?:[b-df-hj-np-tv-xz]{2,}[aou]?|menu)(?<!s)s")
"""Plurals that Snowball does not know: "PDFs", "CPUs", "menus"."""

_CACHED = 50_000


def has_own_stems(language: str) -> bool:
    """Return whether ``language`` has its own stems; all others are stemmed as English."""
    return language in SNOWBALL or language in _UNSTEMMED or language in {CHINESE, _HEBREW}


Term = str | tuple[str, ...]
"""A word, or all forms of a word at one position."""


def stemmer(language: str) -> Callable[[str], Term]:
    """Return a function that stems a word of ``language`` in lower case, without accents."""
    return lru_cache(_CACHED)(_stemmer(language))


def _stemmer(language: str) -> Callable[[str], Term]:
    if language in _UNSTEMMED:
        return partial(_forms, without_accents, language)
    if language == _HEBREW:
        return partial(_forms, _hebrew_stem, language)
    from Stemmer import Stemmer

    snowball: Callable[[str], str] = Stemmer(SNOWBALL.get(language, "english"), 0).stemWord
    if language in SNOWBALL:
        return partial(_forms, snowball, language)
    return partial(_english_stem, snowball, language == CHINESE)


def _english_stem(snowball: Callable[[str], str], simplify: bool, word: str) -> str:
    if not word.isascii():
        word = without_accents(word)
        if not word.isascii():
            return simplified(word) if simplify else word
    return word[:-1] if word[-1] == "s" and _PLURAL.fullmatch(word) else snowball(word)


def _forms(stem: Callable[[str], str], language: str, word: str) -> Term:
    plain = respelt = without_accents(word)
    for written, letter in _RESPELT.get(language, ()):
        respelt = respelt.replace(written, letter)
    ways = dict.fromkeys((word, plain, respelt))
    stems = [without_accents(stem(way)) for way in ways]
    if language in _STEMMED_TWICE:
        stems += [without_accents(stem(stem(way))) for way in ways]
    stems = [s + _FOREIGN if s in _FUNCTION_WORDS and s != plain else s for s in stems]
    if language in _WITH_WORDS:
        stems.append(plain)
    forms = tuple(dict.fromkeys(filter(None, stems))) or (plain,)
    return forms if len(forms) > 1 else forms[0]


_HEBREW_ENDING = re.compile("(?<=[א-ת]{3})(?:ים|י?ות|י?ה|א)$")
_FINAL_LETTERS = str.maketrans("םןץףך", "מנצפכ")


def _hebrew_stem(word: str) -> str:
    return _HEBREW_ENDING.sub("", word).translate(_FINAL_LETTERS)


def simplified(text: str) -> str:
    """Return ``text``, of the same length, with simplified in place of traditional characters."""
    return text.translate(_simplified_characters())


@cache
def _simplified_characters() -> Mapping[int, str]:
    lines = (resources() / "chinese" / "TSCharacters.txt").read_text("utf-8").splitlines()
    pairs = (line.split()[:2] for line in lines if line and not line.startswith("#"))
    return {ord(traditional): character for traditional, character in pairs}


def without_accents(word: str) -> str:
    """Return ``word`` without the accents of Latin letters, as SQLite folds them."""
    if word.isascii():
        return word
    return unicodedata.normalize("NFC", _ACCENTED.sub(r"\1", unicodedata.normalize("NFD", word)))


_ACCENTED = re.compile(f"([A-Za-z\u00c0-\u024f])[{ACCENTS}]+")
