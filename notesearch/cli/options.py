"""Options that several commands share, and how the shell completes options, notes and headings."""

import contextlib
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource
from click.shell_completion import CompletionItem, get_completion_class

from notesearch.cli.library_access import open_library
from notesearch.cli.terminal import load_settings
from notesearch.config import Paths
from notesearch.errors import NotesearchError

COUNT = click.IntRange(min=1)
_MOST_ITEMS = 200


class Folder(click.Path):
    """The path of a folder; refuses an empty text, such as the value of an unset variable."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:  # noqa: ANN401 - click's own signature
        """Return the path, or fail if it is empty."""
        if value == "":
            self.fail("it is empty.", param, ctx)
        return super().convert(value, param, ctx)


def _choose_vault(ctx: click.Context, _param: click.Parameter, vault: Path | None) -> Path | None:
    """Return the folder given after the command, else before it, else by the environment."""
    if ctx.get_parameter_source("vault") is ParameterSource.COMMANDLINE:
        return vault
    before: Path | None = ctx.find_root().params.get("vault", vault)
    return before


def _complete_vault(
    _ctx: click.Context, _param: click.Parameter, prefix: str
) -> list[CompletionItem]:
    """Return the names of listed vaults that begin with ``prefix``, and folders."""
    listed = load_settings(Paths.choose()).listed
    found = [
        CompletionItem(one.label, help=one.path)
        for one in listed
        if one.label.casefold().startswith(prefix.casefold())
    ]
    return [*found, CompletionItem(prefix, type="dir")]


vault_option = click.option(
    "--vault",
    type=Folder(path_type=Path),
    shell_complete=_complete_vault,
    callback=_choose_vault,
    envvar="NOTESEARCH_VAULT",
    help="The notes folder, or its name in the list. Default: the one around the current folder,"
    " else the one used last.",
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON on standard output.")


def complete_note(ctx: click.Context, _param: click.Parameter, prefix: str) -> list[CompletionItem]:
    """Return the notes whose path or title begins with ``prefix``."""
    with (
        contextlib.suppress(NotesearchError, click.ClickException),
        open_library(ctx.params.get("vault")) as library,
    ):
        return [
            CompletionItem(path, help=title)
            for path, title in library.note_names()
            if path.startswith(prefix) or title.casefold().startswith(prefix.casefold())
        ][:_MOST_ITEMS]
    return []


def complete_heading(
    ctx: click.Context, _param: click.Parameter, prefix: str
) -> list[CompletionItem]:
    """Return the headings of the note before it on the command line."""
    with (
        contextlib.suppress(NotesearchError, click.ClickException),
        open_library(ctx.params.get("vault")) as library,
    ):
        return [
            CompletionItem(link.heading)
            for link in library.sections(ctx.params.get("path") or "")
            if link.heading.casefold().startswith(prefix.casefold())
        ][:_MOST_ITEMS]
    return []


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def completion(ctx: click.Context, shell: str) -> None:
    """Print a script with which SHELL completes commands, options, notes and headings.

    \b
    bash   notesearch completion bash >> ~/.bashrc
    zsh    notesearch completion zsh >> ~/.zshrc
    fish   notesearch completion fish > ~/.config/fish/completions/notesearch.fish
    """  # noqa: D301 - click keeps the lines below a backspace as they are
    kind = get_completion_class(shell)
    assert kind
    click.echo(kind(ctx.find_root().command, {}, "notesearch", "_NOTESEARCH_COMPLETE").source())
