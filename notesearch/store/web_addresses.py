"""Web and mail addresses in notes: their normal form, and whether one is below another."""

import re
import unicodedata
from urllib.parse import unquote

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
