"""From a section to the user's editor; what goes wrong is said above the preview."""

from typing import Protocol

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QGuiApplication

from notesearch.errors import NotesearchError
from notesearch.gui import editor
from notesearch.gui.actions import PaneActions
from notesearch.gui.banner import Banner
from notesearch.gui.preview_flow import PreviewFlow
from notesearch.gui.results_pane import ResultsPane
from notesearch.gui.vault_flow import VaultFlow


class OpeningWindow(Protocol):
    """What a window has out of which notes are opened."""

    results: ResultsPane
    notice: Banner


class OpenFlow(QObject):
    """Opens the selected or the previewed section in the editor of ``command``.

    Attributes:
        command: The editor's command, empty for the system's default editor.
        follow_links: A note may lie where a link in the vault leads.

    Signals:
        opened: The editor was started on the selected ``SectionResult``.
    """

    opened = Signal(object)

    def __init__(
        self,
        window: OpeningWindow,
        actions: PaneActions,
        reading: PreviewFlow,
        vaults: VaultFlow,
        command: str,
        *,
        follow_links: bool,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self.follow_links = follow_links
        self.command = command
        self._window = window
        self._actions = actions
        self._reading = reading
        self._vaults = vaults
        actions.copy_path.triggered.connect(self._copy_path)

    @property
    def label(self) -> str:
        """What Enter does, in two words."""
        return "Open at line" if editor.knows_lines(self.command) else "Open note"

    @Slot()
    def open_selected(self) -> None:
        """Open the section selected in the list."""
        section = self._window.results.view.section
        if section is not None and self._open(section.path, section.line):
            self.opened.emit(section)

    @Slot()
    def open_previewed(self) -> None:
        """Open what the preview shows: after a link, that is another note."""
        place = self._reading.place
        if place is not None:
            self._open(*place)

    @Slot(str, int)
    def open_at(self, path: str, line: int) -> None:
        """Open a note at a line, whatever is selected."""
        self._open(path, line)

    def _open(self, path: str, line: int) -> bool:
        vault = self._vaults.vault
        if vault is None:
            return False
        try:
            editor.open_note(
                vault / path, vault, line, self.command, follow_links=self.follow_links
            )
        except NotesearchError as error:
            self._window.notice.show_message(str(error), [self._actions.copy_path])
            return False
        self._window.notice.hide()
        return True

    @Slot()
    def _copy_path(self) -> None:
        place, vault = self._reading.place, self._vaults.vault
        if place is not None and vault is not None:
            QGuiApplication.clipboard().setText(str(vault / place[0]))
