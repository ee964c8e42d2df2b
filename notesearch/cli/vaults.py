"""The vaults of a command: chosen by option, by the current folder or by a path; indexed first."""

import contextlib
import os
import re
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from notesearch.cli.output import progress_bar
from notesearch.cli.terminal import load_settings, print_error
from notesearch.config import Paths, Settings
from notesearch.errors import (
    IndexBusyError,
    IndexDamagedError,
    IndexFileError,
    NoteMissingError,
    NotesearchError,
)
from notesearch.files import read_text, real
from notesearch.messages import NO_SENTENCE, Sentence, counted
from notesearch.note_addresses import known_vault, within_vaults
from notesearch.status import Report, Status

if TYPE_CHECKING:
    from notesearch.libraries import NoteLibraries
    from notesearch.library import NoteLibrary

_MARKS = (".obsidian", ".logseq", "logseq/config.edn", ".notesearchignore")
"""Files and folders that mark a notes folder: it has at least one of them at its top."""

_MKDOCS = "mkdocs.yml"
_DOCS_FOLDER = re.compile(r"^docs_dir:\s*[\"']?([^\"'#\n]+)", re.MULTILINE)

_MOST_NAMES = 5


def vault_folder(vault: Path | None, settings: Settings, *, other_way: str = "") -> Path:
    """Return the notes folder for ``vault``, a path or a name in the settings.

    For None, it is the notes folder around the current folder, else the one used last, else the
    only one in the settings. ``other_way`` is a further way to choose, for the error's sentence.

    Raises:
        UsageError: ``vault`` is None, and none of these exists.
        VaultNameError: ``vault`` is a word that is neither a name nor a folder.
    """
    if vault is not None:
        named = settings.folder(str(vault))
        is_word = named is None and len(vault.parts) == 1 and not vault.exists()
        if is_word and settings.listed and not Paths.choose().index_file(real(vault)).exists():
            known_vault(str(vault), settings.folders)  # raises, and suggests names
        return named or vault
    names = [*settings.folders]
    last = settings.vault or (settings.listed[0].path if len(names) == 1 else "")
    chosen = Path(last) if last else None
    with contextlib.suppress(OSError):  # the current folder was deleted, or is out of reach
        chosen = _vault_around(Path.cwd(), settings) or chosen
    if chosen is None:
        known = " or ".join(f"“{name}”" for name in names[:_MOST_NAMES])
        raise click.UsageError(
            f"Choose a notes folder with --vault: {known}{other_way}."
            if known
            else "No notes folder was used yet. Give one with --vault, or add it once with"
            " “notesearch vaults add FOLDER”."
        )
    return chosen


def _vault_around(start: Path, settings: Settings) -> Path | None:
    """Return the notes folder around ``start``; None if there is none.

    It is a folder that is in the settings, has an index or a mark, or holds the pages of MkDocs.
    """
    paths = Paths.choose()
    listed = {Path(vault.path) for vault in settings.listed}
    for folder in (start, *start.parents):
        is_known = folder in listed or paths.index_file(folder).exists()
        if is_known or any((folder / mark).exists() for mark in _MARKS):
            return folder
        if docs := _docs(folder):
            return docs
    return None


def _docs(site: Path) -> Path | None:
    try:
        written = read_text(site / _MKDOCS)
    except (OSError, UnicodeDecodeError):
        return None
    named = _DOCS_FOLDER.search(written)
    folder = real(site / (named[1].strip() if named else "docs"))
    # A site from somebody else must not lead a command, or an agent, to other folders.
    return folder if folder.is_dir() and folder.is_relative_to(real(site)) else None


def vault_folders(vaults: Sequence[Path], settings: Settings, *, all_vaults: bool) -> list[Path]:
    """Return the folders of ``vaults``, of all listed ones, or the one used without ``--vault``.

    Raises:
        UsageError: Both ``vaults`` and ``all_vaults`` are given; or as ``vault_folder``.
        VaultNameError: As ``vault_folder``.
    """
    if all_vaults and vaults:
        raise click.UsageError("Use either --vault or --all.")
    if all_vaults:
        return [Path(vault.path) for vault in settings.listed] or [vault_folder(None, settings)]
    or_all = "; or take all with --all"
    return [vault_folder(vault, settings, other_way=or_all) for vault in vaults or (None,)]


def vaults_holding(
    path: str, vaults: Sequence[Path], settings: Settings, *, all_vaults: bool
) -> tuple[Sequence[Path], str]:
    """Return the notes folders that may hold the note at ``path``, and the note's address in them.

    Without ``vaults`` and ``all_vaults``, an absolute path chooses the notes folder around the
    file, and ``work/japan.md`` the vault ``work``. A path that begins with a dot starts at the
    current folder.
    """
    if path.startswith(("./", "../")):
        path = _from_here(path, vaults, settings)
    if vaults or all_vaults:
        return vaults, path
    if os.path.isabs(path):  # noqa: PTH117 - any text
        around = _vault_around(Path(path).parent, settings)
        return [around] if around else [], path
    named = _named_first(path, settings)
    return ([named[0]], named[1]) if named else ((), path)


def _from_here(path: str, vaults: Sequence[Path], settings: Settings) -> str:
    """Return ``path`` as an absolute path if, from the current folder, it leads into a vault.

    Otherwise, return it unchanged.
    """
    try:
        here = Path(os.path.normpath(f"{Path.cwd()}/{path}"))
    except OSError:  # the current folder was deleted
        return path
    if vaults:
        folders = [real(vault_folder(vault, settings)) for vault in vaults]
        return str(here) if any(map(here.is_relative_to, folders)) else path
    return str(here) if _vault_around(here.parent, settings) else path


def _named_first(path: str, settings: Settings) -> tuple[Path, str] | None:
    """Return the notes folder with whose name ``path`` begins, and the rest of the path; or None.

    It is None, too, if the notes folder used without ``--vault`` has a file or folder of that name.
    """
    folders = settings.folders
    for name, inside in within_vaults(path, folders):
        with contextlib.suppress(click.UsageError):  # no folder is used without --vault
            if (vault_folder(None, settings) / name).exists():
                continue
        return folders[name], inside
    return None


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
