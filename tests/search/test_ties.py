"""The order in which notes were indexed does not change results or their order."""

from collections.abc import Iterable
from pathlib import Path

import pytest

from notesearch.markdown.sections.note_parser import parse_note
from notesearch.results import Mode
from notesearch.search.presentation import SearchRun
from notesearch.search.query_resolution import COMMON
from notesearch.search.search import search
from notesearch.store.reader import Reader
from notesearch.store.rows import FileState
from notesearch.store.store import Store

NOTES = {
    **{f"copy/{n:03}.md": "# Harbour\n\nBoats of the harbour." for n in range(COMMON // 2)},
    **{f"log/{n:03}.md": f"# Day {n}\n\nHarbour{' and sea' * (n % 7)}, day {n} of the boats."
       for n in range(COMMON // 2 + 60)},
    "z/boats of the harbour.md": "# Boats of the harbour\n\nTwo boats.",
    "a/last.md": "# Tide\n\nA rope, and boats in the harbour.",
}  # fmt: skip


def reader_of(folder: Path, paths: Iterable[str]) -> Reader:
    folder.mkdir()
    store = Store(folder / "index.sqlite")
    store.prepare()
    with store.writing() as writer:
        for number, path in enumerate(paths, 1):
            note = parse_note(NOTES[path], path)
            writer.put_note(note, (), FileState(1, 1, 1, number), number.to_bytes(2))
    return store.reader()


@pytest.fixture(scope="module")
def readers(tmp_path_factory: pytest.TempPathFactory) -> tuple[Reader, Reader]:
    folder = tmp_path_factory.mktemp("ties")
    return reader_of(folder / "one", NOTES), reader_of(folder / "other", reversed(NOTES))


@pytest.mark.parametrize(
    "query", ["harbour ", "boats ", "harbour boats ", "rope harbour ", "day boats ", "boat day 7 "]
)
def test_the_order_of_indexing_changes_no_answer(
    readers: tuple[Reader, Reader], query: str
) -> None:
    one, other = (
        [
            (found.path, found.line, found.score)
            for found in search(reader, query, Mode.WORDS, SearchRun(60, 3), None).sections
        ]
        for reader in readers
    )
    assert len(one) > 1
    assert one == other


def test_of_many_sections_with_a_common_word_the_best_are_found(
    readers: tuple[Reader, Reader],
) -> None:
    for reader in readers:
        assert reader.words.count('"boats"', 2 * COMMON) > COMMON
        found = search(reader, "boats ", Mode.WORDS, SearchRun(3, 3), None).sections
        assert found[0].path == "z/boats of the harbour.md"
