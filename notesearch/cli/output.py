"""What the command line prints: results as JSON for programs, as coloured lines for people."""

import datetime as dt
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from notesearch.cli.ending import STEERING, on_one_line, visible
from notesearch.errors import NotesearchError
from notesearch.results import Marked, SearchResult, SectionResult
from notesearch.status import Checkup, Progress, Report

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text


def print_related(found: Sequence[SectionResult]) -> None:
    """Print sections for people, the nearest first, each with its note."""
    from rich.text import Text

    console = _console()
    if not found:
        click.echo("No section is near to it.", err=True)
    for section in found:
        score, place = f"{section.score:.2f} ", f" {on_one_line(section.path)} line {section.line}"
        console.print(Text(score, "dim") + _crumbs(section) + Text(place, "dim"))
        console.print(Text("    ").append_text(_marked(section.snippet)))


def print_json(value: object, *, wide: bool = True) -> None:
    """Print ``value`` as JSON that any terminal can show; on one line unless it is ``wide``."""
    indent = 2 if wide else None
    text = json.dumps(value, ensure_ascii=not _writes_unicode(), indent=indent)
    click.echo(STEERING.sub(lambda found: f"\\u{ord(found[0]):04x}", text))


def _writes_unicode() -> bool:
    encoding = getattr(sys.stdout, "encoding", None) or "ascii"
    return encoding.lower().replace("-", "").startswith("utf")


def print_checkup(found: Checkup) -> None:
    """Print what a check of the index found, and what was done about it."""
    for sentence in found.repaired:
        click.echo(sentence)
    for problem in found.problems:
        click.echo(on_one_line(problem.text))
    if not found.problems:
        click.echo("The index is whole and agrees with the folder.")
    elif not found.repaired:
        click.echo("“notesearch doctor --repair” puts this right.", err=True)
    for remark in found.remarks:
        click.echo(remark, err=True)
    for file in found.set_aside:
        click.echo(f"Kept from an earlier, unusable index: {on_one_line(file)}", err=True)


class Told:
    """Tells what the indexing thread does, one line on standard error for each update."""

    def __init__(self, vault: Path) -> None:
        """Take the folder that is watched."""
        self._vault = vault
        self._compared = False

    def progressed(self, progress: Progress) -> None:
        """Say nothing: an update tells the outcome."""

    def updated(self, report: Report) -> None:
        """Tell what an update did, and once that the folder was compared."""
        if report or not self._compared:
            self._say(update_line(report) if report else f"{self._vault} is indexed.")
        self._compared = True

    def failed(self, error: NotesearchError) -> None:
        """Tell what went wrong; it is tried again."""
        self._say(str(error))

    def _say(self, line: str) -> None:
        click.echo(f"{dt.datetime.now():%H:%M:%S} {on_one_line(line)}", err=True)


def update_line(report: Report) -> str:
    """Return what an update did, as one line that names a single note."""
    if report.elsewhere:
        return "Updated by another notesearch."
    counts = {
        "added": report.added, "changed": report.changed, "moved": report.moved,
        "removed": report.removed,
    }  # fmt: skip
    parts = [
        f"{verb} {paths[0]}" if len(paths) == 1 else f"{len(paths):,} {verb}"
        for verb, paths in counts.items()
        if paths
    ]
    parts += [f"{report.embedded:,} passages embedded"] * bool(report.embedded)
    return ", ".join(parts)


def print_results(result: SearchResult, vault: Path, *, explain: bool = False) -> None:
    """Print notes and their sections for people; with ``explain``, also why each was found.

    In a terminal that knows links, titles and headings lead to the files in ``vault``.
    """
    from rich.text import Text

    console = _console()
    for word in result.spelling:
        click.echo(
            f"Showing results for “{visible(word.meant)}”{' too' * word.also};"
            f" put “{visible(word.typed)}” in quotes to search for exactly that.",
            err=True,
        )
    if result.without:
        click.echo(visible(result.without_sentence), err=True)
    if result.not_filters:
        click.echo(visible(result.not_filters_sentence), err=True)
    if not result.sections:
        reasons = (*(one.sentence for one in result.unmet), result.missing_sentence)
        sentences = " ".join([f"No sections match “{result.query}”.", *filter(None, reasons)])
        click.echo(visible(sentences), err=True)
    elif result.missing:
        click.echo(visible(result.missing_sentence), err=True)
    for note in result.notes:
        link = f"link {(vault / note.path).as_uri()}"
        title, path = on_one_line(note.title), on_one_line(note.path)
        console.print(Text(title, f"bold {link}"), Text(path, "dim"))
        for section in note.sections:
            crumbs = _crumbs(section)
            crumbs.stylize(link)
            line = Text("  ").append_text(crumbs)
            line.append("  ✧ Related" if section.related else "", "dim")
            console.print(line, Text(f"line {section.line}", "dim"))
            console.print(Text("    ").append_text(_marked(section.snippet)))
            if explain:
                console.print(Text(f"    {why_line(section)}", "dim"))
        if note.more:
            console.print(Text(f"    {note.more} more in this note", "dim"))
        console.print()


def why_line(section: SectionResult) -> str:
    """Return why a section was found, in words: its ranks, where words matched, and its score.

    What filters alone found has neither; there the newest note stands first.
    """
    why = section.why
    if why.words_rank is None and why.meaning_rank is None:
        return f"newest first · filters {visible(' '.join(why.filters))}"
    parts = [
        f"by words {why.words_rank}" if why.words_rank else "not by words",
        f"by meaning {why.meaning_rank}" if why.meaning_rank else "not by meaning",
    ]
    parts += [f"in {', '.join(why.fields)}"] * bool(why.fields)
    parts += [f"filters {visible(' '.join(why.filters))}"] * bool(why.filters)
    return " · ".join([*parts, f"score {section.score:.3f}"])


def _console() -> "Console":
    from rich.console import Console

    class Output(Console):
        """Standard output; a pipe that is closed is ours to judge, and gets whole lines."""

        def on_broken_pipe(self) -> None:
            raise BrokenPipeError

    return Output(highlight=False, soft_wrap=not (sys.stdout and sys.stdout.isatty()))


def _crumbs(section: SectionResult) -> "Text":
    from rich.text import Text

    line = Text()
    for i, crumb in enumerate(section.breadcrumb):
        line.append(" › " if i else "").append_text(_marked(crumb))
    return line


def _marked(marked: Marked) -> "Text":
    from rich.text import Text

    text = Text(visible(marked.text))
    if len(text) == len(marked.text):  # else control characters were spelt out
        for start, end in marked.marks:
            text.stylize("bold yellow", start, end)
    return text
