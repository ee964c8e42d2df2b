"""Finds a picture that a note names: beside it, from the top of the vault, or anywhere by name.

Obsidian keeps attachments in folders of their own and links to them by their names alone. Only
names are compared here; who reads the file checks once more where it really lies.
"""

import os
import posixpath
import threading
import time
from collections.abc import Callable
from pathlib import Path

from notesearch.index.ignoring import IgnoreRules

_KEPT_S = 10.0
_MOST = 200_000
PICTURES = (".png", ".jpg", ".jpeg", ".gif", ".webp", ".bmp", ".svg", ".avif")


class Attachments:
    """The pictures of one vault; safe to use from several threads.

    The folders are listed when a name alone has to be found, and again after a while.
    """

    def __init__(self, vault: Path, rules: Callable[[], IgnoreRules]) -> None:
        self._vault = vault
        self._rules = rules
        self._lock = threading.Lock()
        self._listed_at = -_KEPT_S
        self._by_name: dict[str, list[str]] = {}

    def find(self, target: str, source: str) -> str | None:
        """Return the path in the vault of the picture ``target`` of the note at ``source``."""
        is_odd = not target or target.startswith("//") or set(target) & set("\\:\0")
        if is_odd or not target.lower().endswith(PICTURES):
            return None
        folder = posixpath.dirname(source)
        from_top = target.startswith("/")
        for place in (target[1:],) if from_top else (posixpath.join(folder, target), target):
            path = posixpath.normpath(place)
            if not path.startswith("..") and self._is_file(path):
                return path
        return self._named(posixpath.normpath(target.lstrip("/")), folder)

    def _is_file(self, path: str) -> bool:
        try:
            return (self._vault / path).is_file()
        except (OSError, ValueError):
            return False

    def _named(self, target: str, folder: str) -> str | None:
        """Return the picture whose path ends in ``target``: the nearest, then the shortest."""
        end = f"/{target.casefold()}"
        with self._lock:
            self._list()
            named = self._by_name.get(end.rpartition("/")[2], ())
        found = [path for path in named if f"/{path.casefold()}".endswith(end)]
        near = [path for path in found if folder and path.startswith(f"{folder}/")]
        return min(near or found, key=lambda path: (len(path), path), default=None)

    def _list(self) -> None:
        if time.monotonic() - self._listed_at < _KEPT_S:
            return
        found: dict[str, list[str]] = {}
        rules, seen = self._rules(), 0
        for here, folders, names in os.walk(self._vault):
            inside = os.path.relpath(here, self._vault).replace(os.sep, "/")
            above = "" if inside == "." else f"{inside}/"
            folders[:] = [n for n in folders if not rules.leaves_out_folder(f"{above}{n}")]
            for name in names:
                if name.lower().endswith(PICTURES):
                    found.setdefault(name.casefold(), []).append(f"{above}{name}")
            seen += len(names)
            if seen > _MOST:
                break
        self._by_name, self._listed_at = found, time.monotonic()
