"""Fixtures of the Markdown tests: the model's own tokenizer, and real notes if available."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from notesearch.embedding.embedder import Embedder

ROOT = Path(__file__).resolve().parents[2]
VAULTS = ROOT.parent / "shared" / "eval" / "vaults"


@pytest.fixture(scope="session")
def embedder() -> "Embedder":
    from notesearch.embedding.model_loader import load_embedder

    return load_embedder("all-MiniLM-L6-v2", ROOT / "resources" / "models")


@pytest.fixture(scope="session")
def real_notes() -> list[tuple[str, str]]:
    """Path and text of every note of the evaluation vaults."""
    notes = list(_read(VAULTS))
    if not notes:
        pytest.skip("the evaluation vaults are not on this machine")
    return notes


def _read(folder: Path) -> Iterator[tuple[str, str]]:
    for file in sorted(folder.rglob("*.md")):
        if file.is_file():
            yield file.relative_to(folder).as_posix(), file.read_bytes().decode("utf-8", "replace")
