"""The buttons beside the search field that say where to search."""

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QFrame, QHBoxLayout, QMenu, QSizePolicy, QToolButton

from notesearch.gui.session.preferences import Preferences
from notesearch.gui.translation import translate
from notesearch.gui.widgets import icons
from notesearch.gui.widgets.controls import all_folders, everywhere, icon_button, plain_tip
from notesearch.gui.widgets.theme import Theme, px

_KEYS = 9
_WIDEST_VAULT = 170
_WIDEST_FOLDER = 190


class VaultSwitcher(QToolButton):
    """A button with the name of the open vault, or "All folders"; hidden if only one is listed.

    Attributes:
        all: The action that searches all vaults at once.
        numbered: The actions with the keys Ctrl+1 to Ctrl+9. Add them to each window in which the
            keys should work.
        more: The action that opens the settings in which vaults are added and removed.
    """

    def __init__(self, preferences: Preferences, theme: Theme) -> None:
        super().__init__()
        self._preferences = preferences
        self._theme = theme
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
        self.all = QAction(all_folders(), self._group)
        self.all.setCheckable(True)
        self.all.setShortcut(QKeySequence("Ctrl+Shift+A"))
        self.more = QAction(translate("Add or change folders…"), self)
        preferences.changed.connect(self.show_setting)
        self.show_setting()

    @Slot()
    def show_setting(self) -> None:
        """List the vaults of the settings in the menu, and show the chosen one."""
        settings = self._preferences.settings
        vaults = settings.listed
        names = settings.names
        is_joined = bool(settings.joined)
        self._menu.clear()
        self._menu.addAction(self.all)
        self._menu.addSeparator()
        self.all.setEnabled(len(vaults) > 1)
        self.all.setChecked(is_joined)
        for action, vault in zip(self.numbered, vaults, strict=False):
            action.setText(names[vault.path].replace("&", "&&"))
            action.setToolTip(plain_tip(vault.path))
            action.setData(vault.path)
            action.setChecked(vault.path == settings.vault and not is_joined)
            self._menu.addAction(action)
        for number, action in enumerate(self.numbered):
            action.setEnabled(number < len(vaults))
        for vault in vaults[_KEYS:]:
            action = self._menu.addAction(names[vault.path].replace("&", "&&"))
            action.setData(vault.path)
            action.setToolTip(plain_tip(vault.path))
            action.setActionGroup(self._group)
        self._menu.addSeparator()
        self._menu.addAction(self.more)
        name = all_folders() if is_joined else names.get(settings.vault, "")
        self.setVisible(len(vaults) > 1)
        self.setAccessibleName(translate("Notes folder: {name}", name=name))
        paths = "\n".join(vault.path for vault in vaults) if is_joined else settings.vault
        self.setToolTip(plain_tip(paths))
        self._name = name
        self.set_theme(self._theme)

    def set_theme(self, theme: Theme) -> None:
        """Apply the theme and the font sizes."""
        self._theme = theme
        icons.set_icon(self, "note", theme.text2, px(15))
        metrics = self.fontMetrics()
        text = metrics.elidedText(self._name, Qt.TextElideMode.ElideRight, px(_WIDEST_VAULT))
        self.setText(text.replace("&", "&&"))

    @Slot(QAction)
    def _choose(self, action: QAction) -> None:
        if action is self.all:
            self._preferences.change(all_vaults=True)
        else:
            self._preferences.change(vault=str(action.data()), all_vaults=False)


class FolderButton(QFrame):
    """Shows the folder to search in, in the accent colour beside a cross; or "Everywhere"."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._folder = ""
        self.button = QToolButton()
        self.button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.button.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.cross = icon_button(translate("Search everywhere"))
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self.button)
        row.addWidget(self.cross)
        self.setFocusProxy(self.button)
        self.set_folder("")

    @property
    def text(self) -> str:
        """The label of the button, not shortened."""
        return self._folder or everywhere()

    def set_folder(self, folder: str) -> None:
        """Show ``folder`` as the folder to search in; empty for the whole vault."""
        self._folder = folder
        self.button.setProperty("chosen", bool(folder))
        self.cross.setVisible(bool(folder))
        text = translate("Searching in: {folder}", folder=self.text)
        self.button.setAccessibleName(text)
        self.button.setToolTip(plain_tip(text))
        self.set_theme(self._theme)

    def set_theme(self, theme: Theme) -> None:
        """Apply the theme and the font sizes."""
        self._theme = theme
        colour = theme.accent if self._folder else theme.text2
        icons.set_icon(self.button, "folder", colour, px(15))
        icons.set_icon(self.cross, "clear", theme.text2, px(12))
        for button in (self.button, self.cross):
            button.style().unpolish(button)
            button.style().polish(button)
        shown = self.button.fontMetrics().elidedText(
            self.text, Qt.TextElideMode.ElideMiddle, px(_WIDEST_FOLDER)
        )
        self.button.setText(shown.replace("&", "&&"))
