"""Small indexes to search: of one text, or of a folder of notes made by the real indexer."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

from notesearch.config import Settings
from notesearch.library import NoteLibrary
from notesearch.markdown.sections.note_parser import parse_note
from notesearch.notes import Passage
from notesearch.store.reader import Reader
from notesearch.store.rows import FileState
from notesearch.store.store import Store
from tests.folders import write

ReaderOf = Callable[[str], Reader]
LibraryOf = Callable[[Mapping[str, str]], NoteLibrary]


@pytest.fixture
def reader_of(tmp_path: Path) -> Iterator[ReaderOf]:
    """Give a function that indexes one text and returns a reader; no file, no model."""
    store = Store(tmp_path / "index.sqlite")
    store.prepare()

    def put(text: str) -> Reader:
        note = parse_note(text, "note.md")
        passages = [Passage(s.ordinal, 0, (0, len(s.text)), s.text) for s in note.sections]
        with store.writing() as writer:
            writer.put_note(note, passages, FileState(1, 1, 1, 1), b"1")
        return store.reader()

    yield put
    store.close()


@pytest.fixture
def library_of(vault: Path, home: Path, words_only: Settings) -> Iterator[LibraryOf]:
    """Give a function that indexes notes and returns their library, without a model."""
    libraries: list[NoteLibrary] = []

    def of(notes: Mapping[str, str]) -> NoteLibrary:
        write(vault, notes)
        library = NoteLibrary.open(vault, home=home, settings=words_only)
        libraries.append(library)
        library.refresh()
        return library

    yield of
    for library in libraries:
        library.close()
