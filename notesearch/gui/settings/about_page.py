"""The About page of the settings, with facts for bug reports and all licences."""

import os
import platform
from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, QUrl, Slot, qVersion
from PySide6.QtGui import QDesktopServices, QGuiApplication, QShowEvent
from PySide6.QtWidgets import QDialog, QLabel, QListWidget, QPlainTextEdit, QSplitter, QWidget

from notesearch import __version__
from notesearch.gui.quick.tray import Tray
from notesearch.gui.session.open_vault import OpenVault
from notesearch.gui.session.preferences import Preferences
from notesearch.gui.session.worker_threads import FileCall
from notesearch.gui.settings.settings_page import SettingsPage, button
from notesearch.gui.system.global_shortcut import ShortcutController
from notesearch.gui.translation import translate
from notesearch.gui.widgets.controls import text_label
from notesearch.gui.widgets.dialogs import fill, resize_on_screen
from notesearch.gui.widgets.theme import px

if TYPE_CHECKING:
    from notesearch.licences import Component

_SELECTABLE = Qt.TextInteractionFlag.TextSelectableByMouse


class AboutPage(SettingsPage):
    """Shows licences, the log folder, and facts for bug reports, which the user can copy."""

    def __init__(
        self,
        preferences: Preferences,
        vault: OpenVault,
        shortcut: ShortcutController | None,
        tray: Tray | None,
    ) -> None:
        super().__init__(preferences)
        self._vault = vault
        self._shortcut = shortcut
        self._tray = tray
        self._facts: dict[str, QLabel] = {}
        for name in self.facts():
            self._facts[name] = text_label("")
            self._facts[name].setTextInteractionFlags(_SELECTABLE)
            self.add_row(name, self._facts[name])
        every = self.make_line(button(translate("All licences…"), self._show_licences))
        self.add_row(
            translate("Licences"),
            text_label(
                translate(
                    "notesearch: MIT. Language model all-MiniLM-L6-v2: Apache 2.0."
                    " Qt for Python: LGPL 3.0."
                )
            ),
            every,
        )
        self.add_row(
            "",
            self.make_line(
                button(translate("Copy diagnosis"), self._copy),
                button(translate("Open log folder"), self._open_log),
            ),
        )

    def showEvent(self, event: QShowEvent) -> None:
        """Refresh the facts."""
        super().showEvent(event)
        for name, fact in self.facts().items():
            self._facts[name].setText(fact)

    def facts(self) -> dict[str, str]:
        """Return the text of each fact by its name; both are translated."""
        session = os.environ.get("XDG_CURRENT_DESKTOP", "") or platform.system()
        present = self._tray is not None and self._tray.present
        state = self._shortcut.state.sentence if self._shortcut else translate("Not available.")
        paths = self.preferences.paths
        indexes = [str(paths.index_file(folder)) for folder in self._vault.folders.values()]
        return {
            translate("Version"): f"notesearch {__version__}",
            "Qt": f"{qVersion()}, {QGuiApplication.platformName()}",
            "Python": platform.python_version(),
            translate("Desktop"): f"{session}, {platform.platform(terse=True)}",
            translate("Tray"): translate("Available.")
            if present
            else translate("Not available on this desktop now."),
            translate("Global shortcut"): state,
            translate("Settings"): str(paths.settings_file),
            translate("Index"): "\n".join(indexes) or "–",
            translate("Log"): str(paths.log_file),
        }

    @Slot()
    def _show_licences(self) -> None:
        LicenceList(self).open()

    def end(self) -> None:
        """Close the list of licences, which then waits for its thread and is deleted."""
        for dialog in self.findChildren(QDialog):
            dialog.reject()

    @Slot()
    def _copy(self) -> None:
        lines = [f"{name}: {fact}" for name, fact in self.facts().items()]
        QGuiApplication.clipboard().setText("\n".join(lines))

    @Slot()
    def _open_log(self) -> None:
        folder = self.preferences.paths.log_file.parent
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder)))


class LicenceList(QDialog):
    """A dialog with all components on the left and the selected one's licence on the right."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(translate("Licences"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._parts: Sequence[Component] = ()
        self.names = QListWidget()
        self.names.setObjectName("boxedList")
        self.names.setAccessibleName(translate("Components"))
        self.names.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.names.currentRowChanged.connect(self._show)
        self.text = QPlainTextEdit()
        self.text.setAccessibleName(translate("Full licence text"))
        self.text.setReadOnly(True)
        self.text.setTabChangesFocus(True)
        both = QSplitter()
        for widget in (self.names, self.text):
            both.addWidget(widget)
        both.setSizes([px(300), px(620)])
        fill(self, both)
        resize_on_screen(self, QSize(px(960), px(560)))
        from notesearch.licences import components  # slow, and few ask for it

        reading = FileCall(components, self)
        reading.answered.connect(self._fill)
        self.destroyed.connect(reading.end)  # the thread must end before the dialog
        reading.start()

    @Slot(object)
    def _fill(self, parts: "Sequence[Component]") -> None:
        self._parts = parts
        self.names.addItems(
            [f"{part.name} {part.version}".rstrip() + f": {part.licence}" for part in parts]
        )
        self.names.setCurrentRow(0)
        self.names.setFocus()

    @Slot(int)
    def _show(self, row: int) -> None:
        if 0 <= row < len(self._parts):
            part = self._parts[row]
            self.text.setPlainText("\n".join([*part.inside, *part.texts]))
