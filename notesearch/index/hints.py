"""Paths that may have changed, on their way from the watcher to the indexing thread."""

import threading

_MANY = 512


class Hints:
    """Collects paths that may have changed, from any thread, until they are taken."""

    def __init__(self) -> None:
        self.ready = threading.Event()
        self._lock = threading.Lock()
        self._paths: set[str] = set()
        self._everything = False

    def add(self, path: str) -> None:
        """Add a path; a few hundred of them mean "compare everything"."""
        with self._lock:
            if not self._everything:
                self._paths.add(path)
                self._everything = len(self._paths) > _MANY
        self.ready.set()

    def add_everything(self) -> None:
        """Ask for a comparison of the whole folder."""
        with self._lock:
            self._everything = True
        self.ready.set()

    def has_others(self, path: str) -> bool:
        """Return whether anything but ``path`` may have changed."""
        with self._lock:
            return self._everything or not self._paths <= {path}

    def take(self) -> tuple[frozenset[str], bool]:
        """Return the paths, and whether to compare everything; forget both."""
        with self._lock:
            self.ready.clear()
            taken = frozenset(self._paths), self._everything
            self._paths, self._everything = set(), False
            return taken
