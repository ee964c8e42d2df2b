"""Starting at login, as each platform wants it: an autostart file, a registry value, an agent."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Protocol

from notesearch.gui.single_instance import background_command

_SPECIAL = '"`$\\'


class LoginItem(Protocol):
    """Whether the desktop starts the program when the user logs in."""

    def is_set(self) -> bool:
        """Return whether it does."""

    def set(self) -> None:
        """Have it started.

        Raises:
            OSError: That cannot be written.
        """

    def clear(self) -> None:
        """Have it started no more.

        Raises:
            OSError: That cannot be written.
        """


class AutostartFile:
    """``notesearch.desktop`` in the autostart folder of freedesktop.org desktops."""

    def __init__(self, folder: Path | None = None) -> None:
        configured = os.environ.get("XDG_CONFIG_HOME", "")
        base = Path(configured) if os.path.isabs(configured) else Path.home() / ".config"  # noqa: PTH117
        self._file = (folder or base / "autostart") / "notesearch.desktop"

    def is_set(self) -> bool:
        """Return whether the file is there, and not switched off by the desktop's own settings."""
        try:
            lines = self._file.read_text(encoding="utf-8").splitlines()
        except (OSError, UnicodeDecodeError):
            return False
        off = {"hidden=true", "x-gnome-autostart-enabled=false"}
        return not off.intersection(line.replace(" ", "").lower() for line in lines)

    def set(self) -> None:
        """Write the file."""
        self._file.parent.mkdir(parents=True, exist_ok=True)
        lines = (
            "[Desktop Entry]",
            "Type=Application",
            "Name=notesearch",
            "Comment=Quick search in your notes",
            "Icon=notesearch",
            f"Exec={_exec(_command())}",
            "Terminal=false",
            "X-GNOME-Autostart-enabled=true",
        )
        draft = self._file.with_suffix(".new")
        draft.write_text("\n".join(lines) + "\n", encoding="utf-8")
        draft.replace(self._file)

    def clear(self) -> None:
        """Remove the file."""
        self._file.unlink(missing_ok=True)


class LaunchAgent:
    """A property list among the user's launch agents on macOS. Not run yet."""

    def __init__(self, folder: Path | None = None) -> None:
        agents = folder or Path.home() / "Library" / "LaunchAgents"
        self._file = agents / "notesearch.plist"

    def is_set(self) -> bool:
        """Return whether the file is there."""
        return self._file.is_file()

    def set(self) -> None:
        """Write the file."""
        import plistlib

        self._file.parent.mkdir(parents=True, exist_ok=True)
        agent = {
            "Label": "notesearch",
            "ProgramArguments": _command(),
            "RunAtLoad": True,
            "ProcessType": "Interactive",
        }
        self._file.write_bytes(plistlib.dumps(agent))

    def clear(self) -> None:
        """Remove the file."""
        self._file.unlink(missing_ok=True)


if sys.platform == "win32":
    import winreg

    _RUN = r"Software\Microsoft\Windows\CurrentVersion\Run"

    class RegistryValue:
        """A value among what Windows runs at login. Not run yet."""

        def is_set(self) -> bool:
            """Return whether the value is there."""
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
    """Return how this platform does it."""
    if sys.platform == "win32":
        return RegistryValue()
    return LaunchAgent() if sys.platform == "darwin" else AutostartFile()


def _command() -> list[str]:
    """Return the command, for the same folder of settings as now."""
    home = os.environ.get("NOTESEARCH_HOME")
    if not home:
        return background_command()
    folder = Path(home).expanduser().absolute()
    return ["/usr/bin/env", f"NOTESEARCH_HOME={folder}", *background_command()]


def _exec(words: list[str]) -> str:
    """Return ``words`` as the Exec key of a desktop entry wants them: quoted, and escaped twice."""
    quoted = []
    for word in words:
        inner = "".join(f"\\{sign}" if sign in _SPECIAL else sign for sign in word)
        quoted.append(f'"{inner}"'.replace("\\", "\\\\").replace("%", "%%"))
    return " ".join(quoted)
