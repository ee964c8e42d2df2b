"""Opens the window. Imports nothing that only other commands need, because it must be fast."""

import os
import sys
from pathlib import Path

from notesearch.cli.terminal import load_settings, print_error
from notesearch.config import Paths, Settings
from notesearch.errors import DisplayMissingError, SettingsError


def open_window(folder: Path | None, *, background: bool = False) -> None:
    """Open the window on ``folder``, on the one in the environment, or on the one used last.

    If the program is running, it shows its window.

    Args:
        folder: An existing notes folder.
        background: Show no window yet.

    Raises:
        DisplayMissingError: There is no desktop. ``folder`` is remembered nevertheless.
    """
    from notesearch.gui.system.single_instance import SHOW, InstanceLock, ask

    paths = Paths.choose()
    settings = load_settings(paths)
    if folder is None and os.environ.get("NOTESEARCH_VAULT"):
        folder = Path(os.environ["NOTESEARCH_VAULT"])
    if folder is not None:
        before, settings = (
            settings,
            settings.with_vault(_existing_folder(folder, settings).resolve()),
        )
        try:
            if settings != before:
                settings.save(paths)
        except SettingsError as error:
            print_error(str(error))
    if not background and ask(SHOW):
        return
    if not _has_desktop():
        raise DisplayMissingError("display_missing")
    last_vault = Path(settings.vault) if settings.vault else None
    with InstanceLock() as lock:
        if lock.claim("" if background else SHOW):
            from notesearch.gui.start import run
            from notesearch.process_tuning import keep_little_memory

            keep_little_memory()
            sys.exit(run(last_vault, settings, paths, background=background))


def _has_desktop() -> bool:
    """Return whether there is a desktop; without one, Qt would abort the process."""
    if not sys.platform.startswith("linux"):
        return True
    if any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")):
        return True
    return Path(os.environ.get("XDG_RUNTIME_DIR", ""), "wayland-0").is_socket()


def _existing_folder(folder: Path, settings: Settings) -> Path:
    """Return the folder at this path, or of this name in the list."""
    expanded = Path(os.path.expanduser(folder))  # noqa: PTH111 - keeps an unknown ~user
    if not expanded.is_dir():
        expanded = settings.folder(str(folder)) or expanded
    if not expanded.is_dir():
        from click import BadParameter

        raise BadParameter(f"There is no folder {expanded}.", param_hint="FOLDER")
    return expanded
