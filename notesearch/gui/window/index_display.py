"""The state of the index in the main window: status line, progress, problems, unread notes."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QObject, QSize, Qt, Signal, Slot
from PySide6.QtWidgets import QDialog, QListWidget, QWidget

from notesearch import private_files
from notesearch.errors import (
    IndexBusyError,
    IndexDamagedError,
    NotesearchError,
    VaultMissingError,
    WatchingError,
)
from notesearch.gui.session.actions import MainActions
from notesearch.gui.session.open_vault import OpenVault
from notesearch.gui.translation import (
    error_text,
    moment_text,
    notes_text,
    number_text,
    path_text,
    sentence_text,
    tr,
    translate,
)
from notesearch.gui.widgets.controls import text_label
from notesearch.gui.widgets.dialogs import fill, resize_on_screen
from notesearch.gui.widgets.notices import Cause
from notesearch.gui.widgets.status_bar import StatusLine, no_folder, opening
from notesearch.gui.widgets.theme import px
from notesearch.gui.window.main_window import MainWindow
from notesearch.messages import Sentence
from notesearch.status import LIVE, Phase, Progress, Status, Unread

_REASSURING = {"index_damaged", "index_text_damaged"}
"""Codes of errors whose sentence already says that the notes are safe."""

_MINUTES_AT_MOST = 100
"""A longer time is given in hours."""


class IndexDisplay(QObject):
    """Shows the state of the index of the open vault.

    Args:
        folder: Where to store the unreadable notes that the user has seen.

    Signals:
        line_changed: The status line may have changed; carries it (``StatusLine``).
    """

    line_changed = Signal(object)

    def __init__(
        self,
        window: MainWindow,
        actions: MainActions,
        vault: OpenVault,
        folder: Path,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._window = window
        self._actions = actions
        self._vault = vault
        self._seen = SeenUnread(folder)
        self._notices = window.notices
        actions.try_again.triggered.connect(self._notices.forget_closed)
        vault.opening.connect(self._on_opening)
        vault.state_changed.connect(self._on_state)
        vault.updated.connect(self._on_updated)
        vault.failed.connect(self._on_failed)

    @property
    def line(self) -> StatusLine:
        """The content of the status line: icon, colour and text of the most important fact."""
        vault = self._vault
        if not vault.is_open:
            return no_folder()
        is_problem_shown = self._window.shows_problem or bool(vault.open_problem)
        return status_line(
            vault, problem_shown=is_problem_shown, unread_known=self._seen.holds(vault.status)
        )

    @Slot()
    def show_unread(self) -> None:
        """Open the list of notes that could not be read, and end the status line's warning."""
        status = self._vault.status
        if status is not None:
            UnreadList(status.unread, self._window).show()
            self._seen.remember(status)
            self._show()

    @Slot(bool)
    def _on_opening(self, same: bool) -> None:
        if not same:
            self._notices.end(Cause.INDEX, Cause.REBUILT, Cause.WATCHING, Cause.OTHER)

    @Slot()
    def _on_updated(self) -> None:
        self._notices.end(Cause.INDEX, Cause.OTHER)

    @Slot(object)
    def _on_failed(self, error: NotesearchError) -> None:
        actions = self._actions
        text = error_text(error)
        if isinstance(error, VaultMissingError):
            remedies = [actions.choose_folder, actions.try_again]
            self._notices.show(Cause.INDEX, self._missing_text(text), remedies)
        elif isinstance(error, IndexDamagedError):
            self._show_rebuilt(error.sentence)
        elif isinstance(error, WatchingError):
            self._notices.show(Cause.WATCHING, text)
        elif isinstance(error, IndexBusyError) or error.code == "vault_outdated":
            pass  # the status line is enough
        elif not self._vault.open_problem:
            self._notices.show(Cause.INDEX, text, [actions.try_again])
        self._show()

    def _missing_text(self, problem: str) -> str:
        """Return a sentence that the folder cannot be reached, and how old the results are."""
        status = self._vault.status
        if status is None or not status.notes or not status.last_scan:
            return problem
        text = translate(
            "The notes folder {vault} cannot be reached. Showing results from the last update,"
            " {last}."
        )
        folders = ", ".join(map(path_text, self._vault.folders.values()))
        return text.format(vault=folders, last=moment_text(status.last_scan))

    def _show_rebuilt(self, why: Sentence) -> None:
        text = sentence_text(why)
        if why.code not in _REASSURING:
            text = translate("{why} Your notes are safe.", why=text)
        self._notices.show(Cause.REBUILT, text)

    @Slot()
    def _on_state(self) -> None:
        if status := self._vault.status:
            if status.rebuilt:
                self._show_rebuilt(status.rebuilt)
            if status.watching == LIVE:
                self._notices.end(Cause.WATCHING)
        self._show()

    def _show(self) -> None:
        vault = self._vault
        line = self.line
        self._window.bar.set_line(line)
        counting = vault.counting or Progress(Phase.IDLE)
        self._window.progress.set_progress(counting.done, counting.total)
        self.line_changed.emit(line)


class SeenUnread:
    """Stores in a small file, for each vault, the unreadable notes that the user has seen."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / "unread.json"
        read = private_files.read_json(self._file)
        self._seen: dict[str, object] = read if isinstance(read, dict) else {}

    def holds(self, status: Status | None) -> bool:
        """Return whether the user has seen all unreadable notes of ``status``; False for None."""
        seen = self._seen.get(status.vault) if status else None
        return isinstance(seen, list) and set(_unread(status)) <= {str(path) for path in seen}

    def remember(self, status: Status) -> None:
        """Store that the user has seen exactly the unreadable notes of ``status``."""
        self._seen[status.vault] = _unread(status)
        private_files.write_json(self._file, self._seen)


def _unread(status: Status | None) -> list[str]:
    return [note.path for note in status.unread if not note.remark] if status else []


def status_line(
    vault: OpenVault, *, problem_shown: bool = False, unread_known: bool = False
) -> StatusLine:
    """Return the content of the status line: the most important fact about an index.

    ``problem_shown`` says that the window shows a problem elsewhere, and ``unread_known`` that the
    user has seen the list of the notes that could not be read.
    """
    status = vault.status
    progress = vault.progress
    problem = vault.problem
    if vault.is_missing or (status is not None and status.vault_missing):
        return StatusLine("warning", "warn", translate("The folder cannot be reached"))
    if vault.paused:
        return StatusLine("pause", "text2", _paused_text(status))
    if problem:
        text = _outdated_text(status) if problem_shown else problem
        return StatusLine("warning", "warn", text, tip=problem)
    if status is None and progress.phase is Phase.SCAN:
        return opening()  # the folder was not checked yet: it may be missing
    doing = progress_text(progress, vault.time_left.seconds)
    is_new = status is None or not status.notes or not status.last_scan
    if doing and (is_new or progress.phase is not Phase.SCAN):
        return StatusLine("clock", "text2", doing)
    return opening() if status is None else _index_line(status, unread_known=unread_known)


def _outdated_text(status: Status | None) -> str:
    if status is None or not status.notes:
        return translate("Nothing indexed yet")
    notes = notes_text(status.notes)
    return translate("{notes}, not up to date", notes=notes)


def _index_line(status: Status, *, unread_known: bool) -> StatusLine:
    unread = sum(not note.remark for note in status.unread)
    if unread and not unread_known:
        text = tr("%Ln note(s) could not be read", unread)
        return StatusLine("warning", "warn", text, explains="unread")
    notes = notes_text(status.notes)
    if status.awaits_vectors:  # after a restart, before it is counted
        return StatusLine("clock", "text2", translate("Getting ready to search by meaning…"))
    if status.meaning_problem:
        if status.former_model:
            text = translate("{notes}, searching with the previous model")
        else:
            text = translate("{notes}, searching by words only")
        tip = sentence_text(status.meaning_problem)
        line = text.format(notes=notes)
        return StatusLine("warning", "warn", line, explains="meaning", tip=tip)
    if unread:
        text = translate(
            "{notes}, up to date, {unread} not read", notes=notes, unread=number_text(unread)
        )
        return StatusLine("check", "text2", text, explains="unread")
    if status.unread:
        text = translate(
            "{notes}, up to date, {remarks} with warnings",
            notes=notes,
            remarks=number_text(len(status.unread)),
        )
        return StatusLine("check", "ok", text, explains="unread")
    text = translate("{notes}, up to date", notes=notes)
    return StatusLine("check", "ok", text)


class UnreadList(QDialog):
    """A dialog with a ``list`` of the notes that could not be read or have a remark."""

    def __init__(self, unread: Sequence[Unread], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        unread = sorted(unread, key=lambda note: note.remark)
        lost = sum(not note.remark for note in unread)
        self.setWindowTitle(
            translate("Notes that could not be read") if lost else translate("Notes with warnings")
        )
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.head = text_label(_unread_text(lost, len(unread) - lost), role="strong")
        self.list = QListWidget()
        self.list.setObjectName("boxedList")
        self.list.setAccessibleName(self.windowTitle())
        self.list.setWordWrap(True)
        self.list.addItems([f"{note.path}\n{sentence_text(note.reason)}" for note in unread])
        fill(self, self.head, self.list)
        resize_on_screen(self, QSize(px(520), px(320)))


def _paused_text(status: Status | None) -> str:
    """Return the status line while indexing is paused, with the number of notes if it is known."""
    if status is None or not status.notes:
        return translate("Indexing paused")
    notes = notes_text(status.notes)
    return translate("{notes}, indexing paused", notes=notes)


def meaning_text(status: Status | None, progress: Progress) -> str:
    """Return how many passages have a vector, or why search by meaning is off; empty for None.

    While passages are embedded, they are not counted: return the ``progress`` then.
    """
    if status is None:
        return ""
    if status.meaning_problem:
        return sentence_text(status.meaning_problem)
    if progress.phase is Phase.MEANING and progress.total:
        return progress_text(progress)
    if status.pending:
        ready = status.passages - status.pending
        text = tr("{ready} of %Ln passage(s) are ready.", status.passages)
        return text.format(ready=number_text(ready))
    return tr("%Ln passage(s) are ready.", status.passages)


def _unread_text(lost: int, remarks: int) -> str:
    """Return the text above the list of notes that were not read, and of notes with a warning."""
    sentences = []
    if lost:
        sentences.append(tr("%Ln note(s) could not be read. All others are searched.", lost))
    if remarks:
        warned = translate("{notes} searched, but with warnings.")
        sentences.append(warned.format(notes=notes_text(remarks)))
    return " ".join(sentences)


def progress_text(progress: Progress, left: float | None = None) -> str:
    """Return what the indexer is doing, and the seconds ``left``, if known; empty if it is idle."""
    if progress.phase is Phase.SCAN:
        return translate("Looking for changes…")
    if progress.phase is Phase.WORDS and progress.total:
        text = tr("Indexing {done} of %Ln note(s) – you can search already", progress.total)
        return text.format(done=number_text(progress.done))
    if progress.phase is Phase.MEANING and progress.total:
        percent = min(99, 100 * progress.done // progress.total)
        text = translate("Getting ready to search by meaning… {percent} %")
        return text.format(percent=percent) + _left_text(left)
    return ""


def _left_text(left: float | None) -> str:
    """Return remaining seconds as ``, about 5 minutes left``; empty if unknown or short."""
    minutes = round((left or 0) / 60)
    if minutes < 1:
        return ""
    if minutes < _MINUTES_AT_MOST:
        return tr(", about %Ln minute(s) left", minutes)
    return tr(", about %Ln hour(s) left", round(minutes / 60))
