"""The line about the results: how many were found, how they are sorted, whether more may come."""

from PySide6.QtCore import QPoint, QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QAction, QFontMetrics, QIcon
from PySide6.QtWidgets import QHBoxLayout, QLabel, QMenu, QToolButton, QWidget

from notesearch.gui.translation import translate
from notesearch.gui.widgets import icons
from notesearch.gui.widgets.theme import Role, Theme, font, px

_QUIET_MS = 150


class FoundLine(QWidget):
    """Stands above the results, or in the foot of quick search, where it does not tell the order.

    Args:
        tells_order: Say how the results are sorted, and let the user choose.

    Signals:
        order_chosen: The newest notes shall come first, or the best.
    """

    order_chosen = Signal(bool)

    def __init__(
        self, theme: Theme, parent: QWidget | None = None, *, tells_order: bool = True
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._tells_order = tells_order
        self._hints = False  # at what can be asked: nothing is sorted
        self._found = _meta_label()
        self._spark = QLabel()
        self._sorted = best_first() if tells_order else ""
        self._order = QToolButton()
        self._order.setObjectName("order")
        self._order.setText(self._sorted)
        self._order.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        direction = Qt.LayoutDirection  # the arrow stands behind the text
        behind = direction.LeftToRight if self.isRightToLeft() else direction.RightToLeft
        self._order.setLayoutDirection(behind)
        self._order.setAccessibleDescription(translate("window", "Sort results by"))
        self._order.clicked.connect(self._offer_orders)
        self._menu = QMenu(self)
        for order in (best_first(), newest_first()):
            self._menu.addAction(order).setCheckable(True)
        self._menu.triggered.connect(self._choose)
        self._late = QTimer(self)
        self._late.setSingleShot(True)
        self._late.setInterval(_QUIET_MS)
        self._late.timeout.connect(self._show_finding)
        self._arrow: tuple[str, int] | None = None
        self._ordered: tuple[str, bool, Theme] | None = None
        self._row = QHBoxLayout(self)
        self._row.addWidget(self._found)
        self._row.addStretch(1)
        self._row.addWidget(self._spark)
        self._row.addWidget(self._order)
        self.set_theme(theme)

    @property
    def found(self) -> str:
        """What was found."""
        return self._found.text()

    @property
    def order(self) -> str:
        """What is said at the right: how the list is sorted, or that more may come."""
        return self._order.text()

    def set_found(self, text: str) -> None:
        """Say what was found."""
        self._found.setText(text)
        self._hints = False
        self._show_order(self._order.text())

    def show_hint(self, text: str) -> None:
        """Say ``text`` and nothing of an order."""
        self._found.setText(text)
        self._hints = True
        self._show_order(self._order.text())

    def set_newest_first(self, newest: bool) -> None:
        """Say how the list is sorted: by date where nothing but rules was asked."""
        if self._tells_order:
            self._sorted = newest_first() if newest else best_first()
        if self._order.text() != finding():
            self._show_order(self._sorted)

    def set_finding_related(self, finding: bool) -> None:
        """Say, if it takes long enough to be noticed, that related sections may still come."""
        if finding:
            self._late.start()
            return
        self._late.stop()
        self._show_order(self._sorted)
        self._spark.hide()

    def set_theme(self, theme: Theme) -> None:
        """Take over the colours, and the sizes of the font."""
        self._theme = theme
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(px(6))
        ratio = self.devicePixelRatioF()
        self._spark.setPixmap(icons.pixmap("sparkle", theme.text3, px(11), ratio))
        self._spark.setVisible(self._order.text() == finding())
        self._ordered = None  # the font may be another one
        self._order.setFixedHeight(QFontMetrics(font(Role.META)).height() + 2)
        self._show_order(self._order.text())

    def _show_finding(self) -> None:
        self._show_order(finding())
        self._spark.show()

    def _show_order(self, text: str) -> None:
        """Say ``text``; where it is the order, it can be clicked. Each letter typed asks for it."""
        wanted = text, self._hints, self._theme
        if wanted == self._ordered:
            return
        self._ordered = wanted
        self._order.setText(text)
        self._order.setVisible(bool(text) and not self._hints)
        choice = self._tells_order and text != finding()
        self._order.setEnabled(choice)
        self._draw_arrow(self._theme.text3 if choice else "", px(9))

    def _draw_arrow(self, colour: str, size: int) -> None:
        """Draw the arrow, or none; only where it is another one: Qt lays out the window again."""
        if (colour, size) != self._arrow:
            self._arrow = colour, size
            self._order.setIcon(icons.icon("chevron-down", colour, size) if colour else QIcon())
            self._order.setIconSize(QSize(size, size))

    @Slot(QAction)
    def _choose(self, action: QAction) -> None:
        self.order_chosen.emit(action.text() == newest_first())

    @Slot()
    def _offer_orders(self) -> None:
        """Open the choice below the word that tells the order, outer edges in line."""
        for action in self._menu.actions():
            action.setChecked(action.text() == self._order.text())
        mirrored, order = self.isRightToLeft(), self._order
        left = 0 if mirrored else order.width() - self._menu.sizeHint().width()
        self._menu.popup(order.mapToGlobal(QPoint(left, order.height() + 2)))


def _meta_label() -> QLabel:
    label = QLabel()
    label.setTextFormat(label.textFormat().PlainText)
    label.setProperty("role", "meta")
    label.setProperty("tone", "text3")
    return label


def best_first() -> str:
    """Return what says that the best is listed first."""
    return translate("window", "Best match first")


def newest_first() -> str:
    """Return what says that the newest notes are listed first."""
    return translate("window", "Newest first")


def finding() -> str:
    """Return what says that more may come."""
    return translate("window", "Finding related…")
