"""Tells a screen reader what the list shows: the keyboard is in the field, nothing else does."""

from PySide6.QtCore import QObject, QTimer, Slot
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent

from notesearch.gui import wording
from notesearch.gui.session.search_flow import SearchWindow
from notesearch.results import SectionResult

_PAUSE_MS = 500


class Announcer(QObject):
    """Speaks politely: after a pause in typing, and at once when the selection was moved."""

    def __init__(self, window: SearchWindow, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._window = window
        self.said = ""
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(_PAUSE_MS)
        self._pause.timeout.connect(self._say_found)
        window.results.view.moved.connect(self._say_selected)

    @Slot()
    def after_pause(self) -> None:
        """Say what was found once the user stops typing."""
        self._pause.start()

    def stop(self) -> None:
        """Say nothing any more: the window goes."""
        self._pause.stop()

    @Slot()
    def _say_found(self) -> None:
        if not self._window.shows_results:
            self._say(self._window.page.page.title)
            return
        section = self._window.results.view.section
        selected = f". {wording.location_text(section)}" if section else ""
        self._say(f"{self._window.results.found}{selected}")

    @Slot(object)
    def _say_selected(self, section: SectionResult) -> None:
        self._pause.stop()
        self._say(wording.location_text(section))

    def _say(self, text: str) -> None:
        self.said = text
        event = QAccessibleAnnouncementEvent(self._window.results.view, text)
        QAccessible.updateAccessibility(event)
