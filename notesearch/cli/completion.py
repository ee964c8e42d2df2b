"""Completion of commands, notes and headings in the shell, and the command that sets it up."""

import contextlib

import click
from click.shell_completion import CompletionItem, get_completion_class

from notesearch.cli.library import opened
from notesearch.errors import NotesearchError

_LISTED = 200


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def completion(ctx: click.Context, shell: str) -> None:
    """Print what makes SHELL complete commands, options, notes and headings.

    \b
    bash   notesearch completion bash >> ~/.bashrc
    zsh    notesearch completion zsh >> ~/.zshrc
    fish   notesearch completion fish > ~/.config/fish/completions/notesearch.fish
    """  # noqa: D301 - click keeps the lines below a backspace as they are
    kind = get_completion_class(shell)
    assert kind
    click.echo(kind(ctx.find_root().command, {}, "notesearch", "_NOTESEARCH_COMPLETE").source())


def notes(ctx: click.Context, _param: click.Parameter, begun: str) -> list[CompletionItem]:
    """Return the notes whose path or title begins as was typed."""
    with (
        contextlib.suppress(NotesearchError, click.ClickException),
        opened(ctx.params.get("vault")) as library,
    ):
        return [
            CompletionItem(path, help=title)
            for path, title in library.note_names()
            if path.startswith(begun) or title.casefold().startswith(begun.casefold())
        ][:_LISTED]
    return []


def headings(ctx: click.Context, _param: click.Parameter, begun: str) -> list[CompletionItem]:
    """Return the headings of the note that was named before."""
    with (
        contextlib.suppress(NotesearchError, click.ClickException),
        opened(ctx.params.get("vault")) as library,
    ):
        return [
            CompletionItem(link.heading)
            for link in library.sections(ctx.params.get("path") or "")
            if link.heading.casefold().startswith(begun.casefold())
        ][:_LISTED]
    return []
