"""Opens what was found in the editor of the settings, else in the system's default program."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from notesearch.results import SearchResult

if TYPE_CHECKING:
    from notesearch.library import NoteLibrary


def open_result(library: "NoteLibrary", result: SearchResult, number: int) -> None:
    """Open the section that stands at ``number``, from 1, in the ranking.

    Raises:
        BadParameter: Fewer sections were found.
        NotesearchError: The note is gone, or there is no such editor.
    """
    if number > len(result.sections):
        message = f"There are only {len(result.sections)} sections."
        raise click.BadParameter(message, param_hint="--open")
    from notesearch.gui.system.editors import OpenFile, OpenLink, RunCommand, launch
    from notesearch.gui.system.obsidian_link import NoteLocation

    section = result.sections[number - 1]
    # The file as it is meant by the index: never one that a link leads to out of the folder.
    file = library.file(library.note_path(section.path))
    place = NoteLocation(file, library.vault, section.line, section.section_path)
    match launch(library.settings.editor, place):
        case RunCommand(words):
            _run(words, library.vault)
        case OpenLink(url, _):
            click.launch(url)
        case OpenFile(path):
            click.launch(str(path))


def _run(words: tuple[str, ...], folder: Path) -> None:
    """Run an editor in the terminal, until it ends where it is of the terminal."""
    import signal
    import subprocess

    # An interrupt is meant for the editor that has the terminal, and may well not end it.
    kept = signal.signal(signal.SIGINT, lambda *_: None)
    try:
        subprocess.run(words, cwd=folder, check=False)  # noqa: S603 - the user's own command
    except OSError as error:
        message = f"“{words[0]}” could not be started: {error.strerror}."
        raise click.UsageError(message) from error
    finally:
        signal.signal(signal.SIGINT, kept)
