"""What a served vault says while its index is not whole yet."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from notesearch.errors import ModelError
from notesearch.library import NoteLibrary
from notesearch.serving.served import ServedVault
from tests.folders import write

if TYPE_CHECKING:
    from notesearch.embedding.model import Embedder


def test_nothing_related_is_not_said_of_what_is_not_embedded_yet(
    vault: Path, embedder: "Embedder"
) -> None:
    write(vault, {"river.md": "Reeds at the water.\n", "pond.md": "Rushes at the water.\n"})
    with NoteLibrary.open(vault, embedder=embedder) as library:
        library.refresh()
        served = ServedVault(library)
        assert served.related("river.md", None, limit=5, own_note=False)
        write(vault, {"lake.md": "Water lilies.\n"})
        library.refresh(patience=0.0)
        with pytest.raises(ModelError, match="Meaning is not ready yet"):
            served.related("lake.md", None, limit=5, own_note=False)
