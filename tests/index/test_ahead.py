"""Notes that a second process reads and cuts ahead: the same index, whatever becomes of it."""

import hashlib
import io
import os
import pickle
import signal
import subprocess
import sys
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from notesearch.config import Settings
from notesearch.index import ahead, files
from notesearch.index.ahead import Ahead, Asked, Cut, Job, Left, Ready
from notesearch.index.ahead_child import Cutter, main
from notesearch.index.files import NoteFile, look, read_file
from notesearch.markdown.sections.chunking import chunk, heading_paths
from notesearch.markdown.sections.measured_text import TokenCounts
from notesearch.markdown.sections.note_parser import parse_note
from notesearch.store.compression import compress
from tests.folders import write
from tests.index.bench import Bench
from tests.load.made_up import MadeUp

WINDOW = 64
LONG = "A heron stands at the river, re-reading 2.1 chapters of e-mail. " * 12
NOTES = {
    f"{number:03}.md": f"# Heron {number}\n\n{LONG}\n\n## Reeds {number}\n\nThe word{number}.\n"
    for number in range(60)
}


@pytest.fixture(autouse=True)
def a_burst(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have few notes be many, on a machine of any size."""
    monkeypatch.setattr(ahead, "_MANY", 10)
    monkeypatch.setattr(ahead, "_SETTLED_S", 0.0)
    monkeypatch.setattr(os, "cpu_count", lambda: 2)


@pytest.fixture
def counts() -> TokenCounts:
    return TokenCounts(MadeUp().count_pieces)


@pytest.fixture
def filled(vault: Path) -> Path:
    write(vault, NOTES)
    return vault


def digest(vault: Path, path: str) -> bytes:
    return hashlib.blake2b((vault / path).read_bytes(), digest_size=16).digest()


def here(vault: Path, path: str, counts: TokenCounts) -> Cut:
    """Return what is made of a note."""
    note = parse_note(NOTES[path], path)
    cut = chunk(note, counts, WINDOW), heading_paths(note, counts, WINDOW)
    bodies = tuple(compress(section.text) for section in note.sections)
    return Cut(path, digest(vault, path), note, *cut, bodies, look(vault, path))


def told(reader: Ahead) -> Iterator[tuple[str, object]]:
    """Yield each note, with what was cut ahead of it; the first waits until a process runs."""
    for number, path in enumerate(reader.ordered(sorted(NOTES))):
        if not number and reader._process:
            reader._told.put(reader._told.get())
        yield path, reader._ready


def test_all_come_once_and_as_they_are_cut_here(filled: Path, counts: TokenCounts) -> None:
    found = dict(told(Ahead(filled, Settings(), counts, WINDOW)))
    assert found.keys() == NOTES.keys()
    ahead_of_us = {path: cut for path, cut in found.items() if cut}
    assert len(ahead_of_us) >= 10
    assert ahead_of_us == {path: here(filled, path, counts) for path in ahead_of_us}


def test_a_text_that_changed_meanwhile_is_cut_here(filled: Path, counts: TokenCounts) -> None:
    reader = Ahead(filled, Settings(), counts, WINDOW)
    for path, cut in told(reader):
        made = digest(filled, path)
        if cut:
            assert reader.cut(path, "# Egret\n", b"of another text").note.title == "Egret"
        else:
            expected = replace(here(filled, path, counts), bodies=(), state=None)
            assert reader.cut(path, NOTES[path], made) == expected


def test_a_file_that_changed_meanwhile_is_read_here(filled: Path, counts: TokenCounts) -> None:
    reader = Ahead(filled, Settings(), counts, WINDOW)
    ahead_of_us = 0
    for path, cut in told(reader):
        state, made = look(filled, path), digest(filled, path)
        assert state
        touched = state._replace(mtime_ns=state.mtime_ns + 1)
        assert reader.read(path, touched) is None
        assert reader.read("other.md", state) is None
        if cut and ahead_of_us % 2:
            assert reader.cut(path, "", made) is cut  # it has the same text all the same
        elif cut:
            assert reader.read(path, state) is cut
        assert reader.read(path, state) is None
        ahead_of_us += cut is not None
    assert ahead_of_us >= 10


def test_what_was_read_ahead_is_not_read_again(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(bench.vault, NOTES)
    (bench.vault / "old.md").write_bytes(
        "# Pájaro\n\nEl pájaro está aquí, mañana también.\n".encode("cp1252")
    )
    read: list[str] = []

    def seen(vault: Path, path: str, limit: int, *, follow: bool = False) -> NoteFile:
        read.append(path)
        return read_file(vault, path, limit, follow=follow)

    monkeypatch.setattr(files, "read_file", seen)
    monkeypatch.setattr(Ahead, "ordered", all_ahead)
    bench.refresh()
    assert not any(path.endswith(".md") for path in read)
    monkeypatch.undo()
    bench.assert_like_new()


def all_ahead(reader: Ahead, paths: Sequence[str]) -> Iterator[str]:
    """Yield each note once it was cut ahead."""
    pump = reader._start()
    assert pump
    left = deque(paths)
    while left or reader._sent or reader._cuts:
        reader._exchange(left)
        if not reader._is_ready:
            reader._take()
        elif reader._cuts:
            reader._ready = reader._cuts.popleft()
            yield reader._ready.path
        elif reader._sent:
            reader._take()
    reader._end()
    pump.join()


@pytest.mark.skipif(sys.platform == "win32", reason="signals as POSIX has them")
@pytest.mark.parametrize("what", [signal.SIGKILL, signal.SIGSTOP], ids=["killed", "stopped"])
def test_it_may_be_killed_or_stopped(
    filled: Path, counts: TokenCounts, monkeypatch: pytest.MonkeyPatch, what: signal.Signals
) -> None:
    monkeypatch.setattr(ahead, "_LONGEST_S", 0.2)
    reader = Ahead(filled, Settings(), counts, WINDOW)
    paths = []
    for number, (path, _) in enumerate(told(reader)):
        paths.append(path)
        if number == 5 and reader._process:
            reader._process.send_signal(what)
    assert sorted(paths) == sorted(NOTES)


def test_it_may_not_start(
    filled: Path, counts: TokenCounts, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", str(filled / "no such program"))
    found = dict(told(Ahead(filled, Settings(), counts, WINDOW)))
    assert found == dict.fromkeys(NOTES)


def test_it_ends_with_who_stops_half_way(filled: Path, counts: TokenCounts) -> None:
    reader = Ahead(filled, Settings(), counts, WINDOW)
    ordered = reader.ordered(sorted(NOTES))
    next(ordered)
    process = reader._process
    assert isinstance(process, subprocess.Popen)
    ordered.close()
    assert process.returncode is not None


def test_few_notes_start_nothing(filled: Path, counts: TokenCounts) -> None:
    reader = Ahead(filled, Settings(), counts, WINDOW)
    for _ in reader.ordered(sorted(NOTES)[:9]):
        assert reader._process is None


def test_words_that_do_not_add_up_start_nothing(filled: Path) -> None:
    reader = Ahead(filled, Settings(), TokenCounts(lambda text: len(text) // 4), WINDOW)
    for _ in reader.ordered(sorted(NOTES)):
        assert reader._process is None


class TestTheProcess:
    """What it says, asked in this one."""

    def test_asks_for_words_once_and_goes_on_meanwhile(
        self, filled: Path, counts: TokenCounts
    ) -> None:
        said: list[object] = []
        cutter = cutter_of(Job(filled, 10_000, False, WINDOW), said)
        cutter.take("000.md")
        cutter.take("001.md")
        first, second = said
        assert isinstance(first, Asked)
        assert isinstance(second, Asked)
        assert {"heron", "word0"} <= {*map(str.lower, first.words)}
        answer(cutter, said, counts)
        assert [one for one in said if isinstance(one, Cut)] == [
            here(filled, "000.md", counts), here(filled, "001.md", counts)
        ]  # fmt: skip
        cutter.take("002.md")
        assert {"word2"} <= set(said[-1].words) < {"word2", "2"} | set(first.words)  # type: ignore[attr-defined]
        assert "heron" not in said[-1].words  # type: ignore[attr-defined]

    def test_knows_no_file_by_its_state_that_was_written_lately(
        self, filled: Path, counts: TokenCounts
    ) -> None:
        said: list[object] = []
        for settled_s in (60.0, 0.0):
            cutter_of(Job(filled, 10_000, False, 0, settled_s), said).take("000.md")
        old = replace(here(filled, "000.md", counts), passages=(), paths=())
        assert said == [replace(old, state=None), old]

    def test_cuts_no_passages_without_a_model(self, filled: Path, counts: TokenCounts) -> None:
        said: list[object] = []
        cutter_of(Job(filled, 10_000, False, 0), said).take("000.md")
        assert said == [replace(here(filled, "000.md", counts), passages=(), paths=())]

    @pytest.mark.parametrize("path", ["none.md", "large.md", "binary.md"])
    def test_names_what_it_cannot_read(self, filled: Path, path: str) -> None:
        (filled / "large.md").write_text("x" * 20_000)
        (filled / "binary.md").write_bytes(bytes(range(256)) * 9)
        said: list[object] = []
        cutter_of(Job(filled, 10_000, False, 0), said).take(path)
        assert said == [Left(path)]

    def test_ends_with_who_orders(self, filled: Path) -> None:
        orders, answers = io.BytesIO(), io.BytesIO()
        for message in (Job(filled, 10_000, False, 0), "000.md"):
            pickle.dump(message, orders)
        orders.seek(0)
        main(orders, answers)
        answers.seek(0)
        assert pickle.load(answers) == Ready()
        assert pickle.load(answers).path == "000.md"


def cutter_of(job: Job, said: list[object]) -> Cutter:
    return Cutter(job, said.append)


def answer(cutter: Cutter, said: list[object], counts: TokenCounts) -> None:
    """Answer what was asked until nothing is."""
    asked = 0
    while asked < len(said):
        message = said[asked]
        asked += 1
        if isinstance(message, Asked):
            cutter.take({word: counts[word] for word in message.words})
