"""Searches in one window: from the text in the field to the answers that it shows."""

import time
from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import QObject, QTimer, Signal, Slot
from PySide6.QtGui import QAction

from notesearch.gui.results.results_model import SectionKey, is_sorted_by_date, still_found
from notesearch.gui.results.results_pane import found_text, shorter_found_texts
from notesearch.gui.session.pane_window import PaneWindow
from notesearch.gui.session.search_worker import Like, SearchAnswer, SearchRequest
from notesearch.gui.session.vault_session import WindowWorkers
from notesearch.gui.translation import translate
from notesearch.gui.widgets import answer_texts
from notesearch.gui.widgets.answer_texts import (
    no_results_message,
    not_yet_message,
    searching_message,
)
from notesearch.gui.widgets.keys import Move
from notesearch.gui.widgets.notices import Message
from notesearch.results import Mode, NoteResult, SearchResult, SectionResult
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


def after_paint(parent: QObject) -> QTimer:
    """Return a timer that fires as soon as the event loop has painted what has changed.

    A search should start only then. Its thread competes with the GUI thread for Python's lock, so a
    letter that is painted while a search runs appears some milliseconds later.
    """
    return QTimer(parent, singleShot=True, interval=0)


class SearchController(QObject):
    """Searches for the text in the field; shows the newest answers in the list or as a page.

    A keystroke runs ``search``, which starts a request of a new generation; ``_ask`` gives it to
    the threads; ``answer`` takes what they found and drops answers to older requests.

    Until the user has moved in the list, the first section is selected and in view. After that, no
    answer to the same query moves the selected row.

    Attributes:
        answered: Whether the final answer to the text in the field has come.
        shown: The last shown result; None without a query.
        status: The state of the index; None if unknown.
        everywhere: Actions to offer if nothing matches in the one folder or note that is searched.

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
        offers: Offers,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._window = window
        self._workers = workers
        self._offers = offers
        self._model = window.results.model
        self.everywhere: tuple[QAction, ...] = ()
        self._request = SearchRequest(0, "", 0.0)
        self._listed = 0  # generation of the request that the rows or the page answer
        self.shown: SearchResult | None = None
        self._withheld: SearchResult | None = None  # answers a half-typed filter, not shown yet
        self._enter_waits = self.answered = False
        self._took_ms = 0.0
        # The former first row, and until when Enter opens it.
        self._replaced: tuple[SectionKey, float] | None = None
        self._touched = False
        self._wanted: SectionKey | None = None  # selected as soon as it is listed
        self._lost: SectionKey | None = None  # selected by the user, not in a later answer
        self._moves: list[Move] = []  # keys pressed before a row was listed
        self.status: Status | None = None
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
        window.results.offer_button.clicked.connect(self._search_offered)
        window.results.view.touched.connect(self._on_touched)
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
        return self._listed == self._request.generation

    @Slot(str)
    def search(self, text: str) -> None:
        """Search for ``text``. Each keystroke starts a new generation of requests."""
        self._wait_for_enter(False)
        self._withheld = self._wanted = self._lost = None
        self._moves = []
        self.answered = self._touched = False
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
            self._listed = self._request.generation
            self._empty_list()
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
        if key is not None and text.strip():
            self._wanted = key
            if self.is_listed:
                self._select_wanted()

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
        status = self.status
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
            self._listed = self._request.generation
        self.answered = False
        self._ask()

    def follow_note(self, former: str, path: str) -> None:
        """Keep a section selected that the user selected in ``former``, now at ``path``.

        A search may have found the note at ``path`` before; then another section is selected now.
        """
        section = self._window.results.view.section
        key = self._lost or (SectionKey.of(section) if section else None)
        if key is not None and key.path == former and self._touched:
            self._wanted = key._replace(path=path)
            self._lost = None

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

    @Slot(object)
    def update_snippets(self, answer: SearchAnswer) -> None:
        """Show snippets that came late or are better in the listed rows. No row moves."""
        late = answer.result
        is_listed = self._listed == answer.request.generation
        if is_listed and late and self.shown and late.mode is self.shown.mode:
            self._model.update_snippets(late.sections)

    @Slot()
    def enter(self) -> None:
        """Open the selected section, as soon as the list shows the results for the field's text.

        If new results changed the selection a moment ago, open the section selected before that.
        """
        view = self._window.results.view
        if self.is_listed:
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

    def forget(self) -> None:
        """Empty the list, because another vault is opened, which has not answered yet."""
        self._empty_list()
        self.status = self._progress = None
        self._listed = 0
        if not self.is_empty:
            self._show_page(searching_message(self.text))

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
            if not self.shown.sections and self.is_listed:
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
            self._moves.append(move)
        if self._window.shows_results:
            self._window.results.view.move_selection(move)
        elif move is Move.DOWN and not waits and not self._window.field.is_completing:
            self.left_field.emit()

    @Slot()
    def _on_touched(self) -> None:
        self._touched = True
        self._wanted = self._lost = None

    @Slot()
    def _search_offered(self) -> None:
        """Undo the order by likeness; if there is none, search for the offered query."""
        if self._request.likes:
            self._follow_likes()
        elif self.shown is not None:
            self._search_instead(answer_texts.offered_query(self.shown))

    @Slot(str)
    def _search_instead(self, text: str) -> None:
        self._window.field.set_text(text)
        self._window.field.focus_all()

    def _wait_for_enter(self, waits: bool) -> None:
        if waits != self._enter_waits:
            self._enter_waits = waits
            self._window.field.set_waiting(waits)

    def _is_half_typed(self, result: SearchResult) -> bool:
        """Return whether ``result`` answers a filter that the user is still completing."""
        is_unfinished = bool(result.not_filters) or not result.sections
        return is_unfinished and self._window.field.is_completing

    @Slot()
    def _show_withheld(self) -> None:
        """Show the answer that waited for the list of completions to close."""
        result = self._withheld
        self._withheld = None
        if result is not None and result.sections:
            self._show_sections(result)
        elif result is not None and self.answered:
            self._show_no_sections(result, "")

    def _empty_list(self) -> None:
        self.shown = None
        self._model.set_notes(())
        self._window.results.show_no_query()

    def _show_sections(self, result: SearchResult) -> None:
        """List the sections of ``result``, and open the selected one if Enter waits for that."""
        request = self._request
        view = self._window.results.view
        same = self.is_listed
        before = view.section
        stays = same and self._touched
        anchor = view.anchor() if stays else None
        notes = self._model.arrange(result, self._held(result) if stays else (), same=same)
        listed = len(result.sections)
        cap = listed if self.answered and result.total > listed else 0
        self.shown = result
        self._model.set_notes(notes, cap=cap, fold=not same, whole=request.within)
        newest = request.newest or is_sorted_by_date(result)
        self._window.results.summary.set_newest_first(newest)
        self._show_found(result)
        if request.likes:
            likes = [(like.more, like.heading) for like in request.likes]
            correction = answer_texts.likeness_text(likes, newest=newest)
        else:
            correction = answer_texts.interpretation_text(result, self.text)
        self._window.results.set_correction(*correction)
        view.set_dimmed(False)
        self._window.show_results()
        if anchor is None:
            view.scrollToTop()
        view.restore(anchor)
        if anchor is not None and not self._model.find(anchor[0]).isValid():
            self._lost = self._lost or anchor[0]
        self._select_wanted()
        while self._moves:
            view.move_selection(self._moves.pop(0))
        self._replaced = None
        if same and before and view.section:
            former = SectionKey.of(before)
            if former != SectionKey.of(view.section):
                self._replaced = former, time.monotonic() + _HURRIED_S
        self._listed = request.generation
        if self.cancel_enter():
            view.activate()

    def _held(self, result: SearchResult) -> tuple[NoteResult, ...]:
        """Return the listed notes that keep their order above the others of ``result``.

        If the index changed, those are the notes down to the selected section that are still found;
        otherwise all notes.
        """
        if not self._request.repeat:
            return self._model.notes
        above = self._model.notes_down_to(self._window.results.view.currentIndex())
        return tuple(still_found(above, result))

    def _select_wanted(self) -> None:
        """Select the wanted section, if it is listed; unfold its note if necessary.

        After the final answer no more rows follow: the section then counts as selected by the user,
        or is forgotten if it is not listed.
        """
        if self._wanted is None:
            return
        index = self._model.reveal(self._wanted)
        if index.isValid():
            self._window.results.view.select(index)
            self._touched = self.answered  # as if the user had moved to it here
        if self.answered:
            self._wanted = None

    def _show_no_sections(self, result: SearchResult | None, problem: str) -> None:
        """Show the page that says why ``result`` has no sections, or the ``problem``, a sentence.

        Without a result, the index could not answer.
        """
        self._wait_for_enter(False)
        self._moves = []
        if result is not None:
            self.shown = result
            self._listed = self._request.generation
            self._model.set_notes(())
            self._show_nothing(result)
        # The index is still being built. The listed rows do not answer the new text.
        elif self._may_find_more and not self._model.rowCount():
            self._show_not_yet(self.text)
        elif not self.is_listed:
            self._window.results.view.set_dimmed(True)
            self._window.results.summary.set_count(problem)

    @Slot()
    def _show_unanswered(self) -> None:
        """Dim the rows of the former query, or replace the page that does not answer the new one.

        Before the library is open, the page already says what the window waits for.
        """
        workers = self._workers()
        if workers is None or workers.library is None:
            return
        if self._window.shows_results:
            self._window.results.view.set_dimmed(True)
        else:
            self._show_page(searching_message(self.text))

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
        page = no_results_message(result, self.status, self.within)
        everywhere = self.everywhere if self.within else ()
        self._show_page(page, (*everywhere, *self._offers(result.query)))

    def _show_page(self, page: Message, actions: tuple[QAction, ...] = ()) -> None:
        self._window.page.show_page(page, actions)
        self._window.show_page()
