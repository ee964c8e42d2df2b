"""How long tests wait for what must happen, and how much of the processor work may take."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from pytestqt.qtbot import QtBot

WAIT_S = 60
"""Ends a wait for what never happens; says nothing about speed."""

_WAIT_MS = 1000 * WAIT_S


class PatientBot(QtBot):
    """Waits as long as a busy machine may need, where pytest-qt gives up after five seconds."""

    def waitSignal(self, signal: Any, *, timeout: int = _WAIT_MS, **options: Any) -> Any:
        return super().waitSignal(signal, timeout=timeout, **options)

    def waitSignals(self, signals: Any, *, timeout: int = _WAIT_MS, **options: Any) -> Any:
        return super().waitSignals(signals, timeout=timeout, **options)

    def waitUntil(self, callback: Callable[[], bool | None], *, timeout: int = _WAIT_MS) -> None:
        super().waitUntil(callback, timeout=timeout)

    def waitExposed(self, widget: Any, *, timeout: int = _WAIT_MS) -> Any:
        return super().waitExposed(widget, timeout=timeout)


@contextmanager
def processor_seconds(limit: float) -> Iterator[None]:
    """Fail if the block takes as much time of the processor, whatever else the machine does."""
    began = time.process_time()
    yield
    assert time.process_time() - began < limit
