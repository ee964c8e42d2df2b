"""The index of one vault: who writes it, who reads it, and a damaged file set aside."""

import contextlib
import math
import time
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from notesearch.config import Settings
from notesearch.errors import (
    IndexBusyError,
    IndexDamagedError,
    IndexFileError,
    VaultMissingError,
)
from notesearch.index.beside import Asking, Beside
from notesearch.sentences import NO_SENTENCE, Sentence
from notesearch.status import LIVE, Part, Progress, Report
from notesearch.store.lock import WriterLock
from notesearch.store.store import Store

if TYPE_CHECKING:
    from notesearch.embedding.model import Embedder
    from notesearch.index.changes import Reconciled
    from notesearch.index.indexer import Indexer
    from notesearch.index.live import Listener, LiveIndex
    from notesearch.store.reader import Reader

_SETTLING_S = 2.0
_TURN_S = 0.1

GetEmbedder = Callable[[], "Embedder | None"]


class VaultIndex:
    """Lets one thread of one process write and any number read; safe to share between threads."""

    def __init__(
        self,
        vault: Path,
        settings: Settings,
        store: Store,
        embedder: GetEmbedder,
        remark: Sentence = NO_SENTENCE,
    ) -> None:
        """Take the folder, the index file, and what gives the model once it is needed.

        ``remark`` is what is worth knowing of where the index lies.
        """
        self.remark = remark
        self.vault = vault
        self.settings = settings
        self.store = store
        self._embedder = embedder
        self._lock = WriterLock(store.path)
        self._asking = Asking(store.path)
        self._beside = Beside(vault, settings, self._asking.ask)
        self._watches: list[LiveIndex] = []

    def refresh(
        self, progressed: Callable[[Progress], None], patience: float | None = None
    ) -> Report:
        """Compare, write and embed until all is done; a damaged index is made again.

        With ``patience`` it embeds for so many seconds at most.

        Raises:
            VaultMissingError: The folder is not there.
            IndexBusyError: Another program is indexing this folder.
            IndexFileError: The index cannot be written.
        """
        try:
            return self._refresh(progressed, patience)
        except IndexDamagedError:
            return self._refresh(progressed, patience)

    def _refresh(self, progressed: Callable[[Progress], None], patience: float | None) -> Report:
        started = time.monotonic()
        with self._writing() as indexer:
            asked = patience is None
            done = indexer.reconcile_all(progressed, _never, asked=asked)
            report = _settled(indexer, done, progressed) if asked else done.report
            until = math.inf if patience is None else time.monotonic() + patience
            embedded = indexer.embed_pending(progressed, lambda: time.monotonic() >= until)
            indexer.finish()
        return replace(report, embedded=embedded, seconds=time.monotonic() - started)

    def is_current(self, *, meaning: bool) -> bool:
        """Return whether a refresh would find nothing to do, or is another process's affair.

        Who follows the folder in another process takes up a saved note sooner than a program
        starts. With ``meaning``, also all vectors must be there, and made by the chosen model.

        Raises:
            VaultMissingError: The folder is not there.
        """
        from notesearch.index.unchanged import is_unchanged

        with contextlib.suppress(IndexFileError), self.reading() as reader:
            if meaning and not reader.vectors.is_complete():
                return False
            is_followed = reader.watching() == LIVE and self._lock.is_held()
            if not (is_followed or is_unchanged(self.vault, self.settings, reader)):
                return False
            return not meaning or self._is_of_model(reader)  # last: it may be loading meanwhile
        return False

    def wait_for_other(self, seconds: float) -> bool:
        """Wait until the other process that follows the folder knows what was saved before.

        Returns whether it does; at once where none follows the folder as it changes.
        """
        with contextlib.suppress(IndexFileError, VaultMissingError), self.reading() as reader:
            if reader.watching() == LIVE:
                return self._beside.wait(reader, seconds)
        return False

    def _is_of_model(self, reader: "Reader") -> bool:
        embedder = self._embedder()
        return embedder is None or embedder.fingerprint == reader.vectors.model()

    def claimed(self) -> contextlib.AbstractContextManager[None]:
        """Have every watch stand aside while the thread repairs the index."""
        return self._lock.claimed()

    def mend(self, parts: Collection[Part], unlike: Iterable[str] = ()) -> None:
        """Mend ``parts`` of the index, so that the next refresh makes it right.

        Args:
            parts: What a check found wrong; a damaged file is set aside.
            unlike: Notes whose text is not the indexed one, though they look untouched.

        Raises:
            IndexBusyError: Another program is indexing this folder.
            IndexFileError: The index cannot be written.
        """
        from notesearch.store import checks

        with self._lock.held():
            if Part.FILE not in parts and self.store.exists:
                with contextlib.suppress(IndexDamagedError):
                    checks.mend(self.store.path, parts)
                    with self.store.writing() as writer:
                        writer.forget(unlike)
                    return
            if self.store.exists:
                self.store.set_aside(Sentence("index_check_failed"))

    def forget_model(self, fingerprint: str) -> None:
        """Delete the vectors that are kept of a model that is not searched any more.

        Raises:
            IndexBusyError: Another program is indexing this folder.
        """
        with self._lock.held(), self.store.writing() as writer:
            writer.vectors.forget_model(fingerprint)
            writer.checkpoint()

    def delete(self) -> None:
        """Delete the index; raises as ``mend`` does."""
        with self._lock.held():
            self.store.delete()
            self._asking.asked()
        self._lock.delete()

    def watch(self, listener: "Listener", *, paused: bool = False) -> "LiveIndex":
        """Start a thread that keeps the index in line with the folder until closed."""
        from notesearch.index.live import LiveIndex

        watch = LiveIndex(
            self.vault, self.settings, self._writing, self.store.version, self._asking.asked,
            listener,
        )  # fmt: skip
        if paused:
            watch.pause()
        self._watches.append(watch)
        watch.start()
        return watch

    def watching(self) -> str:
        """Return how the process that indexes notices changes; empty when none does."""
        here = next((watch.watching for watch in self._watches if watch.watching), "")
        if here:
            return here
        with self.reading() as reader:
            told = reader.watching()
        return told if told and self._lock.is_held() else ""

    @contextlib.contextmanager
    def _writing(self) -> "Iterator[Indexer]":
        """Give the calling thread the only indexer there is of this index."""
        from notesearch.index import scan
        from notesearch.index.indexer import Indexer

        if not self.store.exists:
            scan.check(self.vault)  # no index is made of a folder that was never there
        with self._lock.held():
            self.store.prepare()
            try:
                with self.store.writing(self._lock.check) as writer, self._suspecting():
                    yield Indexer(self.vault, self.settings, writer, self._embedder())
            except IndexDamagedError as error:
                self._recover(error)
                raise

    @contextlib.contextmanager
    def reading(self) -> "Iterator[Reader]":
        """Give the calling thread its reader; an index found damaged is set aside.

        Raises:
            IndexFileError: There is no index yet, or it cannot be read; ``IndexDamagedError``
                when the next refresh makes it again, which a watch does by itself.
        """
        if not self.store.exists:
            raise IndexFileError("index_missing", vault=str(self.vault))
        state = self.store.state
        try:
            with self._suspecting():
                yield self.store.reader()
        except IndexDamagedError as error:
            self._start_over(error, state)
            raise

    @contextlib.contextmanager
    def _suspecting(self) -> Iterator[None]:
        """Look for damage where rows made no sense, which SQLite may hand out before it notices."""
        try:
            yield
        except (LookupError, ValueError, TypeError) as error:
            if self.store.is_sound():
                raise
            raise IndexDamagedError("index_damaged", file=self.store.path.name) from error

    def _start_over(self, error: IndexDamagedError, state: object) -> None:
        """Recover here, or have it done by the thread that writes: one of them, never both.

        Whoever else met the damage may have recovered since; the new index is whole.
        """
        try:
            with self._lock.held():
                if state == self.store.state:
                    self._recover(error)
        except IndexBusyError:
            for watch in self._watches if state == self.store.state else ():
                watch.start_over(error)

    def _recover(self, error: IndexDamagedError) -> None:
        """Mend the index where only the searched copy of its vectors is damaged; else give it up.

        Vectors are what takes long to make again.
        """
        from notesearch.store import checks

        if self.store.exists:
            with contextlib.suppress(IndexFileError):
                if {problem.part for problem in checks.check(self.store.path)} == {Part.VECTORS}:
                    checks.mend(self.store.path, {Part.VECTORS})
                    self.store.open_anew()
                    return
        self.store.set_aside(error.sentence)

    def close(self) -> None:
        """End every watch and close the file; no other thread may be using it."""
        for watch in self._watches:
            watch.close()
        self._watches.clear()
        self.store.close()


def _settled(
    indexer: "Indexer", done: "Reconciled", progressed: Callable[[Progress], None]
) -> Report:
    """Wait for notes that are just being saved, and return what was done in all."""
    report, until = done.report, time.monotonic() + _SETTLING_S
    while done.unsettled and time.monotonic() < until:
        time.sleep(_TURN_S)
        done = indexer.reconcile_paths(done.unsettled, progressed, _never)
        report = _together(report, done.report)
    return report


def _together(one: Report, other: Report) -> Report:
    return replace(
        one,
        added=one.added + other.added,
        changed=one.changed + other.changed,
        moved=one.moved + other.moved,
        removed=one.removed + other.removed,
        unread=tuple({note.path: note for note in (*one.unread, *other.unread)}.values()),
    )


def _never() -> bool:
    return False
