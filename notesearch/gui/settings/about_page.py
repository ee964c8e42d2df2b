"""The page about the program: versions, licences, and what this desktop allows."""

import os
import platform

from PySide6.QtCore import Qt, QUrl, Slot, qVersion
from PySide6.QtGui import QDesktopServices, QGuiApplication, QShowEvent
from PySide6.QtWidgets import QDialog, QLabel

from notesearch import __version__
from notesearch.gui.quick.tray import Tray
from notesearch.gui.session.preferences import Preferences
from notesearch.gui.settings.settings_page import SettingsPage, button, said
from notesearch.gui.system.shortcut.flow import ShortcutFlow
from notesearch.gui.translation import translate
from notesearch.gui.window.vault_flow import VaultFlow

_SELECTABLE = Qt.TextInteractionFlag.TextSelectableByMouse


class AboutPage(SettingsPage):
    """What somebody who helps would ask for can be copied."""

    def __init__(
        self,
        preferences: Preferences,
        vaults: VaultFlow,
        shortcut: ShortcutFlow | None,
        tray: Tray | None,
    ) -> None:
        super().__init__(preferences, translate("settings", "About"))
        self._vaults, self._shortcut, self._tray = vaults, shortcut, tray
        self._facts: dict[str, QLabel] = {}
        for name in self.facts():
            self._facts[name] = said("")
            self._facts[name].setTextInteractionFlags(_SELECTABLE)
            self.add_row(name, self._facts[name])
        every = self.add_line(button(translate("settings", "All licences…"), self._show_licences))
        self.add_row(translate("settings", "Licences"), said(_licences()), every)
        self.add_row("", self.add_line(
            button(translate("settings", "Copy diagnosis"), self._copy),
            button(translate("settings", "Open log folder"), self._open_log),
        ))  # fmt: skip

    def showEvent(self, event: QShowEvent) -> None:
        """Look how things stand now."""
        super().showEvent(event)
        for name, fact in self.facts().items():
            self._facts[name].setText(fact)

    def facts(self) -> dict[str, str]:
        """Return what there is to know, each by its name."""
        session = os.environ.get("XDG_CURRENT_DESKTOP", "") or platform.system()
        present = self._tray is not None and self._tray.present
        state = (
            self._shortcut.state.sentence
            if self._shortcut
            else translate("settings", "Not available.")
        )
        paths, vault = self.preferences.paths, self._vaults.vault
        return {
            translate("settings", "Version"): f"notesearch {__version__}",
            "Qt": f"{qVersion()}, {QGuiApplication.platformName()}",
            "Python": platform.python_version(),
            translate("settings", "Desktop"): f"{session}, {platform.platform(terse=True)}",
            translate("settings", "Tray"): translate("settings", "available")
            if present
            else translate("settings", "not available on this desktop now"),
            translate("settings", "Global shortcut"): state,
            translate("settings", "Settings"): str(paths.settings_file),
            translate("settings", "Index"): str(paths.index_file(vault)) if vault else "–",
            translate("settings", "Log"): str(paths.log_file),
        }

    @Slot()
    def _show_licences(self) -> None:
        from notesearch.gui.settings.licence_list import LicenceList

        LicenceList(self).open()

    def end(self) -> None:
        """Close the licences: they wait for their thread then, not where they are torn down."""
        for opened in self.findChildren(QDialog):
            opened.reject()

    @Slot()
    def _copy(self) -> None:
        lines = [f"{name}: {fact}" for name, fact in self.facts().items()]
        QGuiApplication.clipboard().setText("\n".join(lines))

    @Slot()
    def _open_log(self) -> None:
        folder = self.preferences.paths.log_file.parent
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder)))


def _licences() -> str:
    return translate(
        "settings",
        "notesearch: MIT. Language model all-MiniLM-L6-v2: Apache 2.0. Qt for Python: LGPL 3.0.",
    )
