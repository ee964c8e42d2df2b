"""The list of vaults in the settings: add, rename, open and remove."""

from pathlib import Path

from PySide6.QtCore import QSignalBlocker, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QFileDialog,
    QHBoxLayout,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QMessageBox,
    QVBoxLayout,
    QWidget,
)

from notesearch.gui.session.preferences import Preferences
from notesearch.gui.settings.settings_page import button, text_label
from notesearch.gui.translation import translate
from notesearch.gui.widgets.theme import px

_PATH = Qt.ItemDataRole.UserRole
_VISIBLE_ROWS = 4


class VaultList(QListWidget):
    """The vaults by name; Enter or a double click opens one, F2 renames it.

    Signals:
        removing: Delete was pressed; carries the path of the vault.
    """

    removing = Signal(str)

    def __init__(self, preferences: Preferences) -> None:
        super().__init__()
        self.setObjectName("vaultList")
        self.setAccessibleName(translate("settings", "Notes folders"))
        self.setEditTriggers(QListWidget.EditTrigger.EditKeyPressed)
        self._preferences = preferences
        preferences.changed.connect(self.show_setting)
        self.itemActivated.connect(self._open)
        self.itemChanged.connect(self._rename)
        self.show_setting()

    @property
    def path(self) -> str:
        """The path of the selected vault."""
        item = self.currentItem()
        return str(item.data(_PATH)) if item else ""

    @Slot()
    def show_setting(self) -> None:
        """Show the vaults in the settings, the open one in bold."""
        settings, before = self._preferences.settings, self.path or self._preferences.settings.vault
        with QSignalBlocker(self):
            self.clear()
            for vault in settings.listed:
                item = QListWidgetItem(vault.label)
                item.setData(_PATH, vault.path)
                item.setToolTip(vault.path)
                item.setFlags(item.flags() | Qt.ItemFlag.ItemIsEditable)
                current = vault.path == settings.vault
                font = item.font()
                font.setBold(current)
                item.setFont(font)
                spoken = translate("settings", "{name}, open") if current else "{name}"
                role = Qt.ItemDataRole.AccessibleTextRole
                item.setData(role, spoken.format(name=vault.label))
                self.addItem(item)
        rows = [row for row in range(self.count()) if self.item(row).data(_PATH) == before]
        self.setCurrentRow(rows[0] if rows else 0)

    def fit(self) -> None:
        """Set the height from the application's font."""
        self.setFixedHeight(px(24) * _VISIBLE_ROWS + px(12))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Remove the selected vault with Delete."""
        if event.key() == Qt.Key.Key_Delete and self.path:
            self.removing.emit(self.path)
        else:
            super().keyPressEvent(event)

    @Slot(QListWidgetItem)
    def _open(self, item: QListWidgetItem) -> None:
        self._preferences.change(vault=str(item.data(_PATH)))

    @Slot(QListWidgetItem)
    def _rename(self, item: QListWidgetItem) -> None:
        path, name = str(item.data(_PATH)), item.text().strip()
        if name == Path(path).name:
            name = ""
        self._preferences.change(vaults=self._preferences.settings.with_name(path, name).vaults)
        self.show_setting()


class VaultChoices(QWidget):
    """The list of vaults with its buttons.

    Signals:
        removed: A vault was removed; carries its path and whether to delete its index.
    """

    removed = Signal(str, bool)

    def __init__(self, preferences: Preferences) -> None:
        super().__init__()
        self._preferences = preferences
        self.list = VaultList(preferences)
        self.where: QLabel = text_label("", role="meta", tone="text2")
        self._open = button(translate("settings", "Open"), self._open_selected)
        self._name = button(translate("settings", "Rename"), self._name_selected)
        self._remove = button(translate("settings", "Remove…"), self._ask_to_remove)
        self._row = QHBoxLayout()
        for widget in (
            button(translate("settings", "Add folder…"), self._add),
            self._open,
            self._name,
            self._remove,
        ):
            self._row.addWidget(widget)
        self._row.addStretch(1)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.addWidget(self.list)
        self._column.addWidget(self.where)
        self._column.addLayout(self._row)
        self.setFocusProxy(self.list)
        self.list.removing.connect(self._ask_to_remove)
        self.list.currentRowChanged.connect(self._show)
        preferences.changed.connect(self._show)
        self._show()

    def add(self, folder: Path) -> None:
        """Add ``folder`` to the list and open it."""
        chosen = self._preferences.settings.with_vault(folder)
        self._preferences.change(vault=chosen.vault, vaults=chosen.vaults)

    def remove(self, path: str, *, with_index: bool) -> None:
        """Remove the vault at ``path`` from the list."""
        left = self._preferences.settings.without_vault(path)
        self._preferences.change(vault=left.vault, vaults=left.vaults)
        self.removed.emit(path, with_index)

    @Slot()
    def _show(self) -> None:
        path = self.list.path
        self.where.setText(path)
        self.where.setVisible(bool(path))
        self._open.setEnabled(bool(path) and path != self._preferences.settings.vault)
        self._name.setEnabled(bool(path))
        self._remove.setEnabled(bool(path))
        self.list.fit()

    @Slot()
    def _add(self) -> None:
        start = str(Path(self.list.path).parent if self.list.path else Path.home())
        chosen = QFileDialog.getExistingDirectory(
            self, translate("settings", "Choose your notes folder"), start
        )
        if chosen:
            self.add(Path(chosen))

    @Slot()
    def _open_selected(self) -> None:
        self._preferences.change(vault=self.list.path)

    @Slot()
    def _name_selected(self) -> None:
        self.list.editItem(self.list.currentItem())

    @Slot()
    def _ask_to_remove(self) -> None:
        RemoveBox(self, self.list.path, self.list.currentItem().text()).open()


class RemoveBox(QMessageBox):
    """Asks whether to remove a vault from the list, and whether to delete its index."""

    def __init__(self, choices: VaultChoices, path: str, name: str) -> None:
        super().__init__(choices)
        self._path = path
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(translate("settings", "Remove a folder from the list"))
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setText(translate("settings", "Remove “{name}” from the list?").format(name=name))
        self.setInformativeText(
            translate("settings", "Your notes stay where they are: {path}").format(path=path)
        )
        self.index = QCheckBox(
            translate("settings", "Also delete its index (it can be rebuilt from the notes)")
        )
        self.setCheckBox(self.index)
        self.remove = self.addButton(
            translate("settings", "Remove"), QMessageBox.ButtonRole.AcceptRole
        )
        self.setDefaultButton(self.addButton(QMessageBox.StandardButton.Cancel))
        self.finished.connect(self._on_finished)

    @Slot()
    def _on_finished(self) -> None:
        choices = self.parentWidget()
        if self.clickedButton() is self.remove and isinstance(choices, VaultChoices):
            choices.remove(self._path, with_index=self.index.isChecked())
