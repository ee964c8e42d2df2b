"""Shows and hides the windows on request, and decides when the program ends."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Slot
from PySide6.QtWidgets import QApplication, QMessageBox

from notesearch.gui.quick.quick_search import QuickSearch
from notesearch.gui.quick.tray import Tray, can_stay
from notesearch.gui.results.results_model import SectionKey
from notesearch.gui.settings.quick_page import FirstChoices
from notesearch.gui.system.global_shortcut import ShortcutController
from notesearch.gui.system.instance_server import InstanceServer, activation_token
from notesearch.gui.system.native_shortcuts import native_shortcut
from notesearch.gui.system.single_instance import SEARCH, SHOW, TOGGLE
from notesearch.gui.translation import translate
from notesearch.gui.widgets.dialogs import choice

if TYPE_CHECKING:
    from notesearch.gui.app import App


class Desktop(QObject):
    """Handles requests of the tray, the global shortcut and later starts of the program.

    Attributes:
        quick: Quick search.
        server: Receives the requests of later starts once the caller lets it ``listen``.
        question: The open dialog that asks whether to keep running; None without one.

    Args:
        app: The main window and its parts; it must outlive this object.
        background: Whether the program was started without a window, so that it keeps running
            without one.
    """

    def __init__(self, app: "App", *, background: bool = False) -> None:
        super().__init__()
        self._app = app
        self._background = background
        self.question: QMessageBox | None = None
        preferences = app.preferences
        self.tray = Tray(self)
        self.shortcut = ShortcutController(
            app.settings.quick_shortcut,
            lambda keys: preferences.change(quick_shortcut=keys),
            native_shortcut,
            self,
        )
        self.quick = QuickSearch(app.vault, app.display, preferences, app.theme, self)
        app.appearance.style(self.tray.menu)
        app.appearance.style(self.quick.window)
        app.appearance.changed.connect(self.quick.set_theme)
        app.settings_controller.set_quick_search(self.shortcut, self.tray)
        app.window.page.add_choices(FirstChoices(self.shortcut))
        app.window.closing.connect(self.close_window)
        preferences.changed.connect(self._follow_settings)
        self._notifies = False  # whether to notify when the window is closed next
        self._connect_quick()
        self._connect_tray()
        QApplication.setQuitOnLastWindowClosed(False)
        self.shortcut.pressed.connect(self._on_pressed)
        self.shortcut.begin()
        self.server = InstanceServer(self)
        self.server.requested.connect(self._on_requested)

    def close(self) -> None:
        """Close the tray icon, the shortcut and quick search."""
        if self.question is not None:
            self.question.blockSignals(True)
            self.question.close()
        self.shortcut.close()
        self.tray.close()
        self.quick.close()

    def report_bug(self) -> None:
        """Tell the user, in the window in use, that something unexpected went wrong."""
        quick = self.quick
        if quick.window.isVisible():
            quick.window.notice.show_message(self._app.bug_text, [quick.actions.show_details])
        else:
            self._app.report_bug()

    @Slot()
    def show_window(self) -> None:
        """Show the main window in front of others, even if it was minimized."""
        window = self._app.window
        if window.isMinimized():
            window.setWindowState(window.windowState() & ~Qt.WindowState.WindowMinimized)
        window.show()
        window.raise_()
        window.activateWindow()

    @Slot(str, str, str)
    def _on_requested(self, command: str, query: str, token: str) -> None:
        self._app.preferences.read_file()  # the command line may have chosen another folder
        with activation_token(token):
            if command == SHOW:
                self.show_window()
            elif command == SEARCH:
                self.quick.show(query)
            elif command == TOGGLE:
                self.quick.toggle()

    @Slot(object)
    def _follow_settings(self, names: frozenset[str]) -> None:
        if "close_to_tray" in names:
            self._notifies = self._app.settings.close_to_tray
        self.shortcut.follow(self._app.settings.quick_shortcut)
        self.tray.pause.setChecked(self._app.settings.paused)

    @Slot(str)
    def _on_pressed(self, token: str) -> None:
        self._on_requested(TOGGLE, "", token)

    @Slot(str, object)
    def _continue(self, text: str, key: SectionKey | None) -> None:
        """Show the main window with the query and the selected section of quick search."""
        app = self._app
        self.show_window()
        if key is not None and not key.path.startswith(app.pane.search.within):
            app.scope.search_everywhere()
        app.window.field.setFocus()
        app.pane.search.continue_with(text, key)

    def _connect_quick(self) -> None:
        quick = self.quick
        app = self._app
        quick.continued.connect(self._continue)
        quick.actions.quit.triggered.connect(app.leave)
        app.actions.quick_search.triggered.connect(quick.toggle)
        app.pane.start_list.stored.connect(quick.pane.start_list.refresh)
        quick.pane.start_list.stored.connect(app.pane.start_list.refresh)
        for action, show in (
            (quick.actions.settings, app.actions.settings),
            (quick.actions.choose_editor, app.actions.choose_editor),
            (quick.actions.show_details, app.actions.show_details),
        ):
            action.triggered.connect(self._stay_for_settings)
            action.triggered.connect(show.trigger)

    def _connect_tray(self) -> None:
        tray = self.tray
        app = self._app
        tray.quick_search.triggered.connect(self.quick.toggle)
        tray.open_window.triggered.connect(self.show_window)
        tray.update_index.triggered.connect(app.vault.refresh)
        tray.pause.setChecked(app.settings.paused)
        tray.pause.triggered.connect(app.pause)
        tray.settings.triggered.connect(app.settings_controller.show)
        tray.quit.triggered.connect(app.leave)
        app.vault.state_changed.connect(self._offer_indexing)
        self._offer_indexing()
        tray.absence.timeout.connect(self._on_tray_gone)
        self.shortcut.changed.connect(tray.show_shortcut)
        app.display.line_changed.connect(tray.set_line)
        tray.set_line(app.display.line)
        tray.start()

    @Slot()
    def _offer_indexing(self) -> None:
        vault = self._app.vault
        self.tray.pause.setEnabled(vault.is_open)
        self.tray.update_index.setEnabled(vault.is_open and not vault.paused)

    @Slot()
    def _stay_for_settings(self) -> None:
        self.quick.stay_for(self._app.settings_controller.ensure_dialog())

    @Slot()
    def _on_tray_gone(self) -> None:
        """Show the window again if it is closed, because the tray icon has disappeared."""
        if not self._background and not self._app.window.isVisible():
            self.show_window()

    @Slot()
    def close_window(self) -> None:
        """End the program because the window was closed, unless it should keep running."""
        if self._background:
            return
        settings = self._app.settings
        if settings.close_to_tray and can_stay(self.tray, self.shortcut):
            self._notify()
        elif self.shortcut.is_active and not settings.asked_to_stay:
            self._ask_to_stay()
        else:
            self._app.leaving.emit()

    def _ask_to_stay(self) -> None:
        keys = translate("Quick search opens with {keys} only while notesearch runs.")
        self.question = box = choice(
            translate("Keep notesearch running?"),
            keys.format(keys=self.shortcut.state.keys),
            translate("You can change this in the settings, on the page “Quick search”."),
            translate("Keep running"),
            translate("Quit"),
        )
        self._app.appearance.style(box)
        box.accepted.connect(self._stay)
        box.rejected.connect(self._end)
        box.destroyed.connect(self._forget_question)
        box.open()

    @Slot()
    def _forget_question(self) -> None:
        """Drop the reference to the box once Qt has destroyed it.

        Without the reference, Python could destroy the box while it emits its answer.
        """
        self.question = None

    @Slot()
    def _stay(self) -> None:
        self._app.preferences.change(close_to_tray=True, asked_to_stay=True)

    @Slot()
    def _end(self) -> None:
        self._app.preferences.change(asked_to_stay=True)
        self._app.leaving.emit()

    def _notify(self) -> None:
        """Tell the user that the program keeps running, once after they chose this."""
        if self._notifies:
            self._notifies = False
            self.tray.show_message(
                translate(
                    "notesearch keeps running in the tray. You can change this in the settings."
                )
            )
