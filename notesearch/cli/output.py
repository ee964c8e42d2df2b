"""Prints results (lines for people; JSON, paths or Markdown for programs), and the progress."""

import contextlib
import json
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

import click

from notesearch.cli.terminal import (
    CONTROL_CHARACTERS,
    INTERRUPTED,
    is_terminal,
    on_one_line,
    print_error,
    visible,
)
from notesearch.results import Marked, NoteResult, SearchResult, SectionResult, weak_sentence
from notesearch.status import Checkup, Phase, Progress

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text


def print_related(sections: Sequence[SectionResult]) -> None:
    """Print sections of similar meaning for people, with the note and the line of each."""
    from rich.text import Text

    console = _console()
    if not sections:
        click.echo("No section has a similar meaning.", err=True)
    weak = weak_sentence(section.percent for section in sections)
    if weak:
        click.echo(weak, err=True)
    for section in sections:
        score = f"{section.percent:>3} "
        note = f" {on_one_line(section.path)} line {section.line}"
        console.print(Text(score, "dim") + _crumbs(section) + Text(note, "dim"))
        if section.snippet.text:
            console.print(Text("    ").append_text(_marked(section.snippet)))


def print_json(value: object, *, compact: bool = False) -> None:
    """Print ``value`` as JSON that any terminal can show, on one line if ``compact``."""
    indent = None if compact else 2
    text = json.dumps(value, ensure_ascii=not _writes_unicode(), indent=indent)
    click.echo(CONTROL_CHARACTERS.sub(lambda match: f"\\u{ord(match[0]):04x}", text))


def _writes_unicode() -> bool:
    encoding = getattr(sys.stdout, "encoding", None) or "ascii"
    return encoding.lower().replace("-", "").startswith("utf")


def print_checkup(checkup: Checkup) -> None:
    """Print what a check of the index found and repaired."""
    for sentence in checkup.repaired:
        click.echo(sentence)
    for problem in checkup.problems:
        click.echo(on_one_line(problem.text))
    if not checkup.problems:
        click.echo("The index is sound and up to date with the folder.")
    elif not checkup.repaired:
        click.echo("Run “notesearch doctor --repair” to repair this.", err=True)
    for remark in checkup.remarks:
        click.echo(remark, err=True)
    for file in checkup.set_aside:
        click.echo(f"Kept from an earlier index: {on_one_line(file)}", err=True)


Folders = Mapping[str, Path]


def print_results(result: SearchResult, folders: Folders, *, explain: bool = False) -> None:
    """Print notes and their sections for people, with links to the files in ``folders``."""
    from rich.text import Text

    console = _console()
    remarks = " ".join([result.nothing_sentence, *result.remarks]).strip()
    if remarks:
        click.echo(visible(remarks), err=True)
    for note in result.notes:
        link = f"link {(folders[note.vault] / note.path).as_uri()}"
        title = on_one_line(note.title)
        path = on_one_line(_shown_path(folders, note))
        console.print(Text(title, f"bold {link}"), Text(path, "dim"))
        for section in note.sections:
            crumbs = _crumbs(section)
            crumbs.stylize(link)
            line = Text("  ").append_text(crumbs)
            line.append("  ✧ Related" if section.by_meaning_alone else "", "dim")
            console.print(line, Text(f"line {section.line}", "dim"))
            if section.snippet.text:
                console.print(Text("    ").append_text(_marked(section.snippet)))
            if explain:
                console.print(Text(f"    {why_line(section)}", "dim"))
        if note.more:
            console.print(Text(f"    {note.more} more in this note", "dim"))
        console.print()


_PREFERRED = {
    "opened": "opened for this query before",
    "recent": "changed recently",
    "folder": "in a preferred folder",
}


def why_line(section: SectionResult) -> str:
    """Return a line that says why a section was found: ranks, fields, and the sum of its score."""
    why = section.why
    if why.words_rank is None and why.meaning_rank is None:
        return f"newest first · filters {visible(' '.join(why.filters))}"
    reasons = [
        *(["named as the query"] if why.named else []),
        f"by words {why.words_rank}" if why.words_rank else "not by words",
        f"by meaning {why.meaning_rank}" if why.meaning_rank else "not by meaning",
    ]
    if why.fields:
        reasons.append(f"in {', '.join(why.fields)}")
    if why.filters:
        reasons.append(f"filters {visible(' '.join(why.filters))}")
    reasons += [_PREFERRED[s.name] for s in section.signals if s.name in _PREFERRED and s.value]
    total = f"score {section.score:.3f}"
    if section.signals:
        products = (f"{s.weight:.2f} {s.name} {s.value:.3f}" for s in section.signals if s.value)
        total += f" = {' + '.join(products)}"
    return " · ".join([*reasons, total])


def _console() -> "Console":
    from rich.console import Console

    class Output(Console):
        """Standard output. A closed pipe raises an error; only a terminal wraps lines."""

        def on_broken_pipe(self) -> None:
            raise BrokenPipeError

    return Output(highlight=False, soft_wrap=not is_terminal(sys.stdout))


def _crumbs(section: SectionResult) -> "Text":
    from rich.text import Text

    line = Text()
    for i, crumb in enumerate(section.breadcrumb):
        line.append(" › " if i else "").append_text(_marked(crumb))
    return line


def _marked(marked: Marked) -> "Text":
    from rich.text import Text

    text = Text(visible(marked.text))
    if len(text) == len(marked.text):  # otherwise control characters were escaped
        for start, end in marked.marks:
            text.stylize("bold yellow", start, end)
    return text


WITH_LINES = ("path:line", "line")
LINE_FORMATS = ("paths", *WITH_LINES)


def format_lines(folders: Folders, result: SearchResult, name: str) -> Iterator[str]:
    """Yield the lines of ``result`` in the format ``name``, one of ``LINE_FORMATS``."""
    if name == "paths":
        yield from (str(folders[note.vault] / note.path) for note in result.notes)
        return
    for section in result.sections:
        place = f"{folders[section.vault] / section.path}:{section.line}"
        crumbs = on_one_line(" › ".join(section.shown_path))
        text = on_one_line(section.snippet.text)
        yield f"{place}: {crumbs}: {text}" if name == "line" else place


def print_lines(folders: Folders, result: SearchResult, name: str, *, null_ends: bool) -> None:
    """Print ``result`` in the format ``name``; escape control characters only in a terminal."""
    in_terminal = is_terminal(sys.stdout)
    end = "\0" if null_ends else "\n"
    for line in format_lines(folders, result, name):
        # Without ``color``, click would delete escape sequences from the name of a file.
        click.echo((on_one_line(line) if in_terminal else line) + end, nl=False, color=True)


def print_markdown(folders: Folders, result: SearchResult) -> None:
    """Print ``result`` as Markdown: a heading for each note, and its passages as quotes."""
    for note in result.notes:
        click.echo(visible(_markdown(note, _shown_path(folders, note))))


def _shown_path(folders: Folders, note: NoteResult) -> str:
    return f"{note.vault}/{note.path}" if len(folders) > 1 else note.path


def _markdown(note: NoteResult, path: str) -> str:
    blocks = [
        f"## [{_escape(note.title)}](<{_link_target(path)}>)",
        *map(_quote_section, note.sections),
    ]
    return "\n\n".join(blocks) + "\n"


def _quote_section(section: SectionResult) -> str:
    passage = "\n".join(f"> {line}".rstrip() for line in section.passage.splitlines())
    place = _escape(" › ".join(section.shown_path))
    return f"**{place}** (line {section.line})\n\n{passage}"


def _link_target(path: str) -> str:
    return "".join(quote(char) if char in "%#?<>\\" or char < " " else char for char in path)


def _escape(text: str) -> str:
    return "".join(f"\\{char}" if char in "\\[]<>*_`" else char for char in text)


_NAMES = {Phase.SCAN: "Comparing", Phase.WORDS: "Indexing notes", Phase.MEANING: "Embedding"}

_LINE_EVERY_S = 5.0

_RESTORE_CURSOR = b"\r\x1b[K\x1b[?25h"


class ProgressLines:
    """Prints the progress as a new line every few seconds; ``tell`` prints the line."""

    def __init__(
        self, tell: Callable[[str], None], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._tell = tell
        self._clock = clock
        self._printed_at = clock()

    def __call__(self, progress: Progress) -> None:
        """Print ``progress`` if the last line is at least ``_LINE_EVERY_S`` old."""
        if progress.total and self._clock() - self._printed_at >= _LINE_EVERY_S:
            self._printed_at = self._clock()
            name = _NAMES.get(progress.phase, "")
            self._tell(f"{name}: {progress.done:,} of {progress.total:,}.")


@contextlib.contextmanager
def progress_bar() -> Iterator[Callable[[Progress], None]]:
    """Yield a function that shows progress on standard error: a bar in a terminal, else lines."""
    if not is_terminal(sys.stderr):
        yield ProgressLines(print_error)
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bars

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    console = Console(stderr=True)
    restore = b"" if console.is_dumb_terminal else _RESTORE_CURSOR
    with _restored_on_interrupt(restore), Bars(*columns, console=console, transient=True) as bars:
        bar = bars.add_task(_NAMES[Phase.SCAN], total=None)
        phase = Phase.SCAN

        def show(progress: Progress) -> None:
            nonlocal phase
            if progress.phase is not phase:
                phase = progress.phase
                bars.reset(bar, description=_NAMES.get(phase, ""))
            bars.update(bar, completed=progress.done, total=progress.total or None)

        yield show


@contextlib.contextmanager
def _restored_on_interrupt(restore: bytes) -> Iterator[None]:
    """On an interrupt in this block, write ``restore`` to standard error and end the process.

    The library rich is not used for that: it may hold its lock at that moment.
    """

    def end(*_: object) -> None:
        os.write(2, restore)
        os._exit(INTERRUPTED)

    handler = signal.signal(signal.SIGINT, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)
