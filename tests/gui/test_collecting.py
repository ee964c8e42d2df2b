"""Only the GUI thread takes down what stands in a reference cycle."""

import gc
import threading
import weakref
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from notesearch.gui.system.collecting import Collector


@pytest.fixture
def collector() -> Iterator[Collector]:
    before = gc.get_threshold()
    gc.enable()
    gc.set_threshold(700, 10, 10)  # a server that ran in this process before looks less often
    found = Collector()
    yield found
    found.stop()
    gc.set_threshold(*before)


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
    ended_in: list[threading.Thread] = []
    circle = weakref.ref(_Circle(), lambda _: ended_in.append(threading.current_thread()))
    busy = threading.Thread(target=_allocate)
    busy.start()
    busy.join()
    assert circle() is not None
    qtbot.waitUntil(lambda: bool(ended_in))
    assert ended_in == [threading.main_thread()]


def test_afterwards_python_collects_by_itself_again() -> None:
    Collector().stop()
    assert gc.isenabled()


@pytest.mark.usefixtures("collector")
def test_what_the_start_leaves_is_not_looked_at_again(qtbot: QtBot) -> None:
    gc.set_threshold(1, 0, 0)  # all is due at once
    before, early = gc.get_freeze_count(), [_Circle()]
    of_the_start = weakref.ref(early[0])
    qtbot.waitUntil(lambda: gc.get_freeze_count() > before)
    gc.set_threshold(1, 1_000, 1_000)  # else a further look of the start could keep what is later
    early.clear()
    later = weakref.ref(_Circle())
    qtbot.waitUntil(lambda: later() is None)
    assert of_the_start() is not None
    gc.unfreeze()
    gc.collect()
    gc.freeze()
