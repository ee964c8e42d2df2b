"""The short pages of the settings: Search, Editor, Appearance and About."""

import os
import platform
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QLocale, QSize, Qt, QUrl, Slot, qVersion
from PySide6.QtGui import QDesktopServices, QFontDatabase, QGuiApplication, QShowEvent
from PySide6.QtWidgets import (
    QDialog,
    QLabel,
    QListWidget,
    QPlainTextEdit,
    QSplitter,
    QWidget,
)

from notesearch import __version__, opened_sections
from notesearch.config import BOUNDS, CHOICES
from notesearch.errors import NotesearchError, SettingsError
from notesearch.gui import wording
from notesearch.gui.quick.tray import Tray
from notesearch.gui.session.newest_worker import FileCall
from notesearch.gui.session.open_vault import OpenVault
from notesearch.gui.session.preferences import Preferences
from notesearch.gui.session.section_opener import SectionOpener
from notesearch.gui.settings.settings_dialog import (
    CheckSetting,
    ChoiceSetting,
    FoldersSetting,
    NumberSetting,
    SettingsPage,
    TextSetting,
    button,
)
from notesearch.gui.system.editors import (
    CODE_EDITORS,
    OBSIDIAN,
    SYSTEM,
    OpenLink,
    RunCommand,
    launch,
)
from notesearch.gui.system.global_shortcut import ShortcutController
from notesearch.gui.system.obsidian_link import NoteLocation
from notesearch.gui.translation import error_text, shortcut_text, translate
from notesearch.gui.widgets.controls import DropDown, text_label
from notesearch.gui.widgets.dialogs import fill, question, resize_on_screen
from notesearch.gui.widgets.theme import px

if TYPE_CHECKING:
    from notesearch.licences import Component


class SearchPage(SettingsPage):
    """The page about search; it also shows the progress of embedding."""

    def __init__(self, preferences: Preferences, vault: OpenVault) -> None:
        super().__init__(preferences, translate("settings", "Search"))
        self._vault = vault
        self.state = text_label("", role="meta", tone="text2")
        self.add_check(
            translate("settings", "Meaning"),
            "meaning",
            translate("settings", "Search by meaning as well as by words"),
            self.state,
        )
        self.model = text_label("")
        hint = translate("settings", "You can choose another on the “Models” page.")
        self.add_row(translate("settings", "Model"), self.model, hint=hint)
        results = NumberSetting(preferences, "results", *BOUNDS["results"])
        hint = translate("settings", "A window lists at most this many sections.")
        self.add_setting(translate("settings", "Results"), results, hint=hint)
        text = translate("settings", "Show the newest notes first in the main window")
        self.add_check(translate("settings", "Order"), "newest_first", text)
        text = translate("settings", "Label sections found only by meaning as “Related”")
        self.add_check(translate("settings", "Labels"), "related_tag", text)
        self._add_learning()
        self._add_reading()
        vault.state_changed.connect(self._show_state)
        preferences.changed.connect(self._show_state)
        self._show_state()

    def _add_learning(self) -> None:
        self.forget = button(translate("settings", "Forget what was learnt…"), self._ask_to_forget)
        hint = translate(
            "settings", "The record of this stays on this computer, in separate files."
        )
        self.not_forgotten = text_label("", role="meta", tone="danger")
        self.not_forgotten.hide()
        line = self.make_line(self.forget)
        title = translate("settings", "Learning")
        text = translate("settings", "Sections that you opened for a query rank higher for it")
        self.add_check(title, "learning", text, line, self.not_forgotten, hint=hint)
        text = translate("settings", "Recently changed notes rank slightly higher")
        self.add_check(translate("settings", "Preferred"), "prefer_recent", text)
        self._folders = folders = FoldersSetting(self.preferences, "preferred_folders", self._vault)
        hint = translate(
            "settings",
            "One folder per line, such as journal/2026. Their notes rank slightly higher.",
        )
        self.add_setting(translate("settings", "Preferred folders"), folders, hint=hint)

    @Slot()
    def _ask_to_forget(self) -> None:
        box = question(
            self,
            translate("settings", "Search"),
            translate("settings", "Forget which sections you opened for which queries?"),
            translate("settings", "Starred and earlier queries stay, and so do your notes."),
            translate("settings", "Forget"),
        )
        box.accepted.connect(self._forget)
        box.open()

    @Slot()
    def _forget(self) -> None:
        try:
            opened_sections.forget(self.preferences.paths.openings)
        except SettingsError as error:
            self.not_forgotten.setText(error_text(error))
        else:
            self.not_forgotten.clear()
        self.not_forgotten.setVisible(bool(self.not_forgotten.text()))
        self._show_state()

    def fit(self) -> None:
        """Scale all spaces to the application's font."""
        super().fit()
        self._folders.setFixedHeight(px(52))

    def end(self) -> None:
        """Apply the preferred folders that were typed last."""
        FileCall.finish_all(self._folders)

    def _add_reading(self) -> None:
        text = translate("settings", "Search in code blocks too")
        self.add_check(translate("settings", "Code"), "code_blocks", text)
        usual = translate("settings", "Detect for each note")
        named = [("auto", usual), *sorted(_languages(), key=lambda pair: pair[1].casefold())]
        language = ChoiceSetting(self.preferences, "language", named)
        hint = translate(
            "settings",
            "Decides which forms of a word match each other. A language in a note’s front"
            " matter takes precedence.",
        )
        self.add_setting(translate("settings", "Language of your notes"), language, hint=hint)

    def showEvent(self, event: QShowEvent) -> None:
        """Show the state again, because it may have changed meanwhile."""
        super().showEvent(event)
        self._show_state()

    @Slot()
    def _show_state(self) -> None:
        self.model.setText(self.preferences.settings.model)
        self.state.setText(wording.meaning_text(self._vault.status))
        self.forget.setEnabled(opened_sections.exist(self.preferences.paths.openings))


def _languages() -> list[tuple[str, str]]:
    variants = {"en": "en_IE", "es": "es_CU"}  # for others, Qt adds the country to the name
    names = (
        (code, QLocale(variants.get(code, code)).nativeLanguageName())
        for code in CHOICES["language"][1:]
    )
    return [(code, name[:1].upper() + name[1:]) for code, name in names]


class EditorPage(SettingsPage):
    """Lets the user choose two editors, and shows the exact command of each."""

    def __init__(self, preferences: Preferences, opener: SectionOpener) -> None:
        super().__init__(preferences, translate("settings", "Editor"))
        self.first = EditorRows(self, "editor", translate("settings", "Open notes with"))
        self.add_row(
            "",
            self.make_line(
                button(translate("settings", "Test with the current note"), opener.open_previewed)
            ),
        )
        self.second = EditorRows(
            self,
            "second_editor",
            translate("settings", "With {keys}").format(keys=shortcut_text("Ctrl+Enter")),
        )
        links = [
            ("wiki", translate("settings", "For notes: [[Note#Heading]]")),
            ("obsidian", translate("settings", "For Obsidian: obsidian://open…")),
        ]
        link = ChoiceSetting(preferences, "copied_link", links)
        self.add_setting(translate("settings", "Link format"), link)


class EditorRows(DropDown):
    """A drop-down list of editors; below it a field for a command, and the command that runs."""

    def __init__(self, page: SettingsPage, name: str, title: str) -> None:
        super().__init__()
        self._preferences, self._name = page.preferences, name
        self.addItem(translate("settings", "System default (opens at the top)"), SYSTEM)
        self.addItem("Obsidian", OBSIDIAN)
        for word, family in CODE_EDITORS.items():
            self.addItem(family.name, word)
        self.addItem(translate("settings", "Custom command"))
        self.command = TextSetting(self._preferences, name)
        self.command.setAccessibleName(
            translate("settings", "{title}: command").format(title=title)
        )
        self.command.setAccessibleDescription(_placeholder_hint())
        self.command.setPlaceholderText("subl {path}:{line}")
        self._hint = text_label(_placeholder_hint(), role="meta", tone="text2")
        self.runs: QLabel = text_label("", role="meta", tone="text2")
        self.activated.connect(self._choose)
        self.command.textEdited.connect(self._show_runs)
        self.command.editingFinished.connect(self._show)  # nothing may have been typed
        self._preferences.changed.connect(self._show)
        page.add_row(title, page.make_line(self), self.command, self._hint, self.runs, setting=name)
        self._show()

    @Slot(int)
    def _choose(self, index: int) -> None:
        editor = self.itemData(index)
        if editor is not None:
            self._preferences.change(**{self._name: editor})
            return
        if self.findData(getattr(self._preferences.settings, self._name)) >= 0:
            self.command.clear()  # it has the word of another editor
        self._show_command(shown=True)
        self.command.setFocus()

    @Slot()
    def _show(self) -> None:
        if self.command.hasFocus() and self.command.isModified():
            return  # a command is being typed
        editor = getattr(self._preferences.settings, self._name)
        index = self.findData(editor)
        self.setCurrentIndex(self.count() - 1 if index < 0 else index)
        self._show_command(shown=index < 0)
        self._show_runs(editor)

    def _show_command(self, *, shown: bool) -> None:
        self.command.setVisible(shown)
        self._hint.setVisible(shown)

    @Slot(str)
    def _show_runs(self, editor: str) -> None:
        try:
            sentence, tone = _runs(editor), "text2"
        except NotesearchError as error:
            sentence, tone = error_text(error), "danger"
        self.runs.setText(sentence)
        self.runs.setProperty("tone", tone)
        self.runs.style().polish(self.runs)


def _runs(editor: str) -> str:
    """Return a sentence with the command of ``editor`` for an example note.

    Raises a ``NotesearchError`` if it cannot run.
    """
    folder = Path.home() / "notes"
    example = NoteLocation(folder / "Trip to Japan.md", folder, 42, ("Kyoto", "Food"))
    if editor.strip() == OBSIDIAN:
        return translate(
            "settings",
            "Obsidian opens the note at the heading, or at the line if the Advanced URI"
            " plugin is installed.",
        )
    match launch(editor, example):
        case RunCommand(words):
            return translate("settings", "Runs: {command}").format(command=shlex.join(words))
        case OpenLink(url):
            return translate("settings", "Opens: {link}").format(link=url)
    return translate(
        "settings", "The note opens at the top. The default program cannot jump to the line."
    )


def _placeholder_hint() -> str:
    return translate(
        "settings",
        "You can use {path}, {line}, {column}, {heading}, {vault} and {vault_path}. The"
        " command runs directly, without a shell.",
    )


_SIZES = (75, 90, 100, 110, 125, 150, 175, 200, 250)


class AppearancePage(SettingsPage):
    """The look of both windows; every change takes effect at once."""

    def __init__(self, preferences: Preferences) -> None:
        super().__init__(preferences, translate("settings", "Appearance"))
        themes = [
            ("system", translate("settings", "Match system")),
            ("light", translate("settings", "Light")),
            ("dark", translate("settings", "Dark")),
        ]
        theme = ChoiceSetting(preferences, "theme", themes)
        sizes = [(size, _percent(size)) for size in _SIZES]
        size = ChoiceSetting(preferences, "text_size", sizes, _percent)
        rows = [
            ("comfortable", translate("settings", "Comfortable")),
            ("compact", translate("settings", "Compact")),
        ]
        density = ChoiceSetting(preferences, "density", rows)
        snippets = CheckSetting(
            preferences, "snippets", translate("settings", "Show some text below each heading")
        )
        fonts = [
            ("", translate("settings", "Same as the rest")),
            ("serif", translate("settings", "Serif")),
            *((f, f) for f in QFontDatabase.families() if not QFontDatabase.isPrivateFamily(f)),
        ]
        font = ChoiceSetting(preferences, "preview_font", fonts)
        self.add_setting(translate("settings", "Colours"), theme)
        hint = translate("settings", "Relative to your system’s text size.")
        self.add_setting(translate("settings", "Text size"), size, hint=hint)
        self.add_setting(translate("settings", "Result rows"), density, snippets)
        self.add_setting(translate("settings", "Preview font"), font)


def _percent(size: int) -> str:
    return f"{size} %"


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
        super().__init__(preferences, translate("settings", "About"))
        self._vault, self._shortcut, self._tray = vault, shortcut, tray
        self._facts: dict[str, QLabel] = {}
        for name in self.facts():
            self._facts[name] = text_label("")
            self._facts[name].setTextInteractionFlags(_SELECTABLE)
            self.add_row(name, self._facts[name])
        every = self.make_line(button(translate("settings", "All licences…"), self._show_licences))
        self.add_row(
            translate("settings", "Licences"),
            text_label(
                translate(
                    "settings",
                    "notesearch: MIT. Language model all-MiniLM-L6-v2: Apache 2.0."
                    " Qt for Python: LGPL 3.0.",
                )
            ),
            every,
        )
        self.add_row(
            "",
            self.make_line(
                button(translate("settings", "Copy diagnosis"), self._copy),
                button(translate("settings", "Open log folder"), self._open_log),
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
        state = (
            self._shortcut.state.sentence
            if self._shortcut
            else translate("settings", "Not available.")
        )
        paths = self.preferences.paths
        indexes = [str(paths.index_file(folder)) for folder in self._vault.folders.values()]
        return {
            translate("settings", "Version"): f"notesearch {__version__}",
            "Qt": f"{qVersion()}, {QGuiApplication.platformName()}",
            "Python": platform.python_version(),
            translate("settings", "Desktop"): f"{session}, {platform.platform(terse=True)}",
            translate("settings", "Tray"): translate("settings", "Available.")
            if present
            else translate("settings", "Not available on this desktop now."),
            translate("settings", "Global shortcut"): state,
            translate("settings", "Settings"): str(paths.settings_file),
            translate("settings", "Index"): "\n".join(indexes) or "–",
            translate("settings", "Log"): str(paths.log_file),
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
        self.setWindowTitle(translate("settings", "Licences"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._parts: Sequence[Component] = ()
        self.names = QListWidget()
        self.names.setObjectName("boxedList")
        self.names.setAccessibleName(translate("settings", "Components"))
        self.names.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.names.currentRowChanged.connect(self._show)
        self.text = QPlainTextEdit()
        self.text.setAccessibleName(translate("settings", "Full licence text"))
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
