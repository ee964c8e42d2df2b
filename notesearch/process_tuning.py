"""Tunes processes that run for long: they keep little memory, and end within a limited time."""

import contextlib
import gc
import os
import sys
import threading
from collections.abc import Callable, Iterator

END_S = 5.0
"""Seconds after which a process ends, even if one of its threads waits for a dead disk."""

_SWITCH_S = 0.0005
"""Seconds that a thread may keep Python's lock; a search waits for it after each SQL statement."""

GARBAGE_THRESHOLD = 50_000
"""New objects after which Python looks for garbage; that stops all threads and finds little."""

_M_ARENA_MAX, _M_MMAP_THRESHOLD, _M_TRIM_THRESHOLD = -8, -3, -1
"""Options of glibc's ``mallopt``, from malloc.h."""

_MMAP_BYTES, _TRIM_BYTES = 128 * 1024, 64 * 1024
"""Freed memory is returned to the system if its block was larger than the first number, or if more
than the second is free at the end of the heap. By default, glibc raises both after large blocks,
such as those of the model, were freed."""


def keep_little_memory() -> None:
    """Make glibc return freed memory to the system soon; call this before threads start.

    It does nothing on other systems.
    """
    for option, value in (
        (_M_ARENA_MAX, 1),
        (_M_MMAP_THRESHOLD, _MMAP_BYTES),
        (_M_TRIM_THRESHOLD, _TRIM_BYTES),
    ):
        _call_allocator("mallopt", option, value)


def return_free_memory() -> None:
    """Return all free memory to the system, even between used blocks, as after a huge note."""
    _call_allocator("malloc_trim", 0)


def _call_allocator(function: str, *values: int) -> None:
    """Call a function of glibc; do nothing on systems without it."""
    if sys.platform == "linux":
        import ctypes

        with contextlib.suppress(AttributeError, OSError):
            getattr(ctypes.CDLL(None), function)(*values)


@contextlib.contextmanager
def rare_garbage_collection() -> Iterator[None]:
    """Let Python look for garbage less often during the block, in which many objects are made."""
    first, *others = gc.get_threshold()
    if first:  # 0: never
        gc.set_threshold(max(first, GARBAGE_THRESHOLD), *others)
    try:
        yield
    finally:
        gc.set_threshold(first, *others)


def tune_server_process() -> None:
    """Let answers interrupt indexing, and keep little memory; call it before threads start."""
    sys.setswitchinterval(_SWITCH_S)
    gc.set_threshold(GARBAGE_THRESHOLD)
    keep_little_memory()


@contextlib.contextmanager
def ended_after(seconds: float, release: Callable[[], None] = lambda: None) -> Iterator[None]:
    """End the process if the block takes too long, because a disk does not answer.

    Nothing is lost, because settings and index survive the end of the process at any moment.

    Args:
        seconds: The most that the block may take.
        release: Lets another start of the program begin. It is called first, because the system
            may keep a process that waits for a disk, with the locks that it has.
    """

    def end() -> None:
        release()
        os._exit(0)

    timer = threading.Timer(seconds, end)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
