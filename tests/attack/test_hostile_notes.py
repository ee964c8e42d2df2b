"""Hostile notes: the cost of each is bounded, and other notes are found meanwhile.

``make attack`` tries every structure, and the worst at full size; the suite tries two.
"""

import contextlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from notesearch.errors import IndexFileError
from notesearch.library import NoteLibrary
from tests.attack.structures import STRUCTURES
from tests.attack.test_permissions import FOLDERS_APPEAR, changes
from tests.folders import write

SECONDS, MEGABYTES = 20, 300
"""The most for each step: processor time, and memory above that of the idle program."""

SIZE, USUAL_SIZE, SHORT_SIZE = 31_999_000, 300_000, 400_000
"""Bytes. The first is just below the largest note that is read (``Settings.max_note_bytes``)."""

SHARE = 0.4
"""The share of the bounds above that a note of ``USUAL_SIZE`` may reach."""

WORST = (
    "everything",
    "headings, wide and with two line ends",
    "short lines",
    "tags",
    "definitions, used",
    "wikilinks",
)
"""The structures that cost most at full size."""

EMBEDDED = {"prose": 2_500_000, "headings": SHORT_SIZE}
"""Structures and sizes of notes with more passages than are embedded."""

ROOT = Path(__file__).resolve().parents[2]

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc for its memory")


def check(name: str, size: int, *more: str, share: float = 1.0) -> None:
    """Run ``note_cost`` with a note of the structure ``name``; fail if a step costs too much.

    A step may cost ``share`` of the bounds. ``more`` are further arguments of the program.
    """
    program = [sys.executable, "-m", "tests.attack.note_cost", name, str(size), *more]
    done = subprocess.run(program, check=False, capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stderr[-1000:]
    costs: dict[str, tuple[float, float]] = json.loads(done.stdout)
    print(name, size, costs)
    assert not {
        step: (seconds, megabytes)
        for step, (seconds, megabytes) in costs.items()
        if seconds > share * SECONDS or megabytes > share * MEGABYTES
    }


@pytest.mark.fault(
    "K1",
    fault="A note repeats headings, links, brackets or 100 other structures",
    tries="121 notes of 0.3 MB, lower limits; the worst 6 of 32 MB",
    outcome="At most 20 s and 300 MB a step; beyond a limit the note is plain text",
)
@pytest.mark.timeout(600)
@pytest.mark.parametrize("name", ["headings", "abbreviations"])
def test_k01_a_hostile_note(name: str) -> None:
    check(name, SHORT_SIZE, "--words")


@pytest.mark.attack
@pytest.mark.timeout(300)
@pytest.mark.parametrize(("name", "size"), EMBEDDED.items())
def test_more_than_is_embedded(name: str, size: int) -> None:
    check(name, size)


@pytest.mark.attack
@pytest.mark.timeout(300)
@pytest.mark.parametrize("name", STRUCTURES)
def test_every_structure(name: str) -> None:
    check(name, USUAL_SIZE, "--words", share=SHARE)


@pytest.mark.attack
@pytest.mark.timeout(600)
@pytest.mark.parametrize("name", WORST)
def test_the_worst_at_full_size(name: str) -> None:
    check(name, SIZE, "--words")


def processor_seconds(process: int) -> float:
    """Return the processor time of a process, by the fields utime and stime of proc(5)."""
    fields = Path(f"/proc/{process}/stat").read_text("ascii").rpartition(")")[2].split()
    return sum(map(int, fields[11:13])) / os.sysconf("SC_CLK_TCK")


@pytest.mark.attack
@pytest.mark.fault(
    "K8",
    fault="A note with as many passages as can be embedded, another after it",
    tries="one of 2.5 MB",
    outcome="Words find it within 20 s; the other is found before its vectors exist",
)
@pytest.mark.timeout(600)
@FOLDERS_APPEAR
def test_k08_found_while_the_vectors_of_a_huge_note_are_made(vault: Path, home: Path) -> None:
    write(vault, {"other.md": "# Other\n\nThe zebra swims.\n"})
    home.mkdir()
    program = [sys.executable, "-m", "notesearch", "watch", "--vault", str(vault)]
    with (
        NoteLibrary.open(vault) as library,
        changes(home) as changed,
        subprocess.Popen(program, stderr=subprocess.DEVNULL) as watch,
    ):

        def found(query: str, mode: str) -> set[str]:
            with contextlib.suppress(IndexFileError):  # there is no index yet
                return {one.path for one in library.search(query, mode=mode).sections}
            return set()

        def until_found(query: str, mode: str, path: str) -> None:
            while path not in found(query, mode):
                changed.wait(1)  # a busy machine takes minutes; processor time is the bound
                changed.clear()
                assert watch.poll() is None, query

        try:
            until_found("animals in water", "meaning", "other.md")
            before = processor_seconds(watch.pid)
            text = STRUCTURES["prose"](EMBEDDED["prose"])
            write(vault, {"hostile.md": f"{text}\n\nThe last word is quokka.\n"})
            until_found("quokka", "words", "hostile.md")
            assert processor_seconds(watch.pid) - before < SECONDS
            write(vault, {"late.md": "# Late\n\nA badger repairs the bicycle.\n"})
            until_found("badger", "words", "late.md")
            until_found("a mammal mends a two-wheeled vehicle", "meaning", "late.md")
            status = library.status()
            assert status.pending > 200, "the vectors were made too soon to tell"
        finally:
            watch.terminate()
