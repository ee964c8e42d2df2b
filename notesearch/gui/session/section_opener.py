"""Opens a section in the editor, shows it in the file manager, copies or drags it."""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QMimeData, QObject, Qt, QTimer, QUrl, Signal, Slot
from PySide6.QtGui import QAction, QDrag, QGuiApplication, QPixmap
from PySide6.QtWidgets import QWidget

from notesearch.errors import EditorError, NotesearchError
from notesearch.gui.results.results_model import SectionKey
from notesearch.gui.session.actions import PaneActions
from notesearch.gui.session.open_vault import OpenVault
from notesearch.gui.session.pane_window import PaneWindow
from notesearch.gui.session.preferences import Preferences
from notesearch.gui.session.preview_controller import NotePlace, PreviewController
from notesearch.gui.session.worker_threads import FileCall
from notesearch.gui.system import editors, obsidian_link
from notesearch.gui.system.obsidian_link import NoteLocation
from notesearch.gui.translation import error_text, path_text, shortened, translate
from notesearch.gui.widgets.controls import text_label
from notesearch.gui.widgets.theme import px
from notesearch.results import SectionResult

_LATE_MS = 400
"""Milliseconds for which Enter waits at most until the preview knows where the match is."""

SourcePlace = tuple[str, int, int]
"""The path of a note; line and column, from 1."""


@dataclass(frozen=True, slots=True)
class _Opening:
    """How an editor opens a place in ``folder``: a search result, another place or a new note.

    ``section`` is the search result, and ``query`` found it; None and empty for another place.
    """

    how: editors.Launch
    folder: Path
    section: SectionResult | None = None
    query: str = ""
    is_new: bool = False


@dataclass(frozen=True, slots=True)
class _Link:
    """The ``text`` of a link, the search result to which it leads, if any, and the query."""

    text: str
    section: SectionResult | None
    query: str


_NO_EDITOR_HELPS = {
    *("note_unreadable", "editor_note_outside", "vault_missing", "file_manager_missing")
}
"""Codes of errors that another editor would have, too."""
_WIDEST_TAG = 280
"""Pixels of text on the picture of a dragged section."""
_UNNAMEABLE = re.compile(r'[\\/:*?"<>|#^\[\]\x00-\x1f]+')
_LONGEST_NAME = 60
"""In characters: a file name may have 255 bytes, and an emoji has four."""


def note_name(query: str) -> str:
    """Return the name of a new note about ``query``, without filters and suffix; may be empty."""
    from notesearch.library import words_of

    name = " ".join(_UNNAMEABLE.sub(" ", words_of(query)).split())
    return name[:_LONGEST_NAME].strip(" .-")


class SectionOpener(QObject):
    """Opens, reveals and copies the selected section, or the one in the preview.

    Files are looked at in threads, because the folder may be on a slow disk.

    Signals:
        opened: The editor was started. Carries the selected ``SectionResult`` if it shows that
            section, else None; and the query.
        link_copied: The link to the selected section was copied; carries its ``SectionResult``
            and the query.
    """

    opened = Signal(object, str)
    link_copied = Signal(object, str)

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
        self._can_create = False  # whether the editor can create notes in the vault
        self._notice_of: SectionKey | None = None
        self._notice_code = ""
        self._waiting: tuple[SectionResult, str] | None = None  # section to open, and editor
        self._late = QTimer(self, singleShot=True, interval=_LATE_MS)
        self._late.timeout.connect(self._open_waiting)
        preview.shown.connect(self._on_shown)
        window.field.text_changed.connect(window.notice.hide)
        window.results.view.dragged.connect(self.drag)
        actions.open_section.triggered.connect(self.open_selected)
        actions.open_second.triggered.connect(self.open_second)
        actions.new_note.triggered.connect(self._begin_note)
        actions.reveal.triggered.connect(self.reveal)
        actions.copy_markdown.triggered.connect(self._copy_markdown)
        actions.copy_link.triggered.connect(self._copy_link)
        actions.copy_path.triggered.connect(self._copy_path)
        preferences.changed.connect(self._follow_settings)
        vault.updated.connect(self._on_updated)
        vault.failed.connect(self._on_failed)
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
            self.follow_vault()

    @Slot()
    def follow_vault(self) -> None:
        """Find out whether the editor can create notes in the vault."""
        self._can_create = False
        vault = self._vault.path
        if vault is not None:
            editor = self._preferences.settings.editor
            self._ask(partial(_can_create_notes, editor, vault), self._on_can_create_known)

    @Slot(object)
    def _on_can_create_known(self, answer: tuple[str, Path, bool]) -> None:
        editor, vault, can_create = answer
        if (editor, vault) == (self._preferences.settings.editor, self._vault.path):
            self._can_create = can_create  # else the answer is about a former editor or vault

    def _ask(self, call: Callable[[], object], slot: Callable[..., None]) -> None:
        """Make a call in a thread; pass its answer to ``slot``, a slot of this object.

        If the call fails, show its error.
        """
        thread = FileCall(call, self)
        thread.answered.connect(slot)
        thread.failed.connect(self._show_error)
        thread.start()

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
        """Open the note on screen at its current match, even if another note is selected."""
        self._open_place(self._preview.source_place())

    @Slot(int)
    def open_position(self, position: int) -> None:
        """Open the note on screen at the character ``position`` of the shown text."""
        self._open_place(self._preview.source_place(position))

    @Slot(object)
    def open_at(self, place: NotePlace) -> None:
        """Open the note at ``place``; the selection does not matter."""
        self._open_place((*place, 1))

    def _open_place(self, place: SourcePlace | None) -> None:
        if place is not None:
            self._open(place, self._preferences.settings.editor)

    @Slot()
    def reveal(self) -> None:
        """Show the file of the note on screen in the file manager."""
        location = self._locate(self._preview.source_place())
        if location is not None:
            self._ask(partial(_revealed, location), self._on_revealed)

    @Slot(object)
    def _on_revealed(self, answer: tuple[Path, bool]) -> None:
        file, is_selected = answer
        self._window.notice.hide()
        if not is_selected and not editors.open_folder_of(file):
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
        if self._waiting and self._preview.shows(self._waiting[0]) and self._preview.is_complete:
            self._open_waiting()

    @Slot()
    def _open_waiting(self) -> None:
        self._late.stop()
        waiting = self._waiting
        self._waiting = None
        if waiting is None:
            return
        section, with_editor = waiting
        place = self._preview.source_place() if self._preview.shows(section) else None
        self._open(place or (section.path, section.line, 1), with_editor, section)

    def _open(
        self, place: SourcePlace, with_editor: str, section: SectionResult | None = None
    ) -> None:
        location = self._locate(place)
        follow = self._preferences.settings.follow_links
        query = self._window.field.text
        if location is not None:

            def opening() -> _Opening:
                there = editors.checked(location, follow_links=follow)
                how = editors.how_to_open(with_editor, there)
                return _Opening(how, location.folder, section, query)

            self._ask(opening, self._start)

    @Slot(object)
    def _start(self, opening: _Opening) -> None:
        try:
            editors.start(opening.how, opening.folder)
        except NotesearchError as error:
            self._show_error(error)
            return
        self._window.notice.hide()
        if not opening.is_new:
            self.opened.emit(opening.section, opening.query)

    def stop(self) -> None:
        """Drop a section that waits to be opened. Called when the window closes."""
        self._late.stop()
        FileCall.end_all(self)

    def turn_to(self, section: SectionResult) -> None:
        """Hide an error about any section but ``section``, and cancel the opening of any other."""
        key = SectionKey.of(section)
        if self._waiting and key != SectionKey.of(self._waiting[0]):
            self._waiting = None
        if key != self._notice_of:
            self._window.notice.hide()

    @Slot()
    def _on_updated(self) -> None:
        """Hide an error about a missing note or folder, which the updated index may disprove."""
        if self._notice_code in {"editor_note_gone", "vault_missing"}:
            self._window.notice.hide()

    @Slot()
    def _on_failed(self) -> None:
        """Hide an error about a missing folder if another bar of the window says the same."""
        if self._vault.is_missing and self._window.shows_problem:
            self._on_updated()

    @Slot(object)
    def _show_error(self, error: NotesearchError) -> None:
        if error.code == "editor_note_gone" and self._vault.is_missing:
            folders = map(path_text, self._vault.folders.values())
            error = EditorError("vault_missing", vault=", ".join(folders))
        is_told = self._vault.is_missing and self._window.shows_problem
        if error.code == "vault_missing" and is_told:
            return
        self._notice_code = error.code
        section = self._window.results.view.section
        self._notice_of = SectionKey.of(section) if section else None
        first = [self._actions.choose_editor]
        if error.code == "editor_note_gone":
            first = [self._actions.update_index]
        elif error.code in _NO_EDITOR_HELPS:
            first = []
        more = [self._actions.copy_path] if self._window.shows_results else []
        self._window.notice.show_message(error_text(error), [*first, *more])

    def _locate(self, place: SourcePlace | None) -> NoteLocation | None:
        in_vault = self._vault.place(place[0]) if place else None
        if place is None or in_vault is None:
            return None
        path, line, column = place
        folder, inside = in_vault
        return NoteLocation(folder / inside, folder, line, self._headings(path, line), column)

    def _headings(self, path: str, line: int) -> tuple[str, ...]:
        """Return the heading path of ``line``; empty if preview and selection do not contain it."""
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
        if content := self._preview.content:
            self._copy(content.text.text, translate("Copied as Markdown"))

    @property
    def _heading_place(self) -> SourcePlace | None:
        place = self._preview.place
        return (*place, 1) if place else None

    @Slot()
    def _copy_link(self) -> None:
        location = self._locate(self._heading_place)
        section = self._window.results.view.section
        shown = section if section is not None and self._preview.shows(section) else None
        if location is None:
            return
        link = _Link(obsidian_link.wikilink(location), shown, self._window.field.text)
        if self._preferences.settings.copied_link == "obsidian":
            self._ask(partial(_into_obsidian, link, location), self._put_link)
        else:
            self._put_link(link)

    @Slot(object)
    def _put_link(self, link: _Link) -> None:
        """Put ``link`` on the clipboard."""
        self._copy(link.text, translate("Link copied"))
        if link.section is not None:
            self.link_copied.emit(link.section, link.query)

    @Slot(object)
    def drag(self, section: SectionResult) -> None:
        """Start to drag ``section`` out of the window, as a copy of its file or as a link.

        A drag cannot wait for a disk, so the link never opens Obsidian.
        """
        location = self._locate((section.path, section.line, 1))
        if location is not None:
            data = QMimeData()
            data.setUrls([QUrl.fromLocalFile(str(location.file))])
            data.setText(obsidian_link.wikilink(location))
            drag = QDrag(self._window.results.view)
            drag.setMimeData(data)
            drag.setPixmap(_name_tag(section, self._window.results.view))
            drag.exec(Qt.DropAction.CopyAction)

    @Slot()
    def _copy_path(self) -> None:
        location = self._locate(self._heading_place)
        if location is not None:
            self._copy(str(location.file), translate("Path copied"))

    def new_note(self, query: str) -> tuple[QAction, ...]:
        """Return the action that creates a note named after ``query``, if the editor can."""
        name = note_name(query)
        self._new = self._locate((f"{name}.md", 1, 1)) if name else None
        if self._new is None or not self._can_create:
            return ()
        name = shortened(self._new.file.stem).replace("&", "&&")
        text = translate("Write a new note “{name}”", name=name)
        self._actions.new_note.setText(text)
        return (self._actions.new_note,)

    @Slot()
    def _begin_note(self) -> None:
        """Start the editor, which creates the new note; this program writes no file."""
        location = self._new
        editor = self._preferences.settings.editor
        if location is not None:

            def opening() -> _Opening:
                return _Opening(
                    editors.how_to_create(editor, location), location.folder, is_new=True
                )

            self._ask(opening, self._start)

    def _copy(self, text: str, done: str) -> None:
        QGuiApplication.clipboard().setText(text)
        self._window.flash(done)


def _name_tag(section: SectionResult, view: QWidget) -> QPixmap:
    """Return the picture that the mouse carries while ``section`` is dragged out of ``view``."""
    tag = text_label(wrap=False)
    tag.setParent(view)
    tag.setObjectName("popover")
    tag.setMargin(px(6))
    right = Qt.TextElideMode.ElideRight
    tag.setText(tag.fontMetrics().elidedText(section.section, right, px(_WIDEST_TAG)))
    tag.adjustSize()
    picture = tag.grab()
    tag.deleteLater()
    return picture


def _can_create_notes(editor: str, vault: Path) -> tuple[str, Path, bool]:
    """Return the arguments, and whether the editor can create notes in the vault."""
    return editor, vault, editors.begins_notes(editor, vault)


def _revealed(location: NoteLocation) -> tuple[Path, bool]:
    """Select a note in the file manager; return its file, and whether that was possible."""
    file = editors.check_there(location.file, location.folder)
    return file, editors.select_in_file_manager(file)


def _into_obsidian(link: _Link, location: NoteLocation) -> _Link:
    """Return ``link``; if the note at ``location`` is in a vault of Obsidian, it opens Obsidian."""
    vault = obsidian_link.vault_of(location.file)
    return replace(link, text=obsidian_link.heading_uri(location, vault)) if vault else link
