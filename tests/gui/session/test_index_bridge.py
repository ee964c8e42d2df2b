"""Reports of the indexing thread arrive as signals."""

import pytest
from PySide6.QtTest import QSignalSpy

from notesearch.gui.session.vault_session import IndexBridge
from notesearch.library import NoteLibrary
from notesearch.status import Phase, Progress


@pytest.mark.usefixtures("qapp")
def test_progress_is_limited_but_each_change_of_phase_is_emitted() -> None:
    bridge = IndexBridge()
    made = QSignalSpy(bridge.progress_made)
    counted = [Progress(Phase.WORDS, done, 9) for done in range(3)]
    for progress in (*counted, Progress(Phase.IDLE), Progress(Phase.IDLE), counted[1]):
        bridge.progressed(progress)
    emitted = [made.at(n)[0] for n in range(made.count())]
    assert emitted == [counted[0], Progress(Phase.IDLE), Progress(Phase.IDLE), counted[1]]


@pytest.mark.usefixtures("qapp")
def test_the_status_comes_before_the_progress_of_a_new_phase(library: NoteLibrary) -> None:
    bridge, heard = IndexBridge(), list[str]()
    bridge.library = library
    bridge.status_changed.connect(lambda status: heard.append(f"{status.notes} notes"))
    bridge.progress_made.connect(lambda progress: heard.append(progress.phase.name))
    bridge.progressed(Progress(Phase.WORDS, 1, 3))
    assert heard == ["3 notes", "WORDS"]
