"""The same for the thread that follows a folder, while programs save in various ways."""

import os
import shutil
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import initialize, precondition, rule

from notesearch.index import live_index
from notesearch.index.vault_index import VaultIndex
from notesearch.status import Phase as Work
from notesearch.status import Progress
from notesearch.store.db import Connection
from notesearch.store.rows import note_states
from tests import index_contents
from tests.faults.quick_model import QuickModel
from tests.folders import write
from tests.index.test_any_order import PATHS, SETTINGS, TEXTS, FoldersInAnyOrder
from tests.indexing_listener import IndexingListener
from tests.watched_vault import WatchedVault


class Held(IndexingListener):
    """Delays the thread that reports to it, like a busy computer."""

    def __init__(self) -> None:
        super().__init__()
        self.go_on = threading.Event()
        self.go_on.set()

    def progressed(self, progress: Progress) -> None:
        super().progressed(progress)
        assert self.go_on.wait(30)


def in_place(note: Path, text: bytes) -> None:
    note.write_bytes(text)


def by_a_temporary_file(note: Path, text: bytes) -> None:
    draft = note.with_name(f".{note.name}.tmp")
    draft.write_bytes(text)
    os.replace(draft, note)  # noqa: PTH105


def emptied_first(note: Path, text: bytes) -> None:
    with note.open("wb") as file:
        os.sched_yield() if hasattr(os, "sched_yield") else None
        file.write(text)


def piece_by_piece(note: Path, text: bytes) -> None:
    with note.open("wb", buffering=0) as file:
        for byte in text:
            file.write(bytes([byte]))


def as_vim_does(note: Path, text: bytes) -> None:
    backup = note.with_name(f"{note.name}~")
    if note.exists():
        note.rename(backup)
    note.write_bytes(text)
    backup.unlink(missing_ok=True)


STYLES = st.sampled_from([in_place, by_a_temporary_file, emptied_first, piece_by_piece,
                          as_vim_does])  # fmt: skip


class AnyOrderLive(FoldersInAnyOrder):
    """Changes the folder while the thread works, is delayed, ends or starts again."""

    @initialize()
    def start(self) -> None:
        self.folder = Path(tempfile.mkdtemp(dir="/dev/shm" if Path("/dev/shm").is_dir() else None))
        (self.folder / "vault").mkdir()
        self.watched = WatchedVault(self.folder / "vault", self.folder / "index.sqlite", SETTINGS)
        self.vault = self.watched.vault
        self.watched.listener = self.listener = Held()
        self.model = QuickModel()
        self.watched.index = VaultIndex(
            self.vault, SETTINGS, self.watched.index.store, lambda: self.model
        )
        write(self.vault, {path: f"# {path}\n\nOtters." for path in ("a.md", "d/a.md", "f/g.md")})
        self.before = live_index._CHECK_S
        live_index._CHECK_S = 0.05
        self.watch = self.watched.start()
        self.let_it_settle()

    def teardown(self) -> None:
        if not hasattr(self, "watch"):
            return
        try:
            self.listener.go_on.set()
            self.let_it_settle()
        finally:
            self.watched.index.close()
            live_index._CHECK_S = self.before
        scratch = index_contents.from_scratch(self.vault, SETTINGS, QuickModel())
        assert index_contents.of(self.watched.index.store.path) == scratch
        shutil.rmtree(self.folder)

    def let_it_settle(self) -> None:
        for note in self.vault.rglob("*.md"):
            if not note.stat().st_size:  # it was not emptied just now: nobody has to wait for it
                os.utime(note, (1e9, 1e9))
        scratch = index_contents.from_scratch(self.vault, SETTINGS, None)
        expected: set[tuple[object, ...]] = {
            (path, time, digest) for kind, path, time, digest, *_ in scratch if kind == "note"
        }
        self.listener.until(lambda: self.is_done(expected), 20)

    def is_done(self, expected: set[tuple[object, ...]]) -> bool:
        """Return whether nothing is left to do; a note may have been saved as it was before."""
        if self.listener.phases[-1:] != [Work.IDLE] or self.states() != expected:
            return False
        with self.watched.index.reading() as reader:
            return reader.counts().pending == 0

    def states(self) -> set[tuple[object, ...]]:
        connection = Connection(self.watched.index.store.path, writer=False)
        try:
            states = note_states(connection.sql).values()
            return {(state.path, state.file.mtime_ns, state.digest.hex()) for state in states}
        finally:
            connection.close()

    @rule(path=PATHS, text=TEXTS, style=STYLES)
    def save(self, path: str, text: bytes, style: Callable[[Path, bytes], None]) -> None:
        write(self.vault, {} if (self.vault / path).exists() else {path: b"new"})
        style(self.vault / path, text)

    @rule(path=PATHS)
    def delete(self, path: str) -> None:
        (self.vault / path).unlink(missing_ok=True)

    @rule(old=PATHS, new=PATHS)
    def rename(self, old: str, new: str) -> None:
        if (self.vault / old).exists():
            (self.vault / new).parent.mkdir(parents=True, exist_ok=True)
            (self.vault / old).rename(self.vault / new)

    @rule()
    def hold_or_go_on(self) -> None:
        if self.listener.go_on.is_set():
            self.listener.go_on.clear()
        else:
            self.listener.go_on.set()

    @rule()
    def start_again(self) -> None:
        self.listener.go_on.set()
        self.watch.close()
        self.watch = self.watched.start()

    @precondition(lambda self: self.watch._watch.is_alive)
    @rule()
    def lose_the_watcher(self) -> None:
        self.watch._watch._stop()

    @rule()
    def wait(self) -> None:
        self.listener.go_on.set()
        self.let_it_settle()


def run_as(examples: int, steps: int) -> settings:
    return settings(
        max_examples=examples, stateful_step_count=steps, deadline=None,
        suppress_health_check=[HealthCheck.too_slow],
        phases=[Phase.explicit, Phase.reuse, Phase.generate],  # it would wait again at each step
    )  # fmt: skip


TestAnyOrderLive = AnyOrderLive.TestCase
TestAnyOrderLive.settings = run_as(8, 20)


class AnyOrderLiveForLong(AnyOrderLive):
    """The same with many more steps; takes minutes."""


AnyOrderLiveForLong.TestCase.settings = run_as(100, 40)
TestAnyOrderLiveForLong = pytest.mark.slow(pytest.mark.timeout(1200)(AnyOrderLiveForLong.TestCase))
