"""Gives memory back that nothing in the program uses, where the C library is glibc."""

import contextlib
import ctypes
import sys


def give_back() -> None:
    """Give back whatever is free; any thread may call it, once much was freed.

    What a thread frees its C library keeps for the thread: 40 MB of what loading the model took.
    """
    if sys.platform == "linux":
        with contextlib.suppress(AttributeError, OSError):  # another C library keeps less
            ctypes.CDLL(None).malloc_trim(0)
