"""Stems the words of all languages.

Nothing else imports Snowball. Two languages are unknown to Snowball: Hebrew has a few endings here,
and Ukrainian is spelt like Russian before it gets Russian stems. Chinese and Japanese have no
endings that count, but two ways to write many characters.
"""

import re
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from itertools import chain

from notesearch.config import resources
from notesearch.function_words import FUNCTION_WORDS
from notesearch.store.folding import ACCENTS, folded

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
    "uk": "russian",
}

ENGLISH = ""
"""Stands for English and for all languages that have no stems of their own."""

_UNSTEMMED = frozenset({"vi"})
"""Languages in Latin letters without a stemmer; the English one would only do harm."""

COMPOUNDING = frozenset({"da", "de", "fi", "hu", "nb", "nl", "sv"})
"""Languages that write several words as one: a "Kühlschrank" is a "Schrank"."""

_CHARACTERS: Mapping[str, str] = {
    "ja": "JPShinjitaiCharactersRev.txt",
    "zh": "TSCharacters.txt",
}
"""Lists of traditional characters, each with its simplified form (in Japanese, its new form)."""

_HEBREW = "he"
_WITH_STEMS = frozenset((*SNOWBALL, *_UNSTEMMED, *_CHARACTERS, _HEBREW))

_RESPELT: Mapping[str, tuple[tuple[str, str], ...]] = {
    **dict.fromkeys(("da", "nb"), (("aa", "a"), ("oe", "o"))),  # "å", "ø" without accents
    "ar": (("ؤ", "ئ"),),
    "es": (("ces", "z"),),  # luces, luz
    "fi": (  # kaupungin, kukan, matot, pöydän, illan, rannan, kerran, kamman
        *(("ng", "nk"), ("kk", "k"), ("pp", "p"), ("tt", "t")),
        *(("d", "t"), ("lt", "ll"), ("nt", "nn"), ("rt", "rr"), ("mp", "mm")),
    ),
    "hi": (("ये", "ए"), ("यी", "ई")),
    "pt": (("oes", "ao"), ("aes", "ao")),  # nações, pães; without accents, Snowball keeps them
    "uk": (("і", "и"), ("ї", "и"), ("є", "е")),  # letters that the Russian stemmer knows
    "vi": tuple((f"{before}y", f"{before}i") for before in ("h", "k", "l", "m", "s", "t", "qu")),
}
"""Letters that have a second spelling, or that change before an ending: pairs by language."""

_VOWEL = "[aeiouyæøåäö]"
_CONSONANT = "[b-df-hj-np-tv-xz]"
_RUSSIAN_FLEETING = "[еёо](?=[кн]$)|[её](?=[лрц]$)|е(?=нь$)"
_ENDINGS: Mapping[str, tuple[tuple[re.Pattern[str], str], ...]] = {
    language: tuple((re.compile(ending), other) for ending, other in pairs)
    for language, pairs in {
        **dict.fromkeys(
            ("da", "nb"),
            ((rf"({_VOWEL}{_CONSONANT}*?({_CONSONANT}))\2?e(?=l$)", r"\1"),),
        ),
        "cs": (("e(?=[clnrv]$)", ""),),
        "el": (("ικα$", "ικος"), ("ια$", "ιο")),
        "fi": (  # nainen naisen, vastaus vastauksen, rikkauden, kaloja kaloissa kalan
            *(("nen$", "sen"), ("(?<=[ouyö])s$", "ksen"), ("(?<=[uy])t(?=e)", "ks")),
            *(("oje?", "a"), ("oi", "ai")),
        ),
        "pl": (("i?e(?=[cklłnńr]$)", ""),),
        "ru": ((_RUSSIAN_FLEETING, ""),),
        "sv": ((rf"({_VOWEL}{_CONSONANT}*?(?:m(?=me)|{_CONSONANT}))m?e(?=l$)", r"\1"),),
        "uk": (  # Russian endings
            *(("ив$", "ов"), ("[ое]ви$", "у"), ("ои$", "ой"), ("с[яь]$", ""), ("ти$", "ть")),
            (_RUSSIAN_FLEETING, ""),
        ),
    }.items()
}
"""Patterns and replacements by language. In order, they turn a form of a word into another form,
whose stem more forms have.

Most remove the vowel before the last letter, which other forms lack: sykkel and sykler, konec and
konce, rynek and rynku, отец and отца, cykel and cyklar. In the languages of the north, the only
vowel of a word stays: del, dele.
"""

_STEMMED_ONCE = frozenset({"ca", "hi", "id"})
"""Languages in which the stem of a stem is often another word. In others, a word without an ending
often looks as if it had one (Turkish yumurta, yumurtalar), and one that lost an ending may have
another (Swedish bilarnas)."""

_SURE = 3
"""Letters. A shorter stem is often wrong (Turkish insan, man: in). It is never a stem of a stem,
and a word that has one is kept as well."""

BEGINNING_ALIKE = frozenset(
    "ar ca cs da de el es fa fr he hi hu it nb ne pl pt ro ru sv vi zh".split()
)
"""Languages whose ASCII words begin with their stems. (A German stem may have one more "e". In
languages of other scripts, ASCII words are English words and names.)"""

_FUNCTION = "~"
"""Marks the stem of a word that only looks like a function word: a German "Note" is not an English
"not", and a Swedish "motor" is not a "mot" (against)."""

_ENGLISH_WORDS = frozenset({"men", "one"})
"""Frequent English words to which frequent words of other languages are cut: Spanish menos. They
are treated like function words."""

_PLURAL = re.compile("(?:[b-df-hj-np-tv-xz]{2,}[aou]?|menu)(?<!s)s")
"""Plurals that Snowball does not know: "PDFs", "CPUs", "menus"."""

_CACHED = 50_000


def unmarked(stem: str) -> str:
    """Return ``stem`` without the mark of a word that only looks like a function word."""
    return stem.removesuffix(_FUNCTION)


def has_own_stems(language: str) -> bool:
    """Return whether ``language`` has its own stems; all others are stemmed as English."""
    return language in _WITH_STEMS


Term = str | tuple[str, ...]
"""A word, or all forms of a word at one position."""


def stemmer(language: str) -> Callable[[str], Term]:
    """Return a function that stems a word of ``language`` in lower case, without accents."""
    return lru_cache(_CACHED)(_stemmer(language))


@dataclass(frozen=True, slots=True)
class _FunctionWords:
    """The function words of a language.

    Attributes:
        words: The function words as they are written.
        unaccented: The words with accents, written without them. Each may be another word (Turkish
            su for şu).
        stems: The stems of all of them, and of English function words.
    """

    words: frozenset[str] = frozenset()
    unaccented: frozenset[str] = frozenset()
    stems: frozenset[str] = frozenset()


def _stemmer(language: str) -> Callable[[str], Term]:
    if language in _UNSTEMMED:
        return partial(_forms, without_accents, language, _FunctionWords())
    if language == _HEBREW:
        return partial(_forms, _hebrew_stem, language, _FunctionWords())
    from Stemmer import Stemmer

    english: Callable[[str], str] = Stemmer("english", 0).stemWord
    if language not in SNOWBALL:
        return partial(_english_stem, english, language)
    stem = partial(_folded_stem, Stemmer(SNOWBALL[language], 0).stemWord)
    own_words = frozenset(folded(word.casefold()) for word in FUNCTION_WORDS.get(language, ()))
    own_stems = chain.from_iterable(_stems(stem, language, word) for word in own_words)
    function_words = _FunctionWords(
        words=own_words,
        unaccented=frozenset(map(without_accents, own_words)) - own_words,
        stems=frozenset(own_stems).union(map(english, FUNCTION_WORDS["en"]), _ENGLISH_WORDS),
    )
    return partial(_forms, stem, language, function_words)


def _folded_stem(snowball: Callable[[str], str], word: str) -> str:
    """Return the stem of ``word`` in the letters of the index.

    Snowball changes some letters: Arabic ones into Persian ones, Cyrillic ones into a Latin "đ".
    """
    stem = snowball(word)
    return stem if stem.isascii() else folded(stem)


def _english_stem(snowball: Callable[[str], str], language: str, word: str) -> str:
    if not word.isascii():
        word = without_accents(word)
        if not word.isascii():
            return simplified(word, language)
    return word[:-1] if word[-1] == "s" and _PLURAL.fullmatch(word) else snowball(word)


def _forms(
    stem: Callable[[str], str],
    language: str,
    function_words: _FunctionWords,
    word: str,
) -> Term:
    """Return all stems of ``word``.

    If ``word`` is no function word, but has the stem of one, this stem is marked, and ``word``
    itself counts as a stem, too: the stem of the Spanish "paredes" is "pared", not "par".

    Args:
        stem: Returns the stem of a word.
        language: The language of the word.
        function_words: The function words of the language.
        word: A word in lower case.
    """
    stems = _stems(stem, language, word)
    like_function_words = [each for each in stems if each in function_words.stems]
    if word in function_words.unaccented:
        stems += (each + _FUNCTION for each in like_function_words)
    elif like_function_words and word not in function_words.words:
        plain = without_accents(word)
        kept = [each for each in stems if each not in function_words.stems]
        marked = (each + _FUNCTION for each in like_function_words if each != word)
        stems = list(dict.fromkeys((*kept, plain, *marked)))
    return tuple(stems) if len(stems) > 1 else stems[0]


def _stems(stem: Callable[[str], str], language: str, word: str) -> list[str]:
    """Return all stems of ``word``, with ``word`` itself where its stem may say too little."""
    plain = respelt = without_accents(word)
    for written, letter in _RESPELT.get(language, ()):
        respelt = respelt.replace(written, letter)
    if respelt == plain:
        respelt = word
    for ending, other in _ENDINGS.get(language, ()):
        respelt = ending.sub(other, respelt)
    ways = dict.fromkeys((word, plain, respelt))
    stems = [without_accents(stem(way)) for way in ways]
    if language not in _STEMMED_ONCE:
        again = (without_accents(stem(stem(way))) for way in ways)
        is_short = any(len(each) < _SURE for each in stems)
        stems = [each for each in stems if len(each) > 1]
        stems += (each for each in again if len(each) >= _SURE)
        if is_short:
            stems.append(plain)
    # Words are typed from their beginning: Dutch "getekend" is kept beside its stem "teek".
    if not any(plain.startswith(each[:-1]) for each in stems):
        stems.append(plain)
    return list(dict.fromkeys(filter(None, stems))) or [plain]


_HEBREW_ENDING = re.compile("(?<=[א-ת]{3})(?:י?ים|י?ות|י?ה|ית|י|א)$|(?<=^[א-ת]{2})ים$")
_FINAL_LETTERS = str.maketrans("םןץףך", "מנצפכ")


def _hebrew_stem(word: str) -> str:
    return _HEBREW_ENDING.sub("", word).translate(_FINAL_LETTERS)


def simplified(text: str, language: str) -> str:
    """Return ``text``, of the same length, with simplified in place of traditional characters.

    Only text in Chinese and Japanese changes.
    """
    return text.translate(_simplified_characters(language)) if language in _CHARACTERS else text


@cache
def _simplified_characters(language: str) -> Mapping[int, str]:
    file = resources() / "characters" / _CHARACTERS[language]
    lines = file.read_text("utf-8").splitlines()
    pairs = (line.split()[:2] for line in lines if line and not line.startswith("#"))
    return {ord(traditional): character for traditional, character in pairs}


def without_accents(word: str) -> str:
    """Return ``word`` without the accents of Latin letters, as SQLite folds them."""
    if word.isascii():
        return word
    return unicodedata.normalize("NFC", _ACCENTED.sub(r"\1", unicodedata.normalize("NFD", word)))


_ACCENTED = re.compile(f"([A-Za-z\u00c0-\u024f])[{ACCENTS}]+")
