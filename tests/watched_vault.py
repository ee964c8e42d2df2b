"""A folder, its index and the indexing thread between them, for tests that change the folder."""

import hashlib
from pathlib import Path

from notesearch.config import Settings
from notesearch.index.live_index import LiveIndex
from notesearch.index.vault_index import VaultIndex
from notesearch.store.db import Connection
from notesearch.store.store import Store
from tests import index_contents
from tests.indexing_listener import IndexingListener

SETTINGS = Settings()


class WatchedVault:
    """A folder, its index, and the thread between them."""

    def __init__(self, vault: Path, index: Path, settings: Settings = SETTINGS) -> None:
        self.vault = vault
        self.settings = settings
        self.listener = IndexingListener()
        self.index = VaultIndex(vault, settings, Store(index), lambda: None)

    def start(self) -> LiveIndex:
        self.watch = LiveIndex.started(self.index, self.listener)
        return self.watch

    def start_and_wait(self) -> LiveIndex:
        watch = self.start()
        self.until_converged()
        return watch

    def until_converged(self) -> None:
        """Wait until the thread rests and the index knows every note as it is now."""
        self.listener.until(lambda: self.listener.is_idle and self.converged())

    def converged(self) -> bool:
        """Return whether the index knows every note as it is now, and no other."""
        return self.indexed_digests() == digests(self.vault)

    def indexed_digests(self) -> dict[str, str]:
        return indexed_digests(self.index.store.path)

    def assert_like_new(self) -> None:
        """Wait for the thread, end it, and compare its work with that of a new index."""
        self.until_converged()
        self.index.close()
        scratch = index_contents.from_scratch(self.vault, self.settings, None)
        assert index_contents.of(self.index.store.path) == scratch


def digests(vault: Path) -> dict[str, str]:
    return {
        file.relative_to(vault).as_posix(): hashlib.blake2b(
            file.read_bytes(), digest_size=16
        ).hexdigest()
        for file in vault.rglob("*.md")
        if file.is_file() and not any(part.startswith(".") for part in file.parts)
    }


def indexed_digests(index: Path) -> dict[str, str]:
    """Return the hash of every note that an index file holds, by path."""
    if not index.exists():
        return {}
    connection = Connection(index, writer=False)
    try:
        rows = connection.sql.execute("select path, lower(hex(hash)) from note").fetchall()
        return {str(path): str(digest) for path, digest in rows}
    finally:
        connection.close()
