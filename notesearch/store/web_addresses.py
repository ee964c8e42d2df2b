"""Web and mail addresses in notes and queries: their normal form, and which is below another."""

import re
import unicodedata
from collections.abc import Iterator
from urllib.parse import unquote

from notesearch.store.conditions import LinksTo

LONGEST_ADDRESS = 900
"""Maximum characters of a normal address: fewer than a query may have."""

_MAIL = re.compile(r"mailto:/*", re.IGNORECASE)
_SCHEME = re.compile(r"(?:https?:)?//", re.IGNORECASE)
_END_OF_HOST = re.compile(r"[/?#]")
_UNSEEN = re.compile(r"[\x00-\x20\x7f]+")
_ENCODED_HOST = "xn--"
_LONGEST_HOST = 255


def normalized_address(address: str) -> str:
    """Return the normal form of ``address``, in lower case and NFC, to compare addresses.

    It leaves out http and https, ``www.``, a final slash and the subject of a mail.
    """
    text = _without_scheme(_UNSEEN.sub("", address[: 4 * LONGEST_ADDRESS]))
    end = host_end(text)
    decoded = unquote(_decoded(text[:end]) + text[end:])
    text = unicodedata.normalize("NFC", decoded).casefold()
    end = host_end(text)
    rest = text[end:].replace("/?", "?", 1).replace("/#", "#", 1).rstrip("/?#")
    return f"{text[:end]}{rest}"[:LONGEST_ADDRESS]


def shortest_form(address: str) -> str:
    """Return ``address`` without the parts that a text may omit: scheme, ``www.``, final slash."""
    return _without_scheme(address).rstrip("/?#&") or address


def _without_scheme(address: str) -> str:
    """Return ``address`` without http and https, ``www.`` and the subject of a mail."""
    if mail := _MAIL.match(address):
        address = address[mail.end() :].partition("?")[0]
    elif scheme := _SCHEME.match(address):
        address = address[scheme.end() :]
    return address[4:] if address[:4].lower() == "www." else address


def host_end(address: str) -> int:
    """Return the index at which the host of a normal ``address`` ends."""
    end = _END_OF_HOST.search(address)
    return end.start() if end else len(address)


def leads_to(address: str, target: str, begun: bool) -> bool:
    """Return whether a normal ``address`` is ``target`` or below it.

    A host includes its subdomains and mailboxes. ``begun`` says that only the beginning of the last
    word of ``target`` is known.
    """
    end = host_end(address)
    at = address.find(target, 0, end + len(target))
    while 0 <= at < end:
        stop = at + len(target)
        if (at == 0 or address[at - 1] in ".@") and (begun or _is_boundary(address, stop, end)):
            return True
        at = address.find(target, at + 1, end + len(target))
    return False


def _is_boundary(address: str, at: int, host: int) -> bool:
    """Return whether ``at`` is the end of the host, or of a word after the host.

    The host, with its port, ends at ``host``.
    """
    if at <= host:
        return at == host or address[at] == ":"
    return at == len(address) or not (address[at].isalnum() or address[at] in "-_")


def _decoded(host: str) -> str:
    """Return a ``host`` in its own script: "münchen.de" for "xn--mnchen-3ya.de"."""
    if _ENCODED_HOST not in host.lower() or len(host) > _LONGEST_HOST:
        return host
    try:
        return host.encode("ascii").decode("idna")
    except UnicodeError:
        return host


# Addresses in queries

WHOLE_ADDRESS = re.compile(
    r"(?:https?:|[a-z][a-z0-9+.-]{1,31}:)//\S+|mailto:\S+|www\.\S+", re.IGNORECASE
)
"""An address with its scheme. It may be in brackets or inside a Markdown link."""

_LABEL = r"\w(?:[\w-]*\w)?"
_HOST = re.compile(
    rf"(?:{_LABEL}(?:\.{_LABEL})*\.(?P<top>[^\W\d_][\w-]*)|localhost(?=:\d))(?::\d+)?"
    r"(?P<path>[/?#]\S*)?",
    re.IGNORECASE,
)
MAILBOX = re.compile(r"[\w.%+-]*\w@[\w.-]*")

_AROUND = "<>()[]{}\"'.,;:!?"
_TRACKING = re.compile(
    r"#?:~:.*|(?<=[?&])(?:utm_\w+|fbclid|gclid|dclid|msclkid|yclid|igshid|igsh|mc_[ce]id|si|_ga)=[^&#]*&?",
    re.IGNORECASE,
)
"""Parameters that trackers add to addresses, and text fragments."""

_EMPTY_QUERY = re.compile(r"[?&]+(?=#|\Z)")

_SEPARATORS = tuple("/?#")
"""An address that ends with one of these is complete."""

_SHORTEST_ADDRESS = 3
"""Minimum characters of an unfinished address that is looked up; most links begin with fewer."""


def possible_targets(text: str, *, begun: bool) -> Iterator[tuple[LinksTo, str, bool]]:
    """Yield what a word ``text`` of a query may mean as the address to which links lead.

    Each target comes with the text that notes may have in its place, and with whether it is
    certainly an address. ``begun`` says that the word may be unfinished.
    """
    text = text.strip()
    if " " in text or not ("." in text or "@" in text or ":" in text):
        return
    written, is_certain = _address_in(text, begun=begun)
    if not written:
        return
    ends = not text.rstrip(".").endswith(written) or written.endswith(_SEPARATORS)
    begun = begun and not ends
    address = normalized_address(written)
    if len(address) < (_SHORTEST_ADDRESS if begun else 1):
        return
    yield LinksTo(address, begun), shortest_form(written), is_certain
    shorter = _EMPTY_QUERY.sub("", _TRACKING.sub("", written))
    if normalized_address(shorter) != address:
        yield LinksTo(normalized_address(shorter)), shortest_form(shorter), is_certain
    page, _, fragment = shorter.partition("#")
    if fragment and "/" not in fragment and host_end(normalized_address(page)):
        yield LinksTo(normalized_address(page), exact=True), shortest_form(page), is_certain


def _address_in(text: str, *, begun: bool) -> tuple[str, bool]:
    """Return the address in ``text`` or "", and whether it is certainly an address."""
    whole = WHOLE_ADDRESS.search(text)
    if whole:
        address = whole[0].rstrip(_AROUND.replace(")", ""))
        # A parenthesis that opened before the address closes after it.
        while address.endswith(")") and address.count(")") > address.count("("):
            address = address[:-1].rstrip(_AROUND.replace(")", ""))
        return address, True
    text = text.strip(_AROUND)
    if MAILBOX.fullmatch(text):
        return text, True
    host = _HOST.fullmatch(text)
    if not host or (host["top"] and len(host["top"]) == 1 and not begun):  # as in "e.g."
        return "", False
    return text, bool(host["path"])
