"""Emoji, arrows and mathematical signs: each is a word of its own."""

import re
import unicodedata

_SIGNS = (
    "\u2190-\u2307\u230c-\u2328\u232b-\u23ff"  # arrows, mathematics, technical
    "\u25a0-\u2767\u2794-\u27e5\u27f0-\u2982\u2999-\u29d7\u29dc-\u29fb\u29fe-\u2bff"
    "\U0001f000-\U0001f0ff\U0001f170\U0001f171\U0001f17e\U0001f17f\U0001f18e\U0001f191-\U0001f19a"
    "\U0001f300-\U0001f3fa\U0001f400-\U0001faff"
)
"""Without the lines and blocks that draw tables and trees, and without letters in circles."""

_ONE = f"(?:[{_SIGNS}]|[=<>]\u0338|[\U0001f1e6-\U0001f1ff]{{1,2}})"
_SKIN_TONES = "\U0001f3fb-\U0001f3ff"
_MODIFIERS = f"[\u0338\u20e3\ufe0e\ufe0f{_SKIN_TONES}\U000e0020-\U000e007f]*"

SYMBOL = f"{_ONE}{_MODIFIERS}(?:\u200d{_ONE}{_MODIFIERS})*"
"""Matches one drawn symbol, which may be several characters: a family, a flag, a dark thumb."""

_SYMBOL = re.compile(SYMBOL)
_STYLE = re.compile(f"[\ufe0e\ufe0f{_SKIN_TONES}]")


def as_word(symbol: str) -> str:
    """Return ``symbol`` as the index holds it: without skin tone and drawing style."""
    return unicodedata.normalize("NFC", _STYLE.sub("", symbol))


def is_symbol(token: str) -> bool:
    """Return whether a word of the index is a symbol."""
    return _SYMBOL.match(token) is not None


def holds_word(text: str) -> bool:
    """Return whether ``text`` has a letter, a digit or a symbol."""
    return any(c.isalnum() for c in text) or _SYMBOL.search(text) is not None
