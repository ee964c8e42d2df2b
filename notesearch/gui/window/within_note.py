"""Searching in one note only, in both windows: the chip in the field says so."""

from PySide6.QtCore import QObject, Slot

from notesearch.gui.session.preview_controller import PreviewController
from notesearch.gui.session.search_flow import SearchFlow
from notesearch.gui.translation import translate
from notesearch.gui.widgets.search_field import SearchField
from notesearch.gui.window.actions import PaneActions
from notesearch.gui.window.vault_flow import VaultFlow


class WithinNote(QObject):
    """Searches in the note on show, until its chip is removed or another vault is opened."""

    def __init__(
        self,
        field: SearchField,
        actions: PaneActions,
        search: SearchFlow,
        reading: PreviewController,
        vaults: VaultFlow,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._field = field
        self._search = search
        self._reading = reading
        self._note = ""
        field.chip_removed.connect(self.leave_note)
        actions.search_in_note.triggered.connect(self.search_in_note)
        vaults.opening.connect(self.forget)

    @Slot()
    def search_in_note(self) -> None:
        """Search in the note that the preview shows, or no longer."""
        place, title = self._reading.place, self._reading.title
        if self._note or place is None:
            self.leave_note()
            return
        self._note = place[0]
        self._field.set_chip(translate("window", "in: {title}").format(title=title))
        self.apply()
        self._field.focus_all()

    @Slot()
    def leave_note(self) -> None:
        """Search no longer in one note only."""
        if self._note:
            self.leave()
            self.apply()

    @Slot()
    def forget(self) -> None:
        """Search everywhere in another vault."""
        self.leave()
        self._search.set_within("")

    def leave(self) -> None:
        """Take the chip away."""
        self._note = ""
        self._field.set_chip("")

    def apply(self) -> None:
        """Search where it is said."""
        self._search.set_within(self._note)
