"""The commands that find sections: ``search`` and ``related``."""

import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from notesearch.cli.completion import headings, notes
from notesearch.cli.ending import FOUND, NOTHING_FOUND
from notesearch.cli.formats import FORMATS, print_lines, print_markdown
from notesearch.cli.library import ask, load_ahead, opened, update
from notesearch.cli.open import open_result
from notesearch.cli.options import MANY, json_option, vault_option
from notesearch.cli.output import print_json, print_related, print_results
from notesearch.errors import ModelError
from notesearch.results import SearchResult
from notesearch.wire.sections import related_json, search_json

if TYPE_CHECKING:
    from notesearch.library import NoteLibrary

PATIENCE_S = 5.0
"""How long a search works on meaning before it answers with what is ready."""


@dataclass(frozen=True, slots=True)
class _Wish:
    """How a search is answered: the options of the command."""

    limit: int
    per_note: int
    mode: str
    form: str
    ends_in_nul: bool
    rerank: bool
    explain: bool
    opens: int | None
    from_stdin: bool


@click.command()
@click.argument("query", nargs=-1)
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
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "markdown", *FORMATS]),
    help="Paths are absolute; path:line is what editors and grep's readers take.",
)
@click.option("-0", "--null", "ends_in_nul", is_flag=True, help="End paths with NUL, for xargs -0.")
@click.option(
    "--open",
    "opens",
    type=MANY,
    is_flag=False,
    flag_value=1,
    metavar="[N]",
    help="Open the first section, or the Nth, in the editor of the settings.",
)
@click.option("--stdin", "from_stdin", is_flag=True, help="Read queries, one a line, from stdin.")
@click.option("--no-update", is_flag=True, help="Search the index as it is.")
@click.option(
    "--rerank",
    is_flag=True,
    help="Have the reranker of the settings judge what was found, for its time there (0.3 s).",
)
@click.option("--explain", is_flag=True, help="Say why each section was found.")
def search(
    query: tuple[str, ...],
    vault: Path | None,
    as_json: bool,
    form: str | None,
    from_stdin: bool,
    no_update: bool,
    **options: Any,  # noqa: ANN401 - click gives them by name
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
    form = _form(form, as_json, options["ends_in_nul"])
    wish = _Wish(form=form, from_stdin=from_stdin, **options)
    queries = _queries(query, from_stdin=from_stdin)
    with opened(vault) as library:
        if wish.mode != "words":
            load_ahead(library)
        if not no_update:
            update(library, 0.0 if wish.mode == "words" else PATIENCE_S)
        found = [_answer(library, text, wish, makes=not no_update) for text in queries]
    sys.exit(FOUND if any(found) else NOTHING_FOUND)


def _form(form: str | None, as_json: bool, ends_in_nul: bool) -> str:
    if as_json and form not in {None, "json"}:
        raise click.UsageError("Choose --json or another --format.")
    chosen = form or ("json" if as_json else "paths" if ends_in_nul else "text")
    if ends_in_nul and chosen not in FORMATS:
        raise click.UsageError("-0 goes with --format paths or path:line.")
    return chosen


def _queries(query: tuple[str, ...], *, from_stdin: bool) -> Iterable[str]:
    if from_stdin and query:
        raise click.UsageError("Give a query or --stdin, not both.")
    if not (from_stdin or query):
        raise click.UsageError("Missing argument 'QUERY...'.")
    if not from_stdin:
        return [" ".join(query)]
    return (line.strip() for line in sys.stdin or () if line.strip())


def _answer(library: "NoteLibrary", text: str, wish: _Wish, *, makes: bool) -> bool:
    """Search for ``text`` and print what is found; return whether anything is."""
    mode = wish.mode
    result = ask(
        library,
        lambda: library.search(text, limit=wish.limit, per_note=wish.per_note, mode=mode),
        makes=makes,
    )
    if mode == "meaning" and not result.meaning:
        raise ModelError(library.status().meaning_problem or "meaning_not_ready")
    if wish.rerank:
        result = _in_better_order(library, result)
    if wish.opens is not None and result.sections:
        open_result(library, result, wish.opens)
    elif wish.form == "json":
        print_json(search_json(result), wide=not wish.from_stdin)
    elif wish.form == "markdown":
        print_markdown(result)
    elif wish.form in FORMATS:
        print_lines(library.vault, result, wish.form, ends_in_nul=wish.ends_in_nul)
    else:
        print_results(library.sharpen(result), library.vault, explain=wish.explain)
    return bool(result.sections)


@click.command()
@click.argument("path", shell_complete=notes)
@click.argument("section", required=False, shell_complete=headings)
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


def _in_better_order(library: "NoteLibrary", result: SearchResult) -> SearchResult:
    if not library.reranking.name:
        raise ModelError("reranker_not_chosen")
    return library.reranking.of(result)
