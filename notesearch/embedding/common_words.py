"""The common English words in the built-in model's vocabulary: they are not spelling mistakes."""

from functools import cache
from pathlib import Path

from notesearch.config import BUILTIN_MODEL, resources
from notesearch.files import read_bytes


def is_common(word: str) -> bool:
    """Return whether ``word``, in lower case, is a common English word or name."""
    vocabulary = _vocabulary(resources() / "models" / BUILTIN_MODEL / "vocab.txt")
    return word.isalpha() and b"\n%b\n" % word.encode() in vocabulary


@cache
def _vocabulary(file: Path) -> bytes:
    """Return the model's tokens, one a line; none if the file is missing.

    Few words are looked up. A set would take 15 times as much memory, and longer to make than
    searching the bytes for all words of a query.
    """
    try:
        return b"\n%b\n" % read_bytes(file).replace(b"\r\n", b"\n")
    except OSError:
        return b""
