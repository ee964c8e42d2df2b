"""Opens a section in a known editor or by a command, and shows notes in the file manager."""

import os
import re
import shlex
import shutil
import stat
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import quote

from PySide6.QtCore import QProcess, QStandardPaths, QUrl
from PySide6.QtGui import QDesktopServices

from notesearch.config import PROGRAM_SUFFIXES
from notesearch.errors import EditorError
from notesearch.gui.system import obsidian_link
from notesearch.gui.system.desktop_entry import opens_file, opens_scheme
from notesearch.gui.system.obsidian_link import NoteLocation
from notesearch.gui.translation import translate

SYSTEM = ""
OBSIDIAN = "obsidian"

PLACEHOLDERS = ("path", "line", "column", "heading", "vault", "vault_path")
"""The placeholders of a custom command, written in braces."""

_PLACEHOLDER = re.compile("{(" + "|".join(PLACEHOLDERS) + ")}")
_NOTES_WORDS = ("{heading}", "{vault}")


@dataclass(frozen=True, slots=True)
class CodeEditor:
    """An editor of the VS Code family: its name, its executables, and the scheme of its links.

    The links are used if no executable is found.
    """

    name: str
    commands: tuple[str, ...]
    scheme: str


CODE_EDITORS = {
    "code": CodeEditor("VS Code", ("code",), "vscode"),
    "code-insiders": CodeEditor("VS Code Insiders", ("code-insiders",), "vscode-insiders"),
    "codium": CodeEditor("VSCodium", ("codium", "vscodium"), "vscodium"),
    "cursor": CodeEditor("Cursor", ("cursor",), "cursor"),
    "windsurf": CodeEditor("Windsurf", ("windsurf",), "windsurf"),
}
"""The editors by their value in the settings."""


@dataclass(frozen=True, slots=True)
class RunCommand:
    """Opens a note by running a program; ``words`` are the program and its arguments."""

    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OpenLink:
    """Opens a note by a link, whose scheme belongs to ``program`` (a name to show)."""

    url: str
    program: str


@dataclass(frozen=True, slots=True)
class OpenFile:
    """Opens the note ``file`` in the system's default program for such files."""

    file: Path


Launch = RunCommand | OpenLink | OpenFile
"""How to open a note."""


def label(editor: str) -> str:
    """Return the label of the action that opens a section in ``editor``."""
    if editor == OBSIDIAN:
        return translate("Open in {program}", program="Obsidian")
    if editor in CODE_EDITORS:
        return translate("Open in {program}", program=CODE_EDITORS[editor].name)
    return translate("Open at line") if "{line}" in editor else translate("Open note")


def second_label(editor: str, first: str) -> str:
    """Return a label for the second ``editor`` that differs from the label of ``first``."""
    text = label(editor)
    if text != label(first):
        return text
    return translate("Open in the second editor")


def how_to_open(editor: str, location: NoteLocation) -> Launch:
    """Return how ``editor`` opens ``location``.

    ``editor`` is ``SYSTEM``, ``OBSIDIAN``, a key of ``CODE_EDITORS``, or a custom command. Only
    Obsidian opens PDFs and drawings; any other editor leaves them to their own programs.

    Raises:
        EditorError: The command is invalid, or the note is not in an Obsidian vault.
    """
    editor = editor.strip()
    has_own_program = location.file.name.lower().endswith(PROGRAM_SUFFIXES)
    if editor == SYSTEM or (has_own_program and editor != OBSIDIAN):
        return OpenFile(location.file)
    if editor == OBSIDIAN:
        return _obsidian(location)
    if editor in CODE_EDITORS:
        return _family(CODE_EDITORS[editor], location)
    return RunCommand(tuple(command(editor, location)))


def begins_notes(editor: str, folder: Path) -> bool:
    """Return whether ``editor`` can create a note in ``folder``; some programs only open files."""
    try:
        how = how_to_create(editor, NoteLocation(folder / "note.md", folder))
    except EditorError:
        return False
    return not isinstance(how, OpenFile)


def how_to_create(editor: str, location: NoteLocation) -> Launch:
    """Return how ``editor`` creates the note at ``location``, or opens it if it exists.

    Raises as ``how_to_open`` does.
    """
    vault = obsidian_link.vault_of(location.file) if editor.strip() == OBSIDIAN else None
    if vault is None or location.file.exists():
        return how_to_open(editor, location)
    return OpenLink(obsidian_link.new_uri(location.file, vault), "Obsidian")


def command(template: str, location: NoteLocation) -> list[str]:
    """Return the words of ``template``, a command with ``PLACEHOLDERS``, that opens ``location``.

    Raises an ``EditorError`` if the template is empty or has an unclosed quote.
    """
    words = words_of(template)
    if not words:
        raise EditorError("editor_not_set")
    if not any("{path}" in word for word in words):
        words.append("{path}")
    return [words[0], *(_filled(word, location) for word in words[1:])]


def words_of(command: str, system: str = sys.platform) -> list[str]:
    """Return the words of ``command``, without the quotes around them; raises EditorError.

    On Windows a backslash is a part of a path, so that it needs no quotes.
    """
    lexer = shlex.shlex(command, posix=True, punctuation_chars=False)
    lexer.whitespace_split = True
    lexer.commenters = ""
    if system == _WINDOWS:
        lexer.escape = ""
    try:
        return list(lexer)
    except ValueError as error:
        raise EditorError("editor_unclosed_quote", command=command) from error


def _filled(word: str, location: NoteLocation) -> str:
    """Return a ``word`` of a command with values for its placeholders.

    A word that begins with text from a note loses its leading hyphens.
    """
    values = {
        "path": str(location.file),
        "line": str(location.line),
        "column": str(location.column),
        "heading": location.heading,
        "vault": location.folder.name,
        "vault_path": str(location.folder),
    }
    filled = _PLACEHOLDER.sub(lambda match: values[match[1]], word)
    # The program must not take the text for an option.
    return filled.lstrip("-") if word.startswith(_NOTES_WORDS) else filled


def _obsidian(location: NoteLocation) -> Launch:
    vault = obsidian_link.vault_of(location.file)
    if vault is None:
        raise EditorError("editor_not_in_obsidian")
    return OpenLink(obsidian_link.uri(location, vault), "Obsidian")


def _family(family: CodeEditor, location: NoteLocation) -> Launch:
    position = f"{location.line}:{location.column}"
    for name in family.commands:
        # On Windows the commands are batch files, which would parse the arguments again.
        if sys.platform != "win32" and shutil.which(name):
            return RunCommand((name, "--goto", f"{location.file}:{position}"))
    path = quote(os.fsencode(location.file.as_posix()), safe="/")
    return OpenLink(f"{family.scheme}://file/{path.lstrip('/')}:{position}", family.name)


_BATCH = (".bat", ".cmd")


def checked(location: NoteLocation, *, follow_links: bool = False) -> NoteLocation:
    """Return ``location`` with the path of its file resolved.

    With ``follow_links``, the file may be outside the vault if a symbolic link leads there. Raises
    an ``EditorError`` if the vault is missing, or the note is missing, inaccessible or outside.
    """
    # With links, keep the note's own name: the target of a link "note.md" may be a program.
    # Neither ``normpath`` nor ``realpath`` raises for a circular link or an inaccessible folder.
    resolve = os.path.normpath if follow_links else os.path.realpath
    file = Path(resolve(location.file))
    folder = location.folder if follow_links else Path(resolve(location.folder))
    if not file.is_relative_to(folder):
        raise EditorError("editor_note_outside", name=location.file.name)
    check_there(file, folder)
    return replace(location, file=file, folder=folder)


def check_there(file: Path, vault: Path) -> Path:
    """Return ``file``; raise ``EditorError`` if it is no regular file, or ``vault`` no folder."""
    try:
        if not vault.is_dir():
            raise EditorError("vault_missing", vault=str(vault))
        if stat.S_ISREG(file.stat().st_mode):
            return file
    except PermissionError as error:
        reason = error.strerror or str(error)
        raise EditorError("note_unreadable", path=file.name, reason=reason) from error
    except (OSError, ValueError):  # a circular link, or an invalid file name
        pass
    raise EditorError("editor_note_gone")


def start(how: Launch, folder: Path) -> None:
    """Open a note as ``how`` says; a command runs in ``folder``. No note is read or checked here.

    Raises an ``EditorError`` if the program was not found or could not be started.
    """
    match how:
        case OpenFile(file):
            # Qt starts ``xdg-open``, and does not notice if that finds no program.
            if not QDesktopServices.openUrl(QUrl.fromLocalFile(str(file))) or not opens_file(file):
                raise EditorError("editor_of_desktop_missing", name=file.name)
        case OpenLink(url, program):
            is_known = opens_scheme(url.partition(":")[0])
            mode = QUrl.ParsingMode.StrictMode
            if not is_known or not QDesktopServices.openUrl(QUrl(url, mode)):
                raise EditorError("editor_not_found", program=program)
        case RunCommand(words):
            _run(words, folder)


def _run(words: tuple[str, ...], folder: Path) -> None:
    program, *arguments = words
    executable = QStandardPaths.findExecutable(program) or program
    if not Path(executable).is_file():
        raise EditorError("editor_not_found", program=program)
    if sys.platform == "win32" and executable.casefold().endswith(_BATCH):
        raise EditorError("editor_batch_file", program=program)
    started, _ = QProcess.startDetached(executable, arguments, str(folder))
    if not started:
        raise EditorError("editor_not_started", program=program)


_WINDOWS = "win32"
_MAC = "darwin"
_PATIENCE_S = 5.0


def select_in_file_manager(file: Path) -> bool:
    """Select ``file`` in the file manager; return whether that was possible. It may take seconds.

    On Linux, the file manager is asked over D-Bus, which starts it.
    """
    if sys.platform == _WINDOWS:
        return QProcess.startDetached("explorer.exe", ["/select,", str(file)])[0]
    if sys.platform == _MAC:
        return QProcess.startDetached("/usr/bin/open", ["-R", str(file)])[0]
    from jeepney import DBusAddress, MessageType, new_method_call
    from jeepney.io.blocking import open_dbus_connection

    name = "org.freedesktop.FileManager1"
    manager = DBusAddress("/org/freedesktop/FileManager1", name, name)
    call = new_method_call(manager, "ShowItems", "ass", ([file.as_uri()], ""))
    try:
        with open_dbus_connection() as bus:
            reply = bus.send_and_get_reply(call, timeout=_PATIENCE_S)
    except (OSError, KeyError, ValueError, RuntimeError):
        return False
    return reply.header.message_type is not MessageType.error


def open_folder_of(file: Path) -> bool:
    """Open the folder of ``file`` in the file manager; return whether that was possible."""
    return QDesktopServices.openUrl(QUrl.fromLocalFile(str(file.parent)))
