"""How fast words become searchable, and how large the index is."""

import shutil
import time
from collections.abc import Iterator
from pathlib import Path

from notesearch.library import NoteLibrary
from notesearch.status import Phase, Progress
from tests.benchmarks import vaults
from tests.benchmarks.measured import Figure


def words_and_size(work: Path) -> Iterator[Figure]:
    """Index each vault from nothing; time until the last note's words can be found."""
    for vault in vaults.english():
        home = work / "fresh"
        shutil.rmtree(home, ignore_errors=True)
        yield from _one(vault, home)
        shutil.rmtree(home)


def _one(vault: Path, home: Path) -> Iterator[Figure]:
    searchable: list[float] = []

    def progressed(progress: Progress) -> None:
        if progress.phase is Phase.MEANING and not searchable:
            searchable.append(time.perf_counter())

    with NoteLibrary.open(vault, home=home) as library:
        started = time.perf_counter()
        report = library.refresh(progressed)
        done = time.perf_counter()
        status = library.status()
    seconds = (searchable[0] if searchable else done) - started
    megabytes = status.note_bytes / 1e6
    yield Figure(
        "words searchable",
        f"{status.notes / seconds:.0f} notes/s, {megabytes / seconds:.2f} MB/s",
        note=f"{vault.name}: {status.notes} notes, {megabytes:.1f} MB, model loading included",
    )
    yield Figure(
        "meaning searchable",
        f"{report.embedded / max(done - started - seconds, 1e-9):.0f} passages/s",
        note=f"{vault.name}: {report.embedded} passages",
    )
    ratio = status.index_bytes / status.note_bytes
    name = "index bytes per byte of notes"
    yield Figure(name, f"{ratio:.2f}", "<= 2.7", vault.name, ratio <= 2.7)
