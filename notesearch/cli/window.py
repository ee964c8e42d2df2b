"""Opens the window: what most starts are for, and so without anything that other commands need."""

import os
import sys
from pathlib import Path

from notesearch.cli.ending import complain
from notesearch.cli.settings import load_settings
from notesearch.config import Paths, Settings
from notesearch.errors import DisplayMissingError, SettingsError


def open_window(folder: Path | None, *, background: bool = False) -> None:
    """Open the window on ``folder``, else on the one of the environment, else on the last one.

    Where the program runs already, that one shows its window.

    Args:
        folder: A folder of notes; what is not there is refused.
        background: Show no window yet.

    Raises:
        DisplayMissingError: There is no desktop; ``folder`` is remembered all the same.
    """
    from notesearch.gui.system.single_instance import SHOW, InstanceLock, ask

    paths = Paths.choose()
    settings = load_settings(paths)
    if folder is None and os.environ.get("NOTESEARCH_VAULT"):
        folder = Path(os.environ["NOTESEARCH_VAULT"])
    if folder is not None:
        before, settings = settings, settings.with_vault(_present(folder, settings).resolve())
        try:
            if settings != before:
                settings.save(paths)
        except SettingsError as error:
            complain(str(error))
    if not background and ask(SHOW):
        return
    if not _has_desktop():
        raise DisplayMissingError("display_missing")
    vault = Path(settings.vault) if settings.vault else None
    with InstanceLock() as lock:
        if lock.claim("" if background else SHOW):
            from notesearch.gui.start import run

            sys.exit(run(vault, settings, paths, background=background))


def _has_desktop() -> bool:
    """Return whether a desktop is told of; where none is, Qt ends the process on the spot."""
    if not sys.platform.startswith("linux"):
        return True
    if any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")):
        return True
    return Path(os.environ.get("XDG_RUNTIME_DIR", ""), "wayland-0").is_socket()


def _present(folder: Path, settings: Settings) -> Path:
    """Return the folder that is there by this path, else that of this name in the list."""
    expanded = Path(os.path.expanduser(folder))  # noqa: PTH111 - leaves what it cannot
    if not expanded.is_dir():
        expanded = settings.folder(str(folder)) or expanded
    if not expanded.is_dir():
        from click import BadParameter

        raise BadParameter(f"There is no folder {expanded}.", param_hint="FOLDER")
    return expanded
