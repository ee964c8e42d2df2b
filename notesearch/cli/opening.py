"""Opens the window, and notes in an editor; to be fast, it imports nothing else that is slow."""

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from notesearch.cli.terminal import load_settings, print_error
from notesearch.config import Paths, Settings, require_folder
from notesearch.errors import DisplayMissingError, EditorError, SettingsError
from notesearch.files import expanded

if TYPE_CHECKING:
    from notesearch.library import NoteLibrary

_LINE_BEFORE = frozenset(
    "vi vim nvim gvim nano emacs emacsclient micro kak joe ne mg gedit".split()
)
_LINE_BEHIND = frozenset({"hx", "helix", "subl", "zed"})
"""Editors that take a line as ``file:12``; the ones above take it as ``+12 file``."""

_OPENING_S = 2.0
"""If the desktop reports no failure for this many seconds, a file counts as opened."""


def open_window(folder: Path | None, *, background: bool = False) -> None:
    """Open the window for ``folder``; if the program is already running, show its window.

    ``folder`` may be a name in the settings; None means NOTESEARCH_VAULT, else the one used last.

    Raises:
        DisplayMissingError: There is no desktop. Even so, ``folder`` is saved in the settings.
    """
    from notesearch.gui.system.single_instance import SHOW, InstanceLock, ask

    paths = Paths.choose()
    settings = load_settings(paths)
    if folder is None and os.environ.get("NOTESEARCH_VAULT"):
        folder = Path(os.environ["NOTESEARCH_VAULT"])
    if folder is not None:
        settings = use_folder(folder, settings, paths)
    if not background and ask(SHOW):
        return
    if not _has_desktop():
        raise DisplayMissingError("display_missing")
    last_vault = Path(settings.vault) if settings.vault else None
    with InstanceLock() as lock:
        if lock.claim("" if background else SHOW):
            from notesearch.gui.start import run
            from notesearch.processes import keep_little_memory

            keep_little_memory()
            sys.exit(run(last_vault, settings, paths, lock, background=background))


def use_folder(folder: Path, settings: Settings, paths: Paths) -> Settings:
    """Save ``folder``, a path or a name, as the one used last; return the new settings.

    The running program then opens it. If the settings cannot be saved, an error is printed.
    """
    found = expanded(folder)
    if not found.is_dir():
        found = settings.folder(str(folder)) or found
    require_folder(found)
    chosen = settings.with_vault(found.resolve())
    try:
        if chosen != settings:
            chosen.write(paths, ["vault", "vaults", "all_vaults"])
    except SettingsError as error:
        print_error(str(error))
    return chosen


def _has_desktop() -> bool:
    """Return whether there is a desktop; without one, Qt would abort the process."""
    if not sys.platform.startswith("linux"):
        return True
    if any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")):
        return True
    return Path(os.environ.get("XDG_RUNTIME_DIR", ""), "wayland-0").is_socket()


def open_in_editor(
    library: "NoteLibrary", path: str, section_path: Sequence[str], line: int, column: int = 1
) -> None:
    """Open a note in the editor of the settings, else in $VISUAL or $EDITOR, else the default.

    ``line`` and ``column`` count from 1.

    Raises:
        NoteMissingError: There is no such note.
        EditorError: No program could open the note, or the command of the editor is not valid.
    """
    from notesearch.gui.system.editors import OpenFile, OpenLink, RunCommand, how_to_open
    from notesearch.gui.system.obsidian_link import NoteLocation

    # The library never returns a file to which a link leads out of the folder.
    file = library.file(library.note_path(path))
    location = NoteLocation(file, library.vault, line, tuple(section_path), column)
    editor = library.settings.editor
    match how_to_open(editor, location):
        case RunCommand(words):
            _run(words, library.vault)
        case OpenLink(url, _):
            if not _has_opened(url):
                raise EditorError("editor_not_opened", editor=editor)
        case OpenFile(default):
            words = _terminal_editor(str(default), line)
            if words:
                _run(words, library.vault)
            elif not _has_opened(str(default)):
                raise EditorError("editor_missing")


def _terminal_editor(path: str, line: int) -> tuple[str, ...]:
    """Return the command that opens a file at a line in $VISUAL or $EDITOR; empty if unset."""
    from notesearch.gui.system.editors import CODE_EDITORS, words_of

    commands = (os.environ.get(name, "").strip() for name in ("VISUAL", "EDITOR"))
    words = words_of(next(filter(None, commands), ""))
    if not words:
        return ()
    name = Path(words[0]).stem.lower()
    if any(name in family.commands for family in CODE_EDITORS.values()):
        return (*words, "--goto", f"{path}:{line}")
    if name in _LINE_BEHIND:
        return (*words, f"{path}:{line}")
    return (*words, f"+{line}", path) if name in _LINE_BEFORE else (*words, path)


def _has_opened(target: str) -> bool:
    """Open a path or an address with the default program; return False if that fails soon."""
    import subprocess

    import click

    if sys.platform in {"win32", "darwin"}:
        return click.launch(target) == 0
    if not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        return False  # xdg-open would show the note in a browser inside the terminal
    quiet = subprocess.DEVNULL
    try:
        words = ["xdg-open", target]
        process = subprocess.Popen(  # noqa: S603 - the desktop's own program; no shell reads it
            words, stdin=quiet, stdout=quiet, stderr=quiet, start_new_session=True
        )
        return process.wait(_OPENING_S) == 0
    except OSError:
        return False
    except subprocess.TimeoutExpired:
        return True  # without a desktop environment, xdg-open ends with the program that it starts


def _run(words: tuple[str, ...], folder: Path) -> None:
    import signal
    import subprocess

    # Ctrl+C is meant for an editor in the terminal, which may continue after it.
    handler = signal.signal(signal.SIGINT, lambda *_: None)
    try:
        ended = subprocess.run(words, cwd=folder, check=False)  # noqa: S603 - the user's own command
    except OSError as error:
        raise EditorError("editor_not_opened", editor=words[0]) from error
    finally:
        signal.signal(signal.SIGINT, handler)
    if ended.returncode:
        raise EditorError("editor_failed", program=words[0], status=ended.returncode)
