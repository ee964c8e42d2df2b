"""The command line: the commands that open windows, and the list of all other commands."""

import contextlib
import os
import re
import sys
from collections.abc import Iterator
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import click

from notesearch import __version__
from notesearch.cli import opening
from notesearch.cli.model_commands import models
from notesearch.cli.options import completion, vault_option
from notesearch.cli.search_commands import read, related, search, sections
from notesearch.cli.server_commands import mcp, serve
from notesearch.cli.terminal import (
    FAILED,
    ClosedOutput,
    accept_any_text,
    errors_as_sentences,
    load_settings,
    print_error,
)
from notesearch.cli.vault_commands import doctor, index, stats, vaults, watch
from notesearch.config import Paths
from notesearch.messages import shortened

_COMMANDS = (
    *(search, related, read, sections),
    *(vaults, index, stats, doctor, watch),
    *(models, mcp, serve, completion),
)
_SILENT = ("index", "watch", "mcp", "serve", "open", "quick")
"""The commands that work without standard output, or use it in their own way."""

_NEAR = 0.75
"""The minimum likeness (0 to 1) of a misspelt command: “serch” has it, “water” (watch) does not."""

_ASKS_FOR_HELP = f"{__name__}.help"
"""The key in click's ``meta`` that says that the words come after ``help``."""


class _Commands(click.Group):
    """The group of all commands. If the first word is not a command, it is a folder or a query."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if args[:1] == ["help"]:
            ctx.meta[_ASKS_FOR_HELP] = True
            args = [*args[1:], "--help"]
        with _wrong_use_as_sentence(ctx):
            return super().parse_args(ctx, args)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        is_command = self.get_command(ctx, args[0]) or args[0].startswith("-")
        if not is_command and _ASKS_FOR_HELP not in ctx.meta:
            name = "open" if _is_folder(args) else "search"
            shown = [command for command in self.list_commands(ctx) if command != picture.name]
            near = get_close_matches(args[0], shown, n=1, cutoff=_NEAR)
            if name == "search" and near and not ctx.resilient_parsing:
                print_error(
                    f"“{args[0]}” is not a command, so notesearch searches for these words."
                    f" Did you mean “notesearch {near[0]}”?"
                )
            return name, self.get_command(ctx, name), args
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:  # noqa: ANN401 - click's own signature
        with errors_as_sentences(ctx.exit), _wrong_use_as_sentence(ctx):
            return super().invoke(ctx)


_CLICKS_QUOTES = re.compile(r"'([^']*)'")


@contextlib.contextmanager
def _wrong_use_as_sentence(ctx: click.Context) -> Iterator[None]:
    """Print a ``UsageError`` in the style of all other errors, and exit.

    Messages of click itself get a hint, because they do not say what to do.
    """
    try:
        yield
    except click.UsageError as error:
        message = " ".join(error.format_message().split())
        sentence = _CLICKS_QUOTES.sub(lambda quoted: f"“{shortened(quoted[1])}”", message)
        possible = getattr(error, "possibilities", None) or ()
        near = [name for name in possible if name != picture.name]
        if possible:
            sentence = sentence.partition(".")[0]
        if near:
            sentence = f"{sentence}. Did you mean “{near[0]}”?"
        elif type(error) is not click.UsageError or sentence.endswith(")"):
            command = (error.ctx or ctx).command_path
            if error.ctx is None and ctx.invoked_subcommand:
                command = f"{command} {ctx.invoked_subcommand}"
            sentence = f"{sentence.removesuffix('.')}. See “{command} --help”."
        print_error(sentence)
        ctx.exit(FAILED)


def _is_folder(args: list[str]) -> bool:
    words = [arg for arg in args if not arg.startswith("-")]
    folder = os.path.expanduser(words[0])  # noqa: PTH111 - keeps an unknown ~user
    begins = os.path.isabs(folder) or folder.startswith(("~", f".{os.sep}", f"..{os.sep}"))  # noqa: PTH117
    return len(words) == 1 and (begins or os.path.isdir(folder))  # noqa: PTH112


@click.group(
    cls=_Commands,
    commands=_COMMANDS,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(__version__, prog_name="notesearch")
@vault_option
@click.pass_context
def main(ctx: click.Context, vault: Path | None) -> None:
    """Find sections in a folder of Markdown notes.

    With words instead of a command, search for them. With a folder or nothing, open the window.
    """
    accept_any_text()
    if sys.stdout is None and ctx.invoked_subcommand not in (None, *_SILENT):
        sys.stdout = ClosedOutput()
    Paths.choose().tighten()
    if ctx.invoked_subcommand is None:
        opening.open_window(vault)


@main.command("open")
@click.argument("folder", required=False, type=click.Path(path_type=Path))
@click.option("--background", is_flag=True, help="Start without a window; see “notesearch quick”.")
@click.pass_context
def open_window(ctx: click.Context, folder: Path | None, background: bool) -> None:
    """Open the window for FOLDER, or for the folder used last."""
    opening.open_window(folder or ctx.find_root().params["vault"], background=background)


@main.command()
@click.argument("query", nargs=-1)
@click.pass_context
def quick(ctx: click.Context, query: tuple[str, ...]) -> None:
    """Open quick search with QUERY. Without QUERY, open or close it.

    Bind this to a key of your desktop. Starts the program in the background if necessary.
    """
    from notesearch.gui.system.single_instance import ask_quick, start_quick

    folder = ctx.find_root().params["vault"]
    paths = Paths.choose()
    if folder is not None:
        opening.use_folder(folder, load_settings(paths), paths)
    words = list(query)
    if not ask_quick(words):
        start_quick(words)


@main.command()
def licences() -> None:
    """Print the licences of the program and of everything in it."""
    from notesearch.licences import licence_text

    click.echo(licence_text(), nl=False)


@main.command(hidden=True)
@click.argument("target", type=click.Path(path_type=Path))
@click.argument("query")
@vault_option
def picture(target: Path, query: str, vault: Path | None) -> None:
    """Save a picture of the window, drawn without a display."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from notesearch.cli.vaults import vault_folder
    from notesearch.gui.start import save_screenshot

    paths = Paths.choose()
    settings = load_settings(paths)
    target.parent.mkdir(parents=True, exist_ok=True)
    save_screenshot(vault_folder(vault, settings), settings, paths, target, query)
    click.echo(f"Saved {target}", err=True)
