"""Serves an application over HTTP to this computer alone, until it is told to end."""

import asyncio
import contextlib
import logging
import signal
import socket
from collections.abc import Iterator
from typing import NoReturn

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from notesearch.errors import ServingError
from notesearch.serving.access import App

HOST = "127.0.0.1"

_ENDS_WITHIN_S = 1
_AT_ONCE = 64
_ASKS_WITHIN_S = 10.0
"""From the connection, or the first byte of a further request, to the whole request."""


@contextlib.contextmanager
def listening(port: int) -> Iterator[socket.socket]:
    """Listen on ``port`` of this computer; on any that is free where it is 0.

    Raises:
        ServingError: Another program listens there, or may.
    """
    try:
        listener = socket.create_server((HOST, port))
    except OSError as error:
        raise ServingError(
            "port_unusable", port=str(port), reason=error.strerror or str(error)
        ) from error
    with listener:
        yield listener


class _Prompt(H11Protocol):
    """Closes a connection whose request does not come: enough of them shut all others out.

    What the server itself bounds is the time from an answer to the next byte.
    """

    _late: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._expect()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._expect()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._expect_nothing()

    def _expect(self) -> None:
        """Give the client its time from now; or all of it, where it asked and is not answered."""
        asked = self.cycle and not (self.cycle.response_complete or self.cycle.more_body)
        if asked or self.transport.is_closing():
            self._expect_nothing()
        elif self._late is None:
            self._late = self.loop.call_later(_ASKS_WITHIN_S, self.transport.close)

    def _expect_nothing(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None


def configured(app: App) -> uvicorn.Config:
    """Return how ``app`` is served."""
    return uvicorn.Config(
        app,
        http=_Prompt,
        ws="none",
        log_config=None,
        access_log=False,
        server_header=False,
        limit_concurrency=_AT_ONCE,
        timeout_graceful_shutdown=_ENDS_WITHIN_S,
    )


def serve(app: App, listener: socket.socket) -> None:
    """Answer requests until the process is interrupted or asked to end."""
    # It logs each request that its own end cancels as a mistake, with a traceback.
    logging.getLogger("uvicorn.error").addFilter(_is_no_cancelling)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _interrupt)
    with contextlib.suppress(KeyboardInterrupt):
        uvicorn.Server(configured(app)).run(sockets=[listener])


def _is_no_cancelling(record: logging.LogRecord) -> bool:
    """Return whether a line of the log tells more than that the server ends."""
    error = record.exc_info[1] if record.exc_info else None
    return not isinstance(error, asyncio.CancelledError)


def _interrupt(*_: object) -> NoReturn:
    raise KeyboardInterrupt
