"""The index of one vault: gives out writers and readers."""

import contextlib
import math
import sys
import threading
import time
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from notesearch import private_files
from notesearch.config import Settings, require_folder
from notesearch.errors import (
    IndexBusyError,
    IndexDamagedError,
    IndexFileError,
    ModelError,
    NotesearchError,
    VaultMissingError,
)
from notesearch.index import scan
from notesearch.index.note_reader import NoteReader
from notesearch.index.scan import Change
from notesearch.messages import NO_SENTENCE, Sentence
from notesearch.status import LIVE, ModelVectors, Part, Progress, Report
from notesearch.store import recovery
from notesearch.store.lock import WriterLock
from notesearch.store.recovery import noticing_damage
from notesearch.store.store import Store

if TYPE_CHECKING:
    from notesearch.embedding.embedder import Embedder
    from notesearch.index.indexer import Comparison, Indexer
    from notesearch.index.live_index import LiveIndex
    from notesearch.store.reader import Reader

_SETTLING_S = 2.0
_TURN_S = 0.1
_LISTING_POLL_S = 0.02

GetEmbedder = Callable[[], "Embedder | None"]


class VaultIndex:
    """The index of one vault. One thread of one process writes; any threads and processes read.

    ``embedder`` returns the model, loaded at the first call, or None.
    """

    def __init__(
        self,
        vault: Path,
        settings: Settings,
        store: Store,
        embedder: GetEmbedder,
        remark: Sentence = NO_SENTENCE,
    ) -> None:
        self._remark = remark
        self.vault = vault
        self.settings = settings
        self.store = store
        self.embedder = embedder
        self._lock = WriterLock(store.path)
        self._other_indexer = OtherIndexer(vault, settings)
        self._watches: list[LiveIndex] = []
        self.notes = NoteReader(vault, settings)

    @property
    def remark(self) -> Sentence:
        """A sentence if the index's folder is on a network drive or open to others; else empty."""
        folder = self.store.path.parent
        if self._remark or private_files.is_private(folder):
            return self._remark
        is_windows = sys.platform == "win32"
        code = "index_outside_profile" if is_windows else "index_open_to_others"
        return Sentence(code, folder=str(folder))

    def refresh(
        self, progressed: Callable[[Progress], None], patience: float | None = None
    ) -> Report:
        """Compare the folder with the index, write and embed; rebuild a damaged index.

        ``patience`` is how many seconds to spend on embedding at most. Raises as
        ``NoteLibrary.refresh``.
        """
        try:
            return self._refresh(progressed, patience)
        except IndexDamagedError:
            return self._refresh(progressed, patience)
        except ModelError:
            if self.embedder() is not None:
                raise
            return self._refresh(progressed, patience)  # by words alone

    def _refresh(self, progressed: Callable[[Progress], None], patience: float | None) -> Report:
        started = time.monotonic()
        with self.writing() as indexer:
            user_asked = patience is None
            result = indexer.reconcile_all(progressed, _never, user_asked=user_asked)
            if user_asked:
                _settle(indexer, result, progressed)
            until = math.inf if patience is None else time.monotonic() + patience
            embedded = indexer.embed_pending(progressed, lambda: time.monotonic() >= until)
            indexer.finish()
        return replace(result.report, embedded=embedded, seconds=time.monotonic() - started)

    def is_current(self, *, meaning: bool) -> bool:
        """Return whether a refresh would find nothing to do, or another process watches the folder.

        With ``meaning``, all vectors of the chosen model are also required.
        """
        with contextlib.suppress(IndexFileError), self.reading() as reader:
            if meaning and not reader.vectors.is_complete():
                return False
            is_followed = reader.watching() == LIVE and self._lock.is_held()
            if not (is_followed or scan.is_unchanged(self.vault, self.settings, reader)):
                return False
            embedder = self.embedder() if meaning else None  # last: the model may be loading
            return embedder is None or embedder.fingerprint == reader.vectors.model()
        return False

    def wait_for_other(self, seconds: float) -> bool:
        """Wait until another process has indexed all changes of the folder; return whether it has.

        Returns False after about ``seconds``, and at once if no other process watches the folder or
        the index cannot be read.
        """
        with contextlib.suppress(IndexFileError, VaultMissingError), self.reading() as reader:
            if reader.watching() == LIVE:
                return self._other_indexer.wait(reader, seconds)
        return False

    def claimed(self) -> contextlib.AbstractContextManager[None]:
        """Make the thread or process that indexes the vault release the index during the block.

        Meanwhile only this thread may write it. Raises IndexBusyError if another process has
        claimed it.
        """
        return self._lock.claimed()

    def repair(self, parts: Collection[Part], changed: Iterable[str] = ()) -> None:
        """Repair ``parts`` of the index as far as possible; the next refresh completes the repair.

        A damaged file is renamed and kept. The notes ``changed`` are read again although their
        files look unchanged. Raises as ``NoteLibrary.refresh``.
        """
        with self._lock.held():
            if Part.FILE not in parts and self.store.exists:
                with contextlib.suppress(IndexDamagedError):
                    if Part.VECTORS in parts:
                        recovery.repair_vectors(self.store.path)
                    with self.store.writing() as writer:
                        writer.forget(changed)
                    return
            if self.store.exists:
                self.store.set_aside(Sentence("index_check_failed"))

    def forget_model(self, fingerprint: str) -> None:
        """Delete the vectors of an earlier model.

        A thread or process that indexes the vault stops while this runs. Raises IndexBusyError if
        it does not stop, and IndexFileError if nothing is indexed yet.
        """
        with self.claimed():
            if not self.store.exists:
                raise IndexFileError("index_missing", vault=str(self.vault))
            with self._lock.held(), self.store.writing() as writer:
                writer.vectors.forget_model(fingerprint)
                writer.checkpoint()

    def delete(self) -> None:
        """Delete the index; raises as ``NoteLibrary.delete_index`` does."""
        with self._lock.held():
            self.store.delete()
        self._lock.delete()

    def add_watch(self, watch: "LiveIndex") -> None:
        """Let ``watch`` recover the index if a reader finds it damaged; ``close`` closes it."""
        self._watches.append(watch)

    def end_conversion(self) -> None:
        """End the conversion of a file, which may take seconds; the next one has a new process."""
        ended = self.notes
        self.notes = NoteReader(self.vault, self.settings)
        ended.close()

    def watching(self) -> str:
        """Return how changes are noticed, by this or another process; empty if they are not."""
        here = next((watch.watching for watch in self._watches if watch.watching), "")
        if here:
            return here
        with self.reading() as reader:
            recorded = reader.watching()
        return recorded if recorded and self._lock.is_held() else ""

    @contextlib.contextmanager
    def writing(self) -> "Iterator[Indexer]":
        """Give the calling thread the only indexer of this index.

        Raises:
            VaultMissingError: There is neither an index nor a folder.
            IndexBusyError: Another thread or process indexes the vault.
            IndexDamagedError: The index is damaged. ``recover`` has already dealt with it.
        """
        from notesearch.index.indexer import Indexer

        if not self.store.exists:
            require_folder(self.vault)  # make no index of a folder that never existed
        with self._lock.held():
            self.store.prepare()
            try:
                with self.store.writing(self._lock.check) as writer, noticing_damage(self.store):
                    embedder = self.load_model()
                    yield Indexer(self.vault, self.settings, writer, embedder, self.notes)
            except IndexDamagedError as error:
                recovery.recover(self.store, error)
                raise

    def load_model(self) -> "Embedder | None":
        """Load the model and return it; None if it cannot be used.

        Of two models, this loads the one that most notes need. Damage in the index is left to the
        call that needs it.
        """
        from notesearch.embedding.embedder import TwoModels, main_model

        embedder = self.embedder()
        if not isinstance(embedder, TwoModels):
            return embedder
        only_english = False
        with contextlib.suppress(NotesearchError), self.store.reading() as reader:
            only_english = reader.vectors.are_only_english()
        with contextlib.suppress(ModelError):  # then ``embedder`` returns None
            main_model(embedder, only_english=only_english)
        return self.embedder()

    @contextlib.contextmanager
    def reading(self) -> "Iterator[Reader]":
        """Give the calling thread its reader; repair a damaged index, or rename it.

        Raises:
            IndexFileError: There is no index yet, or it cannot be read.
            IndexDamagedError: The index was damaged; the next refresh, or a watch, builds it again.
        """
        if not self.store.exists:
            raise IndexFileError("index_missing", vault=str(self.vault))
        state = self.store.state
        try:
            with noticing_damage(self.store), self.store.reading() as reader:
                yield reader
        except IndexDamagedError as error:
            self._start_over(error, state)
            raise

    def _start_over(self, error: IndexDamagedError, state: object) -> None:
        """Recover from damage in this thread, or else let this process's indexing thread do so.

        ``state`` is the store's state when the damage was found; if it is another one now, another
        thread has recovered it.
        """
        try:
            self._recover(error, state)
        except IndexBusyError as busy:
            if error.code == "index_other_version":
                if not self._watches:
                    raise IndexFileError("index_version_in_use") from error
            elif busy.code == "index_busy":
                # The process that indexes may not read the damaged part for a long time.
                with contextlib.suppress(IndexBusyError), self.claimed():
                    self._recover(error, state)
                return
            for watch in self._watches if state == self.store.state else ():
                watch.start_over(error)

    def _recover(self, error: IndexDamagedError, state: object) -> None:
        with self._lock.held():
            if state == self.store.state:
                recovery.recover(self.store, error)

    def close(self) -> None:
        """Close every watch and the file; no other thread may use the index any more."""
        for watch in self._watches:
            watch.close()
        self._watches.clear()
        self.notes.close()
        self.store.close()


def _settle(
    indexer: "Indexer", result: "Comparison", progressed: Callable[[Progress], None]
) -> None:
    """Compare unsettled notes again for some seconds, and add the changes to ``result``."""
    unsettled = result.unsettled
    deadline = time.monotonic() + _SETTLING_S
    while unsettled and time.monotonic() < deadline:
        time.sleep(_TURN_S)
        later = indexer.reconcile_paths(unsettled, progressed, _never)
        result.add(later)
        unsettled = later.unsettled


def _never() -> bool:
    return False


class OtherIndexer:
    """Waits until the other process has indexed all saved notes; thread-safe."""

    def __init__(self, vault: Path, settings: Settings) -> None:
        self._vault = vault
        self._settings = settings
        self._lock = threading.Lock()
        self._given_up: frozenset[Change] = frozenset()

    def wait(self, reader: "Reader", seconds: float) -> bool:
        """Wait until the index has the current version of every note; return whether it does.

        A change that once failed to arrive in time is not awaited again: the file may be
        unreadable, or saved too often to be indexed every time.

        Raises VaultMissingError if the folder does not exist.
        """
        deadline = time.monotonic() + seconds
        while True:
            started = time.monotonic()
            listing = scan.list_vault(self._vault, self._settings)
            missing = scan.changes(listing, reader.note_states(), self._settings.max_note_bytes)
            with self._lock:
                self._given_up &= missing  # forget those that have been indexed since
                if not missing:
                    return True
                if missing <= self._given_up:
                    return False
                took = time.monotonic() - started
                if started + took >= deadline:
                    self._given_up = missing
                    return False
            time.sleep(_LISTING_POLL_S + took)


class VectorSets:
    """Lists and deletes the vectors of each model in one index."""

    def __init__(self, index: VaultIndex) -> None:
        self._index = index

    def all(self) -> tuple[ModelVectors, ...]:
        """Return the models that have vectors, the one to search by first."""
        with self._index.reading() as reader:
            return reader.vectors.models()

    def sample(self, limit: int) -> tuple[str, ...]:
        """Return the texts of up to ``limit`` passages to compare models on."""
        with self._index.reading() as reader:
            return reader.vectors.sample(limit)

    def forget(self, fingerprint: str) -> None:
        """Delete the vectors of an earlier model; see ``VaultIndex.forget_model``."""
        self._index.forget_model(fingerprint)
