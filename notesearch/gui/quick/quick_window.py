"""The window of quick search, a card without a frame. ``quick_search`` connects its parts."""

from PySide6.QtCore import QEvent, QPoint, QRect, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import (
    QColor,
    QCursor,
    QGuiApplication,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QScreen,
)
from PySide6.QtWidgets import QApplication, QFrame, QHBoxLayout, QVBoxLayout, QWidget

from notesearch.gui.preview.preview_pane import PreviewPane
from notesearch.gui.results.results_model import ResultsModel
from notesearch.gui.results.results_pane import ResultsPane, ResultsSummary
from notesearch.gui.session.pane_window import PaneWindow
from notesearch.gui.system.native_shortcuts import has_translucency
from notesearch.gui.translation import translate
from notesearch.gui.widgets.controls import plain_tip
from notesearch.gui.widgets.keys import KeyHint
from notesearch.gui.widgets.theme import Theme, px
from notesearch.gui.window.status_bar import StateBar


class QuickFoot(StateBar):
    """The bar at the bottom: the number of results or the state of the index, and key hints."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self.setObjectName("quickFoot")
        self._all_hints: tuple[KeyHint, ...] = ()
        self._sections = True
        self._shows_summary = False
        self.summary = ResultsSummary(theme, shows_order=False)
        self._row.insertWidget(0, self.summary)
        self.set_theme(theme)

    @property
    def text(self) -> str:
        """The text about the index; empty while the number of results is shown."""
        return "" if self._text.isHidden() else self._text.text()

    def show_for(self, *, sections: bool) -> None:
        """Show the number of results if there are ``sections``, else the state of the index.

        A warning about the index is shown in both cases.
        """
        self._shows_summary = sections and bool(self.summary.count_text)
        self._sections = sections
        self._show_hints()
        self._draw()

    def set_hints(self, opening: KeyHint, *others: KeyHint) -> None:
        """Show the keys and what they do; show ``opening`` only while there are results."""
        self._all_hints = (opening, *others)
        self._show_hints()

    def set_theme(self, theme: Theme) -> None:
        """Apply the theme and the font sizes."""
        self._theme = theme
        self.setFixedHeight(px(32))
        self._row.setContentsMargins(px(16), 0, px(16), 0)
        self._row.setSpacing(px(5))
        self.summary.set_theme(theme)
        self._show_hints()
        self._draw()

    def event(self, event: QEvent) -> bool:
        """Fit the hints again when another part of the bar wants more room or less."""
        if event.type() == QEvent.Type.LayoutRequest:
            self._fit()
        return super().event(event)

    def _show_hints(self) -> None:
        self._hints.show_hints(
            self._all_hints if self._sections else self._all_hints[1:], self._theme
        )
        self._fit()

    def _fit(self) -> None:
        shown = [w for w in (self.summary, self._icon, self._text) if not w.isHidden()]
        needed = sum(widget.sizeHint().width() + px(5) for widget in shown)
        self._hints.setVisible(self._hints.fit(self.width() - 2 * px(16) - needed))

    def _draw(self) -> None:
        line = self._flash or self.line
        is_marked = self._flash is not None or line.tone == "warn"
        self.summary.setVisible(self._shows_summary)
        self._icon.setVisible(is_marked)
        self._text.setVisible(is_marked or not self._shows_summary)
        self._draw_line(line)
        self._text.setToolTip(plain_tip(line.tip))
        self._fit()


_WIDTH = 780
_HEIGHT = 500
_SHADOW = 14
"""The width of the shadow in pixels. It does not grow with the text, which needs the room."""
_RADIUS = 12
_LIST = 342
_WITH_PREVIEW = 620
_FROM_TOP = 0.18


class QuickWindow(PaneWindow):
    """The field at the top, results beside the preview, a bar at the bottom; its size is fixed.

    ``escaped`` is emitted when the user presses Escape outside of the field.
    """

    escaped = Signal()

    def __init__(self, model: ResultsModel, theme: Theme) -> None:
        flags = Qt.WindowType
        tool = flags.Tool | flags.FramelessWindowHint | flags.WindowStaysOnTopHint
        super().__init__(theme, tool, large_field=True)
        self.setWindowTitle(translate("notesearch – quick search"))
        self.setObjectName("quick")
        self._translucent = has_translucency()
        self.setAttribute(Qt.WidgetAttribute.WA_TranslucentBackground, self._translucent)
        self.setAttribute(Qt.WidgetAttribute.WA_MacAlwaysShowToolWindow)
        self.setAttribute(Qt.WidgetAttribute.WA_QuitOnClose, False)
        self._pressed: QPoint | None = None
        self._wants_preview = True
        self.foot = QuickFoot(theme)
        self.card = QFrame()
        self.card.setObjectName("card")
        self.card.setProperty("soft", self._translucent)
        self.foot.setProperty("soft", self._translucent)
        results = ResultsPane(model, theme, summary=self.foot.summary)
        preview = PreviewPane(theme, compact=True)
        self.add_panes(results, preview, self._lay_out(results, preview))
        self._parts += [self.foot, results, preview]
        self.set_theme(theme)
        self.setTabOrder(self.field, results.view)
        self.field.setFocus()

    def update_hints(self) -> None:
        """Show the number of results below them; below a page, the state of the index."""
        self.foot.show_for(sections=self.shows_results)

    def flash(self, text: str, *, done: bool = True) -> None:
        """Show a short message for a moment, with a tick if it reports something ``done``."""
        self.foot.flash(text, done=done)

    def escape(self) -> None:
        """Emit ``escaped``."""
        self.escaped.emit()

    @property
    def outline_anchor(self) -> QWidget:
        """The widget below which the outline opens."""
        return self.preview.head if self.shows_preview else self.field

    @Slot()
    def toggle_preview(self) -> None:
        """Show the preview, or give its room to the results."""
        self._wants_preview = not self._wants_preview
        if self._right.isAncestorOf(self.focusWidget()) and not self._wants_preview:
            self.field.setFocus()
        self._share_room()

    def set_theme(self, theme: Theme) -> None:
        """Apply the theme and the font sizes to all parts."""
        super().set_theme(theme)
        margin = _SHADOW if self._translucent else 0
        self.setContentsMargins(margin, margin, margin, margin)
        self._share_room()
        self.setFixedSize(self.sizeHint())
        self.update()

    def _share_room(self) -> None:
        width = self.sizeHint().width()
        shown = self._wants_preview and width >= px(_WITH_PREVIEW)
        self._right.setVisible(shown)
        self.results.setMaximumWidth(px(_LIST) if shown else width)

    def sizeHint(self) -> QSize:
        """Return the fixed size of the window, which is smaller only on a small screen."""
        room = self.screen().availableSize()
        return QSize(min(px(_WIDTH), room.width()), min(px(_HEIGHT), room.height()))

    def place(self, *, on_primary: bool = False) -> None:
        """Move the window to the upper part of the chosen screen; without effect on Wayland."""
        screen = None if on_primary else QGuiApplication.screenAt(QCursor.pos())
        self.setScreen(screen or QGuiApplication.primaryScreen())
        self._share_room()
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

    def _lay_out(self, results: ResultsPane, preview: PreviewPane) -> QWidget:
        """Lay the window out; return the part that holds ``results`` and ``preview``."""
        body = QWidget()
        row = QHBoxLayout(body)
        self._right = QFrame()
        self._right.setObjectName("quickPreview")
        column = QVBoxLayout(self._right)
        column.addWidget(preview)
        row.addWidget(results, 2)
        row.addWidget(self._right, 1)
        inner = QVBoxLayout(self.card)
        inner.addWidget(self.field)
        inner.addWidget(self.notice)
        inner.addWidget(self.stack, 1)
        inner.addWidget(self.foot)
        self.setCentralWidget(self.card)
        for layout in (row, column, inner):
            layout.setContentsMargins(0, 0, 0, 0)
            layout.setSpacing(0)
        inner.setContentsMargins(1, 1, 1, 1)  # the card's border
        return body


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
