"""The common words that the built-in model knows: what is one of them is not misspelt."""

from functools import cache
from pathlib import Path

from notesearch.config import BUILTIN_MODEL, resources


def is_common(word: str) -> bool:
    """Return whether ``word``, in lower case, is a common English word or name."""
    lines = _lines(resources() / "models" / BUILTIN_MODEL / "vocab.txt")
    return word.isalpha() and b"\n%b\n" % word.encode() in lines


@cache
def _lines(file: Path) -> bytes:
    """Return the model's pieces line by line; none where the file is not there.

    Few words are looked up: a set of them took fifteen times as much memory, and longer to make
    than all words of a query to find.
    """
    try:
        return b"\n%b\n" % file.read_bytes().replace(b"\r\n", b"\n")
    except OSError:
        return b""
