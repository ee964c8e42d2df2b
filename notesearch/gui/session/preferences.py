"""The settings of the running program. They and the settings file follow each other."""

import contextlib
import logging
from collections.abc import Mapping
from dataclasses import fields, replace
from functools import partial
from typing import Any

from PySide6.QtCore import QFileSystemWatcher, QObject, QTimer, Signal, Slot

from notesearch.config import Paths, Settings
from notesearch.errors import SettingsError
from notesearch.gui.session.worker_threads import FileCall
from notesearch.gui.translation import error_text
from notesearch.messages import Sentence

log = logging.getLogger(__name__)

_QUIET_MS = 150


class Preferences(QObject):
    """Holds the current settings, writes changes to the file, and reads changes made there.

    Attributes:
        settings: The current settings.
        problems: The problem of each invalid setting by name; a problem of the whole file has the
            name ``""``.
        remarks: A sentence about each key of the file that is not a setting.

    Signals:
        changed: The names of the settings that changed (``frozenset[str]``).
        problems_changed: The attribute ``problems`` or ``remarks`` has changed.
        failed: A change could not be written; carries a sentence that says why.
        stored: A change was written.
    """

    changed = Signal(object)
    problems_changed = Signal()
    failed = Signal(str)
    stored = Signal()

    def __init__(self, settings: Settings, paths: Paths) -> None:
        super().__init__()
        self.paths = paths
        self.settings = settings
        file = Settings.read(paths)
        self._on_file = file.settings
        self.problems = dict(file.problems)
        self.remarks = file.remarks
        # An editor may write a file in several steps.
        self._soon = QTimer(self, singleShot=True, interval=_QUIET_MS)
        self._soon.timeout.connect(self.read_file)
        self._watcher = QFileSystemWatcher(self)
        self._watcher.fileChanged.connect(self._soon.start)
        self._watcher.directoryChanged.connect(self._soon.start)
        self._waiting = dict[str, Any]()  # changes to write
        self._writing = dict[str, Any]()  # the changes that a thread writes now
        self._watch()

    def change(self, **chosen: Any) -> None:  # noqa: ANN401 - each setting has its own type
        """Apply the settings in ``chosen``, and write them to the file; its other settings stay.

        If the file cannot be read now, the settings read last and ``chosen`` replace it.
        """
        self.read_file()
        changed = replace(self.settings, **chosen)
        if "" in self.problems:
            last_read = _differing(Settings(), self._on_file)
            chosen = {name: getattr(changed, name) for name in last_read} | chosen
        self._waiting |= chosen
        self._write()
        self._apply(changed)

    @Slot()
    def read_file(self) -> None:
        """Apply changes that others made in the file, unless our own change is still being written.

        Invalid values change nothing.
        """
        if self._writing:
            return
        self._watch()
        file = Settings.read(self.paths)
        before = self._on_file
        self._note(file.problems, file.remarks)
        if "" in file.problems:
            return
        unreadable = {name: getattr(before, name) for name in file.problems}
        self._on_file = after = replace(file.settings, **unreadable)
        names = _differing(before, after)
        self._apply(replace(self.settings, **{name: getattr(after, name) for name in names}))

    def close(self) -> None:
        """Wait until all changes are written to the file, then stop watching the file."""
        while self._writing:
            FileCall.finish_all(self)
        self._watcher.blockSignals(True)
        self._soon.stop()

    def _write(self) -> None:
        """Write the waiting changes in a thread, one after another: the disk may be slow."""
        if self._waiting and not self._writing:
            self._writing, self._waiting = self._waiting, {}
            settings = replace(self.settings, **self._writing)
            call = FileCall(partial(settings.write, self.paths, self._writing), self)
            call.answered.connect(self._on_written)
            call.failed.connect(self._on_failed)
            call.finished.connect(self._on_finished)
            call.start()

    @Slot()
    def _on_written(self) -> None:
        chosen = self._writing
        self._on_file = replace(self._on_file, **chosen)
        problems = {n: text for n, text in self.problems.items() if n and n not in chosen}
        self._note(problems, self.remarks)
        self.stored.emit()

    @Slot(object)
    def _on_failed(self, error: SettingsError) -> None:
        log.warning("%s", error)  # no window may be left to show it
        self.failed.emit(error_text(error))

    @Slot()
    def _on_finished(self) -> None:
        self._writing = {}
        self._soon.start()  # others may have changed the file meanwhile
        self._write()

    def _apply(self, settings: Settings) -> None:
        names = _differing(self.settings, settings)
        self.settings = settings
        if names:
            self.changed.emit(names)

    def _note(self, problems: Mapping[str, Sentence], remarks: tuple[Sentence, ...]) -> None:
        if (problems, remarks) != (self.problems, self.remarks):
            self.problems = dict(problems)
            self.remarks = remarks
            self.problems_changed.emit()

    def _watch(self) -> None:
        """Watch the file, its target if it is a link, and both folders: editors replace files."""
        file = self.paths.settings_file
        paths = {file, file.parent}
        with contextlib.suppress(OSError, RuntimeError):
            paths |= {file.resolve(), file.resolve().parent}
        watched = {*self._watcher.files(), *self._watcher.directories()}
        missing = {str(path) for path in paths if path.exists()} - watched
        if missing:
            self._watcher.addPaths(sorted(missing))


def _differing(before: Settings, after: Settings) -> frozenset[str]:
    names = (field.name for field in fields(before))
    return frozenset(name for name in names if getattr(before, name) != getattr(after, name))
