"""Opens a section in the editor, shows it in the file manager, copies or drags it."""

import re

from PySide6.QtCore import QMimeData, QObject, Qt, QTimer, QUrl, Signal, Slot
from PySide6.QtGui import QAction, QDrag, QGuiApplication

from notesearch.errors import NotesearchError
from notesearch.gui import wording
from notesearch.gui.results.results_rows import SectionKey
from notesearch.gui.session.open_vault import OpenVault
from notesearch.gui.session.pane_actions import PaneActions
from notesearch.gui.session.preferences import Preferences
from notesearch.gui.session.preview_controller import PreviewController
from notesearch.gui.session.search_controller import PaneWindow
from notesearch.gui.system import editors, obsidian_link
from notesearch.gui.system.editors import EditorError
from notesearch.gui.system.obsidian_link import NoteLocation
from notesearch.gui.translation import error_text, translate
from notesearch.results import SectionResult

_LATE_MS = 400
"""Milliseconds for which Enter waits at most until the preview knows where the match is."""

SourcePlace = tuple[str, int, int]
"""The path of a note; line and column, from 1."""


_UNNAMEABLE = re.compile(r'[\\/:*?"<>|#^\[\]\x00-\x1f]+')
_LONGEST_NAME = 80


def note_name(query: str) -> str:
    """Return a file name, without suffix, for a new note about ``query``.

    It has the words of the query, but no filters and no characters that file names cannot have.
    Empty if no word remains.
    """
    from notesearch.library import understands

    words = (word for word in query.split() if not understands(word))
    name = " ".join(_UNNAMEABLE.sub(" ", " ".join(words)).split())
    return name[:_LONGEST_NAME].strip(" .-")


class SectionOpener(QObject):
    """Opens, reveals and copies the selected section, or the one in the preview.

    Signals:
        opened: The editor was started. Carries the selected ``SectionResult`` if it shows that
            section, else None.
        link_copied: The link to the selected section was copied; carries its ``SectionResult``.
    """

    opened = Signal(object)
    link_copied = Signal(object)

    def __init__(
        self,
        window: PaneWindow,
        actions: PaneActions,
        preview: PreviewController,
        vault: OpenVault,
        preferences: Preferences,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._window = window
        self._actions = actions
        self._preview = preview
        self._vault = vault
        self._preferences = preferences
        self._new: NoteLocation | None = None  # the note that the action would create
        self._notice_of: SectionKey | None = None
        self._waiting: tuple[SectionResult, str] | None = None  # section to open, and editor
        self._late = QTimer(self, singleShot=True, interval=_LATE_MS)
        self._late.timeout.connect(self._open_waiting)
        preview.shown.connect(self._on_shown)
        window.results.view.dragged.connect(self.drag)
        actions.open_section.triggered.connect(self.open_selected)
        actions.open_second.triggered.connect(self.open_second)
        actions.new_note.triggered.connect(self._begin_note)
        actions.reveal.triggered.connect(self.reveal)
        actions.copy_markdown.triggered.connect(self._copy_markdown)
        actions.copy_link.triggered.connect(self._copy_link)
        actions.copy_path.triggered.connect(self._copy_path)
        preferences.changed.connect(self._follow_settings)
        self.name_actions()

    @property
    def label(self) -> str:
        """The name of the action that Enter triggers, such as “Open in Obsidian”."""
        return editors.label(self._preferences.settings.editor)

    @Slot(object)
    def _follow_settings(self, names: frozenset[str]) -> None:
        if names & {"editor", "second_editor"}:
            self._window.notice.hide()  # the cause of the error may be gone
            self.name_actions()

    @Slot()
    def name_actions(self) -> None:
        """Name the actions after the editors that they open."""
        self._actions.open_section.setText(self.label)
        second = self._preferences.settings.second_editor
        first = self._preferences.settings.editor
        self._actions.open_second.setText(editors.second_label(second, first))
        self._actions.open_second.setVisible(second != first)

    @Slot()
    def open_selected(self) -> None:
        """Open the section selected in the list."""
        self._open_selected(self._preferences.settings.editor)

    @Slot()
    def open_second(self) -> None:
        """Open the section selected in the list in the second editor."""
        self._open_selected(self._preferences.settings.second_editor)

    @Slot()
    def open_previewed(self) -> None:
        """Open the note on screen at its current match. It may be another than the selected one."""
        self._open_place(self._preview.source_place())

    @Slot(int)
    def open_position(self, position: int) -> None:
        """Open the note on screen at the character ``position`` of the shown text."""
        self._open_place(self._preview.source_place(position))

    def open_at(self, path: str, line: int) -> None:
        """Open the note at ``path`` at ``line``; the selection does not matter."""
        self._open_place((path, line, 1))

    def _open_place(self, place: SourcePlace | None) -> None:
        if place is not None and self._open(place, self._preferences.settings.editor):
            self.opened.emit(None)

    @Slot()
    def reveal(self) -> None:
        """Show the file of the note on screen in the file manager."""
        location = self._locate(self._preview.source_place())
        if location is None:
            return
        try:
            editors.check_there(location.file)
        except EditorError as error:
            self._show_error(error)
            return
        if not editors.reveal(location.file, self):
            self._show_error(EditorError("file_manager_missing"))

    def _open_selected(self, with_editor: str) -> None:
        """Open the selected section at its first match, once the preview knows where that is."""
        section = self._window.results.view.section
        if section is not None:
            self._waiting = section, with_editor
            self._late.start()
            self._on_shown()

    @Slot()
    def _on_shown(self) -> None:
        if self._waiting and self._preview.shows(self._waiting[0]):
            self._open_waiting()

    @Slot()
    def _open_waiting(self) -> None:
        self._late.stop()
        waiting, self._waiting = self._waiting, None
        if waiting is None:
            return
        section, with_editor = waiting
        place = self._preview.source_place() if self._preview.shows(section) else None
        if self._open(place or (section.path, section.line, 1), with_editor):
            self.opened.emit(section)

    def _open(self, place: SourcePlace, with_editor: str) -> bool:
        location = self._locate(place)
        if location is None:
            return False
        try:
            editors.open_note(
                location, with_editor, follow_links=self._preferences.settings.follow_links
            )
        except NotesearchError as error:
            self._show_error(error)
            return False
        self._window.notice.hide()
        return True

    def stop(self) -> None:
        """Drop a section that waits to be opened. Called when the window closes."""
        self._late.stop()

    def turn_to(self, section: SectionResult) -> None:
        """Hide an error about another section than ``section``, and cancel opening another."""
        if self._waiting and SectionKey.of(section) != SectionKey.of(self._waiting[0]):
            self._waiting = None
        if SectionKey.of(section) != self._notice_of:
            self._window.notice.hide()

    def _show_error(self, error: NotesearchError) -> None:
        section = self._window.results.view.section
        self._notice_of = SectionKey.of(section) if section else None
        actions = (self._actions.choose_editor, self._actions.copy_path)
        offered = [action for action in actions if action.isVisible()]
        self._window.notice.show_message(error_text(error), offered)

    def _locate(self, place: SourcePlace | None) -> NoteLocation | None:
        in_vault = self._vault.place(place[0]) if place else None
        if place is None or in_vault is None:
            return None
        (path, line, column), (folder, inside) = place, in_vault
        return NoteLocation(folder / inside, folder, line, self._headings(path, line), column)

    def _headings(self, path: str, line: int) -> tuple[str, ...]:
        """Return the heading path of ``line``; empty if neither preview nor selection know it."""
        if self._preview.place and self._preview.place[0] == path:
            above = [link for link in self._preview.outline if link.line <= line]
            if above:
                return above[-1].path if above[-1].level else ()
        section = self._window.results.view.section
        if section is not None and (section.path, section.line) == (path, line):
            return section.section_path if section.level else ()
        return ()

    @Slot()
    def _copy_markdown(self) -> None:
        if self._preview.markdown:
            self._copy(self._preview.markdown, translate("window", "Copied as Markdown"))

    @property
    def _heading_place(self) -> SourcePlace | None:
        """The place at which the section in the preview begins; None without one."""
        place = self._preview.place
        return (*place, 1) if place else None

    @Slot()
    def _copy_link(self) -> None:
        location = self._locate(self._heading_place)
        if location is not None:
            self._copy(self._link_to(location), translate("window", "Link copied"))
            section = self._window.results.view.section
            if section is not None and self._preview.shows(section):
                self.link_copied.emit(section)

    def _link_to(self, location: NoteLocation) -> str:
        vault = obsidian_link.vault_of(location.file)
        if self._preferences.settings.copied_link == "obsidian" and vault is not None:
            return obsidian_link.heading_uri(location, vault)
        return obsidian_link.wikilink(location)

    def dragged_data(self, section: SectionResult) -> QMimeData | None:
        """Return what a drag of ``section`` carries: the note's file, and the link as text.

        None if no open vault has the note.
        """
        location = self._locate((section.path, section.line, 1))
        if location is None:
            return None
        data = QMimeData()
        data.setUrls([QUrl.fromLocalFile(str(location.file))])
        data.setText(self._link_to(location))
        return data

    @Slot(object)
    def drag(self, section: SectionResult) -> None:
        """Start to drag ``section`` out of the window. Its file may be copied, but not moved."""
        data = self.dragged_data(section)
        if data is not None:
            drag = QDrag(self._window.results.view)
            drag.setMimeData(data)
            drag.exec(Qt.DropAction.CopyAction)

    @Slot()
    def _copy_path(self) -> None:
        location = self._locate(self._heading_place)
        if location is not None:
            self._copy(str(location.file), translate("window", "Path copied"))

    def new_note(self, query: str) -> tuple[QAction, ...]:
        """Return the action that begins a note named after ``query`` in the editor.

        Empty if the editor cannot create notes, or the query gives no name.
        """
        self._new = self._locate((f"{note_name(query)}.md", 1, 1)) if note_name(query) else None
        if self._new is None or self._creation(self._new) is None:
            return ()
        name = wording.shortened(self._new.file.stem).replace("&", "&&")
        text = translate("window", "Write a new note “{name}”").format(name=name)
        self._actions.new_note.setText(text)
        return (self._actions.new_note,)

    def _creation(self, location: NoteLocation) -> editors.Launch | None:
        try:
            return editors.creation(self._preferences.settings.editor, location)
        except EditorError:
            return None

    @Slot()
    def _begin_note(self) -> None:
        """Start the editor, which creates the new note; this program writes no file."""
        launch = self._creation(self._new) if self._new is not None else None
        if self._new is None or launch is None:
            return
        try:
            editors.start(launch, self._new.folder)
        except NotesearchError as error:
            self._show_error(error)

    def _copy(self, text: str, done: str) -> None:
        QGuiApplication.clipboard().setText(text)
        self._window.flash(done)
