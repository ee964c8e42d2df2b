"""A user of windows, for tests, who waits as long as a busy machine needs."""

from collections.abc import Callable
from typing import Any

from pytestqt.qtbot import QtBot

from tests.limits import WAIT_S

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
