"""Only the GUI thread destroys objects in reference cycles."""

import gc
import threading
import weakref
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from notesearch.gui.system.hooks import GarbageCollector


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the collector begin without waiting for the end of the start."""
    monkeypatch.setattr("notesearch.gui.system.hooks._START_MS", 0)


@pytest.fixture(autouse=True)
def disabled_for_other_tests() -> Iterator[None]:
    """Turn automatic collection off again, as it is in all tests with windows."""
    yield
    gc.disable()


@pytest.fixture
def collector() -> Iterator[GarbageCollector]:
    before = gc.get_threshold()
    gc.enable()
    gc.set_threshold(700, 10, 10)  # a server that ran in this process may have raised them
    running = GarbageCollector()
    yield running
    gc.set_threshold(*before)
    running.stop()


class _Circle(QObject):
    def __init__(self) -> None:
        super().__init__()
        self.itself = self


def _allocate() -> None:
    for _ in range(20_000):
        circle: list[object] = []
        circle.append(circle)


@pytest.mark.usefixtures("collector")
def test_a_busy_thread_collects_nothing(qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: gc.get_freeze_count() > 0)
    ended_in: list[threading.Thread] = []
    circle = weakref.ref(_Circle(), lambda _: ended_in.append(threading.current_thread()))
    busy = threading.Thread(target=_allocate)
    busy.start()
    busy.join()
    assert circle() is not None
    qtbot.waitUntil(lambda: bool(ended_in))
    assert ended_in == [threading.main_thread()]


def test_after_stop_python_collects_by_itself_again(qtbot: QtBot) -> None:
    collector = GarbageCollector()
    assert not gc.isenabled()
    collector.stop()
    assert gc.isenabled()


def test_objects_of_the_start_are_not_looked_at_again(qtbot: QtBot) -> None:
    early = [_Circle()]
    of_the_start = weakref.ref(early[0])
    thresholds = gc.get_threshold()
    collector = GarbageCollector()
    try:
        qtbot.waitUntil(lambda: not _is_looked_at(early[0]))
        gc.set_threshold(1, 0, 0)  # everything is due at once
        early.clear()
        later = weakref.ref(_Circle())
        qtbot.waitUntil(lambda: later() is None)
        started = of_the_start()
        assert started is not None
    finally:
        gc.set_threshold(*thresholds)
        collector.stop()
    del started.itself  # nothing else would destroy it now


def _is_looked_at(thing: object) -> bool:
    """Return whether the garbage collector looks at ``thing``; not if it is frozen."""
    return any(found is thing for found in gc.get_objects())
