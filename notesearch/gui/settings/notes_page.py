"""The Notes page of the settings: the folders, what to search in them, and the index."""

from collections.abc import Collection, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QSignalBlocker, Qt, QUrl, Signal, Slot
from PySide6.QtGui import QDesktopServices, QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QVBoxLayout,
    QWidget,
)

from notesearch.gui.session.open_vault import OpenVault
from notesearch.gui.session.preferences import Preferences
from notesearch.gui.session.worker_threads import FileCall
from notesearch.gui.settings.settings_page import (
    CheckSetting,
    EntryList,
    FieldSetting,
    LinesSetting,
    NumberSetting,
    SettingsPage,
    button,
)
from notesearch.gui.translation import bytes_text, translate
from notesearch.gui.widgets.controls import TickBox, plain_tip, text_label
from notesearch.gui.widgets.dialogs import choose_folder, question
from notesearch.gui.widgets.theme import px
from notesearch.gui.window.folder_chooser import count_notes
from notesearch.gui.window.index_display import IndexDisplay


class VaultChoices(QWidget):
    """The list of vaults, the open ones in bold, with buttons.

    Enter or a double click opens a vault, F2 renames it, Delete removes it.

    Signals:
        removed: A vault was removed; carries its path, and whether to delete its index, too.
    """

    removed = Signal(str, bool)

    def __init__(self, preferences: Preferences) -> None:
        super().__init__()
        self._preferences = preferences
        self._shown: list[tuple[str, str, bool]] = []  # path, name, whether open
        self.list: EntryList[str] = EntryList(translate("Notes folders"), 4)
        self.list.setEditTriggers(QListWidget.EditTrigger.EditKeyPressed)
        self.list.itemActivated.connect(self._open_selected)
        self.list.itemChanged.connect(self._rename)
        self.list.currentRowChanged.connect(self._show_selected)
        delete = QShortcut(QKeySequence.StandardKey.Delete, self.list)
        delete.setContext(Qt.ShortcutContext.WidgetShortcut)
        delete.activated.connect(self._ask_to_remove)
        self.where: QLabel = text_label("", role="meta", tone="text2")
        self._open = button(translate("Open"), self._open_selected)
        self._name = button(translate("Rename"), self._name_selected)
        self._remove = button(translate("Remove…"), self._ask_to_remove)
        self.buttons = QHBoxLayout()
        self.buttons.addWidget(button(translate("Add folder…"), self._add))
        for widget in (self._open, self._name, self._remove):
            self.buttons.addWidget(widget)
        self.buttons.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.list)
        column.addWidget(self.where)
        column.addLayout(self.buttons)
        self.setFocusProxy(self.list)
        preferences.changed.connect(self._show)
        self._show()

    @property
    def _path(self) -> str:
        """The path of the selected vault; empty if the list is empty."""
        return self.list.current() or ""

    def add(self, folder: Path) -> None:
        """Add ``folder`` to the list and open it."""
        chosen = self._preferences.settings.with_vault(folder)
        self._preferences.change(vault=chosen.vault, vaults=chosen.vaults, all_vaults=False)

    def remove(self, path: str, *, with_index: bool) -> None:
        """Remove the vault at ``path`` from the list; ``with_index`` also deletes its index."""
        remaining = self._preferences.settings.without_vault(path)
        self._preferences.change(vault=remaining.vault, vaults=remaining.vaults)
        self.removed.emit(path, with_index)

    @Slot()
    def _show(self) -> None:
        settings = self._preferences.settings
        names = settings.names
        opened = names if settings.joined else [settings.vault]
        shown = [(path, name, path in opened) for path, name in names.items()]
        if shown != self._shown:  # else a name that is being typed would be lost
            self._show_vaults(shown)
        self._show_selected()

    def _show_vaults(self, shown: list[tuple[str, str, bool]]) -> None:
        before = self._path or self._preferences.settings.vault
        self._shown = shown
        self.list.show_entries(shown)
        with QSignalBlocker(self.list):
            for row, (path, name, is_open) in enumerate(shown):
                item = self.list.item(row)
                item.setToolTip(plain_tip(path))
                item.setFlags(item.flags() | Qt.ItemFlag.ItemIsEditable)
                spoken = translate("{name}, open") if is_open else "{name}"
                item.setData(Qt.ItemDataRole.AccessibleTextRole, spoken.format(name=name))
        paths = self.list.entries
        self.list.setCurrentRow(paths.index(before) if before in paths else 0)

    @Slot()
    def _show_selected(self) -> None:
        path = self._path
        settings = self._preferences.settings
        self.where.setText(path)
        self.where.setVisible(bool(path))
        is_only = not settings.joined and path == settings.vault
        self._open.setEnabled(bool(path) and not is_only)
        self._name.setEnabled(bool(path))
        self._remove.setEnabled(bool(path))

    @Slot(QListWidgetItem)
    def _rename(self, item: QListWidgetItem) -> None:
        path = self.list.entries[self.list.row(item)]
        name = item.text().strip()
        if name == Path(path).name:
            name = ""
        self._preferences.change(vaults=self._preferences.settings.with_name(path, name).vaults)
        self._shown = []  # the text may have spaces around the name
        self._show()

    @Slot()
    def _add(self) -> None:
        chosen = choose_folder(self, Path(self._path).parent if self._path else Path.home())
        if chosen:
            self.add(chosen)

    @Slot()
    def _open_selected(self) -> None:
        self._preferences.change(vault=self._path, all_vaults=False)

    @Slot()
    def _name_selected(self) -> None:
        self.list.editItem(self.list.currentItem())

    @Slot()
    def _ask_to_remove(self) -> None:
        path = self._path
        if not path:
            return
        name = self.list.currentItem().text()
        index = TickBox(translate("Also delete its index (it can be rebuilt from the notes)"))
        box = question(
            self,
            translate("Remove a folder from the list"),
            translate("Remove “{name}” from the list?", name=name),
            translate("Your notes stay where they are: {path}", path=path),
            translate("Remove"),
            lambda: self.remove(path, with_index=index.isChecked()),
        )
        box.setCheckBox(index)
        box.open()


class SuffixesSetting(FieldSetting[tuple[str, ...]]):
    """A field for the file suffixes of notes; it refuses suffixes that would hide all notes."""

    def __init__(self, preferences: Preferences, vault: OpenVault) -> None:
        super().__init__(preferences, "suffixes")
        self._vault = vault

    def text_of(self, value: tuple[str, ...]) -> str:
        """Return the suffixes, separated by spaces."""
        return " ".join(value)

    def value_of(self, text: str) -> tuple[str, ...]:
        """Return the suffixes, each with its dot; raise a ``ValueError`` if there are none."""
        words = text.replace(",", " ").replace(";", " ").split()
        names = (word.strip("*.").lower() for word in words)  # *.md and md mean .md
        suffixes = tuple(dict.fromkeys(f".{name}" for name in names if name))
        if not suffixes:
            raise ValueError(translate("Type at least one file type here, such as .md."))
        return suffixes

    def take(self, value: tuple[str, ...]) -> None:
        """Change the setting once a file with one of the suffixes is found."""
        settings = self.setting.preferences.settings
        folders = {*self._vault.folders.values(), *settings.folders.values()}
        call = FileCall(partial(_checked, folders, value, settings.suffixes), self)
        call.answered.connect(self._decide)
        call.start()

    @Slot(object)
    def _decide(self, answer: tuple[tuple[str, ...], bool]) -> None:
        suffixes, is_used = answer
        if is_used:
            super().take(suffixes)
        else:
            why = translate("No file in your notes folder ends in {types}, so nothing was changed.")
            self.refuse(why.format(types=" ".join(suffixes)))


def _checked(
    folders: Collection[Path], suffixes: tuple[str, ...], current: Sequence[str]
) -> tuple[tuple[str, ...], bool]:
    """Return ``suffixes``, and whether the setting may change to them.

    It may if a file below ``folders`` has one of them, or none has one of the ``current`` suffixes.
    While a folder cannot be reached, it may change, too.
    """

    def are_used(types: Sequence[str]) -> bool:
        return any(count_notes(folder, types, FileCall.is_ending) != 0 for folder in folders)

    all_reached = all(folder.is_dir() for folder in folders)
    return suffixes, not all_reached or are_used(suffixes) or not are_used(current)


_MB = 1_000_000


class NotesPage(SettingsPage):
    """The page about notes and index. After a change of its settings, all notes are read again."""

    def __init__(self, preferences: Preferences, vault: OpenVault, display: IndexDisplay) -> None:
        super().__init__(preferences)
        self._vault = vault
        self._display = display
        self.vaults = VaultChoices(preferences)
        self.vaults.removed.connect(vault.remove)
        self.add_row(translate("Folders"), self.vaults, setting="vaults")
        self.may_stack(self.vaults.buttons)
        self._ignore = LinesSetting(preferences, "ignore")
        hint = translate(
            "Patterns for folders and files, one per line, as in .gitignore. A"
            " .notesearchignore file in the folder and Obsidian’s excluded files apply too."
        )
        self.add_setting(translate("Ignored"), self._ignore, hint=hint)
        self._suffixes = SuffixesSetting(preferences, vault)
        hint = translate("For example .md .markdown .mkd")
        self.add_setting(translate("File types"), self._suffixes, hint=hint)
        self.add_check(
            translate("Other files"),
            "other_files",
            translate("Search PDF, Canvas, Org, AsciiDoc, text and other files"),
            hint=translate("Their pages, cards and headings appear in the results as sections."),
        )
        largest = NumberSetting(preferences, "max_note_bytes", 1, 1024, _MB)
        hint = translate("Larger files are not read, and are listed as unread.")
        self.add_row(
            translate("Largest note"),
            self.make_line(largest, text_label("MB")),
            hint=hint,
            setting="max_note_bytes",
        )
        self.add_check(
            translate("Links"),
            "follow_links",
            translate("Follow symbolic links"),
            hint=translate("Links may lead outside the folder. Each note is searched only once."),
        )
        dialects = [
            ("auto", translate("Detect automatically (MkDocs or Obsidian)")),
            ("default", translate("Obsidian and GitHub")),
            ("mkdocs", "MkDocs"),
        ]
        self.add_choice(translate("Markdown flavour"), "dialect", dialects)
        self._add_index()
        display.line_changed.connect(self._show_index)
        self._show_index()

    def fit(self) -> None:
        """Scale all spaces to the application's font."""
        super().fit()
        self._ignore.setFixedHeight(px(76))

    def end(self) -> None:
        """Apply the file types that were typed last."""
        FileCall.finish_all(self._suffixes)

    def _add_index(self) -> None:
        paused = CheckSetting(self.preferences, "paused", translate("Pause indexing"))
        self._paused = paused
        self._state = text_label("")
        self._where = text_label("", role="meta", tone="text2")
        self._where.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._update = button(translate("Update index"), self._vault.refresh)
        self._rebuild = button(translate("Rebuild index…"), self._ask_to_rebuild)
        self._folder = button(translate("Show in folder"), self._show_folder)
        row = self.make_line(self._update, self._rebuild, self._folder)
        self.add_row(translate("Index"), self._state, self._where, paused, row, setting="paused")

    @Slot()
    def _show_index(self) -> None:
        status = self._vault.status
        line = self._display.line
        self._state.setText(line.text)
        size = bytes_text(status.index_bytes) if status else ""
        place = status.index_path if status else ""
        text = translate("{size} at {place}", size=size, place=place)
        self._where.setText(text if place else "")
        self._where.setVisible(bool(place))
        for control in (self._paused, self._update, self._rebuild):
            control.setEnabled(self._vault.is_open)
        self._folder.setEnabled(bool(place))

    @Slot()
    def _show_folder(self) -> None:
        status = self._vault.status
        if status is not None:
            folder = Path(status.index_path).parent
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder)))

    @Slot()
    def _ask_to_rebuild(self) -> None:
        folders = ", ".join(folder.name for folder in self._vault.folders.values())
        question(
            self,
            translate("Rebuild the index"),
            translate("Rebuild the index of “{folder}”?", folder=folders),
            translate(
                "Your notes are not touched. You can search by words as soon as the notes are"
                " read; searching by meaning takes longer."
            ),
            translate("Rebuild"),
            self._vault.rebuild,
        ).open()
