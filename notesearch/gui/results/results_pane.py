"""The left pane: the line above the results, and the result list."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QBoxLayout, QFrame, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from notesearch.gui.results.found_line import FoundLine
from notesearch.gui.results.results_model import ResultsModel
from notesearch.gui.results.results_view import ResultsView
from notesearch.gui.widgets.elided_label import ElidedLabel
from notesearch.gui.widgets.theme import Theme, px


class ResultsPane(QFrame):
    """What was found, which words were looked for instead of others, and the list.

    Args:
        line: Where to say what was found, if not above the list.

    Signals:
        exactly_asked: What was typed is wanted as it was typed.
        order_chosen: The newest notes shall come first, or the best.
    """

    exactly_asked = Signal()
    order_chosen = Signal(bool)

    def __init__(
        self,
        model: ResultsModel,
        theme: Theme,
        parent: QWidget | None = None,
        *,
        line: FoundLine | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("resultsPane")
        self.view = ResultsView(model, theme)
        self._headed = line is None
        self._line = line or FoundLine(theme)
        self._line.order_chosen.connect(self.order_chosen)
        self._respelt = ElidedLabel(Qt.TextElideMode.ElideRight)
        self._respelt.setProperty("role", "meta")
        self._respelt.setProperty("tone", "text2")
        self._as_typed = QPushButton()
        self._as_typed.setProperty("role", "meta")
        self._as_typed.setProperty("link", True)
        self._as_typed.setCursor(Qt.CursorShape.PointingHandCursor)
        self._as_typed.clicked.connect(self.exactly_asked)
        self._head = QHBoxLayout()
        # In the narrow list of quick search the two stand one below the other.
        way = QBoxLayout.Direction
        self._respelling = QBoxLayout(way.LeftToRight if self._headed else way.TopToBottom)
        self._lay_out()
        self.set_respelt("", "")
        self.set_theme(theme)

    @property
    def found(self) -> str:
        """The line about what was found."""
        return self._line.found

    @property
    def order(self) -> str:
        """What is said at the right: how the list is sorted, or that more may come."""
        return self._line.order

    @property
    def respelt(self) -> str:
        """What is said about words that were taken for misspelt."""
        return f"{self._respelt.text()} {self._as_typed.text()}".strip()

    def show_nothing_asked(self) -> None:
        """Say nothing above the list: there is no query that it would answer."""
        self.set_finding_related(False)
        self.view.set_dimmed(False)
        self.set_found("")
        self.set_respelt("", "")

    def set_respelt(self, told: str, offer: str) -> None:
        """Say which words were looked for, and offer those typed; empty texts say nothing."""
        self._respelt.setText(told)
        self._respelt.setToolTip(told)
        self._as_typed.setText(offer.replace("&", "&&"))
        self._respelt.setVisible(bool(told))
        self._as_typed.setVisible(bool(offer))

    def set_found(self, text: str) -> None:
        """Say what was found."""
        self._line.set_found(text)

    def show_hint(self, text: str) -> None:
        """Say ``text`` where nothing was asked, and so nothing is sorted."""
        self._line.show_hint(text)

    def set_newest_first(self, newest: bool) -> None:
        """Say how the list is sorted: by date where nothing but rules was asked."""
        self._line.set_newest_first(newest)

    def set_finding_related(self, finding: bool) -> None:
        """Say, if it takes long enough to be noticed, that related sections may still come."""
        self._line.set_finding_related(finding)

    def set_theme(self, theme: Theme) -> None:
        """Take over the colours, and the sizes of the font."""
        if self._headed:
            self._head.setContentsMargins(px(18), px(8), px(15), px(4))
            self._respelling.setContentsMargins(px(18), 0, px(15), 0)
        else:
            self._head.setContentsMargins(0, px(6), 0, 0)
            self._respelling.setContentsMargins(px(10), 0, px(15), 0)
            self._respelt.setContentsMargins(px(10), px(3), 0, 0)
        self._respelling.setSpacing(0)
        self._as_typed.setMinimumWidth(px(60))  # long words give way: the pane keeps its width
        self._line.set_theme(theme)
        self.view.set_theme(theme)

    def _lay_out(self) -> None:
        if self._headed:
            self._head.addWidget(self._line)
        self._respelling.addWidget(self._respelt)
        self._respelling.addWidget(self._as_typed, 0, Qt.AlignmentFlag.AlignLeft)
        if self._headed:
            self._respelling.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(self._head)
        column.addLayout(self._respelling)
        column.addWidget(self.view, 1)
