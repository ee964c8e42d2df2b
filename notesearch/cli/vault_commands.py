"""The command ``vaults``: shows and changes the list of vaults."""

import sys
from pathlib import Path

import click

from notesearch.cli.options import Folder, json_option
from notesearch.cli.output import print_json
from notesearch.cli.terminal import FOUND, NOTHING_FOUND, load_settings, on_one_line
from notesearch.config import Paths, Settings, vault_names
from notesearch.files import real


@click.group(invoke_without_command=True)
@json_option
@click.pass_context
def vaults(ctx: click.Context, as_json: bool) -> None:
    """List the notes folders, with the names for --vault. A star marks the one used last."""
    if ctx.invoked_subcommand is not None:
        return
    settings = load_settings(Paths.choose())
    if as_json:
        print_json(
            [
                {"name": name, "path": path, "current": path == settings.vault}
                for path, name in settings.names.items()
            ]
        )
    else:
        for path, name in settings.names.items():
            mark = "*" if path == settings.vault else " "
            click.echo(f"{mark} {on_one_line(name):<20} {on_one_line(path)}")
        if not settings.listed:
            click.echo("No folder is listed yet. Add one: notesearch vaults add FOLDER", err=True)
    sys.exit(FOUND if settings.listed else NOTHING_FOUND)


@vaults.command()
@click.argument("folder", type=Folder(exists=True, file_okay=False, path_type=Path))
@click.option("--name", default="", help="Its name in the list. Default: the name of the folder.")
def add(folder: Path, name: str) -> None:
    """Add FOLDER to the list."""
    paths = Paths.choose()
    settings, path = load_settings(paths), real(folder)
    name = _free_name(settings, path, name.strip())
    settings.with_vault(path).with_name(str(path), name).write(paths, ["vaults"])


def _free_name(settings: Settings, folder: Path, name: str) -> str:
    """Return a name for ``folder`` that no other listed folder has; empty for its folder name.

    ``name`` is the name that the user wants, or empty.

    Raises:
        UsageError: Another folder in the list is called ``name``.
    """
    others = [other for other in settings.folders.values() if other != folder]
    names = vault_names((*others, folder), settings)
    taken = {names[other].casefold() for other in others}
    if name.casefold() in taken:
        raise click.UsageError(f"“{name}” is the name of another folder in the list.")
    return names[folder] if not name and folder.name.casefold() in taken else name


@vaults.command()
@click.argument("vault")
@click.option("--delete-index", is_flag=True, help="Also delete its index. The notes stay.")
def remove(vault: str, delete_index: bool) -> None:
    """Remove VAULT, a name or a folder, from the list. The notes stay."""
    from notesearch.library import NoteLibrary

    paths = Paths.choose()
    settings = load_settings(paths)
    path = _listed(settings, vault)
    if delete_index:
        with NoteLibrary.open(Path(path), home=paths, settings=settings) as library:
            library.delete_index()
            library.forget_openings()
    settings.without_vault(path).write(paths, ["vault", "vaults"])


def _listed(settings: Settings, vault: str) -> str:
    """Return the path under which the settings list ``vault``, which is a name or a folder.

    Raises:
        UsageError: The vault is not listed.
    """
    wanted, folder = vault.casefold(), real(vault)
    named = [path for path, name in settings.names.items() if name.casefold() == wanted]
    same = [path for path in settings.names if real(path) == folder]
    for path in (*named, *same):
        return path
    raise click.UsageError(f"“{vault}” is not in the list. “notesearch vaults” shows the list.")
