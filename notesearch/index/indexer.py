"""Brings the store in line with the folder: what changed is parsed, chunked, stored, embedded."""

import contextlib
import hashlib
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import chain
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from notesearch.config import Settings
from notesearch.errors import NotANoteError
from notesearch.index import files, scan, spelling
from notesearch.index.absence import Absences
from notesearch.index.ahead import Ahead, Cut
from notesearch.index.changes import Changes, GivenWayError, Reconciled, Stopped, StoppedError
from notesearch.index.decoding import decode
from notesearch.index.doubt import doubt
from notesearch.index.finding import unreadable
from notesearch.index.ignoring import IgnoreRules
from notesearch.index.meaning import Meaning
from notesearch.index.portions import portions_of
from notesearch.index.turns import HUGE, GivesWay
from notesearch.index.unchanged import read_as, touched
from notesearch.markdown.cancellation import never_cancel
from notesearch.markdown.sections.measured_text import TokenCounts
from notesearch.notes import Note
from notesearch.sentences import Sentence
from notesearch.status import Phase, Progress, Unread
from notesearch.store.note_states import FileState, NoteState
from notesearch.store.writer import Writer

if TYPE_CHECKING:
    from notesearch.embedding.model import Embedder

Progressed = Callable[[Progress], None]

_SAVING_S = 1.0
"""A note that became empty so recently is being saved rather than cleared."""


@dataclass(frozen=True, slots=True)
class _Read:
    """A note's file, read here or ahead.

    Attributes:
        state: The file's.
        digest: What tells whether the text changed.
        problem: What is wrong with its encoding.
        text: Its text, where it was not cut ahead.
        cut: The note, where it was.
    """

    path: str
    state: FileState
    digest: bytes
    problem: Sentence
    text: str = ""
    cut: Cut | None = None

    @classmethod
    def ahead(cls, cut: Cut, state: FileState) -> "_Read":
        """Take what was read ahead, of a file in that ``state``."""
        return cls(cut.path, state, cut.digest, cut.problem, cut=cut)

    @classmethod
    def here(cls, path: str, file: files.NoteFile) -> "_Read":
        """Take the bytes of a file; raises as ``decode`` does."""
        text, problem = decode(file.content)
        digest = hashlib.blake2b(file.content, digest_size=16).digest()
        return cls(path, file.state, digest, problem, text)


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
        self._counts = TokenCounts(embedder.count_pieces) if embedder else None
        self._ahead = Ahead(vault, settings, self._counts, embedder.window if embedder else 0)
        self._meaning: Meaning | None = None
        self._absences = Absences()
        writer.read_as(read_as(settings).key)
        if embedder and self._counts is not None:
            self._meaning = Meaning(writer, embedder, self._counts)
            writer.vectors.use_model(embedder.fingerprint, embedder.dimensions, settings.model)

    def reconcile_all(
        self,
        progressed: Progressed,
        stopped: Stopped,
        *,
        asked: bool = False,
        patient: bool = False,
        gives_way: GivesWay | None = None,
    ) -> Reconciled:
        """Compare the whole folder with the store and write what differs.

        Where the user ``asked`` for it twice, another folder without the notes is believed. Who is
        ``patient`` looks again at what is unsettled: a note may be gone only while it is saved.
        Who says what ``gives_way`` looks again at what is put off.

        Raises:
            VaultMissingError: The folder is not there, or not the one; nothing was deleted.
        """
        started = time.monotonic()
        progressed(Progress(Phase.SCAN))
        root = scan.root(self._vault)
        listing = scan.list_vault(self._vault, self._settings)
        known = self._writer.note_states()
        there, unknown = listing.files, listing.is_unknown
        gone = [path for path in known if path not in there and not unknown(path)]
        if len(gone) == len(known):
            holds_notes = bool(listing.files)
            doubt(self._vault, root, self._writer, gone, holds_notes=holds_notes, asked=asked)
        limit = self._settings.max_note_bytes
        unread = [*_still_unread(listing.files, known, limit), *listing.skipped]
        changes = Changes(stopped, patient, gives_way, unread=unread, links=listing.links)
        self._reconcile(listing.files, known, gone, progressed, changes)
        if not stopped():
            self._writer.sweep(whole=True)
            self._writer.finish_scan(time.time(), listing.skipped, root)
            self._writer.tidy()  # now, not after the hours that many notes take to embed
        return changes.done(started)

    def reconcile_paths(
        self,
        paths: Iterable[str],
        progressed: Progressed,
        stopped: Stopped,
        gives_way: GivesWay | None = None,
    ) -> Reconciled:
        """Compare only ``paths`` (files or folders, relative) with the store.

        Raises:
            VaultMissingError: The folder is not there; nothing was deleted.
        """
        started = time.monotonic()
        rules = IgnoreRules(self._vault, self._settings)
        listed = spelling.as_listed(self._vault, filter(files.is_unicode, paths))
        known = self._writer.note_states(listed)
        found: dict[str, FileState] = {}
        gone: list[str] = []
        changes = Changes(stopped, patient=True, gives_way=gives_way)
        for path, exists in listed.items():
            try:
                state = self._look(path) if exists else None
            except OSError:
                continue  # unknown is not gone; the next full comparison names the reason
            if (state is None) == (path in known) and self._is_behind_link(path):
                changes.incomplete = True
            elif state and rules.is_note(path):
                found[path] = state
            elif path in known:
                gone.append(path)
        scan.check(self._vault)  # after the looks: else what is gone went with the whole folder
        self._reconcile(found, known, gone, progressed, changes)
        self._writer.sweep(whole=False)
        return changes.done(started)

    def _look(self, path: str) -> FileState | None:
        return files.look(self._vault, path, follow=self._settings.follow_links)

    def _is_behind_link(self, path: str) -> bool:
        """Return whether another path may lead to the same note, which a link decides."""
        return self._settings.follow_links and files.is_linked(self._vault, path)

    def _reconcile(
        self,
        found: Mapping[str, FileState],
        known: Mapping[str, NoteState],
        gone: list[str],
        progressed: Progressed,
        changes: Changes,
    ) -> None:
        self._absences.seen(found)
        vanished = {path: known[path] for path in gone}
        to_read = _to_be_read(found, known, self._settings.max_note_bytes)
        ordinary = {path: found[path] for path in to_read if found[path].size < HUGE}
        with (
            contextlib.closing(self._ahead.ordered(ordinary)) as ordered,
            portions_of(self._writer, changes, from_nothing=not known) as portions,
        ):
            for done, path in enumerate(chain(ordered, to_read[len(ordinary) :])):
                try:
                    changes.begin(is_huge=found[path].size >= HUGE, is_first=not done)
                    progressed(Progress(Phase.WORDS, done, len(to_read)))
                    self._bring_in(path, known.get(path), vanished, changes)
                    portions.took()
                except StoppedError:
                    return
                except GivenWayError:
                    changes.put_off(to_read[done:], vanished)
                    break
                except MemoryError:  # that one note asks too much must not keep out the others
                    portions.failed()
                    self._leave(path, found[path], Sentence("file_memory_full"), changes)
        for path in self._absences.may_return(vanished) if changes.patient else ():
            del vanished[path]
            changes.unsettled.append(path)
        if vanished:
            self._writer.delete_notes(vanished)
            changes.removed.extend(vanished)

    def _bring_in(
        self,
        path: str,
        known: NoteState | None,
        vanished: dict[str, NoteState],
        changes: Changes,
    ) -> None:
        state: FileState | None = None
        try:
            state = self._look(path)
            if state is None or (known and _is_being_saved(known, state)):
                changes.unsettled.append(path)
                return
            ahead = self._ahead.read(path, state)
            if ahead:
                read = _Read.ahead(ahead, state)
            else:
                limit, follow = self._settings.max_note_bytes, self._settings.follow_links
                read = _Read.here(path, files.read_file(self._vault, path, limit, follow=follow))
        except FileNotFoundError:
            changes.unsettled.append(path)
        except OSError as error:
            self._leave(path, state, unreadable(error), changes)
        except NotANoteError as error:
            if state:
                self._empty(path, state, error.sentence, known, changes)
        else:
            if state != read.state:
                changes.unsettled.append(path)
            self._bring_in_text(read, known, vanished, changes)

    def _leave(self, path: str, state: FileState | None, why: Sentence, changes: Changes) -> None:
        """Keep what is indexed of a note that cannot be read now; every comparison tries again."""
        if state:
            self._writer.set_problem(path, state._replace(mtime_ns=-1), why)
        changes.unread.append(Unread(path, why))

    def _empty(
        self, path: str, state: FileState, why: Sentence, known: NoteState | None, changes: Changes
    ) -> None:
        """Keep of a file that is no note only the reason."""
        nothing = Note(path, PurePosixPath(path).stem, (), title_from_name=True)
        self._writer.put_note(nothing, (), state, b"", why)
        changes.unread.append(Unread(path, why))
        if known and known.digest:
            changes.changed.append(path)

    def _bring_in_text(
        self,
        read: _Read,
        known: NoteState | None,
        vanished: dict[str, NoteState],
        changes: Changes,
    ) -> None:
        if read.problem:
            changes.unread.append(Unread(read.path, read.problem, remark=True))
        if known and known.digest == read.digest and known.problem == read.problem:
            self._writer.touch(known.id, read.state)
            return
        moved_from = None if known else _same_content(vanished, read.digest)
        if moved_from is None:
            self._put(read, changes)
            (changes.changed if known else changes.added).append(read.path)
            return
        if not _same_name(moved_from.path, read.path) or moved_from.problem != read.problem:
            # Its name may be its title, which its sections show, or its date; and it may not have
            # been readable at its old place.
            self._put(read, changes)
            self._writer.delete_notes([moved_from.path])
        else:
            self._writer.move(moved_from, read.path, read.state)
        del vanished[moved_from.path]
        changes.moved.append(read.path)

    def _put(self, read: _Read, changes: Changes) -> None:
        huge = read.state.size >= HUGE
        check = partial(changes.ask, read.path) if huge else never_cancel
        cut = read.cut or self._ahead.cut(read.path, read.text, read.digest, check)
        known = (read.state, read.digest, read.problem)
        self._writer.put_note(cut.note, cut.passages, *known, cut.paths, check, cut.bodies)

    def pending(self) -> int:
        """Return how many passages wait for their vector."""
        return self._writer.vectors.pending_count() if self._embedder else 0

    def embed_pending(self, progressed: Progressed, stopped: Stopped) -> int:
        """Embed what waits until done or ``stopped()``; return how many passages."""
        return self._meaning.embed(progressed, stopped) if self._meaning else 0

    @property
    def has_switched(self) -> bool:
        """Whether that was the last before another model took over."""
        return self._meaning is not None and self._meaning.has_switched

    def set_watching(self, how: str) -> None:
        """Record how changes are noticed."""
        self._writer.set_watching(how)

    def check_file(self) -> None:
        """Make sure that what is written arrives in the index file.

        Raises:
            IndexDamagedError: It was deleted or replaced.
            IndexBusyError: Another is to write it.
        """
        self._writer.check_file()

    def finish(self) -> None:
        """Move what was written into the index file itself, which stays small."""
        self._writer.tidy()
        self._writer.checkpoint()


def _to_be_read(
    found: Mapping[str, FileState], known: Mapping[str, NoteState], limit: int
) -> list[str]:
    """Return the notes that were touched, the huge ones last."""
    now = time.time_ns()
    changed = (
        path
        for path, state in found.items()
        if touched(known.get(path), state, limit) or files.may_hide_change(state, now)
    )
    return sorted(changed, key=lambda path: (found[path].size >= HUGE, path))


def _still_unread(
    found: Mapping[str, FileState], known: Mapping[str, NoteState], limit: int
) -> Iterator[Unread]:
    """Name the notes that could not be read the last time and were not touched since."""
    for path, state in found.items():
        note = known.get(path)
        if note and note.problem and not touched(note, state, limit):
            yield Unread(path, note.problem, note.is_readable)


def _same_content(vanished: Mapping[str, NoteState], digest: bytes) -> NoteState | None:
    return next((note for note in vanished.values() if note.digest == digest), None)


def _same_name(one: str, other: str) -> bool:
    return PurePosixPath(one).stem == PurePosixPath(other).stem


def _is_being_saved(known: NoteState, state: FileState) -> bool:
    """Return whether a note was emptied just now, as by an editor that is about to write it."""
    emptied = not state.size and known.file.size > 0
    return emptied and abs(time.time() - state.mtime_ns / 1e9) < _SAVING_S
