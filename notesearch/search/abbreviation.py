"""The name of a note that a word abbreviates: ``smco`` stands for "Smart Connections"."""

import re
from collections.abc import Iterable, Sequence

from notesearch.search.query import Term

_SHORTEST, _LONGEST = 4, 8
_MOST_WORDS = 6
_WORD = re.compile(r"[^\W_]+")


def abbreviated_name(typed: str, notes: Iterable[tuple[str, str]]) -> str:
    """Return the title of the note whose name ``typed`` abbreviates; empty without one.

    Each word of the name gives one or more of its first letters, in order; function words may be
    left out. Of several notes, the one with the shortest title is meant.

    Args:
        typed: A word.
        notes: Path and title of each note.
    """
    letters = typed.casefold()
    if not (_SHORTEST <= len(letters) <= _LONGEST and letters.isalpha()):
        return ""
    found = [title for path, title in notes if _is_meant(letters, path, title)]
    return min(found, key=len, default="")


def _is_meant(letters: str, path: str, title: str) -> bool:
    file_stem = path.rpartition("/")[2].rpartition(".")[0]
    return any(
        stands_for(letters, words)
        for name in (title, file_stem)
        if name[:1].casefold() == letters[0] and (words := _words(name))
    )


def _words(name: str) -> list[str]:
    """Return the words of a name, without stop words; none if it has one word, or too many."""
    words = [word for word in _WORD.findall(name.casefold()) if not Term(word).is_stop_word]
    return words if 1 < len(words) <= _MOST_WORDS else []


def stands_for(letters: str, words: Sequence[str]) -> bool:
    """Return whether ``letters`` are beginnings of all ``words``, one after the other."""
    if not words:
        return not letters
    most = len(letters) - len(words) + 1
    return any(
        words[0].startswith(letters[:n]) and stands_for(letters[n:], words[1:])
        for n in range(1, most + 1)
    )
