"""Serves an application over HTTP to this computer alone, until it is told to end."""

import asyncio
import contextlib
import logging
import signal
import socket
from collections.abc import Iterator
from typing import NoReturn

import uvicorn

from notesearch.errors import ServingError
from notesearch.serving.access import App

HOST = "127.0.0.1"

_ENDS_WITHIN_S = 1
_AT_ONCE = 64


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
            f"Port {port} cannot be used: {error.strerror}. Choose another with --port."
        ) from error
    with listener:
        yield listener


def serve(app: App, listener: socket.socket) -> None:
    """Answer requests until the process is interrupted or asked to end."""
    config = uvicorn.Config(
        app,
        http="h11",
        ws="none",
        log_config=None,
        access_log=False,
        server_header=False,
        limit_concurrency=_AT_ONCE,
        timeout_graceful_shutdown=_ENDS_WITHIN_S,
    )
    # It logs each request that its own end cancels as a mistake, with a traceback.
    logging.getLogger("uvicorn.error").addFilter(_is_no_cancelling)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _interrupt)
    with contextlib.suppress(KeyboardInterrupt):
        uvicorn.Server(config).run(sockets=[listener])


def _is_no_cancelling(record: logging.LogRecord) -> bool:
    """Return whether a line of the log tells more than that the server ends."""
    error = record.exc_info[1] if record.exc_info else None
    return not isinstance(error, asyncio.CancelledError)


def _interrupt(*_: object) -> NoReturn:
    raise KeyboardInterrupt
