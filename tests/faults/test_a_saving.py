"""Group A, saving: however a program writes a note, it never vanishes meanwhile."""

import io
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from notesearch.index import files
from tests.folders import write
from tests.watched import Watched

START = {"x.md": "# X\n\nFirst words.\n", "y.md": "# Y\n\nOther words.\n"}
TEXT = "# X\n\nSaved words.\n"


def a14_by_a_temporary_file(vault: Path) -> Iterator[None]:
    write(vault, {".x.md.tmp": TEXT})
    yield
    os.replace(vault / ".x.md.tmp", vault / "x.md")  # noqa: PTH105


def a15_by_a_temporary_file_elsewhere(vault: Path) -> Iterator[None]:
    write(vault.parent, {"draft": TEXT})
    yield
    os.replace(vault.parent / "draft", vault / "x.md")  # noqa: PTH105


def a16_as_vim_does(vault: Path) -> Iterator[None]:
    (vault / "x.md").rename(vault / "x.md~")
    (vault / "x.md").write_text(TEXT)
    yield
    (vault / "x.md~").unlink()


def a17_emptied_and_written(vault: Path) -> Iterator[None]:
    with (vault / "x.md").open("w") as file:
        yield
        file.write(TEXT)


def a18_piece_by_piece(vault: Path) -> Iterator[None]:
    with (vault / "x.md").open("w") as file:
        for character in TEXT:
            file.write(character)
            file.flush()
        yield


@pytest.mark.parametrize(
    "save",
    [
        a14_by_a_temporary_file, a15_by_a_temporary_file_elsewhere, a16_as_vim_does,
        a17_emptied_and_written, a18_piece_by_piece,
    ],
)  # fmt: skip
def test_a14_to_a18_a_save_is_one_change(
    watched: Watched, save: Callable[[Path], Iterator[None]]
) -> None:
    write(watched.vault, START)
    watched.start_and_wait()
    watched.heard.reports.clear()
    for _ in save(watched.vault):
        # Half way through the save another note is changed, so that the thread surely looks.
        write(watched.vault, {"y.md": "# Y\n\nMeanwhile.\n"})
        watched.heard.until(lambda: "y.md" in watched.heard.paths)
        assert "x.md" in watched.known()
    watched.assert_like_new()
    assert watched.heard.paths == {"x.md", "y.md"}
    for report in watched.heard.reports:
        assert not report.removed
        assert not report.added
        assert not report.moved


@pytest.mark.writes_from_within
@pytest.mark.parametrize("later", ["# X\n\nLater words.\n", TEXT + "More words.\n"])
def test_a18_a_note_is_written_while_it_is_read(
    watched: Watched, monkeypatch: pytest.MonkeyPatch, later: str
) -> None:
    """Another program writes after the bytes were read, before the file is looked at again."""
    write(watched.vault, START)
    watched.start_and_wait()
    note = watched.vault / "x.md"
    written = iter([later])

    class WrittenBehind(io.FileIO):
        def read(self, size: int | None = -1, /) -> bytes:
            content = super().read(size)
            if os.path.sameopenfile(self.fileno(), kept.fileno()):
                for text in written:
                    kept.write(text)
                    kept.flush()
            return content

    with note.open("r+") as kept:
        monkeypatch.setattr(files, "open", WrittenBehind, raising=False)
        note.write_text(TEXT)
        watched.heard.until(lambda: note.read_text() == later)
        watched.assert_like_new()


@pytest.mark.parametrize("when", [0, 10**9, 4 * 10**9], ids=["1970", "2001", "2096"])
def test_a20_the_time_of_a_note_is_no_order(watched: Watched, when: int) -> None:
    write(watched.vault, START)
    watched.start_and_wait()
    write(watched.vault, {"x.md": TEXT})
    os.utime(watched.vault / "x.md", (when, when))
    watched.heard.until(watched.converged)
    write(watched.vault, {"x.md": "Later words."})
    os.utime(watched.vault / "x.md", (when - 1, when - 1))
    watched.assert_like_new()


def test_a19_the_same_size_and_time_but_other_words(watched: Watched) -> None:
    write(watched.vault, {"x.md": "one"})
    watched.start_and_wait()
    before = (watched.vault / "x.md").stat()
    write(watched.vault, {"x.md": "two"})
    os.utime(watched.vault / "x.md", ns=(before.st_atime_ns, before.st_mtime_ns))
    watched.assert_like_new()
