"""The settings while the program runs: what is chosen is kept, what the file says is taken up."""

import contextlib
from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any

from PySide6.QtCore import QFileSystemWatcher, QObject, QTimer, Signal, Slot

from notesearch.config import Paths, Settings
from notesearch.gui.session.settings_writer import SettingsWriter

_QUIET_MS = 150


class Preferences(QObject):
    """Holds the settings that count now and keeps them in line with their file.

    Args:
        settings: What counts at the start; the file may say something else.

    Signals:
        changed: The names of the settings that are others now (``frozenset[str]``).
        noted: Other ``problems`` were found in the file.
        failed: What was chosen could not be written, in a sentence.
    """

    changed = Signal(object)
    noted = Signal()
    failed = Signal(str)

    def __init__(self, settings: Settings, paths: Paths, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.paths = paths
        self._settings = settings
        found = Settings.read(paths)
        self._on_file, self._problems = found.settings, dict(found.problems)
        self._soon = QTimer(self)  # an editor writes in several steps
        self._soon.setSingleShot(True)
        self._soon.setInterval(_QUIET_MS)
        self._soon.timeout.connect(self.look)
        self._watcher = QFileSystemWatcher(self)
        self._watcher.fileChanged.connect(self._soon.start)
        self._watcher.directoryChanged.connect(self._soon.start)
        self._writer = SettingsWriter(paths, self)
        self._writer.written.connect(self._on_written)
        self._writer.failed.connect(self._on_failed)
        self._watch()

    @property
    def settings(self) -> Settings:
        """What counts now."""
        return self._settings

    @property
    def problems(self) -> Mapping[str, str]:
        """As ``SettingsFound.problems``, of the file as it was seen last."""
        return self._problems

    def change(self, **chosen: Any) -> None:  # noqa: ANN401 - each setting has its own type
        """Take over what the user chose; it is written beside what the file says meanwhile.

        A file that cannot be read is replaced: by all that it said before, not by this alone.
        """
        self.look()
        wanted = replace(self._settings, **chosen)
        if "" in self._problems:
            said = _other(Settings(), self._on_file)
            chosen = {name: getattr(wanted, name) for name in said} | chosen
        self._writer.put(wanted, chosen)
        self._take(wanted)

    @Slot()
    def look(self) -> None:
        """Take up what somebody else wrote into the file; what makes no sense changes nothing.

        Until the file has what was chosen here, what it says is older: it is looked at then.
        """
        if self._writer.is_busy:
            return
        self._watch()
        found, before = Settings.read(self.paths), self._on_file
        self._note(found.problems)
        if "" in found.problems:
            return
        known = {name: getattr(before, name) for name in found.problems}
        self._on_file = after = replace(found.settings, **known)
        self._take(replace(self._settings, **{n: getattr(after, n) for n in _other(before, after)}))

    def close(self) -> None:
        """Return when all that was chosen is written."""
        self._writer.wait()

    @Slot(object)
    def _on_written(self, chosen: Mapping[str, Any]) -> None:
        self._on_file = replace(self._on_file, **chosen)
        self._note({n: text for n, text in self._problems.items() if n and n not in chosen})
        self._watch()
        self._soon.start()

    @Slot(str)
    def _on_failed(self, problem: str) -> None:
        self._soon.start()
        self.failed.emit(problem)

    def _take(self, settings: Settings) -> None:
        names = _other(self._settings, settings)
        self._settings = settings
        if names:
            self.changed.emit(names)

    def _note(self, problems: Mapping[str, str]) -> None:
        if problems != self._problems:
            self._problems = dict(problems)
            self.noted.emit()

    def _watch(self) -> None:
        """Watch the file and, as editors replace it, the folders that it and its link are in."""
        file = self.paths.settings_file
        places = {file, file.parent}
        with contextlib.suppress(OSError, RuntimeError):
            places |= {file.resolve(), file.resolve().parent}
        watched = {*self._watcher.files(), *self._watcher.directories()}
        wanted = {str(place) for place in places if place.exists()} - watched
        if wanted:
            self._watcher.addPaths(sorted(wanted))


def _other(before: Settings, after: Settings) -> frozenset[str]:
    """Return the names of the settings in which the two differ."""
    return frozenset(
        one.name for one in fields(before) if getattr(before, one.name) != getattr(after, one.name)
    )
