"""Addresses of the web and of mail as the index compares them: by host and path."""

import hashlib
import re
import unicodedata
from urllib.parse import unquote

LONGEST = 128
"""Characters that are kept; what is longer is told apart by a hash of more of it."""

_HASHED = 8
_COMPARED = 900
"""Characters that are compared, by that hash: fewer than a query may have."""

_MAIL = re.compile(r"mailto:/*", re.IGNORECASE)
_SCHEME = re.compile(r"(?:https?:)?//", re.IGNORECASE)
_END_OF_HOST = re.compile(r"[/?#]")
_UNSEEN = re.compile(r"[\x00-\x20\x7f]+")
_ENCODED_HOST = "xn--"
_LONGEST_HOST = 255


def normal(address: str) -> str:
    """Return ``address`` without what does not tell it from others.

    Neither its scheme (but for one that is neither of the web nor of mail), ``www.``, case, a slash
    at its end, nor how letters beyond ASCII are written count. A mailbox has no subject.
    """
    text = _UNSEEN.sub("", address[: 4 * _COMPARED])
    mail = _MAIL.match(text)
    if mail:
        text = text[mail.end() :].partition("?")[0]
    else:
        scheme = _SCHEME.match(text)
        text = text[scheme.end() :] if scheme else text
    if text[:4].lower() == "www.":
        text = text[4:]
    end = host_end(text)
    host, rest = _decoded(text[:end]), text[end:]
    text = unicodedata.normalize("NFC", unquote(host + rest)).casefold()
    end = host_end(text)
    text = text[:end] + _without_loose_ends(text[end:])
    if len(text) <= LONGEST:
        return text
    compared = text[:_COMPARED].encode("utf-8", "replace")
    told = hashlib.blake2b(compared, digest_size=_HASHED // 2).hexdigest()
    return text[: LONGEST - _HASHED] + told


def bare(address: str) -> str:
    """Return ``address`` as it is written, but as every way to write it in a text has it."""
    mail = _MAIL.match(address)
    text = address[mail.end() :].partition("?")[0] if mail else address
    scheme = _SCHEME.match(text)
    text = text[scheme.end() :] if scheme else text
    text = text[4:] if text[:4].lower() == "www." else text
    return text.rstrip("/?#&") or address


def host_end(address: str) -> int:
    """Return where the host of a normal ``address`` ends."""
    end = _END_OF_HOST.search(address)
    return end.start() if end else len(address)


def leads_to(address: str, asked: str, *, begun: bool) -> bool:
    """Return whether a normal ``address`` is at ``asked``, or below it.

    A host is also that of its subdomains and of the mailboxes there. With ``begun`` the address may
    go on where what was asked ends.
    """
    end = host_end(address)
    at = address.find(asked, 0, end + len(asked))
    while 0 <= at < end:
        stop = at + len(asked)
        if (at == 0 or address[at - 1] in ".@") and (begun or _ends(address, stop, end)):
            return True
        at = address.find(asked, at + 1, end + len(asked))
    return False


def _ends(address: str, stop: int, host: int) -> bool:
    """Return whether something ends at ``stop``: the host, or a part of what follows it."""
    if stop <= host:
        return stop == host or address[stop] == ":"
    return stop == len(address) or not (address[stop].isalnum() or address[stop] in "-_")


def _without_loose_ends(rest: str) -> str:
    return rest.replace("/?", "?", 1).replace("/#", "#", 1).rstrip("/?#")


def _decoded(host: str) -> str:
    """Return a ``host`` in its own letters: "xn--mnchen-3ya.de" is "münchen.de"."""
    if _ENCODED_HOST not in host.lower() or len(host) > _LONGEST_HOST:
        return host
    try:
        return host.encode("ascii").decode("idna")
    except UnicodeError:
        return host
