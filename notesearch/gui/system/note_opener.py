"""Starts the user's editor on a section: no shell, and nothing outside the vault."""

import os
import stat
import sys
from pathlib import Path

from PySide6.QtCore import QProcess, QStandardPaths, QUrl
from PySide6.QtGui import QDesktopServices

from notesearch.gui.system.desktop_entry import opens_scheme
from notesearch.gui.system.editors import (
    EditorError,
    Launch,
    OpenFile,
    OpenLink,
    RunCommand,
    launch,
)
from notesearch.gui.system.obsidian_link import NoteLocation

_BATCH = (".bat", ".cmd")


def checked(place: NoteLocation, *, follow_links: bool = False) -> NoteLocation:
    """Return ``place`` with its file as it is to be opened.

    Args:
        place: What to open.
        follow_links: It may lie where a link in the vault leads.

    Raises:
        EditorError: The note is gone, out of reach or outside the vault.
    """
    # By its own name: what a link called "note.md" leads to may be a program.
    # Neither this nor what follows may raise where a link leads in a circle or a folder is closed.
    name = os.path.normpath if follow_links else os.path.realpath
    file = Path(name(place.file))
    folder = place.folder if follow_links else Path(name(place.folder))
    if not file.is_relative_to(folder):
        raise EditorError("editor_note_outside", name=place.file.name)
    check_there(file)
    return NoteLocation(file, folder, place.line, place.headings)


def check_there(file: Path) -> None:
    """Return where ``file`` is a note's.

    Raises:
        EditorError: It is gone, or lies in a folder that is closed to us.
    """
    try:
        if stat.S_ISREG(file.stat().st_mode):
            return
    except PermissionError as error:
        reason = error.strerror or str(error)
        raise EditorError("note_unreadable", path=file.name, reason=reason) from error
    except (OSError, ValueError):  # a link in a circle; a name that no file can have
        pass
    raise EditorError("editor_note_gone")


def open_note(place: NoteLocation, editor: str, *, follow_links: bool = False) -> None:
    """Open ``place`` in ``editor``, one of those of ``editors``.

    Raises:
        EditorError: The note is gone or outside the vault, or no editor started.
    """
    start(launch(editor, checked(place, follow_links=follow_links)), place.folder)


def start(how: Launch, folder: Path) -> None:
    """Start what opens a section, in ``folder``.

    Raises:
        EditorError: It was not found, or could not be started.
    """
    match how:
        case OpenFile(file):
            if not QDesktopServices.openUrl(QUrl.fromLocalFile(str(file))):
                raise EditorError("editor_of_desktop_missing")
        case OpenLink(url, program):
            found = opens_scheme(url.partition(":")[0])
            mode = QUrl.ParsingMode.StrictMode
            if not found or not QDesktopServices.openUrl(QUrl(url, mode)):
                raise EditorError("editor_not_found", program=program)
        case RunCommand(words):
            _run(words, folder)


def _run(words: tuple[str, ...], folder: Path) -> None:
    program, *arguments = words
    found = QStandardPaths.findExecutable(program) or program
    if not Path(found).is_file():
        raise EditorError("editor_not_found", program=program)
    if sys.platform == "win32" and found.casefold().endswith(_BATCH):
        raise EditorError("editor_batch_file", program=program)
    started, _ = QProcess.startDetached(found, arguments, str(folder))
    if not started:
        raise EditorError("editor_not_started", program=program)
