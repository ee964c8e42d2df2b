"""Options that several commands share."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

COUNT = click.IntRange(min=1)


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
    ctx: click.Context, param: click.Parameter, prefix: str
) -> "list[CompletionItem]":
    from notesearch.cli.completion import complete_vault  # only the shell asks for it

    return complete_vault(ctx, param, prefix)


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
