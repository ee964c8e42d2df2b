"""Opens the libraries for a command, and updates their indexes first."""

import contextlib
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from notesearch.cli.progress import progress_bar
from notesearch.cli.terminal import load_settings, print_error
from notesearch.cli.vault_choice import vault_folder, vault_folders, vaults_holding
from notesearch.config import Paths, Settings
from notesearch.errors import (
    IndexBusyError,
    IndexDamagedError,
    IndexFileError,
    NoteMissingError,
    NotesearchError,
)
from notesearch.messages import NO_SENTENCE, Sentence, counted
from notesearch.status import Report, Status

if TYPE_CHECKING:
    from notesearch.libraries import NoteLibraries
    from notesearch.library import NoteLibrary


_Answer = TypeVar("_Answer")

_INDEXED_NOW = (
    "The notes in {} had no index yet. This command has made it, as “notesearch index” does."
)
_INDEXED_ELSEWHERE = (
    "Another notesearch is indexing this folder for the first time. Only the notes that it has"
    " indexed so far are searched."
)
_WAITING = "Another notesearch is indexing this folder. This one waits until that has finished."
_PASSAGES_WAITING = "Search by meaning cannot find {} yet. Run “notesearch index” to finish them."
_OTHER_PROCESS_WAIT_S = 5.0
_CHECK_S = 0.05
_BUSY_S = 0.5


@contextlib.contextmanager
def open_library(vault: Path | None) -> "Iterator[NoteLibrary]":
    """Open the library of the notes folder that ``vault_folder`` returns for ``vault``."""
    from notesearch.library import NoteLibrary

    settings = load_settings(Paths.choose())
    with NoteLibrary.open(vault_folder(vault, settings), settings=settings) as library:
        yield library


@contextlib.contextmanager
def open_libraries(
    vaults: Sequence[Path],
    *,
    all_vaults: bool,
    settings: Settings | None = None,
    may_index: bool = True,
    preloads_model: bool = False,
) -> "Iterator[NoteLibraries]":
    """Open the libraries of ``vault_folders``. With ``may_index``, they make a missing index.

    The settings are read if they are not given. With ``preloads_model``, load the model in a
    thread, so that a search is faster.
    """
    from notesearch.embedding.model_loader import ModelLoader

    paths = Paths.choose()
    settings = settings or load_settings(paths)
    folders = vault_folders(vaults, settings, all_vaults=all_vaults)
    model = ModelLoader.of(settings, paths)
    if preloads_model:
        model.preload()  # before the slow import of the library
    from notesearch.libraries import NoteLibraries

    ask_library = partial(ask, may_index=may_index)
    with NoteLibraries.open(folders, settings=settings, model=model, ask=ask_library) as libraries:
        if preloads_model:
            next(iter(libraries)).preload_model()  # of two models, those that the notes need
        yield libraries


@contextlib.contextmanager
def open_holding(
    vaults: Sequence[Path], path: str, *, all_vaults: bool
) -> "Iterator[tuple[NoteLibraries, str, str]]":
    """Open the libraries that may hold the note at ``path``.

    Yield them, the name of the vault that has the note, and the note's address in it.
    """
    settings = load_settings(Paths.choose())
    vaults, address = vaults_holding(path, vaults, settings, all_vaults=all_vaults)
    with open_libraries(vaults, all_vaults=all_vaults, settings=settings) as libraries:
        yield libraries, *libraries.find_vault(address)


def ask(
    library: "NoteLibrary", question: Callable[[], _Answer], *, may_index: bool = True
) -> _Answer:
    """Return the answer to ``question``; if the index is missing or damaged, build it first.

    If a note is missing, update the index first: the note may be new. No passages are embedded,
    because that takes minutes and is not needed to read notes.

    Raises:
        IndexFileError: There is no index, and ``may_index`` is False.
    """
    known_reason = NO_SENTENCE
    try:
        return question()
    except IndexDamagedError as error:
        known_reason = error.sentence
        print_error(known_reason)
    except (IndexFileError, NoteMissingError) as error:
        if not library.indexed:
            if not may_index:
                raise IndexFileError("index_missing", vault=str(library.vault)) from None
        elif (
            not may_index or isinstance(error, IndexFileError) or library.is_current(meaning=False)
        ):
            raise
    update(library, 0.0, known_reason=known_reason)
    return question()


def update(
    library: "NoteLibrary", patience: float | None = None, *, known_reason: Sentence = NO_SENTENCE
) -> None:
    """Update the index; if that fails but an older index exists, only print the reason.

    Embedding takes ``patience`` seconds at most. ``known_reason`` for a rebuild was printed
    already. Raises NotesearchError if there is no index, and none can be made.
    """
    first = not library.indexed
    try:
        if known_reason or patience is None or not library.is_current(meaning=patience > 0):
            report, status = _refreshed(library, patience, known_reason)
            if first and report.added and not library.rebuilt:
                print_error(_INDEXED_NOW.format(library.vault))
            if patience and status.pending and not status.meaning_problem:
                print_error(_PASSAGES_WAITING.format(counted(status.pending, "passage")))
    except IndexBusyError:
        if not _wait_for_other_process(library):
            if not library.indexed:
                raise
            print_error(_INDEXED_ELSEWHERE)
    except NotesearchError as error:
        if not (library.indexed and library.note_names()):
            raise
        print_error(f"{error} The notes indexed before are searched.")


def _wait_for_other_process(library: "NoteLibrary") -> bool:
    """Wait a while for another process to index all notes once; return whether it has."""
    until = time.monotonic() + _OTHER_PROCESS_WAIT_S
    while True:
        try:
            if library.indexed and library.status().last_scan:
                return True
        except NotesearchError as error:
            if error.code == "index_version_in_use":
                raise
        if time.monotonic() >= until:
            return False
        time.sleep(_CHECK_S)


def refresh(library: "NoteLibrary") -> Report:
    """Update the index, print progress and remarks on standard error, and return what changed.

    A process that watches the folder stops indexing meanwhile. If another process indexes, wait
    for it.
    """
    is_waiting = False
    while True:
        try:
            return _refreshed(library, None, takes_over=True)[0]
        except IndexBusyError as error:
            if error.code not in {"index_busy", "index_claimed"}:
                raise
        if not is_waiting:
            print_error(_WAITING)
            is_waiting = True
        time.sleep(_BUSY_S)


def _refreshed(
    library: "NoteLibrary",
    patience: float | None,
    known_reason: Sentence = NO_SENTENCE,
    *,
    takes_over: bool = False,
) -> tuple[Report, Status]:
    with progress_bar() as show:
        report = library.refresh(show, patience=patience, takes_over=takes_over)
    if library.rebuilt and library.rebuilt != known_reason:
        print_error(library.rebuilt)
    status = library.status()
    if any(not note.remark for note in status.unread) and not status.notes:
        print_error(f"No note in {status.vault} can be read. “notesearch stats” says why.")
    elif not status.notes:
        print_error(f"There are no Markdown files in {status.vault}.")
    return report, status
