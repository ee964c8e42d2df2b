"""The popovers of the main window: folders, related sections, backlinks, why a section is found.

``session.pane_popovers`` has those of both windows.
"""

from functools import partial

from PySide6.QtCore import QObject, Slot

from notesearch.gui.session.actions import MainActions
from notesearch.gui.session.open_vault import OpenVault
from notesearch.gui.session.pane_popovers import section_hints
from notesearch.gui.session.reading_thread import (
    Question,
    SectionPlace,
    explain_absence,
    find_backlinks,
    find_related,
)
from notesearch.gui.session.search_controller import SearchScope
from notesearch.gui.session.search_pane import SearchPane
from notesearch.gui.translation import translate
from notesearch.gui.widgets.choices import Choice
from notesearch.gui.widgets.labels import everywhere
from notesearch.gui.window.main_window import MainWindow


class FolderScope(QObject):
    """Offers the top-level folders of the vault, and limits the search to the chosen one."""

    def __init__(
        self,
        window: MainWindow,
        actions: MainActions,
        scope: SearchScope,
        vault: OpenVault,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._window = window
        self._scope = scope
        self._vault = vault
        self._offered: tuple[str, ...] = ()
        window.folder.button.clicked.connect(self.offer_folders)
        window.folder.cross.clicked.connect(self.search_everywhere)
        window.folders.chosen.connect(self._choose)
        actions.choose_scope.triggered.connect(self.offer_folders)
        actions.search_everywhere.triggered.connect(self.search_everywhere)
        vault.opening.connect(self._show_folder)
        self._show_folder()

    @Slot()
    def offer_folders(self) -> None:
        """Open the list of the top-level folders, or close it."""
        window, status = self._window, self._vault.status
        popover, folder = window.folders, self._scope.folder
        if popover.is_open or self._vault.path is None:
            popover.close_up()
            return
        self._offered = ("", *(status.folders if status else ()))
        choices = [
            Choice(name or everywhere(), strong=name == folder, ends_group=not name)
            for name in self._offered
        ]
        current = self._offered.index(folder) if folder in self._offered else 0
        popover.offer(
            choices,
            prompt=translate("window", "Filter folders"),
            current=current,
            anchor=window.folder,
        )

    @Slot()
    def search_everywhere(self) -> None:
        """Search the whole notes folder."""
        self._search_in("")

    @Slot(int)
    def _choose(self, index: int) -> None:
        self._search_in(self._offered[index])

    def _search_in(self, folder: str) -> None:
        self._scope.set_folder(folder)
        self._show_folder()
        self._window.field.setFocus()

    @Slot()
    def _show_folder(self) -> None:
        """Show the folder on the button; hide the button unless exactly one vault is open."""
        self._window.folder.set_folder(self._scope.folder)
        self._window.folder.setVisible(self._vault.path is not None)


class SectionPopovers(QObject):
    """Opens the popovers about sections, and shows or opens the section chosen in one of them."""

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
        self._offered: tuple[SectionPlace, ...] = ()
        actions.related.triggered.connect(self.find_related)
        actions.backlinks.triggered.connect(self.find_backlinks)
        actions.why.triggered.connect(self.explain)
        actions.why_not.triggered.connect(window.why_not.ask)
        window.why_not.asked.connect(self._ask_why_not)
        window.related.chosen.connect(self._show_section)
        window.related.opened.connect(self._open_section)

    @Slot()
    def find_related(self) -> None:
        """Find sections of other notes similar to the previewed section, and offer them."""
        preview, workers = self._pane.preview, self._vault.main_workers()
        if preview.place is not None and workers and self._window.shows_results:
            path, headings = preview.place[0], preview.section_path
            find = partial(find_related, path=path, section_path=headings)
            workers.read(Question("related", find, self._show_related))

    @Slot()
    def find_backlinks(self) -> None:
        """Find the sections that link to the previewed note, and offer them."""
        preview, workers = self._pane.preview, self._vault.main_workers()
        if preview.place is not None and workers and self._window.shows_results:
            stopped = workers.reading.slot.outdated
            find = partial(find_backlinks, path=preview.place[0], stopped=stopped)
            workers.read(Question("backlinks", find, self._show_backlinks, nothing=()))

    @Slot()
    def explain(self) -> None:
        """Show why the selected section is a result."""
        section = self._window.results.view.section
        if section is not None and self._window.shows_results:
            shown = self._pane.search.shown
            by_meaning = shown is not None and shown.meaning
            self._window.why.explain(section, compared=by_meaning and not self._is_preparing)

    @property
    def _is_preparing(self) -> bool:
        """Whether some passages have no vectors yet, so that meaning may not find them."""
        status = self._vault.status
        return status is not None and status.pending > 0 and not status.meaning_problem

    @Slot(str)
    def _ask_why_not(self, note: str) -> None:
        workers, search = self._vault.main_workers(), self._pane.search
        if workers and note.strip():
            name = note.strip()
            find = partial(explain_absence, query=search.text, note=name, within=search.within)
            answer = partial(self._window.why_not.answer, name)
            workers.read(Question("reasons", find, answer))

    def _show_related(self, sections: tuple[SectionPlace, ...] | str) -> None:
        found = () if isinstance(sections, str) else sections
        problem = sections if isinstance(sections, str) else ""
        nothing = problem or translate("window", "No other note has a related section.")
        if self._is_preparing:
            nothing = translate("window", "Search by meaning is not ready yet.")
        self._offer(found, translate("window", "Filter related sections"), nothing)

    def _show_backlinks(self, sections: tuple[SectionPlace, ...]) -> None:
        nothing = translate("window", "No other note links to this one.")
        self._offer(sections, translate("window", "Filter backlinks"), nothing)

    def _offer(self, sections: tuple[SectionPlace, ...], prompt: str, nothing: str) -> None:
        self._offered = sections
        choices = [_choice(" › ".join(place.shown_path), place.title) for place in sections]
        self._window.related.offer(
            choices,
            prompt=prompt if choices else nothing,
            hints=section_hints() if choices else (),
            anchor=self._window.outline_anchor,
        )

    @Slot(int)
    def _show_section(self, index: int) -> None:
        self._pane.preview.go_to(self._offered[index].path, self._offered[index].line)

    @Slot(int)
    def _open_section(self, index: int) -> None:
        self._pane.opener.open_at(self._offered[index].path, self._offered[index].line)


def _choice(section: str, note: str) -> Choice:
    """Return the row for a section; it shows the note unless both have the same name."""
    return Choice(section, detail=note if note != section else "")
