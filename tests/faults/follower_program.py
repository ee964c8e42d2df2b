"""A process that follows a folder and prints the reports of its indexing thread."""

import json
import sys
import threading
from pathlib import Path

from notesearch.errors import NotesearchError
from notesearch.index import live_index, watcher
from notesearch.index.vault_index import VaultIndex
from notesearch.status import Progress, Report
from notesearch.store.store import Store
from tests.watched_vault import SETTINGS


class Printing:
    """Sends reports to the parent process."""

    def __init__(self) -> None:
        self._lock = threading.Lock()

    def say(self, **what: object) -> None:
        with self._lock:
            print(json.dumps(what), flush=True)

    def progressed(self, progress: Progress) -> None:
        self.say(phase=progress.phase)

    def updated(self, report: Report) -> None:
        self.say(updated=[*report.added, *report.changed, *report.moved, *report.removed])

    def failed(self, error: NotesearchError) -> None:
        self.say(failed=str(error), kind=type(error).__name__)


def main(vault: str, index: str, check_s: str) -> None:
    """Follow until standard input ends."""
    live_index._CHECK_S = watcher._MIN_INTERVAL_S = float(check_s)
    told = Printing()
    followed = VaultIndex(Path(vault), SETTINGS, Store(Path(index)), lambda: None)
    watch = live_index.LiveIndex.started(followed, told)
    for _ in sys.stdin:
        told.say(watching=watch.watching)
    followed.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
