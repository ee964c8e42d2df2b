"""Two models take turns on 20,000 passages while searches go on: none fails, none mixes vectors."""

import random
import statistics
import threading
import time
from pathlib import Path

import pytest

from notesearch.config import Paths, Settings
from notesearch.library import NoteLibrary
from tests.embedding import tiny_model
from tests.load.conftest import Record

pytestmark = [pytest.mark.load, pytest.mark.timeout(1800)]

NOTES, SECTIONS = 1_000, 20
COLOURS = ("red", "green", "blue")


def fill(vault: Path) -> None:
    chance = random.Random(8)
    for number in range(NOTES):
        parts = []
        for section in range(SECTIONS):
            colour = COLOURS[(number + section) % 3]
            words = " ".join(chance.choices(COLOURS, k=6))
            parts.append(f"## {colour} {number} {section}\n\n{f'{colour} ' * 60}{words}\n")
        (vault / f"{number}.md").write_text("\n".join(parts))


def test_two_models_take_turns(ground: Path, record: Record) -> None:
    vault, paths = ground / "vault", Paths.choose(ground / "home")
    vault.mkdir()
    paths.models.mkdir(parents=True)
    tiny_model.write(paths.models / "three")
    tiny_model.write(paths.models / "six", pooling=["mean", "max"])
    fill(vault)
    seconds = {"three, at first": refreshed(vault, paths, "three")}
    ended, wrong, took = threading.Event(), list[object](), list[float]()
    threads = [
        threading.Thread(target=search, args=(vault, paths, colour, ended, wrong, took))
        for colour in COLOURS[:2]
    ]
    for thread in threads:
        thread.start()
    try:
        seconds["six"] = refreshed(vault, paths, "six")
        seconds["three, kept"] = refreshed(vault, paths, "three")
    finally:
        ended.set()
        for thread in threads:
            thread.join()
    with NoteLibrary.open(vault, home=paths, settings=Settings(model="three")) as library:
        passages = library.status().passages
    on = f"{passages:,} passages"
    for name, value in seconds.items():
        record(f"models: {name}", f"{value:.0f} s", note=on)
    record("models: searches", f"{len(took):,}, {len(wrong)} wrong", "none wrong", on)
    record("models: a search meanwhile", f"p95 {statistics.quantiles(took, n=20)[-1]:.0f} ms")
    assert wrong == []
    assert passages >= 20_000


def refreshed(vault: Path, paths: Paths, model: str) -> float:
    started = time.monotonic()
    with NoteLibrary.open(vault, home=paths, settings=Settings(model=model)) as library:
        library.refresh()
        assert library.status().pending == 0
    return time.monotonic() - started


def search(
    vault: Path,
    paths: Paths,
    colour: str,
    ended: threading.Event,
    wrong: list[object],
    took: list[float],
) -> None:
    with NoteLibrary.open(vault, home=paths, settings=Settings(model="six")) as library:
        while not ended.wait(0.05):
            found = library.search(colour, mode="meaning")
            took.append(found.took_ms)
            if not found.meaning or any(s.section.split()[0] != colour for s in found.sections):
                wrong.append(found)
