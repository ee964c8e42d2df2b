"""Notes parsed by child processes: the same index, whatever happens to them."""

import hashlib
import os
import signal
import sys
import threading
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path

import pytest

from notesearch.config import Settings
from notesearch.index import indexer, note_reader, parallel_parser
from notesearch.index.note_files import NoteFile, look, read_file
from notesearch.index.note_reader import NoteContent
from notesearch.index.parallel_parser import answer, parsed_by_children
from notesearch.markdown.sections.note_parser import parse_note
from notesearch.messages import NO_SENTENCE
from notesearch.processes import Child
from notesearch.store.rows import FileState
from tests.folders import write
from tests.index.stepwise_index import Bench

LONG = "A heron stands at the river, re-reading 2.1 chapters of e-mail. " * 12
NOTES = {
    f"{number:03}.md": f"# Heron {number}\n\n{LONG}\n\n## Reeds {number}\n\nThe word{number}.\n"
    for number in range(60)
}

Parsed = tuple[str, NoteContent | None]


@pytest.fixture(autouse=True)
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make few notes worth a child process, on a machine of any size."""
    monkeypatch.setattr(parallel_parser, "_MIN_NOTES", 10)
    monkeypatch.setattr(parallel_parser, "_BATCH_NOTES", 4)
    monkeypatch.setattr(os, "cpu_count", lambda: 3)


@pytest.fixture
def waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait for the child to start before it gets its first batch."""
    ready = Child.ready
    monkeypatch.setattr(Child, "ready", lambda child, _seconds=0.0: ready(child, 20.0))


@pytest.fixture
def filled(vault: Path) -> Path:
    write(vault, NOTES)
    return vault


def states(vault: Path) -> Mapping[str, FileState]:
    found = {path: look(vault, path) for path in sorted(NOTES)}
    return {path: state for path, state in found.items() if state}


def parse(vault: Path) -> Iterator[Parsed]:
    return parsed_by_children(vault, Settings(), states(vault))


def parsed_here(vault: Path, path: str) -> NoteContent:
    digest = hashlib.blake2b((vault / path).read_bytes(), digest_size=16).digest()
    state = states(vault)[path]
    return NoteContent(state, digest, NO_SENTENCE, note=parse_note(NOTES[path], path))


@pytest.mark.usefixtures("waiting")
def test_yields_every_note_once_and_as_it_would_be_parsed_here(filled: Path) -> None:
    found = list(parse(filled))
    assert sorted(path for path, _ in found) == sorted(NOTES)
    by_child = {path: parsed for path, parsed in found if parsed}
    assert len(by_child) >= 12
    assert by_child == {path: parsed_here(filled, path) for path in by_child}


def test_parses_here_until_the_child_has_started(
    filled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Child, "ready", lambda *_: False)
    assert dict(parse(filled)) == dict.fromkeys(NOTES)


@pytest.mark.usefixtures("waiting")
def test_does_not_read_again_what_the_child_has_read(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(bench.vault, NOTES)
    spanish = "# Pájaro\n\nEl pájaro está aquí, mañana también.\n"
    (bench.vault / "old.md").write_bytes(spanish.encode("cp1252"))
    monkeypatch.setattr(indexer, "_SETTLED_S", -60.0)
    read: list[str] = []

    def recorded(vault: Path, path: str, limit: int, *, follow: bool = False) -> NoteFile:
        read.append(path)
        return read_file(vault, path, limit, follow=follow)

    with monkeypatch.context() as patched:
        patched.setattr(note_reader, "read_file", recorded)
        bench.refresh()
    assert 0 < len([path for path in read if path.endswith(".md")]) <= len(NOTES) - 12
    bench.assert_like_new()


@pytest.mark.writes_from_within
@pytest.mark.usefixtures("waiting")
def test_reads_a_file_again_that_changed_after_the_child_read_it(bench: Bench) -> None:
    write(bench.vault, NOTES)
    with bench.store.writing() as writer:
        first = bench.vault / min(NOTES)

        def change_all(_: object) -> None:
            if first.read_text() == NOTES[min(NOTES)]:
                write(bench.vault, {path: f"{text}\nAn egret.\n" for path, text in NOTES.items()})

        bench.indexer(writer).reconcile_all(change_all, lambda: False)
    bench.refresh()
    bench.assert_like_new()


@pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals")
@pytest.mark.usefixtures("waiting")
@pytest.mark.parametrize("what", [signal.SIGKILL, signal.SIGSTOP], ids=["killed", "stopped"])
def test_survives_a_dead_or_hanging_child(
    filled: Path, monkeypatch: pytest.MonkeyPatch, what: signal.Signals
) -> None:
    monkeypatch.setattr(parallel_parser, "_TIME_LIMIT_S", 0.5)
    children: list[Child] = []
    create = Child.__init__

    def remembered(child: Child, module: str, seconds: float) -> None:
        create(child, module, seconds)
        children.append(child)

    monkeypatch.setattr(Child, "__init__", remembered)
    paths = []
    for number, (path, _) in enumerate(parse(filled)):
        paths.append(path)
        process = children[0]._process
        if number == 5 and process:
            process.send_signal(what)
    assert sorted(paths) == sorted(NOTES)


def test_parses_here_if_the_child_cannot_start(
    filled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", str(filled / "no such program"))
    assert dict(parse(filled)) == dict.fromkeys(NOTES)


@pytest.mark.usefixtures("waiting")
def test_ends_the_child_when_the_caller_stops(
    filled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed: list[Child] = []
    close = Child.close

    def recorded(child: Child) -> None:
        close(child)
        closed.append(child)

    monkeypatch.setattr(Child, "close", recorded)
    parsing = parsed_by_children(filled, Settings(), states(filled))
    next(parsing)
    parsing.close()
    assert [child._process for child in closed] == [None, None]


def test_parses_here_while_the_children_work(filled: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done = threading.Event()

    def ask(child: Child, _question: Mapping[str, object]) -> None:
        with child._lock:  # as while it waits for an answer
            done.wait()

    def ready(child: Child) -> bool:
        with child._lock:
            return True

    monkeypatch.setattr(Child, "ready", ready)
    monkeypatch.setattr(Child, "ask", ask)
    parsing = parsed_by_children(filled, Settings(), states(filled))
    assert {parsed for _, parsed in islice(parsing, 30)} == {None}
    done.set()
    assert len(list(parsing)) == len(NOTES) - 30


def test_few_notes_start_no_child(filled: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parallel_parser, "_MIN_NOTES", len(NOTES) + 1)
    monkeypatch.setattr(Child, "__init__", lambda *_: pytest.fail("a child was made"))
    assert dict(parse(filled)) == dict.fromkeys(NOTES)


@pytest.mark.parametrize("path", ["none.md", "large.md", "binary.md"])
def test_the_child_leaves_out_what_it_cannot_read(filled: Path, path: str) -> None:
    (filled / "large.md").write_text("x" * 20_000)
    (filled / "binary.md").write_bytes(bytes(range(256)) * 9)
    read_as = {"code": True, "language": ""}
    job = {"vault": str(filled), "limit": 10_000, "follow": False, "read_as": read_as}
    alone = answer({**job, "paths": ["000.md"]})
    assert answer({**job, "paths": ["000.md", path]}) == alone
