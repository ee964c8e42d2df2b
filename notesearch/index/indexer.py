"""Brings the store in line with the folder: what changed is parsed, chunked, stored, embedded."""

import hashlib
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from notesearch.config import Settings
from notesearch.errors import VaultMissingError
from notesearch.index import scan
from notesearch.markdown.chunking import chunk
from notesearch.markdown.sections import parse_note
from notesearch.notes import Phase, Progress, Report, Unread
from notesearch.store.rows import FileState, NoteState
from notesearch.store.writer import Writer

if TYPE_CHECKING:
    from notesearch.embedding.model import Embedder

Progressed = Callable[[Progress], None]
Stopped = Callable[[], bool]

_EMBED_BATCH = 32

_FEW_NOTES = 10
"""A folder that loses more notes than this at once was unmounted rather than emptied."""


@dataclass(slots=True)
class _Changes:
    """What one reconciliation did, while it is under way."""

    added: list[str] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)
    moved: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    unread: list[Unread] = field(default_factory=list)
    unsettled: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Reconciled:
    """What a reconciliation did, and the files that changed while they were read."""

    report: Report
    unsettled: tuple[str, ...]


class Indexer:
    """Compares files with the store and writes the difference; lives in one thread."""

    def __init__(
        self, vault: Path, settings: Settings, writer: Writer, embedder: "Embedder | None"
    ) -> None:
        """Take the folder, the store's writer, and the model; without one words alone are kept."""
        self._vault = vault
        self._settings = settings
        self._writer = writer
        self._embedder = embedder
        if embedder:
            writer.set_model(embedder.fingerprint, embedder.dimensions)

    def reconcile_all(self, progressed: Progressed, stopped: Stopped) -> Reconciled:
        """Compare the whole folder with the store and write what differs.

        Raises:
            VaultMissingError: The folder is not there; nothing was deleted.
        """
        progressed(Progress(Phase.SCAN))
        listing = scan.list_vault(self._vault, self._settings)
        known = self._writer.note_states()
        if not listing.files and len(known) > _FEW_NOTES:
            raise VaultMissingError(
                f"The notes folder {self._vault} is empty, but it held {len(known)} notes before."
            )
        hidden = tuple(f"{folder}/" for folder in listing.unlisted)
        gone = [path for path in known if path not in listing.files and not path.startswith(hidden)]
        result = self._reconcile(listing.files, known, gone, progressed, stopped)
        if not stopped():
            self._writer.sweep(whole=True)
            self._writer.finish_scan(time.time(), listing.skipped)
        return result

    def reconcile_paths(
        self, paths: Iterable[str], progressed: Progressed, stopped: Stopped
    ) -> Reconciled:
        """Compare only ``paths`` (files or folders, relative) with the store."""
        if not self._vault.is_dir():
            raise VaultMissingError(f"The notes folder {self._vault} cannot be opened.")
        known = self._writer.note_states()
        files: dict[str, FileState] = {}
        gone: list[str] = []
        for path in paths:
            state = scan.look(self._vault, path)
            if state and scan.is_note_path(path, self._settings):
                files[path] = state
            elif path in known:
                gone.append(path)
        result = self._reconcile(files, known, gone, progressed, stopped)
        self._writer.sweep(whole=False)
        return result

    def _reconcile(
        self,
        files: Mapping[str, FileState],
        known: Mapping[str, NoteState],
        gone: list[str],
        progressed: Progressed,
        stopped: Stopped,
    ) -> Reconciled:
        started = time.monotonic()
        changes = _Changes()
        touched = sorted(path for path, state in files.items() if _touched(known.get(path), state))
        vanished = {path: known[path] for path in gone}
        for done, path in enumerate(touched):
            if stopped():
                break
            progressed(Progress(Phase.WORDS, done, len(touched)))
            self._bring_in(path, known.get(path), vanished, changes)
        if vanished and not stopped():
            self._writer.delete_notes(vanished)
            changes.removed.extend(vanished)
        return Reconciled(
            Report(
                tuple(changes.added), tuple(changes.changed), tuple(changes.moved),
                tuple(changes.removed), 0, tuple(changes.unread), time.monotonic() - started,
            ),
            tuple(changes.unsettled),
        )  # fmt: skip

    def _bring_in(
        self,
        path: str,
        known: NoteState | None,
        vanished: dict[str, NoteState],
        changes: _Changes,
    ) -> None:
        before = scan.look(self._vault, path)
        try:
            file = scan.read_file(self._vault, path, self._settings.max_note_bytes)
            if before != file.state:
                changes.unsettled.append(path)
            self._bring_in_content(path, file, known, vanished, changes)
        except FileNotFoundError:
            changes.unsettled.append(path)
        except (OSError, ValueError) as error:
            reason = _sentence(error)
            if before:
                self._writer.set_problem(path, before, reason)
            changes.unread.append(Unread(path, reason))

    def _bring_in_content(
        self,
        path: str,
        file: scan.NoteFile,
        known: NoteState | None,
        vanished: dict[str, NoteState],
        changes: _Changes,
    ) -> None:
        digest = hashlib.blake2b(file.content, digest_size=16).digest()
        if known and known.digest == digest:
            self._writer.touch(known.id, file.state)
            return
        moved_from = None if known else _same_content(vanished, digest)
        if moved_from:
            title = PurePosixPath(path).stem if moved_from.title_from_name else None
            self._writer.move(moved_from, path, file.state, title)
            del vanished[moved_from.path]
            changes.moved.append(path)
            return
        problem = self._put(path, file, digest)
        if problem:
            changes.unread.append(Unread(path, problem))
        (changes.changed if known else changes.added).append(path)

    def _put(self, path: str, file: scan.NoteFile, digest: bytes) -> str:
        text, problem = scan.decode(file.content)
        note = parse_note(text, path)
        passages = (
            chunk(note, self._embedder.count_pieces, self._embedder.window)
            if self._embedder
            else ()
        )
        self._writer.put_note(note, passages, file.state, digest, problem)
        return problem

    def pending(self) -> int:
        """Return how many passages wait for their vector."""
        return self._writer.pending_count() if self._embedder else 0

    def embed_pending(self, progressed: Progressed, stopped: Stopped) -> int:
        """Embed what waits, in small batches, until done or ``stopped()``; return how many."""
        if not self._embedder:
            return 0
        total, done = self._writer.pending_count(), 0
        while done < total and not stopped():
            progressed(Progress(Phase.MEANING, done, total))
            batch = self._writer.pending(_EMBED_BATCH)
            if not batch:
                break
            vectors = self._embedder.embed_passages([text for _, text in batch])
            self._writer.put_vectors([key for key, _ in batch], vectors)
            done += len(batch)
        return done

    def finish(self) -> None:
        """Move what was written into the index file itself."""
        self._writer.checkpoint()


def _touched(known: NoteState | None, state: FileState) -> bool:
    return known is None or known.file != state or (not known.digest and not known.problem)


def _same_content(vanished: Mapping[str, NoteState], digest: bytes) -> NoteState | None:
    return next((note for note in vanished.values() if note.digest == digest), None)


def _sentence(error: OSError | ValueError) -> str:
    if isinstance(error, OSError):
        return f"It cannot be read: {error.strerror or error}."
    return str(error)
