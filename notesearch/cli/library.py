"""Opens the library for a command, and brings its index up to date first where it has to."""

import contextlib
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from notesearch.cli.ending import complain
from notesearch.cli.progress import shown_progress
from notesearch.cli.settings import load_settings
from notesearch.config import Paths, Settings, resources
from notesearch.errors import (
    IndexBusyError,
    IndexDamagedError,
    IndexFileError,
    NoteMissingError,
    NotesearchError,
)
from notesearch.status import Report, Status

if TYPE_CHECKING:
    from notesearch.library import NoteLibrary

_Answer = TypeVar("_Answer")

_MADE_NOW = (
    "The notes in {} were not indexed yet; this was done now, as “notesearch index” does it."
)

_BEING_MADE = (
    "Another notesearch is indexing this folder for the first time; what it has so far is searched."
)
_OTHERS_PATIENCE_S, _LOOK_S = 5.0, 0.05

_NOT_ALL_READY = (
    "{:,} passages are not searched by meaning yet; “notesearch index” makes them ready."
)


def vault_folder(vault: Path | None, settings: Settings) -> Path:
    """Return the folder that is meant: by its path, by its name, else the one used last.

    Raises:
        UsageError: None is named and none was used yet; it says how to name one.
    """
    if vault is not None:
        return settings.folder(str(vault)) or vault
    chosen = Path(settings.vault) if settings.vault else None
    if chosen is None:
        sample = resources() / "sample-vault"
        raise click.UsageError(f"Name the notes folder with --vault, for example {sample}.")
    return chosen


@contextlib.contextmanager
def opened(vault: Path | None) -> "Iterator[NoteLibrary]":
    """Open the library of ``vault``, else of the folder used last."""
    from notesearch.library import NoteLibrary

    settings = load_settings(Paths.choose())
    with NoteLibrary.open(vault_folder(vault, settings), settings=settings) as library:
        yield library


def load_ahead(library: "NoteLibrary") -> None:
    """Have the model loaded while the folder is compared."""
    from notesearch.library import preload_model

    preload_model(library)


def ask(library: "NoteLibrary", question: Callable[[], _Answer], *, makes: bool = True) -> _Answer:
    """Ask the library, again after an update where its index is missing or turns out damaged.

    Raises:
        IndexFileError: There is no index and ``makes`` says to make none; it names the command.
        NotesearchError: What the library raised, the second time.
    """
    try:
        return question()
    except IndexDamagedError as error:
        complain(str(error))
    except (IndexFileError, NoteMissingError):
        if library.indexed:
            raise
        if not makes:
            raise IndexFileError("index_missing", vault=str(library.vault)) from None
    update(library)
    return question()


def update(library: "NoteLibrary", patience: float | None = None) -> None:
    """Bring the index up to date, or say why it is searched as it is.

    Args:
        library: Whose index it is.
        patience: Seconds to spend on embedding; None for all that it takes.

    Raises:
        NotesearchError: There is no index, and none can be made.
    """
    from notesearch.library import is_current

    first = not library.indexed
    try:
        if patience is None or not is_current(library, meaning=patience > 0):
            report, status = _refreshed(library, patience)
            if first and report.added and not library.rebuilt:
                complain(_MADE_NOW.format(library.vault))
            if patience and status.pending and not status.meaning_problem:
                complain(_NOT_ALL_READY.format(status.pending))
    except IndexBusyError:
        if not _is_made_elsewhere(library):
            if not library.indexed:
                raise
            complain(_BEING_MADE)
    except NotesearchError as error:
        if not library.indexed:
            raise
        complain(f"{error} The last index is searched.")


def _is_made_elsewhere(library: "NoteLibrary") -> bool:
    """Wait until the other process has been through all notes once; return whether it has.

    Until then an index is there that does not know most of them.
    """
    until = time.monotonic() + _OTHERS_PATIENCE_S
    while True:
        with contextlib.suppress(NotesearchError):
            if library.indexed and library.status().last_scan:
                return True
        if time.monotonic() >= until:
            return False
        time.sleep(_LOOK_S)


def refresh(library: "NoteLibrary") -> Report:
    """Bring the index up to date, with progress and remarks on standard error."""
    return _refreshed(library, None)[0]


def _refreshed(library: "NoteLibrary", patience: float | None) -> tuple[Report, Status]:
    with shown_progress() as progressed:
        report = library.refresh(progressed, patience=patience)
    if library.rebuilt:
        complain(library.rebuilt)
    status = library.status()
    if not status.notes:
        complain(f"There are no Markdown files in {status.vault}.")
    return report, status
