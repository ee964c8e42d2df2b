"""The Quick search page: shortcut, window behaviour, tray, and start at login."""

from PySide6.QtCore import QTimer, Slot
from PySide6.QtGui import QGuiApplication, QHideEvent, QShowEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QPushButton

from notesearch.gui.quick.tray import Tray
from notesearch.gui.session.preferences import Preferences
from notesearch.gui.settings.fields import CheckSetting, ChoiceSetting, TickBox
from notesearch.gui.settings.settings_page import SettingsPage, button, text_label
from notesearch.gui.settings.shortcut_row import ShortcutRow
from notesearch.gui.system.login_item import LoginItem, login_item
from notesearch.gui.system.shortcut.shortcut_controller import COMMAND, ShortcutController
from notesearch.gui.translation import tr, translate
from notesearch.gui.widgets.theme import px

_COPIED_MS = 2000


class QuickPage(SettingsPage):
    """Explains what this desktop does not support.

    Args:
        shortcut: The global shortcut; None if the program runs without quick search.
        tray: Likewise.
    """

    def __init__(
        self, preferences: Preferences, shortcut: ShortcutController | None, tray: Tray | None
    ) -> None:
        super().__init__(preferences, translate("settings", "Quick search"))
        self._tray = tray
        if shortcut is not None:
            row = ShortcutRow(shortcut)
            self.add_row(translate("settings", "Global shortcut"), row, setting="quick_shortcut")
        self._stays = CheckSetting(
            preferences,
            "close_to_tray",
            translate("settings", "Keep running in the tray when the window is closed"),
        )
        self.login = LoginBox(login_item())
        self._tray_hint = self.add_row(
            translate("settings", "Background"),
            self._stays,
            self.login,
            self.login.problem,
            setting="close_to_tray",
        )
        screens = [
            ("pointer", translate("settings", "The screen with the pointer")),
            ("primary", translate("settings", "The main screen")),
        ]
        screen = ChoiceSetting(preferences, "quick_screen", screens)
        hint = translate("settings", "On Wayland, the desktop decides the position.")
        self.add_row(
            translate("settings", "Open on"),
            self.add_line(screen),
            hint=hint,
            setting="quick_screen",
        )
        times = [
            (90, _seconds(90)),
            (-1, translate("settings", "Until you clear it")),
            (0, translate("settings", "Never")),
        ]
        keep = ChoiceSetting(preferences, "quick_keep_s", times, _seconds)
        self.add_row(
            translate("settings", "Keep last query"), self.add_line(keep), setting="quick_keep_s"
        )
        hides = CheckSetting(
            preferences,
            "quick_hides",
            translate("settings", "Close when another window gets the focus"),
        )
        self.add_row(translate("settings", "Focus"), hides, setting="quick_hides")
        escape = CheckSetting(
            preferences,
            "quick_escape_hides",
            translate("settings", "Always close with Esc, even if the field has text"),
        )
        self.add_row(translate("settings", "Escape key"), escape, setting="quick_escape_hides")
        self.add_foot(CommandBox())

    def showEvent(self, event: QShowEvent) -> None:
        """Check for a tray."""
        super().showEvent(event)
        present = self._tray is not None and self._tray.present
        self._tray_hint.setText(
            translate(
                "settings", "This desktop has no tray now, so closing the window quits notesearch."
            )
        )
        self._tray_hint.setVisible(not present)
        self._stays.setEnabled(present or self._stays.isChecked())
        self.login.refresh()


class LoginBox(TickBox):
    """A check box for start at login; ``problem`` shows why it could not be changed."""

    def __init__(self, item: LoginItem) -> None:
        super().__init__(translate("settings", "Start at login"))
        self._item = item
        self.problem = text_label("", role="meta", tone="danger")
        self.clicked.connect(self._choose)
        self.refresh()

    def refresh(self) -> None:
        """Show the current state."""
        self.setChecked(self._item.is_set())
        self.problem.hide()

    @Slot(bool)
    def _choose(self, chosen: bool) -> None:
        try:
            (self._item.set if chosen else self._item.clear)()
        except OSError as error:
            reason = error.strerror or str(error)
            self.refresh()
            text = translate("window", "This could not be set up: {reason}.")
            self.problem.setText(text.format(reason=reason))
            self.problem.show()


class CommandBox(QFrame):
    """Shows the command to bind to a key where global shortcuts are not supported."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("settingsBox")
        text = translate(
            "settings",
            "If the shortcut doesn't work, bind this command to a key in your desktop's settings:",
        )
        self._command = text_label(COMMAND)
        self._command.setProperty("role", "code")
        self._copy: QPushButton = button(translate("settings", "Copy"), self._copy_command)
        self._copy.setAccessibleName(translate("settings", "Copy command"))
        self._copied = QTimer(self)
        self._copied.setSingleShot(True)
        self._copied.setInterval(_COPIED_MS)
        self._copied.timeout.connect(self._reset)
        grid = QGridLayout(self)
        grid.setContentsMargins(px(12), px(8), px(12), px(8))
        grid.addWidget(text_label(text, role="meta", tone="text2"), 0, 0, 1, 2)
        grid.addWidget(self._command, 1, 0)
        grid.addWidget(self._copy, 1, 1)
        grid.setColumnStretch(0, 1)

    def hideEvent(self, event: QHideEvent) -> None:
        """Reset the Copy button."""
        super().hideEvent(event)
        self._reset()

    @Slot()
    def _copy_command(self) -> None:
        QGuiApplication.clipboard().setText(COMMAND)
        self._copy.setText(translate("settings", "Copied"))
        self._copied.start()

    @Slot()
    def _reset(self) -> None:
        self._copy.setText(translate("settings", "Copy"))


def _seconds(number: int) -> str:
    return tr("For %Ln second(s)", "", number)
