"""Opens the window; to be fast, this module imports nothing that only other commands need."""

import os
import sys
from pathlib import Path

from notesearch.cli.terminal import load_settings, print_error
from notesearch.config import Paths, Settings
from notesearch.errors import DisplayMissingError, SettingsError
from notesearch.files import expanded


def open_window(folder: Path | None, *, background: bool = False) -> None:
    """Open the window, or show the window of the program if it is already running.

    Args:
        folder: The notes folder, or its name in the settings; None for the folder in
            NOTESEARCH_VAULT, else the one used last.
        background: Whether to start the program without showing a window.

    Raises:
        DisplayMissingError: There is no desktop. Even so, ``folder`` is saved in the settings.
        BadParameter: There is no such folder.
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
    """Save ``folder``, a path or a name in ``settings``, as the folder used last.

    The running program then opens it. Returns the new settings; if they cannot be saved, an error
    is printed.

    Raises:
        BadParameter: There is no such folder.
    """
    chosen = settings.with_vault(_existing_folder(folder, settings).resolve())
    try:
        if chosen != settings:
            chosen.write(paths, ["vault", "vaults", "all_vaults"])
    except SettingsError as error:
        print_error(str(error))
    return chosen


def _has_desktop() -> bool:
    """Return whether there is a desktop; without a desktop, Qt would abort the process."""
    if not sys.platform.startswith("linux"):
        return True
    if any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")):
        return True
    return Path(os.environ.get("XDG_RUNTIME_DIR", ""), "wayland-0").is_socket()


def _existing_folder(folder: Path, settings: Settings) -> Path:
    """Return the folder at this path, or the notes folder of this name in the settings.

    Raises:
        BadParameter: There is no such folder.
    """
    found = expanded(folder)
    if not found.is_dir():
        found = settings.folder(str(folder)) or found
    if not found.is_dir():
        from click import BadParameter

        raise BadParameter(f"There is no folder {found}.", param_hint="FOLDER")
    return found
