"""What the command line prints: results as JSON for programs, as coloured lines for people."""

import datetime as dt
import json
import re
import sys
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from notesearch.notes import Marked, NoteResult, SearchResult, SectionResult

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

_STEERING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
"""Control characters but for line end and tab, and those that turn the direction of writing."""


def search_json(result: SearchResult) -> dict[str, object]:
    """Return a search result as programs read it."""
    return {
        "query": result.query,
        "mode": str(result.mode),
        "took_ms": round(result.took_ms, 1),
        "total": result.total,
        "results": [_note_json(note) for note in result.notes],
    }


def _note_json(note: NoteResult) -> dict[str, object]:
    modified = dt.datetime.fromtimestamp(note.modified, tz=dt.UTC)
    return {
        "path": note.path,
        "title": note.title,
        "score": round(note.score, 4),
        "tags": list(note.tags),
        "category": note.category,
        "modified": modified.isoformat(timespec="seconds"),
        "page_word_count": note.page_word_count,
        "sections": [_section_json(section) for section in note.sections],
    }


def _section_json(section: SectionResult) -> dict[str, object]:
    return {
        "section": section.section,
        "section_path": list(section.section_path),
        "level": section.level,
        "line": section.line,
        "end_line": section.end_line,
        "chunk_index": section.chunk_index,
        "total_chunks": section.total_chunks,
        "snippet": section.passage,
        "score": round(section.score, 4),
        "why": asdict(section.why),
    }


def print_json(value: object) -> None:
    """Print ``value`` as JSON that any terminal can show."""
    text = json.dumps(value, ensure_ascii=not _writes_unicode(), indent=2)
    click.echo(_STEERING.sub(lambda found: f"\\u{ord(found[0]):04x}", text))


def _writes_unicode() -> bool:
    encoding = getattr(sys.stdout, "encoding", None) or "ascii"
    return encoding.lower().replace("-", "").startswith("utf")


def print_results(result: SearchResult) -> None:
    """Print notes and their sections for people."""
    from rich.text import Text

    console = _console()
    if not result.sections:
        missing = f" Not in any note: {', '.join(result.missing)}." if result.missing else ""
        click.echo(f"No sections match “{visible(result.query)}”.{missing}", err=True)
    for note in result.notes:
        console.print(Text(visible(note.title), "bold"), Text(visible(note.path), "dim"))
        for section in note.sections:
            console.print(_crumbs(section), Text(f"line {section.line}", "dim"))
            console.print(Text("    ").append_text(_marked(section.snippet)))
        if note.more:
            console.print(Text(f"    {note.more} more in this note", "dim"))
        console.print()


def _console() -> "Console":
    from rich.console import Console

    class Output(Console):
        """Standard output; a pipe that is closed is ours to judge, and gets whole lines."""

        def on_broken_pipe(self) -> None:
            raise BrokenPipeError

    return Output(highlight=False, soft_wrap=not (sys.stdout and sys.stdout.isatty()))


def _crumbs(section: SectionResult) -> "Text":
    from rich.text import Text

    line = Text("  ")
    for i, crumb in enumerate(section.breadcrumb):
        line.append(" › " if i else "").append_text(_marked(crumb))
    return line.append("  ✧ Related" if section.related else "", "dim")


def _marked(marked: Marked) -> "Text":
    from rich.text import Text

    text = Text(visible(marked.text))
    if len(text) == len(marked.text):  # else control characters were spelt out
        for start, end in marked.marks:
            text.stylize("bold yellow", start, end)
    return text


def visible(text: str) -> str:
    """Spell out control characters: a note must not be able to steer the terminal."""
    return _STEERING.sub(lambda found: found[0].encode("unicode_escape").decode(), text)
