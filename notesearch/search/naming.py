"""Tells what is called as was asked: a title, a file, an alias, a heading."""

from collections.abc import Iterable
from functools import lru_cache

from notesearch.search import matching
from notesearch.search.finding import beginnings
from notesearch.store.reader import Reader


class Names:
    """Compares names, which repeat, with what one query asked for."""

    def __init__(self, asked: str, reader: Reader) -> None:
        """Compare with ``asked``."""
        self._reader = reader
        self._words = matching.name(asked, reader)
        self._letters = asked.strip().casefold()
        first = self._words[0] if self._words else ""
        # Most names hold no letters of its first word, and need not be cut into words.
        narrow = len(first) > 1 and first.isascii() and first.isalnum()
        self._beginnings = beginnings(first) if narrow else ("",)
        self._likeness = lru_cache(None)(self._compared)

    def __bool__(self) -> bool:
        """Return whether anything was asked for by which names can be compared."""
        return bool(self._words)

    def likeness(self, names: Iterable[str]) -> int:
        """Return 2 where any of ``names`` is it to the letter, 1 in other forms of its words."""
        return max(map(self._likeness, names), default=0)

    def _compared(self, name: str) -> int:
        if name.isascii():
            lower = name.lower()
            for letters in self._beginnings:
                if letters in lower:
                    break
            else:
                return 0
        if matching.name(name, self._reader) != self._words:
            return 0
        return 2 if name.casefold() == self._letters else 1


def stem(path: str) -> str:
    """Return the name of the file at ``path`` without its ending, as ``pathlib`` does."""
    name = path.rpartition("/")[2]
    at = name.rfind(".")
    return name[:at] if 0 < at < len(name) - 1 else name
