"""Has the C library keep little memory that a server does not use, where it is glibc."""

import contextlib
import ctypes
import sys

_M_ARENA_MAX, _M_MMAP_THRESHOLD, _M_TRIM_THRESHOLD = -8, -3, -1
"""From glibc's malloc.h."""

_LARGE, _LEFT = 128 * 1024, 64 * 1024
"""Bytes: what is given back as soon as it is free, and what may stay free at the end of the heap.

Left alone, both grow with what was freed: the model is read in pieces of twelve megabytes.
"""


def sparingly() -> None:
    """Have threads share one pool, and give free memory back; to be called before any is started.

    Each would keep what it freed for itself: a twelfth of what a server takes. What loading the
    model leaves free is another.
    """
    if sys.platform == "linux":
        with contextlib.suppress(AttributeError, OSError):  # another C library has none to choose
            choose = ctypes.CDLL(None).mallopt
            choose(_M_ARENA_MAX, 1)
            choose(_M_MMAP_THRESHOLD, _LARGE)
            choose(_M_TRIM_THRESHOLD, _LEFT)
