"""The line about the results: how many there are, how they are sorted, whether more may come."""

from PySide6.QtCore import QPoint, QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QAction, QFontMetrics, QIcon
from PySide6.QtWidgets import QHBoxLayout, QLabel, QMenu, QToolButton, QWidget

from notesearch.gui.translation import translate
from notesearch.gui.widgets import icons
from notesearch.gui.widgets.theme import Role, Theme, font, px

_FINDING_DELAY_MS = 150


class ResultsSummary(QWidget):
    """Shown above the results; in quick search, in the foot and without the order.

    Args:
        shows_order: Show how the results are sorted, and let the user choose.

    Signals:
        order_chosen: The user chose the newest notes first (True) or the best (False).
    """

    order_chosen = Signal(bool)

    def __init__(
        self, theme: Theme, parent: QWidget | None = None, *, shows_order: bool = True
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._shows_order = shows_order
        self._is_hint = self._is_finding = False
        self._sorted = best_first() if shows_order else ""
        self._found = _meta_label()
        self._sparkle = QLabel()
        self._order = self._order_button()
        self._menu = QMenu(self)
        for order in (best_first(), newest_first()):
            self._menu.addAction(order).setCheckable(True)
        self._menu.triggered.connect(self._choose)
        self._delay = QTimer(self, singleShot=True, interval=_FINDING_DELAY_MS)
        self._delay.timeout.connect(self._show_finding)
        self._drawn: object = None  # what the order button shows
        self._arrow: tuple[str, int] | None = None
        self._row = QHBoxLayout(self)
        self._row.addWidget(self._found)
        self._row.addStretch(1)
        self._row.addWidget(self._sparkle)
        self._row.addWidget(self._order)
        self.set_theme(theme)

    @property
    def found(self) -> str:
        """The text about the results."""
        return self._found.text()

    @property
    def order(self) -> str:
        """The text at the right: how the list is sorted, or that more results may come."""
        return self._order.text()

    def set_found(self, text: str) -> None:
        """Show how many results there are."""
        self._found.setText(text)
        self._is_hint = False
        self._update_order()

    def show_hint(self, text: str) -> None:
        """Show ``text`` where there is no query, and so no order."""
        self._found.setText(text)
        self._is_hint = True
        self._update_order()

    def set_newest_first(self, newest: bool) -> None:
        """Show whether the newest notes come first, or the best."""
        if self._shows_order:
            self._sorted = newest_first() if newest else best_first()
        self._update_order()

    def set_finding_related(self, finding: bool) -> None:
        """Show that related sections may still come, if that takes long enough to be noticed."""
        if finding:
            self._delay.start()
            return
        self._delay.stop()
        self._is_finding = False
        self._sparkle.hide()
        self._update_order()

    def set_theme(self, theme: Theme) -> None:
        """Apply the colours of ``theme`` and the sizes of the current font."""
        self._theme = theme
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(px(6))
        ratio = self.devicePixelRatioF()
        self._sparkle.setPixmap(icons.pixmap("sparkle", theme.text3, px(11), ratio))
        self._sparkle.setVisible(self._is_finding)
        self._drawn = None  # the font can have changed
        self._order.setFixedHeight(QFontMetrics(font(Role.META)).height() + 2)
        self._update_order()

    def _order_button(self) -> QToolButton:
        button = QToolButton()
        button.setObjectName("order")
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        direction = Qt.LayoutDirection  # puts the arrow after the text
        is_mirrored = self.isRightToLeft()
        button.setLayoutDirection(direction.LeftToRight if is_mirrored else direction.RightToLeft)
        button.setAccessibleDescription(translate("window", "Sort results by"))
        button.clicked.connect(self._offer_orders)
        return button

    def _show_finding(self) -> None:
        self._is_finding = True
        self._sparkle.show()
        self._update_order()

    def _update_order(self) -> None:
        """Update the button if anything changed; this is called for each letter typed."""
        text = finding_related() if self._is_finding else self._sorted
        drawn = text, self._is_hint, self._theme
        if drawn == self._drawn:
            return
        self._drawn = drawn
        self._order.setText(text)
        self._order.setVisible(bool(text) and not self._is_hint)
        is_choice = self._shows_order and not self._is_finding
        self._order.setEnabled(is_choice)
        self._draw_arrow(self._theme.text3 if is_choice else "", px(9))

    def _draw_arrow(self, colour: str, size: int) -> None:
        """Draw the arrow, or none, if it changed: Qt then lays out the whole window again."""
        if (colour, size) != self._arrow:
            self._arrow = colour, size
            self._order.setIcon(icons.icon("chevron-down", colour, size) if colour else QIcon())
            self._order.setIconSize(QSize(size, size))

    @Slot(QAction)
    def _choose(self, action: QAction) -> None:
        self.order_chosen.emit(action.text() == newest_first())

    @Slot()
    def _offer_orders(self) -> None:
        """Open the choice below the button, with the outer edges aligned."""
        for action in self._menu.actions():
            action.setChecked(action.text() == self._order.text())
        width = self._menu.sizeHint().width()
        left = 0 if self.isRightToLeft() else self._order.width() - width
        self._menu.popup(self._order.mapToGlobal(QPoint(left, self._order.height() + 2)))


def _meta_label() -> QLabel:
    label = QLabel()
    label.setTextFormat(label.textFormat().PlainText)
    label.setProperty("role", "meta")
    label.setProperty("tone", "text3")
    return label


def best_first() -> str:
    """Return the name of the order by rank."""
    return translate("window", "Best match first")


def newest_first() -> str:
    """Return the name of the order by date."""
    return translate("window", "Newest first")


def finding_related() -> str:
    """Return the text that is shown while related sections may still come."""
    return translate("window", "Finding related…")
