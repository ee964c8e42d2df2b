"""The settings dialog, which has no OK button; it is created when it is first needed."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QSize, Qt, Signal, Slot
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QListWidget,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from notesearch.gui.session.open_vault import OpenVault
from notesearch.gui.session.preferences import Preferences
from notesearch.gui.session.section_opener import SectionOpener
from notesearch.gui.settings.settings_page import ProblemNote, SettingsPage
from notesearch.gui.translation import translate
from notesearch.gui.widgets.theme import px
from notesearch.gui.window.appearance import Appearance
from notesearch.gui.window.index_display import IndexDisplay

if TYPE_CHECKING:
    from notesearch.gui.quick.tray import Tray
    from notesearch.gui.system.global_shortcut import ShortcutController


_NAMES = 170
_WIDEST_PAGE = 720


class SettingsDialog(QDialog):
    """The names of the pages on the left, a page on the right. Call ``fit`` before it is shown."""

    def __init__(self, preferences: Preferences, pages: Sequence[SettingsPage]) -> None:
        super().__init__()
        self.setWindowTitle(translate("settings", "Settings – notesearch"))
        self.setObjectName("settings")
        self.setAttribute(Qt.WidgetAttribute.WA_QuitOnClose, False)
        self.pages = tuple(pages)
        self.names = QListWidget()
        self.names.setObjectName("settingsNames")
        self.names.setAccessibleName(translate("settings", "Settings pages"))
        self.names.addItems([page.title for page in pages])
        self._stack = QStackedWidget()
        for page in pages:
            self._stack.addWidget(page)
        self.names.currentRowChanged.connect(self._stack.setCurrentIndex)
        self.problem = ProblemNote(preferences, "")
        self.problem.setObjectName("settingsProblem")
        right = QWidget()
        column = QVBoxLayout(right)
        column.addWidget(self.problem)
        column.addWidget(self._stack, 1)
        row = QHBoxLayout(self)
        row.addWidget(self.names)
        row.addWidget(right, 1)
        for layout in (row, column):
            layout.setContentsMargins(0, 0, 0, 0)
            layout.setSpacing(0)
        for key, slot in (
            ("Ctrl+W", self.close),
            ("Ctrl+PgDown", self.next_page),
            ("Ctrl+PgUp", self.previous_page),
        ):
            QShortcut(QKeySequence(key), self).activated.connect(slot)
        self.names.setCurrentRow(0)
        self.names.setFocus()

    @property
    def page(self) -> SettingsPage:
        """The current page."""
        return self.pages[self.names.currentRow()]

    def show_page(self, title: str) -> None:
        """Show the page called ``title``, if there is one."""
        titles = [page.title for page in self.pages]
        if title in titles:
            self.names.setCurrentRow(titles.index(title))

    @Slot()
    def next_page(self) -> None:
        """Show the next page; after the last page, the first."""
        self.names.setCurrentRow((self.names.currentRow() + 1) % len(self.pages))

    @Slot()
    def previous_page(self) -> None:
        """Show the previous page; before the first page, the last."""
        self.names.setCurrentRow((self.names.currentRow() - 1) % len(self.pages))

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Move the focus to the next control, or to the previous one, and scroll to it."""
        moved = super().focusNextPrevChild(forward)
        reached = self.focusWidget()
        if moved and reached is not None and self.page.isAncestorOf(reached):
            self.page.ensureWidgetVisible(reached)
        return moved

    def sizeHint(self) -> QSize:
        """Return the default size."""
        return QSize(max(px(780), self._least_width()), px(560))

    def usual_size(self) -> QSize:
        """Return the default size, limited to the screen."""
        room = self.screen().availableSize()
        return self.sizeHint().boundedTo(QSize(room.width(), round(room.height() * 0.9)))

    @Slot()
    def fit(self) -> None:
        """Set all distances from the application's font."""
        self.names.setFixedWidth(px(_NAMES))
        for row in range(self.names.count()):
            self.names.item(row).setSizeHint(QSize(0, px(32)))
        for page in self.pages:
            page.fit()
            page.place_labels(self.screen().availableSize().width() - px(_NAMES))
        room = self.screen().availableSize() * 0.95
        self.setMinimumSize(QSize(px(560), px(360)).boundedTo(room))
        self.resize(self.size().expandedTo(self.usual_size()))

    def _least_width(self) -> int:
        """Return the width at which no page is cut off, but not more than ``_WIDEST_PAGE``."""
        widest = max(page.least_width() for page in self.pages)
        return px(_NAMES) + min(widest, px(_WIDEST_PAGE))


class SettingsController(QObject):
    """Owns the settings dialog.

    Attributes:
        dialog: The dialog; None until it is created.

    Signals:
        creating: The dialog is about to be created.
    """

    creating = Signal()

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
        self._shortcut, self._tray = shortcut, tray

    @Slot()
    def show(self) -> None:
        """Show the dialog on the page it showed last."""
        self.fit()  # the screen may have changed
        dialog = self.ensure_dialog()
        dialog.show()
        dialog.raise_()
        dialog.activateWindow()

    def ensure_dialog(self) -> SettingsDialog:
        """Return the dialog; create it if necessary, but do not show it."""
        if self.dialog is None:
            self.creating.emit()
            self.dialog = self._make()
            self._appearance.style(self.dialog)
            self.dialog.fit()
            self.dialog.resize(self.dialog.usual_size())  # the style changes the size
        return self.dialog

    def show_page(self, title: str) -> None:
        """Show the dialog on the page called ``title``."""
        self.show()
        assert self.dialog is not None
        self.dialog.show_page(title)

    @Slot()
    def show_notes(self) -> None:
        """Show the Notes page."""
        self.show_page(translate("settings", "Notes"))

    @Slot()
    def show_search(self) -> None:
        """Show the Search page."""
        self.show_page(translate("settings", "Search"))

    @Slot()
    def show_editor(self) -> None:
        """Show the Editor page."""
        self.show_page(translate("settings", "Editor"))

    @Slot()
    def show_about(self) -> None:
        """Show the About page."""
        self.show_page(translate("settings", "About"))

    @Slot()
    def fit(self) -> None:
        """Set all distances from the application's font."""
        if self.dialog is not None:
            self.dialog.fit()

    def close(self) -> None:
        """Close and destroy the dialog."""
        if self.dialog is not None:
            for page in self.dialog.pages:
                page.end()
            self.dialog.close()
            self.dialog = None

    def _make(self) -> SettingsDialog:
        from notesearch.gui.settings.models_page import ModelsPage
        from notesearch.gui.settings.notes_page import NotesPage
        from notesearch.gui.settings.pages import AboutPage, AppearancePage, EditorPage, SearchPage
        from notesearch.gui.settings.quick_page import QuickPage

        preferences, shortcut, tray = self._preferences, self._shortcut, self._tray
        return SettingsDialog(
            preferences,
            [
                NotesPage(preferences, self._vault, self._display),
                SearchPage(preferences, self._vault),
                ModelsPage(preferences, self._vault),
                QuickPage(preferences, shortcut, tray),
                EditorPage(preferences, self._opener),
                AppearancePage(preferences),
                AboutPage(preferences, self._vault, shortcut, tray),
            ],
        )
