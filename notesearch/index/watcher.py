"""Turns file system events into hints; the only module that uses watchdog."""

import contextlib
import logging
import os
import threading
import warnings
from collections.abc import Callable, Collection, Mapping
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
from notesearch.index.ignore_rules import RULE_FILES, IgnoreRules
from notesearch.index.scan import LinkTarget, target_of
from notesearch.index.scheduling import Hints
from notesearch.index.vault_folder import folder_identity

log = logging.getLogger(__name__)

_EVENTS: list[type[FileSystemEvent]] = [
    FileCreatedEvent,
    FileModifiedEvent,
    FileClosedEvent,
    FileDeletedEvent,
    FileMovedEvent,
    DirCreatedEvent,
    DirDeletedEvent,
    DirMovedEvent,
]
_INOTIFY_LOG = "watchdog.observers.inotify_c"
_RULE_FOLDERS = {path.rpartition("/")[0] for path in RULE_FILES}
_DESCRIPTORS = Path("/proc/self/fd")


class _Listener(FileSystemEventHandler):
    """Passes events on; never raises, because that would end watchdog's thread."""

    def __init__(self, hints: Hints, take: Callable[[str, bool], None]) -> None:
        self._hints = hints
        self._take = take

    def on_any_event(self, event: FileSystemEvent) -> None:
        try:
            for raw in (event.src_path, event.dest_path):
                name = os.fsdecode(raw)
                if name:
                    self._take(name, event.is_directory)
        except Exception:
            log.exception("an event was not understood: the folder is compared")
            self._hints.add_everything()


class _OverflowLog(logging.Handler):
    """Notices lost events, which watchdog only reports in its log."""

    def __init__(self, hints: Hints) -> None:
        super().__init__(logging.WARNING)
        self._hints = hints

    def emit(self, record: logging.LogRecord) -> None:
        """Ask for a full comparison if the system's queue overflowed."""
        if "queue overflowed" in record.getMessage():
            self._hints.add_everything()


class Watcher:
    """Watches a folder and its sub-folders."""

    def __init__(self, vault: Path, settings: Settings, hints: Hints) -> None:
        self._vault = vault
        self._settings = settings
        self._hints = hints
        self._rules = IgnoreRules(vault, settings)
        self._links: Mapping[str, LinkTarget | None] = {}
        self._target_watches: list[ObservedWatch] = []
        self._overflows = _OverflowLog(hints)
        self._observer: BaseObserver | None = None
        self._queues: set[str] = set()
        self._threads: list[BaseThread] = []
        self._others: set[threading.Thread] = set()
        self._root: tuple[int, int] | None = None

    def start(self) -> None:
        """Start to watch.

        Raises:
            OSError: The folder does not exist, or the system allows no more watches.
        """
        # watchdog warns when a folder is deleted and created again; we check for that ourselves.
        warnings.filterwarnings("ignore", category=RuntimeWarning, module=r"watchdog\.")
        self._root = folder_identity(self._vault)
        self._others, queues_before = set(threading.enumerate()), _event_queues()
        self._observer = Observer()
        logging.getLogger(_INOTIFY_LOG).addHandler(self._overflows)
        self._observer.schedule(
            _Listener(self._hints, self._take),
            str(self._vault),
            recursive=True,
            event_filter=_EVENTS,
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

    def follow(self, links: Mapping[str, LinkTarget | None]) -> bool:
        """Also watch the targets of ``links`` (by path); return whether the links have changed."""
        if self._observer is None or links == self._links:
            return False
        for watch in self._target_watches:
            self._observer.unschedule(watch)
        self._links = dict(links)
        folders: dict[tuple[Path, bool], dict[str, Path]] = {}
        for path, target in links.items():
            if target:
                key = (target.folder, target.is_folder)
                folders.setdefault(key, {})[path] = target.real
        watches = [
            self._watch_target(folder, targets, recursive=recursive)
            for (folder, recursive), targets in folders.items()
        ]
        self._target_watches = [watch for watch in watches if watch]
        self._threads = self._own_threads()
        return True

    def _watch_target(
        self, folder: Path, targets: Mapping[str, Path], *, recursive: bool
    ) -> ObservedWatch | None:
        assert self._observer
        paths = {str(real): path for path, real in targets.items()}

        def take(name: str, is_folder: bool) -> None:
            for real, path in paths.items():
                if name == real or name.startswith(real + os.sep):
                    self._add_hint(path + name[len(real) :], is_folder)

        try:
            return self._observer.schedule(
                _Listener(self._hints, take),
                str(folder),
                recursive=recursive,
                event_filter=_EVENTS,
            )
        except OSError as error:  # the number of watched folders will show this
            log.warning("%s is not watched: %s", folder, error)
            return None

    def _take(self, name: str, is_folder: bool) -> None:
        root = os.path.join(str(self._vault), "")  # noqa: PTH118 - keeps the last separator
        self._add_hint(name[len(root) :] if name.startswith(root) else "", is_folder)

    def _add_hint(self, name: str, is_folder: bool) -> None:
        """Add a hint for an event at ``name``, relative to the vault."""
        path = name.replace(os.sep, "/")
        if is_folder:
            if path in _RULE_FOLDERS or not self._rules.ignores_folder(path):
                self._hints.add_everything()
        elif path in RULE_FILES:
            self._hints.add_everything()
        elif self._rules.is_note(path):
            self._hints.add(path)
        elif path in self._links or self._is_new_link(name):
            self._hints.add_everything()

    def _is_new_link(self, name: str) -> bool:
        return self._settings.follow_links and (self._vault / name).is_symlink()

    def is_alive(self) -> bool:
        """Return whether events can still come.

        All of watchdog's threads must be running, and the folder must still be the watched one: no
        event says that it was moved away, or that another was mounted over it.
        """
        if not self._threads or not all(thread.is_alive() for thread in self._threads):
            return False
        try:
            same = folder_identity(self._vault) == self._root
        except OSError:
            return False
        return same and all(
            target_of(self._vault / path) == target for path, target in self._links.items()
        )

    def reload_rules(self) -> None:
        """Read the ignore rules again."""
        self._rules = IgnoreRules(self._vault, self._settings)

    def unwatched(self) -> int:
        """Return how many folders are not watched; the system does not tell when it refuses one."""
        if not self._queues:
            return 0  # not Linux: one watch covers the whole tree
        targets = [target for target in self._links.values() if target]
        trees = {self._vault, *(target.folder for target in targets if target.is_folder)}
        single = {target.folder for target in targets if not target.is_folder}
        folders = _count_folders(trees, single)
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
    """Return the file descriptors of this process that belong to inotify."""
    descriptors = set()
    with contextlib.suppress(OSError):
        for descriptor in _DESCRIPTORS.iterdir():
            with contextlib.suppress(OSError):
                if "inotify" in str(descriptor.readlink()):
                    descriptors.add(descriptor.name)
    return descriptors


def _count_watches(descriptor: str) -> int:
    try:
        text = Path(f"/proc/self/fdinfo/{descriptor}").read_text()
    except OSError:
        return 0
    return text.count("inotify wd:")


def _count_folders(trees: Collection[Path], single: Collection[Path]) -> int:
    """Count the folders that can be watched: ``trees`` with all folders in them, and ``single``."""
    counted = {str(folder) for folder in single}
    waiting = [str(folder) for folder in trees]
    while waiting:
        folder = waiting.pop()
        try:
            with os.scandir(folder) as entries:
                waiting += [entry.path for entry in entries if entry.is_dir(follow_symlinks=False)]
        except OSError:
            continue
        counted.add(folder)
    return len(counted)
