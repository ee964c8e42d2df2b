"""Finds a picture that a note refers to: by path from the note or the vault's root, or by name.

Obsidian keeps attachments in folders of their own and links to them by name alone. This module only
compares names; the reader of a file checks again that it is in the vault.
"""

import os
import posixpath
import threading
import time
import unicodedata
from collections.abc import Callable
from pathlib import Path

from notesearch.index.ignore_rules import IgnoreRules

_CACHE_S = 10.0
_MAX_FILES = 200_000
PICTURES = (".png", ".jpg", ".jpeg", ".gif", ".webp", ".bmp", ".svg", ".avif")


class NotePictures:
    """The pictures of one vault; thread-safe.

    To find a name it lists all folders, and lists them again if the listing is older than ten
    seconds.
    """

    def __init__(self, vault: Path, rules: Callable[[], IgnoreRules]) -> None:
        self._vault = vault
        self._rules = rules
        self._lock = threading.Lock()
        self._listed_at = -_CACHE_S
        self._by_name: dict[str, list[str]] = {}

    def find(self, target: str, source: str) -> str | None:
        """Return the path in the vault of the picture that the note at ``source`` refers to.

        None if ``target`` is not a picture in the vault.
        """
        is_odd = not target or target.startswith("//") or set(target) & set("\\:\0")
        if is_odd or not target.lower().endswith(PICTURES):
            return None
        folder = posixpath.dirname(source)
        from_top = target.startswith("/")
        for candidate in (target[1:],) if from_top else (posixpath.join(folder, target), target):
            path = posixpath.normpath(candidate)
            if not path.startswith("..") and self._is_file(path):
                return path
        return self._find_name(posixpath.normpath(target.lstrip("/")), folder)

    def _is_file(self, path: str) -> bool:
        try:
            return (self._vault / path).is_file()
        except (OSError, ValueError):
            return False

    def _find_name(self, target: str, folder: str) -> str | None:
        """Return the shortest path that ends in ``target``, preferring those below ``folder``."""
        end = f"/{_spelt_alike(target)}"
        with self._lock:
            self._list()
            same_name = self._by_name.get(end.rpartition("/")[2], ())
        paths = [path for path in same_name if f"/{_spelt_alike(path)}".endswith(end)]
        near = [path for path in paths if folder and path.startswith(f"{folder}/")]
        return min(near or paths, key=lambda path: (len(path), path), default=None)

    def _list(self) -> None:
        if time.monotonic() - self._listed_at < _CACHE_S:
            return
        by_name: dict[str, list[str]] = {}
        rules, seen = self._rules(), 0
        for here, folders, names in os.walk(self._vault):
            inside = os.path.relpath(here, self._vault).replace(os.sep, "/")
            above = "" if inside == "." else f"{inside}/"
            folders[:] = [n for n in folders if not rules.ignores_folder(f"{above}{n}")]
            for name in names:
                if name.lower().endswith(PICTURES):
                    by_name.setdefault(_spelt_alike(name), []).append(f"{above}{name}")
            seen += len(names)
            if seen > _MAX_FILES:
                break
        self._by_name, self._listed_at = by_name, time.monotonic()


def _spelt_alike(path: str) -> str:
    """Return the form in which paths are compared: without case, in one encoding of accents."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", path).casefold())
