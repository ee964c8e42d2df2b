"""From the editor's close to the answer, and L5: an editor that saves one note all the time."""

import random
import threading
import time
from pathlib import Path

import pytest

from tests.benchmarks import vaults as real
from tests.benchmarks.measured import percentile
from tests.folders import write
from tests.load import made_up_vaults
from tests.load.conftest import Record
from tests.load.editor import SAVE
from tests.load.running_app import assert_like_new, running, spread, time_of
from tests.watched_vault import digests

pytestmark = [pytest.mark.load, pytest.mark.timeout(900)]

NOTES = 600
SAVES = 60
_EVERY_S = 0.2

THEMES = (
    "The {} lays its eggs in the reeds and guards them until the snow melts.",
    "Boil the {} for ten minutes, then let it cool in its own broth.",
    "Our train to {} leaves at seven; the seats are beside the window.",
    "The price of {} fell again after the harbour was opened.",
)
"""A sentence that is new to the folder: by meaning it is looked for as a whole."""


def test_save_to_found(ground: Path, record: Record) -> None:
    """One note after another is saved; a search by words and one by meaning wait for each."""
    vault, chance = real.many(ground / "real", NOTES), random.Random(1)
    took: dict[str, list[float]] = {"words": [], "meaning": []}
    with running(vault, ground / "home", model="built in") as app:
        app.until_like(digests(vault), 300)
        for number, path in enumerate(chance.sample(sorted(digests(vault)), SAVES)):
            note, word = vault / path, f"quill{number:03}ok"
            sentence = THEMES[number % len(THEMES)].format(word)
            app.order(**{"await": word, "mode": "words", "in": path})
            app.order(**{"await": sentence, "mode": "meaning", "in": path})
            text = f"{note.read_text('utf-8')}\n## Of {word}\n\n{sentence}\n"
            closed = SAVE[number % len(SAVE)](note, text)
            for mode, query in (("words", word), ("meaning", sentence)):
                found = app.wait_for("found", within=30, found=query, mode=mode)
                took[mode].append((time_of(found) - closed) * 1000)
            time.sleep(chance.uniform(0, 0.3))  # a hand pauses at no fixed moment
        errors = app.measure().errors
        app.close()
        removed, failures = app.removed(), app.failures()
    what = f"{NOTES:,} notes of tldr or the sample, {SAVES} saves, the real model"
    record("save to found by words", spread(took["words"]), "p95 <= 300 ms", what)
    record("save to found by meaning", spread(took["meaning"]), "p95 <= 1,000 ms", what)
    assert (errors, removed, failures) == ([], [], [])
    assert_like_new(vault, app.index, "built in")
    assert percentile(took["words"], 0.95) < 5 * 300
    assert percentile(took["meaning"], 0.95) < 5 * 1000


def test_l5_an_editor_that_saves_all_the_time(ground: Path, record: Record, seconds: float) -> None:
    vault, home = ground / "saved", ground / "home of saved"
    made_up_vaults.fill(vault, 300, seed=5)
    storm = vault / "storm.md"
    always = ["constantly", "constantly here", "weatherbeaten"]
    text = "# Weatherbeaten\n\nThis is constantly here.\n\n## Now\n\nversion{:06}\n"
    write(vault, {"storm.md": text.format(0)})
    with running(vault, home, searches=5, queries=always, mode="words") as app:
        app.until_like(digests(vault), 120)
        app.measure()
        before, largest, number = size_of(app.index), 0, 0
        began = time.monotonic()
        tick = threading.Event()
        while time.monotonic() < began + seconds:
            tick.wait(_EVERY_S)
            number += 1
            saved = SAVE[number % len(SAVE)](storm, text.format(number))
            largest = max(largest, size_of(app.index))
        app.order(**{"await": f"version{number:06}", "mode": "words", "in": "storm.md"})
        quiet = time_of(app.wait_for("found", within=30)) - saved
        measured = app.measure()
        app.until_like(digests(vault), 30)
        app.close()
        removed, failures = app.removed(), app.failures()
        indexed = sum("storm.md" in event["paths"] for event in app.events if event.get("paths"))  # type: ignore[operator]
    what = f"{number} saves in {seconds:.0f} s, 300 notes"
    record("L5 times indexed", f"{indexed}, one in {seconds / indexed:.1f} s", "<= 1 in 2 s", what)
    record("L5 last version found after", f"{quiet:.1f} s", "< 5 s", what)
    record("L5 growth of index and log", f"{(largest - before) / 1e6:.1f} MB", "< 20 MB", what)
    record("L5 note not found while saved", str(len(measured.empty)), "0", measured.searches)
    assert (measured.errors, measured.empty, removed, failures) == ([], [], [], [])
    assert indexed <= seconds / 2 + 3
    assert quiet < 3 * 5
    assert largest - before < 20e6
    assert_like_new(vault, app.index, "made up")


def size_of(index: Path) -> int:
    """Return the bytes of an index and its log."""
    parts = (index, index.with_name(index.name + "-wal"))
    return sum(part.stat().st_size for part in parts if part.exists())
