"""Turns file system events into a set of paths worth a look; the only door to watchdog."""

import contextlib
import logging
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
from notesearch.index.ignoring import RULE_FILES, IgnoreRules

log = logging.getLogger(__name__)

_EVENTS: list[type[FileSystemEvent]] = [
    FileCreatedEvent, FileModifiedEvent, FileClosedEvent, FileDeletedEvent, FileMovedEvent,
    DirCreatedEvent, DirDeletedEvent, DirMovedEvent,
]  # fmt: skip
_MANY = 512
_INOTIFY_LOG = "watchdog.observers.inotify_c"
_RULE_FOLDERS = {path.rpartition("/")[0] for path in RULE_FILES}
_DESCRIPTORS = Path("/proc/self/fd")


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

    def __init__(self, vault: Path, rules: IgnoreRules, hints: Hints) -> None:
        self._root = os.path.join(str(vault), "")  # noqa: PTH118 - keeps the last separator
        self._hints = hints
        self.rules = rules

    def on_any_event(self, event: FileSystemEvent) -> None:
        try:
            for raw in (event.src_path, event.dest_path):
                name = os.fsdecode(raw)
                if name:
                    self._take(name, is_folder=event.is_directory)
        except Exception:
            log.exception("an event was not understood: the folder is compared")
            self._hints.add_everything()

    def _take(self, name: str, *, is_folder: bool) -> None:
        inside = name.startswith(self._root)
        path = name[len(self._root) :].replace(os.sep, "/") if inside else ""
        if is_folder:
            if path in _RULE_FOLDERS or not self.rules.leaves_out_folder(path):
                self._hints.add_everything()
        elif path in RULE_FILES:
            self._hints.add_everything()
        elif self.rules.is_note(path):
            self._hints.add(path)


class _OverflowLog(logging.Handler):
    """Hears of lost events, which watchdog tells nobody but its log."""

    def __init__(self, hints: Hints) -> None:
        super().__init__(logging.WARNING)
        self._hints = hints

    def emit(self, record: logging.LogRecord) -> None:
        """Have everything looked at when the system's queue overflowed."""
        if "queue overflowed" in record.getMessage():
            self._hints.add_everything()


class Watcher:
    """Watches a folder and its sub-folders."""

    def __init__(self, vault: Path, settings: Settings, hints: Hints) -> None:
        self._vault = vault
        self._settings = settings
        self._listener = _Listener(vault, IgnoreRules(vault, settings), hints)
        self._overflows = _OverflowLog(hints)
        self._observer: BaseObserver | None = None
        self._queues: set[str] = set()
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
        before, queues_before = set(threading.enumerate()), _event_queues()
        self._observer = Observer()
        logging.getLogger(_INOTIFY_LOG).addHandler(self._overflows)
        self._observer.schedule(
            self._listener, str(self._vault), recursive=True, event_filter=_EVENTS
        )
        self._observer.start()
        self._queues = _event_queues() - queues_before
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

    def reload_rules(self) -> None:
        """Read again what is left out."""
        self._listener.rules = IgnoreRules(self._vault, self._settings)

    def unwatched(self) -> int:
        """Return how many folders are not watched: at the system's limit nobody says so."""
        if not self._queues:
            return 0  # no Linux: there one watch is for the whole tree
        return max(0, _count_folders(self._vault) - sum(map(_count_watches, self._queues)))

    def close(self) -> None:
        """Stop watching and wait for the threads."""
        logging.getLogger(_INOTIFY_LOG).removeHandler(self._overflows)
        if self._observer is None:
            return
        self._observer.stop()
        if self._observer.is_alive():
            self._observer.join()


def _identity(folder: Path) -> tuple[int, int]:
    status = folder.stat()
    return status.st_dev, status.st_ino


def _event_queues() -> set[str]:
    """Return the descriptors of this process that inotify made."""
    found = set()
    with contextlib.suppress(OSError):
        for descriptor in _DESCRIPTORS.iterdir():
            with contextlib.suppress(OSError):
                if "inotify" in str(descriptor.readlink()):
                    found.add(descriptor.name)
    return found


def _count_watches(descriptor: str) -> int:
    try:
        text = Path(f"/proc/self/fdinfo/{descriptor}").read_text()
    except OSError:
        return 0
    return text.count("inotify wd:")


def _count_folders(vault: Path) -> int:
    """Count the folders that can be listed, which are those that can be watched."""
    count, waiting = 0, [str(vault)]
    while waiting:
        try:
            with os.scandir(waiting.pop()) as entries:
                waiting += [entry.path for entry in entries if entry.is_dir(follow_symlinks=False)]
        except OSError:
            continue
        count += 1
    return count
