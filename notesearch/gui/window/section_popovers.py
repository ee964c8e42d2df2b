"""The popovers about a section: sections related to it, and why it is a result."""

from PySide6.QtCore import QObject, Slot

from notesearch.gui.session.lookups import RelatedRequest, RelatedSections
from notesearch.gui.session.note_outline import section_hints
from notesearch.gui.session.open_vault import OpenVault
from notesearch.gui.session.search_pane import SearchPane
from notesearch.gui.translation import translate
from notesearch.gui.widgets.popover import Choice
from notesearch.gui.window.main_actions import MainActions
from notesearch.gui.window.main_window import MainWindow
from notesearch.results import SectionResult


class SectionPopovers(QObject):
    """Opens the popovers, and shows or opens the related section that is chosen."""

    def __init__(
        self,
        window: MainWindow,
        actions: MainActions,
        pane: SearchPane,
        vault: OpenVault,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._window = window
        self._pane = pane
        self._vault = vault
        self._request: RelatedRequest | None = None
        self._related: tuple[SectionResult, ...] = ()
        actions.related.triggered.connect(self.find_related)
        actions.why.triggered.connect(self.explain)
        window.related.chosen.connect(self._show_section)
        window.related.opened.connect(self._open_section)
        vault.opening.connect(self._on_opening)

    @Slot()
    def find_related(self) -> None:
        """Find the sections of other notes that are close to the one on show."""
        preview, workers = self._pane.preview, self._vault.main_workers()
        if preview.place is not None and workers and self._window.shows_results:
            self._request = RelatedRequest(preview.place[0], preview.section_path)
            workers.read(self._request)

    @Slot()
    def explain(self) -> None:
        """Say why the selected section is a result."""
        section = self._window.results.view.section
        if section is not None and self._window.shows_results:
            self._window.why.explain(section)

    @Slot()
    def _on_opening(self) -> None:
        self._request = None
        workers = self._vault.main_workers()
        if workers:
            workers.reading.related.connect(self._show_related)

    @Slot(object)
    def _show_related(self, related: RelatedSections) -> None:
        if related.request != self._request:
            return
        self._request, self._related = None, related.sections
        nothing = related.problem or translate("window", "No other note has a related section.")
        choices = [
            Choice(" › ".join(section.section_path), detail=section.title)
            for section in related.sections
        ]
        self._window.related.offer(
            choices,
            prompt=translate("window", "Filter related sections") if choices else nothing,
            hints=section_hints() if choices else (),
            anchor=self._window.outline_anchor,
        )

    @Slot(int)
    def _show_section(self, at: int) -> None:
        self._pane.preview.go_to(self._related[at].path, self._related[at].line)

    @Slot(int)
    def _open_section(self, at: int) -> None:
        self._pane.opener.open_at(self._related[at].path, self._related[at].line)
