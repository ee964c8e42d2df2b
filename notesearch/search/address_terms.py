"""Terms that are addresses: the links that lead there match, too.

The words of a text find an address that is written in it. An address that only a link has is looked
up among the links.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from notesearch.notes import Linked, Span
from notesearch.search.patterns import Pattern, build_patterns
from notesearch.search.query import Term
from notesearch.store.conditions import LinksTo
from notesearch.store.link_addresses import host_end, leads_to, normalized, shortest_form
from notesearch.store.reader import Reader

_WHOLE = re.compile(r"(?:https?:|[a-z][a-z0-9+.-]{1,31}:)//\S+|mailto:\S+|www\.\S+", re.IGNORECASE)
"""An address with its scheme. It may be in brackets or inside a Markdown link."""

_LABEL = r"\w(?:[\w-]*\w)?"
_HOST = re.compile(
    rf"(?:{_LABEL}(?:\.{_LABEL})*\.(?P<top>[^\W\d_][\w-]*)|localhost(?=:\d))(?::\d+)?"
    r"(?P<path>[/?#]\S*)?",
    re.IGNORECASE,
)
_MAILBOX = re.compile(r"[\w.%+-]*\w@[\w.-]*")
_AROUND = "<>()[]{}\"'.,;:!?"
_TRACKING = re.compile(
    r"#?:~:.*|(?<=[?&])(?:utm_\w+|fbclid|gclid|dclid|msclkid|yclid|igshid|igsh|mc_[ce]id|si|_ga)=[^&#]*&?",
    re.IGNORECASE,
)
"""Parameters that trackers add to addresses, and text fragments."""

_EMPTY_QUERY = re.compile(r"[?&]+(?=#|\Z)")

_SEPARATORS = tuple("/?#")
"""An address that ends with one of these is complete."""

_SHORTEST = 3
"""Characters of an unfinished address. Nearly every link begins with any fewer."""


def build_with_links(terms: Iterable[Term], reader: Reader) -> tuple[Pattern, ...]:
    """Return the patterns of ``terms``, each with the link target that also matches.

    If links lead to an address, its words alone do not match, and the address may be written with
    another scheme or with ``www.``, as the link may.
    """
    return tuple(_with_links(terms, reader))


def _with_links(terms: Iterable[Term], reader: Reader) -> Iterator[Pattern]:
    for term in terms:
        target, text, is_complete = _target(term, reader)
        for pattern in build_patterns((replace(term, text=text),), reader):
            yield replace(pattern, target=target, is_verbatim=pattern.is_verbatim or is_complete)


def spans_of_links(links: Iterable[Linked], patterns: Iterable[Pattern]) -> list[Span]:
    """Return the spans of those ``links`` that lead to the target of a pattern."""
    targets = [pattern.target for pattern in patterns if pattern.target]
    return [
        span
        for span, address in (links if targets else ())
        if any(_leads_to(normalized(address), target) for target in targets)
    ]


def _leads_to(address: str, target: LinksTo) -> bool:
    if target.exact:
        return address == target.address
    return leads_to(address, target.address, begun=target.begun)


def _target(term: Term, reader: Reader) -> tuple[LinksTo | None, str, bool]:
    """Return the target that ``term`` means if any link leads there; the text to search for.

    Returns:
        The target or None, the text of the term without its scheme, and whether the text is one
        address and nothing else.
    """
    for target, text, is_certain in _possible_targets(term):
        if reader.links.to(target):
            is_complete = is_certain or bool(reader.links.to(replace(target, begun=False)))
            return target, text, is_complete
    return None, term.text, False


def _possible_targets(term: Term) -> Iterator[tuple[LinksTo, str, bool]]:
    """Yield targets that ``term`` may mean, each with its text, and whether it is certain.

    First the address as typed, then without tracking parameters, then the page without the
    fragment. All other parameters tell pages apart.
    """
    text = term.text.strip()
    if " " in text or not ("." in text or "@" in text or ":" in text):
        return
    written, is_certain = _address_in(text, begun=term.prefix)
    if not written:
        return
    ends = not text.rstrip(".").endswith(written) or written.endswith(_SEPARATORS)
    begun = term.prefix and not ends
    address = normalized(written)
    if len(address) < (_SHORTEST if begun else 1):
        return
    yield LinksTo(address, begun), shortest_form(written), is_certain
    shorter = _EMPTY_QUERY.sub("", _TRACKING.sub("", written))
    if normalized(shorter) != address:
        yield LinksTo(normalized(shorter)), shortest_form(shorter), is_certain
    page, _, fragment = shorter.partition("#")
    if fragment and "/" not in fragment and host_end(normalized(page)):
        yield LinksTo(normalized(page), exact=True), shortest_form(page), is_certain


def _address_in(text: str, *, begun: bool) -> tuple[str, bool]:
    """Return the address in ``text``, or "", and whether it certainly is one."""
    whole = _WHOLE.search(text)
    if whole:
        found = whole[0].rstrip(_AROUND.replace(")", ""))
        # A parenthesis that opened before the address closes after it.
        while found.endswith(")") and found.count(")") > found.count("("):
            found = found[:-1].rstrip(_AROUND.replace(")", ""))
        return found, True
    text = text.strip(_AROUND)
    if _MAILBOX.fullmatch(text):
        return text, True
    host = _HOST.fullmatch(text)
    if not host or (host["top"] and len(host["top"]) == 1 and not begun):  # as in "e.g."
        return "", False
    return text, bool(host["path"])
