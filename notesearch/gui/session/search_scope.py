"""Where both windows search: everywhere, in one folder, or in one note."""

from PySide6.QtCore import QObject, Slot

from notesearch.gui.session.preview_controller import PreviewController
from notesearch.gui.session.search_controller import SearchController
from notesearch.gui.translation import translate
from notesearch.gui.widgets.search_field import SearchField


class SearchScope(QObject):
    """Limits the search. The note in the chip of the field comes before the folder."""

    def __init__(
        self,
        field: SearchField,
        search: SearchController,
        preview: PreviewController,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._field = field
        self._search = search
        self._preview = preview
        self._note = self._folder = ""
        field.chip_removed.connect(self.leave_note)

    @property
    def folder(self) -> str:
        """The folder that is searched; empty for all of them."""
        return self._folder

    @Slot()
    def toggle_note(self) -> None:
        """Search only in the note on show, or no longer."""
        place, title = self._preview.place, self._preview.title
        if self._note or place is None:
            self.leave_note()
            return
        self._note = place[0]
        self._field.set_chip(translate("window", "in: {title}").format(title=title))
        self._apply()
        self._field.focus_all()

    @Slot()
    def leave_note(self) -> None:
        """Search no longer in one note only."""
        if self._note:
            self._clear_note()
            self._apply()

    def set_folder(self, folder: str) -> None:
        """Search in all notes of ``folder``, or of all folders where it is empty."""
        self._clear_note()
        self._folder = folder
        self._apply()

    def _clear_note(self) -> None:
        self._note = ""
        self._field.set_chip("")

    def _apply(self) -> None:
        self._search.set_within(self._note or (self._folder and f"{self._folder}/"))
