"""Ends a server with its client: when that dies, and soon even where a thread is still at work."""

import contextlib
import os
import select
import threading
import time
from collections.abc import Callable, Iterator

_LOOK_S = 0.5
_ENDS_WITHIN_S = 1.0


@contextlib.contextmanager
def of_client() -> Iterator[None]:
    """Live as long as the process that started this one, and end within a second of the block.

    The end of its input tells of a client that ended; where another process still holds the other
    end open, that the parent is another does. The index is safe against an end at any instant.
    Where the block fails, whoever is told of it ends the process.
    """
    ended, failed = threading.Event(), threading.Event()
    with _input_closed() as is_closed:
        words = (os.getppid(), is_closed, ended, failed)
        watching = threading.Thread(target=_watch, args=words, daemon=True)
        watching.start()
        try:
            yield
        except Exception:
            failed.set()
            ended.set()
            watching.join()
            raise
        finally:
            ended.set()


def _watch(
    parent: int, is_closed: Callable[[], bool], ended: threading.Event, failed: threading.Event
) -> None:
    while not (ended.wait(_LOOK_S) or is_closed()):
        if os.getppid() != parent:
            os._exit(0)
    if failed.is_set():
        return
    time.sleep(_ENDS_WITHIN_S)  # the program ends by itself as a rule, and this thread with it
    os._exit(0)


@contextlib.contextmanager
def _input_closed() -> Iterator[Callable[[], bool]]:
    """Give what tells whether nobody can write to our input any more.

    Its end itself is read only behind all that was sent before, which may take long to answer.
    Where the system cannot tell, it is never closed.
    """
    try:
        ours = os.dup(0)  # the protocol puts something else in its place
    except OSError:  # there is none
        ours = -1
    if ours < 0 or not hasattr(select, "poll"):
        yield lambda: False
        return
    asked = select.poll()
    asked.register(ours, 0)  # of a hang-up it tells unasked
    try:
        yield lambda: any(event & select.POLLHUP for _, event in asked.poll(0))
    finally:
        os.close(ours)
