"""Completion of commands, notes and headings in the shell, and the command ``completion``."""

import contextlib

import click
from click.shell_completion import CompletionItem, get_completion_class

from notesearch.cli.library_access import open_library
from notesearch.cli.terminal import load_settings
from notesearch.config import Paths
from notesearch.errors import NotesearchError

_MOST_ITEMS = 200


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


def complete_vault(
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
