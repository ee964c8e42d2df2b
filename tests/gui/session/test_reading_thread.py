"""The thread of a window that reads notes answers each request once, and the newest question."""

import weakref
from collections.abc import Iterator
from dataclasses import replace

import pytest
from PySide6.QtCore import QObject
from PySide6.QtTest import QSignalSpy
from pytestqt.qtbot import QtBot

from notesearch.gui.session.section_reader import (
    PreviewAnswer,
    PreviewRequest,
    Question,
    ReadingThread,
    SectionReader,
)
from notesearch.library import NoteLibrary
from notesearch.results import Scope
from tests.gui.preview_contents import marked
from tests.gui.sample_results import section

TRIP = "travel/Trip to Japan.md"
FOOD = PreviewRequest(section(TRIP, "Kyoto > Food", line=9), TRIP, 9, Scope.SECTION, "food")


@pytest.fixture
def thread(library: NoteLibrary) -> Iterator[ReadingThread]:
    started = ReadingThread()
    started.begin(library)
    yield started
    started.stop()
    started.wait()


@pytest.mark.usefixtures("qapp")
def test_the_thread_keeps_no_part_of_a_window_alive() -> None:
    reading, window = ReadingThread(), QObject()
    reading.ask(Question("name", lambda _: "", window.setObjectName))
    left = weakref.ref(window)
    reading.stop()
    del window
    assert left() is None


def test_the_thread_answers_a_request_once(qtbot: QtBot, thread: ReadingThread) -> None:
    answers = QSignalSpy(thread.answered)
    with qtbot.waitSignal(thread.answered):
        thread.ask(FOOD)
    with qtbot.waitSignal(thread.answered):
        thread.ask(replace(FOOD, query="warm"))
    shown = [answers.at(n)[0] for n in range(answers.count())]
    assert [(one.request.query, marked(one.content)) for one in shown] == [
        ("food", ["Food", "food"]),
        ("warm", ["warm"]),
    ]


def test_a_question_does_not_wait_for_the_last_formula(
    qtbot: QtBot, thread: ReadingThread, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A list of related sections waited until all turns of a long preview were over."""
    order = list[str]()

    def answers(_: SectionReader, request: PreviewRequest) -> Iterator[PreviewAnswer]:
        thread.slot.put(Question("name", lambda _: order.append("question")))
        yield PreviewAnswer(request)
        order.append("better preview")
        yield PreviewAnswer(request)

    monkeypatch.setattr(SectionReader, "answers", answers)
    thread.ask(FOOD)
    qtbot.waitUntil(lambda: len(order) == 2)
    assert order == ["question", "better preview"]
