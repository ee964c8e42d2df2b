"""What the bar above the results says when the index or its folder is in trouble."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Slot
from PySide6.QtGui import QAction

from notesearch.gui import wording
from notesearch.gui.translation import sentence_text, translate
from notesearch.gui.widgets.banner import Banner
from notesearch.gui.window.actions import Actions
from notesearch.sentences import Sentence
from notesearch.status import Status

_TOLD_MS = 30_000
_CALMING = {"index_damaged", "index_text_damaged"}
"""Messages that say themselves that the notes are not affected."""


class IndexNotices(QObject):
    """Shows one notice at a time; a notice that tells of something done goes by itself."""

    def __init__(self, banner: Banner, actions: Actions, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._banner = banner
        self._actions = actions
        self._why = self._trouble = ""
        self._remedies: Sequence[QAction] = ()
        self._told = QTimer(self)
        self._told.setSingleShot(True)
        self._told.setInterval(_TOLD_MS)
        self._told.timeout.connect(banner.hide)

    @property
    def is_shown(self) -> bool:
        """Something is said, though nobody may see the window now."""
        return not self._banner.isHidden()

    def forget(self) -> None:
        """Say nothing; another folder is opened."""
        self._why = self._trouble = ""
        self._told.stop()
        self._banner.hide()

    def settle(self) -> None:
        """Say nothing of trouble any more: the index was brought up to date."""
        self._trouble = ""
        if not self._told.isActive():
            self._banner.hide()

    def tell_rebuilt(self, why: Sentence) -> None:
        """Say once, for a while, that the index was made again."""
        if why != self._why:
            self._why = why
            text = sentence_text(why)
            if why.code not in _CALMING:
                text = translate("window", "{why} Your notes are safe.").format(why=text)
            self._banner.show_message(text)
            self._told.start()

    def tell_failed(self, problem: str) -> None:
        """Say why the index cannot be brought up to date."""
        self._stay(problem, [self._actions.try_again])

    def tell_missing(self, problem: str, vault: Path | None, status: Status | None) -> None:
        """Say that the folder is not reachable, and what is searched meanwhile."""
        if status is not None and status.notes and status.last_scan:
            last = wording.moment_text(status.last_scan)
            problem = translate(
                "window",
                "Can't reach the notes folder {vault}. Showing results from the last update,"
                " {last}.",
            ).format(vault=vault, last=last)
        self._stay(problem, [self._actions.choose_folder, self._actions.try_again])

    @Slot(str)
    def tell_besides(self, problem: str, actions: Sequence[QAction] = ()) -> None:
        """Say what else went wrong; the trouble with the index stays in sight, and its remedies."""
        if not self._trouble:
            self._banner.show_message(problem, actions)
            return
        more = [action for action in actions if action not in self._remedies]
        both = f"{problem}\n{self._trouble}"
        self._banner.show_message(both, [*self._remedies, *more])

    def _stay(self, problem: str, remedies: Sequence[QAction]) -> None:
        self._trouble, self._remedies = problem, remedies
        self._banner.show_message(problem, remedies)
