"""What belongs to the main window as such: its panes, menu and dialogs."""

from PySide6.QtCore import QObject, Qt, Slot, qVersion
from PySide6.QtWidgets import QMessageBox

from notesearch import __version__
from notesearch.gui.translation import translate
from notesearch.gui.widgets import icons
from notesearch.gui.window.actions import Actions
from notesearch.gui.window.key_page import KeyPage, key_groups
from notesearch.gui.window.main_window import MainWindow
from notesearch.gui.window.unread_list import UnreadList
from notesearch.gui.window.vault_flow import VaultFlow


class WindowFlow(QObject):
    """Does what the menu and the keys ask of the window."""

    def __init__(
        self,
        window: MainWindow,
        actions: Actions,
        vaults: VaultFlow,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._window = window
        self._actions = actions
        self._vaults = vaults
        for action, slot in (
            (actions.close_window, window.close),
            (actions.focus_field, window.field.focus_all),
            (actions.next_pane, self._next_pane),
            (actions.previous_pane, self._previous_pane),
            (actions.show_menu, window.open_menu),
            (actions.show_preview, window.toggle_preview),
            (actions.about, self.show_about),
            (actions.keys, self.show_keys),
        ):
            action.triggered.connect(slot)
        window.status.explained.connect(self.show_unread)

    @Slot()
    def _next_pane(self) -> None:
        self._window.cycle_panes(1)

    @Slot()
    def _previous_pane(self) -> None:
        self._window.cycle_panes(-1)

    @Slot()
    def show_keys(self) -> None:
        """List all keys."""
        KeyPage(key_groups(self._actions), self._window.theme, self._window).show()

    @Slot()
    def show_unread(self) -> None:
        """List the notes that could not be read."""
        status = self._vaults.status
        if status is not None:
            UnreadList(status.unread, self._window).show()

    @Slot()
    def show_about(self) -> None:
        """Say what this program is."""
        box = QMessageBox(self._window)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        box.setWindowTitle(translate("window", "About notesearch"))
        box.setTextFormat(box.textFormat().PlainText)
        box.setIconPixmap(icons.app_icon().pixmap(64, 64))
        box.setText(f"notesearch {__version__}")
        box.setInformativeText(
            translate(
                "window",
                "Finds the section you mean in your own folder of Markdown notes. It never"
                " changes your notes, and nothing leaves this computer.\n\nFree software under"
                " the MIT License. Built with Qt {version}.",
            ).format(version=qVersion())
        )
        box.open()
