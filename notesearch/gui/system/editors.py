"""The editors we know, and the command or link that makes each open a section."""

import os
import re
import shlex
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from notesearch.errors import NotesearchError
from notesearch.gui.system import obsidian_link
from notesearch.gui.system.obsidian_link import NoteLocation
from notesearch.gui.translation import translate

SYSTEM, OBSIDIAN = "", "obsidian"

PLACES = ("path", "line", "column", "heading", "vault", "vault_path")
"""The placeholders of a custom command, written in braces."""

_PLACE = re.compile("{(" + "|".join(PLACES) + ")}")
_NOTES_WORDS = ("{heading}", "{vault}")


class EditorError(NotesearchError):
    """The editor could not be started."""


@dataclass(frozen=True, slots=True)
class CodeEditor:
    """An editor of the VS Code family.

    Attributes:
        name: For the user.
        commands: Its executables, in the order to try them.
        scheme: The scheme of its links, used if no executable is on the path.
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
"""By their value in the settings."""


@dataclass(frozen=True, slots=True)
class RunCommand:
    """A program with its arguments."""

    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OpenLink:
    """A link that ``program`` opens."""

    url: str
    program: str


@dataclass(frozen=True, slots=True)
class OpenFile:
    """A file for the system's default program."""

    file: Path


Launch = RunCommand | OpenLink | OpenFile


def label(editor: str) -> str:
    """Return the label of the action that opens a section in ``editor``."""
    if editor == OBSIDIAN:
        return translate("editor", "Open in {program}").format(program="Obsidian")
    if editor in CODE_EDITORS:
        return translate("editor", "Open in {program}").format(program=CODE_EDITORS[editor].name)
    return (
        translate("editor", "Open at line")
        if "{line}" in editor
        else translate("editor", "Open note")
    )


def second_label(editor: str, first: str) -> str:
    """Return the label for the second ``editor``; it differs from that of the ``first``."""
    called = label(editor)
    if called != label(first):
        return called
    return translate("editor", "Open in the second editor")


def launch(editor: str, place: NoteLocation) -> Launch:
    """Return how ``editor`` opens ``place``.

    Args:
        editor: ``SYSTEM``, ``OBSIDIAN``, a key of ``CODE_EDITORS``, or a custom command.
        place: The section to open.

    Raises:
        EditorError: The command is invalid, or the note is not in an Obsidian vault.
    """
    editor = editor.strip()
    if editor == SYSTEM:
        return OpenFile(place.file)
    if editor == OBSIDIAN:
        return _obsidian(place)
    if editor in CODE_EDITORS:
        return _family(CODE_EDITORS[editor], place)
    return RunCommand(tuple(command(editor, place)))


def command(template: str, place: NoteLocation) -> list[str]:
    """Return the custom command for ``place``, one item per argument.

    Raises:
        EditorError: The template is empty or has an unclosed quote.
    """
    try:
        words = shlex.split(template, posix=True)
    except ValueError as error:
        raise EditorError("editor_unclosed_quote", command=template) from error
    if not words:
        raise EditorError("editor_not_set")
    if not any("{path}" in word for word in words):
        words.append("{path}")
    return [words[0], *(_filled(word, place) for word in words[1:])]


def shown(words: tuple[str, ...]) -> str:
    """Return a command as a user would type it."""
    return shlex.join(words)


def _filled(word: str, place: NoteLocation) -> str:
    """Replace all placeholders in one pass, because a value may look like a placeholder."""
    values = {
        "path": str(place.file),
        "line": str(place.line),
        "column": "1",
        "heading": place.heading,
        "vault": place.folder.name,
        "vault_path": str(place.folder),
    }
    filled = _PLACE.sub(lambda found: values[found[1]], word)
    # Text from a note must not become an option of the program.
    return filled.lstrip("-") if word.startswith(_NOTES_WORDS) else filled


def _obsidian(place: NoteLocation) -> Launch:
    vault = obsidian_link.vault_of(place.file)
    if vault is None:
        raise EditorError("editor_not_in_obsidian")
    return OpenLink(obsidian_link.uri(place, vault), "Obsidian")


def _family(family: CodeEditor, place: NoteLocation) -> Launch:
    at = f"{place.line}:1"
    for name in family.commands:
        # On Windows these are batch files, which would parse the arguments again.
        if sys.platform != "win32" and shutil.which(name):
            return RunCommand((name, "--goto", f"{place.file}:{at}"))
    path = quote(os.fsencode(place.file.as_posix()), safe="/")
    return OpenLink(f"{family.scheme}://file/{path.lstrip('/')}:{at}", family.name)
