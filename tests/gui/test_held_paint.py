"""A letter typed has the preview painted once, with its marks, not twice."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from notesearch.gui.preview.preview_pane import PreviewPane
from notesearch.library import NoteLibrary
from tests.gui.trip import counter, found, opened, show, shown

LONG_MS = 60_000


class Paints(QObject):
    """Counts how often the text is painted."""

    def __init__(self, pane: PreviewPane) -> None:
        super().__init__(pane)
        self.count = 0
        self._viewport = pane.browser.viewport()
        self._viewport.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        self.count += watched is self._viewport and event.type() == QEvent.Type.Paint
        return False


@pytest.fixture
def library(vault: Path) -> Iterator[NoteLibrary]:
    yield from opened(vault)


@pytest.fixture
def wanted() -> list[tuple[int, str, str]]:
    """What the pane asks the matches of."""
    return []


@pytest.fixture
def pane(
    qtbot: QtBot,
    qapp: QApplication,
    library: NoteLibrary,
    wanted: list[tuple[int, str, str]],
) -> PreviewPane:
    """A pane that was painted, and waits for its next matches as long as the test likes."""
    made = shown(qtbot, qapp)
    show(made, library)
    made.matches_wanted.disconnect()
    made.matches_wanted.connect(lambda ticket, query, text, _: wanted.append((ticket, query, text)))
    made._paint._longest.setInterval(LONG_MS)
    qapp.processEvents()
    return made


def test_text_and_marks_of_another_query_are_painted_at_once(
    qapp: QApplication, pane: PreviewPane, library: NoteLibrary, wanted: list[tuple[int, str, str]]
) -> None:
    paints = Paints(pane)
    show(pane, library, query="kyoto")
    qapp.processEvents()
    assert paints.count == 0
    ticket, query, text = wanted[-1]
    pane.show_matches(ticket, found(query, text))
    qapp.processEvents()
    assert paints.count == 1
    assert counter(pane).startswith("1 of ")


def test_matches_of_an_older_letter_do_not_have_it_painted(
    qapp: QApplication, pane: PreviewPane, library: NoteLibrary, wanted: list[tuple[int, str, str]]
) -> None:
    paints = Paints(pane)
    show(pane, library, query="kyot")
    held = pane._paint._longest.id()
    show(pane, library, query="kyoto")
    assert pane._paint._longest.id() == held, "it is held no longer for another letter"
    pane.show_matches(wanted[0][0], ())
    qapp.processEvents()
    assert paints.count == 0


def test_late_matches_are_not_waited_for(
    qtbot: QtBot, pane: PreviewPane, library: NoteLibrary
) -> None:
    paints = Paints(pane)
    pane._paint._longest.setInterval(1)
    show(pane, library, query="kyoto")
    qtbot.waitUntil(lambda: paints.count > 0)


def test_who_walks_through_the_list_sees_each_section_at_once(
    qapp: QApplication, pane: PreviewPane, library: NoteLibrary
) -> None:
    paints = Paints(pane)
    show(pane, library, 35)
    qapp.processEvents()
    assert paints.count > 0
    show(pane, library, query=" ")
    assert pane._pages.updatesEnabled(), "nothing is asked: no matches come"


def test_a_sentence_and_another_size_are_painted_at_once(
    qapp: QApplication, pane: PreviewPane, library: NoteLibrary
) -> None:
    paints = Paints(pane)
    show(pane, library, query="kyoto")
    pane.resize(700, 600)
    qapp.processEvents()
    assert paints.count > 0
    show(pane, library, query="food")
    pane.show_message("This section can't be shown.")
    assert pane._message.updatesEnabled()
