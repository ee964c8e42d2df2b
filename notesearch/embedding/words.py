"""The common words that the built-in model knows: what is one of them is not misspelt."""

from functools import cache
from pathlib import Path

from notesearch.config import BUILTIN_MODEL, resources


def is_common(word: str) -> bool:
    """Return whether ``word``, in lower case, is a common English word or name."""
    return word in _common(resources() / "models" / BUILTIN_MODEL / "vocab.txt")


@cache
def _common(file: Path) -> frozenset[str]:
    """Return the whole words among the model's pieces; none where the file is not there."""
    try:
        lines = file.read_text("utf-8").splitlines()
    except OSError:
        return frozenset()
    return frozenset(line for line in lines if line.isalpha())
