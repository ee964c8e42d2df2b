"""Finds the language of a note and of a code block.

The front matter of a note may name its language. Otherwise its script and function words show it.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache

from notesearch.markdown.sections.function_words import FUNCTION_WORDS

_SAMPLE = 6_000
"""Characters of a note from which its language is detected."""

_MIN_LETTERS = 12
_MIN_VOTES = 2.0
_MIN_SHARE = 0.06
"""Minimum share of function words among the words."""

_CLEAR_LEAD = 1.15
"""The best language needs this many times the votes of the second best."""

_NAMES: Mapping[str, str] = {
    "arabic": "ar",
    "chinese": "zh",
    "czech": "cs",
    "danish": "da",
    "dutch": "nl",
    "english": "en",
    "finnish": "fi",
    "french": "fr",
    "german": "de",
    "greek": "el",
    "hebrew": "he",
    "hindi": "hi",
    "hungarian": "hu",
    "italian": "it",
    "japanese": "ja",
    "korean": "ko",
    "norwegian": "nb",
    "polish": "pl",
    "portuguese": "pt",
    "romanian": "ro",
    "russian": "ru",
    "spanish": "es",
    "swedish": "sv",
    "thai": "th",
    "turkish": "tr",
    "ukrainian": "uk",
    "vietnamese": "vi",
    "deutsch": "de",
    "français": "fr",
    "español": "es",
    "italiano": "it",
    "português": "pt",
    "nederlands": "nl",
    "svenska": "sv",
    "dansk": "da",
    "norsk": "nb",
    "suomi": "fi",
    "polski": "pl",
    "русский": "ru",
    "українська": "uk",
    "türkçe": "tr",
    "日本語": "ja",
    "中文": "zh",
    "한국어": "ko",
}

_SCRIPTS: Mapping[str, str] = {
    "he": "\u0590-\u05ff",
    "hy": "\u0530-\u058f",
    "hi": "\u0900-\u097f",
    "bn": "\u0980-\u09ff",
    "pa": "\u0a00-\u0a7f",
    "gu": "\u0a80-\u0aff",
    "ta": "\u0b80-\u0bff",
    "te": "\u0c00-\u0c7f",
    "kn": "\u0c80-\u0cff",
    "ml": "\u0d00-\u0d7f",
    "si": "\u0d80-\u0dff",
    "th": "\u0e00-\u0e7f",
    "lo": "\u0e80-\u0eff",
    "my": "\u1000-\u109f",
    "ka": "\u10a0-\u10ff",
    "ko": "\u1100-\u11ff\u3130-\u318f\uac00-\ud7af",
    "am": "\u1200-\u137f",
    "km": "\u1780-\u17ff",
    "el": "\u0370-\u03ff\u1f00-\u1fff",
    "ja": "\u3040-\u30ff\uff66-\uff9f",
    "zh": "\u3400-\u9fff\U00020000-\U0003ffff",
    "cyrillic": "\u0400-\u052f",
    "arabic": "\u0600-\u06ff\u0750-\u077f",
    "latin": "A-Za-z\u00c0-\u024f\u1e00-\u1eff",
}
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

_WRITTEN_IN: Mapping[str, frozenset[str]] = {
    "cyrillic": frozenset({"ru", "uk", "bg", "be", "mk"}),
    "arabic": frozenset({"ar", "fa", "ur"}),
}
_OWN_LETTERS = re.compile(
    "(?P<de>ß)|(?P<es>[ñ¿¡])|(?P<pt>[ãõ])|(?P<pl>[łżźćńśąę])|(?P<tr>[ğıİş])|(?P<cs>[řěů])"
    "|(?P<hu>[őű])|(?P<ro>[țșţă])|(?P<vi>[\u1ea0-\u1ef9ơưđ])|(?P<uk>[їєґі])|(?P<ru>[ыэё])"
    "|(?P<be>ў)|(?P<mk>[ќѓѕ])|(?P<fa>[پچژگ])|(?P<ur>[ٹڈےں])"
)
_OWN_LETTER_VOTE = 0.4
"""The vote of a letter that few languages share; a function word of one language has 1."""

_WORD = re.compile(r"[^\W\d_]+")

_CODE_WORD = re.compile(r"[\w+#.-]+")
_CODE_NAMES = {
    "c++": "cpp",
    "cxx": "cpp",
    "c#": "csharp",
    "cs": "csharp",
    "docker": "dockerfile",
    "golang": "go",
    "hs": "haskell",
    "js": "javascript",
    "jsx": "javascript",
    "kt": "kotlin",
    "make": "makefile",
    "md": "markdown",
    "node": "javascript",
    "ps1": "powershell",
    "pwsh": "powershell",
    "py": "python",
    "py3": "python",
    "python3": "python",
    "rb": "ruby",
    "rs": "rust",
    "shell": "bash",
    "sh": "bash",
    "console": "bash",
    "zsh": "bash",
    "ts": "typescript",
    "tsx": "typescript",
    "yml": "yaml",
}


def named_language(properties: Mapping[str, str]) -> str:
    """Return the ISO 639-1 code of the language that front matter names; empty for none."""
    for key, value in properties.items():
        if key.lower() in {"lang", "language"}:
            word = value.strip().casefold()
            code = _NAMES.get(word) or re.split("[-_]", word)[0]
            if code == "no":
                code = "nb"
            if code in FUNCTION_WORDS or (code in _SCRIPTS and len(code) == 2):
                return code
    return ""


def detected_language(texts: Sequence[str]) -> str:
    """Return the ISO 639-1 code of the main language of ``texts``; empty if it is unclear."""
    sample = _sample(texts)
    if sample.isascii():
        return _by_words(sample, None)
    script = _script(sample)
    if script == "latin":
        return _by_words(sample, None)
    return _by_words(sample, _WRITTEN_IN[script]) if script in _WRITTEN_IN else script


def _sample(texts: Sequence[str]) -> str:
    """Return the first ``_SAMPLE`` characters of ``texts``, joined by line ends."""
    taken: list[str] = []
    room = _SAMPLE
    for text in texts:
        taken.append(text[:room])
        room -= len(taken[-1])
        if room <= 0:
            break
    return "\n".join(taken)


@cache
def _letters() -> Mapping[str, re.Pattern[str]]:
    """Return a pattern for each script, compiled at the first call, not at each program start."""
    return {name: re.compile(f"[{letters}]") for name, letters in _SCRIPTS.items()}


@lru_cache(_CACHED_LETTERS)
def _script_of(letter: str) -> str:
    """Return the key in ``_SCRIPTS`` of a letter's script; empty for another script."""
    return next((name for name, letters in _letters().items() if letters.match(letter)), "")


def _script(sample: str) -> str:
    """Return the key in ``_SCRIPTS`` of the main script; empty if it is unclear.

    The key is a language, except for scripts with several: ``latin``, ``cyrillic``, ``arabic``.
    """
    if not _ABOVE_LATIN.search(sample):
        return "latin"
    count = dict.fromkeys(("", *_SCRIPTS), 0)
    for letter, times in Counter(_wide(sample)).items():
        count[_script_of(letter)] += times
    del count[""]
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
    return name if most >= _FOREIGN_SHARE * total else "latin" if latin else ""


def _wide(sample: str) -> str:
    """Return the non-ASCII characters of ``sample``."""
    return sample.encode("utf-8", "replace").translate(None, _ASCII).decode()


def _by_words(sample: str, candidates: frozenset[str] | None) -> str:
    """Return the language with clearly the most function words and own letters; empty for none.

    Only ``candidates`` are possible; None for all languages.
    """
    words = _WORD.findall(sample.lower())
    votes: dict[str, float] = defaultdict(float)
    for word, times in Counter(filter(_LANGUAGES_OF.__contains__, words)).items():
        languages = _LANGUAGES_OF[word]
        # A word that occurs many times may be a name.
        vote = min(times, 4) / len(languages) ** 0.5
        for language in languages:
            votes[language] += vote
    for letter in _OWN_LETTERS.finditer(_wide(sample[: _SAMPLE // 2]).lower()):
        votes[letter.lastgroup or ""] += _OWN_LETTER_VOTE
    ranked = sorted(
        (item for item in votes.items() if not candidates or item[0] in candidates),
        key=lambda item: -item[1],
    )
    if not ranked:
        return ""
    (best, most), (_, next_) = ranked[0], ranked[1] if len(ranked) > 1 else ("", 0.0)
    is_clear = most >= _CLEAR_LEAD * next_ and most >= max(_MIN_VOTES, _MIN_SHARE * len(words))
    return best if is_clear else ""


def _languages_of() -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for language, words in FUNCTION_WORDS.items():
        for word in words:
            found[word] = (*found.get(word, ()), language)
    return found


_LANGUAGES_OF = _languages_of()

_DIRECTIVE = re.compile(r"\s*\{(?:code-block|code|code-cell|sourcecode|highlight)\}(?=\s*\w)")
"""What MyST writes before the language of a code block."""


def code_language(info: str) -> str:
    """Return the usual name of the language in ``info``, the text after a fence; empty for none."""
    match = _CODE_WORD.search(_DIRECTIVE.sub("", info[:100]))
    word = match[0].strip(".-").lower() if match else ""
    return _CODE_NAMES.get(word, word)
