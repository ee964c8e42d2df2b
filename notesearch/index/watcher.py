"""Turns file system events into a set of paths worth a look; the only door to watchdog."""

import contextlib
import logging
import os
import threading
import warnings
from collections.abc import Collection, Mapping
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
from watchdog.observers.api import BaseObserver, ObservedWatch
from watchdog.utils import BaseThread

from notesearch.config import Settings
from notesearch.index.hints import Hints
from notesearch.index.ignoring import RULE_FILES, IgnoreRules
from notesearch.index.links import Place, identity, place

log = logging.getLogger(__name__)

_EVENTS: list[type[FileSystemEvent]] = [
    FileCreatedEvent, FileModifiedEvent, FileClosedEvent, FileDeletedEvent, FileMovedEvent,
    DirCreatedEvent, DirDeletedEvent, DirMovedEvent,
]  # fmt: skip
_INOTIFY_LOG = "watchdog.observers.inotify_c"
_RULE_FOLDERS = {path.rpartition("/")[0] for path in RULE_FILES}
_DESCRIPTORS = Path("/proc/self/fd")


class _Listener(FileSystemEventHandler):
    """Only adds to the hints: an exception here would end watchdog's thread for good."""

    def __init__(
        self, vault: Path, rules: IgnoreRules, hints: Hints, *, follows_links: bool
    ) -> None:
        self._root = os.path.join(str(vault), "")  # noqa: PTH118 - keeps the last separator
        self._hints = hints
        self._follows_links = follows_links
        self.rules = rules
        self.links: Collection[str] = ()

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
        self.take(name[len(self._root) :] if inside else "", is_folder=is_folder)

    def take(self, name: str, *, is_folder: bool) -> None:
        """Take up what happened at ``name``, relative to the vault."""
        path = name.replace(os.sep, "/")
        if is_folder:
            if path in _RULE_FOLDERS or not self.rules.leaves_out_folder(path):
                self._hints.add_everything()
        elif path in RULE_FILES:
            self._hints.add_everything()
        elif self.rules.is_note(path):
            self._hints.add(path)
        elif path in self.links or (self._follows_links and os.path.islink(self._root + name)):  # noqa: PTH114
            self._hints.add_everything()


class _BehindLinks(_Listener):
    """Hears of what happens where links lead, and takes it for what the vault shows of it."""

    def __init__(self, shown: _Listener, leading: Mapping[str, Path], hints: Hints) -> None:
        """Take the vault's listener and where its links lead, by their path in the vault."""
        self._shown = shown
        self._leading = {str(real): path for path, real in leading.items()}
        self._hints = hints

    def _take(self, name: str, *, is_folder: bool) -> None:
        for real, path in self._leading.items():
            if name == real or name.startswith(real + os.sep):
                self._shown.take(path + name[len(real) :], is_folder=is_folder)


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
        self._hints = hints
        self._listener = _Listener(
            vault, IgnoreRules(vault, settings), hints, follows_links=settings.follow_links
        )
        self._links: Mapping[str, Place | None] = {}
        self._beyond: list[ObservedWatch] = []
        self._overflows = _OverflowLog(hints)
        self._observer: BaseObserver | None = None
        self._queues: set[str] = set()
        self._threads: list[BaseThread] = []
        self._others: set[threading.Thread] = set()
        self._root: tuple[int, int] | None = None

    def start(self) -> None:
        """Begin to watch.

        Raises:
            OSError: The folder is not there, or the system allows no more watches.
        """
        # It warns at length whenever a folder is deleted and made again; we look ourselves then.
        warnings.filterwarnings("ignore", category=RuntimeWarning, module=r"watchdog\.")
        self._root = identity(self._vault)
        self._others, queues_before = set(threading.enumerate()), _event_queues()
        self._observer = Observer()
        logging.getLogger(_INOTIFY_LOG).addHandler(self._overflows)
        self._observer.schedule(
            self._listener, str(self._vault), recursive=True, event_filter=_EVENTS
        )
        self._observer.start()
        self._queues = _event_queues() - queues_before
        self._threads = self._own_threads()

    def _own_threads(self) -> list[BaseThread]:
        return [
            thread
            for thread in threading.enumerate()
            if isinstance(thread, BaseThread) and thread not in self._others
        ]

    def follow(self, links: Mapping[str, Place | None]) -> bool:
        """Watch also where ``links`` lead, by path; return whether that changed."""
        if self._observer is None or links == self._links:
            return False
        for watch in self._beyond:
            self._observer.unschedule(watch)
        self._links = self._listener.links = dict(links)
        folders: dict[tuple[Path, bool], dict[str, Path]] = {}
        for path, found in links.items():
            if found:
                key = (found.folder, found.is_folder)
                folders.setdefault(key, {})[path] = found.real
        made = [
            self._watch_beyond(folder, leading, whole=whole)
            for (folder, whole), leading in folders.items()
        ]
        self._beyond = [watch for watch in made if watch]
        self._threads = self._own_threads()
        return True

    def _watch_beyond(
        self, folder: Path, leading: Mapping[str, Path], *, whole: bool
    ) -> ObservedWatch | None:
        assert self._observer
        listener = _BehindLinks(self._listener, leading, self._hints)
        try:
            return self._observer.schedule(
                listener, str(folder), recursive=whole, event_filter=_EVENTS
            )
        except OSError as error:  # that not every folder is watched is noticed by their number
            log.warning("%s is not watched: %s", folder, error)
            return None

    def is_alive(self) -> bool:
        """Return whether events can still come.

        None of watchdog's threads may have ended, and the folder must be the one that is watched:
        that it was moved away, or another mounted over it, is no event.
        """
        if not self._threads or not all(thread.is_alive() for thread in self._threads):
            return False
        try:
            same = identity(self._vault) == self._root
        except OSError:
            return False
        return same and all(
            place(self._vault / path) == before for path, before in self._links.items()
        )

    def reload_rules(self) -> None:
        """Read again what is left out."""
        self._listener.rules = IgnoreRules(self._vault, self._settings)

    def unwatched(self) -> int:
        """Return how many folders are not watched: at the system's limit nobody says so."""
        if not self._queues:
            return 0  # no Linux: there one watch is for the whole tree
        found = [one for one in self._links.values() if one]
        whole = {self._vault, *(one.folder for one in found if one.is_folder)}
        single = {one.folder for one in found if not one.is_folder}
        folders = _count_folders(whole, single)
        return max(0, folders - sum(map(_count_watches, self._queues)))

    def close(self) -> None:
        """Stop watching and wait for the threads."""
        logging.getLogger(_INOTIFY_LOG).removeHandler(self._overflows)
        if self._observer is None:
            return
        self._observer.stop()
        if self._observer.is_alive():
            self._observer.join()


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


def _count_folders(whole: Collection[Path], single: Collection[Path]) -> int:
    """Count the folders that can be listed, which are those that can be watched.

    ``whole`` with all that is in them, ``single`` alone; none is counted twice.
    """
    counted = {str(folder) for folder in single}
    waiting = [str(folder) for folder in whole]
    while waiting:
        folder = waiting.pop()
        try:
            with os.scandir(folder) as entries:
                waiting += [entry.path for entry in entries if entry.is_dir(follow_symlinks=False)]
        except OSError:
            continue
        counted.add(folder)
    return len(counted)
