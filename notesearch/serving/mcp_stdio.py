"""MCP over standard input and output.

Nothing else is written to standard output, and the process ends with its client.
"""

import contextlib
import json
import os
import select
import sys
import threading
import time
from collections.abc import Callable, Iterator
from types import TracebackType
from typing import Any, BinaryIO, Self

from pydantic import ValidationError

from notesearch.errors import ServingError

_CHECK_S = 0.5
_GRACE_S = 1.0


def reserve_stdout() -> BinaryIO:
    """Return a stream to standard output; redirect all other output there to standard error.

    So imported modules and other threads may print, or write to the descriptor itself.

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
def ending_with_client() -> Iterator[None]:
    """End the process when its client ends, or a second after the block.

    The client has ended when standard input is closed; or when the process has another parent, even
    if a third process keeps standard input open. The index survives an end at any moment. If the
    block raises an error, the process is not ended here.
    """
    ended, failed = threading.Event(), threading.Event()
    with _hang_up_detector() as is_closed:
        arguments = (os.getppid(), is_closed, ended, failed)
        watcher = threading.Thread(target=_watch_client, args=arguments, daemon=True)
        watcher.start()
        try:
            yield
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

    Reading would notice that only after all earlier messages are answered, which may take long. The
    function always returns False on systems that cannot tell.
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


class RepairedMessages:
    r"""The SDK's stream of messages, with question marks in place of lone surrogates.

    JSON can contain half a character (``\ud83d``): some programs cut texts inside a character. The
    SDK would drop such a message, and nobody would answer it. ``parse`` returns the message in a
    line.
    """

    def __init__(
        self,
        stream: Any,  # noqa: ANN401 - the SDK does not export its type
        parse: Callable[[bytes], object],
    ) -> None:
        self._stream = stream
        self._parse = parse

    @property
    def last_context(self) -> Any:  # noqa: ANN401 - of the SDK
        """The context of the last message."""
        return self._stream.last_context

    async def receive(self) -> Any:  # noqa: ANN401 - of the SDK
        """Return the next message."""
        return self._repaired(await self._stream.receive())

    async def aclose(self) -> None:
        """Close the stream."""
        await self._stream.aclose()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Any:  # noqa: ANN401 - of the SDK
        return self._repaired(await self._stream.__anext__())

    async def __aenter__(self) -> Self:
        await self._stream.__aenter__()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> bool | None:
        await self._stream.__aexit__(kind, error, trace)
        return None

    def _repaired(self, item: Any) -> Any:  # noqa: ANN401 - of the SDK
        if not isinstance(item, ValidationError):
            return item
        line = item.errors(include_url=False)[0]["input"]
        if not (isinstance(line, str) and "\\ud" in line.lower()):
            return item
        try:
            repaired = json.dumps(json.loads(line), ensure_ascii=False).encode("utf-8", "replace")
            return self._parse(repaired)
        except (ValueError, RecursionError):
            return item
