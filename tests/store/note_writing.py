"""Parses notes for the writer as the indexer does, with a stand-in for the model."""

import hashlib

import numpy as np
from numpy.typing import NDArray

from notesearch.markdown.sections.note_parser import parse_note
from notesearch.markdown.sections.passage_cutting import cut_into_passages
from notesearch.store.rows import FileState
from notesearch.store.writer import Writer

DIMENSIONS = 16
WINDOW = 40


def count_words(text: str) -> int:
    """Count tokens as if every word were one."""
    return len(text.split())


def file_state(text: str, mtime_ns: int = 1) -> FileState:
    """Return the state of a file with ``text``, as a directory listing would."""
    return FileState(len(text.encode()), mtime_ns, mtime_ns, 1)


def digest(text: str) -> bytes:
    """Return the hash of a file with ``text``."""
    return hashlib.blake2b(text.encode(), digest_size=16).digest()


def put(writer: Writer, path: str, text: str) -> None:
    """Store the note ``text`` at ``path``."""
    note = parse_note(text, path)
    writer.put_note(
        note, cut_into_passages(note, count_words, WINDOW), file_state(text), digest(text)
    )


def vector(number: int) -> NDArray[np.float32]:
    """Return a random unit vector for ``number``, always the same."""
    made = np.random.default_rng(number).standard_normal(DIMENSIONS).astype(np.float32)
    return np.asarray(made / np.linalg.norm(made), dtype=np.float32)


def embed(writer: Writer, limit: int = 1000) -> int:
    """Embed up to ``limit`` waiting texts; return how many."""
    ids = [id_ for id_, _ in writer.vectors.pending(limit)]
    if ids:
        writer.vectors.put(ids, np.stack([vector(id_) for id_ in ids]))
    return len(ids)
