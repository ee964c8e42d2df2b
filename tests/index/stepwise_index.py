"""A folder and its index, compared step by step, and an embedder that records its texts."""

import itertools
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from notesearch.config import Settings
from notesearch.index.indexer import Indexer
from notesearch.index.note_reader import NoteReader
from notesearch.status import Progress, Report
from notesearch.store.store import Store
from notesearch.store.writer import Writer
from tests import index_contents

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from notesearch.embedding.embedder import Embedder


class Counted:
    """An embedder that records the texts it embeds."""

    def __init__(self, embedder: "Embedder") -> None:
        self.fingerprint = embedder.fingerprint
        self.dimensions = embedder.dimensions
        self.window = embedder.window
        self.count_tokens = embedder.count_tokens
        self.embed_query = embedder.embed_query
        self.embedded: list[str] = []
        self._embed = embedder.embed_passages

    def embed_passages(self, texts: Sequence[str]) -> "NDArray[np.float32]":
        self.embedded += texts
        return self._embed(texts)


class Bench:
    """A vault, its index, and single runs of an indexer over them."""

    def __init__(self, vault: Path, index: Path, embedder: "Embedder | None") -> None:
        self.vault = vault
        self.embedder = embedder
        self.settings = Settings(max_note_bytes=1000)
        self.store = Store(index)
        self.store.prepare()
        self._readers: list[NoteReader] = []

    def indexer(self, writer: Writer) -> Indexer:
        self._readers.append(NoteReader(self.vault, self.settings))
        return Indexer(self.vault, self.settings, writer, self.embedder, self._readers[-1])

    def close(self) -> None:
        for reader in self._readers:
            reader.close()

    def refresh(self, *, user_asked: bool = False) -> Report:
        with self.store.writing() as writer:
            indexer = self.indexer(writer)
            done = indexer.reconcile_all(silent, lambda: False, user_asked=user_asked)
            indexer.embed_pending(silent, lambda: False)
            return done.report

    def look_at(self, *paths: str) -> tuple[Report, tuple[str, ...]]:
        """Compare ``paths``; missing files count as missing for a second."""
        with self.store.writing() as writer:
            indexer = self.indexer(writer)
            indexer._deletions._since = dict.fromkeys(paths, time.monotonic() - 1)
            done = indexer.reconcile_paths(paths, silent, lambda: False)
            indexer.embed_pending(silent, lambda: False)
            return done.report, tuple(done.unsettled)

    def stop_after(self, steps: int) -> Report:
        """Refresh, but stop at the ``steps``-th check."""
        checks = itertools.count(1)
        with self.store.writing() as writer:
            indexer = self.indexer(writer)
            done = indexer.reconcile_all(silent, lambda: next(checks) > steps)
            indexer.embed_pending(silent, lambda: next(checks) > steps)
            return done.report

    def holds(self) -> set[tuple[object, ...]]:
        return index_contents.of(self.store.path)

    def assert_like_new(self) -> None:
        assert self.holds() == index_contents.from_scratch(self.vault, self.settings, self.embedder)


def silent(_progress: Progress) -> None:
    """Ignore progress."""


def summary(report: Report) -> dict[str, tuple[str, ...]]:
    """Return the parts of a report that are not empty."""
    names = ("added", "changed", "moved", "removed")
    parts = {name: getattr(report, name) for name in names}
    parts["unread"] = tuple(note.path for note in report.unread)
    return {name: paths for name, paths in parts.items() if paths}


def rename(vault: Path, old: str, new: str) -> None:
    (vault / new).parent.mkdir(parents=True, exist_ok=True)
    (vault / old).rename(vault / new)
