"""The child process that converts other kinds of files: it receives paths and returns Markdown."""

import base64
import pickle
import sys
from pathlib import Path
from typing import Any

from notesearch.errors import NotANoteError
from notesearch.formats.kinds import to_markdown
from notesearch.index.note_files import read_file
from notesearch.index.note_reader import NoteContent, decode
from notesearch.processes import serve

_MEMORY = 300 << 20
"""Bytes of address space, together with the interpreter and its libraries."""
_ORPHAN_LIFE_S = 30
"""If its parent is gone, the process ends itself after this time."""


def answer(question: dict[str, Any]) -> dict[str, str]:
    """Return the text of the file in ``question``, or the error while reading it, pickled."""
    read: NoteContent | Exception
    try:
        read = _read(question)
    except (OSError, NotANoteError) as error:
        read = error
    except MemoryError:
        read = NotANoteError("file_too_costly")
    except (ArithmeticError, AssertionError, AttributeError, LookupError, RuntimeError, TypeError,
            ValueError):  # fmt: skip
        read = NotANoteError("file_damaged")  # a library met what it did not expect
    return {"read": base64.b64encode(pickle.dumps(read)).decode()}


def _read(question: dict[str, Any]) -> NoteContent:
    path = question["path"]
    file = read_file(Path(question["vault"]), path, question["limit"], follow=question["follow"])
    text, problem = to_markdown(question["kind"], file.content, decode)
    return NoteContent(file.state, file.digest, problem, text)


if __name__ == "__main__":
    serve(answer, memory=_MEMORY, seconds=_ORPHAN_LIFE_S, questions=sys.stdin, answers=sys.stdout)
