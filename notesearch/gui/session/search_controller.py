"""Searches in one window: from the text in the field to the list of results."""

import time
from collections.abc import Callable
from dataclasses import replace
from typing import Protocol

from PySide6.QtCore import QObject, QTimer, Signal, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from notesearch.gui import wording
from notesearch.gui.preview.preview_pane import PreviewPane
from notesearch.gui.results.results_model import SectionKey, is_sorted_by_date
from notesearch.gui.results.results_pane import ResultsPane
from notesearch.gui.results.results_view import RowDigits
from notesearch.gui.session.actions import CommandPalette
from notesearch.gui.session.search_worker import SearchAnswer, SearchRequest
from notesearch.gui.session.vault_session import WindowWorkers
from notesearch.gui.translation import translate
from notesearch.gui.widgets.choice_popover import ChoicePopover
from notesearch.gui.widgets.keys import Move
from notesearch.gui.widgets.message_page import MessagePage
from notesearch.gui.widgets.notices import Banner
from notesearch.gui.widgets.page_texts import no_results_message, not_yet_message
from notesearch.gui.widgets.search_field import SearchField
from notesearch.gui.widgets.star_popover import StarPopover
from notesearch.results import Mode, SearchResult, SectionResult
from notesearch.status import Phase, Progress, Status

_SLOW_MS = 30.0
"""If the last search took longer than this, the next one first waits for another keystroke."""

_LONGEST_WAIT_MS = 150.0

_UNANSWERED_MS = 500
"""After this time without an answer, the window shows that it has none for the new text."""

_HURRIED_S = 0.15
"""If the first row changed at most this many seconds before Enter, Enter opens the former row."""

CurrentWorkers = Callable[[], WindowWorkers | None]
"""Returns the threads that answer a window; None while no vault is open."""


Offers = Callable[[str], tuple[QAction, ...]]
"""Receives a query without results; returns more actions for the page that reports it."""


class PaneWindow(Protocol):
    """The parts of a window that a search pane needs. Both windows have them."""

    field: SearchField
    results: ResultsPane
    preview: PreviewPane
    page: MessagePage
    notice: Banner
    digits: RowDigits
    command_palette: CommandPalette
    star: StarPopover
    outline: ChoicePopover
    tips: ChoicePopover
    facets: ChoicePopover

    @property
    def shows_results(self) -> bool:
        """Whether the list of results is shown; otherwise a page with a message is."""

    @property
    def shows_problem(self) -> bool:
        """Whether a bar says what is wrong with the folder or its index."""

    @property
    def outline_anchor(self) -> QWidget:
        """The widget below which the note outline opens."""

    def show_results(self) -> None:
        """Show the list of results and the preview."""

    def show_page(self) -> None:
        """Show ``page`` in place of the results."""

    def flash(self, text: str, *, done: bool = True) -> None:
        """Show a short message for a moment, with a tick if it reports something ``done``."""


def after_paint(parent: QObject) -> QTimer:
    """Return a timer that ends in the same turn of the event loop, but after all is painted.

    A thread that works competes with the GUI thread for Python's lock, so a letter that is painted
    while a search runs appears some milliseconds later.
    """
    return QTimer(parent, singleShot=True, interval=0)


class SearchController(QObject):
    """Searches for the text in the field, drops old answers, and keeps the selection in place.

    Attributes:
        shown: The last shown result; None without a query.
        answered: Whether the final answer to the text in the field has come.
        everywhere: Offered if nothing matches and only one folder or note is searched.

    Signals:
        emptied: The field is empty.
        list_emptied: No section is listed: nothing matches, or another vault is opened.
        settled: The final answer to the text in the field is shown.
        left_field: The user pressed a key to leave the field downwards while no results are shown.
    """

    emptied = Signal()
    list_emptied = Signal()
    settled = Signal()
    left_field = Signal()

    def __init__(
        self,
        window: PaneWindow,
        workers: CurrentWorkers,
        offers: Offers,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._window = window
        self._workers = workers
        self._offers = offers
        self._model = window.results.model
        self._request = SearchRequest(0, "", 0.0)
        self.shown: SearchResult | None = None
        # The answer to a half-typed filter, not shown yet.
        self._withheld: SearchResult | None = None
        self._listed = 0  # generation of the listed rows
        # The former first row, and until when Enter opens it.
        self._replaced: tuple[SectionKey, float] | None = None
        self._touched = self._enter_waits = self.answered = False
        # By place, whether the user likes a section, and its heading.
        self._likes: dict[tuple[str, int], tuple[bool, str]] = {}
        self.everywhere: tuple[QAction, ...] = ()
        self._wanted: SectionKey | None = None  # selected as soon as it is listed
        self._moves: list[Move] = []  # keys pressed before a row was listed
        self._took_ms = 0.0
        self._status: Status | None = None
        self._progress: Progress | None = None
        self._is_stuck = False
        self._soon = after_paint(self)  # so that a search does not delay the typed letter
        self._soon.timeout.connect(self._ask)
        self._unanswered = QTimer(self, singleShot=True, interval=_UNANSWERED_MS)
        self._unanswered.timeout.connect(self._show_unanswered)
        window.field.text_changed.connect(self.search)
        window.field.opened.connect(self.enter)
        window.field.moved.connect(self._move)
        window.field.completions.closed.connect(self._show_withheld)
        window.results.view.touched.connect(self._on_touched)
        window.results.offer_button.clicked.connect(self._search_offered)
        window.page.offered.connect(self._search_instead)

    @property
    def text(self) -> str:
        """The query in the field."""
        return self._request.text

    @property
    def is_empty(self) -> bool:
        """Whether the query is empty."""
        return not self.text.strip()

    @property
    def within(self) -> str:
        """The path of the folder (``travel/``) or note that is searched; empty for all notes."""
        return self._request.within

    @Slot(str)
    def search(self, text: str) -> None:
        """Search for ``text``. Each keystroke starts a new generation of requests."""
        self._wait_for_enter(False)
        self._wanted = self._withheld = None
        self._moves = []
        self._touched = self.answered = False
        now = time.monotonic()
        since_last_ms = (now - self._request.typed_at) * 1000
        if text != self.text:
            self._likes = {}
            self._request = replace(self._request, liked=(), unliked=())
        self._request = replace(self._next(now), text=text, repeat=False)
        # Wait a little if the user types faster than the search answers.
        pause_ms = min(self._took_ms, _LONGEST_WAIT_MS) - since_last_ms
        self._soon.stop()
        self._unanswered.start()
        workers = self._workers()
        if self.is_empty:
            self._unanswered.stop()
            self._show_no_query()
        elif self._took_ms > _SLOW_MS and pause_ms > 0:
            self._soon.start(round(pause_ms))
        elif workers is None or workers.library is None:
            self._ask()  # answered once the library is open, before it is indexed
        else:
            self._soon.start(0)

    def continue_with(self, text: str, key: SectionKey | None) -> None:
        """Search for ``text`` and select the section ``key``; both come from the other window."""
        self._window.field.set_text(text)
        if key is None or not text.strip():
            return
        self._wanted = key
        if self._listed == self._request.generation:
            self._select_wanted(final=self.answered)

    def follow_note(self, former: str, path: str) -> None:
        """Keep a section selected that the user selected in ``former``, now at ``path``."""
        section = self._window.results.view.section
        if section is not None and section.path == former and self._touched:
            self._wanted = SectionKey.of(section)._replace(path=path)

    def set_within(self, within: str) -> None:
        """Search only in the folder (``travel/``) or note ``within``; in all notes if empty."""
        if within != self._request.within:
            self._request = replace(self._request, within=within)
            self.search(self.text)

    @Slot(bool)
    def set_newest_first(self, newest: bool) -> None:
        """List first the notes that changed last; if not ``newest``, those that match best."""
        if newest != self._request.newest:
            self._request = replace(self._request, newest=newest)
            self._window.results.summary.set_newest_first(newest)
            self.search(self.text)

    def steer(self, section: SectionResult, *, more: bool) -> None:
        """List sections similar to ``section`` first, or last; repeating the call undoes this."""
        status = self._status
        if status is not None and not status.meaning:
            text = translate("window", "This needs search by meaning.")
            if status.awaits_vectors:
                text = translate("window", "Search by meaning is not ready yet.")
            self._window.flash(text, done=False)
            return
        key = section.path, section.line
        former = self._likes.pop(key, None)
        if former is None or former[0] is not more:
            self._likes[key] = more, section.section
        self._follow_likes()

    def _follow_likes(self) -> None:
        liked = tuple(key for key, (more, _) in self._likes.items() if more)
        unliked = tuple(key for key, (more, _) in self._likes.items() if not more)
        self._request = replace(self._request, liked=liked, unliked=unliked)
        self.search(self.text)

    @Slot()
    def repeat(self) -> None:
        """Search for the same query again because the index changed."""
        if self.is_empty or self._soon.isActive():
            return
        request = self._next(time.monotonic())
        if self._listed == self._request.generation:
            self._listed = request.generation
        self.answered = False
        self._request = replace(request, repeat=True)
        self._ask()

    @Slot(object)
    def answer(self, answer: SearchAnswer) -> None:
        """Show ``answer``, unless it belongs to an older text or the final answer is shown."""
        if answer.request.generation != self._request.generation or self.answered:
            return
        self._unanswered.stop()
        self.answered = answer.final  # the answer by words may come last
        result = answer.result
        if result is not None and result.mode is Mode.WORDS:
            self._took_ms = result.took_ms
        if result is not None and self._is_half_typed(result):
            self._withheld = result
            self._window.results.view.set_dimmed(True)
        elif result is not None and result.sections:
            self._show_sections(result, final=answer.final)
        elif answer.final:
            self._moves.clear()
            self._show_no_sections(result, answer.problem)
        else:
            self._window.results.view.set_dimmed(True)
        self._window.results.summary.set_finding_related(not answer.final)
        if answer.final:
            self.settled.emit()

    @Slot(object)
    def update_snippets(self, answer: SearchAnswer) -> None:
        """Show snippets that came late or are better in the listed rows. No row moves."""
        late = answer.result
        shown = self.shown
        is_listed = answer.request.generation == self._listed
        if is_listed and late and shown and late.mode is shown.mode:
            self._model.update_snippets(late.sections)

    @Slot()
    def enter(self) -> None:
        """Open the selected section, as soon as the list shows the results for the field's text.

        If new results changed the selection a moment ago, open the section selected before that.
        """
        view = self._window.results.view
        if self._listed == self._request.generation:
            if self._replaced and not self._touched and time.monotonic() < self._replaced[1]:
                view.select_section(self._model.find(self._replaced[0]))
            view.activate()
        elif not self.is_empty:
            self._wait_for_enter(True)

    def cancel_enter(self) -> bool:
        """Stop waiting to open a section after Enter. Return whether a section was waiting."""
        waited = self._enter_waits
        self._wait_for_enter(False)
        return waited

    def set_state(
        self, status: Status | None, progress: Progress | None, *, stuck: bool = False
    ) -> None:
        """Store the state of the index, and the progress of reading notes; None if unknown or idle.

        ``stuck`` says that the notes cannot be read for now. The line above the list shows the
        progress at once; the page without results, the next time that it appears.
        """
        before = self._reading, self._is_first_reading
        self._status = status
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
        waits = self._status is not None and not self._status.last_scan and not self._is_stuck
        return self._progress or (Progress(Phase.SCAN) if waits else None)

    @property
    def _is_first_reading(self) -> bool:
        """Whether the index does not have all notes yet, as far as is known."""
        return self._status is None or not self._status.last_scan

    @property
    def _may_find_more(self) -> bool:
        """Whether notes are being read for the first time, so that nothing found means little."""
        return self._is_first_reading and not self._is_stuck

    def _show_found(self, result: SearchResult) -> None:
        summary = wording.found_text(result, self._reading)
        self._window.results.summary.set_count(summary, *wording.shorter_found_texts(result))

    def forget(self) -> None:
        """Empty the list, because another vault is opened, which has not answered yet."""
        self._model.set_notes(())
        self._window.results.show_no_query()
        self.shown = self._status = self._progress = None
        self._listed = 0
        self._show_not_yet()
        self.list_emptied.emit()

    def _next(self, typed_at: float) -> SearchRequest:
        return replace(self._request, generation=self._request.generation + 1, typed_at=typed_at)

    @Slot()
    def _ask(self) -> None:
        view = self._window.results.view.capacity
        if self._request.in_note:
            view = replace(view, per_note=view.sections)
        self._request = replace(self._request, view=view)
        workers = self._workers()
        if workers:
            workers.search(self._request)

    @Slot(Move)
    def _move(self, move: Move) -> None:
        waits = self._listed != self._request.generation and not self.answered
        if waits and move is not Move.UNFOLD:
            self._moves.append(move)
        if self._window.shows_results:
            self._window.results.view.move_selection(move)
        elif move is Move.DOWN and not waits and not self._window.field.is_completing:
            self.left_field.emit()

    @Slot()
    def _on_touched(self) -> None:
        self._touched = True
        self._wanted = None

    @Slot()
    def _search_offered(self) -> None:
        """Undo the order by likeness; if there is none, search for the offered query."""
        if self._likes:
            self._likes = {}
            self._follow_likes()
        elif self.shown is not None:
            self._search_instead(wording.offered_query(self.shown))

    @Slot(str)
    def _search_instead(self, text: str) -> None:
        self._window.field.set_text(text)
        self._window.field.focus_all()

    def _select_wanted(self, *, final: bool) -> None:
        """Select the section that was selected in the other window; unfold its note if necessary.

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

    def _wait_for_enter(self, waits: bool) -> None:
        self._enter_waits = waits
        self._window.field.set_waiting(waits)

    def _show_sections(self, result: SearchResult, *, final: bool) -> None:
        view = self._window.results.view
        same = self._listed == self._request.generation
        before = view.section
        # Until the user has moved in the list, the first section is selected and visible.
        stays = same and self._touched
        anchor = view.anchor() if stays else None
        keep = stays and not self._request.repeat
        notes = self._model.arrange(result, keep=keep, same=same)
        cap = len(result.sections) if final and result.total > len(result.sections) else 0
        self.shown = result
        self._model.set_notes(notes, cap=cap, fold=not same, whole=self.within)
        newest = self._request.newest or is_sorted_by_date(result)
        self._window.results.summary.set_newest_first(newest)
        self._show_found(result)
        if self._likes:
            correction = wording.likeness_text([*self._likes.values()], newest=newest)
        else:
            correction = wording.interpretation_text(result)
        self._window.results.set_correction(*correction)
        view.set_dimmed(False)
        self._window.show_results()
        if anchor is None:
            view.scrollToTop()
        view.restore(anchor)
        self._select_wanted(final=final)
        while self._moves:
            view.move_selection(self._moves.pop(0))
        self._replaced = None
        if same and before and view.section:
            former = SectionKey.of(before)
            if former != SectionKey.of(view.section):
                self._replaced = former, time.monotonic() + _HURRIED_S
        self._listed = self._request.generation
        if self._enter_waits:
            self._wait_for_enter(False)
            view.activate()

    def _show_no_sections(self, result: SearchResult | None, problem: str) -> None:
        self._wait_for_enter(False)
        if result is None:
            # The index is still being built. The listed rows do not answer the new text.
            if self._may_find_more and not self._model.rowCount():
                self._show_not_yet()
            elif self._listed != self._request.generation:
                self._window.results.view.set_dimmed(True)
                self._window.results.summary.set_count(problem)
            return
        self.shown = result
        self._listed = self._request.generation
        self._model.set_notes(())
        self._show_nothing(result)
        self.list_emptied.emit()

    def _show_not_yet(self) -> None:
        progress = self._progress or Progress(Phase.SCAN)
        self._window.page.show_page(not_yet_message(self.text, progress))
        self._window.show_page()

    @Slot()
    def _show_unanswered(self) -> None:
        """Dim the rows of the former query, or replace the page that does not answer this one."""
        workers = self._workers()
        if workers is None or workers.library is None:
            return  # the page says what the window waits for
        if self._window.shows_results:
            self._window.results.view.set_dimmed(True)
        else:
            self._show_not_yet()

    def _show_nothing(self, result: SearchResult) -> None:
        if self._may_find_more:
            self._show_not_yet()
            return
        page = no_results_message(result, self._status, self.within)
        everywhere = self.everywhere if self.within else ()
        self._window.page.show_page(page, (*everywhere, *self._offers(result.query)))
        self._window.show_page()

    def _is_half_typed(self, result: SearchResult) -> bool:
        """Return whether ``result`` answers a filter that the user is still completing."""
        is_unfinished = bool(result.not_filters) or not result.sections
        return is_unfinished and self._window.field.is_completing

    @Slot()
    def _show_withheld(self) -> None:
        """Show the answer that waited for the list of completions to close."""
        result = self._withheld
        self._withheld = None
        if result is None:
            return
        if result.sections:
            self._show_sections(result, final=self.answered)
        elif self.answered:
            self._show_no_sections(result, "")

    def _show_no_query(self) -> None:
        self.shown = None
        self._listed = self._request.generation
        self._model.set_notes(())
        self._window.results.show_no_query()
        self.emptied.emit()
