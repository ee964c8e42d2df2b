"""Shows a note in the file manager, selected if the file manager can do that."""

import sys
from pathlib import Path

from PySide6.QtCore import QObject, QProcess, QUrl
from PySide6.QtGui import QDesktopServices

_WINDOWS, _MAC = "win32", "darwin"


def reveal(file: Path, parent: QObject) -> bool:
    """Show ``file`` in the file manager, or open its folder.

    Args:
        file: The note.
        parent: Owns the request; it must live until the file manager has answered.

    Returns:
        Whether a file manager was found.
    """
    if sys.platform == _WINDOWS:
        return QProcess.startDetached("explorer.exe", ["/select,", str(file)])[0]
    if sys.platform == _MAC:
        return QProcess.startDetached("/usr/bin/open", ["-R", str(file)])[0]
    return _ask_file_manager(file, parent) or _open_folder(file)


def _ask_file_manager(file: Path, parent: QObject) -> bool:
    """Ask the file manager over D-Bus; if none answers, open the folder."""
    from notesearch.gui.system.session_bus import BusConnection, Message, address, error_of

    bus = BusConnection.open(parent)
    if bus is None:
        return False
    name = "org.freedesktop.FileManager1"
    manager = address("/org/freedesktop/FileManager1", name, name)

    def on_answer(message: Message) -> None:
        bus.close()
        bus.deleteLater()
        if error_of(message):
            _open_folder(file)

    bus.call(manager, "ShowItems", "ass", ([file.as_uri()], ""), on_answer)
    return True


def _open_folder(file: Path) -> bool:
    return QDesktopServices.openUrl(QUrl.fromLocalFile(str(file.parent)))
