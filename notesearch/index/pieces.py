"""Takes pieces out of some notes, or of texts in the index: what other texts are packed after."""

import contextlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain, islice
from pathlib import Path

from notesearch.config import Settings
from notesearch.index.decoding import decode
from notesearch.index.files import read_file
from notesearch.index.unchanged import read_as
from notesearch.store.dictionaries import FEWEST, Dictionaries
from notesearch.store.rows import FileState

_SHORTEST = 1 << 10
"""Bytes of a piece: the shorter they are, the more notes are heard, and read for it."""

_LONGEST_NOTE = 1 << 14
"""Bytes: a note is read as a whole for a piece of it, and later once more."""


def put_pieces(
    made: Dictionaries,
    vault: Path,
    notes: Mapping[str, FileState],
    settings: Settings,
    stopped: Callable[[], bool],
) -> None:
    """Have the texts of ``notes``, about to be read, packed after pieces of many.

    Where these and what is in the index are many more than when that was done before. The pieces
    come out of that of the two which is more.
    """
    to_read = sum(state.size for state in notes.values())
    if to_read < FEWEST:
        return
    there = made.bytes_of_notes()
    size = made.size_of_next(there + to_read)
    if not size:
        return
    if there > to_read:
        content = joined(made.texts(2 * size // _SHORTEST), _SHORTEST, size)
    else:
        content = pieces(vault, notes, size, settings, stopped)
    if content and not stopped():
        made.put(content, there + to_read)


def pieces(
    vault: Path,
    notes: Mapping[str, FileState],
    size: int,
    settings: Settings,
    stopped: Callable[[], bool],
) -> bytes:
    """Return up to ``size`` bytes of texts, in UTF-8, as sections of ``notes`` hold them.

    They come from all over the folder; fewer once it is ``stopped``.
    """
    paths = [path for path, state in notes.items() if state.size <= _LONGEST_NOTE] or [*notes]
    length = max(_SHORTEST, size // len(paths))
    step = max(1, len(paths) * length // size)
    spread = chain.from_iterable(paths[first::step] for first in range(step))
    some = islice(spread, 2 * -(-size // length))
    return joined(_texts(vault, some, settings, stopped), length, size)


def joined(texts: Iterable[str], length: int, size: int) -> bytes:
    """Return the middle of each text, ``length`` bytes at most, until they are ``size`` bytes."""
    found = bytearray()
    for text in texts:
        utf8 = text.encode()
        start = max(0, len(utf8) - length) // 2
        found += utf8[start : start + length]
        if len(found) >= size:
            break
    return bytes(found[:size])


def _texts(
    vault: Path, paths: Iterable[str], settings: Settings, stopped: Callable[[], bool]
) -> Iterator[str]:
    """Yield what the sections of each note hold; those that cannot be read are left out."""
    from notesearch.markdown.sections import parse_note  # mostly no note has changed

    for path in paths:
        if stopped():
            return
        with contextlib.suppress(OSError, ValueError):
            file = read_file(vault, path, settings.max_note_bytes, follow=settings.follow_links)
            text, _ = decode(file.content)
            note = parse_note(text, path, read_as=read_as(settings))
            yield "\n".join(section.text for section in note.sections if section.text)
