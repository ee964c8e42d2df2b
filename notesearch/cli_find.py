"""The commands that find sections: ``search`` and ``related``."""

import sys
from pathlib import Path

import click

from notesearch.cli_library import ask, opened, update
from notesearch.cli_options import FOUND, MANY, NOTHING_FOUND, json_option, vault_option
from notesearch.cli_output import print_json, print_related, print_results
from notesearch.errors import MEANING_NOT_READY, ModelError
from notesearch.wire import related_json, search_json

PATIENCE_S = 5.0
"""How long a search works on meaning before it answers with what is ready."""


@click.command()
@click.argument("query", nargs=-1, required=True)
@vault_option
@json_option
@click.option("-n", "--limit", type=MANY, default=10, show_default=True, help="Sections in all.")
@click.option("--per-note", type=MANY, default=2, show_default=True, help="Sections of one note.")
@click.option(
    "--mode",
    type=click.Choice(["hybrid", "words", "meaning"]),
    default="hybrid",
    show_default=True,
    help="Search by words, by meaning, or by both.",
)
@click.option("--no-update", is_flag=True, help="Search the index as it is.")
@click.option("--explain", is_flag=True, help="Say why each section was found.")
def search(
    query: tuple[str, ...],
    vault: Path | None,
    as_json: bool,
    limit: int,
    per_note: int,
    mode: str,
    no_update: bool,
    explain: bool,
) -> None:
    """Find sections by QUERY: words, and these, each also with a minus in front.

    \b
    "two words"          together           one OR other, ( )    one of both
    recip*               words that begin   path:travel/japan    folders and files
    file:budget          the file's name    tag:work             and tags below it
    section:packing      headings           prop:status=done     front matter; also > >= < <=
    task:todo task:done  boxes to tick      has:code             or table, image, link
    lang:de lang:python  notes, code        after:7d before:2026-04

    Filters alone list the newest notes first. For the shell, put all of it in single quotes, and
    behind "--" where it begins with a minus.
    """  # noqa: D301 - click keeps the lines below a backspace as they are
    with opened(vault) as library:
        if not (no_update and library.indexed):
            update(library, 0.0 if mode == "words" else PATIENCE_S)
        text = " ".join(query)
        result = ask(
            library, lambda: library.search(text, limit=limit, per_note=per_note, mode=mode)
        )
        if mode == "meaning" and not result.meaning:
            problem = library.status().meaning_problem
            raise ModelError(problem or MEANING_NOT_READY)
        if as_json:
            print_json(search_json(result))
        else:
            print_results(library.sharpen(result), explain=explain)
    sys.exit(FOUND if result.sections else NOTHING_FOUND)


@click.command()
@click.argument("path")
@click.argument("section", required=False)
@vault_option
@json_option
@click.option("-n", "--limit", type=MANY, default=10, show_default=True, help="Sections at most.")
@click.option("--own-note", is_flag=True, help="Also show sections of the same note.")
def related(
    path: str, section: str | None, vault: Path | None, as_json: bool, limit: int, own_note: bool
) -> None:
    """Find sections near the note PATH, or near its SECTION (a heading, or Parent/Child)."""
    with opened(vault) as library:
        update(library, PATIENCE_S)
        found = ask(
            library,
            lambda: library.related(path, section, limit=limit, other_notes_only=not own_note),
        )
    if as_json:
        print_json(related_json(found))
    else:
        print_related(found)
    sys.exit(FOUND if found else NOTHING_FOUND)
