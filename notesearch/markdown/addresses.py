"""What a link or an image in a note may point at: decides on the address, never opens anything."""

import re
from urllib.parse import quote, unquote, urlsplit

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_MAIL_HEADERS = frozenset({"", "to", "cc", "bcc", "subject", "body"})
MAX_LENGTH = 2000


def link(address: str) -> str | None:
    """Return the address a link gets, or None when it must be inert text.

    Web and mail addresses stay. Everything relative names a note, percent-encoded as a whole
    behind ``note:``: it is looked up in the index, never opened as a path.
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
        return address if _is_only_a_letter(address) else None
    return _local(address, scheme, "note")


def image(address: str) -> str | None:
    """Return the address an image gets, or None when it must not be shown.

    Web addresses stay, for a box that says they are not loaded. A relative path is
    percent-encoded behind ``image:``; whether it lies in the vault is checked when it is read.
    """
    address = address.strip()
    if _CONTROL.search(address) or not 0 < len(address) <= MAX_LENGTH:
        return None
    scheme = _scheme(address)
    if scheme in {"http", "https"}:
        return address if _has_host(address) else None
    local = _local(address, scheme, "image")
    # A drive or a stream of a Windows path; in a note's name, as in “10:30”, a colon is fine.
    return None if local and "%3A" in local else local


def decode(address: str) -> str:
    """Return what a ``note:`` or ``image:`` address names."""
    return unquote(address.partition(":")[2])


def _scheme(address: str) -> str:
    found = _SCHEME.match(address)
    return found[1].lower() if found else ""


def _is_only_a_letter(address: str) -> bool:
    """Return whether a mail address asks for words alone: some programs attach what it names."""
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
