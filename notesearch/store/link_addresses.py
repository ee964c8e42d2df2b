"""Normal forms of web and mail addresses, so that the index compares them by host and path."""

import hashlib
import re
import unicodedata
from urllib.parse import unquote

LONGEST = 128
"""Characters of a normal address; the end of a longer one is replaced by a hash."""

_HASH_DIGITS = 8
_COMPARED = 900
"""The hash is made of this many characters: fewer than a query may have."""

_MAIL = re.compile(r"mailto:/*", re.IGNORECASE)
_SCHEME = re.compile(r"(?:https?:)?//", re.IGNORECASE)
_END_OF_HOST = re.compile(r"[/?#]")
_UNSEEN = re.compile(r"[\x00-\x20\x7f]+")
_ENCODED_HOST = "xn--"
_LONGEST_HOST = 255


def normalized(address: str) -> str:
    """Return the normal form of ``address``, in which addresses are compared.

    It lacks http and https, ``www.``, a final slash and the subject of a mail; its letters are
    decoded, in NFC and folded to one case.
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
    digest = hashlib.blake2b(compared, digest_size=_HASH_DIGITS // 2).hexdigest()
    return text[: LONGEST - _HASH_DIGITS] + digest


def shortest_form(address: str) -> str:
    """Return ``address`` without all that a text may leave out: scheme, ``www.``, final slash."""
    mail = _MAIL.match(address)
    text = address[mail.end() :].partition("?")[0] if mail else address
    scheme = _SCHEME.match(text)
    text = text[scheme.end() :] if scheme else text
    text = text[4:] if text[:4].lower() == "www." else text
    return text.rstrip("/?#&") or address


def host_end(address: str) -> int:
    """Return the index at which the host of a normal ``address`` ends."""
    end = _END_OF_HOST.search(address)
    return end.start() if end else len(address)


def leads_to(address: str, target: str, *, begun: bool) -> bool:
    """Return whether a normal ``address`` is ``target`` or below it.

    A host includes its subdomains and the mailboxes there. With ``begun`` the address may go on in
    the middle of a word, because ``target`` is still being typed.
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
    """Return whether the host or a later part of ``address`` ends at index ``at``.

    ``host`` is the index at which the host ends.
    """
    if at <= host:
        return at == host or address[at] == ":"
    return at == len(address) or not (address[at].isalnum() or address[at] in "-_")


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
