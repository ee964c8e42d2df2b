"""Folds letters that people type in different ways and that SQLite's tokenizer distinguishes.

``stemming`` replaces traditional Chinese and old Japanese characters.
"""

import re
import unicodedata

INVISIBLE = (
    "\u00ad\u034f\u061c\u180e\u200b\u200d-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff"
)
"""Characters without width inside words: soft hyphens, joiners, marks of direction, stray BOMs.

It is for the character class of a regular expression. Emoji are recognised by their joiners before
the joiners are left out.
"""

ZWNJ = "\u200c"
"""The zero-width non-joiner. It stands between parts of a Persian word as a hyphen does; in
other scripts it shapes letters."""

_ARABIC = "\u0620-\u06ff"

_SAME_LENGTH = {
    "ß": "ss",
    **dict(zip("ёЁґҐ", "еЕгГ", strict=True)),
    "\u0901": "\u0902",  # two signs of a nasal vowel in Devanagari
    **dict(zip("άέήίόύώϊϋΐΰ", "αεηιουωιυιυ", strict=True)),
    **dict(zip("ΆΈΉΊΌΎΏΪΫ", "ΑΕΗΙΟΥΩΙΥ", strict=True)),
    **dict(zip("أإآٱىةیک", "ااااي\u0647يك", strict=True)),
}
"""Foldings that keep the number of UTF-8 bytes, and so the positions of all other words."""

_POLYTONIC = {
    chr(code): unicodedata.normalize("NFD", chr(code))[0]
    for code in range(0x1F00, 0x2000)
    if unicodedata.category(chr(code)).startswith("L")
}
"""Letters of Greek as it was written until 1982, with breathings, each without its marks."""

_OTHER_LENGTH = {
    **_POLYTONIC,
    **dict(zip("İıłŁøØđĐħðÐ", "iilLoOdDhdD", strict=True)),
    "ẞ": "ss",
    "æ": "ae",
    "Æ": "AE",
    "œ": "oe",
    "Œ": "OE",
    "þ": "th",
    "Þ": "TH",
    "\u02bc": "'",  # the apostrophe of Ukrainian words
}

_OPTIONAL = re.compile(
    f"[{INVISIBLE}\u0640\u064b-\u065f\u0670"  # tatweel and vowel signs of Arabic
    "\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7"  # vowel points of Hebrew
    "\u093c]"  # the dot of Devanagari below letters of other languages
    f"|(?<![{_ARABIC}]){ZWNJ}|{ZWNJ}(?![{_ARABIC}])"
    "|(?<=[аеиоуыэюяіїєАЕИОУЫЭЮЯІЇЄ])[\u0300\u0301]"  # stress marks of Cyrillic words
    "|(?<=[\u0300-\u036f]{8})[\u0300-\u036f]"  # each folding would remove one of a flood
)
_DEGREE = re.compile("º(?=[CFcf](?!\\w))")
"""The sign of Spanish ordinal numbers, which people type for a degree: "200 ºC"."""

_NASAL = re.compile("[\u0919\u091e\u0923\u0928\u092e]\u094d(?=[\u0915-\u0939])")
"""A nasal without a vowel before a consonant in Devanagari, which may also be a dot above: हिंदी."""

QUOTES = '"“”„‟«»「」『』\uff02'
"""All quotes that may surround a phrase of the query language."""

_DIGIT = re.compile(r"[^\D0-9]")
"""A digit of another script; NFKC keeps most of them."""

_PLAIN_QUOTES = str.maketrans("’‘ʼ", "'''", QUOTES)
_SPACES = re.compile(r"\s+")
_INVISIBLE_IN_NAME = re.compile(f"[{INVISIBLE}{ZWNJ}]")
_CHANGED_IN_PLACE = re.compile(f"[{''.join(_SAME_LENGTH)}]")
_CHANGES_LENGTH = re.compile(
    f"[{''.join(_OTHER_LENGTH)}]|{_DIGIT.pattern}|{_OPTIONAL.pattern}|{_NASAL.pattern}"
)
_TABLE_IN_PLACE = str.maketrans(_SAME_LENGTH)
_TABLE = str.maketrans(_SAME_LENGTH | _OTHER_LENGTH)


def with_ascii_digits(text: str) -> str:
    """Return ``text``, of the same length, with the digits of every script as ASCII."""
    return text if text.isascii() else _DIGIT.sub(_ascii_digit, text)


def _ascii_digit(digit: re.Match[str]) -> str:
    return str(unicodedata.decimal(digit[0]))


ACCENTS = "".join(map(chr, range(0x300, 0x370)))
_ACCENT = re.compile(f"[{ACCENTS}]")
_CHANGED = re.compile(
    "|".join((_CHANGED_IN_PLACE.pattern, _CHANGES_LENGTH.pattern, _ACCENT.pattern))
)


_ASCII = bytes(range(0x80))


def non_ascii(utf8: bytes) -> str:
    """Return the characters beyond ASCII: only they decide whether folding changes the text."""
    return utf8.translate(None, _ASCII).decode("utf-8", "replace")


def folded_in_place(text: str) -> str:
    """Return ``text`` with only the foldings that keep all byte offsets in UTF-8."""
    return text.translate(_TABLE_IN_PLACE) if _CHANGED_IN_PLACE.search(text) else text


def has_accents(text: str) -> bool:
    """Return whether ``text`` has accents (U+0300 to U+036F) separate from their letters."""
    return bool(_ACCENT.search(text))


def is_unchanged(text: str) -> bool:
    """Return whether folding does not change ``text``."""
    return unicodedata.is_normalized("NFKC", text) and not _CHANGED.search(text)


def is_folded_in_place(text: str) -> bool:
    """Return whether ``folded_in_place`` does all folding that ``text`` needs."""
    return unicodedata.is_normalized("NFKC", text) and not _CHANGES_LENGTH.search(text)


def folded(word: str) -> str:
    """Return ``word`` in NFKC, folded, and without optional marks such as vowel points."""
    composed = unicodedata.normalize("NFKC", _DEGREE.sub("°", _OPTIONAL.sub("", word)))
    plain = _NASAL.sub("\u0902", _OPTIONAL.sub("", composed))
    return with_ascii_digits(plain.translate(_TABLE))


def folded_name(text: str) -> str:
    """Return the form in which the names of tags, files and properties are compared.

    It has no case, accents, width, invisible marks or quotes; apostrophes and spaces are plain.
    """
    if text.isascii() and '"' not in text and "  " not in text and text.isprintable():
        return text.lower()
    text = _SPACES.sub(" ", text.translate(_PLAIN_QUOTES))
    decomposed = unicodedata.normalize("NFKD", _INVISIBLE_IN_NAME.sub("", text))
    plain = "".join(c for c in decomposed if not "\u0300" <= c <= "\u036f")
    return unicodedata.normalize("NFKC", plain).casefold()
