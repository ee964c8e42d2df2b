"""What several commands share: options and types of values."""

from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

MANY = click.IntRange(min=1)


class Folder(click.Path):
    """A folder's path; an empty text, as an unset variable gives, is not the folder one is in."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:  # noqa: ANN401 - click's own signature
        """Return the folder, or say that there is none."""
        if value == "":
            self.fail("it is empty.", param, ctx)
        return super().convert(value, param, ctx)


def _named(ctx: click.Context, _param: click.Parameter, vault: Path | None) -> Path | None:
    """Return the folder named behind the command, else before it, else by the environment."""
    if ctx.get_parameter_source("vault") is ParameterSource.COMMANDLINE:
        return vault
    named: Path | None = ctx.find_root().params.get("vault", vault)
    return named


vault_option = click.option(
    "--vault",
    type=Folder(path_type=Path),
    callback=_named,
    envvar="NOTESEARCH_VAULT",
    help="The notes folder, or its name in the list; without it, the one used last.",
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON on standard output.")
