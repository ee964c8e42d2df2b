"""Folds letters that people type in more than one way and that SQLite's tokenizer keeps apart."""

import re
import unicodedata

_SOFT_HYPHEN = "\u00ad"

_SAME_LENGTH = {
    "ß": "ss",
    **dict(zip("ёЁ", "еЕ", strict=True)),
    **dict(zip("άέήίόύώϊϋΐΰ", "αεηιουωιυιυ", strict=True)),
    **dict(zip("ΆΈΉΊΌΎΏΪΫ", "ΑΕΗΙΟΥΩΙΥ", strict=True)),
    **dict(zip("أإآٱىةیک", "ااااي\u0647يك", strict=True)),
}
"""Foldings that keep the number of UTF-8 bytes, and so the positions of all other words."""

_ARABIC_DIGITS, _PERSIAN_DIGITS = 0x0660, 0x06F0

_OTHER_LENGTH = {
    **dict(zip("İıłŁøØđĐħðÐ", "iilLoOdDhdD", strict=True)),
    "ẞ": "ss",
    "æ": "ae",
    "Æ": "AE",
    "œ": "oe",
    "Œ": "OE",
    "þ": "th",
    "Þ": "TH",
    "\u02bc": "'",  # the apostrophe of Ukrainian words
    **{chr(_ARABIC_DIGITS + digit): str(digit) for digit in range(10)},
    **{chr(_PERSIAN_DIGITS + digit): str(digit) for digit in range(10)},
}

_OPTIONAL = re.compile(
    f"[{_SOFT_HYPHEN}\u0640\u064b-\u065f\u0670"  # tatweel and vowel signs of Arabic
    "\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7]"  # vowel points of Hebrew
    "|(?<=[аеиоуыэюяіїєАЕИОУЫЭЮЯІЇЄ])[\u0300\u0301]"  # stress marks of Cyrillic words
)
_CHANGED_IN_PLACE = re.compile(f"[{''.join(_SAME_LENGTH)}]")
_CHANGES_LENGTH = re.compile(f"[{''.join(_OTHER_LENGTH)}]|{_OPTIONAL.pattern}")
_TABLE_IN_PLACE = str.maketrans(_SAME_LENGTH)
_TABLE = str.maketrans(_SAME_LENGTH | _OTHER_LENGTH)


ACCENTS = "".join(map(chr, range(0x300, 0x370)))
_ACCENT = re.compile(f"[{ACCENTS}]")
_CHANGED = re.compile(
    "|".join((_CHANGED_IN_PLACE.pattern, _CHANGES_LENGTH.pattern, _ACCENT.pattern))
)


_ASCII = bytes(range(0x80))


def non_ascii(utf8: bytes) -> str:
    """Return the characters beyond ASCII: these few tell whether folding changes the text."""
    return utf8.translate(None, _ASCII).decode("utf-8", "replace")


def folded_in_place(text: str) -> str:
    """Return ``text`` with all foldings that leave every UTF-8 byte offset as it is."""
    return text.translate(_TABLE_IN_PLACE) if _CHANGED_IN_PLACE.search(text) else text


def has_accents(text: str) -> bool:
    """Return whether ``text`` holds combining accents as characters of their own."""
    return bool(_ACCENT.search(text))


def is_unchanged(text: str) -> bool:
    """Return whether folding leaves ``text`` as it is."""
    return unicodedata.is_normalized("NFKC", text) and not _CHANGED.search(text)


def is_folded_in_place(text: str) -> bool:
    """Return whether ``folded_in_place`` is all the folding that ``text`` needs."""
    return unicodedata.is_normalized("NFKC", text) and not _CHANGES_LENGTH.search(text)


def folded(word: str) -> str:
    """Return ``word`` in NFKC, without optional marks such as vowel points, and folded."""
    composed = unicodedata.normalize("NFKC", _OPTIONAL.sub("", word))
    return _OPTIONAL.sub("", composed).translate(_TABLE)
