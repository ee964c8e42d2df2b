"""Keeps a watcher on the folder, and knows whether it reports all changes."""

import errno
import logging
import os
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from notesearch.config import Settings
from notesearch.errors import VaultMissingError
from notesearch.index.scan import LinkTarget
from notesearch.index.scheduling import Hints
from notesearch.index.vault_folder import silent_file_system
from notesearch.sentences import NO_SENTENCE, Sentence
from notesearch.status import LIVE

if TYPE_CHECKING:
    from notesearch.index.watcher import Watcher

log = logging.getLogger(__name__)

_LIMITS = (errno.ENOSPC, errno.EMFILE)
_NEW_FOLDERS_S = 0.3
_MIN_INTERVAL_S = 5.0
_MAX_INTERVAL_S = 60.0


class FolderWatch:
    """Watches one folder; starts again if the watcher dies or another folder takes its place.

    Attributes:
        problem: Why some changes may not be reported; empty if all are.
    """

    def __init__(self, vault: Path, settings: Settings, hints: Hints) -> None:
        self._vault = vault
        self._settings = settings
        self._hints = hints
        self._watcher: Watcher | None = None
        self._start_problem = NO_SENTENCE
        self._seconds = _MIN_INTERVAL_S
        self._links: Mapping[str, LinkTarget | None] = {}
        self._unwatched_folders = 0
        self.problem = NO_SENTENCE

    @property
    def is_alive(self) -> bool:
        """Whether the watcher runs, so that events can come."""
        return self._watcher is not None and self._watcher.is_alive()

    @property
    def interval(self) -> float | None:
        """The seconds after which the folder must be compared; None while events suffice."""
        return self._seconds if self.problem else None

    def __str__(self) -> str:
        if self._watcher is None:
            return ""
        if self.problem:
            return f"comparing every {self._seconds:.0f} s"
        return LIVE if self.is_alive else ""

    def ensure(self) -> None:
        """Watch the folder, by the current ignore rules.

        Raises:
            VaultMissingError: The folder does not exist.
        """
        if self.is_alive:
            assert self._watcher
            self._watcher.reload_rules()
        else:
            self._start()

    def follow(self, links: Mapping[str, LinkTarget | None]) -> bool:
        """Also watch the targets of ``links``; return whether the links have changed."""
        assert self._watcher
        self._links = links
        return self._watcher.follow(links)

    def check(self, stopping: threading.Event, scan_seconds: float) -> None:
        """Find out whether every folder is watched, and how often to compare if not."""
        self._seconds = min(max(_MIN_INTERVAL_S, 20 * scan_seconds), _MAX_INTERVAL_S)
        self.problem = (
            self._start_problem or self._file_system_problem() or self._limit_problem(stopping)
        )

    def close(self) -> None:
        """Stop watching."""
        if self._watcher:
            self._watcher.close()
            self._watcher = None

    def _start(self) -> None:
        from notesearch.index.watcher import Watcher  # so that no window waits for watchdog

        self.close()
        self._start_problem = NO_SENTENCE
        watcher = Watcher(self._vault, self._settings, self._hints)
        try:
            watcher.start()
        except OSError as error:
            watcher.close()
            if not self._vault.is_dir():
                reason = error.strerror or str(error)
                raise VaultMissingError(
                    "vault_unopenable", vault=str(self._vault), reason=reason
                ) from error
            log.warning("changes are found by comparing only: %s", error)
            code = "watching_limited" if error.errno in _LIMITS else "watching_failed"
            self._start_problem = Sentence(code, reason=os.strerror(error.errno or 0))
        self._watcher = watcher

    def _restart(self) -> int:
        """Replace the watcher, and ask for a comparison of the whole folder.

        Returns how many folders the new watcher cannot watch.

        Raises:
            VaultMissingError: The folder does not exist.
        """
        self._start()
        self._hints.add_everything()  # something may have changed in the meantime
        assert self._watcher
        self._watcher.follow(self._links)
        return self._watcher.unwatched()

    def _file_system_problem(self) -> Sentence:
        type_ = silent_file_system(self._vault)
        return Sentence("watching_silent_file_system", type=type_) if type_ else NO_SENTENCE

    def _limit_problem(self, stopping: threading.Event) -> Sentence:
        assert self._watcher
        if not self._watcher.unwatched() or stopping.wait(_NEW_FOLDERS_S):
            return NO_SENTENCE
        count = self._watcher.unwatched()  # new folders should be watched by now
        if count > self._unwatched_folders:  # a folder was closed to us, or lost in a rename
            count = self._unwatched_folders = self._restart()
        if count == 1:
            return Sentence("watching_folder_limited")
        return Sentence("watching_folders_limited", count=count) if count else NO_SENTENCE
