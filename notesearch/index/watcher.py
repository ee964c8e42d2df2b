"""Turns file system events into a set of paths worth a look; the only door to watchdog."""

import os
import threading
import warnings
from pathlib import Path

from watchdog.events import (
    DirCreatedEvent,
    DirDeletedEvent,
    DirMovedEvent,
    FileClosedEvent,
    FileCreatedEvent,
    FileDeletedEvent,
    FileModifiedEvent,
    FileMovedEvent,
    FileSystemEvent,
    FileSystemEventHandler,
)
from watchdog.observers import Observer
from watchdog.observers.api import BaseObserver
from watchdog.utils import BaseThread

from notesearch.config import Settings
from notesearch.index import scan

_EVENTS: list[type[FileSystemEvent]] = [
    FileCreatedEvent, FileModifiedEvent, FileClosedEvent, FileDeletedEvent, FileMovedEvent,
    DirCreatedEvent, DirDeletedEvent, DirMovedEvent,
]  # fmt: skip
_MANY = 512


class Hints:
    """Paths that may have changed, gathered from any thread until somebody takes them."""

    def __init__(self) -> None:
        self.ready = threading.Event()
        self._lock = threading.Lock()
        self._paths: set[str] = set()
        self._everything = False

    def add(self, path: str) -> None:
        """Name a path; more than a few hundred mean "look at everything"."""
        with self._lock:
            self._paths.add(path)
            self._everything = self._everything or len(self._paths) > _MANY
        self.ready.set()

    def add_everything(self) -> None:
        """Ask for a look at the whole folder."""
        with self._lock:
            self._everything = True
        self.ready.set()

    def take(self) -> tuple[frozenset[str], bool]:
        """Return the paths and whether everything is meant, and forget both."""
        with self._lock:
            self.ready.clear()
            taken = frozenset(self._paths), self._everything
            self._paths, self._everything = set(), False
            return taken


class _Listener(FileSystemEventHandler):
    """Only adds to the hints: an exception here would end watchdog's thread for good."""

    def __init__(self, vault: Path, settings: Settings, hints: Hints) -> None:
        self._root = os.path.join(str(vault), "")  # noqa: PTH118 - keeps the last separator
        self._settings = settings
        self._hints = hints

    def on_any_event(self, event: FileSystemEvent) -> None:
        for raw in (event.src_path, event.dest_path):
            name = os.fsdecode(raw)
            if not name:
                continue
            inside = name.startswith(self._root)
            path = name[len(self._root) :].replace(os.sep, "/") if inside else ""
            if event.is_directory:
                if not scan.is_ignored_path(path, self._settings):
                    self._hints.add_everything()
            elif scan.is_note_path(path, self._settings):
                self._hints.add(path)


class Watcher:
    """Watches a folder and its sub-folders."""

    def __init__(self, vault: Path, settings: Settings, hints: Hints) -> None:
        self._vault = vault
        self._settings = settings
        self._hints = hints
        self._observer: BaseObserver | None = None
        self._threads: list[BaseThread] = []
        self._root: tuple[int, int] | None = None

    def start(self) -> None:
        """Begin to watch.

        Raises:
            OSError: The folder is not there, or the system allows no more watches.
        """
        # It warns at length whenever a folder is deleted and made again; we look ourselves then.
        warnings.filterwarnings("ignore", category=RuntimeWarning, module=r"watchdog\.")
        self._root = _identity(self._vault)
        before = set(threading.enumerate())
        self._observer = Observer()
        listener = _Listener(self._vault, self._settings, self._hints)
        self._observer.schedule(listener, str(self._vault), recursive=True, event_filter=_EVENTS)
        self._observer.start()
        self._threads = [
            thread
            for thread in threading.enumerate()
            if isinstance(thread, BaseThread) and thread not in before
        ]

    def is_alive(self) -> bool:
        """Return whether events can still come.

        None of watchdog's threads may have ended, and the folder must be the one that is watched:
        that it was moved away, or another mounted over it, is no event.
        """
        if not self._threads or not all(thread.is_alive() for thread in self._threads):
            return False
        try:
            return _identity(self._vault) == self._root
        except OSError:
            return False

    def close(self) -> None:
        """Stop watching and wait for the threads."""
        if self._observer is None:
            return
        self._observer.stop()
        if self._observer.is_alive():
            self._observer.join()


def _identity(folder: Path) -> tuple[int, int]:
    status = folder.stat()
    return status.st_dev, status.st_ino
