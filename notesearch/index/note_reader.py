"""Reads notes as Markdown: their own files here, those of other kinds in a child process."""

import base64
import pickle
import threading
from collections import OrderedDict
from dataclasses import dataclass
from pathlib import Path

from notesearch.config import Settings
from notesearch.errors import NotANoteError, NoteMissingError, VaultMissingError
from notesearch.formats.kinds import PDF, is_dendron_vault, kind_of, with_notes_first
from notesearch.index.decoding import decode
from notesearch.index.note_files import locate, look, read_file
from notesearch.notes import Note
from notesearch.processes import Child
from notesearch.sentences import Sentence
from notesearch.store.rows import FileState

_CHILD = "notesearch.index.convert_process"
_KILL_AFTER_S = 16.0
"""The time for one file; the child process is killed if it takes longer."""
_STARTING_S = 30.0
_TEXTS = 4
"""Texts of converted files that are kept, because a preview reads one section after another."""


@dataclass(frozen=True, slots=True)
class NoteText:
    """A note's file as it was read.

    Attributes:
        state: The state of the file before it was read. If it changed meanwhile, the state matches
            no file, so the note is read again.
        digest: The hash of its bytes.
        text: Its text as Markdown, whatever the kind of the file.
        problem: A problem of the file, although it could be read.
    """

    state: FileState
    digest: bytes
    text: str
    problem: Sentence


@dataclass(frozen=True, slots=True)
class ParsedNote:
    """A note as the child read it.

    Attributes:
        state: The state of its file.
        digest: The hash of its bytes.
        problem: A problem of its encoding; empty if it has none.
    """

    state: FileState
    digest: bytes
    problem: Sentence
    note: Note


def read_markdown(
    vault: Path, path: str, limit: int, *, follow: bool, words_first: bool
) -> NoteText:
    """Read the Markdown file at ``path`` in ``vault``.

    With ``words_first``, its links begin with their words, as in Dendron. Other arguments and
    errors are those of ``read_file``.
    """
    file = read_file(vault, path, limit, follow=follow)
    text, problem = decode(file.content)
    if words_first:
        text = with_notes_first(text, (vault / path).parent)
    return NoteText(file.state, file.digest, text, problem)


class NoteReader:
    """Reads the notes of one vault; thread-safe. The child process starts when it is needed."""

    def __init__(self, vault: Path, settings: Settings) -> None:
        self._vault = vault
        self._settings = settings
        self._lock = threading.Lock()
        self._child = Child(_CHILD, _KILL_AFTER_S)
        self._closed = False
        self._texts: OrderedDict[str, NoteText] = OrderedDict()

    def is_markdown(self, path: str) -> bool:
        """Return whether the file is read as Markdown, without conversion."""
        return not self._kind(path)

    def is_slow(self, path: str) -> bool:
        """Return whether reading the file may take seconds, however small it is: a PDF."""
        return self._kind(path) == PDF

    def may_link(self, path: str) -> bool:
        """Return whether the file may link to notes: all but PDFs do."""
        return self._kind(path) != PDF

    def read(self, path: str) -> NoteText:
        """Read the note at ``path`` as its file is now.

        Raises:
            OSError: It cannot be read now.
            NotANoteError: It cannot be read as a note.
        """
        kind = self._kind(path)
        if kind:
            return self._converted(path, kind)
        limit, follow = self._settings.max_note_bytes, self._settings.follow_links
        words_first = is_dendron_vault(self._vault)
        return read_markdown(self._vault, path, limit, follow=follow, words_first=words_first)

    def current_text(self, path: str) -> str:
        """Return the text of the note at ``path`` as its file is now.

        Raises:
            NoteMissingError: It does not exist or cannot be read.
            VaultMissingError: The folder does not exist.
        """
        follow = self._settings.follow_links
        inside = locate(self._vault, path, follow=follow).relative_to(self._vault).as_posix()
        if not self._vault.is_dir():
            raise VaultMissingError("vault_missing", vault=str(self._vault))
        try:
            return self.read(inside).text
        except FileNotFoundError as error:
            raise NoteMissingError("note_gone", path=path) from error
        except OSError as error:
            reason = error.strerror or str(error)
            raise NoteMissingError("note_unreadable", path=path, reason=reason) from error
        except NotANoteError as error:
            raise NoteMissingError("note_unusable", path=path, why=error.sentence) from error

    def close(self) -> None:
        """End the child process; a thread that waits for it gets an ``InterruptedError``."""
        self._closed = True
        self._child.close()

    def _kind(self, path: str) -> str:
        settings = self._settings
        return kind_of(path, settings.suffixes) if settings.other_files else ""

    def _converted(self, path: str, kind: str) -> NoteText:
        state = look(self._vault, path, follow=self._settings.follow_links)
        with self._lock:
            known = self._texts.get(path)
            if known is not None and known.state == state:
                self._texts.move_to_end(path)
                return known
            answer = self._ask(path, kind)
            if isinstance(answer, NoteText):
                self._texts[path] = answer
                while len(self._texts) > _TEXTS:
                    self._texts.popitem(last=False)
                return answer
        raise answer

    def _ask(self, path: str, kind: str) -> NoteText | Exception:
        self._child.ready(_STARTING_S)
        answer = self._child.ask(
            {
                "vault": str(self._vault),
                "path": path,
                "kind": kind,
                "limit": self._settings.max_note_bytes,
                "follow": self._settings.follow_links,
            }
        )
        if self._closed:
            raise InterruptedError
        if not answer:
            return NotANoteError("file_too_costly")
        read: NoteText | Exception = pickle.loads(base64.b64decode(str(answer["read"])))  # noqa: S301 - our own child
        return read
