"""The child process that reads and parses notes: paths in, notes out."""

import base64
import contextlib
import gc
import os
import pickle
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

from notesearch.index.note_reader import NoteContent, read_markdown
from notesearch.markdown.sections.note_parser import parse_note
from notesearch.notes import ReadAs
from notesearch.processes import GARBAGE_THRESHOLD, serve

_MEMORY = 1 << 30
_ORPHAN_LIFE_S = 30
"""If its parent is gone, the process ends itself after this time."""
_NICENESS = 5
"""How much the process lowers its priority, so that searches come first."""


def answer(question: dict[str, Any]) -> dict[str, str]:
    """Return the notes at the paths in ``question`` that can be read, by path, pickled."""
    vault, limit, follow = Path(question["vault"]), question["limit"], question["follow"]
    read_as = ReadAs(**question["read_as"])
    parsed: dict[str, NoteContent] = {}
    for path in question["paths"]:
        with contextlib.suppress(OSError, ValueError):
            words_first = read_as.words_first
            read = read_markdown(vault, path, limit, follow=follow, words_first=words_first)
            note = parse_note(read.text, path, read_as=read_as)
            parsed[path] = replace(read, text="", note=note)
    return {"notes": base64.b64encode(pickle.dumps(parsed)).decode()}


if __name__ == "__main__":
    gc.set_threshold(GARBAGE_THRESHOLD)
    if hasattr(os, "nice"):
        os.nice(_NICENESS)
    serve(answer, memory=_MEMORY, seconds=_ORPHAN_LIFE_S, questions=sys.stdin, answers=sys.stdout)
