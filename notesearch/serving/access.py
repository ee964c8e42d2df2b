"""Who may ask over HTTP: this computer, no foreign web page, and only with the token."""

import hmac
import json
import os
import secrets
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from typing import Any

from notesearch.config import Paths
from notesearch.errors import ServingError

_Scope = MutableMapping[str, Any]
_Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
_Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[_Scope, _Receive, _Send], Awaitable[None]]

_HOSTS = ("127.0.0.1", "localhost", "[::1]")
_SHORTEST_TOKEN = 16


def token(paths: Paths) -> str:
    """Return the token of ``NOTESEARCH_TOKEN``, else of the user's own file, made once.

    Raises:
        ServingError: The file can neither be read nor made, or the token is too short.
    """
    file = paths.token_file
    try:
        found = os.environ.get("NOTESEARCH_TOKEN") or _kept(paths)
    except (OSError, UnicodeDecodeError) as error:
        raise ServingError("token_unusable", file=str(file), reason=str(error)) from error
    if len(found) < _SHORTEST_TOKEN or not found.isascii():
        raise ServingError("token_too_short", least=_SHORTEST_TOKEN, file=str(file))
    return found


def _kept(paths: Paths) -> str:
    file = paths.token_file
    file.parent.mkdir(parents=True, exist_ok=True)
    try:
        descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return file.read_text("ascii").strip()
    made = secrets.token_urlsafe(32)
    with os.fdopen(descriptor, "w", encoding="ascii") as new:
        new.write(f"{made}\n")
    return made


class Guard:
    """Lets requests through that name this computer, come from no web page, and have the token."""

    def __init__(self, app: App, port: int, token: str, free: Iterable[str] = ()) -> None:
        """Take what is guarded, where it listens, and the paths that need no token."""
        self._app = app
        self._hosts = {f"{host}:{port}".encode() for host in _HOSTS}
        self._origins = {b"http://" + host for host in self._hosts}
        self._token = token.encode()
        self._free = frozenset(free)

    async def __call__(self, scope: _Scope, receive: _Receive, send: _Send) -> None:
        """Answer as ASGI asks."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
        elif refusal := self._refusal(scope):
            await _refuse(send, *refusal)
        else:
            await self._app(scope, receive, send)

    def _refusal(self, scope: _Scope) -> tuple[int, str] | None:
        """Return why a request is not let through, with HTTP's number for it."""
        headers: dict[bytes, list[bytes]] = {}
        for name, value in scope["headers"]:
            headers.setdefault(name.lower(), []).append(value)
        hosts = headers.get(b"host", [])
        if len(hosts) != 1 or hosts[0].lower() not in self._hosts:
            return 421, "Requests name 127.0.0.1 or localhost as their host."
        if not self._origins.issuperset(headers.get(b"origin", [])):
            return 403, "Web pages of other origins may not ask."
        if scope["path"] not in self._free and not self._knows(headers.get(b"authorization", [])):
            return 401, "Send the token as “Authorization: Bearer …”."
        return None

    def _knows(self, authorization: list[bytes]) -> bool:
        scheme, _, given = authorization[0].partition(b" ") if authorization else (b"", b"", b"")
        right = hmac.compare_digest(given.strip(), self._token)
        return right and scheme.lower() == b"bearer" and len(authorization) == 1


async def _refuse(send: _Send, status: int, message: str) -> None:
    body = json.dumps({"error": {"kind": "refused", "message": message}}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body))]
    if status == 401:
        headers.append((b"www-authenticate", b"Bearer"))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
