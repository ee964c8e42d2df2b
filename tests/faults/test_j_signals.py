"""Fault J4: a thread answers after the object that asked is gone."""

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt, Slot
from pytestqt.qtbot import QtBot
from shiboken6 import Shiboken

from notesearch.config import Settings
from notesearch.gui.session.search_worker import SearchRequest
from notesearch.gui.session.vault_session import VaultSession
from notesearch.library import NoteLibrary
from tests.folders import write
from tests.limits import WAIT_S


class Asking(QObject):
    """A window's part that waits for answers."""

    def __init__(self) -> None:
        super().__init__()
        self.told: list[object] = []

    @Slot(object)
    def take(self, answer: object) -> None:
        self.told.append(answer)
        self.setObjectName("told")  # fails where the object is gone


@pytest.fixture
def library(vault: Path, words_only: Settings) -> Iterator[NoteLibrary]:
    write(vault, {"otters.md": "Otters swim."})
    with NoteLibrary.open(vault, settings=words_only) as opened:
        opened.refresh()
        yield opened


@pytest.mark.fault("J4", fault="A signal to an object that is gone", outcome="Dropped")
@pytest.mark.parametrize("gone", ["who asked", "the session", "both"])
def test_j04_the_answer_comes_when_nobody_is_there(
    qtbot: QtBot, library: NoteLibrary, gone: str
) -> None:
    """Events with the answer are still waiting when the objects are deleted in C++."""
    session, asking, other = VaultSession(lambda: library), Asking(), Asking()
    session.main.words.opened.connect(asking.take)
    for asks in (asking, other):
        session.main.words.answered.connect(asks.take)
        session.main.words.failed.connect(asks.take)
    sent = threading.Event()  # set in the searching thread, after it has sent the answer to both
    session.main.words.answered.connect(lambda _: sent.set(), Qt.ConnectionType.DirectConnection)
    session.start()
    session.main.search(SearchRequest(1, "o", time.monotonic()))
    assert sent.wait(WAIT_S)
    session.close()
    if gone != "the session":
        Shiboken.delete(asking)
    if gone != "who asked":
        Shiboken.delete(session)
    with qtbot.captureExceptions() as raised:
        QCoreApplication.sendPostedEvents(None, QEvent.Type.MetaCall)
        QCoreApplication.processEvents()
    assert raised == []
    # An object that lives still gets its answer. Windows drop old ones by their generation.
    assert len(asking.told) == (2 if gone == "the session" else 0)
    assert len(other.told) == 1
