"""What an answer offers to ask instead: words as they were typed, or as they may be meant."""

from PySide6.QtCore import QObject, Slot

from notesearch.gui import wording
from notesearch.gui.results.results_pane import ResultsPane
from notesearch.gui.widgets.message_page import MessagePage
from notesearch.gui.widgets.search_field import SearchField
from notesearch.results import SearchResult


class SearchOffers(QObject):
    """Puts what was accepted into the field.

    Attributes:
        result: The answer on show; None where nothing is asked.
    """

    def __init__(
        self, field: SearchField, results: ResultsPane, page: MessagePage, parent: QObject
    ) -> None:
        super().__init__(parent)
        self.result: SearchResult | None = None
        self._field = field
        results.exactly_asked.connect(self._ask_exactly)
        page.offered.connect(self._ask)

    @Slot()
    def _ask_exactly(self) -> None:
        if self.result is not None:
            self._ask(wording.exactly(self.result.query, self.result.spelling))

    @Slot(str)
    def _ask(self, text: str) -> None:
        self._field.set_text(text)
        self._field.focus_all()
