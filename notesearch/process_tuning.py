"""Settings of a process that runs for long: little unused memory, and short turns in a server."""

import contextlib
import gc
import sys

_SWITCH_S = 0.0005
"""How long a thread keeps Python's lock. A search asks for it again after each SQL statement."""

_GARBAGE_THRESHOLD = 50_000
"""Objects created before Python looks for garbage, which stops all threads and finds little."""

_M_ARENA_MAX, _M_MMAP_THRESHOLD, _M_TRIM_THRESHOLD = -8, -3, -1
"""Options of glibc's ``mallopt``, from malloc.h."""

_MMAP_BYTES, _TRIM_BYTES = 128 * 1024, 64 * 1024
"""Memory is returned to the system if a block was larger, or if more is free at the heap's end.

Left alone, glibc raises both limits after large blocks such as the model were freed.
"""


def keep_little_memory() -> None:
    """Return memory that is not used any more to the system; call it before threads start."""
    for option, value in (
        (_M_ARENA_MAX, 1),
        (_M_MMAP_THRESHOLD, _MMAP_BYTES),
        (_M_TRIM_THRESHOLD, _TRIM_BYTES),
    ):
        _call_allocator("mallopt", option, value)


def return_free_memory() -> None:
    """Give unused memory between used blocks back, too: tens of megabytes after a huge note."""
    _call_allocator("malloc_trim", 0)


def _call_allocator(function: str, *values: int) -> None:
    """Call a function of glibc where there is one."""
    if sys.platform == "linux":
        import ctypes

        with contextlib.suppress(AttributeError, OSError):
            getattr(ctypes.CDLL(None), function)(*values)


def tune_server_process() -> None:
    """Let answers interrupt indexing, and return free memory; call it before threads start."""
    sys.setswitchinterval(_SWITCH_S)
    gc.set_threshold(_GARBAGE_THRESHOLD)
    keep_little_memory()
