"""What the user chooses about the program's presence: in the tray when closed, from login on."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

from notesearch.gui.quick.tray import Tray
from notesearch.gui.system.login_item import LoginItem, login_item
from notesearch.gui.translation import translate

if TYPE_CHECKING:
    from notesearch.gui.app import App


class DesktopChoices(QObject):
    """Two entries of the main window's menu; what is not possible here cannot be chosen."""

    def __init__(self, app: "App", tray: Tray, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._app = app
        self._tray = tray
        self._item: LoginItem = login_item()
        self._to_tell = False
        actions = app.actions
        actions.close_to_tray.triggered.connect(self._choose_tray)
        actions.start_at_login.triggered.connect(self._choose_login)

    def begin(self) -> None:
        """Show what is chosen, each time the menu opens."""
        self._app.window.menu.aboutToShow.connect(self._show)
        self._show()

    def tell_once(self) -> None:
        """Say where the closed window went, the first time after that was chosen."""
        if self._to_tell:
            self._to_tell = False
            self._tray.tell(
                translate(
                    "window",
                    "notesearch keeps running in the tray. You can change this in the window's"
                    " menu.",
                )
            )

    @Slot()
    def _show(self) -> None:
        actions = self._app.actions
        actions.close_to_tray.setEnabled(self._tray.present)
        actions.close_to_tray.setChecked(self._app.settings.close_to_tray)
        actions.start_at_login.setChecked(self._item.is_set())

    @Slot(bool)
    def _choose_tray(self, chosen: bool) -> None:
        self._to_tell = chosen
        self._app.change(close_to_tray=chosen)

    @Slot(bool)
    def _choose_login(self, chosen: bool) -> None:
        try:
            (self._item.set if chosen else self._item.clear)()
        except OSError as error:
            reason = error.strerror or str(error)
            told = translate("window", "This could not be set up: {reason}.")
            self._app.vaults.notices.tell_besides(told.format(reason=reason))
        self._show()
