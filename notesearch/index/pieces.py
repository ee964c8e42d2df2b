"""Takes a piece out of each of some notes to be read: what other texts are packed after."""

import contextlib
from collections.abc import Mapping, Sequence
from pathlib import Path

from notesearch.config import Settings
from notesearch.index.decoding import decode
from notesearch.index.files import read_file
from notesearch.store.bodies import Dictionary
from notesearch.store.rows import FileState
from notesearch.store.writer import Writer

_SHORTEST = 512
"""Bytes of a piece: the shorter they are, the more notes are heard."""


def dictionary_of(
    writer: Writer, vault: Path, notes: Mapping[str, FileState], settings: Settings
) -> Dictionary:
    """Return what the texts of ``notes``, about to be read, are packed after.

    Where they are many, and more than were read before, that is made of pieces of them.
    """
    to_read = sum(state.size for state in notes.values())
    size = writer.dictionary_size(to_read)
    if size and (content := pieces(vault, list(notes), size, settings)):
        writer.put_dictionary(content, to_read)
    return writer.dictionary()


def pieces(vault: Path, paths: Sequence[str], size: int, settings: Settings) -> bytes:
    """Return up to ``size`` bytes of text, in UTF-8, as sections of the notes at ``paths`` hold it.

    They come from all over the folder, from the middle of each note.
    """
    length = max(_SHORTEST, size // len(paths))
    step = max(1, len(paths) * length // size)
    texts = (_piece(vault, path, length, settings) for path in paths[::step])
    return b"\n".join(filter(None, texts))[:size]


def _piece(vault: Path, path: str, length: int, settings: Settings) -> bytes:
    """Return ``length`` bytes of the text of a note; less where it has no more."""
    from notesearch.markdown.sections import parse_note  # mostly no note has changed

    with contextlib.suppress(OSError, ValueError):
        file = read_file(vault, path, settings.max_note_bytes, follow=settings.follow_links)
        text, _ = decode(file.content)
        start = text.rfind("\n", 0, max(0, len(text) // 2 - length)) + 1
        note = parse_note(text[start : start + 2 * length], path)
        return "\n".join(section.text for section in note.sections if section.text).encode()[
            :length
        ]
    return b""
