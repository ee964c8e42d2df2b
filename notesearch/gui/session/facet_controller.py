"""Offers filters that narrow the results (facets); the chosen one is added to the query."""

from PySide6.QtCore import QObject, Slot

from notesearch.gui import wording
from notesearch.gui.session.pane_actions import PaneActions
from notesearch.gui.session.reading_thread import Facets, FacetsRequest
from notesearch.gui.session.search_controller import (
    CurrentWorkers,
    PaneWindow,
    SearchController,
)
from notesearch.gui.translation import translate
from notesearch.gui.widgets.choices import Choice


class FacetController(QObject):
    """Asks for the facets of the results, shows them in a popover, and adds the chosen one."""

    def __init__(
        self,
        window: PaneWindow,
        actions: PaneActions,
        search: SearchController,
        workers: CurrentWorkers,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._window, self._search, self._workers = window, search, workers
        self._request: FacetsRequest | None = None
        self._filters: list[str] = []
        actions.narrow.triggered.connect(self.ask)
        window.results.summary.narrow_button.clicked.connect(self.ask)
        window.facets.chosen.connect(self._narrow)

    @Slot()
    def ask(self) -> None:
        """Ask for the facets of the listed results; close the popover if it is open already."""
        workers, shown = self._workers(), self._search.shown
        if self._window.facets.is_open:
            self._window.facets.close_up()
        elif workers and shown and self._window.shows_results:
            self._request = FacetsRequest(shown.sections)
            workers.reading.ask(self._request)

    @Slot(object)
    def offer(self, facets: Facets) -> None:
        """Open the popover with ``facets``, unless newer facets were requested meanwhile."""
        if facets.request is not self._request:
            return
        self._request = None
        self._filters = [facet.filter for group in facets.groups for facet in group]
        choices = [
            Choice(
                wording.facet_text(facet),
                detail=wording.number(facet.count),
                ends_group=facet is group[-1],
            )
            for group in facets.groups
            for facet in group
        ]
        button = self._window.results.summary.narrow_button
        self._window.facets.offer(
            choices,
            prompt=translate("window", "Show only results with …")
            if choices
            else translate("window", "No filter would narrow these results."),
            anchor=button if button.isVisible() else self._window.field,
        )

    @Slot(int)
    def _narrow(self, index: int) -> None:
        self._window.field.add_filter(self._filters[index])
