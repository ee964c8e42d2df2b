"""What else a word written in code or with a hyphen is found by: its parts, its joined form.

"useState" is also "state", "e-mail" is also "email", and "c++" and ".env" are words of their own.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from operator import itemgetter

_LONGEST = 80
"""Bytes of a word that is looked into: what is longer was not written by hand."""

# Each begins with one of few signs, which a scan finds quickly; then what stands before is read.
_PLACE = re.compile(
    rb"[A-Z#+.\-](?:"
    rb"(?<=[a-z][A-Z])|(?<=[A-Z][A-Z])(?=[a-z]{2})"
    rb"|(?<=[A-Za-z\x80-\xff]-)(?=[A-Za-z\xc3-\xf4])"
    rb"|(?<=[0-9A-Za-z]\+)\+|(?<=[A-Za-z]#)(?![\w#\x80-\xff])"
    rb"|(?<=\.)(?=[A-Za-z])(?<![\w.)\]\x80-\xff]\.))"
)
_PARTS = re.compile(rb"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+|[\x80-\xff]+")
_HYPHENED = re.compile(rb"[A-Za-z\x80-\xff]+(?:-[A-Za-z\x80-\xff]+){1,2}(?![-\w\x80-\xff])")
_DOT, _HYPHEN = b".-"
_SIGNS = b"+#.-"
_BEFORE = b"-_" + bytes(range(0x80, 0x100))

Spot = tuple[int, tuple[bytes, ...], bytes]
"""The number of a token, parts of its word or what it joins up to, and it with its signs."""

_Word = tuple[int, int, *tuple[str, ...]]
_start: Callable[[_Word], int] = itemgetter(0)


def spots(utf8: bytes, tokens: Sequence[_Word]) -> Iterator[Spot]:
    """Yield what else tokens of ``utf8`` are found by."""
    last = -1, 0
    for place in _PLACE.finditer(utf8):
        at = place.start()
        sign = utf8[at]
        number = bisect_right(tokens, at + (sign == _DOT), key=_start) - 1
        if number < 0 or (number, sign in _SIGNS) == last:
            continue
        start, end = tokens[number][0], tokens[number][1]
        if end - start > _LONGEST:
            continue
        found: Spot | None = None
        if sign == _DOT:
            found = (number, (), utf8[at:end]) if start == at + 1 else None
        elif sign == _HYPHEN:
            found = _joined(utf8, tokens, number) if end == at else None
        elif sign in _SIGNS:
            found = (number, (), utf8[start : place.end()]) if end == at else None
        elif at < end:
            parts = tuple(p for p in _PARTS.findall(utf8, start, end) if len(p) > 1)
            found = (number, parts, b"") if parts else None
        if found:
            last = found[0], sign in _SIGNS
            yield found


def _joined(utf8: bytes, tokens: Sequence[_Word], number: int) -> Spot | None:
    """Return the last word of the hyphened ones from ``number`` on, which joins all of them."""
    start = tokens[number][0]
    if start and utf8[start - 1] in _BEFORE:
        return None
    found = _HYPHENED.match(utf8, start, start + _LONGEST)
    if found is None:
        return None
    last = number + found.group().count(b"-")
    if last >= len(tokens) or tokens[last][1] != found.end():
        return None
    return last, (found.group().replace(b"-", b""),), b""
