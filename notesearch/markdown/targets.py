"""Where Markdown and HTML point at: addresses of the web and of mail, with the words of each link.

Links between notes are left out: a note is found by its name. So is what holds its content in
itself (``data:``).
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from html import unescape

from notesearch.markdown.plain import BRACKET, blanked, plain, reference_label
from notesearch.markdown.plain_html import plain_html
from notesearch.notes import Link

_ADDRESS = re.compile(r"(?:[A-Z][A-Z0-9+.-]{1,31}:)?//[^\s/]|mailto:\S|www\.", re.IGNORECASE)
_HELD_WITHIN = re.compile(r"(?:data|javascript|vbscript|blob):", re.IGNORECASE)
_TITLE = re.compile(r"\s+(?:\"[^\"]*\"|'[^']*'|\([^()]*\))\s*\Z")
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
_TAG = re.compile(r"<(/?)(a|img|iframe|video|audio|source|embed)\b([^<>]*)>", re.IGNORECASE)
_TARGET = re.compile(r"""\b(?:href|src)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=]+))""", re.IGNORECASE)
_ALT = re.compile(r"""\balt\s*=\s*(?:"([^"]*)"|'([^']*)')""", re.IGNORECASE)

Target = tuple[str, str]
"""An address, and the words of the link to it: plain text."""

_Found = tuple[int, Target]
"""Where the words of a link begin in the source."""

_LONGEST = 1_000
"""Characters of what a link says; longer words of a link are not told."""

_LOOKED_THROUGH = 20_000
"""Characters behind one link in which the words of the next are looked for."""


def is_address(target: str) -> bool:
    """Return whether ``target`` is on the web or a mailbox, not a note or a picture beside it."""
    return _ADDRESS.match(target) is not None and _HELD_WITHIN.match(target) is None


def inline_targets(source: str, references: Mapping[str, str]) -> Iterator[Target]:
    """Yield where inline Markdown points at, in the order in which it says so.

    Args:
        source: Of a paragraph, list item, cell or heading.
        references: Addresses by the normalised labels of the note's link reference definitions.
    """
    may_hold = "//" in source or "mailto:" in source or "www." in source
    found: list[_Found] = []
    if "]" in source and (references or may_hold):
        found += _bracketed(source, references)
    if "<" in source and may_hold:
        found += _in_tags(blanked(source), source)
    return (target for _, target in sorted(found))


def html_targets(source: str) -> Iterator[Target]:
    """Yield where a block of HTML points at."""
    return (target for _, target in _in_tags(source, source))


def _in_tags(source: str, shown: str) -> Iterator[_Found]:
    """Yield where the tags of ``source`` point at, which is ``shown`` without its code."""
    opened = ""
    start = 0
    for tag in _TAG.finditer(source):
        if opened and tag[2].lower() == "a":
            yield start, (opened, _one_line(plain_html(shown[start : tag.start()])))
            opened = ""
        target = _TARGET.search(tag[3]) if not tag[1] else None
        address = unescape(target[1] or target[2] or target[3] or "").strip() if target else ""
        if not is_address(address):
            continue
        if tag[2].lower() == "a":
            opened, start = address, tag.end()
        else:
            alt = _ALT.search(tag[3])
            yield tag.start(), (address, _one_line(unescape(alt[1] or alt[2] or "")) if alt else "")
    if opened:
        yield start, (opened, _one_line(plain_html(shown[start:])))


def placed(targets: Iterable[Target], text: str) -> Iterator[Link]:
    """Yield links to ``targets``, which stand in this order in the plain ``text`` of a section."""
    at = 0
    for address, words in targets:
        start = _word(words, text, at) if words else -1
        if start < 0:
            yield Link(address)
        else:
            yield Link(address, (start, start + len(words)))
            at = start


def _word(words: str, text: str, at: int) -> int:
    """Return where ``words`` stand next in ``text``, not as a part of others; -1 for nowhere."""
    end = at + len(words) + _LOOKED_THROUGH
    start = text.find(words, at, end)
    while start >= 0:
        around = text[start - 1 : start], text[start + len(words) : start + len(words) + 1]
        if not any(map(str.isalnum, around)):
            return start
        start = text.find(words, start + 1, end)
    return -1


def _bracketed(source: str, references: Mapping[str, str]) -> Iterator[_Found]:
    hidden = blanked(source)
    opened: list[int] = []
    for match in BRACKET.finditer(hidden):
        if match[0].endswith("["):
            opened.append(match.end())
        elif opened:
            start = opened.pop()
            words = source[start : min(match.start(), start + _LONGEST)]
            if match[1] is not None:
                address = _destination(source[slice(*match.span(1))])
            else:
                address = references.get(reference_label(words, match[2]), "")
            if is_address(address):
                yield start, (address, plain(words, references) if len(words) < _LONGEST else "")


def _destination(source: str) -> str:
    """Return the address in ``(<address> "title")``."""
    inner = _TITLE.sub("", source[1:-1]).strip().removeprefix("<").removesuffix(">")
    return unescape(_ESCAPED.sub(r"\1", inner))


def _one_line(text: str) -> str:
    return " ".join(text.split())
