"""Which words of a query are addresses, and which links of the notes lead there.

An address that stands in a text is found by its words; one that only a link has is looked up here.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from notesearch.notes import Linked, Span
from notesearch.search import matching
from notesearch.search.grammar import Term
from notesearch.search.matching import Pattern
from notesearch.store.conditions import AnyOf, Condition, LinksTo, Matching
from notesearch.store.link_addresses import host_end, leads_to, normalized, shortest_form
from notesearch.store.reader import Reader

_WHOLE = re.compile(r"(?:https?:|[a-z][a-z0-9+.-]{1,31}:)//\S+|mailto:\S+|www\.\S+", re.IGNORECASE)
"""Begins as an address does; it may stand in brackets, or in a whole Markdown link."""

_LABEL = r"\w(?:[\w-]*\w)?"
_HOST = re.compile(
    rf"(?:{_LABEL}(?:\.{_LABEL})*\.(?P<top>[^\W\d_][\w-]*)|localhost(?=:\d))(?::\d+)?"
    r"(?P<path>[/?#]\S*)?",
    re.IGNORECASE,
)
_MAILBOX = re.compile(r"[\w.%+-]*\w@[\w.-]*")
_AROUND = "<>()[]{}\"'.,;:!?"
_ADDED = re.compile(
    r"#?:~:.*|(?<=[?&])(?:utm_\w+|fbclid|gclid|dclid|msclkid|yclid|igshid|igsh|mc_[ce]id|si|_ga)=[^&#]*&?",
    re.IGNORECASE,
)
"""What is added to an address that is passed on, and a text to show on its page."""

_LEFT_OPEN = re.compile(r"[?&]+(?=#|\Z)")

_GOES_ON = tuple("/?#")
"""At the end of what is typed: what stands before it is whole."""

_SHORTEST = 3
"""Characters of the beginning of an address: with fewer nearly every link begins."""


def patterns(terms: Iterable[Term], reader: Reader) -> Iterator[Pattern]:
    """Yield the patterns of ``terms``, with the links that they ask for, if the index has any.

    Then the parts of an address alone are not meant, as those of one that stands in a text are not;
    and in a text it may stand with another scheme, or with ``www.``, as the link may.
    """
    for term in terms:
        links, text, known = _led_to(term, reader)
        for pattern in matching.patterns((replace(term, text=text),), reader):
            yield replace(pattern, links=links, whole=pattern.whole or known)


def holding(match: str, pattern: Pattern) -> Condition:
    """Return the condition that a section matches ``match`` or has such a link."""
    return AnyOf((Matching(match), pattern.links)) if pattern.links else Matching(match)


def asked_for(links: Iterable[Linked], wanted: Iterable[Pattern]) -> list[Span]:
    """Return where those of ``links`` stand that lead to what a pattern asks for."""
    asked = [pattern.links for pattern in wanted if pattern.links]
    return [
        span
        for span, address in (links if asked else ())
        if any(_leads_to(normalized(address), one) for one in asked)
    ]


def _leads_to(address: str, asked: LinksTo) -> bool:
    if asked.exact:
        return address == asked.address
    return leads_to(address, asked.address, begun=asked.begun)


def _led_to(term: Term, reader: Reader) -> tuple[LinksTo | None, str, bool]:
    """Return the links that ``term`` asks for, what stands in texts, and if it is all meant."""
    for asked, text, sure in _asked(term):
        if reader.links.to(asked):
            known = sure or bool(reader.links.to(replace(asked, begun=False)))
            return asked, text, known
    return None, term.text, False


def _asked(term: Term) -> Iterator[tuple[LinksTo, str, bool]]:
    """Yield the address that ``term`` may be, without its scheme, and if it can be nothing else.

    Behind it come others: without what is added when it is passed on, and the page on which it is a
    place. What else follows a question mark tells pages apart.
    """
    text = term.text.strip()
    if " " in text or not ("." in text or "@" in text or ":" in text):
        return
    written, sure = _written(text, begun=term.prefix)
    if not written:
        return
    ends = not text.rstrip(".").endswith(written) or written.endswith(_GOES_ON)
    begun = term.prefix and not ends
    address = normalized(written)
    if len(address) < (_SHORTEST if begun else 1):
        return
    yield LinksTo(address, begun), shortest_form(written), sure
    shorter = _LEFT_OPEN.sub("", _ADDED.sub("", written))
    if normalized(shorter) != address:
        yield LinksTo(normalized(shorter)), shortest_form(shorter), sure
    page, _, place = shorter.partition("#")
    if place and "/" not in place and host_end(normalized(page)):
        yield LinksTo(normalized(page), exact=True), shortest_form(page), sure


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
    if not host or (host["top"] and len(host["top"]) == 1 and not begun):  # as in "e.g."
        return "", False
    return bare, bool(host["path"])
