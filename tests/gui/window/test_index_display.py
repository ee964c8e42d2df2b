"""The status line: the most important fact about the index."""

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QFont
from PySide6.QtTest import QSignalSpy
from PySide6.QtWidgets import QApplication, QLabel, QPushButton
from pytestqt.qtbot import QtBot

from notesearch.gui.session.open_vault import OpenVault
from notesearch.gui.widgets.keys import KeyHint, KeyHints
from notesearch.gui.widgets.status_bar import StatusBar, StatusLine
from notesearch.gui.widgets.theme import DARK, LIGHT, px
from notesearch.gui.window.appearance import stylesheet
from notesearch.gui.window.index_display import (
    SeenUnread,
    _unread_text,
    meaning_text,
    progress_text,
    status_line,
)
from notesearch.messages import Sentence
from notesearch.status import Phase, Progress, Status, Unread

GOOD = Status(
    vault="/notes", vault_missing=False, notes=1204, sections=9, passages=9, words=1, pending=0,
    unread=(), index_path="", index_bytes=1, note_bytes=1, model="m", meaning=True, last_scan=1.0,
)  # fmt: skip
IDLE, SCAN = Progress(Phase.IDLE), Progress(Phase.SCAN)
COUNTING = Progress(Phase.WORDS, 431, 1204)
EMBEDDING = Progress(Phase.MEANING, 1, 2)
UNREAD = (Unread("a.md", Sentence("file_not_text")),)
REMARK = (Unread("b.md", Sentence("file_guessed_encoding", encoding="KOI8-R"), remark=True),)


@pytest.fixture
def vault() -> OpenVault:
    """A vault that is open, but whose threads never start."""
    made = OpenVault(lambda _folders: pytest.fail)
    made.folders, made.progress = {"": Path("/notes")}, IDLE
    return made


@pytest.mark.parametrize(
    ("status", "progress", "problem", "icon", "text"),
    [
        (GOOD, IDLE, "", "check", "1,204 notes, up to date"),
        (GOOD, SCAN, "", "check", "1,204 notes, up to date"),
        (None, SCAN, "", "clock", "Opening your notes…"),
        (replace(GOOD, pending=5), SCAN, "", "clock", "Getting ready to search by meaning…"),
        (replace(GOOD, notes=0), SCAN, "", "clock", "Looking for changes…"),
        (None, IDLE, "", "clock", "Opening your notes…"),
        (None, COUNTING, "", "clock", "Indexing 431 of 1,204 notes – you can search already"),
        (GOOD, COUNTING, "", "clock", "Indexing 431 of 1,204 notes – you can search already"),
        (GOOD, EMBEDDING, "", "clock", "Getting ready to search by meaning… 50 %"),
        (replace(GOOD, unread=UNREAD), IDLE, "", "warning", "1 note could not be read"),
        (replace(GOOD, unread=UNREAD * 3), IDLE, "", "warning", "3 notes could not be read"),
        (replace(GOOD, unread=UNREAD + REMARK), IDLE, "", "warning", "1 note could not be read"),
        (replace(GOOD, unread=REMARK), IDLE, "", "check",
         "1,204 notes, up to date, 1 with warnings"),
        (replace(GOOD, meaning=False, meaning_problem=Sentence("meaning_off")), IDLE, "", "warning",
         "1,204 notes, searching by words only"),
        (GOOD, IDLE, "Another one is indexing.", "warning", "Another one is indexing."),
        (replace(GOOD, vault_missing=True), COUNTING, "Gone.", "warning",
         "The folder cannot be reached"),
    ],
)  # fmt: skip
def test_status_line(
    vault: OpenVault, status: Status | None, progress: Progress, problem: str, icon: str, text: str
) -> None:
    vault.status, vault.progress, vault.problem = status, progress, problem
    line = status_line(vault)
    assert (line.icon, line.text) == (icon, text)


def test_a_folder_that_could_never_be_read_is_not_being_opened(vault: OpenVault) -> None:
    """It said “Opening your notes…” for ever."""
    vault.progress, vault.is_missing = SCAN, True
    line = status_line(vault)
    assert (line.icon, line.text) == ("warning", "The folder cannot be reached")


def test_a_problem_shown_elsewhere_is_not_repeated(vault: OpenVault) -> None:
    vault.status, vault.progress, vault.problem = GOOD, SCAN, "There is no space left."
    line = status_line(vault, problem_shown=True)
    assert (line.text, line.tip) == ("1,204 notes, not up to date", vault.problem)
    vault.status = None
    assert status_line(vault, problem_shown=True).text == "Nothing indexed yet"


def bar(qtbot: QtBot, width: int = 900) -> StatusBar:
    made = StatusBar(LIGHT)
    made.set_theme(LIGHT)
    qtbot.addWidget(made)
    made.set_hints([KeyHint(("↑", "↓"), "Select"), KeyHint(("Enter",), "Open note")])
    made.resize(width, 28)
    with qtbot.waitExposed(made):
        made.show()
    return made


def test_key_hints_take_new_colours_without_new_widgets(qtbot: QtBot) -> None:
    def caps() -> list[QLabel]:
        return made.findChildren(QLabel, "keyCap")

    made = bar(qtbot)
    before, arrow = caps(), caps()[0].pixmap().toImage()
    made.set_theme(DARK)
    made.set_hints([KeyHint(("↑", "↓"), "Select"), KeyHint(("Enter",), "Open note")])
    assert caps() == before
    assert caps()[0].pixmap().toImage() != arrow
    assert [cap.text() or cap.accessibleName() for cap in caps()] == ["↑", "↓", "Enter"]
    made.set_hints([KeyHint(("↓",), "Select")])
    assert [part.text() for part in made.findChildren(QLabel) if part.isVisible()][-1] == "Select"


@pytest.mark.parametrize("points", [10.0, 11.0, 14.0, 30.0])
def test_a_line_that_is_a_button_is_as_high_as_plain_text(
    qtbot: QtBot, qapp: QApplication, points: float
) -> None:
    before = qapp.font()
    qapp.setFont(QFont(before.family(), round(points)))
    made = bar(qtbot, 3000)
    made.setStyleSheet(stylesheet(LIGHT))
    made.more.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    inked = []
    for line in (StatusLine("check", "ok", "Hello"), StatusLine("check", "ok", "Hello", "unread")):
        made.set_line(line)
        image = made.grab(QRect(px(35), 2, px(150), px(28) - 4)).toImage()
        ground = image.pixelColor(image.width() - 1, 0)
        across = range(image.width())
        inked.append(
            [
                y
                for y in range(image.height())
                if any(image.pixelColor(x, y) != ground for x in across)
            ]
        )
    qapp.setFont(before)
    assert inked[0] == inked[1]


@pytest.mark.parametrize("unread", [UNREAD, REMARK])
def test_a_click_explains_unread_notes(
    qtbot: QtBot, vault: OpenVault, unread: tuple[Unread, ...]
) -> None:
    made, vault.status = bar(qtbot), replace(GOOD, unread=unread)
    made.set_line(status_line(vault))
    button = made.findChild(QPushButton)
    assert button is not None
    assert button.isVisible()
    explained = QSignalSpy(made.more.clicked)
    button.click()
    assert explained.count() == 1


def test_unread_notes_are_mentioned_quietly_once_they_were_seen(
    vault: OpenVault, tmp_path: Path
) -> None:
    two = replace(GOOD, unread=UNREAD)
    seen = SeenUnread(tmp_path)
    assert not seen.holds(two)
    seen.remember(two)
    assert SeenUnread(tmp_path).holds(two), "also after the next start"
    more = replace(two, unread=(*UNREAD, replace(UNREAD[0], path="new.md")))
    assert not SeenUnread(tmp_path).holds(more)
    vault.status = two
    line = status_line(vault, unread_known=True)
    assert (line.icon, line.text) == ("check", "1,204 notes, up to date, 1 not read")
    assert line.explains == "unread"
    (tmp_path / "unread.json").write_text("[1]")
    assert not SeenUnread(tmp_path).holds(two)


def test_lost_meaning_is_told_though_notes_are_unread(vault: OpenVault) -> None:
    problem = Sentence("model_memory_full")
    vault.status = lost = replace(GOOD, unread=UNREAD, meaning=False, meaning_problem=problem)
    assert status_line(vault).explains == "unread"
    line = status_line(vault, unread_known=True)
    assert (line.text, line.explains) == ("1,204 notes, searching by words only", "meaning")
    assert line.tip.startswith("There is not enough memory for the embedding model.")
    vault.status = replace(lost, meaning=True, former_model="old")
    former = status_line(vault, unread_known=True)
    assert former.text == "1,204 notes, searching with the previous model"
    assert former.tip == line.tip


def labels_in(hints: KeyHints) -> list[str]:
    """Return what the visible hints say about their keys."""
    labels = [label for label in hints.findChildren(QLabel) if label.objectName() != "keyCap"]
    return [label.text() for label in labels if label.isVisible()]


def test_hints_are_hidden_if_the_line_needs_the_room(qtbot: QtBot, vault: OpenVault) -> None:
    made, vault.status = bar(qtbot), GOOD
    hints = made.findChild(KeyHints)
    assert hints is not None
    made.set_line(status_line(vault))
    assert hints.isVisible()
    assert labels_in(hints) == ["Select", "Open note"]
    made.resize(360, 28)
    assert labels_in(hints) == ["Open note"], "whole hints give way, the last one at the end"
    made.resize(250, 28)
    assert not hints.isVisible()
    made.resize(900, 28)
    made.set_hints_visible(False)
    assert not hints.isVisible()


def test_a_hovered_link_replaces_the_line(qtbot: QtBot, vault: OpenVault) -> None:
    made, vault.status = bar(qtbot), GOOD
    made.set_line(status_line(vault))
    made.set_hovered("note:Trip%20to%20Japan%23Kyoto")
    assert made.text == "Trip to Japan#Kyoto"
    made.set_hovered("section:42")
    assert made.text == "line 42"
    made.set_hovered("")
    assert made.text == "1,204 notes, up to date"


INDEX = Status(vault="/notes", model="m", passages=4000, pending=4000)


@pytest.mark.parametrize(
    ("status", "progress", "text"),
    [
        (None, Progress(Phase.IDLE), ""),
        (INDEX, Progress(Phase.IDLE), "0 of 4,000 passages are ready."),
        (INDEX, Progress(Phase.MEANING, 3, 4), "Getting ready to search by meaning… 75 %"),
        (replace(INDEX, pending=0), Progress(Phase.IDLE), "4,000 passages are ready."),
    ],
)
def test_how_far_search_by_meaning_is(status: Status | None, progress: Progress, text: str) -> None:
    """It said 0 of all passages beside a bar that said 75 %."""
    assert meaning_text(status, progress) == text


@pytest.mark.parametrize(
    ("progress", "text"),
    [
        (Progress(Phase.SCAN), "Looking for changes…"),
        (COUNTING, "Indexing 431 of 1,204 notes – you can search already"),
        (Progress(Phase.MEANING, 50, 200), "Getting ready to search by meaning… 25 %"),
        (Progress(Phase.MEANING, 200, 200), "Getting ready to search by meaning… 99 %"),
        (Progress(Phase.WORDS), ""),
        (Progress(Phase.IDLE), ""),
    ],
)
def test_progress(progress: Progress, text: str) -> None:
    assert progress_text(progress) == text


@pytest.mark.parametrize(
    ("left", "told"),
    [
        (None, ""),
        (29, ""),
        (31, ", about 1 minute left"),
        (700, ", about 12 minutes left"),
        (7000, ", about 2 hours left"),
    ],
)
def test_the_remaining_time(left: float | None, told: str) -> None:
    text = progress_text(Progress(Phase.MEANING, 50, 200), left)
    assert text == f"Getting ready to search by meaning… 25 %{told}"
    assert progress_text(Progress(Phase.SCAN), left) == "Looking for changes…"


@pytest.mark.parametrize(
    ("lost", "remarks", "text"),
    [
        (1, 0, "1 note could not be read. All others are searched."),
        (0, 2, "2 notes searched, but with warnings."),
        (2, 1, ("2 notes could not be read. All others are searched."
                " 1 note searched, but with warnings.")),
    ],
)  # fmt: skip
def test_unread_notes_and_warnings(lost: int, remarks: int, text: str) -> None:
    assert _unread_text(lost, remarks) == text
