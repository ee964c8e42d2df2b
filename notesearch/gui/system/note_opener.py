"""Opens a section in the user's editor: without a shell, and only inside the vault."""

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
    """Return ``place`` with the path of its file resolved.

    Args:
        place: The section to open.
        follow_links: Accept a file outside the vault if a link in the vault leads there.

    Raises:
        EditorError: The note is missing, not accessible or outside the vault.
    """
    # With links, keep the note's own name: the target of a link "note.md" may be a program.
    # Neither function raises for a circular link or an inaccessible folder.
    name = os.path.normpath if follow_links else os.path.realpath
    file = Path(name(place.file))
    folder = place.folder if follow_links else Path(name(place.folder))
    if not file.is_relative_to(folder):
        raise EditorError("editor_note_outside", name=place.file.name)
    check_there(file)
    return NoteLocation(file, folder, place.line, place.headings)


def check_there(file: Path) -> None:
    """Check that ``file`` exists.

    Raises:
        EditorError: It is missing or not accessible.
    """
    try:
        if stat.S_ISREG(file.stat().st_mode):
            return
    except PermissionError as error:
        reason = error.strerror or str(error)
        raise EditorError("note_unreadable", path=file.name, reason=reason) from error
    except (OSError, ValueError):  # a circular link, or an invalid file name
        pass
    raise EditorError("editor_note_gone")


def open_note(place: NoteLocation, editor: str, *, follow_links: bool = False) -> None:
    """Open ``place`` in ``editor``, a value of the editor setting.

    Raises:
        EditorError: The note is missing or outside the vault, or the editor did not start.
    """
    start(launch(editor, checked(place, follow_links=follow_links)), place.folder)


def start(how: Launch, folder: Path) -> None:
    """Run ``how`` in ``folder``.

    Raises:
        EditorError: The program was not found or could not be started.
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
