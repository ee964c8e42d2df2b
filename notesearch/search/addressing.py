"""Which words of a query are addresses, and which links of the notes lead there.

An address that stands in a text is found by its words; one that only a link has is looked up here.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Protocol

from notesearch.search.grammar import Term
from notesearch.search.matching import Pattern
from notesearch.store.addresses import host_end, normal
from notesearch.store.conditions import AnyOf, Condition, LinksTo, Matching
from notesearch.store.rows import LinkHit

_WHOLE = re.compile(r"(?:https?:|[a-z][a-z0-9+.-]{1,31}:)//\S+|mailto:\S+|www\.\S+", re.IGNORECASE)
"""Begins as an address does; it may stand in brackets, or in a whole Markdown link."""

_LABEL = r"\w(?:[\w-]*\w)?"
_HOST = re.compile(rf"{_LABEL}(?:\.{_LABEL})*\.(?P<top>[^\W\d_][\w-]*)(?::\d+)?(?P<path>[/?#]\S*)?")
_MAILBOX = re.compile(r"[\w.%+-]*\w@[\w.-]*")
_AROUND = "<>()[]{}\"'.,;:!?"
_GOES_ON = tuple("/?#&=")
"""At the end of what is typed: what stands before it is whole."""

_SHORTEST = 3
"""Characters of the beginning of an address: with fewer nearly every link begins."""


class Index(Protocol):
    """Knows where sections point at."""

    def linking(self, asked: LinksTo) -> Mapping[int, LinkHit]:
        """Return the sections that point at what is ``asked``, by id."""


def with_links(pattern: Pattern, term: Term, index: Index) -> Pattern:
    """Return the ``pattern`` of ``term`` with the links that it asks for, if the index has any.

    Then the parts of an address alone are not meant, as those of one that stands in a text are not.
    """
    for asked, sure in _asked(term):
        if index.linking(asked):
            known = sure or bool(index.linking(LinksTo(asked.address)))
            return replace(pattern, links=asked, whole=pattern.whole or known)
    return pattern


def holding(match: str, pattern: Pattern) -> Condition:
    """Return the condition that a section matches ``match`` or has such a link."""
    return AnyOf((Matching(match), pattern.links)) if pattern.links else Matching(match)


def _asked(term: Term) -> Iterator[tuple[LinksTo, bool]]:
    """Yield the address that ``term`` may be, and whether it can be nothing else.

    Behind it come shorter ones: a browser adds to an address what no note has.
    """
    text = term.text.strip()
    if " " in text or not ("." in text or "@" in text or ":" in text):
        return
    written, sure = _written(text, begun=term.prefix)
    if not written:
        return
    ends = not text.rstrip(".").endswith(written) or written.endswith(_GOES_ON)
    begun = term.prefix and not ends
    address = normal(written)
    if len(address) < (_SHORTEST if begun else 1):
        return
    yield LinksTo(address, begun), sure
    for sign in "#?":
        shorter, found, _ = written.partition(sign)
        if found and host_end(normal(shorter)):
            yield LinksTo(normal(shorter)), sure


def _written(text: str, *, begun: bool) -> tuple[str, bool]:
    """Return the address in ``text``, empty where there is none; and whether it is one for sure."""
    whole = _WHOLE.search(text)
    if whole:
        found = whole[0].rstrip(_AROUND.replace(")", ""))
        # Of a parenthesis that opened before the address, the other half is none of it.
        while found.endswith(")") and found.count(")") > found.count("("):
            found = found[:-1].rstrip(_AROUND.replace(")", ""))
        return found, True
    bare = text.strip(_AROUND)
    if _MAILBOX.fullmatch(bare):
        return bare, True
    host = _HOST.fullmatch(bare)
    if not host or (len(host["top"]) == 1 and not begun):  # as in "e.g."
        return "", False
    return bare, bool(host["path"])
