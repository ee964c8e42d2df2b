"""Paths that may have changed, from whoever notices until the indexing thread looks at them."""

import threading

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
            if not self._everything:
                self._paths.add(path)
                self._everything = len(self._paths) > _MANY
        self.ready.set()

    def add_everything(self) -> None:
        """Ask for a look at the whole folder."""
        with self._lock:
            self._everything = True
        self.ready.set()

    def hold_besides(self, path: str) -> bool:
        """Return whether there is anything to look at but ``path``."""
        with self._lock:
            return self._everything or not self._paths <= {path}

    def take(self) -> tuple[frozenset[str], bool]:
        """Return the paths and whether everything is meant, and forget both."""
        with self._lock:
            self.ready.clear()
            taken = frozenset(self._paths), self._everything
            self._paths, self._everything = set(), False
            return taken
