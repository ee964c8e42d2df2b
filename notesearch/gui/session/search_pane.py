"""The search pane, which both windows have: it searches, previews, opens, and limits the search.

It also tells screen readers what the list shows.
"""

import re
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint, Qt, QTimer, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

from notesearch.gui.session.actions import PaneActions, keys_text, show_actions
from notesearch.gui.session.open_vault import OpenVault
from notesearch.gui.session.pane_popovers import PanePopovers
from notesearch.gui.session.pane_window import PaneWindow
from notesearch.gui.session.preferences import Preferences
from notesearch.gui.session.preview_controller import PreviewController
from notesearch.gui.session.query_history import HistoryController, QueryHistory
from notesearch.gui.session.search_controller import CurrentWorkers, SearchController
from notesearch.gui.session.section_opener import SectionOpener
from notesearch.gui.session.section_printer import SectionPrinter
from notesearch.gui.session.section_reader import Question, part_of
from notesearch.gui.session.start_list import StartList, StartPage
from notesearch.gui.translation import location_text, shortened, translate
from notesearch.gui.widgets.controls import all_folders, announce
from notesearch.gui.widgets.search_field import SearchField
from notesearch.results import SectionResult
from notesearch.status import Report

if TYPE_CHECKING:
    from notesearch.gui.session.search_worker import SearchedLibrary


_SCROLLED_LINES = 3
_ANNOUNCED_MS = 500
_MOST_SEARCHED = 200
"""The search for selected text uses this many of its characters at most."""


class SearchPane(QObject):
    """Connects the search field, the list and the preview of one window with the open vault.

    Without a query, it shows the sections opened last, or the page ``start``.
    """

    def __init__(
        self,
        window: PaneWindow,
        actions: PaneActions,
        vault: OpenVault,
        workers: CurrentWorkers,
        preferences: Preferences,
        start: StartPage,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._window = window
        self._actions = actions
        self._vault = vault
        self._workers = workers
        self._preferences = preferences
        self.preview = PreviewController(window.preview, self)
        self.opener = SectionOpener(window, actions, self.preview, vault, preferences, self)
        # A method of this object would form a cycle.
        offers = partial(_offers, vault, start, self.opener)
        self.search = SearchController(window, workers, offers, self)
        self.start_list = StartList(window, self.search, vault, workers, start, self)
        self.scope = SearchScope(window.field, self.search, self.preview, self)
        self.printer = SectionPrinter(window, actions, self.preview, preferences, self)
        self.history = HistoryController(
            window.field, QueryHistory(preferences.paths.data), window.star, self
        )
        self.announcer = Announcer(window, self)
        self.popovers = PanePopovers(
            window, actions, self.search, self.preview, self.opener, workers, self
        )
        self._connect_parts()
        self._connect_actions()
        self._connect_preview_actions()
        vault.opening.connect(self.follow_vault)
        vault.updated.connect(self._follow_notes)
        preferences.changed.connect(self._name_folder)

    def close(self) -> None:
        """Stop all timers, and store what was opened. Called when the window closes."""
        self.preview.attach(None)
        self.opener.stop()
        self.start_list.close()
        self.announcer.pause.stop()

    @Slot(bool)
    def follow_vault(self, same: bool) -> None:
        """Search in the vault that is open now.

        If it is the ``same`` vault, opened again, the last search is repeated, and the chosen
        folder stays.
        """
        if not same:
            self.search.forget()
        workers = self._workers()
        self.preview.attach(workers)
        for worker in (workers.words, workers.meaning) if workers else ():
            worker.answered.connect(self.search.answer)
            worker.snippets_ready.connect(self.search.update_snippets)
        self.opener.follow_vault()
        if not same:
            self.scope.set_folder("")
        self.start_list.follow_vault(same=same)
        field = self._window.field
        self._name_folder()
        if not self._vault.is_open:
            field.clear()
        if same:
            self.search.repeat()
        else:
            self.search.search(field.text)

    @Slot()
    def _name_folder(self) -> None:
        """Show the name of the vault in the empty field if the user has several vaults."""
        vault = self._vault
        names = self._preferences.settings.names
        folder = names.get(str(vault.path), "") if len(names) > 1 else ""
        if len(vault.folders) > 1:
            folder = all_folders()
        self._window.field.set_enabled(vault.is_open, folder)

    @Slot()
    def refresh(self) -> None:
        """Search and read again because the index changed."""
        self.preview.reload()
        self.search.repeat()
        if self.search.is_empty:
            self.start_list.refresh()

    @Slot()
    def show_state(self) -> None:
        """Show the vault's new state: in the line above the list, or on the start page."""
        vault = self._vault
        self._actions.tips.setEnabled(vault.is_open)
        self._actions.update_index.setEnabled(vault.is_open and not vault.paused)
        self.search.set_state(vault.status, vault.counting, stuck=vault.is_stuck)
        has_found = self.search.shown is not None and bool(self.search.shown.sections)
        is_stopped = vault.obstacle is not None and not has_found
        self.start_list.show_state(is_idle=self.search.is_empty or is_stopped)

    @Slot(object)
    def _follow_notes(self, report: Report) -> None:
        """Strike out notes that are gone, and keep a section selected whose note has moved."""
        for path in (*report.removed, *report.moved_from):
            self._window.results.model.set_missing(path, True)
        for path in (*report.added, *report.moved):
            self._window.results.model.set_missing(path, False)
        for former, path in zip(report.moved_from, report.moved, strict=True):
            self.search.follow_note(former, path)

    def _connect_parts(self) -> None:
        window = self._window
        view = self._window.results.view
        view.selected.connect(self._on_selected)
        view.opened.connect(self.opener.open_selected)
        view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        view.customContextMenuRequested.connect(self._offer_row_actions)
        window.digits.chosen.connect(self.opener.open_selected)
        window.preview.head.open_button.clicked.connect(self.opener.open_previewed)
        window.preview.browser.place_chosen.connect(self.opener.open_position)
        window.preview.browser.menu_opening.connect(self._extend_menu)
        window.preview.browser.copied.connect(self._say_copied)
        window.star.saved.connect(self._say_saved)
        window.preview.update_button.clicked.connect(self._update_index)
        self._actions.update_index.enabledChanged.connect(window.preview.update_button.setEnabled)
        window.page_shown.connect(self.preview.clear)
        self.search.left_field.connect(self._go_below_field)
        self.search.settled.connect(self.announcer.pause.start)
        self.preview.note_missing.connect(window.results.model.set_missing)
        self.opener.opened.connect(self._remember)
        self.opener.link_copied.connect(self._learn)

    def _connect_actions(self) -> None:
        actions = self._actions
        for action, slot in (
            (actions.update_index, self._update_index),
            (actions.focus_field, self._window.field.focus_all),
            (actions.all_actions, self._show_command_palette),
            (actions.next_pane, partial(self._window.cycle_panes, 1)),
            (actions.previous_pane, partial(self._window.cycle_panes, -1)),
            (actions.show_preview, self._window.toggle_preview),
            (actions.search_in_note, self.scope.toggle_note),
            (actions.star, self._star),
            (actions.name_star, self.history.edit_star),
            (actions.queries, self._list_queries),
            (actions.more_like, partial(self._steer, more=True)),
            (actions.less_like, partial(self._steer, more=False)),
        ):
            action.triggered.connect(slot)

    def _connect_preview_actions(self) -> None:
        actions = self._actions
        preview = self._window.preview
        controller = self.preview
        preview.browser.went_back.connect(controller.back)
        preview.browser.went_forward.connect(controller.forward)
        for action, slot in (
            (actions.wider, controller.widen),
            (actions.narrower, controller.narrow),
            (actions.whole_note, controller.show_note),
            (actions.back, controller.back),
            (actions.forward, controller.forward),
            (actions.find, self._find),
            (actions.enlarge, self._enlarge),
            (actions.scroll_up, lambda: preview.scroll_lines(-_SCROLLED_LINES)),
            (actions.scroll_down, lambda: preview.scroll_lines(_SCROLLED_LINES)),
            (actions.scroll_page_up, lambda: preview.scroll_pages(-1)),
            (actions.scroll_page_down, lambda: preview.scroll_pages(1)),
            (actions.larger, lambda: preview.zoom_by(1)),
            (actions.smaller, lambda: preview.zoom_by(-1)),
            (actions.usual_size, lambda: preview.set_zoom(100)),
        ):
            action.triggered.connect(slot)

    @Slot(object)
    def _on_selected(self, result: SectionResult) -> None:
        self.opener.turn_to(result)
        self.preview.show(result, self.search.text)

    @Slot(object, str)
    def _remember(self, section: SectionResult | None, query: str) -> None:
        if section is not None:
            self.history.remember(query)
            self._learn(section, query)
            self.start_list.add(section)

    @Slot(object, str)
    def _learn(self, section: SectionResult, query: str) -> None:
        workers = self._workers()
        if workers and query.strip():
            headings = section.section_path
            learning = partial(learn, query=query, path=section.path, section_path=headings)
            workers.reading.ask(Question("learning", learning))

    @Slot()
    def _show_command_palette(self) -> None:
        window = self._window
        selected = window.shows_results and window.results.view.section is not None
        show_actions(window.choices, self._actions.palette_groups(selected=selected))

    @Slot()
    def _update_index(self) -> None:
        self._window.flash(translate("Looking for changes…"), done=False)
        self._vault.refresh()

    @Slot()
    def _star(self) -> None:
        if self.search.is_empty:
            return
        text = translate("Star removed")
        if self.history.toggle_star():
            text = translate("Query starred. Press {keys} to name it.")
            text = text.format(keys=keys_text(self._actions.name_star))
        self._window.flash(text)

    @Slot()
    def _list_queries(self) -> None:
        if not self.history.offer():
            self._window.flash(translate("No earlier queries yet"), done=False)

    def _steer(self, *, more: bool) -> None:
        section = self._window.results.view.section
        if section is not None and not self.search.is_empty:
            self.search.steer(section, more=more)

    @Slot()
    def _say_saved(self) -> None:
        self._window.flash(translate("Starred query saved"))

    @Slot()
    def _say_copied(self) -> None:
        self._window.flash(translate("Copied"))

    @Slot()
    def _find(self) -> None:
        if self._window.shows_preview:
            self._window.preview.open_find()
        else:  # its field would take what is typed, unseen
            self._window.flash(translate("The preview is hidden"), done=False)

    @Slot()
    def _enlarge(self) -> None:
        if not self._window.preview.enlarge_first():
            self._window.flash(translate("No picture in view"), done=False)

    @Slot(QPoint)
    def _offer_row_actions(self, point: QPoint) -> None:
        """Select the section at ``point`` of the list, and open a menu with its actions."""
        view = self._window.results.view
        corner = view.viewport().mapToGlobal(point)  # before the list scrolls to the section
        if not view.select_section(view.indexAt(point)):
            return
        menu = QMenu(view)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for group in self._actions.section_groups():
            menu.addActions(group)
            menu.addSeparator()
        menu.popup(corner)

    @Slot(object, int)
    def _extend_menu(self, menu: QMenu, position: int) -> None:
        """Add actions to the preview's context menu; ``position`` is the clicked character."""
        browser = self._window.preview.browser
        actions = self._actions
        selected = " ".join(browser.selected_text().split())
        if selected:
            name = translate("Search for “{text}”")
            name = name.format(text=shortened(selected).replace("&", "&&"))
            query = _as_words(selected[:_MOST_SEARCHED])
            menu.addAction(name, partial(self._window.field.set_text, query))
        menu.addSeparator()
        menu.addAction(translate("Open here"), partial(self.opener.open_position, position))
        menu.addActions([actions.copy_link, actions.copy_markdown])
        menu.addSeparator()

    @Slot()
    def _go_below_field(self) -> None:
        """List earlier queries below an empty field; else focus the first action of the page."""
        is_offered = self.search.is_empty and self.history.offer()
        if not is_offered:
            self._window.page.focus_action()


def _offers(
    vault: OpenVault, start: StartPage, opener: SectionOpener, query: str
) -> tuple[QAction, ...]:
    """Return the actions that help if ``query`` has no results."""
    return tuple(start.contents()[1]) if vault.obstacle is not None else opener.new_note(query)


def _as_words(text: str) -> str:
    """Return a query for ``text``: in quotes if parts of it would be filters or operators."""
    from notesearch.library import phrase_of, words_of

    has_words_alone = re.findall(r"\w+", words_of(text)) == re.findall(r"\w+", text)
    return text if has_words_alone else phrase_of(text)


def learn(library: "SearchedLibrary", query: str, path: str, section_path: tuple[str, ...]) -> None:
    """Make the section rank higher for the query from now on."""
    part, inside, _ = part_of(library, path)
    part.learn(query, inside, section_path)


class Announcer(QObject):
    """Tells screen readers about results after ``pause``, and about selections at once."""

    def __init__(self, window: PaneWindow, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._window = window
        self.pause = QTimer(self, singleShot=True, interval=_ANNOUNCED_MS)
        self.pause.timeout.connect(self._announce_results)
        window.results.view.moved.connect(self._announce_selected)

    @Slot()
    def _announce_results(self) -> None:
        page = self._window.page.page
        parts = [page.title, page.text]
        if self._window.shows_results:
            results = self._window.results
            section = results.view.section
            selected = location_text(section) if section else ""
            parts = [results.summary.count_text, results.correction, selected]
        self._announce(". ".join(part.removesuffix(".") for part in parts if part))

    @Slot(object)
    def _announce_selected(self, section: SectionResult) -> None:
        self.pause.stop()
        self._announce(location_text(section))

    def _announce(self, text: str) -> None:
        announce(self._window.results.view, text)


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
        shown_at = self._preview.place
        title = self._preview.title
        if self._note or shown_at is None:
            self.leave_note()
            return
        self._note = shown_at[0]
        self._field.set_chip(translate("in: {title}", title=title))
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
        folder = f"{self.folder}/" if self.folder else ""
        self._field.set_place(self.folder)
        self._search.set_within(self._note or folder)
