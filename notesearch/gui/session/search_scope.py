"""Limits the search of a window to one note or folder."""

from PySide6.QtCore import QObject, Slot

from notesearch.gui.session.preview_controller import PreviewController
from notesearch.gui.session.search_controller import SearchController
from notesearch.gui.translation import translate
from notesearch.gui.widgets.search_field import SearchField


class SearchScope(QObject):
    """Limits the search to one note, shown as a chip in the field, else to ``folder``, if any."""

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
        self._note = self.folder = ""
        field.chip_removed.connect(self.leave_note)

    @Slot()
    def toggle_note(self) -> None:
        """Search only in the previewed note; if one note is searched already, stop that."""
        shown_at, title = self._preview.place, self._preview.title
        if self._note or shown_at is None:
            self.leave_note()
            return
        self._note = shown_at[0]
        self._field.set_chip(translate("window", "in: {title}").format(title=title))
        self._apply()
        self._field.focus_all()

    @Slot()
    def leave_note(self) -> None:
        """Search again in the whole folder, not in one note only."""
        if self._note:
            self._clear_note()
            self._apply()

    def set_folder(self, folder: str) -> None:
        """Search in all notes of ``folder``; in all folders if it is empty."""
        self._clear_note()
        self.folder = folder
        self._apply()

    def _clear_note(self) -> None:
        self._note = ""
        self._field.set_chip("")

    def _apply(self) -> None:
        self._search.set_within(self._note or (self.folder and f"{self.folder}/"))
