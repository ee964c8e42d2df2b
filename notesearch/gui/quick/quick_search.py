"""Quick search: its window, a card without a frame, and what shows and hides it on request."""

import time
from functools import partial

from PySide6.QtCore import QObject, QPoint, QRect, QRectF, QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import (
    QAction,
    QColor,
    QCursor,
    QGuiApplication,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QScreen,
)
from PySide6.QtWidgets import QApplication, QDialog, QFrame, QVBoxLayout, QWidget

from notesearch.gui.preview.preview_pane import PreviewPane
from notesearch.gui.results.results_model import ResultsModel, SectionKey
from notesearch.gui.results.results_pane import ResultPanes, ResultsPane, ResultsSummary
from notesearch.gui.session.actions import QuickActions, show_actions
from notesearch.gui.session.open_vault import OpenVault
from notesearch.gui.session.pane_window import PaneWindow
from notesearch.gui.session.preferences import Preferences
from notesearch.gui.session.search_pane import SearchPane
from notesearch.gui.session.start_list import StartPage
from notesearch.gui.system.native_shortcuts import has_translucency
from notesearch.gui.translation import translate
from notesearch.gui.widgets.answer_texts import type_to_search_message
from notesearch.gui.widgets.dialogs import open_dialog
from notesearch.gui.widgets.keys import KeyHint, caps_of
from notesearch.gui.widgets.notices import Message
from notesearch.gui.widgets.status_bar import StatusBar
from notesearch.gui.widgets.theme import Theme, px
from notesearch.gui.window.index_display import IndexDisplay
from notesearch.gui.window.key_page import KeyPage, key_page

_WIDTH = 780
_HEIGHT = 500
_SHADOW = 14
"""The width of the shadow in pixels. It does not grow with the text, which needs the room."""
_RADIUS = 12
_LIST = 342
_FROM_TOP = 0.18
_SWALLOWED_S = 0.25
"""For this time after a request to show or hide, a second request is ignored."""
_MISSED_MS = 150
"""Time after which Qt on X11 has noticed which window has the keyboard focus."""


class QuickWindow(PaneWindow):
    """The field at the top, results beside the preview, a bar at the bottom; its size is fixed.

    ``escaped`` is emitted when the user presses Escape outside of the field. Of the key ``hints``,
    the first is shown only while there are results.
    """

    escaped = Signal()

    def __init__(self, model: ResultsModel, theme: Theme) -> None:
        flags = Qt.WindowType
        tool = flags.Tool | flags.FramelessWindowHint | flags.WindowStaysOnTopHint
        self.hints: tuple[KeyHint, ...] = ()
        self.summary = ResultsSummary(theme, shows_order=False)
        super().__init__(theme, StatusBar(theme, self.summary), tool, large_field=True)
        self.setWindowTitle(translate("notesearch – quick search"))
        self.setObjectName("quick")
        self._translucent = has_translucency()
        self.setAttribute(Qt.WidgetAttribute.WA_TranslucentBackground, self._translucent)
        self.setAttribute(Qt.WidgetAttribute.WA_MacAlwaysShowToolWindow)
        self.setAttribute(Qt.WidgetAttribute.WA_QuitOnClose, False)
        self._pressed: QPoint | None = None
        self.card = QFrame()
        self.card.setObjectName("card")
        self.card.setProperty("soft", self._translucent)
        self.bar.setProperty("soft", self._translucent)
        results = ResultsPane(model, theme, summary=self.summary)
        preview = PreviewPane(theme, compact=True)
        self.add_panes(ResultPanes(results, preview, list_width=_LIST))
        self._lay_out()
        self.set_theme(theme)
        self.setTabOrder(self.field, results.view)
        self.field.setFocus()

    def update_hints(self) -> None:
        """Show the number of results below them; below a page, the state of the index."""
        self.bar.show_summary(self.shows_results and bool(self.summary.count_text))
        self.bar.set_hints(self.hints if self.shows_results else self.hints[1:])

    def escape(self) -> None:
        """Emit ``escaped``."""
        self.escaped.emit()

    @property
    def outline_anchor(self) -> QWidget:
        """The widget below which the outline opens."""
        return self.preview.head if self.shows_preview else self.field

    def set_theme(self, theme: Theme) -> None:
        """Apply the theme and the font sizes to all parts."""
        super().set_theme(theme)
        margin = _SHADOW if self._translucent else 0
        self.setContentsMargins(margin, margin, margin, margin)
        self.setFixedSize(self.sizeHint())
        self.update()

    def sizeHint(self) -> QSize:
        """Return the fixed size of the window, which is smaller only on a small screen."""
        room = self.screen().availableSize()
        return QSize(min(px(_WIDTH), room.width()), min(px(_HEIGHT), room.height()))

    def place(self, *, on_primary: bool = False) -> None:
        """Move the window to the upper part of the chosen screen; without effect on Wayland."""
        screen = None if on_primary else QGuiApplication.screenAt(QCursor.pos())
        self.setScreen(screen or QGuiApplication.primaryScreen())
        self.setFixedSize(self.sizeHint())
        self.move(_place(self.screen(), self.size()))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the shadow if the desktop supports it."""
        if self._translucent:
            with QPainter(self) as painter:
                painter.setRenderHint(QPainter.RenderHint.Antialiasing)
                _paint_shadow(painter, self.card.geometry(), _SHADOW, dark=self.theme.dark)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Remember the position, because a drag may begin here."""
        self._pressed = event.position().toPoint()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Let the desktop move the window while the user drags a part that is not a control."""
        handle = self.windowHandle()
        at = event.position().toPoint()
        if not (event.buttons() & Qt.MouseButton.LeftButton and self._pressed and handle):
            return
        if (at - self._pressed).manhattanLength() >= QApplication.startDragDistance():
            self._pressed = None
            handle.startSystemMove()

    def _lay_out(self) -> None:
        column = QVBoxLayout(self.card)
        column.setContentsMargins(1, 1, 1, 1)  # the card's border
        column.setSpacing(0)
        column.addWidget(self.field)
        column.addWidget(self.notice)
        column.addWidget(self.stack, 1)
        column.addWidget(self.bar)
        self.setCentralWidget(self.card)


def _place(screen: QScreen, size: QSize) -> QPoint:
    room = screen.availableGeometry()
    left = room.left() + (room.width() - size.width()) // 2
    top = room.top() + round(room.height() * _FROM_TOP)
    return QPoint(left, max(room.top(), min(top, room.bottom() + 1 - size.height())))


def _paint_shadow(painter: QPainter, card: QRect, width: int, *, dark: bool) -> None:
    """Paint a shadow around ``card``: rings that fade outwards and are slightly lower."""
    painter.setPen(Qt.PenStyle.NoPen)
    radius, darkest = px(_RADIUS), 14 if dark else 9
    for ring in range(width - 1, 0, -1):
        near = 1 - ring / width
        painter.setBrush(QColor(0, 0, 0, round(darkest * near * near)))
        box = QRectF(card).adjusted(-ring, -ring * 0.6, ring, ring)
        painter.drawRoundedRect(box, radius + ring, radius + ring)


class QuickSearch(QObject):
    """A second window on the open vault, with a search of its own, shown and hidden on request.

    Signals:
        continued: The main window should go on with this query and ``SectionKey``, if any.
    """

    continued = Signal(str, object)

    def __init__(
        self,
        vault: OpenVault,
        display: IndexDisplay,
        preferences: Preferences,
        theme: Theme,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._vault = vault
        self._display = display
        self._preferences = preferences
        self._outdated = False  # the index changed while the window was hidden
        self.model = ResultsModel(flat=True)  # without a parent, so that it outlives the window
        self.window = QuickWindow(self.model, theme)
        self.actions = QuickActions(self.window, self)
        self.pane = SearchPane(
            self.window,
            self.actions,
            vault,
            vault.quick_workers,
            preferences,
            StartPage(partial(_start_page, vault, self.actions)),
            self,
        )
        self._was_active = self._typed = False
        self._dialog: QDialog | None = None
        self._hidden_at = self._left_at = self._toggled_at = -1e9
        self._leaving = QTimer(self, singleShot=True)  # at its end, Qt knows the active window
        self._coming = QTimer(self, singleShot=True, interval=_MISSED_MS)
        # When a dialog closes, the desktop first activates some other window.
        self._returning = QTimer(self, singleShot=True, interval=_MISSED_MS)
        self._connect()
        self._connect_actions()
        self._show_hints()
        self.pane.follow_vault(False)
        self._show_state()

    @Slot(object)
    def set_theme(self, theme: Theme) -> None:
        """Apply ``theme`` to the window and to its list of keys."""
        self.window.set_theme(theme)
        for page in self.window.findChildren(KeyPage):
            page.set_theme(theme)

    def close(self) -> None:
        """Hide the window and stop all timers."""
        self.pane.close()
        self.hide()

    def _connect(self) -> None:
        window = self.window
        window.escaped.connect(self._escape)
        window.field.escaped.connect(self._escape)
        window.field.text_changed.connect(self._on_typed)
        window.activated.connect(self._on_activated)
        window.deactivated.connect(self._leaving.start)
        app = QApplication.instance()
        app.focusWindowChanged.connect(self._on_focus_window)  # type: ignore[union-attr]
        self._leaving.timeout.connect(self._leave)
        self._coming.timeout.connect(self._come)
        self._returning.timeout.connect(self._return)
        # Hide only after the editor was started, so that this window can pass the focus on to it.
        self.pane.opener.opened.connect(self.hide)
        self._vault.index_changed.connect(self._on_index_changed)
        self._display.line_changed.connect(self._on_line_changed)
        self._preferences.changed.connect(self._show_hints)

    def _connect_actions(self) -> None:
        actions = self.actions
        for action, slot in (
            (actions.close_window, self.hide),
            (actions.show_menu, self._show_menu),
            (actions.keys, self._show_keys),
            (actions.go_on, self._hand_over),
        ):
            action.triggered.connect(slot)

    @Slot()
    def _show_hints(self) -> None:
        self.window.hints = (
            KeyHint(caps_of("Enter"), self.pane.opener.label),
            KeyHint(caps_of("Ctrl+Enter"), translate("Main window")),
            KeyHint(caps_of("Ctrl+K"), translate("All actions")),
        )
        self.window.update_hints()

    @Slot()
    def _on_index_changed(self) -> None:
        """Search again: now if the window is visible, else when it appears."""
        self._outdated = True
        if self.window.isVisible():
            self._catch_up()

    @Slot()
    def _on_line_changed(self) -> None:
        """Show the state of the index if the window is visible; ``_catch_up`` does it later."""
        if self.window.isVisible():
            self._show_state()

    @Slot()
    def _catch_up(self) -> None:
        if not self.window.field.text:
            self.pane.scope.leave_note()
        self._show_state()
        if self._outdated:
            self._outdated = False
            self.pane.refresh()

    def _show_state(self) -> None:
        self.window.bar.set_line(self._display.line)
        self.pane.show_state()

    @Slot()
    def _show_menu(self) -> None:
        show_actions(self.window.choices, self.actions.window_groups())

    @Slot()
    def _show_keys(self) -> None:
        page = key_page(self.actions, self.window, self.window.theme)
        self.stay_for(page)
        open_dialog(page)

    @Slot()
    def _hand_over(self) -> None:
        section = self.window.results.view.section
        text = self.window.field.text
        self.continued.emit(text, SectionKey.of(section) if section and text.strip() else None)
        self.hide()

    @Slot()
    def toggle(self) -> None:
        """Show the window, or hide it if it is the active window.

        Requests in quick succession, as from a held key, count as one. A request right after the
        window hid itself has no effect: a click on the tray icon first takes the focus, which
        already hides the window.
        """
        now = time.monotonic()
        before = self._toggled_at
        self._toggled_at = now
        if now - before < _SWALLOWED_S or now - self._left_at < _SWALLOWED_S:
            return
        if self.window.isVisible() and self.window.isActiveWindow():
            self.hide()
        else:
            self.show()

    def show(self, query: str = "") -> None:
        """Show and focus the window, with ``query``, else with the last contents if still kept."""
        window = self.window
        settings = self._preferences.settings
        self._toggled_at = time.monotonic()
        if query:
            window.field.set_text(query)
        if not window.isVisible():
            self._was_active = False
            hidden_s = time.monotonic() - self._hidden_at
            keep_s = settings.quick_keep_s
            if not query and 0 <= keep_s <= hidden_s:
                window.field.set_text("")
            window.notice.hide()
            window.place(on_primary=settings.quick_screen == "primary")
            self._catch_up()
        self._typed = False
        if not window.isVisible() and _seems_focused(window):
            self._coming.start()
        else:
            self._come()

    @Slot()
    def _come(self) -> None:
        window = self.window
        self._coming.stop()
        window.show()
        window.raise_()
        window.activateWindow()
        window.field.focus_all()

    @Slot()
    def _on_focus_window(self) -> None:
        if self._coming.isActive():
            self._come()

    @Slot()
    def hide(self) -> None:
        """Hide the window. When it is shown again soon, it has the same contents."""
        self._leaving.stop()
        self._coming.stop()
        if self.window.isVisible():
            self._hidden_at = time.monotonic()
            self.window.hide()

    def stay_for(self, dialog: QDialog) -> None:
        """Keep the window visible while ``dialog``, which is about to open, is visible."""
        self._leaving.stop()
        if dialog is not self._dialog:
            self._dialog = dialog
            dialog.finished.connect(self._on_dialog_closed)
        dialog.hide()  # the desktop looks up the owner of a window only when it appears
        _put_above(dialog, self.window)

    @Slot()
    def _on_dialog_closed(self) -> None:
        dialog = self._dialog
        self._dialog = None
        if dialog is None:
            return
        dialog.finished.disconnect(self._on_dialog_closed)
        _put_above(dialog, None)
        self._returning.start()

    @Slot()
    def _return(self) -> None:
        if self.window.isVisible():
            self.window.raise_()
            self.window.activateWindow()

    @Slot()
    def _escape(self) -> None:
        """Cancel, close or clear what is open; without anything of that, hide the window.

        Only a text that was typed since the window appeared is cleared.
        """
        if self.pane.search.cancel_enter() or self.window.notice.close_message():
            return
        has_typed = self.window.field.text and self._typed
        if has_typed and not self._preferences.settings.quick_escape_hides:
            self.window.field.clear()
        else:
            self.hide()

    @Slot(str)
    def _on_typed(self, _text: str) -> None:
        self._typed = True

    @Slot()
    def _on_activated(self) -> None:
        self._was_active = True
        self._leaving.stop()

    @Slot()
    def _leave(self) -> None:
        window = self.window
        # On Wayland, the window may never have become the active one.
        if not (self._preferences.settings.quick_hides and self._was_active and window.isVisible()):
            return
        popup = QApplication.activePopupWidget()
        active = QApplication.activeWindow()
        if popup is not None or (active is not None and _belongs(active, window)):
            return
        if self._returning.isActive() or (self._dialog is not None and self._dialog.isVisible()):
            return
        # A window manager may take the keyboard focus while the user drags the window.
        if QGuiApplication.mouseButtons() & Qt.MouseButton.LeftButton:
            return
        self._left_at = time.monotonic()
        self.hide()


def _start_page(vault: OpenVault, actions: QuickActions) -> tuple[Message, list[QAction]]:
    """Return the message and the buttons of the page shown without a query or a vault."""
    obstacle = vault.obstacle
    if obstacle is None:
        return type_to_search_message(vault.status), []
    return obstacle, [actions.go_on]


def _seems_focused(window: QWidget) -> bool:
    """Return whether Qt on X11 still gives the focus to ``window``, which was just hidden.

    If such a window is shown again at once, Qt sees no change and never makes it active: letters
    arrive, but keys such as Ctrl+Enter do not work, and Qt does not report when the user leaves the
    window.
    """
    focus = QGuiApplication.focusWindow()
    return (
        QGuiApplication.platformName() == "xcb"
        and focus is not None
        and focus is window.windowHandle()
    )


def _put_above(dialog: QWidget, window: QWidget | None) -> None:
    """Keep ``dialog`` above ``window``, which is always on top; undo that if ``window`` is None."""
    dialog.winId()  # creates the window handle
    above = window.windowHandle() if window else None
    dialog.windowHandle().setTransientParent(above)  # type: ignore[arg-type]  # or None, says Qt


def _belongs(window: QWidget, owner: QWidget) -> bool:
    """Return whether ``window`` is ``owner`` or a dialog of it, at any depth."""
    above: QWidget | None = window
    while above is not None and above is not owner:
        above = above.parentWidget()
    return above is owner
