"""Libraries of a few notes that a module of tests looks at together: written and indexed once."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from notesearch.config import Settings
from notesearch.library import NoteLibrary
from tests.folders import write

if TYPE_CHECKING:
    from notesearch.embedding.embedder import Embedder


@contextmanager
def indexed(
    folder: Path, notes: Mapping[str, str | bytes], embedder: "Embedder | None" = None
) -> Iterator[NoteLibrary]:
    """Give the library of ``folder / "vault"``, with ``notes`` written there before.

    Without an embedder they are found by words alone, which is quicker.
    """
    write(folder / "vault", notes)
    settings = Settings() if embedder else without_model(folder)
    with NoteLibrary.open(
        folder / "vault", home=folder / "home", settings=settings, embedder=embedder
    ) as library:
        library.refresh()
        yield library


def without_model(folder: Path) -> Settings:
    """Return settings with a model that is not there."""
    return Settings(model=str(folder / "no model"))
