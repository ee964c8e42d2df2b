"""The commands that find and read sections: search, related, read and sections."""

import sys
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from notesearch.cli.opening import open_in_editor
from notesearch.cli.options import (
    COUNT,
    all_option,
    complete_heading,
    complete_note,
    complete_query,
    json_option,
    several_vaults_option,
)
from notesearch.cli.output import (
    LINE_FORMATS,
    WITH_LINES,
    print_json,
    print_lines,
    print_markdown,
    print_related,
    print_results,
)
from notesearch.cli.terminal import (
    FOUND,
    NOTHING_FOUND,
    print_error,
    require_memory_for_vectors,
    visible,
)
from notesearch.cli.vaults import open_holding, open_libraries, update
from notesearch.errors import ModelError, NotesearchError
from notesearch.messages import counted
from notesearch.results import Mode, SearchResult
from notesearch.wire import (
    RelatedSection,
    found_section,
    read_page,
    search_response,
    silent_remarks,
    whole_outline,
)

if TYPE_CHECKING:
    from notesearch.libraries import NoteLibraries
    from notesearch.library import NoteLibrary

_EMBEDDING_S = 5.0


@dataclass(frozen=True, slots=True)
class _SearchOptions:
    limit: int
    per_note: int
    mode: str
    format: str
    null_ends: bool
    rerank: bool
    explain: bool
    why_not: str | None
    open_number: int | None
    from_stdin: bool


class _SearchCommand(click.Command):
    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse ``args`` with the options moved to the front and the query after ``--``."""
        takes_value = {
            name: isinstance(option, click.Option) and not (option.is_flag or option.count)
            for option in self.get_params(ctx)
            for name in (*option.opts, *option.secondary_opts)
        }
        options: list[str] = []
        words: list[str] = []
        left = list(args)
        while left:
            arg = left.pop(0)
            if arg == "--":
                words += left
                break
            if not _is_option(arg, takes_value):
                words.append(arg)
                continue
            options.append(arg)
            has_number = bool(left) and left[0].isdigit()
            if takes_value.get(arg) and (arg != "--open" or has_number):  # its number is optional
                if not left:
                    return super().parse_args(ctx, options)  # click says that a value is missing
                options.append(left.pop(0))
        return super().parse_args(ctx, [*options, *(["--", *words] if words else [])])


def _is_option(arg: str, takes_value: dict[str, bool]) -> bool:
    """Return whether ``arg`` is an option, or similar to one and so probably misspelt."""
    name = arg.partition("=")[0]
    if name in takes_value:
        return True
    if arg.startswith("--"):
        return " " not in arg and bool(get_close_matches(name, takes_value, cutoff=0.8))
    return arg[:1] == "-" and takes_value.get(arg[:2], False) and arg[2:].isdigit()


@click.command(cls=_SearchCommand)
@click.argument("query", nargs=-1, shell_complete=complete_query)
@several_vaults_option
@all_option
@json_option
@click.option(
    "-n", "--limit", type=COUNT, default=10, show_default=True, help="Maximum number of sections."
)
@click.option("--per-note", type=COUNT, default=2, show_default=True, help="Maximum from one note.")
@click.option(
    "--mode",
    type=click.Choice([str(mode) for mode in Mode]),
    default=str(Mode.HYBRID),
    show_default=True,
    help="Search by words, by meaning, or by both.",
)
@click.option(
    "--format",
    "format_name",
    type=click.Choice(["text", "json", "markdown", *LINE_FORMATS]),
    help="Paths are absolute. path:line has the line that was found, for editors and tools that"
    " read grep’s output; “line” adds breadcrumb and text, for fzf and vim’s quickfix.",
)
@click.option(
    "-0", "--null", "--print0", "null_ends", is_flag=True, help="End lines with NUL, for xargs -0."
)
@click.option(
    "--open",
    "open_number",
    type=COUNT,
    is_flag=False,
    flag_value=1,
    metavar="[N]",
    help="Open the first or the Nth section in the editor of the settings, else in $VISUAL or"
    " $EDITOR.",
)
@click.option("--stdin", "from_stdin", is_flag=True, help="Read queries from stdin, one per line.")
@click.option("--no-update", is_flag=True, help="Do not update the index first.")
@click.option(
    "--rerank",
    is_flag=True,
    help="Sort the results with the reranker of the settings, within its time (0.3 s).",
)
@click.option("--explain", is_flag=True, help="Show why each section was found.")
@click.option(
    "--why-not",
    metavar="NOTE",
    shell_complete=complete_note,
    help="Instead of results, say why NOTE (or a heading) is not among them, or which rank it has.",
)
def search(
    query: tuple[str, ...],
    vaults: tuple[Path, ...],
    all_vaults: bool,
    as_json: bool,
    format_name: str | None,
    from_stdin: bool,
    no_update: bool,
    **options: Any,  # noqa: ANN401 - click gives them by name
) -> None:
    """Find sections that match QUERY: words, phrases and filters. A minus before one excludes it.

    \b
    "two words"          a phrase           one OR other, ( )    either of them
    recip*               beginning of word  path:travel/japan    folders and files
    file:budget          the file's name    tag:work             and tags below it
    section:packing      headings           prop:status=done     front matter; also > >= < <=
    task:todo task:done  checkboxes         has:code             or table, image, link
    lang:de lang:python  notes, code        after:7d before:2026-04
    links:dashi          to that note       linked-by:dashi      from that note

    Filters alone list the newest notes first. In the shell, put the query in single quotes. Put
    "--" before a query with a word that looks like an option, such as -n.
    """  # noqa: D301 - click keeps the lines below a backspace as they are
    chosen = _SearchOptions(
        format=_format(format_name, as_json, options["null_ends"]), from_stdin=from_stdin, **options
    )
    queries = _queries(query, from_stdin=from_stdin)
    with open_libraries(
        vaults,
        all_vaults=all_vaults,
        may_index=not no_update,
        preloads_model=chosen.mode != "words",
    ) as libraries:
        for library in libraries:
            if not no_update:
                _update(library, 0.0 if chosen.mode == "words" else _EMBEDDING_S, libraries)
        have_results = [
            _answer(libraries, text, chosen, is_first=number == 0)
            for number, text in enumerate(queries)
        ]
    sys.exit(FOUND if any(have_results) else NOTHING_FOUND)


def _format(name: str | None, as_json: bool, null_ends: bool) -> str:
    if as_json and name not in {None, "json"}:
        raise click.UsageError("Use either --json or another --format.")
    default = "text"
    if as_json:
        default = "json"
    elif null_ends:
        default = "paths"
    chosen = name or default
    if null_ends and chosen not in LINE_FORMATS:
        raise click.UsageError("-0 only works with --format paths, path:line or line.")
    return chosen


def _queries(query: tuple[str, ...], *, from_stdin: bool) -> Iterable[str]:
    if from_stdin and query:
        raise click.UsageError("Give either a query or --stdin.")
    if not (from_stdin or query):
        raise click.UsageError("There is no query. Give some words, or --stdin.")
    if not from_stdin:
        return [" ".join(query)]
    if sys.stdin is None:
        raise click.UsageError("Standard input is closed. Send the queries to it, one per line.")
    return (line.strip() for line in sys.stdin if line.strip())


def _update(library: "NoteLibrary", patience: float, libraries: "NoteLibraries") -> None:
    """Update the index; with several ``libraries``, leave errors to the search."""
    try:
        update(library, patience)
    except NotesearchError:
        if len(libraries.names) == 1:
            raise


def _answer(
    libraries: "NoteLibraries", text: str, options: _SearchOptions, *, is_first: bool
) -> bool:
    if options.why_not:
        return _explain_absence(libraries, text, options)
    result = libraries.search(
        text, limit=options.limit, per_note=options.per_note, mode=options.mode
    )
    silent_names = {silent.vault for silent in result.unanswered}
    answering = [libraries[name] for name in libraries.names if name not in silent_names]
    lost = dict.fromkeys(library.lost_meaning(result) for library in answering)
    remarks = [*filter(None, lost)]
    # Once for many queries: a program that sends them may not read standard error.
    if is_first:
        for remark in (*silent_remarks(result.unanswered), *remarks):
            print_error(remark)
    if options.rerank:
        result = _reranked(next(iter(libraries)), result)
    folders = {name: libraries[name].vault for name in libraries.names}
    if options.open_number is not None and result.sections:
        _open_result(libraries, result, options.open_number)
    elif options.format == "json":
        paths = {name: str(folder) for name, folder in folders.items()}
        answer = asdict(search_response(result, remarks))
        print_json({"folders": paths, **answer}, compact=options.from_stdin)
    elif options.format == "markdown":
        print_markdown(folders, result)
    elif options.format in LINE_FORMATS:
        if options.format in WITH_LINES:
            result = _at_lines_found(libraries, result)
        print_lines(folders, result, options.format, null_ends=options.null_ends)
    else:
        print_results(libraries.sharpen(result), folders, explain=options.explain)
    return bool(result.sections)


_NO_SUCH_NOTE = ("absence_unknown", "absence_unknown_near")


def _explain_absence(libraries: "NoteLibraries", text: str, options: _SearchOptions) -> bool:
    """Print why a note is not among the results, or its rank; return whether it exists."""
    from notesearch.libraries import NoteLibraries

    note = options.why_not or ""
    first, *others = libraries
    asked = NoteLibraries(libraries.parts, joined=True) if others else first
    reasons = asked.why_absent(text, note)
    if options.format == "json":
        answers = [{"code": reason.code, "message": reason, **reason.fields} for reason in reasons]
        print_json({"query": text, "note": note, "reasons": answers}, compact=options.from_stdin)
    else:
        for reason in reasons:
            click.echo(visible(reason))
    return not any(reason.code in _NO_SUCH_NOTE for reason in reasons)


@click.command()
@click.argument("path", shell_complete=complete_note)
@click.argument("section", required=False, shell_complete=complete_heading)
@several_vaults_option
@all_option
@json_option
@click.option(
    "-n", "--limit", type=COUNT, default=10, show_default=True, help="Maximum number of sections."
)
@click.option("--own-note", is_flag=True, help="Also show sections of the same note.")
def related(
    path: str,
    section: str | None,
    vaults: tuple[Path, ...],
    all_vaults: bool,
    as_json: bool,
    limit: int,
    own_note: bool,
) -> None:
    """Find sections with a meaning similar to a note or section.

    PATH is the note, SECTION a heading in it, or Parent/Child.
    """
    require_memory_for_vectors()
    with open_holding(vaults, path, all_vaults=all_vaults) as (libraries, name, note):
        for library in libraries:
            _update(library, _EMBEDDING_S, libraries)
        similar = libraries.related(name, note, section, limit=limit, other_notes_only=not own_note)
    if as_json:
        print_json([asdict(found_section(each, RelatedSection)) for each in similar])
    elif all_vaults or len(vaults) > 1:
        print_related([replace(each, path=f"{each.vault}/{each.path}") for each in similar])
    else:
        print_related(similar)
    sys.exit(FOUND if similar else NOTHING_FOUND)


def _reranked(library: "NoteLibrary", result: SearchResult) -> SearchResult:
    if not library.reranking.name:
        raise ModelError("reranker_not_chosen")
    return library.reranking.rerank(result)


def _at_lines_found(libraries: "NoteLibraries", result: SearchResult) -> SearchResult:
    """Return ``result`` with the found line as each section's line, not the heading's line."""
    sections = libraries.sharpen(result).sections
    lines = (libraries[section.vault].place_found(section)[0] for section in sections)
    at_lines = (replace(section, line=line) for section, line in zip(sections, lines, strict=True))
    return replace(result, sections=tuple(at_lines))


def _open_result(libraries: "NoteLibraries", result: SearchResult, number: int) -> None:
    """Open the section with the rank ``number``, from 1, as ``open_in_editor`` does."""
    if number > len(result.sections):
        found = counted(len(result.sections), "section")
        raise click.UsageError(f"Only {found} found. Give --open a smaller number.")
    section = libraries.sharpen(result).sections[number - 1]
    library = libraries[section.vault]
    line, column = library.place_found(section)
    open_in_editor(library, section.path, section.section_path, line, column)


@click.command()
@click.argument("path", shell_complete=complete_note)
@click.argument("section", required=False, shell_complete=complete_heading)
@several_vaults_option
@all_option
@json_option
@click.option(
    "--open",
    "opens",
    is_flag=True,
    help="Open it in the editor of the settings, else in $VISUAL or $EDITOR, and print nothing.",
)
def read(
    path: str,
    section: str | None,
    vaults: tuple[Path, ...],
    all_vaults: bool,
    as_json: bool,
    opens: bool,
) -> None:
    """Print a note, a section with its subsections, or lines.

    PATH is the note, SECTION a heading in it, or Parent/Child. PATH:10-40 prints these lines.
    """
    with open_holding(vaults, path, all_vaults=all_vaults) as (libraries, name, note):
        library = libraries[name]
        text = libraries.answer(name, lambda library: library.read(note, section))
        if opens:
            line = 0 if section else library.resolved(note).lines[0]
            open_in_editor(library, text.path, text.section_path, line or text.line)
            return
        links = library.sections(text.path)
        properties = library.links(text.path).all_properties() if text.is_whole else {}
    if as_json:
        print_json(asdict(read_page(text, links, properties=properties, vault=name)))
    else:
        click.echo(visible(text.complete))


@click.command()
@click.argument("path", shell_complete=complete_note)
@several_vaults_option
@all_option
@json_option
def sections(path: str, vaults: tuple[Path, ...], all_vaults: bool, as_json: bool) -> None:
    """List the sections of the note PATH with their lines and words."""
    with open_holding(vaults, path, all_vaults=all_vaults) as (libraries, name, address):
        links = libraries.answer(name, lambda library: library.sections(address))
        note = libraries[name].note_path(address)
    if as_json:
        print_json(asdict(whole_outline(note, links, name)))
    elif not links:
        print_error(f"“{note}” is empty, so it has no sections.")
    else:
        for link in links:
            indent = "  " * max(0, link.level - 1)
            words = counted(link.words, "word")
            click.echo(f"{link.line:>6}  {words:>12}  {indent}{visible(link.heading)}")
    sys.exit(FOUND if links else NOTHING_FOUND)
