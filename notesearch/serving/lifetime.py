"""Ends a server with its client: when that dies, and soon even where a thread is still at work."""

import contextlib
import os
import threading
from collections.abc import Iterator

_LOOK_S = 0.5
_ENDS_WITHIN_S = 1.0


@contextlib.contextmanager
def of_client() -> Iterator[None]:
    """Live as long as the process that started this one, and end within a second of the block.

    The end of its input tells of a client that ended; where another process still holds the other
    end open, that the parent is another does. The index is safe against an end at any instant.
    """
    ended = threading.Event()
    watching = threading.Thread(target=_watch, args=(os.getppid(), ended), daemon=True)
    watching.start()
    try:
        yield
    finally:
        ended.set()


def _watch(parent: int, ended: threading.Event) -> None:
    while not ended.wait(_LOOK_S):
        if os.getppid() != parent:
            os._exit(0)
    ended.clear()
    ended.wait(_ENDS_WITHIN_S)  # the program ends by itself as a rule, and this thread with it
    os._exit(0)
