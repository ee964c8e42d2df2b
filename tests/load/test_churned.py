"""L11: a fifth of all notes is rewritten twenty times, with a hundred thousand vectors."""

import random
import statistics
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from notesearch.config import Settings
from notesearch.index.vault_index import VaultIndex
from notesearch.store.store import Store
from tests import index_contents
from tests.load import made_up_vaults
from tests.load.conftest import Record
from tests.load.hash_model import HashModel

pytestmark = [pytest.mark.load, pytest.mark.timeout(1800)]

NOTES, NOTES_IN_FULL = 1_000, 4_000
SECTIONS = 25
ROUNDS = 20
_QUERIES = 60


def test_l11_a_fifth_is_rewritten_twenty_times(ground: Path, record: Record, full: bool) -> None:
    vault, chance, written = ground / "vault", random.Random(11), short_texts(11)
    notes = NOTES_IN_FULL if full else NOTES
    for number in range(notes):
        write(vault, number, next(written))
    old, new = ground / "old.sqlite", ground / "new.sqlite"
    refresh(vault, old)
    for _ in range(ROUNDS):
        for number in chance.sample(range(notes), notes // 5):
            write(vault, number, next(written))
        refresh(vault, old)
    refresh(vault, new)
    larger = old.stat().st_size / new.stat().st_size
    before, after = nearest_milliseconds(new, old)
    what = f"{notes * SECTIONS:,} vectors, {ROUNDS} rounds"
    record("L11 size against a new index", f"{larger:.2f} x", "<= 1.5 x", what)
    record("L11 nearest vectors against a new index", f"{after / before:.2f} x", "<= 1.3 x",
           f"{after:.0f} ms against {before:.0f}")  # fmt: skip
    assert larger <= 1.5
    assert after < 2 * before
    assert index_contents.of(old) == index_contents.of(new)


def short_texts(seed: int) -> Iterator[str]:
    """Return notes of many sections with a sentence each."""
    chance, known = random.Random(seed), made_up_vaults.sentences(seed)
    while True:
        chosen = chance.choices(known, k=SECTIONS)
        yield "\n".join(f"## {text[:20]}\n\n{text} {chance.random()}\n" for text in chosen)


def write(vault: Path, number: int, text: str) -> None:
    note = vault / made_up_vaults.path_of(number)
    note.parent.mkdir(parents=True, exist_ok=True)
    note.write_text(text, encoding="utf-8")


def refresh(vault: Path, file: Path) -> None:
    index = VaultIndex(vault, Settings(), Store(file), HashModel)
    index.refresh(lambda _: None)
    index.close()


def nearest_milliseconds(*files: Path) -> list[float]:
    """Return how long the nearest vectors take in each index, asked in turns."""
    model, stores = HashModel(), [Store(file) for file in files]
    took: list[list[float]] = [[] for _ in stores]
    for number in range(_QUERIES):
        for store, times in zip(stores, took, strict=True):
            began = time.perf_counter()
            store.reader().vectors.nearest(model.embed_query(str(number)), 20)
            times.append((time.perf_counter() - began) * 1000)
    for store in stores:
        store.close()
    return [statistics.median(times) for times in took]
