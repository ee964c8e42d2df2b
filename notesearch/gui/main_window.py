"""The main window: where its parts stand. What they do with each other is wired in ``app``."""

from itertools import pairwise

from PySide6.QtCore import QEvent, QPoint, QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QCloseEvent, QKeyEvent, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QMainWindow,
    QMenu,
    QSplitter,
    QStackedWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from notesearch.gui import icons, panes
from notesearch.gui.banner import Banner
from notesearch.gui.folder_button import FolderButton
from notesearch.gui.pages import MessagePage
from notesearch.gui.popovers import Popovers
from notesearch.gui.preview import PreviewPane
from notesearch.gui.progress_line import ProgressLine
from notesearch.gui.results_model import ResultsModel
from notesearch.gui.results_pane import ResultsPane
from notesearch.gui.row_digits import RowDigits
from notesearch.gui.search_field import SearchField
from notesearch.gui.status_bar import StatusBar
from notesearch.gui.theme import Theme, px
from notesearch.gui.translation import translate

_NARROW = 760
_HINTS_FROM = 640
_SIDE_BY_SIDE = [440, 680]
_STACKED = [300, 370]


class MainWindow(QMainWindow):
    """Search field above, results beside the preview (below it when narrow), status below.

    Signals:
        painted: The window was painted for the first time; heavy work may start.
        activated: The window became the active one.
        closing: The window is about to close.
    """

    painted = Signal()
    activated = Signal()
    closing = Signal()

    def __init__(self, model: ResultsModel, preview: PreviewPane, theme: Theme) -> None:
        super().__init__()
        self.setWindowTitle("notesearch")
        self._first_paint = True
        self.field = SearchField(theme)
        self.progress = ProgressLine(theme)
        self.banner = Banner(theme)
        self.notice = Banner(theme, danger=True)
        self.results = ResultsPane(model, theme)
        self.preview = preview
        self.page = MessagePage(theme)
        self.status = StatusBar(theme)
        self.folder = FolderButton(theme)
        self.menu_button = QToolButton()
        self.menu_button.setToolTip(translate("window", "Menu"))
        self.menu_button.setAccessibleName(translate("window", "Menu"))
        self.digits = RowDigits(self, self.results.view)
        self._chrome = QFrame()
        self._chrome.setObjectName("chrome")
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        self._pane_sizes = {
            Qt.Orientation.Horizontal: _SIDE_BY_SIDE,
            Qt.Orientation.Vertical: _STACKED,
        }
        self.stack = QStackedWidget()
        self._lay_out()
        self.popovers = Popovers(self, theme)
        self._order_tabs()
        self.set_theme(theme)
        self.setMinimumSize(px(560), px(420))
        self.resize(self.sizeHint())
        self.field.setFocus()

    def _order_tabs(self) -> None:
        """Let Tab go as one reads: field, list, preview, and only then the buttons."""
        view = self.results.view
        others = [stop for stop in _tab_stops(self.results) if stop is not view]
        stops = [*_tab_stops(self.field), view, *_tab_stops(self.preview)]
        for before, after in pairwise(
            [*stops, *others, *_tab_stops(self.folder), self.menu_button]
        ):
            self.setTabOrder(before, after)

    def set_menu(self, menu: QMenu) -> None:
        """Use ``menu`` for the button at the top right."""
        self._menu = menu
        self.menu_button.pressed.connect(self.open_menu)

    @property
    def menu(self) -> QMenu:
        """The menu behind the button at the top right."""
        return self._menu

    @Slot()
    def open_menu(self) -> None:
        """Open the menu below its button, right edges in line."""
        button, menu = self.menu_button, self._menu
        left = button.width() - menu.sizeHint().width()
        button.setDown(True)
        menu.exec(button.mapToGlobal(QPoint(left, button.height() + 2)))
        button.setDown(False)

    def add_beside_field(self, widget: QWidget) -> None:
        """Put ``widget`` between the field and the buttons."""
        self._chrome_row.insertWidget(1, widget)
        self.setTabOrder(_tab_stops(self.folder)[-1], widget)
        self.setTabOrder(widget, self.menu_button)

    def show_results(self) -> None:
        """Show the results and the preview."""
        self.stack.setCurrentIndex(1)
        self._update_hints()

    def show_page(self) -> None:
        """Show the full page."""
        self.stack.setCurrentIndex(0)
        self._update_hints()

    @property
    def shows_results(self) -> bool:
        """The results are on show, not a page."""
        return self.stack.currentIndex() == 1

    def set_theme(self, theme: Theme) -> None:
        """Hand the colours, and the sizes of the font, to all parts."""
        self.theme = theme
        parts = (self.field, self.progress, self.banner, self.notice, self.results, self.page)
        for part in (*parts, self.status, self.folder, self.popovers):
            part.set_theme(theme)
        size = px(18)
        self.menu_button.setIcon(icons.icon("menu", theme.text2, size))
        self.menu_button.setIconSize(QSize(size, size))
        self._chrome_row.setContentsMargins(px(14), 0, px(10), 0)
        self._chrome_row.setSpacing(px(10))
        self._chrome.setFixedHeight(px(62))

    @property
    def outline_anchor(self) -> QWidget:
        """What the popovers about the section on show stand below."""
        return self.preview.head.outline_button if self.shows_preview else self.folder

    @property
    def shows_preview(self) -> bool:
        """The preview is on show beside the results, or would be."""
        return not self._right.isHidden()

    @Slot()
    def toggle_preview(self) -> None:
        """Show the preview or hide it."""
        self.set_preview_shown(not self.shows_preview)

    def set_preview_shown(self, shown: bool) -> None:
        """Show the preview, or leave all the room to the results."""
        if shown == self.shows_preview:
            return
        orientation = self.splitter.orientation()
        sizes = self.pane_sizes(orientation)
        if not shown and self._right.isAncestorOf(self.focusWidget() or self):
            self.field.setFocus()
        self._right.setVisible(shown)
        self.set_pane_sizes(orientation, sizes)

    def pane_sizes(self, orientation: Qt.Orientation) -> list[int]:
        """Return the sizes of results and preview, side by side or stacked."""
        on_show = self.shows_results and self.shows_preview
        if self.splitter.orientation() == orientation and on_show:
            return self.splitter.sizes()
        return self._pane_sizes[orientation]

    def set_pane_sizes(self, orientation: Qt.Orientation, sizes: list[int]) -> None:
        """Set the sizes of results and preview, side by side or stacked."""
        self._pane_sizes[orientation] = sizes
        if self.splitter.orientation() == orientation:
            self.splitter.setSizes(sizes)

    def cycle_panes(self, step: int) -> None:
        """Move the keyboard to the next (1) or the previous (-1) of the three panes."""
        around: list[QWidget] = [self.field, self.results.view]
        around += [self.preview] if self.shows_preview else []
        panes.go_round(around if self.shows_results else around[:1], self.focusWidget(), step)

    def sizeHint(self) -> QSize:
        """Return the size of a window that was never resized."""
        return QSize(px(1120), px(720))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Let typing anywhere go to the search field; Escape leads back to it."""
        if event.key() == Qt.Key.Key_Escape:
            self.field.focus_all()
        elif not self.field.take_key(event):
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put the preview below the results in a narrow window."""
        super().resizeEvent(event)
        narrow = self.width() < px(_NARROW)
        wanted = Qt.Orientation.Vertical if narrow else Qt.Orientation.Horizontal
        if self.splitter.orientation() != wanted:
            self._pane_sizes[self.splitter.orientation()] = self.splitter.sizes()
            self.splitter.setOrientation(wanted)
            self.splitter.setSizes(self._pane_sizes[wanted])
        self._update_hints()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Tell once that the window is on screen."""
        super().paintEvent(event)
        if self._first_paint:
            self._first_paint = False
            QTimer.singleShot(0, self.painted.emit)

    def changeEvent(self, event: QEvent) -> None:
        """Tell that the window became active."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.ActivationChange and self.isActiveWindow():
            self.activated.emit()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Tell before the window goes."""
        self.closing.emit()
        super().closeEvent(event)

    def _update_hints(self) -> None:
        wide = self.width() >= px(_HINTS_FROM)
        self.status.set_hints_visible(wide and self.shows_results)

    def _lay_out(self) -> None:
        self._chrome_row = QHBoxLayout(self._chrome)
        self._chrome_row.addWidget(self.field, 1)
        self._chrome_row.addWidget(self.folder)
        self._chrome_row.addWidget(self.menu_button)
        self._right = right = QFrame()
        right.setObjectName("previewPane")
        right_column = _column(right)
        right_column.addWidget(self.notice)
        right_column.addWidget(self.preview, 1)
        self.splitter.addWidget(self.results)
        self.splitter.addWidget(right)
        self.splitter.setHandleWidth(1)
        self.splitter.setChildrenCollapsible(False)
        self.splitter.setSizes(_SIDE_BY_SIDE)
        for index, share in enumerate(_SIDE_BY_SIDE):
            self.splitter.setStretchFactor(index, share)
        self.stack.addWidget(self.page)
        self.stack.addWidget(self.splitter)
        central = QWidget()
        column = _column(central)
        for widget in (self._chrome, self.progress, self.banner):
            column.addWidget(widget)
        column.addWidget(self.stack, 1)
        column.addWidget(self.status)
        self.setCentralWidget(central)


def _column(parent: QWidget) -> QVBoxLayout:
    column = QVBoxLayout(parent)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(0)
    return column


def _tab_stops(part: QWidget) -> list[QWidget]:
    """Return what Tab stops at in ``part``."""
    tab = Qt.FocusPolicy.TabFocus
    inside = [part, *part.findChildren(QWidget)]
    return [one for one in inside if one.focusPolicy() & tab and one.focusProxy() is None]
