"""Announcements for screen readers, which read nothing else while the field has the keyboard."""

from PySide6.QtCore import QObject, QTimer, Slot
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent

from notesearch.gui import wording
from notesearch.gui.session.search_controller import SearchWindow
from notesearch.results import SectionResult

_PAUSE_MS = 500


class Announcer(QObject):
    """Announces the results after a pause in typing, and at once each section that is selected."""

    def __init__(self, window: SearchWindow, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._window = window
        self.announced = ""
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(_PAUSE_MS)
        self._pause.timeout.connect(self._announce_results)
        window.results.view.moved.connect(self._announce_selected)

    @Slot()
    def after_pause(self) -> None:
        """Announce the results once the user stops typing."""
        self._pause.start()

    def stop(self) -> None:
        """Announce nothing any more: the window closes."""
        self._pause.stop()

    @Slot()
    def _announce_results(self) -> None:
        if not self._window.shows_results:
            self._announce(self._window.page.page.title)
            return
        section = self._window.results.view.section
        selected = f". {wording.location_text(section)}" if section else ""
        self._announce(f"{self._window.results.summary.found}{selected}")

    @Slot(object)
    def _announce_selected(self, section: SectionResult) -> None:
        self._pause.stop()
        self._announce(wording.location_text(section))

    def _announce(self, text: str) -> None:
        self.announced = text
        event = QAccessibleAnnouncementEvent(self._window.results.view, text)
        QAccessible.updateAccessibility(event)
