"""The state of the index in the main window: status line, progress, problems, unread notes."""

import time
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QObject, QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QDialog, QListWidget, QVBoxLayout, QWidget

from notesearch import private_files
from notesearch.errors import (
    IndexBusyError,
    IndexDamagedError,
    NotesearchError,
    VaultMissingError,
    WatchingError,
)
from notesearch.gui import wording
from notesearch.gui.session.actions import MainActions
from notesearch.gui.session.open_vault import OpenVault
from notesearch.gui.translation import error_text, sentence_text, translate
from notesearch.gui.widgets.bars import Banner
from notesearch.gui.widgets.dialogs import close_button, resize_on_screen
from notesearch.gui.widgets.labels import text_label
from notesearch.gui.widgets.theme import px
from notesearch.gui.window.main_window import MainWindow
from notesearch.gui.window.status_bar import StatusLine, no_folder, opening
from notesearch.messages import Sentence
from notesearch.status import LIVE, Phase, Progress, Status, Unread

_REASSURING = {"index_damaged", "index_text_damaged"}
"""Codes of errors whose sentence already says that the notes are safe."""

_REBUILT_MS = 30_000
_LONG_S = 1.0
"""Time after which the progress bar appears while changed notes are read."""


class IndexDisplay(QObject):
    """Shows the state of the index of the open vault.

    Args:
        folder: Where to store the unreadable notes that the user has seen.

    Attributes:
        notices: The bar for problems.

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
        self._vault = vault
        self._seen = SeenUnread(folder)
        self.notices = IndexNotices(window.banner, actions, self)
        vault.opening.connect(self._on_opening)
        vault.state_changed.connect(self._show)
        vault.failed.connect(self._on_failed)

    @property
    def line(self) -> StatusLine:
        """The content of the status line: icon, colour and text of the most important fact."""
        vault = self._vault
        if not vault.is_open:
            return no_folder()
        return status_line(
            vault.status,
            vault.progress,
            vault.problem,
            problem_shown=self.notices.is_shown or bool(vault.open_problem),
            paused=vault.paused,
            time_left=vault.time_left,
            unread_known=self._seen.holds(vault.status),
        )

    @Slot()
    def show_unread(self) -> None:
        """Open the list of notes that could not be read; from now on, no warning mentions them."""
        status = self._vault.status
        if status is not None:
            UnreadList(status.unread, self._window).show()
            self._seen.add(status)
            self._show()

    @Slot(bool)
    def _on_opening(self, same: bool) -> None:
        if not same:
            self.notices.forget()
        session = self._vault.session
        if session is not None:
            session.index.index_updated.connect(self._on_updated)
            session.index.status_changed.connect(self._on_status)

    @Slot()
    def _on_updated(self) -> None:
        self.notices.settle()
        self._show()

    @Slot(object)
    def _on_failed(self, error: NotesearchError) -> None:
        if isinstance(error, VaultMissingError):
            self.notices.show_missing(error_text(error), self._vault)
        elif isinstance(error, IndexDamagedError):
            self.notices.show_rebuilt(error.sentence)
        elif isinstance(error, WatchingError):
            self.notices.show_unwatched(error_text(error))
        elif not self._vault.open_problem and not _is_minor(error):
            self.notices.show_failed(error_text(error))
        self._show()

    @Slot(object)
    def _on_status(self, status: Status) -> None:
        if status is not self._vault.status:
            return  # of a folder that was left
        if status.rebuilt:
            self.notices.show_rebuilt(status.rebuilt)
        if status.watching == LIVE:
            self.notices.settle_watching()
        self._show()

    @Slot()
    def _show(self) -> None:
        vault, line = self._vault, self.line
        self._window.status.set_line(line)
        counting = vault.counting
        is_first = vault.status is None or not vault.status.last_scan
        if counting and (is_first or time.monotonic() - vault.counting_since > _LONG_S):
            self._window.progress.set_progress(counting.done, counting.total)
        else:
            self._window.progress.set_progress(0, 0)
        self.line_changed.emit(line)


def _is_minor(error: NotesearchError) -> bool:
    """Return whether only the status line should tell of ``error``, not the bar."""
    return isinstance(error, IndexBusyError) or error.code == "vault_outdated"


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

    def add(self, status: Status) -> None:
        """Store that the user has seen the unreadable notes of ``status``."""
        self._seen[status.vault] = _unread(status)
        private_files.write_json(self._file, self._seen)


def _unread(status: Status | None) -> list[str]:
    return [note.path for note in status.unread if not note.remark] if status else []


_WATCHING, _SETTINGS = "watching", "settings"


class IndexNotices(QObject):
    """Shows one notice at a time in the bar, until its cause has ended.

    A notice that the user closed comes back only if the user tries again and that fails, too.
    """

    def __init__(self, banner: Banner, actions: MainActions, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._banner = banner
        self._actions = actions
        self._rebuilt_why: Sentence | None = None
        self._trouble = ""
        self._lasting: dict[str, str] = {}
        """Problems that an update of the index does not end, by what they are about."""
        self._remedies: Sequence[QAction] = ()
        actions.try_again.triggered.connect(self._on_try_again)
        self._rebuilt = QTimer(self, singleShot=True, interval=_REBUILT_MS)
        self._rebuilt.timeout.connect(self._show_lasting)

    @property
    def is_shown(self) -> bool:
        """Whether the bar is shown, or will be as soon as the window is shown."""
        return not self._banner.isHidden()

    def forget(self) -> None:
        """Hide the bar and forget all notices, because another folder is opened."""
        self._rebuilt_why, self._trouble = None, ""
        self._lasting.pop(_WATCHING, None)
        self._rebuilt.stop()
        self._banner.hide()

    def settle(self) -> None:
        """Hide the problem with the index, because the index is up to date."""
        self._trouble = ""
        if not self._rebuilt.isActive():
            self._show_lasting()

    def settle_watching(self) -> None:
        """Hide the notice that the folder is not watched, because it is watched now."""
        self._end(_WATCHING)

    @Slot()
    def settle_settings(self) -> None:
        """Hide the notice that the settings are not stored, because they are stored now."""
        self._end(_SETTINGS)

    def show_rebuilt(self, why: Sentence) -> None:
        """Show for a while why the index is being rebuilt, but each reason only once."""
        if why != self._rebuilt_why:
            self._rebuilt_why = why
            text = sentence_text(why)
            if why.code not in _REASSURING:
                text = translate("window", "{why} Your notes are safe.").format(why=text)
            self._banner.show_message(text)
            self._rebuilt.start()

    def show_unwatched(self, problem: str) -> None:
        """Show why changes are not noticed at once. The index is up to date nevertheless."""
        self._lasting[_WATCHING] = problem
        if not self._trouble:
            self._show(problem)

    @Slot(str)
    def show_settings(self, problem: str) -> None:
        """Show why the settings cannot be stored, until they are."""
        self._lasting[_SETTINGS] = problem
        self.show_other(problem)

    def show_failed(self, problem: str) -> None:
        """Show why the index cannot be updated, with the action "Try again"."""
        self._stay(problem, [self._actions.try_again])

    def show_missing(self, problem: str, vault: OpenVault) -> None:
        """Show that the folder cannot be reached, and how old the shown results are."""
        status = vault.status
        if status is not None and status.notes and status.last_scan:
            last = wording.moment_text(status.last_scan)
            problem = translate(
                "window",
                "Can't reach the notes folder {vault}. Showing results from the last update,"
                " {last}.",
            ).format(vault=status.vault, last=last)
        self._stay(problem, [self._actions.choose_folder, self._actions.try_again])

    @Slot(str)
    def show_other(self, problem: str, actions: Sequence[QAction] = ()) -> None:
        """Show another problem; a problem with the index stays visible below it."""
        if not self._trouble:
            self._show(problem, actions)
            return
        more = [action for action in actions if action not in self._remedies]
        both = f"{problem}\n{self._trouble}"
        self._banner.show_message(both, [*self._remedies, *more])

    def _end(self, about: str) -> None:
        """Forget the lasting problem ``about``; hide it if it is shown."""
        problem, shown = self._lasting.pop(about, None), self._banner.text
        if not self.is_shown or problem is None:
            return
        if shown == problem:
            self._show_lasting()
        elif shown == f"{problem}\n{self._trouble}":
            self._show(self._trouble, self._remedies)

    def _show_lasting(self) -> None:
        """Show a lasting problem in place of another notice; hide the bar if there is none."""
        if self.is_shown and self._lasting:
            self._banner.show_message([*self._lasting.values()][-1])
        else:
            self._banner.hide()

    @Slot()
    def _on_try_again(self) -> None:
        self._trouble = ""

    def _stay(self, problem: str, remedies: Sequence[QAction]) -> None:
        was_closed = problem == self._trouble and not self.is_shown
        self._trouble, self._remedies = problem, remedies
        if not was_closed:
            self._show(problem, remedies)

    def _show(self, problem: str, remedies: Sequence[QAction] = ()) -> None:
        if not self.is_shown:  # the user closed what was shown before
            self._lasting = {
                about: said for about, said in self._lasting.items() if said == problem
            }
        self._rebuilt.stop()
        self._banner.show_message(problem, remedies)


def status_line(
    status: Status | None,
    progress: Progress,
    problem: str = "",
    *,
    problem_shown: bool = False,
    paused: bool = False,
    time_left: float | None = None,
    unread_known: bool = False,
) -> StatusLine:
    """Return the content of the status line: the most important fact about an index.

    Args:
        status: The state of the index; None while it is unknown.
        progress: What the indexer is doing.
        problem: A sentence that tells why the index cannot be updated; empty for no problem.
        problem_shown: The window shows ``problem`` elsewhere, so the line need not repeat it.
        paused: Indexing is paused.
        time_left: Seconds until embedding is done; None if that is unknown.
        unread_known: The user has seen the list of the notes that could not be read.
    """
    if status is not None and status.vault_missing:
        return StatusLine("warning", "warn", translate("window", "Can't reach the folder"))
    if paused:
        return StatusLine("pause", "text2", wording.paused_text(status))
    if problem:
        text = _outdated_text(status) if problem_shown else problem
        return StatusLine("warning", "warn", text, tip=problem)
    if status is None and progress.phase is Phase.SCAN:
        return opening()  # the folder was not checked yet: it may be missing
    doing = wording.progress_text(progress, time_left)
    is_new = status is None or not status.notes or not status.last_scan
    if doing and (is_new or progress.phase is not Phase.SCAN):
        return StatusLine("clock", "text2", doing)
    return opening() if status is None else _index_line(status, unread_known=unread_known)


def _outdated_text(status: Status | None) -> str:
    if status is None or not status.notes:
        return translate("window", "Nothing indexed yet")
    notes = wording.notes_text(status.notes)
    return translate("window", "{notes}, not up to date").format(notes=notes)


def _index_line(status: Status, *, unread_known: bool) -> StatusLine:
    unread = sum(not note.remark for note in status.unread)
    if unread and not unread_known:
        return StatusLine("warning", "warn", wording.unreadable_text(unread), explains="unread")
    notes = wording.notes_text(status.notes)
    if status.meaning_problem:
        if status.former_model:
            text = translate("window", "{notes}, searching with the previous model")
        else:
            text = translate("window", "{notes}, searching by words only")
        tip = sentence_text(status.meaning_problem)
        line = text.format(notes=notes)
        return StatusLine("warning", "warn", line, explains="meaning", tip=tip)
    if unread:
        text = translate("window", "{notes}, up to date, {unread} not read").format(
            notes=notes, unread=wording.number(unread)
        )
        return StatusLine("check", "text2", text, explains="unread")
    if status.unread:
        text = translate("window", "{notes}, up to date, {remarks} with warnings").format(
            notes=notes, remarks=wording.number(len(status.unread))
        )
        return StatusLine("check", "ok", text, explains="unread")
    text = translate("window", "{notes}, up to date").format(notes=notes)
    return StatusLine("check", "ok", text)


class UnreadList(QDialog):
    """A dialog with the notes that could not be read or have a remark, and the reasons."""

    def __init__(self, unread: Sequence[Unread], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        unread = sorted(unread, key=lambda note: note.remark)
        lost = sum(not note.remark for note in unread)
        self.setWindowTitle(
            translate("window", "Notes that could not be read")
            if lost
            else translate("window", "Notes with warnings")
        )
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._head = head = text_label(wording.unread_text(lost, len(unread) - lost))
        self._list = QListWidget()
        self._list.setObjectName("boxedList")
        self._list.setAccessibleName(self.windowTitle())
        self._list.setWordWrap(True)
        self._list.addItems([f"{note.path}\n{sentence_text(note.reason)}" for note in unread])
        column = QVBoxLayout(self)
        for widget in (head, self._list, close_button(self)):
            column.addWidget(widget)
        resize_on_screen(self, QSize(px(520), px(320)))

    @property
    def head(self) -> str:
        """The text above the list."""
        return self._head.text()

    @property
    def lines(self) -> list[str]:
        """The texts of the rows in the list."""
        return [self._list.item(row).text() for row in range(self._list.count())]
