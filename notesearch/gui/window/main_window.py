"""The main window and its layout. ``app`` connects its parts.

The window is first painted without list and preview; then ``furnish`` adds them. A small file
stores position, layout and query until the next start.
"""

import contextlib
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QByteArray, QPoint, QSize, Qt, QTimer, Signal, Slot, qVersion
from PySide6.QtGui import (
    QCloseEvent,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDropEvent,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QFrame, QHBoxLayout, QMenu, QVBoxLayout, QWidget

from notesearch import __version__, private_files
from notesearch.config import Paths, Settings
from notesearch.gui.session.pane_window import PaneWindow
from notesearch.gui.session.preferences import Preferences
from notesearch.gui.translation import translate
from notesearch.gui.widgets import icons
from notesearch.gui.widgets.controls import all_folders, icon_button, set_margins
from notesearch.gui.widgets.dialogs import message_box
from notesearch.gui.widgets.notices import (
    Banner,
    Cause,
    Notices,
    choose_folder_message,
    start_message,
)
from notesearch.gui.widgets.status_bar import ProgressLine, StatusBar, no_folder
from notesearch.gui.widgets.theme import Theme, px
from notesearch.gui.window.appearance import Appearance
from notesearch.gui.window.folder_buttons import FolderButton, VaultSwitcher

if TYPE_CHECKING:
    from notesearch.gui.results.results_model import ResultsModel


_NARROW = 760
_LEAST = QSize(560, 420)
_CHROME_HEIGHT = 62
_LOW_CHROME_HEIGHT = 46
_HINTS_FROM = 640
_ON_SCREEN = 0.95
"""Largest share of the screen for a new window; its frame needs the rest."""

STATE_FILE = "window.json"
_MOST_PIXELS = 100_000
_STATE_ERRORS = (ValueError, KeyError, TypeError, AttributeError, OverflowError)
"""What restoring the window may raise if somebody has changed the state file."""


class MainWindow(PaneWindow):
    """The search field at the top, results and preview in the middle, the status bar at the bottom.

    The preview is beside the results, or below them in a narrow window. The attributes from
    ``panes`` on exist only after ``furnish``.

    Attributes:
        notices: Decides which problem ``banner`` shows: with the index, the folder or the settings.
        offer: The bar that offers a multilingual model.
        menu: The menu of the button at the top right.

    Signals:
        painted: The window was painted for the first time; slow work may start.
        closing: The window is about to close.
        folder_dropped: A folder or a file was dropped on the window; carries its path.
    """

    painted = Signal()
    closing = Signal()
    folder_dropped = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, StatusBar(theme))
        self.setWindowTitle("notesearch")
        self.setObjectName("mainWindow")
        self._first_paint = True
        self._is_furnished = False
        self._state: Any = None  # what the state file had at the start
        self.progress = ProgressLine()
        self.banner = Banner()
        self.notices = Notices(self.banner, self)
        self.offer = Banner("offer")
        self.folder = FolderButton(theme)
        self.menu_button = icon_button(translate("Menu"))
        self._chrome = QFrame()
        self._chrome.setObjectName("chrome")
        self._beside: list[VaultSwitcher] = []
        self._lay_out()
        self._parts += [self.banner, self.offer, self.folder]
        self.set_theme(theme)
        self.resize(self.sizeHint())
        self.setAcceptDrops(True)
        self.field.setFocus()

    def furnish(self, model: "ResultsModel") -> None:
        """Add the parts that the first paint does not show; the list shows ``model``."""
        from notesearch.gui.preview.preview_pane import PreviewPane
        from notesearch.gui.results.results_pane import ResultPanes, ResultsPane

        theme = self.theme
        self.add_panes(ResultPanes(ResultsPane(model, theme), PreviewPane(theme)))
        self._order_tabs()
        self._is_furnished = True
        self._fit()

    def _order_tabs(self) -> None:
        """Let Tab go from the field to the list, to the preview, and then to the buttons."""
        view = self.results.view
        stops = [*_tab_stops(self.field), view, *_tab_stops(self.preview)]
        stops += [stop for stop in _tab_stops(self.results) if stop is not view]
        stops += [*_tab_stops(self.folder), *self._beside, self.menu_button]
        for before, after in pairwise(stops):
            self.setTabOrder(before, after)

    def set_menu(self, menu: QMenu) -> None:
        """Open ``menu`` with the button at the top right."""
        self.menu = menu
        self.menu_button.pressed.connect(self.open_menu)

    @Slot()
    def open_menu(self) -> None:
        """Open the menu below its button, with their outer edges aligned."""
        button = self.menu_button
        menu = self.menu
        left = 0 if self.isRightToLeft() else button.width() - menu.sizeHint().width()
        button.setDown(True)
        menu.exec(button.mapToGlobal(QPoint(left, button.height() + 2)))
        button.setDown(False)

    def close_message(self) -> bool:
        """Close ``notice``, or else ``banner`` if it is open; return whether one was open."""
        return self.notice.close_message() or self.banner.close_message()

    def add_switcher(self, switcher: VaultSwitcher) -> None:
        """Put ``switcher`` between the field and the buttons."""
        self._chrome_row.insertWidget(1, switcher)
        self._beside.append(switcher)
        self._parts.append(switcher)

    def set_theme(self, theme: Theme) -> None:
        """Apply the theme and the font sizes to all parts."""
        before = self.size()
        super().set_theme(theme)
        icons.set_icon(self.menu_button, "menu", theme.text2, px(18))
        set_margins(self._chrome_row, px(14), 0, px(10), 0)
        self._chrome_row.setSpacing(px(10))
        # Large text must not make the window larger than the screen, or leave it.
        screen = self.screen().availableGeometry()
        room = screen.size() * _ON_SCREEN
        self.setMinimumSize(QSize(px(_LEAST.width()), px(_LEAST.height())).boundedTo(room))
        if self.isVisible() and self.size() != before:
            beyond = self.frameGeometry().bottomRight() - screen.bottomRight()
            left = max(screen.left(), self.x() - max(0, beyond.x()))
            self.move(left, max(screen.top(), self.y() - max(0, beyond.y())))
        self._fit()

    @property
    def shows_problem(self) -> bool:
        """Whether the bar says what is wrong with the folder or its index."""
        return self.notices.shows(Cause.INDEX)

    @property
    def outline_anchor(self) -> QWidget:
        """The widget below which popovers about the previewed section open."""
        return self.preview.head.outline_button if self.shows_preview else self.folder

    @Slot()
    def show_about_box(self) -> None:
        """Show a box with the program's purpose, version and licence."""
        text = translate(
            "Finds the section you mean in your own folder of Markdown notes. It never"
            " changes your notes, and nothing leaves this computer.\n\nFree software under"
            " the MIT License. Built with Qt {version}."
        )
        box = message_box(
            self,
            translate("About notesearch"),
            f"notesearch {__version__}",
            text.format(version=qVersion()),
            icons.app_icon(),
        )
        box.open()

    def sizeHint(self) -> QSize:
        """Return the size of a new window."""
        return QSize(px(1120), px(720))

    def escape(self) -> None:
        """Close a message, and move the keyboard focus to the field."""
        self.close_message()
        self.field.focus_all()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Accept a drag of one path; whether it is a folder is checked later, in a thread."""
        if _folder_in(event):
            _accept(event)
            self.bar.set_hovered(translate("Drop the folder here to search its notes"))

    def dragLeaveEvent(self, _event: QDragLeaveEvent) -> None:
        """Show the state again when the folder is dragged elsewhere."""
        self.bar.set_hovered("")

    def dropEvent(self, event: QDropEvent) -> None:
        """Emit ``folder_dropped`` for a dropped path."""
        self.bar.set_hovered("")
        folder = _folder_in(event)
        if folder:
            _accept(event)
            self.folder_dropped.emit(folder)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Adapt to the size: a narrow window has the preview below the results, and only icons."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Set the height of the top bar, the direction of the panes, and icons or texts of buttons.

        They depend on the window's size relative to the text size.
        """
        self._chrome.setFixedHeight(px(_LOW_CHROME_HEIGHT if self.is_low else _CHROME_HEIGHT))
        is_narrow = self.width() < px(_NARROW)
        if self._is_furnished:
            down, across = Qt.Orientation.Vertical, Qt.Orientation.Horizontal
            self.panes.turn(down if is_narrow else across)
        style = Qt.ToolButtonStyle
        shown = style.ToolButtonIconOnly if is_narrow else style.ToolButtonTextBesideIcon
        buttons = (self.folder.button, *self._beside)
        if any(button.toolButtonStyle() != shown for button in buttons):
            for button in buttons:
                button.setToolButtonStyle(shown)
            self.folder.set_theme(self.theme)  # an icon has a gap only beside text
            for switcher in self._beside:
                switcher.set_theme(self.theme)
        self.update_hints()

    @property
    def is_low(self) -> bool:
        """Whether the window is lower than its usual minimum, because the screen is low."""
        return self.height() < px(_LEAST.height())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Report the first paint by ``painted``."""
        super().paintEvent(event)
        if self._first_paint:
            self._first_paint = False
            QTimer.singleShot(0, self.painted.emit)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Emit ``closing`` before the window closes."""
        self.closing.emit()
        super().closeEvent(event)

    def store_state(self, folder: Path) -> None:
        """Store position, size, zoom, query and sizes of the panes in a file in ``folder``."""
        state = {
            "geometry": self.saveGeometry().toBase64().toStdString(),
            "zoom": self.preview.zoom,
            "query": self.field.text,
            "preview": self.panes.wants_preview,
            "panes": {
                "side by side": self.panes.pane_sizes(Qt.Orientation.Horizontal),
                "stacked": self.panes.pane_sizes(Qt.Orientation.Vertical),
            },
        }
        private_files.write_json(folder / STATE_FILE, state)

    def restore_place(self, folder: Path) -> None:
        """Restore position and size; without a readable file, fit the window into the screen."""
        self._state = private_files.read_json(folder / STATE_FILE)
        self.resize(self.sizeHint().boundedTo(self.screen().availableSize() * _ON_SCREEN))
        with contextlib.suppress(*_STATE_ERRORS):
            self.restoreGeometry(QByteArray.fromBase64(self._state["geometry"].encode()))

    def restore_panes(self) -> None:
        """Restore zoom and sizes of the panes after ``furnish``, as ``restore_place`` read them."""
        with contextlib.suppress(*_STATE_ERRORS):
            sizes = self._state["panes"]
            self.panes.set_pane_sizes(Qt.Orientation.Horizontal, _sizes(sizes["side by side"]))
            self.panes.set_pane_sizes(Qt.Orientation.Vertical, _sizes(sizes["stacked"]))
            self.preview.set_zoom(int(self._state.get("zoom", 100)))
            self.panes.set_preview_shown(self._state.get("preview") is not False)

    @property
    def last_query(self) -> str:
        """The query that was in the field when the window was last closed; empty if unknown."""
        query = self._state.get("query") if isinstance(self._state, dict) else ""
        return query if isinstance(query, str) else ""

    def update_hints(self) -> None:
        """Show the key hints below results, if they fit."""
        wide = self.width() >= px(_HINTS_FROM)
        self.bar.set_hints_visible(wide and self.shows_results)

    def _lay_out(self) -> None:
        self._chrome_row = QHBoxLayout(self._chrome)
        self._chrome_row.addWidget(self.field, 1)
        self._chrome_row.addWidget(self.folder)
        self._chrome_row.addWidget(self.menu_button)
        self.stack.setMinimumHeight(1)  # so that it shrinks for a bar with large text
        central = QWidget()
        column = QVBoxLayout(central)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for widget in (self._chrome, self.progress, self.banner, self.offer, self.notice):
            column.addWidget(widget)
        column.addWidget(self.stack, 1)
        column.addWidget(self.bar)
        self.setCentralWidget(central)


def _folder_in(event: QDropEvent) -> str:
    """Return the path of the one folder or file that another program drags here; else empty."""
    urls = event.mimeData().urls()
    return urls[0].toLocalFile() if len(urls) == 1 and event.source() is None else ""


def _accept(event: QDropEvent) -> None:
    """Accept a drag as a link or a copy, not as a move: some programs then delete the folder."""
    offered = event.possibleActions()
    for action in (Qt.DropAction.LinkAction, Qt.DropAction.CopyAction):
        if action & offered:
            event.setDropAction(action)
            event.accept()
            return


def _tab_stops(part: QWidget) -> list[QWidget]:
    """Return the widgets that Tab can focus among ``part`` and the widgets in it."""
    tab = Qt.FocusPolicy.TabFocus
    widgets = [part, *part.findChildren(QWidget)]
    return [w for w in widgets if w.focusPolicy() & tab and w.focusProxy() is None]


def _sizes(value: object) -> list[int]:
    if isinstance(value, list) and len(value) == 2 and all(v in range(_MOST_PIXELS) for v in value):
        return value
    raise ValueError(value)


class FirstPaint:
    """The parts that the first paint shows; nothing else is imported or created before it."""

    def __init__(self, settings: Settings, paths: Paths) -> None:
        self.paths = paths
        self.preferences = Preferences(settings, paths)
        self.appearance = Appearance(self.preferences)
        self.window = MainWindow(self.appearance.theme)
        self.switcher = VaultSwitcher(self.preferences, self.appearance.theme)
        self.window.add_switcher(self.switcher)
        self.appearance.style(self.window)
        if settings.vault:
            self.window.page.show_page(start_message())
            if settings.joined:
                self.window.field.set_enabled(True, all_folders())
                self.window.folder.hide()
        else:
            self.window.page.show_page(choose_folder_message())
            self.window.field.set_enabled(False)
            self.window.folder.hide()
            self.window.bar.set_line(no_folder())
        self.window.restore_place(paths.data)
