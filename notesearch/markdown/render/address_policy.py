"""Decides by its address which links and images of a note the preview may show."""

import re
from urllib.parse import quote, unquote, urlsplit

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_MAIL_HEADERS = frozenset({"", "to", "cc", "bcc", "subject", "body"})
MAX_LENGTH = 2000


def link(address: str) -> str | None:
    """Return the address to use for a link, or None if it must be inert text.

    Web and mail addresses stay as they are. A relative address names a note; it becomes ``note:``
    and the percent-encoded target, which is looked up in the index and never opened as a path.
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
    """Return the address to use for an image, or None if it must not be shown.

    A web address stays, for a placeholder that says it is not loaded. A relative path becomes
    ``image:`` and the percent-encoded path; its reader checks that the file is in the vault.
    """
    address = address.strip()
    if _CONTROL.search(address) or not 0 < len(address) <= MAX_LENGTH:
        return None
    scheme = _scheme(address)
    if scheme in {"http", "https"}:
        return address if _has_host(address) else None
    local = _local(address, scheme, "image")
    # A colon may be a drive or stream of a Windows path; in a note's name (“10:30”) it is fine.
    return None if local and "%3A" in local else local


def decode(address: str) -> str:
    """Return the target of a ``note:`` or ``image:`` address."""
    return unquote(address.partition(":")[2])


def _scheme(address: str) -> str:
    found = _SCHEME.match(address)
    return found[1].lower() if found else ""


def _has_only_known_headers(address: str) -> bool:
    """Return whether a mail address is harmless; others may make a mail program attach files."""
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
