"""What a window shows for an empty query: the sections opened last, or a page to start from.

The libraries of the vaults store which sections were opened last.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from operator import itemgetter
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Signal, Slot
from PySide6.QtGui import QAction

from notesearch.gui.session.open_vault import OpenVault
from notesearch.gui.session.pane_window import PaneWindow
from notesearch.gui.session.query_examples import find_heading
from notesearch.gui.session.search_controller import CurrentWorkers, SearchController
from notesearch.gui.session.section_reader import Question, modified_time, part_of
from notesearch.gui.session.worker_threads import FileCall
from notesearch.gui.translation import folder_text, modified_text, translate
from notesearch.gui.widgets.notices import Message, SearchLink
from notesearch.opened_sections import MOST_RECENT
from notesearch.results import Marked, SectionResult

if TYPE_CHECKING:
    from notesearch.gui.session.search_worker import SearchedLibrary


def find_recent(library: "SearchedLibrary") -> tuple[SectionResult, ...]:
    """Return the sections opened last that still exist, with folder and date as snippet."""
    opened = [
        (each.opened, _row(each.section, name, modified))
        for name, part in library.parts.items()
        for each in part.opened_last()
        if (modified := modified_time(part, each.section.path))
    ]
    newest = sorted(opened, key=itemgetter(0), reverse=True)[:MOST_RECENT]
    return tuple(section for _, section in newest)


def _row(section: SectionResult, vault: str, modified: float) -> SectionResult:
    path = f"{vault}/{section.path}" if vault else section.path
    texts = folder_text(path), modified_text(modified)
    return replace(section, path=path, vault=vault, snippet=Marked(" · ".join(filter(None, texts))))


def _store(library: "SearchedLibrary", section: SectionResult, opened: float) -> None:
    part, path, _ = part_of(library, section.path)
    part.record_opened(path, section.section_path, opened)


@dataclass(frozen=True, slots=True)
class StartPage:
    """What a window shows without a query if no section was opened yet.

    Attributes:
        contents: Returns the message of the page, and its buttons.
        hint: A text with the field ``{query}`` for an example of a query, a heading of the notes.
            It stands above the sections opened last, if there are any. Empty for no examples.
    """

    contents: Callable[[], tuple[Message, Sequence[QAction]]]
    hint: str = ""


class StartList(QObject):
    """Shows the sections opened last; if there are none, the page ``start``.

    Signals:
        stored: A section that was opened is stored.
    """

    stored = Signal()

    def __init__(
        self,
        window: PaneWindow,
        search: SearchController,
        vault: OpenVault,
        workers: CurrentWorkers,
        start: StartPage,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._window = window
        self._search = search
        self._vault = vault
        self._workers = workers
        self._start = start
        self._recent: tuple[SectionResult, ...] = ()
        self._example = ""
        self._shown: Message | tuple[SectionResult, ...] | None = None
        search.emptied.connect(self._on_emptied)
        window.results.window().installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """List the sections again when the window becomes active: another may have changed them."""
        if event.type() == QEvent.Type.WindowActivate:
            self.refresh()
        return super().eventFilter(watched, event)

    def follow_vault(self, *, same: bool) -> None:
        """Find sections and an example in the vault that is open now.

        ``same`` says that it is the vault that was open before.
        """
        if not same:
            self._example = ""
        self._recent = ()
        self.refresh()

    @Slot()
    def refresh(self) -> None:
        """Find out which of the sections opened last still exist, and list them."""
        workers = self._workers()
        if workers:  # not urgent, so indexing need not pause
            workers.reading.ask(Question("recents", find_recent, self._list_recent))
            if self._start.hint and not self._example:
                workers.reading.ask(Question("example", find_heading, self._show_example))

    def add(self, section: SectionResult) -> None:
        """Store ``section``, which was opened, and list it as the first."""
        workers = self._workers()
        if workers and workers.library:
            store = partial(_store, workers.library, section, time.time())
            call = FileCall(store, self)
            call.answered.connect(self._on_stored)
            call.start()

    def close(self) -> None:
        """Wait until the opened sections are stored."""
        FileCall.finish_all(self)

    def show_state(self, *, is_idle: bool) -> None:
        """Show the list or the page again if the state of the vault changes it.

        ``is_idle`` says that there is no query, or that no result of one is shown.
        """
        if self._vault.open_problem or (is_idle and self._content() != self._shown):
            self._show()

    @Slot()
    def _on_stored(self) -> None:
        self.refresh()
        self.stored.emit()

    def _list_recent(self, sections: tuple[SectionResult, ...]) -> None:
        if sections != self._recent:
            self._recent = sections
            if self._search.is_empty:
                self._show()

    def _show_example(self, heading: str) -> None:
        """Offer ``heading`` as an example of a query while there is none."""
        if heading and not self._example:
            self._example = heading
            if self._search.is_empty:
                self._show()

    @Slot()
    def _on_emptied(self) -> None:
        self._show()
        self.refresh()

    def _content(self) -> Message | tuple[SectionResult, ...]:
        """Return what an empty query shows: the sections opened last, else the page."""
        if self._recent and self._vault.obstacle is None:
            return self._recent
        page = self._start.contents()[0]
        if self._vault.obstacle is None and self._search.within:
            return replace(page, title=self._window.field.hint)
        if not self._example or self._vault.obstacle is not None:
            return page
        text = translate("For example: {query}", query=self._example)
        return replace(page, offers=(SearchLink(text, self._example),))

    def _show(self) -> None:
        results = self._window.results
        self._shown = self._content()
        if isinstance(self._shown, tuple):
            results.model.set_recent(self._shown)
            if self._example:
                results.summary.show_hint(self._start.hint.format(query=self._example))
            self._window.show_results()
            results.view.select(results.model.first_section())
            return
        results.model.set_recent(())
        self._window.page.show_page(self._shown, self._start.contents()[1])
        self._window.show_page()
