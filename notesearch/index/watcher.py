"""Watches the folder: turns events into hints, and knows whether all changes are reported.

The indexing thread imports watchdog when it begins to watch, so that no window waits for it.
"""

import contextlib
import errno
import logging
import os
import threading
import warnings
from collections.abc import Callable, Collection, Mapping
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from notesearch.config import Settings, require_folder
from notesearch.index.ignore_rules import RULE_FILES, IgnoreRules
from notesearch.index.note_files import spelling_key
from notesearch.index.scan import LinkTarget, target_of
from notesearch.index.scheduling import Hints
from notesearch.index.vault_folder import folder_identity, silent_file_system
from notesearch.messages import NO_SENTENCE, Sentence
from notesearch.status import LIVE

if TYPE_CHECKING:
    from watchdog.events import FileSystemEvent, FileSystemEventHandler
    from watchdog.observers.api import BaseObserver, ObservedWatch
    from watchdog.utils import BaseThread

log = logging.getLogger(__name__)

_LIMITS = {
    errno.EMFILE: "fs.inotify.max_user_instances",
    errno.ENOSPC: "fs.inotify.max_user_watches",
}
"""Settings of Linux that limit how much can be watched, by the error when the limit is reached."""
_NEW_FOLDERS_S = 0.3
_MIN_INTERVAL_S = 5.0
_MAX_INTERVAL_S = 60.0

_WATCHDOG_LOG = "watchdog"
"""The log of watchdog. With a handler of ours, Python prints none of it on standard error."""
_RULE_FOLDERS = {path.rpartition("/")[0] for path in RULE_FILES}
_DESCRIPTORS = Path("/proc/self/fd")

_HIDES_KIND = os.name == "nt"
"""Whether a deleted folder is reported as a file: Windows does not say what was deleted."""


class _OverflowLog(logging.Handler):
    def __init__(self, hints: Hints) -> None:
        super().__init__(logging.WARNING)
        self._hints = hints

    def emit(self, record: logging.LogRecord) -> None:
        """Ask for a full comparison if the system's queue overflowed."""
        if "queue overflowed" in record.getMessage():
            self._hints.add_everything()


class FolderWatch:
    """Watches a folder and its sub-folders.

    It starts again if the observer ends or another folder takes this one's place.

    Attributes:
        problem: Why some changes may not be reported; empty if all are.
        interval: The seconds between comparisons of the folder; None while events suffice.
    """

    def __init__(self, vault: Path, settings: Settings, hints: Hints) -> None:
        self._vault = vault
        self._settings = settings
        self._hints = hints
        self._rules: IgnoreRules | None = None  # None until the watch starts
        self._overflows = _OverflowLog(hints)
        self._observer: BaseObserver | None = None
        self._queues: set[str] = set()
        self._threads: list[BaseThread] = []
        self._others: set[threading.Thread] = set()
        self._root: tuple[int, int] | None = None
        self._links: Mapping[str, LinkTarget | None] = {}
        self._target_watches: list[ObservedWatch] = []
        self._start_problem = NO_SENTENCE
        self._unwatched_folders = 0
        self.problem = NO_SENTENCE
        self.interval: float | None = None

    @property
    def is_alive(self) -> bool:
        """Whether events can still come: all threads run, and the folder is the same.

        No event reports that the folder was moved away, or that another was mounted over it.
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

    def __str__(self) -> str:
        if self._rules is None:
            return ""
        if self.interval:
            return f"comparing every {self.interval:.0f} s"
        return LIVE if self.is_alive else ""

    def ensure(self) -> None:
        """Watch the folder, with the current ignore rules; raises VaultMissingError without it."""
        if self.is_alive:
            self._rules = IgnoreRules(self._vault, self._settings)
        else:
            self._start()

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

    def check(self, stopping: threading.Event, scan_seconds: float) -> None:
        """Find out whether every folder is watched and, if not, how often to compare."""
        type_ = silent_file_system(self._vault)
        silent = Sentence("watching_silent_file_system", type=type_) if type_ else NO_SENTENCE
        self.problem = self._start_problem or silent or self._limit_problem(stopping)
        interval = min(max(_MIN_INTERVAL_S, 20 * scan_seconds), _MAX_INTERVAL_S)
        self.interval = interval if self.problem else None

    def close(self) -> None:
        """Stop watching and wait for the threads."""
        self._stop()
        self._rules = None

    def _stop(self) -> None:
        logging.getLogger(_WATCHDOG_LOG).removeHandler(self._overflows)
        observer = self._observer
        self._observer = None
        self._threads = []
        self._queues = set()
        self._links = {}
        self._target_watches = []
        if observer is None:
            return
        observer.stop()
        if observer.is_alive():
            observer.join()

    def _start(self) -> None:
        self._stop()
        self._start_problem = NO_SENTENCE
        self._rules = IgnoreRules(self._vault, self._settings)
        try:
            self._observe()
        except OSError as error:
            self._stop()
            if not self._vault.is_dir():
                self._rules = None
                require_folder(self._vault)
            log.info("changes are found by comparing only: %s", error)
            reason = os.strerror(error.errno or 0)
            limit = _LIMITS.get(error.errno or 0)
            self._start_problem = (
                Sentence("watching_limited", reason=reason, limit=limit)
                if limit
                else Sentence("watching_failed", reason=reason)
            )

    def _observe(self) -> None:
        """Start the observer; raises OSError if that is impossible."""
        from watchdog.observers import Observer

        # watchdog warns when a folder is deleted and created again; we check for that ourselves.
        warnings.filterwarnings("ignore", category=RuntimeWarning, module=r"watchdog\.")
        self._root = folder_identity(self._vault)
        self._others = set(threading.enumerate())
        queues_before = _event_queues()
        self._observer = Observer()
        logging.getLogger(_WATCHDOG_LOG).addHandler(self._overflows)
        self._schedule(self._take, self._vault, recursive=True)
        self._observer.start()
        self._queues = _event_queues() - queues_before
        self._threads = self._own_threads()

    def _own_threads(self) -> "list[BaseThread]":
        from watchdog.utils import BaseThread

        return [
            thread
            for thread in threading.enumerate()
            if isinstance(thread, BaseThread) and thread not in self._others
        ]

    def _watch_target(
        self, folder: Path, targets: Mapping[str, Path], *, recursive: bool
    ) -> "ObservedWatch | None":
        paths = {str(real): path for path, real in targets.items()}

        def take(name: str, event: "FileSystemEvent") -> None:
            for real, path in paths.items():
                below = path_below(real, name)
                if below is not None:
                    self._add_hint(f"{path}/{below}".rstrip("/"), event)

        try:
            return self._schedule(take, folder, recursive=recursive)
        except OSError as error:  # the number of watched folders will show this
            log.warning("%s is not watched: %s", folder, error)
            return None

    def _schedule(
        self, take: "Callable[[str, FileSystemEvent], None]", folder: Path, *, recursive: bool
    ) -> "ObservedWatch":
        from watchdog import events

        assert self._observer
        changes = [
            *(events.FileCreatedEvent, events.FileModifiedEvent, events.FileClosedEvent),
            *(events.FileDeletedEvent, events.FileMovedEvent),
            *(events.DirCreatedEvent, events.DirDeletedEvent, events.DirMovedEvent),
            *(events.FileAttribEvent, events.DirAttribEvent),  # also of permissions and dates
        ]
        listener = _listener(self._hints, take)
        return self._observer.schedule(
            listener, str(folder), recursive=recursive, event_filter=changes
        )

    def _take(self, name: str, event: "FileSystemEvent") -> None:
        self._add_hint(path_below(str(self._vault), name) or "", event)

    def _add_hint(self, path: str, event: "FileSystemEvent") -> None:
        """Hint at the note at ``path``; a folder, a link or a rule file may concern any note."""
        rules = self._rules
        if rules is None:
            return  # the watch has ended
        if path in RULE_FILES:
            self._hints.add_everything()
        elif rules.is_note(path) and not event.is_directory:
            self._hints.add(path)
        elif event.is_directory or (_HIDES_KIND and event.event_type == "deleted"):
            if path in _RULE_FOLDERS or not rules.ignores_folder(path):
                self._hints.add_everything()
        elif path in self._links or (
            self._settings.follow_links and (self._vault / path).is_symlink()
        ):
            self._hints.add_everything()

    def _limit_problem(self, stopping: threading.Event) -> Sentence:
        if not self._unwatched() or stopping.wait(_NEW_FOLDERS_S):
            return NO_SENTENCE
        count = self._unwatched()  # new folders should be watched by now
        if count > self._unwatched_folders:  # a folder became unreadable, or was lost in a rename
            links = self._links
            self._start()
            self._hints.add_everything()  # something may have changed in the meantime
            self.follow(links)
            count = self._unwatched()
            self._unwatched_folders = count
        return Sentence("watching_folders_limited", count=count) if count else NO_SENTENCE

    def _unwatched(self) -> int:
        """Return how many folders are not watched; the system refuses some silently."""
        if not self._queues:
            return 0  # not Linux: one watch covers the whole tree
        targets = [target for target in self._links.values() if target]
        trees = {self._vault, *(target.folder for target in targets if target.is_folder)}
        single = {target.folder for target in targets if not target.is_folder}
        folders = _count_folders(trees, single)
        return max(0, folders - sum(map(_count_watches, self._queues)))


def path_below(folder: str, name: str) -> str | None:
    """Return the path of the file ``name`` below ``folder``, with slashes; None if it is elsewhere.

    Case and Unicode form of the folder's own path may differ: macOS reports them as they are on
    the disk, not as the user gave them.
    """
    above = PurePath(folder).parts
    parts = PurePath(name).parts
    if [*map(spelling_key, parts[: len(above)])] != [*map(spelling_key, above)]:
        return None
    return "/".join(parts[len(above) :])


def _listener(
    hints: Hints, take: "Callable[[str, FileSystemEvent], None]"
) -> "FileSystemEventHandler":
    """Return the handler of events. It never raises, because that would end watchdog's thread."""
    from watchdog.events import FileSystemEventHandler

    class Listener(FileSystemEventHandler):
        def on_any_event(self, event: "FileSystemEvent") -> None:
            try:
                for raw in (event.src_path, event.dest_path):
                    name = os.fsdecode(raw)
                    if name:
                        take(name, event)
            except Exception:
                log.exception("an event was not understood: the folder is compared")
                hints.add_everything()

    return Listener()


def _event_queues() -> set[str]:
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
