"""Detecting by a listing alone whether a folder has changed since it was indexed."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from notesearch.config import Settings
from notesearch.errors import VaultMissingError
from notesearch.index import note_files
from notesearch.index.scan import _Lister
from notesearch.library import NoteLibrary
from tests.folders import write

VAULT = {"pond.md": "# Pond\n\nReeds.\n", "hills/oak.md": "# Oak\n\nAn old tree.\n"}


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    write(tmp_path / "vault", VAULT)
    return tmp_path / "vault"


def opened(vault: Path, tmp_path: Path, **chosen: object) -> NoteLibrary:
    settings = Settings(**{"model": "none", **chosen})  # type: ignore[arg-type]
    return NoteLibrary.open(vault, home=tmp_path / "home", settings=settings)


@pytest.fixture
def library(vault: Path, tmp_path: Path) -> Iterator[NoteLibrary]:
    with opened(vault, tmp_path) as library:
        library.refresh()
        yield library


def saved_again(vault: Path) -> None:
    (vault / "pond.md").write_text("# Pond\n\nRushes.\n")  # of the same length


def test_other_settings_for_reading_notes_are_a_change(vault: Path, tmp_path: Path) -> None:
    with opened(vault, tmp_path) as library:
        library.refresh()
        assert library.is_current(meaning=False)
    for chosen in ({"code_blocks": False}, {"language": "de"}):
        with opened(vault, tmp_path, **chosen) as library:
            assert not library.is_current(meaning=False)


_PARSER = "notesearch.markdown.sections.note_parser"
_READS_NOTES = f"{{'{_PARSER}', 'html'}} & set(sys.modules)"


def test_a_watch_imports_the_parser_only_for_a_new_note(vault: Path, tmp_path: Path) -> None:
    with opened(vault, tmp_path) as library:
        library.refresh()
    code = f"""
import sys
from pathlib import Path
from notesearch.config import Settings
from notesearch.library import NoteLibrary
from tests.indexing_listener import IndexingListener
vault, home = map(Path, sys.argv[1:])
with NoteLibrary.open(vault, home=home, settings=Settings(model="none")) as library:
    watch = library.watch(listener := IndexingListener())
    listener.until_idle()
    print(sorted({_READS_NOTES}))
    (vault / "new.md").write_text("# New")
    watch.refresh_now()
    listener.until(lambda: "new.md" in listener.paths)
    print(sorted({_READS_NOTES}))
"""
    command = [sys.executable, "-c", code, str(vault), str(tmp_path / "home")]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == [
        "[]",
        "['html', 'notesearch.markdown.sections.note_parser']",
    ]


CHANGES: dict[str, Callable[[Path], object]] = {
    "saved": saved_again,
    "new": lambda vault: write(vault, {"new.md": "New.\n"}),
    "gone": lambda vault: (vault / "pond.md").unlink(),
    "moved": lambda vault: (vault / "pond.md").rename(vault / "lake.md"),
    "left out now": lambda vault: write(vault, {".notesearchignore": "hills\n"}),
    "left out now by a pattern": lambda vault: write(vault, {".notesearchignore": "h*s\n"}),
    "wrong rules": lambda vault: write(vault, {".notesearchignore": "[z-a]\n"}),
    "a link": lambda vault: (vault / "link.md").symlink_to(vault / "pond.md"),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_every_change_is_detected_and_indexed(
    library: NoteLibrary, vault: Path, change: Callable[[Path], object]
) -> None:
    assert library.is_current(meaning=False)
    change(vault)
    assert not library.is_current(meaning=False)
    library.refresh()
    assert library.is_current(meaning=False)


def test_other_files_are_no_change(library: NoteLibrary, vault: Path) -> None:
    write(vault, {"picture.png": "", ".hidden/x.md": "x", "node_modules/y.md": "y"})
    assert library.is_current(meaning=False)


def test_a_listing_of_windows_has_no_inodes_and_shows_no_change(
    library: NoteLibrary, vault: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    take_file = _Lister._take_file

    def take_without_inode(lister: _Lister, path: str, status: os.stat_result) -> None:
        reduced: Any = status.__reduce__()
        fields, more = reduced[1]
        take_file(lister, path, os.stat_result((fields[0], 0, 0, *fields[3:]), more))

    monkeypatch.setattr(_Lister, "_take_file", take_without_inode)
    assert not library.is_current(meaning=False)  # as on a system whose listings have inodes
    monkeypatch.setattr(note_files, "_LISTS_INODES", False)
    library.refresh()
    assert library.is_current(meaning=False)


def test_a_folder_without_an_index_has_changed(vault: Path, tmp_path: Path) -> None:
    with opened(vault, tmp_path) as library:
        assert not library.is_current(meaning=False)


def test_another_size_limit_is_a_change(library: NoteLibrary, vault: Path, tmp_path: Path) -> None:
    with opened(vault, tmp_path, max_note_bytes=5) as other:
        assert not other.is_current(meaning=False)
        other.refresh()
        assert other.is_current(meaning=False)


def test_a_missing_folder_raises(library: NoteLibrary, vault: Path, tmp_path: Path) -> None:
    vault.rename(tmp_path / "elsewhere")
    with pytest.raises(VaultMissingError):
        library.is_current(meaning=False)


def test_missing_vectors_matter_only_to_search_by_meaning(vault: Path, tmp_path: Path) -> None:
    with opened(vault, tmp_path, model=Settings().model) as library:
        library.refresh(patience=0.0)
        assert library.is_current(meaning=False)
        assert not library.is_current(meaning=True)
        library.refresh()
        assert library.is_current(meaning=True)
    with opened(vault, tmp_path) as of_words:
        of_words.refresh()
    with opened(vault, tmp_path, model=Settings().model) as library:
        assert library.is_current(meaning=True)


def test_a_process_that_follows_the_folder_is_trusted(
    library: NoteLibrary, vault: Path, tmp_path: Path
) -> None:
    with opened(vault, tmp_path) as other:
        with library._index.writing() as indexer:
            indexer.writer.set_watching("live")
            saved_again(vault)
            assert other.is_current(meaning=False)
            indexer.writer.set_watching("comparing every 5 s")
            assert not other.is_current(meaning=False)
            indexer.writer.set_watching("live")
        assert not other.is_current(meaning=False)  # it ended without a word
