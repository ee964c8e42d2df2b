"""The settings dialog: page names on the left, the page on the right, no OK button."""

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Slot
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QListWidget,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from notesearch.gui.session.preferences import Preferences
from notesearch.gui.settings.fields import ProblemNote
from notesearch.gui.settings.settings_page import SettingsPage
from notesearch.gui.translation import translate
from notesearch.gui.widgets.theme import px

_NAMES = 170
_WIDEST_PAGE = 720


class SettingsDialog(QDialog):
    """A window of its own; Escape closes it."""

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
            ("Ctrl+PgUp", self.last_page),
        ):
            QShortcut(QKeySequence(key), self).activated.connect(slot)
        self.names.setCurrentRow(0)
        self.names.setFocus()
        self.fit()

    @property
    def page(self) -> SettingsPage:
        """The current page."""
        return self.pages[self.names.currentRow()]

    def show_page(self, title: str) -> None:
        """Show the page called ``title``."""
        titles = [page.title for page in self.pages]
        if title in titles:
            self.names.setCurrentRow(titles.index(title))

    @Slot()
    def next_page(self) -> None:
        """Show the next page."""
        self.names.setCurrentRow((self.names.currentRow() + 1) % len(self.pages))

    @Slot()
    def last_page(self) -> None:
        """Show the previous page."""
        self.names.setCurrentRow((self.names.currentRow() - 1) % len(self.pages))

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Scroll to the control that Tab moves to, even from outside the page."""
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
        self.setMinimumSize(px(560), px(360))
        self.resize(self.size().expandedTo(self.usual_size()))

    def _least_width(self) -> int:
        """Return the width at which no page is cut, except for long paths."""
        widest = max(page.least_width() for page in self.pages)
        return px(_NAMES) + min(widest, px(_WIDEST_PAGE))
