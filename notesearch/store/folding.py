"""Folds letters that people type in more than one way, where SQLite's own tokenizer does not."""

import re
import unicodedata

_SOFT_HYPHEN = "\u00ad"

_EVEN = {
    "ß": "ss", "ё": "е", "Ё": "Е",
    "ά": "α", "έ": "ε", "ή": "η", "ί": "ι", "ό": "ο", "ύ": "υ", "ώ": "ω", "ϊ": "ι", "ϋ": "υ",
    "ΐ": "ι", "ΰ": "υ", "Ά": "Α", "Έ": "Ε", "Ή": "Η", "Ί": "Ι", "Ό": "Ο", "Ύ": "Υ", "Ώ": "Ω",
    "Ϊ": "Ι", "Ϋ": "Υ",
    "أ": "ا", "إ": "ا", "آ": "ا", "ٱ": "ا", "ى": "ي", "ة": "ه", "ی": "ي", "ک": "ك",
}  # fmt: skip
"""What takes as many bytes of UTF-8 as what it is folded to, so that places stay as they are."""

_UNEVEN = {
    "ẞ": "ss", "İ": "i", "ı": "i", "ł": "l", "Ł": "L", "ø": "o", "Ø": "O", "đ": "d", "Đ": "D",
    "\u02bc": "'",  # the apostrophe of Ukrainian words
    "ħ": "h", "æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE", "þ": "th", "Þ": "TH", "ð": "d", "Ð": "D",
    **{chr(0x0660 + digit): str(digit) for digit in range(10)},
    **{chr(0x06F0 + digit): str(digit) for digit in range(10)},
}  # fmt: skip

_UNWRITTEN = re.compile(
    f"[{_SOFT_HYPHEN}\u0640\u064b-\u065f\u0670"  # tatweel and the vowels of Arabic
    "\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7]"  # points of Hebrew
    "|(?<=[аеиоуыэюяіїєАЕИОУЫЭЮЯІЇЄ])[\u0300\u0301]"  # the stress of Cyrillic words
)
_TO_BE_EVENED = re.compile(f"[{''.join(_EVEN)}]")
_NOT_PLAIN = re.compile(f"[{''.join(_UNEVEN)}]|{_UNWRITTEN.pattern}")
_EVEN_TABLE = str.maketrans(_EVEN)
_TABLE = str.maketrans(_EVEN | _UNEVEN)


ACCENTS = "".join(map(chr, range(0x300, 0x370)))
_ACCENT = re.compile(f"[{ACCENTS}]")
_CHANGED = re.compile("|".join((_TO_BE_EVENED.pattern, _NOT_PLAIN.pattern, _ACCENT.pattern)))


_ASCII = bytes(range(0x80))


def wide(utf8: bytes) -> str:
    """Return what of a text is not ASCII: what folding does can be seen at these few characters."""
    return utf8.translate(None, _ASCII).decode("utf-8", "replace")


def evened(text: str) -> str:
    """Return ``text`` with what can be folded without moving any byte of its UTF-8."""
    return text.translate(_EVEN_TABLE) if _TO_BE_EVENED.search(text) else text


def has_accents(text: str) -> bool:
    """Return whether accents stand in ``text`` as characters of their own."""
    return bool(_ACCENT.search(text))


def is_as_it_stands(text: str) -> bool:
    """Return whether nothing at all is to be done to ``text``."""
    return unicodedata.is_normalized("NFKC", text) and not _CHANGED.search(text)


def is_plain(text: str) -> bool:
    """Return whether nothing but ``evened`` is to be done to ``text``."""
    return unicodedata.is_normalized("NFKC", text) and not _NOT_PLAIN.search(text)


def folded(word: str) -> str:
    """Return ``word`` in compatible, composed characters, without what may be left unwritten."""
    composed = unicodedata.normalize("NFKC", _UNWRITTEN.sub("", word))
    return _UNWRITTEN.sub("", composed).translate(_TABLE)
