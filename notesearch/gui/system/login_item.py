"""Start at login: an autostart file on Linux, a registry value on Windows, an agent on macOS."""

import subprocess
import sys
from pathlib import Path
from typing import Protocol

from notesearch import private_files
from notesearch.files import read_text
from notesearch.gui.system.desktop_entry import config_home, exec_line, with_home
from notesearch.gui.system.single_instance import background_command
from notesearch.gui.translation import translate


class LoginItem(Protocol):
    """A setting of the desktop: start the program when the user logs in."""

    def is_set(self) -> bool:
        """Return whether the setting is on."""

    def set(self) -> None:
        """Turn the setting on; raise an ``OSError`` if it cannot be written."""

    def clear(self) -> None:
        """Turn the setting off; raise an ``OSError`` if it cannot be written."""


class AutostartFile:
    """A ``notesearch.desktop`` file in the autostart folder of freedesktop.org desktops."""

    def __init__(self, folder: Path | None = None) -> None:
        self._file = (folder or config_home() / "autostart") / "notesearch.desktop"

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
        private_files.make_folder(self._file.parent)
        lines = (
            "[Desktop Entry]",
            "Type=Application",
            "Name=notesearch",
            "Comment=Quick search in your notes",
            "Icon=notesearch",
            f"Exec={exec_line(with_home(background_command()))}",
            "Terminal=false",
            "X-GNOME-Autostart-enabled=true",
        )
        draft = self._file.with_suffix(".new")
        private_files.write(draft, ("\n".join(lines) + "\n").encode())
        draft.replace(self._file)

    def clear(self) -> None:
        """Remove the file."""
        self._file.unlink(missing_ok=True)


class LaunchAgent:
    """A property list in the user's launch agents on macOS. Not tested on a Mac yet."""

    def __init__(self, folder: Path | None = None) -> None:
        agents = folder or Path.home() / "Library" / "LaunchAgents"
        self._file = agents / "notesearch.plist"

    def is_set(self) -> bool:
        """Return whether the file exists."""
        return self._file.is_file()

    def set(self) -> None:
        """Write the file."""
        import plistlib

        private_files.make_folder(self._file.parent)
        agent = {
            "Label": "notesearch",
            "ProgramArguments": with_home(background_command()),
            "RunAtLoad": True,
            "ProcessType": "Interactive",
        }
        private_files.write(self._file, plistlib.dumps(agent))

    def clear(self) -> None:
        """Remove the file."""
        self._file.unlink(missing_ok=True)


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


def switch(item: LoginItem, *, on: bool) -> str:
    """Turn ``item`` on or off; return a sentence that says why that failed, else ""."""
    try:
        (item.set if on else item.clear)()
    except OSError as error:
        text = translate("window", "The start at login could not be changed: {reason}.")
        return text.format(reason=error.strerror or str(error))
    return ""
