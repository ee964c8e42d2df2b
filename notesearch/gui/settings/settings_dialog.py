"""The settings dialog: the names of the pages, and one page beside them, made when first shown.

The Appearance page is here; it is only a list of settings. Each other page has its own module.
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QSize, Qt, Slot
from PySide6.QtGui import QFontDatabase, QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QListWidget,
    QScrollArea,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from notesearch.gui.session.open_vault import OpenVault
from notesearch.gui.session.preferences import Preferences
from notesearch.gui.session.section_opener import SectionOpener
from notesearch.gui.settings.settings_page import CheckSetting, ProblemNote, SettingsPage
from notesearch.gui.translation import translate
from notesearch.gui.widgets.dialogs import open_dialog
from notesearch.gui.widgets.theme import px
from notesearch.gui.window.appearance import Appearance
from notesearch.gui.window.index_display import IndexDisplay

if TYPE_CHECKING:
    from notesearch.gui.quick.tray import Tray
    from notesearch.gui.system.global_shortcut import ShortcutController

_NAMES = 170
_BESIDE_NAME = 52
"""Room beside the longest name of a page, in pixels before scaling."""
_PROBLEMS_SHARE = 0.3
"""The share of the dialog's height that problems take at most."""
_NAMES_SHARE = 0.2
"""The share of the screen above which the list of names is only as wide as it must be."""
_TEXT_SIZES = (75, 90, 100, 110, 125, 150, 175, 200, 250, 300)


class SettingsDialog(QDialog):
    """The names of the pages on the left, a page on the right. Call ``fit`` before it is shown.

    ``makers`` has a function for each name of a page. It makes the page when it is first shown.

    Attributes:
        made: The pages that were made so far, by name.
    """

    def __init__(
        self, preferences: Preferences, makers: Mapping[str, Callable[[], SettingsPage]]
    ) -> None:
        super().__init__()
        self.setWindowTitle(translate("Settings – notesearch"))
        self.setObjectName("settings")
        self.setAttribute(Qt.WidgetAttribute.WA_QuitOnClose, False)
        self._makers = makers
        self.titles = tuple(makers)
        self.made: dict[str, SettingsPage] = {}
        self.names = QListWidget()
        self.names.setObjectName("settingsNames")
        self.names.setAccessibleName(translate("Settings pages"))
        self.names.addItems(self.titles)
        self._stack = QStackedWidget()
        self.names.currentTextChanged.connect(self._show)
        self.problem = ProblemNote(preferences, "", self)
        self.problem.setObjectName("settingsProblem")
        self._problems = QScrollArea()
        self._problems.setObjectName("settingsProblems")
        self._problems.setAccessibleName(translate("Problems"))
        self._problems.setWidgetResizable(True)
        self._problems.setWidget(self.problem)
        for signal in (preferences.failed, preferences.stored):
            signal.connect(self.problem.show_refusal)
            signal.connect(self._fit_problems)
        preferences.problems_changed.connect(self._fit_problems)
        right = QWidget()
        column = QVBoxLayout(right)
        column.addWidget(self._problems)
        column.addWidget(self._stack, 1)
        row = QHBoxLayout(self)
        row.addWidget(self.names)
        row.addWidget(right, 1)
        for layout in (row, column):
            layout.setContentsMargins(0, 0, 0, 0)
            layout.setSpacing(0)
        for key, slot in (
            ("Ctrl+W", self.close),
            ("Ctrl+PgDown", self._show_next),
            ("Ctrl+PgUp", self._show_previous),
        ):
            QShortcut(QKeySequence(key), self).activated.connect(slot)
        self.names.setCurrentRow(0)
        self.names.setFocus()

    @property
    def page(self) -> SettingsPage:
        """The current page."""
        return self.made[self.names.currentItem().text()]

    def show_page(self, title: str) -> None:
        """Show the page called ``title``, if there is one."""
        if title in self.titles:
            self.names.setCurrentRow(self.titles.index(title))

    @Slot(str)
    def _show(self, title: str) -> None:
        if title not in self.made:
            page = self._makers[title]()
            page.set_title(title)
            self.made[title] = page
            self._stack.addWidget(page)
            page.fit()
        self.names.setFocus()  # else Qt focuses a control, which would take the next key
        self._stack.setCurrentWidget(self.made[title])

    @Slot()
    def _show_next(self) -> None:
        self.names.setCurrentRow((self.names.currentRow() + 1) % len(self.titles))

    @Slot()
    def _show_previous(self) -> None:
        self.names.setCurrentRow((self.names.currentRow() - 1) % len(self.titles))

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Move the focus to the next control, or to the previous one, and scroll to it."""
        moved = super().focusNextPrevChild(forward)
        reached = self.focusWidget()
        if moved and reached is not None and self.page.isAncestorOf(reached):
            self.page.ensureWidgetVisible(reached)
        return moved

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit the problems to the new size."""
        super().resizeEvent(event)
        self._fit_problems()

    @Slot()
    def _fit_problems(self) -> None:
        """Show all problems if a part of the height is enough; else they scroll."""
        self._problems.setVisible(bool(self.problem.text()))
        needed = max(0, self.problem.heightForWidth(self.width() - self.names.width()))
        most = round(self.height() * _PROBLEMS_SHARE)
        if needed <= most:
            self._problems.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            # A scroll bar from before would make the text so narrow that it needs the bar.
            self._problems.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        else:
            self._problems.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
            self._problems.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self._problems.setFixedHeight(min(needed, most))

    def sizeHint(self) -> QSize:
        """Return the size of a new dialog, limited to the screen."""
        room = self.screen().availableSize()
        return QSize(px(880), px(560)).boundedTo(QSize(room.width(), round(room.height() * 0.9)))

    @Slot()
    def fit(self) -> None:
        """Scale all spaces to the application's font."""
        screen = self.screen().availableSize()
        metrics = self.names.fontMetrics()
        least = max(map(metrics.horizontalAdvance, self.titles)) + px(_BESIDE_NAME)
        most = max(least, round(screen.width() * _NAMES_SHARE))
        self.names.setFixedWidth(min(px(_NAMES), most))
        for row in range(self.names.count()):
            self.names.item(row).setSizeHint(QSize(0, px(32)))
        for page in self.made.values():
            page.fit()
            page.place_labels()
        self.setMinimumSize(QSize(px(560), px(360)).boundedTo(screen * 0.95))
        self.resize(self.size().expandedTo(self.sizeHint()))
        self._fit_problems()


class AppearancePage(SettingsPage):
    """The look of both windows; every change takes effect at once."""

    def __init__(self, preferences: Preferences) -> None:
        super().__init__(preferences)
        themes = [
            ("system", translate("Match system")),
            ("light", translate("Light")),
            ("dark", translate("Dark")),
        ]
        self.add_choice(translate("Colours"), "theme", themes)
        sizes = [(size, _percent(size)) for size in _TEXT_SIZES]
        hint = translate("Relative to your system’s text size.")
        self.add_choice(translate("Text size"), "text_size", sizes, other=_percent, hint=hint)
        rows = [("comfortable", translate("Comfortable")), ("compact", translate("Compact"))]
        text = translate("Show some text below each heading")
        snippets = CheckSetting(preferences, "snippets", text)
        self.add_choice(translate("Result rows"), "density", rows, snippets)
        fonts = [
            ("", translate("Same as the rest")),
            ("serif", translate("Serif")),
            *((f, f) for f in QFontDatabase.families() if not QFontDatabase.isPrivateFamily(f)),
        ]
        self.add_choice(translate("Preview font"), "preview_font", fonts)


def _percent(size: int) -> str:
    return f"{size} %"


class SettingsController(QObject):
    """Owns the settings dialog."""

    def __init__(
        self,
        preferences: Preferences,
        vault: OpenVault,
        display: IndexDisplay,
        opener: SectionOpener,
        appearance: Appearance,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._preferences = preferences
        self._vault = vault
        self._display = display
        self._opener = opener
        self._appearance = appearance
        self._shortcut: ShortcutController | None = None
        self._tray: Tray | None = None
        self.dialog: SettingsDialog | None = None

    def set_quick_search(self, shortcut: "ShortcutController", tray: "Tray") -> None:
        """Set the parts that exist only with quick search, before the dialog is created."""
        self._shortcut = shortcut
        self._tray = tray

    @Slot()
    def show(self) -> None:
        """Show the dialog on the page it showed last."""
        if self.dialog is not None:
            self.dialog.fit()  # the font or the screen may have changed
        dialog = self.ensure_dialog()
        if not dialog.isVisible():
            dialog.names.setFocus()  # an arrow key should not change the setting used last
        open_dialog(dialog)

    def ensure_dialog(self) -> SettingsDialog:
        """Return the dialog; create it if necessary, but do not show it."""
        if self.dialog is None:
            self.dialog = self._make()
            self._appearance.style(self.dialog)
            self.dialog.fit()
            self.dialog.resize(self.dialog.sizeHint())  # the style changes the size
        return self.dialog

    def show_page(self, title: str) -> None:
        """Show the dialog on the page called ``title``."""
        self.show()
        assert self.dialog is not None
        self.dialog.show_page(title)

    @Slot()
    def show_notes(self) -> None:
        """Show the page about the notes folders."""
        self.show_page(translate("Notes"))

    @Slot()
    def fit(self) -> None:
        """Scale all spaces to the application's font; of a hidden dialog, when it is shown."""
        if self.dialog is not None and self.dialog.isVisible():
            self.dialog.fit()

    def close(self) -> None:
        """Close and destroy the dialog."""
        if self.dialog is not None:
            self.dialog.close()  # this applies what is being typed, or starts to check it
            for page in self.dialog.made.values():
                page.end()
            self.dialog = None

    def _make(self) -> SettingsDialog:
        from notesearch.gui.settings.about_page import AboutPage
        from notesearch.gui.settings.editor_page import EditorPage
        from notesearch.gui.settings.models_page import ModelsPage
        from notesearch.gui.settings.notes_page import NotesPage
        from notesearch.gui.settings.quick_page import QuickPage
        from notesearch.gui.settings.search_page import SearchPage

        preferences = self._preferences
        shortcut = self._shortcut
        tray = self._tray
        return SettingsDialog(
            preferences,
            {
                translate("Notes"): partial(NotesPage, preferences, self._vault, self._display),
                translate("Search", comment="a page of the settings"): partial(
                    SearchPage, preferences, self._vault
                ),
                translate("Models"): partial(ModelsPage, preferences, self._vault),
                translate("Quick search"): partial(QuickPage, preferences, shortcut, tray),
                translate("Editor"): partial(EditorPage, preferences, self._opener),
                translate("Appearance"): partial(AppearancePage, preferences),
                translate("About"): partial(AboutPage, preferences, self._vault, shortcut, tray),
            },
        )
