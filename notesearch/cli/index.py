"""The commands that keep the index and tell of it: ``index``, ``stats``, ``doctor``, ``watch``."""

import datetime as dt
import signal
import sys
import threading
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from notesearch.cli.ending import FOUND, NOTHING_FOUND, on_one_line, visible
from notesearch.cli.library import ask, opened, refresh
from notesearch.cli.options import json_option, vault_option
from notesearch.cli.output import Told, print_checkup, print_json
from notesearch.cli.progress import shown_progress
from notesearch.errors import VaultMissingError

if TYPE_CHECKING:
    from notesearch.library import NoteLibrary


@click.command()
@vault_option
@json_option
def index(vault: Path | None, as_json: bool) -> None:
    """Bring the index in line with the folder, now."""
    with opened(vault) as library:
        report = refresh(library)
        if as_json:
            print_json(asdict(report))
            return
        click.echo(
            f"{len(report.added)} added, {len(report.changed)} changed,"
            f" {len(report.moved)} moved, {len(report.removed)} removed,"
            f" {report.embedded} passages embedded in {report.seconds:.1f} s."
        )
        for unread in report.unread:
            click.echo(f"{on_one_line(unread.path)}: {on_one_line(unread.reason)}", err=True)
        problem = ask(library, library.status).meaning_problem
        if problem and library.settings.meaning:
            click.echo(visible(problem), err=True)


@click.command()
@vault_option
@json_option
def stats(vault: Path | None, as_json: bool) -> None:
    """Show what is indexed, where, and what could not be read."""
    with opened(vault) as library:
        status = ask(library, library.status)
    if as_json:
        print_json(asdict(status))
        return
    folder = on_one_line(status.vault) + " (not reachable)" * status.vault_missing
    former = f"           {status.former_model} answers until it has all its vectors\n"
    scanned = "never"
    if status.last_scan:
        scanned = dt.datetime.fromtimestamp(status.last_scan).isoformat(" ", "seconds")
    click.echo(
        f"Folder     {folder}\n"
        f"Notes      {status.notes:,} ({status.note_bytes:,} bytes, {status.words:,} words)\n"
        f"Sections   {status.sections:,}\n"
        f"Passages   {status.passages:,} ({status.pending:,} wait for their vector)\n"
        f"Model      {status.model}{f' ({status.engine})' * bool(status.engine)}"
        f"{f': {status.meaning_problem}' * bool(status.meaning_problem)}\n"
        f"{former * bool(status.former_model)}"
        f"Index      {status.index_path} ({status.index_bytes:,} bytes)\n"
        f"{f'           {status.index_remark}{chr(10)}' * bool(status.index_remark)}"
        f"Compared   {scanned}\n"
        f"Watching   {status.watching or 'no program follows the folder now'}"
    )
    for unread in status.unread:
        kind = "Remark" if unread.remark else "Not read"
        click.echo(f"{kind:<10} {on_one_line(unread.path)}: {on_one_line(unread.reason)}")


@click.command()
@vault_option
@json_option
@click.option("--repair", is_flag=True, help="Also repair what is wrong.")
def doctor(vault: Path | None, as_json: bool, repair: bool) -> None:
    """Check the index, inside and against the folder, and say what is wrong."""
    with opened(vault) as library:
        if repair:
            with shown_progress() as progressed:
                found = library.repair(progressed)
        else:
            found = library.check()
    if as_json:
        print_json(asdict(found))
    else:
        print_checkup(found)
    sys.exit(NOTHING_FOUND if found.problems else FOUND)


@click.command()
@vault_option
def watch(vault: Path | None) -> None:
    """Keep the index in line with the folder until interrupted; tell each update."""
    ended = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: ended.set())
    with opened(vault) as library:
        _expect_folder(library)
        library.watch(Told(library.vault))
        # A wait without an end would not be interrupted everywhere.
        while not ended.wait(1):
            continue


def _expect_folder(library: "NoteLibrary") -> None:
    """Fail where there is no folder and never was one: nobody mounts a file, or a slip of a key."""
    if not (library.indexed or library.vault.is_dir()):
        raise VaultMissingError("vault_unknown", vault=str(library.vault))
