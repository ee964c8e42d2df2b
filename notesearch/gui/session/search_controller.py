"""Searches in one window: from the text in the field to the answers that are shown."""

import time
from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from notesearch.gui.results.results_model import SectionKey
from notesearch.gui.session.pane_window import PaneWindow
from notesearch.gui.session.results_display import ResultsDisplay
from notesearch.gui.session.search_worker import Like, SearchAnswer, SearchRequest
from notesearch.gui.session.vault_session import WindowWorkers
from notesearch.gui.translation import translate
from notesearch.gui.widgets import answer_texts
from notesearch.gui.widgets.keys import Move
from notesearch.results import Mode, SearchResult, SectionResult

_SLOW_MS = 30.0
"""If the last search took longer than this, the next one first waits for another keystroke."""

_LONGEST_WAIT_MS = 150.0

_UNANSWERED_MS = 500
"""After this time without an answer, the window shows that it has none for the new text."""

CurrentWorkers = Callable[[], WindowWorkers | None]
"""Returns the threads that answer a window; None while no vault is open."""


def after_paint(parent: QObject) -> QTimer:
    """Return a timer that fires as soon as the event loop has painted what has changed.

    A search should start only then. Its thread competes with the GUI thread for Python's lock, so a
    letter that is painted while a search runs appears some milliseconds later.
    """
    return QTimer(parent, singleShot=True, interval=0)


class SearchController(QObject):
    """Asks for the text in the field, and passes the newest answers to ``display``.

    A keystroke runs ``search``, which starts a request of a new generation; ``_ask`` gives it to
    the threads; ``answer`` takes what they found and drops answers to older requests.

    Attributes:
        answered: Whether the final answer to the text in the field has come.

    Signals:
        emptied: The field is empty.
        settled: The final answer to the text in the field is shown.
        left_field: The user pressed a key to leave the field downwards while no results are shown.
    """

    emptied = Signal()
    settled = Signal()
    left_field = Signal()

    def __init__(
        self,
        window: PaneWindow,
        workers: CurrentWorkers,
        display: ResultsDisplay,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._window = window
        self._workers = workers
        self._display = display
        self._request = SearchRequest(0, "", 0.0)
        # The answer to a half-typed filter, not shown yet.
        self._withheld: SearchResult | None = None
        self._enter_waits = self.answered = False
        self._took_ms = 0.0
        self._soon = after_paint(self)  # so that a search does not delay the typed letter
        self._soon.timeout.connect(self._ask)
        self._unanswered = QTimer(self, singleShot=True, interval=_UNANSWERED_MS)
        self._unanswered.timeout.connect(self._show_unanswered)
        window.field.text_changed.connect(self.search)
        window.field.opened.connect(self.enter)
        window.field.moved.connect(self._move)
        window.field.completions.closed.connect(self._show_withheld)
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

    @property
    def is_listed(self) -> bool:
        """Whether the rows or the page answer the text in the field, perhaps not finally."""
        return self._display.lists(self._request)

    @Slot(str)
    def search(self, text: str) -> None:
        """Search for ``text``. Each keystroke starts a new generation of requests."""
        self._wait_for_enter(False)
        self._withheld = None
        self.answered = False
        self._display.begin()
        now = time.monotonic()
        since_last_ms = (now - self._request.typed_at) * 1000
        likes = self._request.likes if text == self.text else ()
        self._request = replace(self._next(now), text=text, likes=likes, repeat=False)
        # Wait a little if the user types faster than the search answers.
        pause_ms = min(self._took_ms, _LONGEST_WAIT_MS) - since_last_ms
        self._soon.stop()
        self._unanswered.start()
        workers = self._workers()
        if self.is_empty:
            self._unanswered.stop()
            self._display.show_no_query(self._request)
            self.emptied.emit()
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
        self._display.want(key)
        if self.is_listed:
            self._display.select_wanted(final=self.answered)

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
        status = self._display.status
        if status is not None and not status.meaning:
            text = translate("This needs search by meaning.")
            if status.awaits_vectors:
                text = translate("Search by meaning is not ready yet.")
            self._window.flash(text, done=False)
            return
        like = Like(section.path, section.line, section.section, more)
        others = [other for other in self._request.likes if other.place != like.place]
        if like not in self._request.likes:
            others.append(like)
        self._follow_likes(*others)

    def _follow_likes(self, *likes: Like) -> None:
        self._request = replace(self._request, likes=likes)
        self.search(self.text)

    @Slot()
    def repeat(self) -> None:
        """Search for the same query again because the index changed."""
        if self.is_empty or self._soon.isActive():
            return
        was_listed = self.is_listed
        # Else the search that it replaces may not have answered by words.
        self._request = replace(self._next(time.monotonic()), repeat=was_listed)
        if was_listed:
            self._display.keep(self._request)
        self.answered = False
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
            self._show_sections(result)
        elif answer.final:
            self._show_no_sections(result, answer.problem)
        else:
            self._window.results.view.set_dimmed(True)
        self._window.results.summary.set_finding_related(not answer.final)
        if answer.final:
            self.settled.emit()

    @Slot()
    def enter(self) -> None:
        """Open the selected section, as soon as the list shows the results for the field's text."""
        if self.is_listed:
            self._display.open_selected()
        elif not self.is_empty:
            self._wait_for_enter(True)

    def cancel_enter(self) -> bool:
        """Stop waiting to open a section after Enter. Return whether a section was waiting."""
        waited = self._enter_waits
        self._wait_for_enter(False)
        return waited

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
        waits = not self.is_listed and not self.answered
        if waits and move is not Move.UNFOLD:
            self._display.move_later(move)
        if self._window.shows_results:
            self._window.results.view.move_selection(move)
        elif move is Move.DOWN and not waits and not self._window.field.is_completing:
            self.left_field.emit()

    @Slot()
    def _search_offered(self) -> None:
        """Undo the order by likeness; if there is none, search for the offered query."""
        shown = self._display.shown
        if self._request.likes:
            self._follow_likes()
        elif shown is not None:
            self._search_instead(answer_texts.offered_query(shown))

    @Slot(str)
    def _search_instead(self, text: str) -> None:
        self._window.field.set_text(text)
        self._window.field.focus_all()

    def _wait_for_enter(self, waits: bool) -> None:
        if waits != self._enter_waits:
            self._enter_waits = waits
            self._window.field.set_waiting(waits)

    def _show_sections(self, result: SearchResult) -> None:
        self._display.show_sections(self._request, result, final=self.answered)
        if self.cancel_enter():
            self._window.results.view.activate()

    def _show_no_sections(self, result: SearchResult | None, problem: str) -> None:
        self._wait_for_enter(False)
        if result is not None:
            self._display.show_nothing_found(self._request, result)
        else:
            self._display.show_problem(self._request, problem)

    @Slot()
    def _show_unanswered(self) -> None:
        workers = self._workers()
        if workers is not None and workers.library is not None:
            self._display.show_unanswered(self.text)
        # Otherwise, the page says what the window waits for.

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
            self._show_sections(result)
        elif self.answered:
            self._show_no_sections(result, "")
