"""The settings dialog: the names of the pages, and one page beside them."""

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
from notesearch.gui.settings.setting_controls import ProblemNote
from notesearch.gui.settings.settings_page import SettingsPage
from notesearch.gui.translation import translate
from notesearch.gui.widgets.theme import px

_NAMES = 170
_BESIDE_NAME = 48
"""Room beside the longest name of a page, in pixels before scaling."""
_NAMES_SHARE = 0.2
"""The share of the screen above which the list of names is only as wide as it must be."""
_WIDEST_PAGE = 720


class SettingsDialog(QDialog):
    """The names of the pages on the left, a page on the right. Call ``fit`` before it is shown."""

    def __init__(self, preferences: Preferences, pages: Sequence[SettingsPage]) -> None:
        super().__init__()
        self.setWindowTitle(translate("Settings – notesearch"))
        self.setObjectName("settings")
        self.setAttribute(Qt.WidgetAttribute.WA_QuitOnClose, False)
        self.pages = tuple(pages)
        self.names = QListWidget()
        self.names.setObjectName("settingsNames")
        self.names.setAccessibleName(translate("Settings pages"))
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
            ("Ctrl+PgDown", self._show_next),
            ("Ctrl+PgUp", self._show_previous),
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
    def _show_next(self) -> None:
        self.names.setCurrentRow((self.names.currentRow() + 1) % len(self.pages))

    @Slot()
    def _show_previous(self) -> None:
        self.names.setCurrentRow((self.names.currentRow() - 1) % len(self.pages))

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Move the focus to the next control, or to the previous one, and scroll to it."""
        moved = super().focusNextPrevChild(forward)
        reached = self.focusWidget()
        if moved and reached is not None and self.page.isAncestorOf(reached):
            self.page.ensureWidgetVisible(reached)
        return moved

    def sizeHint(self) -> QSize:
        """Return the default size, at which no page is cut off unless it is very wide."""
        widest = min(max(page.least_width() for page in self.pages), px(_WIDEST_PAGE))
        return QSize(max(px(780), self.names.width() + widest), px(560))

    def usual_size(self) -> QSize:
        """Return the default size, limited to the screen."""
        room = self.screen().availableSize()
        return self.sizeHint().boundedTo(QSize(room.width(), round(room.height() * 0.9)))

    @Slot()
    def fit(self) -> None:
        """Scale all spaces to the application's font."""
        screen = self.screen().availableSize()
        metrics = self.names.fontMetrics()
        longest = max(metrics.horizontalAdvance(page.title) for page in self.pages)
        least = longest + px(_BESIDE_NAME)
        most = max(least, round(screen.width() * _NAMES_SHARE))
        self.names.setFixedWidth(min(px(_NAMES), most))
        for row in range(self.names.count()):
            self.names.item(row).setSizeHint(QSize(0, px(32)))
        for page in self.pages:
            page.fit()
            page.place_labels(screen.width() - self.names.width())
        room = screen * 0.95
        self.setMinimumSize(QSize(px(560), px(360)).boundedTo(room))
        self.resize(self.size().expandedTo(self.usual_size()))
