"""A note's source as lines: the first step of parsing, and what reading a section cuts from."""

import re

_SURROGATE = re.compile("[\ud800-\udfff]")


def normalise(text: str) -> str:
    r"""Return ``text`` without BOM, NUL and surrogates, its lines ended by ``\n`` alone."""
    if text.startswith("\ufeff"):
        text = text[1:]
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if "\0" in text:
        text = text.replace("\0", "\ufffd")
    if not text.isascii():
        text = _SURROGATE.sub("\ufffd", text)
    return text


def source_lines(text: str) -> list[str]:
    """Return the lines an editor shows, without their ends; a final line end opens no new line."""
    lines = normalise(text).split("\n")
    if not lines[-1]:
        lines.pop()
    return lines
