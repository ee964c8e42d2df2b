"""The button beside the field that switches between vaults, also by Ctrl+1 to Ctrl+9."""

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QMenu, QSizePolicy, QToolButton

from notesearch.gui.session.preferences import Preferences
from notesearch.gui.translation import translate
from notesearch.gui.widgets import icons
from notesearch.gui.widgets.theme import Theme, px

_KEYS = 9
_WIDEST = 170


class VaultSwitcher(QToolButton):
    """Names the open vault. Hidden while there is only one.

    Attributes:
        numbered: The actions of the keys. Add them to each window in which they should work.
        more: Opens the settings in which vaults are added and removed.
    """

    def __init__(self, preferences: Preferences, theme: Theme) -> None:
        super().__init__()
        self._preferences = preferences
        self._theme = theme
        self.setObjectName("vaultSwitcher")
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self._menu = QMenu(self)
        self._menu.setToolTipsVisible(True)
        self.setMenu(self._menu)
        self._group = QActionGroup(self)
        self._group.triggered.connect(self._choose)
        self.numbered = [QAction(self._group) for _ in range(_KEYS)]
        for number, action in enumerate(self.numbered, 1):
            action.setCheckable(True)
            action.setShortcut(QKeySequence(f"Ctrl+{number}"))
        self.more = QAction(translate("window", "Add or change folders…"), self)
        preferences.changed.connect(self.show_setting)
        self.show_setting()

    @Slot()
    def show_setting(self) -> None:
        """List the vaults of the settings."""
        settings = self._preferences.settings
        vaults = settings.listed
        self._menu.clear()
        for action, vault in zip(self.numbered, vaults, strict=False):
            action.setText(vault.label.replace("&", "&&"))
            action.setToolTip(vault.path)
            action.setData(vault.path)
            action.setChecked(vault.path == settings.vault)
            self._menu.addAction(action)
        for number, action in enumerate(self.numbered):
            action.setEnabled(number < len(vaults))
        for vault in vaults[_KEYS:]:
            action = self._menu.addAction(vault.label.replace("&", "&&"))
            action.setData(vault.path)
            action.setToolTip(vault.path)
            action.setActionGroup(self._group)
        self._menu.addSeparator()
        self._menu.addAction(self.more)
        name = next((one.label for one in vaults if one.path == settings.vault), "")
        self.setVisible(len(vaults) > 1)
        self.setAccessibleName(translate("window", "Notes folder: {name}").format(name=name))
        self.setToolTip(settings.vault)
        self._name = name
        self.set_theme(self._theme)

    def set_theme(self, theme: Theme) -> None:
        """Apply the theme and the font sizes."""
        self._theme = theme
        self.setIcon(icons.icon("note", theme.text2, px(16)))
        widest = self.fontMetrics()
        text = widest.elidedText(self._name, Qt.TextElideMode.ElideRight, px(_WIDEST))
        self.setText(text.replace("&", "&&"))

    @Slot(QAction)
    def _choose(self, action: QAction) -> None:
        self._preferences.change(vault=str(action.data()))
