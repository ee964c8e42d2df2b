"""The thread that writes the settings: what was chosen is seen before the disk has it."""

import logging
from collections.abc import Mapping
from threading import Lock
from typing import Any

from PySide6.QtCore import QObject, QThread, Signal

from notesearch.config import Paths, Settings
from notesearch.errors import SettingsError
from notesearch.gui.translation import translate

log = logging.getLogger(__name__)


class SettingsWriter(QThread):
    """Runs while there is something to write; what comes meanwhile is written together.

    Signals:
        written: The settings that the file has now: their values by their names.
        failed: What could not be written, in a sentence.
    """

    written = Signal(object)
    failed = Signal(str)

    def __init__(self, paths: Paths, parent: QObject) -> None:
        super().__init__(parent)
        self._paths = paths
        self._lock = Lock()
        self._settings = Settings()
        self._waiting = dict[str, Any]()
        self._works = False

    @property
    def is_busy(self) -> bool:
        """The file lacks something that was chosen."""
        with self._lock:
            return self._works

    def put(self, settings: Settings, chosen: Mapping[str, Any]) -> None:
        """Have those of ``settings`` written soon that are named in ``chosen``."""
        with self._lock:
            self._settings = settings
            self._waiting |= chosen
            starts, self._works = not self._works, True
        if starts:
            self.wait()  # it has nothing to do any more, but may not have ended yet
            self.start()

    def run(self) -> None:
        """Write until nothing waits."""
        while (taken := self._take()) is not None:
            settings, chosen = taken
            try:
                settings.write(self._paths, chosen)
            except SettingsError as error:
                log.warning("%s", error)  # the window may be gone
                self.failed.emit(str(error))
            except Exception as error:
                log.exception("the settings were not written: %s", sorted(chosen))
                told = translate("settings", "This failed ({error}).")
                self.failed.emit(told.format(error=error))
            else:
                self.written.emit(chosen)

    def _take(self) -> tuple[Settings, dict[str, Any]] | None:
        with self._lock:
            chosen, self._waiting = self._waiting, {}
            self._works = bool(chosen)
            return (self._settings, chosen) if chosen else None
