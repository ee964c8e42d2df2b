"""Decides by the address of a link or an image whether the preview may show it."""

import re
from urllib.parse import quote, unquote, urlsplit

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_MAIL_HEADERS = frozenset({"", "to", "cc", "bcc", "subject", "body"})
MAX_LENGTH = 2000


def link(address: str) -> str | None:
    """Return the address to use for a link; None if the link must become text that does nothing.

    Web and mail addresses stay as they are. A relative address names a note. It becomes ``note:``
    and the percent-encoded target, which the index looks up; it is never opened as a path.
    """
    address = address.strip()
    if _CONTROL.search(address) or not 0 < len(address) <= MAX_LENGTH:
        return None
    if address.startswith("#fn-"):
        return address
    scheme = _scheme(address)
    if scheme in {"http", "https"}:
        return address if _has_host(address) else None
    if scheme == "mailto":
        return address if _has_only_known_headers(address) else None
    return _local(address, scheme, "note")


def image(address: str) -> str | None:
    """Return the address to use for an image; None if the image must not be shown.

    A web address stays as it is; the preview shows a placeholder and does not load it. A relative
    path becomes ``image:`` and the percent-encoded path. The reader of the file checks that it is
    in the vault.
    """
    address = address.strip()
    if _CONTROL.search(address) or not 0 < len(address) <= MAX_LENGTH:
        return None
    scheme = _scheme(address)
    if scheme in {"http", "https"}:
        return address if _has_host(address) else None
    local = _local(address, scheme, "image")
    # A colon may belong to a drive or stream of a Windows path. In a note's name it is harmless.
    return None if local and "%3A" in local else local


def decode(address: str) -> str:
    """Return the percent-decoded target of a ``note:`` or ``image:`` address."""
    return unquote(address.partition(":")[2])


def _scheme(address: str) -> str:
    found = _SCHEME.match(address)
    return found[1].lower() if found else ""


def _has_only_known_headers(address: str) -> bool:
    """Return whether a mail address has only harmless headers: others may attach files."""
    headers = address.partition("?")[2].split("&")
    return all(unquote(h.partition("=")[0]).lower() in _MAIL_HEADERS for h in headers)


def _has_host(address: str) -> bool:
    try:
        return bool(urlsplit(address).hostname)
    except ValueError:
        return False


def _local(address: str, scheme: str, own: str) -> str | None:
    if scheme not in {"", own}:
        return None
    target = unquote(address[len(own) + 1 :] if scheme else address)
    is_network_or_drive = target.startswith(("//", "\\")) or "\\" in target or _SCHEME.match(target)
    if is_network_or_drive or _CONTROL.search(target):
        return None
    return f"{own}:{quote(target, safe='')}"
