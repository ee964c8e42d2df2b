"""The command line: a thin skin over NoteLibrary, and the way into the window."""

import contextlib
import datetime as dt
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

import click

from notesearch import __version__
from notesearch.cli_output import (
    Told,
    print_checkup,
    print_json,
    print_related,
    print_results,
    related_json,
    search_json,
    visible,
)
from notesearch.config import Paths, Settings, resources
from notesearch.errors import (
    MEANING_NOT_READY,
    IndexBusyError,
    IndexDamagedError,
    IndexFileError,
    ModelError,
    NoteMissingError,
    NotesearchError,
    SettingsError,
)
from notesearch.notes import Phase, Progress, Report

if TYPE_CHECKING:
    from notesearch.library import NoteLibrary

_MANY = click.IntRange(min=1)

_PATIENCE_S = 5.0
"""How long a search works on meaning before it answers with what is ready."""

FOUND, NOTHING_FOUND, FAILED, INTERRUPTED = 0, 1, 2, 130

_Answer = TypeVar("_Answer")


class _Folder(click.Path):
    """A folder's path; an empty text, as an unset variable gives, is not the folder one is in."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:  # noqa: ANN401 - click's own signature
        if value == "":
            self.fail("it is empty.", param, ctx)
        return super().convert(value, param, ctx)


_Progressed = Callable[[Progress], None]

_vault = click.option(
    "--vault",
    type=_Folder(path_type=Path),
    envvar="NOTESEARCH_VAULT",
    help="The notes folder; without it, the one used last.",
)
_json = click.option("--json", "as_json", is_flag=True, help="Print JSON on standard output.")


class _Commands(click.Group):
    """Takes a first word that is no command for a folder to open in the window."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and self.get_command(ctx, args[0]) is None and _is_folder(args[0]):
            return "open", self.get_command(ctx, "open"), args
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:  # noqa: ANN401 - click's own signature
        try:
            return super().invoke(ctx)
        except NotesearchError as error:
            _complain(str(error))
            ctx.exit(FAILED)
        except KeyboardInterrupt:
            ctx.exit(INTERRUPTED)
        except MemoryError:
            _complain("There is not enough memory for this.")
            ctx.exit(FAILED)
        except OSError as error:
            # Nothing may be written at exit any more, where it would fail again.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            if isinstance(error, BrokenPipeError):  # the reader (head, less) has seen enough
                ctx.exit(FOUND)
            _complain(f"{error.strerror or error}.")
            ctx.exit(FAILED)


def _is_folder(word: str) -> bool:
    """Return whether ``word`` names a folder, or looks like one, rather than like a command."""
    folder = os.path.expanduser(word)  # noqa: PTH111 - leaves what it cannot
    return not word.startswith("-") and (os.sep in word or os.path.isdir(folder))  # noqa: PTH112


@click.group(cls=_Commands, invoke_without_command=True)
@click.version_option(__version__, prog_name="notesearch")
@_vault
@click.pass_context
def main(ctx: click.Context, vault: Path | None) -> None:
    """Find sections in a folder of Markdown notes. Without a command, opens the window."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(AttributeError, ValueError):
            stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    if vault is not None:
        ctx.default_map = {name: {"vault": vault} for name in main.commands}
    if ctx.invoked_subcommand is None:
        ctx.invoke(open_window, folder=vault, background=False)


@main.command("open")
@click.argument("folder", required=False, type=click.Path(path_type=Path))
@click.option("--background", is_flag=True, help="Show no window yet; “notesearch quick” does.")
def open_window(folder: Path | None, background: bool) -> None:
    """Open the window on FOLDER (or on the folder used last)."""
    from notesearch.gui.single_instance import SHOW, ask, claimed

    paths = Paths.choose()
    settings = _settings(paths)
    if folder is None and os.environ.get("NOTESEARCH_VAULT"):
        folder = Path(os.environ["NOTESEARCH_VAULT"])
    if folder is not None:
        folder = Path(os.path.expanduser(folder))  # noqa: PTH111 - leaves what it cannot
        if not folder.is_dir():
            raise click.BadParameter(f"There is no folder {folder}.", param_hint="FOLDER")
        settings = settings.with_vault(folder.resolve())
        try:
            settings.save(paths)
        except SettingsError as error:
            _complain(str(error))
    if not background and ask(SHOW):
        return
    vault = Path(settings.vault) if settings.vault else None
    with claimed("" if background else SHOW) as ours:
        if ours:
            from notesearch.gui.app import run

            sys.exit(run(vault, settings, paths, background=background))


@main.command()
@click.argument("query", nargs=-1)
def quick(query: tuple[str, ...]) -> None:
    """Open quick search, on QUERY if there is one; without, close it where it is open.

    Bind it to a key of your desktop. Starts the program in the background where it does not run.
    """
    from notesearch.gui.single_instance import ask_quick, start_quick

    words = list(query)
    if not ask_quick(words):
        start_quick(words)


@main.command()
@_vault
@_json
def index(vault: Path | None, as_json: bool) -> None:
    """Bring the index in line with the folder, now."""
    with _library(vault) as library:
        report = _refresh(library)
        if as_json:
            print_json(asdict(report))
            return
        click.echo(
            f"{len(report.added)} added, {len(report.changed)} changed,"
            f" {len(report.moved)} moved, {len(report.removed)} removed,"
            f" {report.embedded} passages embedded in {report.seconds:.1f} s."
        )
        for unread in report.unread:
            click.echo(f"{visible(unread.path)}: {visible(unread.reason)}", err=True)


@main.command()
@click.argument("query", nargs=-1, required=True)
@_vault
@_json
@click.option("-n", "--limit", type=_MANY, default=10, show_default=True, help="Sections in all.")
@click.option("--per-note", type=_MANY, default=2, show_default=True, help="Sections of one note.")
@click.option(
    "--mode",
    type=click.Choice(["hybrid", "words", "meaning"]),
    default="hybrid",
    show_default=True,
    help="Search by words, by meaning, or by both.",
)
@click.option("--no-update", is_flag=True, help="Search the index as it is.")
@click.option("--explain", is_flag=True, help="Say why each section was found.")
def search(
    query: tuple[str, ...],
    vault: Path | None,
    as_json: bool,
    limit: int,
    per_note: int,
    mode: str,
    no_update: bool,
    explain: bool,
) -> None:
    """Find sections by QUERY: words, and these, each also with a minus in front.

    \b
    "two words"          together           one OR other, ( )    one of both
    recip*               words that begin   path:travel/japan    folders and files
    file:budget          the file's name    tag:work             and tags below it
    section:packing      headings           prop:status=done     front matter; also > >= < <=
    task:todo task:done  boxes to tick      has:code             or table, image, link
    lang:de lang:python  notes, code        after:7d before:2026-04

    Filters alone list the newest notes first. For the shell, put all of it in single quotes, and
    behind "--" where it begins with a minus.
    """  # noqa: D301 - click keeps the lines below a backspace as they are
    with _library(vault) as library:
        if not (no_update and library.indexed):
            _update(library, 0.0 if mode == "words" else _PATIENCE_S)
        text = " ".join(query)
        result = _ask(
            library, lambda: library.search(text, limit=limit, per_note=per_note, mode=mode)
        )
        if mode == "meaning" and not result.meaning:
            problem = library.status().meaning_problem
            raise ModelError(problem or MEANING_NOT_READY)
        if as_json:
            print_json(search_json(result))
        else:
            print_results(library.sharpen(result), explain=explain)
    sys.exit(FOUND if result.sections else NOTHING_FOUND)


@main.command()
@click.argument("path")
@click.argument("section", required=False)
@_vault
@_json
def read(path: str, section: str | None, vault: Path | None, as_json: bool) -> None:
    """Print the note PATH, or its SECTION (a heading, or Parent/Child)."""
    with _library(vault) as library:
        text = _ask(library, lambda: library.read(path, section))
    if as_json:
        print_json(asdict(text))
    else:
        click.echo(visible(text.text))


@main.command()
@click.argument("path")
@_vault
@_json
def sections(path: str, vault: Path | None, as_json: bool) -> None:
    """List the sections of the note PATH with their lines and words."""
    with _library(vault) as library:
        outline = _ask(library, lambda: library.sections(path))
    if as_json:
        print_json([asdict(link) for link in outline])
    else:
        for link in outline:
            indent = "  " * max(0, link.level - 1)
            click.echo(f"{link.line:>6}  {link.words:>6} words  {indent}{visible(link.heading)}")
    sys.exit(FOUND if outline else NOTHING_FOUND)


@main.command()
@click.argument("path")
@click.argument("section", required=False)
@_vault
@_json
@click.option("-n", "--limit", type=_MANY, default=10, show_default=True, help="Sections at most.")
@click.option("--own-note", is_flag=True, help="Also show sections of the same note.")
def related(
    path: str, section: str | None, vault: Path | None, as_json: bool, limit: int, own_note: bool
) -> None:
    """Find sections near the note PATH, or near its SECTION (a heading, or Parent/Child)."""
    with _library(vault) as library:
        _update(library, _PATIENCE_S)
        found = _ask(
            library,
            lambda: library.related(path, section, limit=limit, other_notes_only=not own_note),
        )
    if as_json:
        print_json(related_json(found))
    else:
        print_related(found)
    sys.exit(FOUND if found else NOTHING_FOUND)


@main.command()
@_vault
@_json
def stats(vault: Path | None, as_json: bool) -> None:
    """Show what is indexed, where, and what could not be read."""
    with _library(vault) as library:
        status = _ask(library, library.status)
    if as_json:
        print_json(asdict(status))
        return
    scanned = "never"
    if status.last_scan:
        scanned = dt.datetime.fromtimestamp(status.last_scan).isoformat(" ", "seconds")
    click.echo(
        f"Folder     {visible(status.vault)}{' (not reachable)' if status.vault_missing else ''}\n"
        f"Notes      {status.notes:,} ({status.note_bytes:,} bytes, {status.words:,} words)\n"
        f"Sections   {status.sections:,}\n"
        f"Passages   {status.passages:,} ({status.pending:,} wait for their vector)\n"
        f"Model      {status.model}{f': {status.meaning_problem}' * bool(status.meaning_problem)}\n"
        f"Index      {status.index_path} ({status.index_bytes:,} bytes)\n"
        f"{f'           {status.index_remark}{chr(10)}' * bool(status.index_remark)}"
        f"Compared   {scanned}\n"
        f"Watching   {status.watching or 'no program follows the folder now'}"
    )
    for unread in status.unread:
        kind = "Remark" if unread.remark else "Not read"
        click.echo(f"{kind:<10} {visible(unread.path)}: {visible(unread.reason)}")


@main.command()
@_vault
@_json
@click.option("--repair", is_flag=True, help="Also repair what is wrong.")
def doctor(vault: Path | None, as_json: bool, repair: bool) -> None:
    """Check the index, inside and against the folder, and say what is wrong."""
    with _library(vault) as library:
        if repair:
            with _progress() as progressed:
                found = library.repair(progressed)
        else:
            found = library.check()
    if as_json:
        print_json(asdict(found))
    else:
        print_checkup(found)
    sys.exit(NOTHING_FOUND if found.problems else FOUND)


@main.command()
@_vault
def watch(vault: Path | None) -> None:
    """Keep the index in line with the folder until interrupted; tell each update."""
    ended = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: ended.set())
    with _library(vault) as library:
        library.watch(Told(library.vault))
        # A wait without an end would not be interrupted everywhere.
        while not ended.wait(1):
            continue


@main.command(hidden=True)
@click.argument("target", type=click.Path(path_type=Path))
@click.argument("query")
@_vault
def picture(target: Path, query: str, vault: Path | None) -> None:
    """Save a picture of the window, drawn without a display."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from notesearch.gui.app import save_picture

    paths = Paths.choose()
    settings = _settings(paths)
    target.parent.mkdir(parents=True, exist_ok=True)
    save_picture(_folder(vault, settings), settings, paths, target, query)
    click.echo(f"Saved {target}", err=True)


def _settings(paths: Paths) -> Settings:
    try:
        return Settings.load(paths)
    except SettingsError as error:
        _complain(f"{error} The defaults are used.")
        return Settings()


def _folder(vault: Path | None, settings: Settings) -> Path:
    chosen = vault or (Path(settings.vault) if settings.vault else None)
    if chosen is None:
        sample = resources() / "sample-vault"
        raise click.UsageError(f"Name the notes folder with --vault, for example {sample}.")
    return chosen


@contextlib.contextmanager
def _library(vault: Path | None) -> "Iterator[NoteLibrary]":
    from notesearch.library import NoteLibrary

    settings = _settings(Paths.choose())
    with NoteLibrary.open(_folder(vault, settings), settings=settings) as library:
        yield library


def _ask(library: "NoteLibrary", question: Callable[[], _Answer]) -> _Answer:
    """Ask the library, again after an update where its index is missing or turns out damaged."""
    try:
        return question()
    except IndexDamagedError as error:
        _complain(str(error))
    except (IndexFileError, NoteMissingError):
        if library.indexed:
            raise
    _update(library)
    return question()


def _update(library: "NoteLibrary", patience: float | None = None) -> None:
    """Bring the index up to date, or say why it is searched as it is."""
    try:
        _refresh(library, patience)
    except IndexBusyError:
        if not library.indexed:
            raise
    except NotesearchError as error:
        if not library.indexed:
            raise
        _complain(f"{error} The last index is searched.")


def _refresh(library: "NoteLibrary", patience: float | None = None) -> Report:
    with _progress() as shown, _interruptible(shown) as progressed:
        report = library.refresh(progressed, patience=patience)
    if library.rebuilt:
        _complain(library.rebuilt)
    status = library.status()
    if not status.notes:
        _complain(f"There are no Markdown files in {status.vault}.")
    elif patience and status.pending and not status.meaning_problem:
        _complain(
            f"{status.pending:,} passages are not searched by meaning yet;"
            " “notesearch index” makes them ready."
        )
    return report


@contextlib.contextmanager
def _interruptible(progressed: _Progressed) -> Iterator[_Progressed]:
    """Have an interrupt arrive for certain.

    Python drops the exception where it comes inside what cannot raise, such as a finalizer; the
    next report of progress raises it again.
    """
    interrupted = threading.Event()

    def noted(*_: object) -> NoReturn:
        interrupted.set()
        raise KeyboardInterrupt

    def told(progress: Progress) -> None:
        if interrupted.is_set():
            raise KeyboardInterrupt
        progressed(progress)

    kept = signal.signal(signal.SIGINT, noted)
    try:
        yield told
    finally:
        signal.signal(signal.SIGINT, kept)


def _complain(sentence: str) -> None:
    click.echo(f"notesearch: {visible(sentence)}", err=True)


@contextlib.contextmanager
def _progress() -> Iterator[_Progressed]:
    """Show progress on standard error where that is a terminal."""
    if not (sys.stderr and sys.stderr.isatty()):
        yield lambda _: None
        return
    from rich.console import Console

    names = {Phase.SCAN: "Comparing", Phase.WORDS: "Indexing notes", Phase.MEANING: "Embedding"}
    with Console(stderr=True).status("Comparing") as status:

        def show(progress: Progress) -> None:
            counted = f" {progress.done:,} of {progress.total:,}" if progress.total else ""
            status.update(f"{names.get(progress.phase, '')}{counted}")

        yield show
