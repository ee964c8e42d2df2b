"""The command line: a thin skin over NoteLibrary, and the way into the window."""

import contextlib
import gc
import os
import sys
from pathlib import Path
from typing import Any

import click

from notesearch import __version__
from notesearch.cli import (
    completion,
    find,
    index,
    licences,
    models,
    read,
    serving,
    vaults,
)
from notesearch.cli.library import load_settings, vault_folder
from notesearch.cli.options import FAILED, FOUND, INTERRUPTED, vault_option
from notesearch.cli.output import complain
from notesearch.config import Paths
from notesearch.errors import NotesearchError, SettingsError


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
            complain(str(error))
            ctx.exit(FAILED)
        except KeyboardInterrupt:
            ctx.exit(INTERRUPTED)
        except MemoryError:
            complain("There is not enough memory for this.")
            ctx.exit(FAILED)
        except OSError as error:
            # Nothing may be written at exit any more, where it would fail again.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            if isinstance(error, BrokenPipeError):  # the reader (head, less) has seen enough
                ctx.exit(FOUND)
            complain(f"{error.strerror or error}.")
            ctx.exit(FAILED)


def _is_folder(word: str) -> bool:
    """Return whether ``word`` names a folder, or looks like one, rather than like a command."""
    folder = os.path.expanduser(word)  # noqa: PTH111 - leaves what it cannot
    return not word.startswith("-") and (os.sep in word or os.path.isdir(folder))  # noqa: PTH112


@click.group(cls=_Commands, invoke_without_command=True)
@click.version_option(__version__, prog_name="notesearch")
@vault_option
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
    from notesearch.gui.instance_lock import claimed
    from notesearch.gui.single_instance import SHOW, ask

    paths = Paths.choose()
    settings = load_settings(paths)
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
            complain(str(error))
    if not background and ask(SHOW):
        return
    vault = Path(settings.vault) if settings.vault else None
    with claimed("" if background else SHOW) as ours:
        if ours:
            gc.disable()  # while it loads; the window collects in turns of its own
            from notesearch.gui.start import run

            sys.exit(run(vault, settings, paths, background=background))


@main.command()
@click.argument("query", nargs=-1)
def quick(query: tuple[str, ...]) -> None:
    """Open quick search, on QUERY if there is one; without, close it where it is open.

    Bind it to a key of your desktop. Starts the program in the background where it does not run.
    """
    from notesearch.gui.instance_lock import start_quick
    from notesearch.gui.single_instance import ask_quick

    words = list(query)
    if not ask_quick(words):
        start_quick(words)


@main.command(hidden=True)
@click.argument("target", type=click.Path(path_type=Path))
@click.argument("query")
@vault_option
def picture(target: Path, query: str, vault: Path | None) -> None:
    """Save a picture of the window, drawn without a display."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from notesearch.gui.picture import save_picture

    paths = Paths.choose()
    settings = load_settings(paths)
    target.parent.mkdir(parents=True, exist_ok=True)
    save_picture(vault_folder(vault, settings), settings, paths, target, query)
    click.echo(f"Saved {target}", err=True)


for _command in (
    index.index,
    find.search,
    read.read,
    read.sections,
    find.related,
    index.stats,
    index.doctor,
    index.watch,
    models.models,
    vaults.vaults,
    serving.mcp,
    serving.serve,
    licences.licences,
    completion.completion,
):
    main.add_command(_command)
