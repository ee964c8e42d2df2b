"""MCP over standard input and output.

Nothing else is written to standard output, and the process ends when its client ends.
"""

import contextlib
import json
import os
import select
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import BinaryIO, TextIO

from notesearch.errors import ServingError

_CHECK_S = 0.5
_GRACE_S = 1.0


def reserve_stdout() -> BinaryIO:
    """Return a stream to standard output; other output there goes to standard error.

    Raises:
        ServingError: Standard input or output is closed.
    """
    if not (sys.stdin and sys.stdout):
        raise ServingError("streams_closed")
    try:
        os.fstat(2)
    except OSError:  # standard error is closed, so the next opened file gets its number
        os.open(os.devnull, os.O_WRONLY)
    output = os.dup(1)
    os.dup2(2, 1)
    return os.fdopen(output, "wb", closefd=False)  # a thread may write to it until the end


@contextlib.contextmanager
def ending_with_client() -> Iterator[threading.Event]:
    """End the process when its client ends, and at the latest a second after the block.

    If the block raises an error, the process goes on. The client has ended when the process gets
    another parent, or when standard input is closed. The block gets an event, and sets it when it
    begins to read standard input. Before, a closed input does not count: a shell may close it after
    writing all messages, before anybody has read them.
    """
    ended = threading.Event()
    failed = threading.Event()
    reading = threading.Event()
    with _hang_up_detector() as is_closed:
        arguments = (os.getppid(), lambda: reading.is_set() and is_closed(), ended, failed)
        watcher = threading.Thread(target=_watch_client, args=arguments, daemon=True)
        watcher.start()
        try:
            yield reading
        except Exception:
            failed.set()
            ended.set()
            watcher.join()
            raise
        finally:
            ended.set()


def _watch_client(
    parent: int, is_closed: Callable[[], bool], ended: threading.Event, failed: threading.Event
) -> None:
    while not (ended.wait(_CHECK_S) or is_closed()):
        if os.getppid() != parent:
            os._exit(0)
    if failed.is_set():
        return
    time.sleep(_GRACE_S)  # usually the process ends by itself, and this thread with it
    os._exit(0)


@contextlib.contextmanager
def _hang_up_detector() -> Iterator[Callable[[], bool]]:
    """Yield a function that returns whether the other end of standard input is closed.

    Reading would notice that only after all earlier messages are answered. The function always
    returns False on systems that do not report it.
    """
    try:
        descriptor = os.dup(0)  # the protocol replaces standard input
    except OSError:  # standard input is closed
        descriptor = -1
    if descriptor < 0 or not hasattr(select, "poll"):
        yield lambda: False
        return
    poll = select.poll()
    poll.register(descriptor, 0)  # hang-ups are always reported
    try:
        yield lambda: any(event & select.POLLHUP for _, event in poll.poll(0))
    finally:
        os.close(descriptor)


def reserve_stdin() -> TextIO:
    """Return a stream to standard input; all other code that reads it gets nothing."""
    lines = os.dup(0)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    return os.fdopen(lines, encoding="utf-8", errors="replace", closefd=False)


def without_lone_surrogates(message: str) -> str:
    r"""Return a line of JSON with question marks in place of lone surrogates.

    JSON can contain half a character (``\ud83d``): some programs cut texts inside a character. The
    SDK would drop such a message, and nobody would answer it.
    """
    if "\\ud" not in message.lower():
        return message
    try:
        text = json.dumps(json.loads(message), ensure_ascii=False)
    except (ValueError, RecursionError):
        return message  # the SDK answers it
    return text.encode("utf-8", "replace").decode()
