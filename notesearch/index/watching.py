"""Keeps a watcher on the folder, and knows whether all changes will be heard."""

import errno
import logging
import os
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from notesearch.config import Settings
from notesearch.errors import VaultMissingError
from notesearch.index import mounts
from notesearch.index.hints import Hints
from notesearch.index.links import Place
from notesearch.sentences import NO_SENTENCE, Sentence
from notesearch.status import LIVE

if TYPE_CHECKING:
    from notesearch.index.watcher import Watcher

log = logging.getLogger(__name__)

_LIMITS = (errno.ENOSPC, errno.EMFILE)
_NEW_FOLDERS_S = 0.3
_LEAST_S = 5.0
_MOST_S = 60.0


class Watching:
    """Watches one folder, again whenever the watcher died or another folder took its place."""

    def __init__(self, vault: Path, settings: Settings, hints: Hints) -> None:
        self._vault = vault
        self._settings = settings
        self._hints = hints
        self._watcher: Watcher | None = None
        self._start_problem = NO_SENTENCE
        self._seconds = _LEAST_S
        self._links: Mapping[str, Place | None] = {}
        self._missed = 0
        self.problem = NO_SENTENCE
        """Why some changes may not be reported; empty when all are."""

    @property
    def is_alive(self) -> bool:
        """Whether events can come at all."""
        return self._watcher is not None and self._watcher.is_alive()

    @property
    def every(self) -> float | None:
        """After how many seconds the folder must be compared; None while events suffice."""
        return self._seconds if self.problem else None

    def __str__(self) -> str:
        if self._watcher is None:
            return ""
        if self.problem:
            return f"comparing every {self._seconds:.0f} s"
        return LIVE if self.is_alive else ""

    def ensure(self) -> None:
        """Watch, by the rules for what is left out as they are now.

        Raises:
            VaultMissingError: The folder is not there.
        """
        if self.is_alive:
            assert self._watcher
            self._watcher.reload_rules()
        else:
            self._start()

    def follow(self, links: Mapping[str, Place | None]) -> bool:
        """Watch also where ``links`` lead; return whether that is another place than before."""
        assert self._watcher
        self._links = links
        return self._watcher.follow(links)

    def judge(self, stopping: threading.Event, scan_seconds: float) -> None:
        """Find out whether every folder is watched, after a comparison that took so long."""
        self._seconds = min(max(_LEAST_S, 20 * scan_seconds), _MOST_S)
        self.problem = self._start_problem or self._silent() or self._unwatched(stopping)

    def close(self) -> None:
        """Stop watching."""
        if self._watcher:
            self._watcher.close()
            self._watcher = None

    def _start(self) -> None:
        from notesearch.index.watcher import Watcher  # no window waits for watchdog

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

    def _start_again(self) -> int:
        """Watch from the beginning; return how many folders are not watched even then."""
        self._start()
        self._hints.add_everything()  # something may have changed meanwhile
        assert self._watcher
        self._watcher.follow(self._links)
        return self._watcher.unwatched()

    def _silent(self) -> Sentence:
        type_ = mounts.silent_file_system(self._vault)
        return Sentence("watching_silent_file_system", type=type_) if type_ else NO_SENTENCE

    def _unwatched(self, stopping: threading.Event) -> Sentence:
        assert self._watcher
        if not self._watcher.unwatched() or stopping.wait(_NEW_FOLDERS_S):
            return NO_SENTENCE
        count = self._watcher.unwatched()  # folders made just now are watched in a moment
        if count > self._missed:  # one was closed to us for a while, or lost between two names
            count = self._missed = self._start_again()
        if count == 1:
            return Sentence("watching_folder_limited")
        return Sentence("watching_folders_limited", count=count) if count else NO_SENTENCE
