"""Options that several commands share, and how the shell completes options, notes and headings."""

import contextlib
import os
import re
from collections import Counter
from collections.abc import Callable, Iterable
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource
from click.shell_completion import (
    BashComplete,
    CompletionItem,
    FishComplete,
    add_completion_class,
    get_completion_class,
    split_arg_string,
)

from notesearch.cli.terminal import load_settings
from notesearch.cli.vaults import open_libraries
from notesearch.config import Paths
from notesearch.errors import NotesearchError
from notesearch.messages import shortened

if TYPE_CHECKING:
    from notesearch.libraries import NoteLibraries

_MOST_ITEMS = 200


_FOLDER = "notesearch.folder"
"""The key of click's context under which the argument FOLDER is stored."""


class Number(click.IntRange):
    """The type of an option for a whole number."""

    name = "number"  # of type, in help and errors

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:  # noqa: ANN401 - click's own signature
        """Return the number; print a usage error if it is none, too small or too large."""
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter:
            bounds = (
                f"of at least {self.min}"
                if self.max is None
                else f"from {self.min} to {self.max:,}"
            )
            self.fail(f"“{shortened(str(value))}” is not a whole number {bounds}.", param, ctx)


COUNT = Number(min=1)


class CommandGroup(click.Group):
    """A group of commands, such as ``vaults``. For an unknown command, the error lists them all."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command in ``args``; print a usage error if there is none."""
        if self.get_command(ctx, args[0]) is None and not args[0].startswith("-"):
            commands = ", ".join(self.list_commands(ctx))
            ctx.fail(
                f"There is no command “{ctx.info_name} {args[0]}”. The commands are: {commands}."
            )
        return super().resolve_command(ctx, args)


class Folder(click.Path):
    """The type of an option for a folder. An empty text, as from an unset variable, is an error."""

    def __init__(self) -> None:
        super().__init__(path_type=Path, readable=False)  # the library says why it cannot be read

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:  # noqa: ANN401 - click's own signature
        """Return the path; print a usage error if it is empty."""
        if value == "":
            self.fail("it is empty.", param, ctx)
        return super().convert(value, param, ctx)


def _choose_vault(ctx: click.Context, _param: click.Parameter, vault: Path | None) -> Path | None:
    """Return the notes folder: an argument, or the value of ``--vault`` (even before the command).

    Raises a usage error if both are given after the command.
    """
    folder: Path | None = ctx.meta.get(_FOLDER)
    is_named = ctx.get_parameter_source("vault") is ParameterSource.COMMANDLINE
    if is_named and folder is not None:
        raise click.UsageError("The notes folder is named twice. Leave out one of the two.")
    if is_named or folder is not None:
        return vault if is_named else folder
    before: Path | None = ctx.find_root().params.get("vault", vault)
    return before


def _choose_vaults(
    ctx: click.Context, _param: click.Parameter, vaults: tuple[Path, ...]
) -> tuple[Path, ...]:
    """Return the values of ``--vault`` after the command; else that before, or NOTESEARCH_VAULT."""
    root = ctx.find_root()
    before: Path | None = root.params.get("vault")
    is_usual = root.get_parameter_source("vault") is ParameterSource.ENVIRONMENT
    if is_usual and ctx.params.get("all_vaults"):
        before = None
    return vaults or ((before,) if before is not None else ())


def complete_vault_name(
    _ctx: click.Context, _param: click.Parameter, prefix: str
) -> list[CompletionItem]:
    """Return the names in the list of notes folders that begin with ``prefix``."""
    folders = load_settings(Paths.choose()).folders
    return [
        CompletionItem(name, help=str(folder))
        for name, folder in folders.items()
        if name.casefold().startswith(prefix.casefold())
    ]


def _complete_vault(
    ctx: click.Context, param: click.Parameter, prefix: str
) -> list[CompletionItem]:
    names = complete_vault_name(ctx, param, prefix)
    return [CompletionItem(prefix, type="dir"), *names]  # bash drops items before the folders


vault_option = click.option(
    "--vault",
    type=Folder(),
    shell_complete=_complete_vault,
    callback=_choose_vault,
    envvar="NOTESEARCH_VAULT",
    help="The notes folder, or its name in the list. Default: the one that contains the current"
    " folder, else the one used last.",
)
folder_argument = click.argument(
    "folder",
    required=False,
    type=Folder(),
    shell_complete=_complete_vault,
    is_eager=True,  # before --vault, whose callback asks for it
    expose_value=False,
    callback=lambda ctx, _param, folder: ctx.meta.update({_FOLDER: folder}),
)
"""A folder named without ``--vault``, for commands that take nothing else."""
several_vaults_option = click.option(
    "--vault",
    "vaults",
    multiple=True,
    type=Folder(),
    shell_complete=_complete_vault,
    callback=_choose_vaults,
    help="A notes folder, or its name in the list; may be repeated. Default: the one that contains"
    " the current folder, else the one used last.",
)
all_option = click.option(
    "--all",
    "all_vaults",
    is_flag=True,
    is_eager=True,  # before --vault, whose callback asks for it
    help="Use all folders in the list.",
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON on standard output.")


def complete_model(
    _ctx: click.Context, _param: click.Parameter, prefix: str
) -> list[CompletionItem]:
    """Return the names of installed models that begin with ``prefix``."""
    from notesearch import models

    paths = Paths.choose()
    known = models.listed(paths, load_settings(paths))
    names = (model.name for model in known if model.kind != "suggested")
    return [CompletionItem(name) for name in names if name.startswith(prefix)]


def _completions(
    ctx: click.Context, find: Callable[["NoteLibraries"], Iterable[CompletionItem]]
) -> list[CompletionItem]:
    one = ctx.params.get("vault")
    vaults = ctx.params.get("vaults") or ((one,) if one else ())
    all_vaults = ctx.params.get("all_vaults", False)
    with (
        contextlib.suppress(NotesearchError, click.ClickException),
        open_libraries(vaults, all_vaults=all_vaults, may_index=False) as libraries,
    ):
        return list(islice(find(libraries), _MOST_ITEMS))
    return []


def complete_query(
    ctx: click.Context, _param: click.Parameter, prefix: str
) -> list[CompletionItem]:
    """Return the filters that begin with ``prefix``, such as ``tag:tr``."""
    if ":" not in prefix:
        return []

    def filters(libraries: "NoteLibraries") -> Iterable[CompletionItem]:
        answers, _ = libraries.answers(
            lambda _, library: library.complete_filter(prefix, _MOST_ITEMS)
        )
        texts = (choice.filter for choice in chain.from_iterable(answers.values()))
        return map(CompletionItem, dict.fromkeys(texts))

    return _completions(ctx, filters)


def complete_note(ctx: click.Context, _param: click.Parameter, prefix: str) -> list[CompletionItem]:
    """Return the notes whose address or title begins with ``prefix``.

    With several vaults, addresses begin with the name of the vault.
    """

    def notes(libraries: "NoteLibraries") -> Iterable[CompletionItem]:
        answers, _ = libraries.answers(lambda _, library: library.note_names())
        for vault, names in answers.items():
            for path, title in names:
                address = f"{vault}/{path}" if len(libraries.names) > 1 else path
                texts = (address.casefold(), path.casefold(), title.casefold())
                if any(text.startswith(prefix.casefold()) for text in texts):
                    yield CompletionItem(address, help=title)

    return _completions(ctx, notes)


def complete_heading(
    ctx: click.Context, _param: click.Parameter, prefix: str
) -> list[CompletionItem]:
    """Return the headings that begin with ``prefix``, of the note given on the command line.

    A heading of several sections is followed by the line of each.
    """

    def headings(libraries: "NoteLibraries") -> Iterable[CompletionItem]:
        vault, note = libraries.find_vault(ctx.params.get("path") or "")
        links = libraries[vault].sections(note)
        times = Counter(link.heading.casefold() for link in links)
        for link in links:
            folded = link.heading.casefold()
            if folded.startswith(prefix.casefold()):
                line = f" (line {link.line})" if times[folded] > 1 else ""
                yield CompletionItem(f"{link.heading}{line}")

    return _completions(ctx, headings)


_NOT_PLAIN = re.compile(r"([^\w@%+=:,./-])")


@add_completion_class
class _Bash(BashComplete):
    """Completion for bash. It escapes spaces and other special characters, because bash does not.

    bash cuts words at colons (``COMP_WORDBREAKS``), so the whole line is cut again here.
    """

    source_template = (
        BashComplete.source_template.replace(
            'COMP_WORDS="${COMP_WORDS[*]}"',
            'COMP_WORDS="${COMP_LINE:0:COMP_POINT}" COMP_BREAKS="$COMP_WORDBREAKS"',
        )
        .replace("COMPREPLY+=($value)", 'COMPREPLY+=("$value")')
        .replace("read type", "read -r type")
    )

    def get_completion_args(self) -> tuple[list[str], str]:
        """Return the words before the cursor and the word to complete, which may be empty."""
        line = os.environ["COMP_WORDS"]
        words = split_arg_string(line)[1:]
        is_begun = bool(words) and not re.search(r"(?<!\\)\s\Z", line)
        return (words[:-1], words[-1]) if is_begun else (words, "")

    def complete(self) -> str:
        """Return one completion per line, without the part before a colon, which bash keeps."""
        args, begun = self.get_completion_args()
        cut = begun.rfind(":") + 1 if ":" in os.environ.get("COMP_BREAKS", "") else 0
        lines = []
        for item in self.get_completions(args, begun):
            value = _NOT_PLAIN.sub(r"\\\1", item.value[cut:])
            lines.append(f"{item.type},{value}")
        return "\n".join(lines)


@add_completion_class
class _Fish(FishComplete):
    """Completion for fish, whose words may contain commas."""

    source_template = FishComplete.source_template.replace('split "," $', 'split -m 1 "," $')


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def completion(ctx: click.Context, shell: str) -> None:
    """Print a script with which a shell completes what you type.

    It completes commands, options, filters, notes, headings, and names of folders and models.

    \b
    bash   notesearch completion bash >> ~/.bashrc
    zsh    notesearch completion zsh >> ~/.zshrc
    fish   notesearch completion fish > ~/.config/fish/completions/notesearch.fish
    """  # noqa: D301 - click keeps the lines below a backspace as they are
    kind = get_completion_class(shell)
    assert kind
    click.echo(kind(ctx.find_root().command, {}, "notesearch", "_NOTESEARCH_COMPLETE").source())
