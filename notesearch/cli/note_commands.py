"""The commands that read notes: ``read`` and ``sections``."""

import sys
from dataclasses import asdict
from pathlib import Path

import click

from notesearch.cli.completion import complete_heading, complete_note
from notesearch.cli.library_access import ask, open_library
from notesearch.cli.options import json_option, vault_option
from notesearch.cli.output import print_json
from notesearch.cli.terminal import FOUND, NOTHING_FOUND, visible
from notesearch.wire.note_pages import read_page, whole_outline


@click.command()
@click.argument("path", shell_complete=complete_note)
@click.argument("section", required=False, shell_complete=complete_heading)
@vault_option
@json_option
def read(path: str, section: str | None, vault: Path | None, as_json: bool) -> None:
    """Print the note PATH, or its SECTION (a heading, or Parent/Child)."""
    with open_library(vault) as library:
        text = ask(library, lambda: library.read(path, section))
        links = library.sections(text.path)
    if as_json:
        print_json(asdict(read_page(text, links)))
    else:
        click.echo(visible(text.text))


@click.command()
@click.argument("path", shell_complete=complete_note)
@vault_option
@json_option
def sections(path: str, vault: Path | None, as_json: bool) -> None:
    """List the sections of the note PATH with their lines and words."""
    with open_library(vault) as library:
        links = ask(library, lambda: library.sections(path))
        note = library.note_path(path)
    if as_json:
        print_json(asdict(whole_outline(note, links)))
    else:
        for link in links:
            indent = "  " * max(0, link.level - 1)
            click.echo(f"{link.line:>6}  {link.words:>6} words  {indent}{visible(link.heading)}")
    sys.exit(FOUND if links else NOTHING_FOUND)
