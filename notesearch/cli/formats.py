"""Results in other shapes: paths and lines for scripts, Markdown to put into a note."""

import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from urllib.parse import quote

import click

from notesearch.cli.ending import on_one_line, visible
from notesearch.results import NoteResult, SearchResult, SectionResult

_Lines = Callable[[Path, SearchResult], Iterable[str]]


def _paths(vault: Path, result: SearchResult) -> Iterable[str]:
    return [str(vault / note.path) for note in result.notes]


def _lines(vault: Path, result: SearchResult) -> Iterable[str]:
    return [f"{vault / section.path}:{section.line}" for section in result.sections]


FORMATS: dict[str, _Lines] = {"paths": _paths, "path:line": _lines}
"""Those of one line for each result."""


def print_lines(vault: Path, result: SearchResult, name: str, *, ends_in_nul: bool) -> None:
    """Print ``result`` in the format ``name`` of ``FORMATS``.

    Paths are printed as they are, but to a terminal, which they must not steer.
    """
    in_terminal = sys.stdout.isatty()
    end = "\0" if ends_in_nul else "\n"
    for line in FORMATS[name](vault, result):
        click.echo((on_one_line(line) if in_terminal else line) + end, nl=False)


def print_markdown(result: SearchResult) -> None:
    """Print ``result`` as Markdown: a heading for each note, below it its sections quoted."""
    for note in result.notes:
        click.echo(visible(_markdown(note)))


def _markdown(note: NoteResult) -> str:
    blocks = [f"## [{_plain(note.title)}](<{_target(note.path)}>)", *map(_quoted, note.sections)]
    return "\n\n".join(blocks) + "\n"


def _quoted(section: SectionResult) -> str:
    passage = "\n".join(f"> {line}".rstrip() for line in section.passage.splitlines())
    place = _plain(" › ".join(section.section_path))
    return f"**{place}** (line {section.line})\n\n{passage}"


def _target(path: str) -> str:
    """Return ``path`` as a link has it: without what would end it, or begin something else."""
    return "".join(quote(char) if char in "%#?<>\\" or char < " " else char for char in path)


def _plain(text: str) -> str:
    """Return ``text`` without what Markdown would take for a sign."""
    return "".join(f"\\{char}" if char in "\\[]<>*_`" else char for char in text)
