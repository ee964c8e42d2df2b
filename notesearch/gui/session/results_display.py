"""Shows the answers to a query, in the list or as a page, and keeps the selection in place."""

import time
from collections.abc import Callable

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QAction

from notesearch.gui.results.results_model import SectionKey, is_sorted_by_date, still_found
from notesearch.gui.results.results_pane import found_text, shorter_found_texts
from notesearch.gui.session.pane_window import PaneWindow
from notesearch.gui.session.search_worker import SearchAnswer, SearchRequest
from notesearch.gui.widgets import answer_texts
from notesearch.gui.widgets.answer_texts import (
    no_results_message,
    not_yet_message,
    searching_message,
)
from notesearch.gui.widgets.keys import Move
from notesearch.gui.widgets.message_page import Message
from notesearch.results import NoteResult, SearchResult
from notesearch.status import Phase, Progress, Status

_HURRIED_S = 0.15
"""If the first row changed at most this many seconds before Enter, Enter opens the former row."""

Offers = Callable[[str], tuple[QAction, ...]]
"""Receives a query without results; returns more actions for the page that reports it."""


class ResultsDisplay(QObject):
    """Shows the results of the newest query in one window.

    Until the user has moved in the list, the first section is selected and in view. After that, no
    answer to the same query moves the selected row.

    Attributes:
        shown: The last shown result; None without a query.
        status: The state of the index; None if unknown.
        everywhere: Actions to offer if nothing matches in the one folder or note that is searched.

    Signals:
        list_emptied: No section is listed: nothing matches, or another vault is opened.
    """

    list_emptied = Signal()

    def __init__(self, window: PaneWindow, offers: Offers, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._window = window
        self._offers = offers
        self._model = window.results.model
        self.shown: SearchResult | None = None
        self.everywhere: tuple[QAction, ...] = ()
        self._listed = 0  # generation of the request that the listed rows answer
        # The former first row, and until when Enter opens it.
        self._replaced: tuple[SectionKey, float] | None = None
        self._touched = False
        self._wanted: SectionKey | None = None  # selected as soon as it is listed
        self._lost: SectionKey | None = None  # selected by the user, not in a later answer
        self._moves: list[Move] = []  # keys pressed before a row was listed
        self.status: Status | None = None
        self._progress: Progress | None = None
        self._is_stuck = False
        self._within = ""  # the folder or note in which nothing was found
        window.results.view.touched.connect(self._on_touched)

    def lists(self, request: SearchRequest) -> bool:
        """Return whether the rows or the page answer ``request``."""
        return self._listed == request.generation

    def begin(self) -> None:
        """Forget what the user did in the list, because the query changes."""
        self._wanted = self._lost = None
        self._moves = []
        self._touched = False

    def keep(self, request: SearchRequest) -> None:
        """Count the listed rows as an answer to ``request``, which repeats their query."""
        self._listed = request.generation

    def move_later(self, move: Move) -> None:
        """Move the selection as soon as rows are listed."""
        self._moves.append(move)

    def want(self, key: SectionKey) -> None:
        """Select the section ``key``, selected in the other window, as soon as it is listed."""
        self._wanted = key

    def select_wanted(self, *, final: bool) -> None:
        """Select the section that ``want`` named, if it is listed; unfold its note if necessary.

        ``final`` means that no more rows follow: the section then counts as selected by the user,
        or is forgotten if it is not listed.
        """
        if self._wanted is None:
            return
        index = self._model.reveal(self._wanted)
        if index.isValid():
            self._window.results.view.select(index)
            self._touched = final  # as if the user had moved to it here
        if final:
            self._wanted = None

    def follow_note(self, former: str, path: str) -> None:
        """Keep a section selected that the user selected in ``former``, now at ``path``.

        A search may have found the note at ``path`` before; then another section is selected now.
        """
        section = self._window.results.view.section
        key = self._lost or (SectionKey.of(section) if section else None)
        if key is not None and key.path == former and self._touched:
            self._wanted = key._replace(path=path)
            self._lost = None

    def open_selected(self) -> None:
        """Open the selected section.

        If new results changed the selection a moment ago, open the section selected before that.
        """
        view = self._window.results.view
        if self._replaced and not self._touched and time.monotonic() < self._replaced[1]:
            view.select_section(self._model.find(self._replaced[0]))
        view.activate()

    def set_state(
        self, status: Status | None, progress: Progress | None, *, stuck: bool = False
    ) -> None:
        """Show the state of the index above the list, or on the page without results.

        ``status`` is None if it is unknown, and ``progress`` is None while no notes are read.
        ``stuck`` says that the notes cannot be read for now.
        """
        before = self._reading, self._is_first_reading
        self.status = status
        self._progress = progress
        self._is_stuck = stuck
        changed = before != (self._reading, self._is_first_reading)
        if changed and self.shown is not None:
            self._show_found(self.shown)
            if not self.shown.sections:
                self._show_nothing(self.shown)

    @property
    def _reading(self) -> Progress | None:
        """The progress of reading notes; None if the index has all notes or can't get them now."""
        waits = self.status is not None and not self.status.last_scan and not self._is_stuck
        return self._progress or (Progress(Phase.SCAN) if waits else None)

    @property
    def _is_first_reading(self) -> bool:
        """Whether the index does not have all notes yet, as far as is known."""
        return self.status is None or not self.status.last_scan

    @property
    def _may_find_more(self) -> bool:
        """Whether notes are being read for the first time, so that nothing found means little."""
        return self._is_first_reading and not self._is_stuck

    def forget(self, text: str) -> None:
        """Empty the list, because another vault is opened, which has not answered ``text`` yet."""
        self._model.set_notes(())
        self._window.results.show_no_query()
        self.shown = self.status = self._progress = None
        self._listed = 0
        self._show_page(searching_message(text))
        self.list_emptied.emit()

    def show_no_query(self, request: SearchRequest) -> None:
        """Empty the list, because ``request`` has no text."""
        self.shown = None
        self._listed = request.generation
        self._model.set_notes(())
        self._window.results.show_no_query()

    def show_sections(self, request: SearchRequest, result: SearchResult, *, final: bool) -> None:
        """List the sections of ``result``; ``final`` if no other answer to ``request`` follows."""
        view = self._window.results.view
        same = self.lists(request)
        before = view.section
        stays = same and self._touched
        anchor = view.anchor() if stays else None
        held = self._held(request, result) if stays else ()
        notes = self._model.arrange(result, held, same=same)
        cap = len(result.sections) if final and result.total > len(result.sections) else 0
        self.shown = result
        self._model.set_notes(notes, cap=cap, fold=not same, whole=request.within)
        newest = request.newest or is_sorted_by_date(result)
        self._window.results.summary.set_newest_first(newest)
        self._show_found(result)
        if request.likes:
            likes = [(like.more, like.heading) for like in request.likes]
            correction = answer_texts.likeness_text(likes, newest=newest)
        else:
            correction = answer_texts.interpretation_text(result)
        self._window.results.set_correction(*correction)
        view.set_dimmed(False)
        self._window.show_results()
        if anchor is None:
            view.scrollToTop()
        view.restore(anchor)
        if anchor is not None and not self._model.find(anchor[0]).isValid():
            self._lost = self._lost or anchor[0]
        self.select_wanted(final=final)
        while self._moves:
            view.move_selection(self._moves.pop(0))
        self._replaced = None
        if same and before and view.section:
            former = SectionKey.of(before)
            if former != SectionKey.of(view.section):
                self._replaced = former, time.monotonic() + _HURRIED_S
        self._listed = request.generation

    def _held(self, request: SearchRequest, result: SearchResult) -> tuple[NoteResult, ...]:
        """Return the listed notes that keep their order above the others of ``result``.

        If the index changed, those are the notes down to the selected section, without what is not
        found any more; otherwise all notes.
        """
        if not request.repeat:
            return self._model.notes
        above = self._model.notes_down_to(self._window.results.view.currentIndex())
        return tuple(still_found(above, result))

    @Slot(object)
    def update_snippets(self, answer: SearchAnswer) -> None:
        """Show snippets that came late or are better in the listed rows. No row moves."""
        late = answer.result
        if self.lists(answer.request) and late and self.shown and late.mode is self.shown.mode:
            self._model.update_snippets(late.sections)

    def show_nothing_found(self, request: SearchRequest, result: SearchResult) -> None:
        """Show the page that says why ``result`` has no sections."""
        self._moves = []
        self._within = request.within
        self.shown = result
        self._listed = request.generation
        self._model.set_notes(())
        self._show_nothing(result)
        self.list_emptied.emit()

    def show_problem(self, request: SearchRequest, problem: str) -> None:
        """Show that the index could not answer ``request`` because of ``problem``, a sentence."""
        self._moves = []
        # The index is still being built. The listed rows do not answer the new text.
        if self._may_find_more and not self._model.rowCount():
            self._show_not_yet(request.text)
        elif not self.lists(request):
            self._window.results.view.set_dimmed(True)
            self._window.results.summary.set_count(problem)

    def show_unanswered(self, text: str) -> None:
        """Dim the rows of the former query, or replace the page that does not answer ``text``."""
        if self._window.shows_results:
            self._window.results.view.set_dimmed(True)
        else:
            self._show_page(searching_message(text))

    def _show_found(self, result: SearchResult) -> None:
        summary = found_text(result, self._reading)
        self._window.results.summary.set_count(summary, *shorter_found_texts(result))

    def _show_not_yet(self, text: str) -> None:
        if self.status is None and self._progress is None:  # no note was looked at so far
            self._show_page(searching_message(text))
        else:
            self._show_page(not_yet_message(text, self._progress or Progress(Phase.SCAN)))

    def _show_nothing(self, result: SearchResult) -> None:
        if self._may_find_more:
            self._show_not_yet(result.query)
            return
        page = no_results_message(result, self.status, self._within)
        everywhere = self.everywhere if self._within else ()
        self._show_page(page, (*everywhere, *self._offers(result.query)))

    def _show_page(self, page: Message, actions: tuple[QAction, ...] = ()) -> None:
        self._window.page.show_page(page, actions)
        self._window.show_page()

    @Slot()
    def _on_touched(self) -> None:
        self._touched = True
        self._wanted = self._lost = None
