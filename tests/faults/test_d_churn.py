"""Fault D13: an index that is edited again and again stays as small as a new one."""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from notesearch.config import Settings
from notesearch.index.vault_index import VaultIndex
from notesearch.store.store import Store
from tests import index_contents
from tests.faults.quick_model import QuickModel
from tests.folders import write

NOTES = 50
ROUNDS = 20


@pytest.fixture
def texts() -> Iterator[str]:
    """Notes of words that hardly any two have in common, which costs the word list most."""
    chance = random.Random(3)
    words = [f"w{chance.randrange(10**5)}" for _ in range(8000)]
    return iter(
        lambda: "\n".join(
            f"## {' '.join(chance.choices(words, k=3))}\n\n{' '.join(chance.choices(words, k=110))}"
            for _ in range(4)
        ),
        None,
    )


def size_after_refresh(vault: Path, file: Path) -> int:
    index = VaultIndex(vault, Settings(), Store(file), QuickModel)
    index.refresh(lambda _: None)
    index.close()
    return index.store.bytes_on_disk()


@pytest.mark.fault(
    "D13",
    fault="20 rounds of changing a fifth of the notes",
    outcome="The file stays below 1.5 times a new one",
)
def test_d13_twenty_rounds_of_changing_a_fifth(
    vault: Path, tmp_path: Path, texts: Iterator[str]
) -> None:
    chance = random.Random(4)
    write(vault, {f"{n}.md": next(texts) for n in range(NOTES)})
    old = tmp_path / "old.sqlite"
    size = size_after_refresh(vault, old)
    for _ in range(ROUNDS):
        write(vault, {f"{n}.md": next(texts) for n in chance.sample(range(NOTES), NOTES // 5)})
        size = size_after_refresh(vault, old)
    new = size_after_refresh(vault, tmp_path / "new.sqlite")
    assert size <= 1.5 * new
    assert index_contents.of(old) == index_contents.of(tmp_path / "new.sqlite")
