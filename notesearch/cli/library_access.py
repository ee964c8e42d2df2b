"""Opens the library for a command, and updates its index first, with a progress bar."""

import contextlib
import os
import re
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from notesearch.cli.terminal import INTERRUPTED, load_settings, print_error
from notesearch.config import Paths, Settings, resources
from notesearch.errors import (
    IndexBusyError,
    IndexDamagedError,
    IndexFileError,
    NoteMissingError,
    NotesearchError,
)
from notesearch.files import read_text
from notesearch.sentences import NO_SENTENCE, Sentence, counted
from notesearch.status import Phase, Progress, Report, Status

if TYPE_CHECKING:
    from notesearch.libraries import NoteLibraries
    from notesearch.library import NoteLibrary


_NAMES = {Phase.SCAN: "Comparing", Phase.WORDS: "Indexing notes", Phase.MEANING: "Embedding"}

_LINE_EVERY_S = 5.0

_RESTORE_CURSOR = b"\r\x1b[K\x1b[?25h"
"""Clears the line with the bar and shows the cursor."""


class ProgressLines:
    """Tells the progress in a line every few seconds."""

    def __init__(
        self, tell: Callable[[str], None], clock: Callable[[], float] = time.monotonic
    ) -> None:
        """Take a function that prints a line, and a clock in seconds."""
        self._tell, self._clock = tell, clock
        self._told = clock()

    def __call__(self, progress: Progress) -> None:
        """Tell ``progress`` if it is time to."""
        if progress.total and self._clock() - self._told >= _LINE_EVERY_S:
            self._told = self._clock()
            name = _NAMES.get(progress.phase, "")
            self._tell(f"{name}: {progress.done:,} of {progress.total:,}.")


@contextlib.contextmanager
def progress_bar() -> Iterator[Callable[[Progress], None]]:
    """Yield a function that shows progress on standard error: a bar, or lines off a terminal."""
    if not (sys.stderr and sys.stderr.isatty()):
        yield ProgressLines(print_error)
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bars

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    console = Console(stderr=True)
    restore = b"" if console.is_dumb_terminal else _RESTORE_CURSOR
    with _restored_on_interrupt(restore), Bars(*columns, console=console, transient=True) as bars:
        bar = bars.add_task(_NAMES[Phase.SCAN], total=None)
        phase = Phase.SCAN

        def show(progress: Progress) -> None:
            nonlocal phase
            if progress.phase is not phase:
                phase = progress.phase
                bars.reset(bar, description=_NAMES.get(phase, ""))
            bars.update(bar, completed=progress.done, total=progress.total or None)

        yield show


@contextlib.contextmanager
def _restored_on_interrupt(restore: bytes) -> Iterator[None]:
    """Write ``restore`` before an interrupt ends the process.

    Writes to the descriptor itself, because the interrupt may come while rich holds its lock.
    """

    def end(*_: object) -> None:
        os.write(2, restore)
        os._exit(INTERRUPTED)

    handler = signal.signal(signal.SIGINT, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)


_Answer = TypeVar("_Answer")

_MARKS = (".obsidian", ".logseq", "logseq/config.edn", ".notesearchignore")
"""What a notes folder has at its top."""

_MKDOCS = "mkdocs.yml"
"""What an MkDocs site has at its top; its notes are in a folder below."""

_DOCS_FOLDER = re.compile(r"^docs_dir:\s*[\"']?([^\"'#\n]+)", re.MULTILINE)

_INDEXED_NOW = "The notes in {} were not indexed yet. They are now, as after “notesearch index”."
_INDEXED_ELSEWHERE = (
    "Another notesearch is indexing this folder for the first time. Only the notes that it has"
    " indexed so far are searched."
)
_PASSAGES_WAITING = "Search by meaning cannot find {} yet. Run “notesearch index” to finish them."
_OTHER_PROCESS_WAIT_S, _CHECK_S = 5.0, 0.05


_MOST_NAMES = 5
"""An error lists at most this many names of vaults."""


def vault_folder(vault: Path | None, settings: Settings) -> Path:
    """Return the notes folder: by its path, by its name in the list, around here, or used last.

    The only one in the list needs no use before.

    Raises:
        UsageError: No folder is given and none was used yet, or its name is not in the list.
    """
    if vault is not None:
        named = settings.folder(str(vault))
        if named is None and not vault.exists() and len(vault.parts) == 1:
            _suggest(str(vault), settings)
        return named or vault
    names = [one.label for one in settings.listed]
    last = settings.vault or (settings.listed[0].path if len(names) == 1 else "")
    chosen = _vault_around(Path.cwd(), settings) or (Path(last) if last else None)
    if chosen is None:
        known = " or ".join(f"“{name}”" for name in names[:_MOST_NAMES])
        known = known or f"for example {resources() / 'sample-vault'}"
        raise click.UsageError(f"Give the notes folder with --vault: {known}.")
    return chosen


def _suggest(name: str, settings: Settings) -> None:
    """Fail if some vault in the list has nearly this name."""
    names = {one.label.casefold(): one.label for one in settings.listed}
    near = get_close_matches(name.casefold(), names, n=3, cutoff=0.6)
    if near:
        known = " or ".join(f"“{names[one]}”" for one in near)
        raise click.UsageError(f"There is no vault “{name}”. Did you mean {known}?")


def _vault_around(here: Path, settings: Settings) -> Path | None:
    """Return the notes folder that ``here`` is in: one of the list, or one with its marks."""
    listed = {Path(one.path) for one in settings.listed}
    for folder in (here, *here.parents):
        if folder in listed or any((folder / mark).exists() for mark in _MARKS):
            return folder
        if docs := _docs(folder):
            return docs
    return None


def _docs(site: Path) -> Path | None:
    """Return the folder with the notes of an MkDocs site; None if ``site`` is none."""
    try:
        written = read_text(site / _MKDOCS)
    except (OSError, UnicodeDecodeError):
        return None
    named = _DOCS_FOLDER.search(written)
    folder = site / (named[1].strip() if named else "docs")
    return folder if folder.is_dir() else None


def _named_first(path: str, settings: Settings) -> tuple[Path, str] | None:
    """Return the notes folder that ``path`` names first, and the path in it.

    None if it names none, or if the usual notes folder holds something of that name.
    """
    name, _, inside = path.partition("/")
    folder = settings.folder(name) if inside else None
    if folder is None:
        return None
    with contextlib.suppress(click.UsageError):  # no folder is the usual one
        if (vault_folder(None, settings) / name).exists():
            return None
    return folder, inside


@contextlib.contextmanager
def open_library(vault: Path | None) -> "Iterator[NoteLibrary]":
    """Open the library of ``vault``, or of the folder used last."""
    from notesearch.library import NoteLibrary

    settings = load_settings(Paths.choose())
    with NoteLibrary.open(vault_folder(vault, settings), settings=settings) as library:
        yield library


@contextlib.contextmanager
def open_libraries(vaults: Sequence[Path], *, all_vaults: bool) -> "Iterator[NoteLibraries]":
    """Open the libraries of ``vaults``, of all in the list, or of one as ``open_library`` does."""
    from notesearch.libraries import NoteLibraries

    settings = load_settings(Paths.choose())
    with NoteLibraries.open(
        vault_folders(vaults, settings, all_vaults=all_vaults), settings=settings
    ) as libraries:
        yield libraries


def vault_folders(vaults: Sequence[Path], settings: Settings, *, all_vaults: bool) -> list[Path]:
    """Return the notes folders ``vaults``, or all in the list; raises as ``vault_folder``."""
    if all_vaults and vaults:
        raise click.UsageError("Use either --vault or --all.")
    if all_vaults:
        return [Path(one.path) for one in settings.listed] or [vault_folder(None, settings)]
    return [vault_folder(vault, settings) for vault in vaults or (None,)]


@contextlib.contextmanager
def open_holding(
    vaults: Sequence[Path], path: str, *, all_vaults: bool
) -> "Iterator[tuple[str, NoteLibrary, str]]":
    """Open the library that has the note at ``path``; yield also its name and the address there.

    If no folder is asked, the full path of a file chooses the folder around it, and an address of
    all folders (``work/japan.md``) the one that it names.
    """
    if not (vaults or all_vaults):
        settings = load_settings(Paths.choose())
        if os.path.isabs(path):  # noqa: PTH117 - any text
            around = _vault_around(Path(path).parent, settings)
            vaults = [around] if around else []
        elif named := _named_first(path, settings):
            vaults, path = [named[0]], named[1]
    with open_libraries(vaults, all_vaults=all_vaults) as libraries:
        if len(libraries.names) == 1:
            yield libraries.names[0], next(iter(libraries)), path
            return
        for library in libraries:
            if not library.indexed:
                update(library)
        name, inside = libraries.place(path)
        yield name, libraries[name], inside


def ask(
    library: "NoteLibrary", question: Callable[[], _Answer], *, may_index: bool = True
) -> _Answer:
    """Return the answer to ``question``; index first if the index is missing or damaged.

    Raises:
        IndexFileError: There is no index, and ``may_index`` is False.
        NotesearchError: The index cannot answer, not even after it was made or made again.
    """
    told = NO_SENTENCE
    try:
        return question()
    except IndexDamagedError as error:
        told = error.sentence
        print_error(told)
    except (IndexFileError, NoteMissingError):
        if library.indexed:
            raise
        if not may_index:
            raise IndexFileError("index_missing", vault=str(library.vault)) from None
    update(library, told=told)
    return question()


def update(
    library: "NoteLibrary", patience: float | None = None, *, told: Sentence = NO_SENTENCE
) -> None:
    """Update the index; if that fails, print the reason and search the index unchanged.

    Args:
        library: The library.
        patience: Seconds for embedding; None for as long as it takes.
        told: Why the index is rebuilt, as far as it is known already.

    Raises:
        NotesearchError: There is no index, and none can be made.
    """
    first = not library.indexed
    try:
        if patience is None or not library.is_current(meaning=patience > 0):
            report, status = _refreshed(library, patience, told)
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
        if not library.indexed:
            raise
        print_error(f"{error} The last index is used.")


def _wait_for_other_process(library: "NoteLibrary") -> bool:
    """Wait until another process has read all notes once; return whether it has.

    Until then, most notes are missing in the index.
    """
    until = time.monotonic() + _OTHER_PROCESS_WAIT_S
    while True:
        with contextlib.suppress(NotesearchError):
            if library.indexed and library.status().last_scan:
                return True
        if time.monotonic() >= until:
            return False
        time.sleep(_CHECK_S)


def refresh(library: "NoteLibrary") -> Report:
    """Update the index, with progress and remarks on standard error."""
    return _refreshed(library, None)[0]


def _refreshed(
    library: "NoteLibrary", patience: float | None, told: Sentence = NO_SENTENCE
) -> tuple[Report, Status]:
    with progress_bar() as progressed:
        report = library.refresh(progressed, patience=patience)
    if library.rebuilt and library.rebuilt != told:
        print_error(library.rebuilt)
    status = library.status()
    if not status.notes:
        print_error(f"There are no Markdown files in {status.vault}.")
    return report, status
