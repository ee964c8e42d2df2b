"""Versions as texts that can be ordered: 1.10 comes after 1.9, which as numbers it does not."""

import re

_VERSION = re.compile(r"v?(\d{1,9}(?:\.\d{1,9})*)(?:[-+].*)?", re.DOTALL)
_DIGITS = 9


def versioned(text: str) -> str | None:
    """Return what orders the version ``text`` among others; None where it is none.

    What follows a hyphen or a plus does not count, nor do zeros at the end: 2.0 is 2.
    """
    found = _VERSION.fullmatch(text.strip().lower())
    if found is None:
        return None
    parts = [part.rjust(_DIGITS, "0") for part in found[1].split(".")]
    while len(parts) > 1 and not parts[-1].strip("0"):
        parts.pop()
    return ".".join(parts)
