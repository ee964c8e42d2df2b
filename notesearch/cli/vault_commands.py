"""The commands about vaults and their indexes, such as ``vaults``, ``index`` and ``stats``."""

import datetime as dt
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

import click

from notesearch.cli.options import (
    CommandGroup,
    Folder,
    complete_vault_name,
    folder_argument,
    json_option,
    vault_option,
)
from notesearch.cli.output import print_checkup, print_json, progress_bar
from notesearch.cli.terminal import (
    FOUND,
    NOTHING_FOUND,
    load_settings,
    on_one_line,
    require_memory_for_vectors,
    visible,
)
from notesearch.cli.vaults import ask, open_library, refresh
from notesearch.config import Paths, Settings, require_folder, vault_names
from notesearch.errors import IndexBusyError, NotesearchError
from notesearch.files import real
from notesearch.messages import counted
from notesearch.processes import END_S, ended_after, keep_little_memory
from notesearch.status import LanguageShare, Progress, Report, Status
from notesearch.wire import index_json


@click.command()
@folder_argument
@vault_option
@json_option
def index(vault: Path | None, as_json: bool) -> None:
    """Update the index from the folder.

    A window or server that watches the folder stops indexing meanwhile.
    """
    with open_library(vault) as library:
        report = refresh(library)
        if as_json:
            print_json(index_json(report))
            return
        click.echo(
            f"{len(report.added)} added, {len(report.changed)} changed,"
            f" {len(report.moved)} moved, {len(report.removed)} removed,"
            f" {counted(report.embedded, 'passage')} embedded in {report.seconds:.1f} s."
        )
        for unread in report.unread:
            click.echo(f"{on_one_line(unread.path)}: {on_one_line(unread.reason)}", err=True)
        status = ask(library, library.status)
        if status.meaning_problem and library.settings.meaning:
            click.echo(visible(status.meaning_problem), err=True)
        if status.index_remark:
            click.echo(visible(status.index_remark), err=True)


@click.command()
@folder_argument
@vault_option
@json_option
def stats(vault: Path | None, as_json: bool) -> None:
    """Show the size, place and state of the index.

    Also lists the notes that could not be read.
    """
    from notesearch import models

    with open_library(vault) as library:
        library.load_model()
        status = ask(library, library.status)
        offer = models.offer(status, library.paths)
    if as_json:
        print_json(index_json(status))
        return
    for label, text in _state(status):
        click.echo(f"{label:<10} {text}")
    if offer:
        does = "use" if offer.is_installed else "download --use"
        click.echo(f"\n{offer.text}\n“notesearch models {does} {offer.name}” does this.")
    for unread in status.unread:
        kind = "Remark" if unread.remark else "Not read"
        click.echo(f"{kind:<10} {on_one_line(unread.path)}: {on_one_line(unread.reason)}")


def _state(status: Status) -> Iterator[tuple[str, str]]:
    missing = " (not reachable)" if status.vault_missing else ""
    sizes = f"{counted(status.note_bytes, 'byte')}, {counted(status.words, 'word')}"
    engine = f" ({status.engine})" if status.engine else ""
    problem = f": {status.meaning_problem}" if status.meaning_problem else ""
    scanned = "never"
    if status.last_scan:
        scanned = dt.datetime.fromtimestamp(status.last_scan).isoformat(" ", "seconds")
    yield "Folder", f"{on_one_line(status.vault)}{missing}"
    yield "Notes", f"{status.notes:,} ({sizes})"
    yield "Sections", f"{status.sections:,}"
    yield "Languages", _languages(status.languages)
    yield "Passages", f"{status.passages:,} ({status.pending:,} wait for a vector)"
    yield "Model", f"{status.model}{engine}{problem}"
    if status.former_model:
        yield "", f"{status.former_model} is used until all its vectors are ready"
    yield "Index", f"{status.index_path} ({status.index_bytes:,} bytes)"
    if status.index_remark:
        yield "", status.index_remark
    yield "Compared", scanned
    yield "Watching", status.watching or "no program watches the folder now"


def _languages(shares: Sequence[LanguageShare]) -> str:
    shown = [f"{each.language} {each.share:.0%}" for each in shares if each.share >= 0.01]
    return ", ".join(shown) or "not known"


@click.command()
@folder_argument
@vault_option
@json_option
@click.option("--repair", is_flag=True, help="Also repair the index.")
def doctor(vault: Path | None, as_json: bool, repair: bool) -> None:
    """Check that the index is sound and matches the folder."""
    require_memory_for_vectors()
    with open_library(vault) as library:
        if repair:
            with progress_bar() as show:
                checkup = library.repair(show)
        else:
            checkup = library.check()
    if as_json:
        print_json(asdict(checkup))
    else:
        print_checkup(checkup)
    sys.exit(NOTHING_FOUND if checkup.problems else FOUND)


@click.command()
@folder_argument
@vault_option
def watch(vault: Path | None) -> None:
    """Keep the index up to date until interrupted.

    Each update is printed on standard error.
    """
    keep_little_memory()
    ended = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: ended.set())
    with open_library(vault) as library:
        if not library.indexed:
            require_folder(library.vault)
        watching = library.watch(_UpdatePrinter(library.vault))
        # On some systems nothing interrupts a wait without a timeout.
        while not ended.wait(1):
            continue
        with ended_after(END_S):
            watching.close()


class _UpdatePrinter:
    def __init__(self, vault: Path) -> None:
        self._vault = vault
        self._has_compared = False

    def progressed(self, progress: Progress) -> None:
        """Print nothing: ``updated`` prints a line at the end."""

    def updated(self, report: Report) -> None:
        """Print what an update changed; at the first update, also that nothing changed."""
        if report or not self._has_compared:
            self._print(_update_line(report) if report else f"{self._vault} is indexed.")
        self._has_compared = True

    def failed(self, error: NotesearchError) -> None:
        self._print(str(error))

    def _print(self, line: str) -> None:
        click.echo(f"{dt.datetime.now():%H:%M:%S} {on_one_line(line)}", err=True)


def _update_line(report: Report) -> str:
    if report.elsewhere:
        return "Updated by another notesearch."
    counts = {
        "added": report.added,
        "changed": report.changed,
        "moved": report.moved,
        "removed": report.removed,
    }
    changes = [
        f"{verb} {paths[0]}" if len(paths) == 1 else f"{len(paths):,} {verb}"
        for verb, paths in counts.items()
        if paths
    ]
    if report.embedded:
        changes.append(f"{counted(report.embedded, 'passage')} embedded")
    return ", ".join(changes)


@click.group(cls=CommandGroup, invoke_without_command=True)
@json_option
@click.pass_context
def vaults(ctx: click.Context, as_json: bool) -> None:
    """List the notes folders, with the names for --vault. A star marks the one used last."""
    if ctx.invoked_subcommand is not None:
        return
    settings = load_settings(Paths.choose())
    if as_json:
        print_json(
            [
                {"name": name, "path": path, "current": path == settings.vault}
                for path, name in settings.names.items()
            ]
        )
    else:
        for path, name in settings.names.items():
            mark = "*" if path == settings.vault else " "
            click.echo(f"{mark} {on_one_line(name):<20} {on_one_line(path)}")
        if not settings.listed:
            click.echo("No folder is listed yet. Add one: notesearch vaults add FOLDER", err=True)
    sys.exit(FOUND if settings.listed else NOTHING_FOUND)


@vaults.command()
@click.argument("folder", type=Folder())
@click.option("--name", default="", help="Its name in the list. Default: the name of the folder.")
def add(folder: Path, name: str) -> None:
    """Add FOLDER to the list, or change its name there."""
    paths = Paths.choose()
    settings = load_settings(paths)
    path = real(folder)
    require_folder(path)
    name = _name_to_store(settings, path, name.strip())
    changed = ["vaults"] if settings.vault else ["vault", "vaults"]  # the window opens the first
    settings.with_vault(path).with_name(str(path), name).write(paths, changed)


def _name_to_store(settings: Settings, folder: Path, name: str) -> str:
    """Return the name to store for ``folder``: ``name``, if possible.

    An empty name stands for the folder's own. If another folder in the list has that name, return a
    name that no other folder has.

    Raises:
        click.UsageError: Another folder in the list has that ``name``.
    """
    others = [other for other in settings.folders.values() if other != folder]
    names = vault_names((*others, folder), settings)
    taken = {names[other].casefold() for other in others}
    if name.casefold() in taken:
        raise click.UsageError(
            f"“{name}” is the name of another folder in the list. Choose another name with --name."
        )
    return names[folder] if not name and folder.name.casefold() in taken else name


@vaults.command()
@click.argument("vault", shell_complete=complete_vault_name)
@click.option("--delete-index", is_flag=True, help="Also delete its index. The notes stay.")
def remove(vault: str, delete_index: bool) -> None:
    """Remove VAULT, a name or a folder, from the list. The notes stay."""
    paths = Paths.choose()
    settings = load_settings(paths)
    path = _listed(settings, vault)
    if delete_index:
        _delete_index(Path(path), paths, settings)
    settings.without_vault(path).write(paths, ["vault", "vaults"])


def _delete_index(folder: Path, paths: Paths, settings: Settings) -> None:
    """Delete the index of ``folder`` and its records of opened sections; raises IndexBusyError."""
    from notesearch.library import NoteLibrary

    with NoteLibrary.open(folder, home=paths, settings=settings) as library:
        try:
            library.delete_index()
        except IndexBusyError as error:
            file = str(paths.index_file(library.vault))
            reason = "another notesearch is indexing the folder"
            raise IndexBusyError("index_undeletable", file=file, reason=reason) from error
        library.forget_openings()


def _listed(settings: Settings, vault: str) -> str:
    wanted = vault.casefold()
    folder = real(vault)
    named = [path for path, name in settings.names.items() if name.casefold() == wanted]
    same = [path for path in settings.names if real(path) == folder]
    for path in (*named, *same):
        return path
    raise click.UsageError(f"“{vault}” is not in the list. “notesearch vaults” shows the list.")
