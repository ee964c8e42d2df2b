"""Tells screen readers what the list shows."""

from PySide6.QtCore import QObject, QTimer, Slot
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent

from notesearch.gui import wording
from notesearch.gui.session.search_controller import PaneWindow
from notesearch.results import SectionResult

_PAUSE_MS = 500


class Announcer(QObject):
    """Tells screen readers about results after a pause in typing, and about selections at once."""

    def __init__(self, window: PaneWindow, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._window = window
        self._pause = QTimer(self, singleShot=True, interval=_PAUSE_MS)
        self._pause.timeout.connect(self._announce_results)
        window.results.view.moved.connect(self._announce_selected)

    @Slot()
    def announce_after_pause(self) -> None:
        """Announce the results half a second after the last call."""
        self._pause.start()

    def stop(self) -> None:
        """Do not announce results that wait for a pause. Called when the window closes."""
        self._pause.stop()

    @Slot()
    def _announce_results(self) -> None:
        if not self._window.shows_results:
            self._announce(self._window.page.page.title)
            return
        section = self._window.results.view.section
        selected = f". {wording.location_text(section)}" if section else ""
        self._announce(f"{self._window.results.summary.count_text}{selected}")

    @Slot(object)
    def _announce_selected(self, section: SectionResult) -> None:
        self._pause.stop()
        self._announce(wording.location_text(section))

    def _announce(self, text: str) -> None:
        event = QAccessibleAnnouncementEvent(self._window.results.view, text)
        QAccessible.updateAccessibility(event)
