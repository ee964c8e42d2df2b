"""Finds the language of a note and of a code block.

The front matter of a note may name its language. Otherwise the program detects it by script and
function words.
"""

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import chain

from notesearch.function_words import FUNCTION_WORDS

_SAMPLE = 6_000
_MIN_LETTERS = 12
_MIN_VOTES = 2.0
_MIN_SHARE = 0.06
_CLEAR_LEAD = 1.15
"""The best language needs this many times the votes of the second best."""

_FEW_VOTES = 1.2
_LARGE_LEAD = 2.5
"""Fewer votes are enough for a language other than English if its lead is this large."""

_ALIKE = {"da": "nb"}
"""A language, and another one with nearly the same words, which wins if the lead is small."""

_NAMES: Mapping[str, str] = {
    name: language
    for language, names in {
        "am": "ethiopic",
        "ar": "arabic",
        "bn": "bengali",
        "cs": "czech",
        "da": "danish dansk",
        "de": "german deutsch",
        "el": "greek",
        "en": "english",
        "es": "spanish español",
        "fi": "finnish suomi",
        "fr": "french français",
        "gu": "gujarati",
        "he": "hebrew",
        "hi": "hindi devanagari",
        "hu": "hungarian",
        "hy": "armenian",
        "it": "italian italiano",
        "ja": "japanese 日本語 hiragana katakana halfwidth",
        "ka": "georgian",
        "km": "khmer",
        "kn": "kannada",
        "ko": "korean 한국어 hangul",
        "lo": "lao",
        "ml": "malayalam",
        "my": "myanmar",
        "nb": "norwegian norsk",
        "ne": "nepali नेपाली",
        "nl": "dutch nederlands",
        "pa": "gurmukhi",
        "pl": "polish polski",
        "pt": "portuguese português",
        "ro": "romanian",
        "ru": "russian русский",
        "si": "sinhala",
        "sv": "swedish svenska",
        "ta": "tamil",
        "te": "telugu",
        "th": "thai",
        "tr": "turkish türkçe",
        "uk": "ukrainian українська",
        "vi": "vietnamese",
        "zh": "chinese 中文 cjk",
    }.items()
    for name in names.split()
}
"""The code of each language, by its English name, its own, and Unicode's name of a script that only
this language, or hardly any other, is written in; in lower case."""

_SHARED_SCRIPTS = ("cyrillic", "arabic", "latin")
"""Scripts of many languages."""

_ABOVE_LATIN = re.compile("[^\x00-\u036f\U00040000-\U0010ffff]")
"""Characters above Latin; a negated range, because the positive one takes 3 ms to compile."""

_CACHED_LETTERS = 1 << 14

_ASCII = bytes(range(0x80))
_NO_LETTERS = bytes(code for code in range(0x100) if code >= 0x80 or not chr(code).isalpha())

_DENSITY = 3.0
"""One Han, kana or Hangul character weighs as much as this many Latin letters."""

_FOREIGN_SHARE = 0.25
"""Share at which another script counts as the main one: names and code are in Latin everywhere."""

_KANA_SHARE = 0.1

_WRITTEN_IN: Mapping[str, Sequence[str]] = {
    "cyrillic": ("ru", "uk", "bg", "be", "mk", "sr"),
    "arabic": ("ar", "fa", "ur"),
}
"""The languages in a script. The first one is that of a text whose words and letters show none."""

_PERSIAN = re.compile("[\u06a9\u06cc]")
"""Letters that Persian and Urdu write in another form than Arabic does."""

_NEPALI = re.compile(
    "[\u0900-\u0963](?:को|लाई|हरू|मा|दछ)(?![\u0900-\u0963])|छ(?:न्)?(?![\u0900-\u0963])"
)
_HINDI = re.compile("(?<![\u0900-\u0963])(?:हैं?|में|और|नहीं|का|की|से|पर|करें|आप)(?![\u0900-\u0963])")
"""Words and endings that only one of the languages with the letters of Hindi often has."""

_LETTERS_OF: Mapping[str, str] = {
    "bg": "ъщ",
    "be": "ў",
    "cs": "řěůčšžáíýú",
    "da": "æøå",
    "de": "ßäöü",
    "es": "ñ¿¡áíúó",
    "fa": "پچژگ",
    "fi": "äö",
    "hu": "őűöüáíúó",
    "mk": "ќѓѕј",
    "nb": "æøå",
    "pl": "łżźćńśąęó",
    "pt": "ãõçáíúó",
    "ro": "țșţăâ",
    "ru": "ыэёщ",
    "sr": "јљњћђџ",
    "sv": "åäö",
    "tr": "ğıİşçöü",
    "uk": "їєґі",
    "ur": "ٹڈےں",
    "vi": "".join(map(chr, range(0x1EA0, 0x1EFA))) + "ơưđ",
}
"""Letters that few languages have."""

_LETTER_VOTE = 0.4
"""The vote of a letter that a single language has; a function word of one language has 1."""


def _turned(things: Mapping[str, Iterable[str]]) -> Mapping[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for language, each in things.items():
        for thing in each:
            found[thing] = (*found.get(thing, ()), language)
    return found


_LANGUAGES_OF = _turned(FUNCTION_WORDS)
_LANGUAGES_WITH = _turned(_LETTERS_OF)
"""The languages of each function word, and of each letter that few languages have."""

_WORD = re.compile(r"(?<![^\W_])[^\W\d_]++(?!\d)")
"""Letters that are no part of a name or number with digits, such as "de1" or "0a30d"."""

_CODE_WORD = re.compile(r"[\w+#.-]+")
_CODE_NAMES = {
    name: language
    for language, names in {
        "bash": "shell sh console zsh",
        "cpp": "c++ cxx",
        "csharp": "c# cs",
        "dockerfile": "docker",
        "go": "golang",
        "haskell": "hs",
        "javascript": "js jsx node",
        "kotlin": "kt",
        "makefile": "make",
        "markdown": "md",
        "powershell": "ps1 pwsh",
        "python": "ipython ipython3 py py3 python3",
        "ruby": "rb",
        "rust": "rs",
        "typescript": "ts tsx",
        "yaml": "yml",
    }.items()
    for name in names.split()
}
"""The usual name of each language of code, by its other names."""


def named_language(properties: Mapping[str, str]) -> str:
    """Return the ISO 639-1 code of the language that front matter names; empty for none."""
    for key, value in properties.items():
        if key.lower() in {"lang", "language"}:
            word = value.strip().casefold()
            code = _NAMES.get(word) or re.split("[-_]", word)[0]
            if code == "no":
                code = "nb"
            if code in FUNCTION_WORDS or code in _NAMES.values():
                return code
    return ""


_IN_PATH = re.compile(r"(?:\A|/)i18n/([a-z]{2})(?:[-_]\w+)?/|\.([a-z]{2})(?:[-_]\w+)?\.\w+\Z")


def language_of_path(path: str) -> str:
    """Return the language of a translation: "fr" in ``i18n/fr/a.md`` and ``a.fr.md``; or empty."""
    named = _IN_PATH.search(path)
    return named_language({"lang": named[1] or named[2]}) if named else ""


def detected_language(texts: Sequence[str]) -> str:
    """Return the ISO 639-1 code of the main language of ``texts``; empty if it is unclear.

    A text in a script of several languages gets the most usual one if nothing shows another.
    """
    sample = _sample(texts)
    script = _script(sample)
    clear = _clear_language(sample, script)
    return clear or (_by_letters(sample, script) if script in _WRITTEN_IN else "")


def query_language(text: str) -> str:
    """Return the ISO 639-1 code of the language of a query; empty if it is unclear.

    A few words in Cyrillic letters need not be Russian.
    """
    sample = _sample((text,))
    return _clear_language(sample, _script(sample))


def _clear_language(sample: str, script: str) -> str:
    if script == "latin" or script in _WRITTEN_IN:
        return _by_words(sample, _WRITTEN_IN.get(script))
    if script == "hi" and _NEPALI.search(sample) and not _HINDI.search(sample):
        return "ne"
    return script


def section_language(language: str, texts: Sequence[str]) -> str:
    """Return the language of a section with ``texts``, in a note in ``language``.

    It differs from ``language`` only in an English note: elsewhere, code and names look English.
    """
    return (language == "en" and detected_language(texts)) or language


def _sample(texts: Sequence[str]) -> str:
    return "\n".join(text[:_SAMPLE] for text in texts)[:_SAMPLE]


@lru_cache(_CACHED_LETTERS)
def _script_of(letter: str) -> str:
    name = re.split("[ -]", unicodedata.name(letter, "").lower())[0]
    return name if name in _SHARED_SCRIPTS else _NAMES.get(name, "")


def _script(sample: str) -> str:
    if not _ABOVE_LATIN.search(sample):
        return "latin"
    count = Counter(dict.fromkeys(_SHARED_SCRIPTS, 0))
    for letter, times in Counter(_wide(sample)).items():
        count[_script_of(letter)] += times
    count.pop("", None)
    count["latin"] += len(sample.encode("utf-8", "replace").translate(None, _NO_LETTERS))
    for name in ("zh", "ja", "ko"):
        count[name] = round(count[name] * _DENSITY)
    total = sum(count.values())
    if total < _MIN_LETTERS:
        return ""
    if count["ja"] and count["ja"] >= _KANA_SHARE * (count["zh"] + count["ja"]):
        count["ja"] += count.pop("zh")
    latin = count.pop("latin")
    name, most = max(count.items(), key=lambda item: item[1])
    if most >= _FOREIGN_SHARE * total:
        return name
    return "latin" if latin else ""


def _wide(sample: str) -> str:
    return sample.encode("utf-8", "replace").translate(None, _ASCII).decode()


def _by_words(sample: str, candidates: Sequence[str] | None) -> str:
    """Return the language with clearly the most function words and letters of its own; else ""."""
    words = _WORD.findall(sample.lower())
    votes: dict[str, float] = defaultdict(float)
    for word, times in Counter(filter(_LANGUAGES_OF.__contains__, words)).items():
        languages = _LANGUAGES_OF[word]
        # A word that occurs many times may be a name, and a single letter a variable.
        counted = 1 if len(word) == 1 and word not in "aio" else 4
        vote = min(times, counted) / len(languages) ** 0.5
        for language in languages:
            votes[language] += vote
    for letter, times in Counter(_wide(sample[: _SAMPLE // 2]).lower()).items():
        languages = _LANGUAGES_WITH.get(letter, ())
        for language in languages:
            votes[language] += _LETTER_VOTE * min(times, 4) / len(languages) ** 0.5
    ranked = sorted(
        (item for item in votes.items() if not candidates or item[0] in candidates),
        key=lambda item: -item[1],
    )
    if not ranked:
        return ""
    best, most = ranked[0]
    alike = _ALIKE.get(best, "")
    if alike and most < _CLEAR_LEAD * votes[alike]:
        best = alike
    rivals = (n for rival, n in ranked if rival != best and _ALIKE.get(rival) != best)
    second = next(rivals, 0.0)
    has_word = any(len(word) > 1 and word in FUNCTION_WORDS[best] for word in words)
    has_letter = any(letter in sample for letter in _LETTERS_OF.get(best, ""))
    if best != "en" and not (has_word or has_letter):
        return ""  # single letters are often names of options and variables
    is_ahead = best != "en" and most >= _LARGE_LEAD * second
    least = max(_FEW_VOTES if is_ahead else _MIN_VOTES, _MIN_SHARE * len(words))
    return best if most >= max(least, _CLEAR_LEAD * second) else ""


def _by_letters(sample: str, script: str) -> str:
    letters = chain.from_iterable(_LANGUAGES_WITH.get(c, ()) for c in _wide(sample.lower()))
    votes = Counter(filter(_WRITTEN_IN[script].__contains__, letters))
    is_persian = script == "arabic" and _PERSIAN.search(sample)
    usual = "fa" if is_persian else _WRITTEN_IN[script][0]
    return max(votes, key=votes.__getitem__, default=usual)


_DIRECTIVE = re.compile(r"\s*\{(?:code-block|code|code-cell|sourcecode|highlight)\}(?=\s*\w)")
"""The name of a directive, which MyST writes before the language of a code block."""


def code_language(info: str) -> str:
    """Return the usual name of the language in ``info``, the text after a fence; empty for none."""
    match = _CODE_WORD.search(_DIRECTIVE.sub("", info[:100]))
    word = match[0].strip(".-").lower() if match else ""
    return _CODE_NAMES.get(word, word)
