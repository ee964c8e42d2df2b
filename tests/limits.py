"""How long tests wait for what must happen, and how much of the processor work may take."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

WAIT_S = 60
"""Ends a wait for what never happens; says nothing about speed."""


@contextmanager
def processor_seconds(limit: float) -> Iterator[None]:
    """Fail if the block takes as much time of the processor, whatever else the machine does."""
    began = time.process_time()
    yield
    assert time.process_time() - began < limit
