"""Serves HTTP to programs on this computer that know the token, but not to web pages.

The commands in ``cli/server_commands.py`` choose the port.
"""

import asyncio
import contextlib
import hmac
import logging
import os
import secrets
import signal
import socket
from collections.abc import Awaitable, Callable, Iterable, Iterator, MutableMapping
from typing import Any, NoReturn

import uvicorn
from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect
from starlette.responses import JSONResponse

from notesearch import private_files
from notesearch.config import Paths
from notesearch.errors import ServingError
from notesearch.files import read_bytes

_Scope = MutableMapping[str, Any]
_Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
_Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[_Scope, _Receive, _Send], Awaitable[None]]
"""An ASGI application."""

HOST = "127.0.0.1"

_HOSTS = ("127.0.0.1", "localhost", "[::1]")
_SHORTEST_TOKEN = 16
_SHUTDOWN_S = 1
_MAX_CONNECTIONS = 64
_MAX_HEAD = 1 << 20
"""The maximum number of bytes of an address with headers: the longest parameters in any script."""

_LOGS = ("uvicorn.error", "mcp.server.streamable_http")
_BROKEN_OFF = (asyncio.CancelledError, ClientDisconnect)
"""Errors of requests that end early."""


def read_token(paths: Paths) -> str:
    """Return the token: ``NOTESEARCH_TOKEN``, else the one in the user's file, made if missing.

    Raises:
        ServingError: The file cannot be used, or the token is too short or not ASCII.
    """
    file = paths.token_file
    try:
        token = os.environ.get("NOTESEARCH_TOKEN") or _token_in_file(paths)
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", "not ASCII") or str(error)
        raise ServingError("token_unusable", file=str(file), reason=reason) from error
    if len(token) < _SHORTEST_TOKEN or not token.isascii():
        raise ServingError("token_too_short", least=_SHORTEST_TOKEN, file=str(file))
    return token


def _token_in_file(paths: Paths) -> str:
    file = paths.token_file
    private_files.make_folder(file.parent)
    try:
        descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return read_bytes(file).decode("ascii").strip()
    token = secrets.token_urlsafe(32)
    with os.fdopen(descriptor, "w", encoding="ascii") as new_file:
        new_file.write(f"{token}\n")
    return token


class Guard:
    """An ASGI application that passes permitted requests on to another one, and rejects others.

    The ``Host`` must be this computer, the origin none or this server, and the token right.
    """

    def __init__(self, app: App, port: int, token: str, open_paths: Iterable[str] = ()) -> None:
        """Guard ``app``, which listens on ``port``; ``open_paths`` need no token."""
        self._app = app
        self._hosts = {f"{host}:{port}" for host in _HOSTS}
        self._origins = {f"http://{host}" for host in self._hosts}
        self._token = token.encode()
        self._open_paths = frozenset(open_paths)

    async def __call__(self, scope: _Scope, receive: _Receive, send: _Send) -> None:
        """Answer an ASGI request, by the application if the request is permitted."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
        elif refusal := self._refusal(Headers(scope=scope), scope["path"]):
            status, message = refusal
            named = {"WWW-Authenticate": "Bearer"} if status == 401 else None
            error = {"kind": "refused", "message": message, "code": ""}
            await JSONResponse({"error": error}, status, named)(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    def _refusal(self, headers: Headers, path: str) -> tuple[int, str] | None:
        """Return the HTTP status and the reason to refuse a request; None to pass it on."""
        hosts = headers.getlist("host")
        if len(hosts) != 1 or hosts[0].lower() not in self._hosts:
            return 421, "The host of a request must be 127.0.0.1 or localhost."
        if not self._origins.issuperset(headers.getlist("origin")):
            return 403, "Requests from web pages of other origins are refused."
        authorization = headers.getlist("authorization")
        if path not in self._open_paths and not self._is_authorized(authorization):
            return 401, "Send the token as “Authorization: Bearer …”."
        return None

    def _is_authorized(self, authorization: list[str]) -> bool:
        scheme, _, token = authorization[0].partition(" ") if authorization else ("", "", "")
        is_right = hmac.compare_digest(token.strip(" \t").encode(), self._token)
        return is_right and scheme.lower() == "bearer" and len(authorization) == 1


@contextlib.contextmanager
def listening(port: int) -> Iterator[socket.socket]:
    """Yield a socket on ``port``, or on any free port if it is 0; raises ServingError."""
    try:
        listener = socket.create_server((HOST, port))
    except OSError as error:
        # Python adds the address, which the sentence already names.
        reason = os.strerror(error.errno) if error.errno else str(error)
        raise ServingError("port_unusable", port=str(port), reason=reason) from error
    with listener:
        yield listener


def server_config(app: App) -> uvicorn.Config:
    """Return the configuration of a server for ``app``."""
    return uvicorn.Config(
        app,
        http="h11",
        h11_max_incomplete_event_size=_MAX_HEAD,
        ws="none",
        log_config=None,
        access_log=False,
        server_header=False,
        limit_concurrency=_MAX_CONNECTIONS,
        timeout_graceful_shutdown=_SHUTDOWN_S,
    )


def serve(app: App, listener: socket.socket) -> None:
    """Answer requests at ``listener`` until the process is interrupted or terminated."""
    for name in _LOGS:
        logging.getLogger(name).addFilter(_is_fault)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _interrupt)
    with contextlib.suppress(KeyboardInterrupt):
        uvicorn.Server(server_config(app)).run(sockets=[listener])


def _is_fault(record: logging.LogRecord) -> bool:
    """Return whether a library logs an error of this server, not one of a client."""
    error = record.exc_info[1] if record.exc_info else None
    return record.levelno >= logging.ERROR and not isinstance(error, _BROKEN_OFF)


def _interrupt(*_: object) -> NoReturn:
    raise KeyboardInterrupt
