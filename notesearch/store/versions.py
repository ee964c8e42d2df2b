"""Version numbers in their order: 1.10 comes after 1.9."""

import re

_VERSION = re.compile(r"v?(\d{1,9}(?:\.\d{1,9})*)(?:[-+].*)?", re.DOTALL)
_DIGITS = 9


def versioned(text: str) -> str | None:
    """Return a key that sorts versions part by part; None if ``text`` is not a version.

    Zeros at the end do not count (2.0 is 2), nor does what follows a hyphen or a plus.
    """
    found = _VERSION.fullmatch(text.strip().lower())
    if found is None:
        return None
    parts = [part.rjust(_DIGITS, "0") for part in found[1].split(".")]
    while len(parts) > 1 and not parts[-1].strip("0"):
        parts.pop()
    return ".".join(parts)
