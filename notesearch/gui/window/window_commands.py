"""The actions on the main window itself: its panes, its menu and its dialogs."""

from PySide6.QtCore import QObject, Qt, Slot, qVersion
from PySide6.QtWidgets import QMessageBox

from notesearch import __version__
from notesearch.gui.session.open_vault import OpenVault
from notesearch.gui.translation import translate
from notesearch.gui.widgets import icons
from notesearch.gui.window.key_page import KeyPage, key_groups
from notesearch.gui.window.main_actions import MainActions
from notesearch.gui.window.main_window import MainWindow
from notesearch.gui.window.unread_list import UnreadList


class WindowCommands(QObject):
    """Connects the actions with the window and opens its dialogs."""

    def __init__(
        self,
        window: MainWindow,
        actions: MainActions,
        vault: OpenVault,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._window = window
        self._actions = actions
        self._vault = vault
        for action, slot in (
            (actions.close_window, window.close),
            (actions.next_pane, self._next_pane),
            (actions.previous_pane, self._previous_pane),
            (actions.show_menu, window.open_menu),
            (actions.show_preview, window.toggle_preview),
            (actions.about, self.show_about),
            (actions.keys, self.show_keys),
        ):
            action.triggered.connect(slot)
        window.status.more.clicked.connect(self.show_unread)

    @Slot()
    def _next_pane(self) -> None:
        self._window.cycle_panes(1)

    @Slot()
    def _previous_pane(self) -> None:
        self._window.cycle_panes(-1)

    @Slot()
    def show_keys(self) -> None:
        """Show all keyboard shortcuts."""
        KeyPage(key_groups(self._actions), self._window.theme, self._window).show()

    @Slot()
    def show_unread(self) -> None:
        """Show the notes that could not be read."""
        status = self._vault.status
        if status is not None:
            UnreadList(status.unread, self._window).show()

    @Slot()
    def show_about(self) -> None:
        """Show what this program is."""
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
