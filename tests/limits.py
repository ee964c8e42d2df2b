"""How long tests wait for what must happen, and how much of the processor work may take."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

Seen = TypeVar("Seen")

WAIT_S = 60
"""Ends a wait for what never happens; says nothing about speed."""


def until(condition: Callable[[], Seen]) -> Seen:
    """Call ``condition`` until its result is true, and return the result.

    For what another process does. Qt has ``qtbot.waitUntil``, indexing has ``IndexingListener``.
    """
    deadline = time.monotonic() + WAIT_S
    while True:
        seen = condition()
        if seen:
            return seen
        assert time.monotonic() < deadline
        time.sleep(0.02)


@contextmanager
def processor_seconds(limit: float) -> Iterator[None]:
    """Fail if the block takes as much time of the processor, whatever else the machine does."""
    began = time.process_time()
    yield
    assert time.process_time() - began < limit
