"""The left pane: the line above the results, and the result list."""

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from notesearch.gui import icons
from notesearch.gui.elided_label import ElidedLabel
from notesearch.gui.results_model import ResultsModel
from notesearch.gui.results_view import ResultsView
from notesearch.gui.theme import Theme, px

BEST_FIRST = "Best match first"
NEWEST_FIRST = "Newest first"
FINDING = "Finding related…"
_QUIET_MS = 150


class ResultsPane(QFrame):
    """How many sections were found, how they are sorted, and the list of them.

    Signals:
        exactly_asked: What was typed is wanted as it was typed.
    """

    exactly_asked = Signal()

    def __init__(self, model: ResultsModel, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("resultsPane")
        self._theme = theme
        self.view = ResultsView(model, theme)
        self._found = _meta_label()
        self._spark = QLabel()
        self._sorted = BEST_FIRST
        self._order = _meta_label()
        self._order.setText(BEST_FIRST)
        self._late = QTimer(self)
        self._late.setSingleShot(True)
        self._late.setInterval(_QUIET_MS)
        self._late.timeout.connect(self._show_finding)
        self._head = QHBoxLayout()
        self._head.addWidget(self._found)
        self._head.addStretch(1)
        self._head.addWidget(self._spark)
        self._head.addWidget(self._order)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(self._head)
        self._respelt = ElidedLabel(Qt.TextElideMode.ElideRight)
        self._respelt.setProperty("role", "meta")
        self._respelt.setProperty("tone", "text2")
        self._as_typed = QPushButton()
        self._as_typed.setProperty("role", "meta")
        self._as_typed.setProperty("link", True)
        self._as_typed.setCursor(Qt.CursorShape.PointingHandCursor)
        self._as_typed.clicked.connect(self.exactly_asked)
        self._respelling = QHBoxLayout()
        self._respelling.addWidget(self._respelt)
        self._respelling.addWidget(self._as_typed)
        self._respelling.addStretch(1)
        column.addLayout(self._respelling)
        column.addWidget(self.view, 1)
        self.set_respelt("", "")
        self.set_theme(theme)

    @property
    def found(self) -> str:
        """The line about what was found."""
        return self._found.text()

    @property
    def order(self) -> str:
        """What is said at the right: how the list is sorted, or that more may come."""
        return self._order.text()

    @property
    def respelt(self) -> str:
        """What is said about words that were taken for misspelt."""
        return f"{self._respelt.text()} {self._as_typed.text()}".strip()

    def set_respelt(self, told: str, offer: str) -> None:
        """Say which words were looked for, and offer those typed; empty texts say nothing."""
        self._respelt.setText(told)
        self._respelt.setToolTip(told)
        self._as_typed.setText(offer.replace("&", "&&"))
        self._respelt.setVisible(bool(told))
        self._as_typed.setVisible(bool(offer))

    def set_found(self, text: str) -> None:
        """Say what was found."""
        self._found.setText(text)

    def set_newest_first(self, newest: bool) -> None:
        """Say how the list is sorted: by date where nothing but rules was asked."""
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
        self._head.setContentsMargins(px(18), px(8), px(15), px(4))
        self._head.setSpacing(px(6))
        self._respelling.setSpacing(0)
        self._respelling.setContentsMargins(px(18), 0, px(15), 0)
        self._as_typed.setMinimumWidth(px(60))  # long words give way: the pane keeps its width
        ratio = self.devicePixelRatioF()
        self._spark.setPixmap(icons.pixmap("sparkle", theme.text3, px(11), ratio))
        self._spark.setVisible(self._order.text() == FINDING)
        self.view.set_theme(theme)

    def _show_finding(self) -> None:
        self._order.setText(FINDING)
        self._spark.show()


def _meta_label() -> QLabel:
    label = QLabel()
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setProperty("role", "meta")
    label.setProperty("tone", "text3")
    return label
