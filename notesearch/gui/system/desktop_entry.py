"""How the desktop knows the program: its entry in the menus, and its start at login.

On freedesktop.org desktops, both are ``.desktop`` files.
"""

import contextlib
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

from PySide6.QtCore import QMimeDatabase

from notesearch import private_files
from notesearch.config import resources
from notesearch.files import expanded, read_bytes, read_text
from notesearch.gui.system.single_instance import APP_ID, background_command, program

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


class LoginItem(Protocol):
    """A setting of the desktop: start the program when the user logs in."""

    def is_set(self) -> bool:
        """Return whether the setting is on."""

    def set(self) -> None:
        """Turn the setting on; raise an ``OSError`` if it cannot be written."""

    def clear(self) -> None:
        """Turn the setting off; raise an ``OSError`` if it cannot be written."""


class _LoginFile:
    """A file that the desktop reads when the user logs in."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def is_set(self) -> bool:
        """Return whether the file exists."""
        return self._file.is_file()

    def clear(self) -> None:
        """Remove the file."""
        self._file.unlink(missing_ok=True)

    def _write(self, content: bytes) -> None:
        private_files.make_folder(self._file.parent)
        draft = self._file.with_suffix(".new")
        private_files.write(draft, content)
        draft.replace(self._file)


class AutostartFile(_LoginFile):
    """A ``notesearch.desktop`` file in the autostart folder of freedesktop.org desktops."""

    def __init__(self) -> None:
        super().__init__(config_home() / "autostart" / "notesearch.desktop")

    def is_set(self) -> bool:
        """Return whether the file exists and the desktop has not disabled it."""
        try:
            lines = read_text(self._file).splitlines()
        except (OSError, UnicodeDecodeError):
            return False
        off = {"hidden=true", "x-gnome-autostart-enabled=false"}
        return not off.intersection(line.replace(" ", "").lower() for line in lines)

    def set(self) -> None:
        """Write the file."""
        entry = f"""\
[Desktop Entry]
Type=Application
Name=notesearch
Comment=Quick search in your notes
Icon=notesearch
Exec={exec_line(with_home(background_command()))}
Terminal=false
X-GNOME-Autostart-enabled=true
"""
        self._write(entry.encode())


class LaunchAgent(_LoginFile):
    """A property list in the user's launch agents on macOS. Not tested on a Mac yet."""

    def __init__(self) -> None:
        super().__init__(Path.home() / "Library" / "LaunchAgents" / "notesearch.plist")

    def set(self) -> None:
        """Write the file."""
        import plistlib

        agent = {
            "Label": "notesearch",
            "ProgramArguments": with_home(background_command()),
            "RunAtLoad": True,
            "ProcessType": "Interactive",
        }
        self._write(plistlib.dumps(agent))


if sys.platform == "win32":
    import winreg

    _RUN = r"Software\Microsoft\Windows\CurrentVersion\Run"

    class RegistryValue:
        """A value of the registry's Run key. Not tested on Windows yet."""

        def is_set(self) -> bool:
            """Return whether the value exists."""
            try:
                with winreg.OpenKey(winreg.HKEY_CURRENT_USER, _RUN) as key:
                    winreg.QueryValueEx(key, "notesearch")
            except OSError:
                return False
            return True

        def set(self) -> None:
            """Write the value."""
            with winreg.CreateKey(winreg.HKEY_CURRENT_USER, _RUN) as key:
                line = subprocess.list2cmdline(background_command())
                winreg.SetValueEx(key, "notesearch", 0, winreg.REG_SZ, line)

        def clear(self) -> None:
            """Remove the value."""
            if self.is_set():
                access = winreg.KEY_SET_VALUE
                with winreg.OpenKey(winreg.HKEY_CURRENT_USER, _RUN, 0, access) as key:
                    winreg.DeleteValue(key, "notesearch")


def login_item() -> LoginItem:
    """Return the login item of this platform."""
    if sys.platform == "win32":
        return RegistryValue()
    return LaunchAgent() if sys.platform == "darwin" else AutostartFile()
