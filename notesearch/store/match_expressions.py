"""Takes FTS5 expressions apart: their phrases, and their prefixes of one or two letters."""

import re
from collections.abc import Mapping

_SHORT_PREFIX = re.compile(r'"[^" ]{1,2}"\*')
_LETTERS = re.compile(r'(?<!\+ )"([0-9A-Za-z\u00c0-\u052f]{1,2})"\*')
"""Prefixes in Latin, Greek and Cyrillic. Two Chinese characters are a word, not a prefix."""

_ALTERNATIVES = re.compile(r'((?:\{[^}]*\} : )?)\(("[^"]*"\*?(?: OR "[^"]*"\*?)*)\)')
_PHRASE = re.compile(r'"(?:[^"]|"")*"\*?(?: \+ "(?:[^"]|"")*"\*?)*')
_WORD = re.compile(r'"([^"\W]+)"')


def phrases(match: str) -> list[str]:
    """Return the phrases of an FTS5 expression, in order."""
    return _PHRASE.findall(match)


def with_phrases(match: str, others: Mapping[str, str]) -> str:
    """Return ``match`` with each phrase replaced as ``others`` says."""
    return _PHRASE.sub(lambda found: others[found[0]], match)


def single_word(phrase: str) -> str:
    """Return the word in ``phrase`` if it is a single word without signs, else an empty string."""
    found = _WORD.fullmatch(phrase)
    return found[1] if found else ""


def has_short_prefix(match: str) -> bool:
    """Return whether ``match`` has a prefix of one or two letters."""
    return _SHORT_PREFIX.search(match) is not None


def short_prefixes(match: str) -> list[str]:
    """Return the prefixes of one or two letters in ``match``."""
    return _LETTERS.findall(match)


def whole_words(match: str) -> str:
    """Return ``match``, an alternative of words, without its short prefixes.

    Empty if nothing is left, or if ``match`` is anything else.
    """
    found = _ALTERNATIVES.fullmatch(match)
    words = found[2].split(" OR ") if found else []
    kept = " OR ".join(word for word in words if not _LETTERS.fullmatch(word))
    return f"{found[1]}({kept})" if found and kept else ""
