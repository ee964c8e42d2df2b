"""Has the threads of a server take short turns: one indexes while others answer."""

import gc
import sys

_TURN_S = 0.0005
"""A search asks for Python's lock again after each statement; each time it waits a turn."""

_OBJECTS = 50_000
"""Made before garbage is looked for: the collector stops all threads, and finds next to nothing."""


def short_turns() -> None:
    """Let answers come while notes are indexed; for the whole process, once."""
    sys.setswitchinterval(_TURN_S)
    gc.set_threshold(_OBJECTS)
