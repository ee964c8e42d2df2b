"""The newest request wins, whichever thread is faster."""

import logging
import threading
import time

import pytest
from PySide6.QtCore import QObject, QThread, Signal, Slot
from pytestqt.qtbot import QtBot

from notesearch.gui.session.worker_threads import FileCall, NewestSlot, NewestWorker
from notesearch.gui.system import hooks
from tests.limits import WAIT_S


def test_a_newer_request_replaces_the_waiting_one() -> None:
    slot: NewestSlot[str] = NewestSlot()
    slot.put("k")
    slot.put("ky")
    slot.put("kyoto")
    assert slot.take() == "kyoto"
    assert not slot.outdated()


def test_requests_of_other_types_are_not_replaced() -> None:
    slot: NewestSlot[str | int] = NewestSlot()
    slot.put("one")
    slot.put(2)
    slot.put("three")
    assert slot.take() == 2
    assert slot.take() == "three"


def test_a_taken_request_is_outdated_by_the_next() -> None:
    slot: NewestSlot[str] = NewestSlot()
    slot.put("k")
    slot.take()
    assert not slot.outdated_before(time.monotonic())
    slot.put("ky")
    assert slot.outdated()
    assert slot.outdated_before(time.monotonic() + 60)


def test_closing_wakes_the_waiting_thread() -> None:
    slot: NewestSlot[str] = NewestSlot()
    taken: list[str | None] = []
    thread = threading.Thread(target=lambda: taken.append(slot.take()))
    thread.start()
    slot.close()
    thread.join()
    assert taken == [None]
    assert slot.outdated()


class Doubler(NewestWorker[int]):
    """Doubles even numbers, fails at odd ones."""

    doubled = Signal(int)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.threads: set[int] = set()

    def work(self, request: int) -> None:
        self.threads.add(threading.get_ident())
        if request % 2:
            raise ValueError(request)
        self.doubled.emit(request * 2)


def test_a_worker_survives_a_request_that_fails(
    qtbot: QtBot, caplog: pytest.LogCaptureFixture
) -> None:
    worker, told = Doubler(), list[str]()
    worker.start()
    with hooks.installed(report=lambda: told.append("bug"), leave=lambda: None):
        worker.ask(1)
        qtbot.waitUntil(lambda: bool(told))
        with qtbot.waitSignal(worker.doubled) as doubled:
            worker.ask(4)
    assert doubled.args == [8]
    assert threading.get_ident() not in worker.threads
    assert told == ["bug"]
    assert [record.levelno for record in caplog.records] == [logging.CRITICAL]
    assert "ValueError: 1\nThe request was 1." in caplog.text
    worker.stop()
    assert worker.wait(1000 * WAIT_S)


class Asker(QObject):
    """Keeps the answers of its calls, and the threads in which they came."""

    def __init__(self) -> None:
        super().__init__()
        self.answers: list[tuple[object, QThread]] = []

    @Slot(object)
    def keep(self, answer: object) -> None:
        self.answers.append((answer, QThread.currentThread()))


def until_told() -> str:
    """Return only after the call was told to end."""
    while not FileCall.is_ending():
        QThread.yieldCurrentThread()
    return "told"


def test_calls_that_are_finished_answer_even_if_they_take_long(qtbot: QtBot) -> None:
    asker = Asker()
    for ask in (lambda: "quick", until_told):
        call = FileCall(ask, asker)
        call.answered.connect(asker.keep)
        call.start()
    FileCall.finish_all(asker)
    here = QThread.currentThread()
    assert asker.answers == [("quick", here), ("told", here)]
