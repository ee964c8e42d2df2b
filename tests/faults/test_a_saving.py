"""Group A, saving: however a program writes a note, the note never vanishes."""

import hashlib
import json
import os
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.command_line import Run
from tests.folders import write
from tests.watched_vault import WatchedVault

START = {"x.md": "# X\n\nFirst words.\n", "y.md": "# Y\n\nOther words.\n"}
EMPTY = hashlib.blake2b(b"", digest_size=16).hexdigest()
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


def a16_as_vim_on_a_slow_disk(vault: Path) -> Iterator[None]:
    (vault / "x.md").rename(vault / "x.md~")
    yield
    (vault / "x.md").write_text(TEXT)
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


@pytest.mark.fault(
    "A14 to A18",
    fault="A note is saved through a temporary file, or in pieces",
    outcome="One change; the note is never missing or empty",
)
@pytest.mark.parametrize(
    "save",
    [
        a14_by_a_temporary_file, a15_by_a_temporary_file_elsewhere, a16_as_vim_does,
        a16_as_vim_on_a_slow_disk, a17_emptied_and_written, a18_piece_by_piece,
    ],
)  # fmt: skip
@pytest.mark.parametrize("meanwhile", ["y.md", "new/y.md"], ids=["a note", "a folder"])
def test_a14_to_a18_a_save_is_one_change(
    watched: WatchedVault, save: Callable[[Path], Iterator[None]], meanwhile: str
) -> None:
    write(watched.vault, START)
    watched.start_and_wait()
    watched.listener.reports.clear()
    for _ in save(watched.vault):
        # Half way through the save another note is changed, so that the thread surely looks;
        # where a folder is made, at all notes.
        write(watched.vault, {meanwhile: "# Y\n\nMeanwhile.\n"})
        watched.listener.until(lambda: meanwhile in watched.listener.paths)
        assert watched.indexed_digests().get("x.md", EMPTY) != EMPTY
    watched.assert_like_new()
    assert watched.listener.paths == {"x.md", meanwhile}
    for report in watched.listener.reports:
        assert not report.removed
        assert not report.moved
        assert "x.md" not in report.added


@pytest.mark.fault("A14 to A18")
@pytest.mark.parametrize("command", ["search", "index"])
def test_a17_a_command_while_a_note_is_emptied_to_be_saved(
    run: Run, vault: Path, command: str
) -> None:
    """A search finds the old text; a command that updates the index waits for the new one."""
    assert run("index").exit_code == 0
    note = vault / "river.md"
    text = note.read_text()
    note.write_text("")
    saving = threading.Timer(0.3, note.write_text, [f"{text}\nNewts.\n"])
    saving.start()
    done = run("search", "reeds", "--json") if command == "search" else run("index", "--json")
    saving.join()
    assert done.exit_code == 0
    told = json.loads(done.stdout)
    if command == "search":
        assert [found["path"] for found in told["results"]] == ["river.md"]
    else:
        assert told["changed"] == ["river.md"]
        assert run("search", "newts", "--json").exit_code == 0


def test_a17_a_note_that_stays_empty_becomes_empty(run: Run, vault: Path) -> None:
    run("index")
    (vault / "river.md").write_text("")
    assert json.loads(run("index", "--json").stdout)["changed"] == ["river.md"]


@pytest.mark.fault("A14 to A18")
@pytest.mark.writes_from_within
@pytest.mark.parametrize("later", ["# X\n\nLater words.\n", TEXT + "More words.\n"])
def test_a18_a_note_is_written_while_it_is_read(
    watched: WatchedVault, monkeypatch: pytest.MonkeyPatch, later: str
) -> None:
    """Another program writes after the bytes were read, before the file is checked again."""
    write(watched.vault, START)
    watched.start_and_wait()
    note = watched.vault / "x.md"
    written = iter([later])

    def written_behind(descriptor: int, size: int) -> bytes:
        content = as_it_is(descriptor, size)
        if os.path.sameopenfile(descriptor, kept.fileno()):
            for text in written:
                kept.write(text)
                kept.flush()
        return content

    as_it_is = os.read
    with note.open("r+") as kept:
        monkeypatch.setattr(os, "read", written_behind)
        note.write_text(TEXT)
        watched.listener.until(lambda: note.read_text() == later)
        watched.assert_like_new()


@pytest.mark.fault("A20", fault="File times in the past or future", outcome="Only equality matters")
@pytest.mark.parametrize("when", [0, 10**9, 4 * 10**9], ids=["1970", "2001", "2096"])
def test_a20_the_modification_time_can_be_anything(watched: WatchedVault, when: int) -> None:
    write(watched.vault, START)
    watched.start_and_wait()
    write(watched.vault, {"x.md": TEXT})
    os.utime(watched.vault / "x.md", (when, when))
    watched.listener.until(watched.converged)
    write(watched.vault, {"x.md": "Later words."})
    os.utime(watched.vault / "x.md", (when - 1, when - 1))
    watched.assert_like_new()


@pytest.mark.fault(
    "A19",
    fault="Other words, same size and time",
    outcome="Noticed by the inode's change time",
)
def test_a19_the_same_size_and_time_but_other_words(watched: WatchedVault) -> None:
    write(watched.vault, {"x.md": "one"})
    watched.start_and_wait()
    before = (watched.vault / "x.md").stat()
    write(watched.vault, {"x.md": "two"})
    os.utime(watched.vault / "x.md", ns=(before.st_atime_ns, before.st_mtime_ns))
    watched.assert_like_new()
