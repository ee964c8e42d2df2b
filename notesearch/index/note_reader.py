"""Reads notes as Markdown, whatever the kind of their files.

Files other than Markdown are read in a child process, which runs this module.
"""

import base64
import os
import pickle
import re
import sys
import threading
from collections import OrderedDict
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from notesearch.config import Settings
from notesearch.errors import NotANoteError, NoteMissingError, VaultMissingError
from notesearch.formats import PDF, kind_of, to_markdown
from notesearch.index.note_files import locate, look, read_file
from notesearch.index.text_encoding import decode
from notesearch.messages import Sentence
from notesearch.notes import Note
from notesearch.processes import Child, serve
from notesearch.store.rows import FileState

_CHILD = "notesearch.index.note_reader"
_MEMORY = 300 << 20
"""Bytes of address space of a child, together with the interpreter and its libraries."""
_ORPHAN_LIFE_S = 30
"""If its parent is gone, a child ends itself after this time."""
_KILL_AFTER_S = 16.0
_STARTING_S = 30.0
_TEXTS = 4
"""How many texts of converted files are kept: a preview reads one section after another."""


@dataclass(frozen=True, slots=True)
class NoteContent:
    """The content of a note's file: a text, or the note that a child process has parsed from it.

    Attributes:
        state: The state of the file before it was read.
        digest: The hash of its bytes.
        problem: A problem of the file, although it could be read; empty if it has none.
        text: Its text as Markdown, whatever the kind of the file; empty if it is parsed.
    """

    state: FileState
    digest: bytes
    problem: Sentence
    text: str = ""
    note: Note | None = None


def read_markdown(
    vault: Path, path: str, limit: int, *, follow: bool, words_first: bool
) -> NoteContent:
    """Read the Markdown file at ``path`` in ``vault``; raises as ``read_file`` does.

    With ``words_first``, its links begin with their words, as in Dendron: ``[[words|note]]``. The
    text that is returned has the note first.
    """
    file = read_file(vault, path, limit, follow=follow)
    text, problem = decode(file.content)
    if words_first:
        text = with_notes_first(text, (vault / path).parent)
    return NoteContent(file.state, file.digest, problem, text)


_NOTE_NAME = re.compile(r"[^/\\:]+")
"""The name of a note; a path could lead out of the vault, even to another computer."""

_WORDS_FIRST = re.compile(r"\[\[([^\[\]|\\\n]+)\|([^\[\]|\s]+)\]\]")
_MARKS_OF_WORDS_FIRST = ("dendron.yml", "root.schema.yml", "_Sidebar.md", "_Footer.md")


def has_words_first(folder: Path) -> bool:
    """Return whether links in ``folder`` begin with their words, as in Dendron or a GitHub wiki."""
    return any((folder / name).is_file() for name in _MARKS_OF_WORDS_FIRST)


def with_notes_first(text: str, folder: Path) -> str:
    """Return the ``text`` of a note in ``folder`` with the note first in each link.

    Dendron and wikis on GitHub write the words first: ``[[Great keel|projects.keel]]``. The same
    vault may have links of other programs, which write the note first. The second part is the note
    if it has no spaces, unless only the first part is the name of a file.
    """

    def turned(link: re.Match[str]) -> str:
        has_note_first = _exists(link[1]) and not _exists(link[2])
        return link[0] if has_note_first else f"[[{link[2]}|{link[1]}]]"

    def _exists(name: str) -> bool:
        name = name.partition("#")[0].strip()
        return bool(_NOTE_NAME.fullmatch(name)) and os.path.lexists(folder / f"{name}.md")

    return _WORDS_FIRST.sub(turned, text) if "[[" in text else text


class NoteReader:
    """Reads the notes of one vault; thread-safe. The child process starts when it is needed."""

    def __init__(self, vault: Path, settings: Settings) -> None:
        self._vault = vault
        self._settings = settings
        self._lock = threading.Lock()
        self._child = Child(_CHILD, _KILL_AFTER_S)
        self._closed = False
        self._texts: OrderedDict[str, NoteContent] = OrderedDict()

    def is_markdown(self, path: str) -> bool:
        """Return whether the file is read as Markdown, without conversion."""
        return not self._kind(path)

    def is_pdf(self, path: str) -> bool:
        """Return whether the file is a PDF, which may take seconds to read and links to no note."""
        return self._kind(path) == PDF

    def read(self, path: str) -> NoteContent:
        """Read the note at ``path`` as its file is now.

        Raises:
            OSError: It cannot be read now.
            NotANoteError: It cannot be read as a note.
        """
        kind = self._kind(path)
        if kind:
            return self._converted(path, kind)
        limit = self._settings.max_note_bytes
        follow = self._settings.follow_links
        words_first = has_words_first(self._vault)
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

    def _converted(self, path: str, kind: str) -> NoteContent:
        state = look(self._vault, path, follow=self._settings.follow_links)
        with self._lock:
            known = self._texts.get(path)
            if known is not None and known.state == state:
                self._texts.move_to_end(path)
                return known
            answer = self._ask(path, kind)
            if isinstance(answer, NoteContent):
                self._texts[path] = answer
                while len(self._texts) > _TEXTS:
                    self._texts.popitem(last=False)
                return answer
        raise answer

    def _ask(self, path: str, kind: str) -> NoteContent | Exception:
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
        read: NoteContent | Exception = pickle.loads(base64.b64decode(str(answer["read"])))  # noqa: S301 - our own child
        return read


def converted(question: dict[str, Any]) -> dict[str, str]:
    """Return, in the child, the text of the file in ``question`` or the error, pickled."""
    read: NoteContent | Exception
    try:
        read = _read_other(question)
    except (OSError, NotANoteError) as error:
        read = error
    except MemoryError:
        read = NotANoteError("file_too_costly")
    except (ArithmeticError, AssertionError, AttributeError, LookupError, RuntimeError, TypeError,
            ValueError):  # fmt: skip
        read = NotANoteError("file_damaged")  # a library met what it did not expect
    return {"read": base64.b64encode(pickle.dumps(read)).decode()}


def _read_other(question: dict[str, Any]) -> NoteContent:
    path = question["path"]
    file = read_file(Path(question["vault"]), path, question["limit"], follow=question["follow"])
    text, problem = to_markdown(question["kind"], file.content, decode)
    return NoteContent(file.state, file.digest, problem, text)


if __name__ == "__main__":
    answer = import_module(_CHILD).converted  # pickled answers name this module, not __main__
    serve(answer, memory=_MEMORY, seconds=_ORPHAN_LIFE_S, questions=sys.stdin, answers=sys.stdout)
