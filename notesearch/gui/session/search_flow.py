"""From the text in the field to the list: asks, drops old answers, and keeps the hand's place."""

import time
from dataclasses import replace
from typing import Protocol

from PySide6.QtCore import QObject, QTimer, Signal, Slot
from PySide6.QtGui import QAction

from notesearch.gui import wording
from notesearch.gui.results.results_model import ResultsModel
from notesearch.gui.results.results_pane import ResultsPane
from notesearch.gui.results.results_rows import SectionKey, by_rules_alone
from notesearch.gui.session.search_offers import SearchOffers
from notesearch.gui.session.search_worker import SearchAnswer, SearchRequest
from notesearch.gui.widgets import messages
from notesearch.gui.widgets.keyboard import Move
from notesearch.gui.widgets.message_page import MessagePage
from notesearch.gui.widgets.search_field import SearchField
from notesearch.results import Mode, SearchResult
from notesearch.status import Progress, Status

_SLOW_MS = 30.0
_SLOWEST_MS = 150.0
_SETTLED_S = 0.7


class SearchWindow(Protocol):
    """What a window has in which one searches."""

    field: SearchField
    results: ResultsPane
    page: MessagePage

    @property
    def shows_results(self) -> bool:
        """The results are on show, not a page."""

    def show_results(self) -> None:
        """Show the results and the preview."""

    def show_page(self) -> None:
        """Show the page."""


class SearchFlow(QObject):
    """The newest text wins; what is selected stays selected and stays where it is.

    Signals:
        asked: A ``SearchRequest`` for the searching thread.
        emptied: Nothing is asked: the field is empty.
        missed: Nothing was found, or another folder is opened: no section is listed any more.
        settled: The final answer to what the field asks is on show.
    """

    asked = Signal(object)
    emptied = Signal()
    missed = Signal()
    settled = Signal()

    def __init__(
        self, window: SearchWindow, model: ResultsModel, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._window, self._model = window, model
        self._request = SearchRequest(0, "", 0.0)
        self._shown = SearchOffers(window.field, window.results, window.page, self)
        self._listed, self._listed_at = 0, 0.0  # generation of the rows on show, and since when
        self._touched = self._enter_waits = self._answered = False
        self._elsewhere: tuple[QAction, ...] = ()
        self._wanted: SectionKey | None = None  # to be selected once it is listed
        self._moves: list[Move] = []  # pressed before there was a row of the answer
        self._took_ms = 0.0
        self._status: Status | None = None
        self._progress: Progress | None = None
        self._delay = QTimer(self, singleShot=True)
        self._delay.timeout.connect(self._ask)
        window.field.text_changed.connect(self.query)
        window.field.opened.connect(self.enter)
        window.field.moved.connect(self._move)
        window.results.view.touched.connect(self._touch)

    @property
    def text(self) -> str:
        """The query that is asked for."""
        return self._request.text

    @Slot(str)
    def query(self, text: str) -> None:
        """Ask for ``text``; every keystroke makes a new generation."""
        self._wait_for_enter(False)
        self._wanted, self._moves = None, []
        self._touched = self._answered = False
        now, last = time.monotonic(), self._request.asked
        self._request = replace(self._next(now), text=text, repeat=False)
        # Who types faster than is searched is waited for; after a pause there is no need to.
        pause_ms = min(self._took_ms, _SLOWEST_MS) - (now - last) * 1000
        self._delay.stop()
        if not text.strip():
            self._show_nothing_asked()
        elif self._took_ms > _SLOW_MS and pause_ms > 0:
            self._delay.start(round(pause_ms))
        else:
            self._ask()

    def continue_with(self, text: str, key: SectionKey | None) -> None:
        """Search for ``text``, as another window did, and select the section that it had."""
        self._window.field.set_text(text)
        if key is None or not text.strip():
            return
        self._wanted = key
        if self._listed == self._request.generation:
            self._select_wanted(final=self._answered)

    def offer_elsewhere(self, action: QAction) -> None:
        """Offer ``action`` where one folder or note was searched in vain."""
        self._elsewhere = (action,)

    @property
    def within(self) -> str:
        """The folder (``travel/``) or the note that is searched; empty for everything."""
        return self._request.within

    def set_within(self, within: str) -> None:
        """Search only in a folder (``travel/``) or in a note, or everywhere."""
        if within != self._request.within:
            self._request = replace(self._request, within=within)
            self.query(self.text)

    @Slot(bool)
    def set_newest_first(self, newest: bool) -> None:
        """List the notes that were changed last first, or the best."""
        if newest != self._request.newest:
            self._request = replace(self._request, newest=newest)
            self._window.results.set_newest_first(newest)
            self.query(self.text)

    @Slot()
    def repeat(self) -> None:
        """Ask again: the index changed."""
        if not self.text.strip() or self._delay.isActive():
            return
        request = self._next(time.monotonic())
        if self._listed == self._request.generation:
            self._listed = request.generation
        self._answered = False
        self._request = replace(request, repeat=True)
        self._ask()

    @Slot(object)
    def answer(self, answer: SearchAnswer) -> None:
        """Show what was found, if it still is what the field asks for."""
        if answer.request.generation != self._request.generation or self._answered:
            return
        self._answered = answer.final  # words may come later than meaning
        result = answer.result
        if result is not None and result.mode is Mode.WORDS:
            self._took_ms = result.took_ms
        if result is not None and result.sections:
            self._show_sections(result, final=answer.final)
        elif answer.final:
            self._moves.clear()
            self._show_no_sections(result, answer.problem)
        else:
            self._window.results.view.set_dimmed(True)
        self._window.results.set_finding_related(not answer.final)
        if answer.final:
            self.settled.emit()

    @Slot(object)
    def complete(self, answer: SearchAnswer) -> None:
        """Show later or sharper snippets in the rows that are listed; none of them moves."""
        late, shown = answer.result, self._shown.result
        if answer.request.generation == self._listed and late and shown and late.mode is shown.mode:
            self._model.complete(late.sections)

    @Slot()
    def enter(self) -> None:
        """Open the selected section, as soon as the list answers the text in the field."""
        if self._listed == self._request.generation:
            self._window.results.view.activate()
        elif self.text.strip():
            self._wait_for_enter(True)

    @Slot()
    def escape(self) -> None:
        """Give up a waiting Enter, else empty the field."""
        if not self.give_up_enter():
            self._window.field.clear()

    def give_up_enter(self) -> bool:
        """Open nothing any more; tell whether something was going to be opened."""
        waited = self._enter_waits
        self._wait_for_enter(False)
        return waited

    def set_status(self, status: Status | None) -> None:
        """Remember the state of the index: the page without results tells what was searched."""
        self._status = status

    def set_progress(self, progress: Progress | None) -> None:
        """Remember how far the indexer is: the line above the results tells."""
        self._progress = progress
        if self._shown.result is not None:
            self._window.results.set_found(wording.found_text(self._shown.result, progress))

    def forget(self) -> None:
        """Drop results and status: another folder is opened."""
        self._model.set_notes(())
        self._window.results.show_nothing_asked()  # until it is answered from there
        self._shown.result = self._status = self._progress = None
        self._listed = 0
        self.missed.emit()

    def _next(self, asked: float) -> SearchRequest:
        return replace(self._request, generation=self._request.generation + 1, asked=asked)

    @Slot()
    def _ask(self) -> None:
        self._request = replace(self._request, view=self._window.results.view.room)
        self.asked.emit(self._request)

    @Slot(Move)
    def _move(self, move: Move) -> None:
        waits = self._listed != self._request.generation and not self._answered
        if waits and move is not Move.UNFOLD:
            self._moves.append(move)
        if self._window.shows_results:
            self._window.results.view.move_selection(move)
        elif move is Move.DOWN and not waits:
            self._window.page.focus_action()

    @Slot()
    def _touch(self) -> None:
        self._touched, self._wanted = True, None

    def _select_wanted(self, *, final: bool) -> None:
        """Select the section that another window had, also where its note hides it."""
        if self._wanted is None:
            return
        index = self._model.reveal(self._wanted)
        if index.isValid():
            self._window.results.view.select(index)
        if final:
            self._wanted = None

    def _wait_for_enter(self, waits: bool) -> None:
        self._enter_waits = waits
        self._window.field.set_waiting(waits)

    def _show_sections(self, result: SearchResult, *, final: bool) -> None:
        view, same = self._window.results.view, self._listed == self._request.generation
        anchor = view.anchor() if same else None
        settled = time.monotonic() - self._listed_at > _SETTLED_S
        keep = same and not self._request.repeat and (self._touched or settled)
        notes = self._model.arrange(result, keep=keep, same=same)
        cap = len(result.sections) if final and result.total > len(result.sections) else 0
        self._shown.result = result
        self._model.set_notes(notes, cap=cap, fold=not same)
        self._window.results.set_newest_first(self._request.newest or by_rules_alone(result))
        _describe(self._window.results, result, self._progress)
        view.set_dimmed(False)
        self._window.show_results()
        if anchor is None:
            view.scrollToTop()
        view.restore(anchor)
        self._select_wanted(final=final)
        while self._moves:
            view.move_selection(self._moves.pop(0))
        if not same:
            self._listed, self._listed_at = self._request.generation, time.monotonic()
        if self._enter_waits:
            self._wait_for_enter(False)
            view.activate()

    def _show_no_sections(self, result: SearchResult | None, problem: str) -> None:
        self._wait_for_enter(False)
        if result is None:
            # The index is being made; the rows on show are no answer to what was typed since.
            if self._listed != self._request.generation:
                self._window.results.view.set_dimmed(True)
                self._window.results.set_found(problem)
            return
        self._shown.result, self._listed = result, self._request.generation
        self._model.set_notes(())
        page = messages.no_results(result, self._status, self.within)
        self._window.page.show_page(page, self._elsewhere if self.within else ())
        self._window.show_page()
        self.missed.emit()

    def _show_nothing_asked(self) -> None:
        self._shown.result, self._listed = None, self._request.generation
        self._model.set_notes(())
        self._window.results.show_nothing_asked()
        self.emptied.emit()


def _describe(results: ResultsPane, result: SearchResult, progress: Progress | None) -> None:
    """Say above the list how much was found, and how the words were read."""
    results.set_found(wording.found_text(result, progress))
    results.set_respelt(*wording.read_text(result))
