"""The sections opened last, in the main window as long as nothing is asked."""

from pathlib import Path

from PySide6.QtCore import QObject, Slot

from notesearch.gui.results.results_model import ResultsModel
from notesearch.gui.session.lookups import RecentRequest, RecentSections
from notesearch.gui.session.recents import Recents
from notesearch.gui.session.search_flow import SearchFlow
from notesearch.gui.translation import translate
from notesearch.gui.window.main_window import MainWindow
from notesearch.gui.window.vault_flow import VaultFlow
from notesearch.results import SectionResult


class RecentFlow(QObject):
    """Lists them in place of the page that invites to search.

    Made after all others that listen to what it listens to, so that it has the last word.
    """

    def __init__(
        self,
        window: MainWindow,
        model: ResultsModel,
        search: SearchFlow,
        vaults: VaultFlow,
        folder: Path,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._window = window
        self._model = model
        self._search = search
        self._vaults = vaults
        self._recents = Recents(folder)
        self._recent: tuple[SectionResult, ...] = ()
        search.emptied.connect(self._show_anew)
        vaults.told.connect(self._show)
        vaults.opening.connect(self._on_opening)
        vaults.changed.connect(self._recall)

    @Slot(object)
    def remember(self, section: SectionResult) -> None:
        """Put a section that was opened before the others."""
        if self._vaults.vault is not None:
            self._recents.add(self._vaults.vault, section)

    @Slot(object)
    def _on_opening(self, _vault: Path | None) -> None:
        self._recent = ()
        if self._vaults.session:
            self._vaults.session.main.reading.recalled.connect(self._on_recalled)
            self._recall()

    @Slot()
    def _recall(self) -> None:
        """Have those looked up that are still there, if anybody can see them."""
        vault, session = self._vaults.vault, self._vaults.session
        if vault is not None and session and not self._search.text.strip():
            sections = self._recents.of(vault)
            if sections:
                session.main.reading.ask(RecentRequest(sections))

    @Slot(object)
    def _on_recalled(self, found: RecentSections) -> None:
        if found.sections != self._recent:
            self._recent = found.sections
            self._list()

    @Slot()
    def _show_anew(self) -> None:
        self._list()
        self._recall()

    @Slot()
    def _show(self) -> None:
        """Stay in place of the page, which is shown again whenever the index tells something."""
        if self._is_due and not self._window.shows_results:
            if self._model.rows:
                self._window.show_results()
            else:
                self._list()

    @property
    def _is_due(self) -> bool:
        asked = bool(self._search.text.strip())
        return bool(self._recent) and not asked and self._vaults.obstacle is None

    def _list(self) -> None:
        if self._is_due:
            self._model.set_recent(self._recent)
            self._window.results.show_hint(example())
            self._window.show_results()
            self._window.results.view.select(self._model.first_section())


def example() -> str:
    """Return a query that shows what can be asked."""
    return translate("window", "Try: the trip where we stayed near the river")
