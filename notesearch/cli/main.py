"""The command line: a thin skin over NoteLibrary, and the way into the window."""

import os
from collections import UserDict
from importlib import import_module
from pathlib import Path
from typing import Any

import click

from notesearch import __version__
from notesearch.cli import window
from notesearch.cli.ending import failures_told, take_any_text
from notesearch.cli.options import vault_option
from notesearch.cli.settings import load_settings
from notesearch.config import Paths

_MODULES = {
    "index": ("index", "stats", "doctor", "watch"),
    "find": ("search", "related"),
    "read": ("read", "sections"),
    "models": ("models",),
    "vaults": ("vaults",),
    "serving": ("mcp", "serve"),
    "licences": ("licences",),
    "completion": ("completion",),
}
"""Modules of this package, and the commands that stand there under their own names."""


class _OnUse(UserDict[str, click.Command]):
    """Commands by their names; the module of one is imported when it is asked for."""

    def __init__(self) -> None:
        super().__init__()
        self._places = {name: module for module, names in _MODULES.items() for name in names}
        self.data.update(dict.fromkeys(self._places, click.Command(None)))

    def __getitem__(self, name: str) -> click.Command:
        module = self._places.pop(name, None)
        if module is not None:
            self.data[name] = getattr(import_module(f"notesearch.cli.{module}"), name)
        return self.data[name]


class _Commands(click.Group):
    """Takes a first word that is no command for a folder to open in the window."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and self.get_command(ctx, args[0]) is None and _is_folder(args[0]):
            return "open", self.get_command(ctx, "open"), args
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:  # noqa: ANN401 - click's own signature
        with failures_told(ctx.exit):
            return super().invoke(ctx)


def _is_folder(word: str) -> bool:
    """Return whether ``word`` names a folder, or looks like one, rather than like a command."""
    folder = os.path.expanduser(word)  # noqa: PTH111 - leaves what it cannot
    return not word.startswith("-") and (os.sep in word or os.path.isdir(folder))  # noqa: PTH112


@click.group(cls=_Commands, commands=_OnUse(), invoke_without_command=True)
@click.version_option(__version__, prog_name="notesearch")
@vault_option
@click.pass_context
def main(ctx: click.Context, vault: Path | None) -> None:
    """Find sections in a folder of Markdown notes. Without a command, opens the window."""
    take_any_text()
    if ctx.invoked_subcommand is None:
        window.open_window(vault)


@main.command("open")
@click.argument("folder", required=False, type=click.Path(path_type=Path))
@click.option("--background", is_flag=True, help="Show no window yet; “notesearch quick” does.")
@click.pass_context
def open_window(ctx: click.Context, folder: Path | None, background: bool) -> None:
    """Open the window on FOLDER (or on the folder used last)."""
    window.open_window(folder or ctx.find_root().params["vault"], background=background)


@main.command()
@click.argument("query", nargs=-1)
def quick(query: tuple[str, ...]) -> None:
    """Open quick search, on QUERY if there is one; without, close it where it is open.

    Bind it to a key of your desktop. Starts the program in the background where it does not run.
    """
    from notesearch.gui.system.single_instance import ask_quick, start_quick

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
    from notesearch.cli.library import vault_folder
    from notesearch.gui.picture import save_picture

    paths = Paths.choose()
    settings = load_settings(paths)
    target.parent.mkdir(parents=True, exist_ok=True)
    save_picture(vault_folder(vault, settings), settings, paths, target, query)
    click.echo(f"Saved {target}", err=True)
