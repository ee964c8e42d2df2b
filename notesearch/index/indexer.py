"""Brings the store in line with the folder: reads, parses, cuts and stores changed notes.

A renamed note keeps its vectors, because a vector belongs to a text, not to a path. Only texts with
the old name are embedded again.
"""

import contextlib
import logging
import time
import traceback
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path, PurePosixPath

from notesearch.config import Settings, require_folder
from notesearch.embedding.embedder import Embedder
from notesearch.errors import NotANoteError, NotesearchError
from notesearch.index import note_files, scan
from notesearch.index.embedding_queue import EmbeddingQueue, NoteCutter, Progressed, Stopped
from notesearch.index.ignore_rules import IgnoreRules
from notesearch.index.note_reader import NoteContent, NoteReader
from notesearch.index.parallel_parser import parsed_by_children
from notesearch.index.scan import LinkTarget, has_changed, read_as
from notesearch.index.scheduling import HUGE, MAX_SAVED_AT_ONCE, Batches, PendingDeletions
from notesearch.index.vault_folder import require_same_vault, vault_identity
from notesearch.markdown.bounds import PASSAGES, Check, never_cancel
from notesearch.messages import NO_SENTENCE, Sentence
from notesearch.notes import HeadingPath, Note, Passage
from notesearch.processes import return_free_memory
from notesearch.status import Phase, Progress, Report, Unread
from notesearch.store.rows import FileState, NoteState
from notesearch.store.writer import Writer

log = logging.getLogger(__name__)

_SAVING_S = 1.0
"""A note that became empty less than this time ago is probably being saved."""

_SETTLED_S = 2.0
"""A file written less than this time ago may be written again without a change of its state."""

_ORDINARY = 0
_CONVERTED = 1
_SLOW = 2
"""The cost of reading a note: Markdown, converted, or slow. The cheaper ones are read first."""


@dataclass(slots=True)
class Comparison:
    """A comparison of the folder, or of some of its paths, with the store, and what came of it.

    Attributes:
        files: The files to compare, by path.
        known: The notes in the store, by path.
        vanished: Those of them whose files are gone; one of them may be the former path of a new
            note.
        repeats: Whether another comparison follows soon, so that a note whose file has just
            disappeared stays.
        postpones: Whether a note that takes long waits for another comparison, unless it is the
            first one.
        unsettled: Paths that must be compared again soon.
        postponed: Notes that take long, to be compared once other changes are indexed.
        incomplete: Whether some changes can only be found by a comparison of the whole folder.
    """

    progressed: Progressed
    stopped: Stopped
    repeats: bool = False
    postpones: bool = False
    files: Mapping[str, FileState] = field(default_factory=dict)
    known: Mapping[str, NoteState] = field(default_factory=dict)
    vanished: dict[str, NoteState] = field(default_factory=dict)
    started: float = field(default_factory=time.monotonic)
    added: list[str] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)
    moved: list[str] = field(default_factory=list)
    moved_from: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    unread: list[Unread] = field(default_factory=list)
    unsettled: list[str] = field(default_factory=list)
    postponed: list[str] = field(default_factory=list)
    incomplete: bool = False
    links: Mapping[str, LinkTarget | None] = field(default_factory=dict)

    def check(self) -> None:
        """Check whether to continue; raises StoppedError if not, also in a huge note."""
        if self.stopped():
            raise StoppedError

    @property
    def report(self) -> Report:
        """The changes written so far."""
        return Report(
            added=tuple(self.added),
            changed=tuple(self.changed),
            moved=tuple(self.moved),
            moved_from=tuple(self.moved_from),
            removed=tuple(self.removed),
            unread=tuple(self.unread),
            seconds=time.monotonic() - self.started,
        )

    def add(self, later: "Comparison") -> None:
        """Add the changes of a ``later`` comparison; what it says about unread notes counts."""
        self.added += later.added
        self.changed += later.changed
        self.moved += later.moved
        self.moved_from += later.moved_from
        self.removed += later.removed
        known = {note.path for note in later.unread}
        self.unread = [note for note in self.unread if note.path not in known] + later.unread


class StoppedError(Exception):
    """Indexing stops in the middle of a huge note; nothing of it was written."""


class ParserFaultError(Exception):
    """The parser failed because of a fault in it; nothing of the note was written.

    Its text is the name of the error that the parser raised.
    """


class Indexer:
    """Compares files with the store and writes the differences; lives in one thread.

    Without an ``embedder``, it indexes words alone.
    """

    def __init__(
        self,
        vault: Path,
        settings: Settings,
        writer: Writer,
        embedder: Embedder | None,
        notes: NoteReader,
    ) -> None:
        self._vault = vault
        self._settings = settings
        self.writer = writer
        self._notes = notes
        self._cutter: NoteCutter | None = None
        self._embedding: EmbeddingQueue | None = None
        self._deletions = PendingDeletions()
        self._read_as = read_as(settings, vault)
        writer.read_as(self._read_as.key)
        if embedder:
            self._cutter = NoteCutter(embedder, self._read_as)
            self._embedding = EmbeddingQueue(writer, embedder, self._cutter)
            writer.vectors.use_model(embedder.fingerprint, embedder.dimensions, settings.model)

    def reconcile_all(
        self,
        progressed: Progressed,
        stopped: Stopped,
        *,
        user_asked: bool = False,
        repeats: bool = False,
    ) -> Comparison:
        """Compare the whole folder with the store and write the differences.

        If two calls in a row have ``user_asked``, a folder without notes counts as emptied on
        purpose. With ``repeats``, the caller will compare unsettled notes again, such as missing
        ones that a program may be saving, and postponed ones.

        Raises:
            VaultMissingError: The folder does not exist, or is not the vault; nothing was
                deleted.
        """
        changes = Comparison(progressed, stopped, repeats, postpones=repeats)
        progressed(Progress(Phase.SCAN))
        root = vault_identity(self._vault)
        listing = scan.list_vault(self._vault, self._settings, self.writer.mounts())
        changes.files = files = listing.files
        changes.known = known = self.writer.note_states()
        gone = [path for path in known if path not in files and not listing.is_unknown(path)]
        if len(gone) == len(known):
            require_same_vault(
                self._vault, root, self.writer, gone, has_notes=bool(files), user_asked=user_asked
            )
        changes.vanished = {path: known[path] for path in gone}
        changes.unread += [*self._still_unread(changes), *listing.skipped]
        changes.links = listing.links
        self._reconcile(changes)
        if not stopped():
            self.writer.sweep(whole=True)
            self.writer.finish_scan(time.time(), listing.skipped, root, listing.mounts)
            self.writer.tidy()  # now, because embedding may take hours
        return changes

    def reconcile_paths(
        self,
        paths: Iterable[str],
        progressed: Progressed,
        stopped: Stopped,
        *,
        postpones: bool = False,
    ) -> Comparison:
        """Compare only ``paths``, of files or folders, with the store; write the differences.

        With ``postpones``, the caller will compare postponed notes later.

        Raises:
            VaultMissingError: The folder does not exist; nothing was deleted.
        """
        changes = Comparison(progressed, stopped, repeats=True, postpones=postpones)
        rules = IgnoreRules(self._vault, self._settings)
        spellings = note_files.existing_spellings(self._vault, filter(note_files.is_unicode, paths))
        changes.known = known = self.writer.note_states(spellings)
        files: dict[str, FileState] = {}
        for path, exists in spellings.items():
            try:
                state = self._look(path) if exists else None
            except OSError:
                continue  # it may exist; the next full comparison reports the reason
            is_new_or_gone = (state is not None) != (path in known)
            if is_new_or_gone and self._is_behind_link(path):
                changes.incomplete = True  # the note may have other paths, but counts once
            elif state and rules.is_note(path):
                files[path] = state
            elif path in known:
                changes.vanished[path] = known[path]
        # After the notes were looked up, because they may be gone with the whole folder.
        require_folder(self._vault)
        changes.files = files
        self._reconcile(changes)
        self.writer.sweep(whole=False)
        return changes

    def _look(self, path: str) -> FileState | None:
        return note_files.look(self._vault, path, follow=self._settings.follow_links)

    def _is_behind_link(self, path: str) -> bool:
        return self._settings.follow_links and note_files.is_linked(self._vault, path)

    def _reconcile(self, changes: Comparison) -> None:
        """Index what has changed, then delete the notes that vanished and were not renamed.

        If indexing stops, nothing is deleted: a renamed note may not have been found yet.
        """
        self._deletions.seen(changes.files)
        with contextlib.suppress(StoppedError):
            self._index_changed(changes)
            self._delete_vanished(changes)

    def _index_changed(self, changes: Comparison) -> None:
        """Index new and changed notes; remove renamed and postponed ones from ``vanished``.

        Raises StoppedError if indexing must stop; what was written until then stays.
        """
        files = changes.files
        costs = {path: self._cost(path, files[path]) for path in self._notes_to_read(changes)}
        to_read = sorted(costs, key=lambda path: (costs[path], path))
        ordinary = {path: files[path] for path in to_read if costs[path] == _ORDINARY}
        others = ((path, None) for path in to_read[len(ordinary) :])
        parsing = parsed_by_children(self._vault, self._settings, ordinary)
        with contextlib.closing(parsing) as parsed_notes, self.writer.grouped() as commit:
            written = (changes.added, changes.changed, changes.moved, changes.moved_from)
            batch = Batches(commit, written, changes.unsettled)
            for done, (path, parsed) in enumerate(chain(parsed_notes, others)):
                is_slow = costs[path] == _SLOW
                if is_slow and done and changes.postpones:
                    self._postpone(to_read[done:], changes)
                    break
                if is_slow:
                    batch.end()
                changes.progressed(Progress(Phase.WORDS, done, len(to_read)))
                try:
                    changes.check()
                    self._index(path, parsed, changes)
                except StoppedError:
                    batch.failed()
                    raise
                except (MemoryError, ParserFaultError) as error:
                    # One note that needs too much, or a fault, must not keep out the others.
                    batch.failed()
                    self._keep_old(path, files[path], _why_unindexed(error), changes)
                    batch.end()
                else:
                    batch.add(path)
                if is_slow:
                    return_free_memory()

    def _delete_vanished(self, changes: Comparison) -> None:
        """Delete the vanished notes, except those that a program may just be saving."""
        vanished = changes.vanished
        for path in self._deletions.still_pending(vanished) if changes.repeats else ():
            del vanished[path]
            changes.unsettled.append(path)
        if vanished:
            self.writer.delete_notes(vanished)
            changes.removed.extend(vanished)

    def _postpone(self, paths: list[str], changes: Comparison) -> None:
        """Postpone ``paths``, and the vanished notes that may be at one of them now."""
        vanished = changes.vanished
        former = [path for path, note in vanished.items() if self._cost(path, note.file) == _SLOW]
        changes.postponed += [*paths, *former]
        for path in former:
            del vanished[path]

    def _notes_to_read(self, changes: Comparison) -> Iterator[str]:
        now = time.time_ns()
        limit = self._settings.max_note_bytes
        for path, state in changes.files.items():
            is_changed = has_changed(changes.known.get(path), state, limit)
            if is_changed or note_files.may_hide_change(state, now):
                yield path

    def _still_unread(self, changes: Comparison) -> Iterator[Unread]:
        for path, state in changes.files.items():
            note = changes.known.get(path)
            is_same = not has_changed(note, state, self._settings.max_note_bytes)
            if note and note.problem and is_same:
                yield Unread(path, note.problem, note.is_readable)

    def _cost(self, path: str, state: FileState) -> int:
        if state.size >= HUGE or self._notes.is_pdf(path):
            return _SLOW
        return _ORDINARY if self._notes.is_markdown(path) else _CONVERTED

    def _index(self, path: str, parsed: NoteContent | None, changes: Comparison) -> None:
        """Read the note at ``path``; write it if it is new or has changed."""
        known = changes.known.get(path)
        content = self._content(path, parsed, changes)
        if content is None:
            return
        if content.problem:
            changes.unread.append(Unread(path, content.problem, remark=True))
        if known and known.digest == content.digest and known.problem == content.problem:
            self.writer.touch(known.id, content.state)
            return
        huge = max(content.state.size, len(content.text)) >= HUGE
        check = changes.check if huge else never_cancel
        note, passages, paths = self._parse(path, content, check)
        content = replace(content, text="")  # a huge text takes a hundred megabytes
        too_many = Sentence("note_passages_over", limit=PASSAGES)
        over = note.over or (too_many if len(passages) >= PASSAGES else NO_SENTENCE)
        if over and not content.problem:
            changes.unread.append(Unread(path, over, remark=True))
        problem = content.problem or over
        self.writer.put_note(note, passages, content.state, content.digest, problem, paths, check)
        former = None if known else self._former(note, content.digest, changes)
        if former:  # renamed: ``store/vectors.py`` finds the vector of each text by its hash
            self.writer.delete_notes([former.path])
            changes.moved.append(path)
            changes.moved_from.append(former.path)
            del changes.vanished[former.path]
        else:
            (changes.changed if known else changes.added).append(path)

    def _content(
        self, path: str, parsed: NoteContent | None, changes: Comparison
    ) -> NoteContent | None:
        """Return what the file at ``path`` contains; record why and return None if unreadable."""
        state: FileState | None = None
        try:
            state = self._look(path)
            if state is None or _is_being_saved(changes.known.get(path), state):
                changes.unsettled.append(path)
                return None
            content = self._read(path, state, parsed)
        except (FileNotFoundError, InterruptedError):
            changes.unsettled.append(path)
        except OSError as error:
            self._keep_old(path, state, scan.why_unreadable(error), changes)
        except NotANoteError as error:
            if state:
                self._write_problem(path, state, error.sentence, changes)
        else:
            if state != content.state:
                changes.unsettled.append(path)
            return content
        return None

    def _read(self, path: str, state: FileState, parsed: NoteContent | None) -> NoteContent:
        is_settled = max(state.mtime_ns, state.ctime_ns) < (time.time() - _SETTLED_S) * 1e9
        if parsed and parsed.state == state and is_settled:
            return parsed
        content = self._notes.read(path)
        if parsed and parsed.digest == content.digest:
            return replace(content, note=parsed.note)
        return content

    def _keep_old(
        self, path: str, state: FileState | None, reason: Sentence, changes: Comparison
    ) -> None:
        """Keep the indexed text of a note that cannot be read; every comparison tries again."""
        if state:
            self.writer.set_problem(path, state._replace(ctime_ns=-1), reason)
        changes.unread.append(Unread(path, reason))

    def _write_problem(
        self, path: str, state: FileState, reason: Sentence, changes: Comparison
    ) -> None:
        empty = Note(path, PurePosixPath(path).stem, (), title_from_name=True)
        self.writer.put_note(empty, (), state, b"", reason)
        changes.unread.append(Unread(path, reason))
        known = changes.known.get(path)
        if known and known.digest:
            changes.changed.append(path)

    def _former(self, note: Note, digest: bytes, changes: Comparison) -> NoteState | None:
        """Return the vanished note that was renamed to ``note``.

        Its file has the same ``digest``; or it was edited, too, if few notes are missing and few
        are new: a pull may bring thousands.
        """
        gone = changes.vanished.values()
        same = next((former for former in gone if former.digest == digest), None)
        if same or max(len(gone), len(changes.added)) > MAX_SAVED_AT_ONCE:
            return same
        text = "\n".join(section.text for section in note.sections)
        edited = (former for former in gone if _is_edited(self.writer.text_of(former.id), text))
        return next(edited, None)

    def _parse(
        self, path: str, content: NoteContent, check: Check
    ) -> tuple[Note, Sequence[Passage], Sequence[HeadingPath]]:
        """Return the note, its passages and the paths of its headings.

        Raises:
            ParserFaultError: The parser failed. One note must not keep out the others.
        """
        from notesearch.markdown.sections.note_parser import parse_note  # usually nothing changed

        try:
            note = content.note or parse_note(content.text, path, check, self._read_as)
            if self._notes.is_pdf(path):
                note = replace(note, targets=())
            passages, paths = self._cutter.cut(note, check) if self._cutter else ((), ())
        except (MemoryError, StoppedError, NotesearchError):
            raise
        except Exception as error:
            # The message of the error may have text of the note, which the log must not contain.
            stack = "".join(traceback.format_tb(error.__traceback__))
            log.info("%s cannot be parsed: %s\n%s", path, type(error).__name__, stack)
            raise ParserFaultError(type(error).__name__) from error
        return note, passages, paths

    def embed_pending(self, progressed: Progressed, stopped: Stopped) -> int:
        """Embed waiting passages until none is left or ``stopped()``; return how many."""
        return self._embedding.embed(progressed, stopped) if self._embedding else 0

    @property
    def has_switched(self) -> bool:
        """Whether the last embedding made another model the one to search by."""
        return self._embedding is not None and self._embedding.has_switched

    def finish(self) -> None:
        """Merge the word index if that is due, free unused space and empty the write-ahead log."""
        self.writer.tidy()
        self.writer.checkpoint()


def _why_unindexed(error: MemoryError | ParserFaultError) -> Sentence:
    if isinstance(error, MemoryError):
        return Sentence("file_memory_full")
    return Sentence("parser_fault", error=str(error))


def _is_edited(old: str, new: str) -> bool:
    """Return whether ``new`` is ``old`` after an edit: at least half of their words are common."""
    old_words = Counter(old.split())
    new_words = Counter(new.split())
    common = (old_words & new_words).total()
    return 2 * common >= max(old_words.total(), new_words.total(), 1)


def _is_being_saved(known: NoteState | None, state: FileState) -> bool:
    is_emptied = known is not None and not state.size and known.file.size > 0
    return is_emptied and abs(time.time() - state.mtime_ns / 1e9) < _SAVING_S
