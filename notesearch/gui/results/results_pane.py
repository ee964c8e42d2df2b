"""The left pane: the summary of the results, the corrected spelling, and the list."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QBoxLayout, QFrame, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from notesearch.gui.results.results_model import ResultsModel
from notesearch.gui.results.results_summary import ResultsSummary
from notesearch.gui.results.results_view import ResultsView
from notesearch.gui.widgets.elided_label import ElidedLabel
from notesearch.gui.widgets.theme import Theme, px


class ResultsPane(QFrame):
    """Shows what was found.

    Args:
        summary: Where to show the summary, if not above the list.

    Attributes:
        view: The list.
        summary: The line about the results.
        as_typed_button: Offers to search for exactly what was typed.
    """

    def __init__(
        self,
        model: ResultsModel,
        theme: Theme,
        parent: QWidget | None = None,
        *,
        summary: ResultsSummary | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("resultsPane")
        self.view = ResultsView(model, theme)
        self._has_summary = summary is None
        self.summary = summary or ResultsSummary(theme)
        self._correction = ElidedLabel(Qt.TextElideMode.ElideRight)
        self._correction.setProperty("role", "meta")
        self._correction.setProperty("tone", "text2")
        self.as_typed_button = QPushButton()
        self.as_typed_button.setProperty("role", "meta")
        self.as_typed_button.setProperty("link", True)
        self.as_typed_button.setCursor(Qt.CursorShape.PointingHandCursor)
        self._lay_out()
        self.set_correction("", "")
        self.set_theme(theme)

    @property
    def correction(self) -> str:
        """The text about corrected words."""
        return f"{self._correction.text()} {self.as_typed_button.text()}".strip()

    def show_nothing_asked(self) -> None:
        """Show no text above the list, because there is no query."""
        self.summary.set_finding_related(False)
        self.view.set_dimmed(False)
        self.summary.set_found("")
        self.set_correction("", "")

    def set_correction(self, text: str, offer: str) -> None:
        """Show which corrected words were searched, and offer to search those typed."""
        self._correction.setText(text)
        self._correction.setToolTip(text)
        self.as_typed_button.setText(offer.replace("&", "&&"))
        self._correction.setVisible(bool(text))
        self.as_typed_button.setVisible(bool(offer))

    def set_theme(self, theme: Theme) -> None:
        """Apply the colours of ``theme`` and the sizes of the current font."""
        if self._has_summary:
            self._head.setContentsMargins(px(18), px(8), px(15), px(4))
            self._correction_row.setContentsMargins(px(18), 0, px(15), 0)
        else:
            self._head.setContentsMargins(0, px(6), 0, 0)
            self._correction_row.setContentsMargins(px(10), 0, px(15), 0)
            self._correction.setContentsMargins(px(10), px(3), 0, 0)
        self._correction_row.setSpacing(0)
        self.as_typed_button.setMinimumWidth(px(60))  # long words must not widen the pane
        self.summary.set_theme(theme)
        self.view.set_theme(theme)

    def _lay_out(self) -> None:
        self._head = QHBoxLayout()
        # In the narrow list of quick search, the offer is below the correction.
        way = QBoxLayout.Direction
        direction = way.LeftToRight if self._has_summary else way.TopToBottom
        self._correction_row = QBoxLayout(direction)
        if self._has_summary:
            self._head.addWidget(self.summary)
        self._correction_row.addWidget(self._correction)
        self._correction_row.addWidget(self.as_typed_button, 0, Qt.AlignmentFlag.AlignLeft)
        if self._has_summary:
            self._correction_row.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(self._head)
        column.addLayout(self._correction_row)
        column.addWidget(self.view, 1)
