"""The program's entry (a ``.desktop`` file) in the menus of freedesktop.org desktops."""

import contextlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path

from PySide6.QtCore import QMimeDatabase

from notesearch import private_files
from notesearch.config import resources
from notesearch.files import expanded, read_bytes
from notesearch.gui.system.single_instance import APP_ID, program

_LISTS = ("mimeinfo.cache", "mimeapps.list", "defaults.list")
_ANY_FILE = "application/octet-stream"
_SPECIAL = '"`$\\'


def make_known() -> None:
    """Write a desktop entry for this user, because portals require one, unless one is installed."""
    name = f"{APP_ID}.desktop"
    folders = list(_folders())
    if any((folder / name).is_file() for folder in folders):
        return
    shipped = (resources() / "applications" / name).read_text(encoding="utf-8")
    exec_key = f"Exec={exec_line(with_home(program()))}"
    try:
        private_files.make_folder(folders[0])
        entry = shipped.replace("Exec=notesearch", exec_key)
        private_files.write(folders[0] / name, entry.encode())
    except OSError:
        return  # the portal will then refuse the program as unknown


def opens_scheme(scheme: str) -> bool:
    """Return whether a program on this desktop seems to open links of ``scheme``."""
    return _is_listed(f"x-scheme-handler/{scheme}")


def opens_file(file: Path) -> bool:
    """Return whether a program on this desktop seems to open files with the name of ``file``."""
    kind = QMimeDatabase().mimeTypeForFile(str(file), QMimeDatabase.MatchMode.MatchExtension)
    kinds = {kind.name(), *kind.aliases(), *kind.allAncestors()} - {_ANY_FILE}
    return not kinds or _is_listed(*kinds)  # the desktop looks into a file with an unknown name


def _is_listed(*types: str) -> bool:
    """Return whether a program opens one of these MIME types; outside of Linux, return True."""
    if not sys.platform.startswith("linux"):
        return True
    own, *others = _folders()
    lists = [config_home() / "mimeapps.list"]
    lists += [folder / name for folder in (own, *others) for name in _LISTS]
    with contextlib.suppress(OSError):
        lists += own.glob("*.desktop")  # a file copied there by hand is in no list
    texts = map(_text, lists)
    return any(type_ in text for text in texts for type_ in types)


def with_home(words: list[str]) -> list[str]:
    """Return a command that runs ``words`` with the ``NOTESEARCH_HOME`` of this process, if set."""
    home = os.environ.get("NOTESEARCH_HOME")
    if not home:
        return words
    folder = expanded(home).absolute()
    return ["/usr/bin/env", f"NOTESEARCH_HOME={folder}", *words]


def exec_line(words: list[str]) -> str:
    """Return the command ``words`` for the key ``Exec`` of a desktop entry: quoted and escaped."""
    quoted = []
    for word in words:
        inner = "".join(f"\\{sign}" if sign in _SPECIAL else sign for sign in word)
        quoted.append(f'"{inner}"'.replace("\\", "\\\\").replace("%", "%%"))
    return " ".join(quoted)


def config_home() -> Path:
    """Return the user's settings folder on freedesktop.org desktops."""
    return _base("XDG_CONFIG_HOME", ".config")


def _text(file: Path) -> str:
    try:
        return read_bytes(file).decode("utf-8", "replace")
    except OSError:
        return ""


def _folders() -> Iterator[Path]:
    yield _base("XDG_DATA_HOME", ".local/share") / "applications"
    for folder in (os.environ.get("XDG_DATA_DIRS") or "/usr/local/share:/usr/share").split(":"):
        if os.path.isabs(folder):  # noqa: PTH117
            yield Path(folder) / "applications"


def _base(variable: str, below_home: str) -> Path:
    configured = os.environ.get(variable, "")
    return Path(configured) if os.path.isabs(configured) else Path.home() / below_home  # noqa: PTH117
