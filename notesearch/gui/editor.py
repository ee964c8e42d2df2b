"""Opens a note at a line in the user's editor: no shell, and nothing outside the vault."""

import os
import shlex
from pathlib import Path

from PySide6.QtCore import QProcess, QStandardPaths, QUrl
from PySide6.QtGui import QDesktopServices

from notesearch.errors import NotesearchError


class EditorError(NotesearchError):
    """The editor could not be started."""


def knows_lines(template: str) -> bool:
    """Whether the editor command opens a note at a line."""
    return "{line}" in template


def command(template: str, file: Path, line: int) -> list[str]:
    """Return the editor command for ``file`` at ``line``, one entry per argument.

    Raises:
        EditorError: The template is empty or its quotes do not match.
    """
    try:
        words = shlex.split(template, posix=True)
    except ValueError as error:
        raise EditorError(f"The editor command “{template}” has an unclosed quote.") from error
    if not words:
        raise EditorError("No editor command is set.")
    if not any("{path}" in word for word in words):
        words.append("{path}")
    values = {"{line}": str(line), "{column}": "1", "{path}": str(file)}
    for placeholder, value in values.items():
        words = [word.replace(placeholder, value) for word in words]
    return words


def open_note(
    file: Path, vault: Path, line: int, template: str, *, follow_links: bool = False
) -> None:
    """Open ``file`` in the editor of ``template``, or in the system's default one.

    Args:
        file: The note.
        vault: The folder that it must be in.
        line: Where to place the cursor, if the editor can.
        template: Command with ``{path}``, ``{line}`` and ``{column}``, or empty.
        follow_links: It may lie where a link in the vault leads.

    Raises:
        EditorError: The note is gone or outside the vault, or no editor started.
    """
    # By its own name: what a link called "note.md" leads to may be a program.
    found = Path(os.path.normpath(file)) if follow_links else file.resolve()
    if not found.is_relative_to(vault if follow_links else vault.resolve()):
        raise EditorError(f"“{file.name}” lies outside the notes folder and is not opened.")
    if not found.is_file():
        raise EditorError("This note was moved or deleted since the last update.")
    if not template.strip():
        if not QDesktopServices.openUrl(QUrl.fromLocalFile(str(found))):
            raise EditorError("No program is set up on this computer to open Markdown files.")
        return
    program, *arguments = command(template, found, line)
    if not QStandardPaths.findExecutable(program) and not Path(program).is_file():
        raise EditorError(f"“{program}” was not found.")
    started, _ = QProcess.startDetached(program, arguments, str(vault))
    if not started:
        raise EditorError(f"“{program}” could not be started.")
