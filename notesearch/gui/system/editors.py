"""Which editors there are, and what each is to be given so that it opens a section."""

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
"""What can be named in a command of the user's own, in braces."""

_PLACE = re.compile("{(" + "|".join(PLACES) + ")}")
_NOTES_WORDS = ("{heading}", "{vault}")


class EditorError(NotesearchError):
    """The editor could not be started."""


@dataclass(frozen=True, slots=True)
class CodeEditor:
    """An editor of the kind of VS Code.

    Attributes:
        name: As its makers write it.
        commands: Its programs, the first of which is tried first.
        scheme: Of the links that it opens where none of its programs is on the path.
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
"""By the one word that the settings have for them."""


@dataclass(frozen=True, slots=True)
class RunCommand:
    """A program with its arguments."""

    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OpenLink:
    """A link that another program opens.

    Attributes:
        program: Its name, for the case that it is not there.
    """

    url: str
    program: str


@dataclass(frozen=True, slots=True)
class OpenFile:
    """A file for whatever the system opens such files with."""

    file: Path


Launch = RunCommand | OpenLink | OpenFile


def label(editor: str) -> str:
    """Return what opening a section with ``editor`` is called."""
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
    """Return what opening a section with the second ``editor`` is called, beside the ``first``."""
    called = label(editor)
    if called != label(first):
        return called
    return translate("editor", "Open in the second editor")


def launch(editor: str, place: NoteLocation) -> Launch:
    """Return how ``editor`` opens ``place``.

    Args:
        editor: ``SYSTEM``, ``OBSIDIAN``, one of ``CODE_EDITORS``, or a command with ``PLACES``.
        place: What to open.

    Raises:
        EditorError: The command makes no sense, or the note is in no vault of Obsidian's.
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
    """Return the user's own command for ``place``, one entry per argument.

    Raises:
        EditorError: The template is empty or its quotes do not match.
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
    """Return a command as it would be typed."""
    return shlex.join(words)


def _filled(word: str, place: NoteLocation) -> str:
    """Put the values into ``word``, all at once: a value may look like a place."""
    values = {
        "path": str(place.file),
        "line": str(place.line),
        "column": "1",
        "heading": place.heading,
        "vault": place.folder.name,
        "vault_path": str(place.folder),
    }
    filled = _PLACE.sub(lambda found: values[found[1]], word)
    # What a note says must not become an option of the program.
    return filled.lstrip("-") if word.startswith(_NOTES_WORDS) else filled


def _obsidian(place: NoteLocation) -> Launch:
    vault = obsidian_link.vault_of(place.file)
    if vault is None:
        raise EditorError("editor_not_in_obsidian")
    return OpenLink(obsidian_link.uri(place, vault), "Obsidian")


def _family(family: CodeEditor, place: NoteLocation) -> Launch:
    at = f"{place.line}:1"
    for name in family.commands:
        # On Windows the programs on the path are batch files, which would read the arguments anew.
        if sys.platform != "win32" and shutil.which(name):
            return RunCommand((name, "--goto", f"{place.file}:{at}"))
    path = quote(os.fsencode(place.file.as_posix()), safe="/")
    return OpenLink(f"{family.scheme}://file/{path.lstrip('/')}:{at}", family.name)
