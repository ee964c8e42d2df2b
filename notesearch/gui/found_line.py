"""The line about the results: how many were found, how they are sorted, whether more may come."""

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from notesearch.gui import icons
from notesearch.gui.theme import Theme, px

BEST_FIRST = "Best match first"
NEWEST_FIRST = "Newest first"
FINDING = "Finding related…"
_QUIET_MS = 150


class FoundLine(QWidget):
    """Stands above the results, or in the foot of quick search, where it does not tell the order.

    Args:
        tells_order: Say how the results are sorted.
    """

    def __init__(
        self, theme: Theme, parent: QWidget | None = None, *, tells_order: bool = True
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._tells_order = tells_order
        self._found = _meta_label()
        self._spark = QLabel()
        self._sorted = BEST_FIRST if tells_order else ""
        self._order = _meta_label()
        self._order.setText(self._sorted)
        self._late = QTimer(self)
        self._late.setSingleShot(True)
        self._late.setInterval(_QUIET_MS)
        self._late.timeout.connect(self._show_finding)
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

    def set_newest_first(self, newest: bool) -> None:
        """Say how the list is sorted: by date where nothing but rules was asked."""
        if self._tells_order:
            self._sorted = NEWEST_FIRST if newest else BEST_FIRST
        if self._order.text() != FINDING:
            self._order.setText(self._sorted)

    def set_finding_related(self, finding: bool) -> None:
        """Say, if it takes long enough to be noticed, that related sections may still come."""
        if finding:
            self._late.start()
            return
        self._late.stop()
        self._order.setText(self._sorted)
        self._spark.hide()

    def set_theme(self, theme: Theme) -> None:
        """Take over the colours, and the sizes of the font."""
        self._theme = theme
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(px(6))
        ratio = self.devicePixelRatioF()
        self._spark.setPixmap(icons.pixmap("sparkle", theme.text3, px(11), ratio))
        self._spark.setVisible(self._order.text() == FINDING)

    def _show_finding(self) -> None:
        self._order.setText(FINDING)
        self._spark.show()


def _meta_label() -> QLabel:
    label = QLabel()
    label.setTextFormat(label.textFormat().PlainText)
    label.setProperty("role", "meta")
    label.setProperty("tone", "text3")
    return label
