"""What a window shows for an empty query: the sections opened last, or a page to start from.

The sections opened last are stored in a small file. The libraries of the vaults keep it in line
with moved and deleted notes.
"""

import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from heapq import merge
from itertools import islice
from operator import itemgetter
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent, QObject, Signal, Slot
from PySide6.QtGui import QAction

from notesearch import private_files
from notesearch.errors import NotesearchError
from notesearch.files import real
from notesearch.gui.results.results_model import SectionKey
from notesearch.gui.session.open_vault import OpenVault
from notesearch.gui.session.pane_window import PaneWindow
from notesearch.gui.session.query_examples import find_heading
from notesearch.gui.session.search_controller import CurrentWorkers, SearchController
from notesearch.gui.session.section_reader import Question, modified_time, part_of
from notesearch.gui.session.worker_threads import FileCall
from notesearch.gui.translation import folder_text, modified_text, translate
from notesearch.gui.widgets.notices import Message, SearchLink
from notesearch.markdown.render.formulas import unicode_formulas
from notesearch.opened_sections import SECTIONS_FILE, change_recent
from notesearch.results import Marked, SectionResult, Why

if TYPE_CHECKING:
    from notesearch.gui.session.search_worker import SearchedLibrary

MOST_SECTIONS = 8
_VAULTS = 20

_Opened = list[tuple[float, SectionResult]]
"""Sections with the time at which each was opened."""


class RecentlyOpened:
    """Stores the sections opened last in each vault. An unreadable file counts as empty."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / SECTIONS_FILE

    def opened_in(self, vaults: Mapping[str, Path]) -> tuple[SectionResult, ...]:
        """Return the ``MOST_SECTIONS`` sections opened last in ``vaults``, the last one first.

        The path of a section begins with the name of its vault, if any. The folders may be on a
        disk that does not respond.
        """
        read = _lists(private_files.read_json(self._file))
        lists = [
            [
                (when, replace(section, path=f"{name}/{section.path}", vault=name))
                if name
                else (when, section)
                for when, section in _stored(read.get(str(real(vault)), []))
            ]
            for name, vault in vaults.items()
        ]
        newest = merge(*lists, key=itemgetter(0), reverse=True)
        return tuple(section for _, section in islice(newest, MOST_SECTIONS))

    def add(self, vault: Path, path: str, section: SectionResult) -> None:
        """Store that ``section`` was opened now; ``path`` is the path of its note in ``vault``.

        The disk may be slow, and another process may be changing the file.
        """
        opened = replace(section, path=path)
        name = str(real(vault))

        def added(read: dict[str, Any]) -> dict[str, Any]:
            others = _lists(read)
            older = [
                (when, other)
                for when, other in _stored(others.pop(name, []))
                if SectionKey.of(other) != SectionKey.of(opened)
            ]
            newest = [(time.time(), opened), *older][:MOST_SECTIONS]
            vaults = {name: [_to_json(when, recent) for when, recent in newest], **others}
            return dict(list(vaults.items())[:_VAULTS])

        change_recent(self._file, added)


def _lists(read: object) -> dict[str, list[Any]]:
    """Return the lists in ``read``, the content of the file, by the path of the vault."""
    vaults = read.items() if isinstance(read, dict) else ()
    return {vault: stored for vault, stored in vaults if isinstance(stored, list)}


def _stored(sections: list[Any]) -> _Opened:
    """Return when each section was opened, and the section.

    Entries beyond ``MOST_SECTIONS``, and those that cannot be read, are left out.
    """
    readable = []
    for stored in sections[:MOST_SECTIONS]:
        try:
            readable.append((float(stored.get("opened", 0)), _from_json(stored)))
        except (AttributeError, KeyError, TypeError, ValueError, OverflowError):
            continue
    return readable


def _to_json(opened: float, section: SectionResult) -> dict[str, Any]:
    return {
        "opened": opened,
        "path": section.path,
        "title": section.title,
        "section_path": list(section.section_path),
        "shown_path": list(section.shown_path),
        "level": section.level,
        "line": section.line,
    }


def _from_json(stored: Mapping[str, Any]) -> SectionResult:
    """Return the section in ``stored``, without snippet, score and reason."""
    path = stored["path"]
    title = stored["title"]
    headings = tuple(stored["section_path"])
    shown = tuple(stored.get("shown_path", headings))
    level = int(stored["level"])
    line = int(stored["line"])
    texts = path, title, *headings, *shown
    if not headings or len(shown) != len(headings) or not all(isinstance(t, str) for t in texts):
        raise ValueError(stored)
    return SectionResult(
        path=path,
        title=title,
        section=headings[-1],
        section_path=headings,
        breadcrumb=tuple(Marked(unicode_formulas(heading), ()) for heading in shown),
        level=level,
        line=line,
        end_line=line,
        snippet=Marked("", ()),
        passage="",
        score=0.0,
        chunk_index=0,
        total_chunks=1,
        why=Why(None, None),
        resolved_path=shown,
    )


def find_recent(
    library: "SearchedLibrary", recents: RecentlyOpened, vaults: Mapping[str, Path]
) -> tuple[SectionResult, ...]:
    """Return the sections opened last that still exist, with their present lines."""
    sections = (_find_section(library, section) for section in recents.opened_in(vaults))
    return tuple(section for section in sections if section)


def _find_section(library: "SearchedLibrary", section: SectionResult) -> SectionResult | None:
    """Return ``section`` with its present line, and folder and date as snippet; None if gone."""
    try:
        part, path, _ = part_of(library, section.path)
        outline = part.sections(path)
        modified = modified_time(part, path)
    except NotesearchError:
        return None
    lines = [link.line for link in outline if link.path == section.section_path]
    if not lines:
        return None
    line = min(lines, key=lambda line: abs(line - section.line))
    texts = folder_text(path), modified and modified_text(modified)
    snippet = Marked(" · ".join(text for text in texts if text), ())
    return replace(section, line=line, snippet=snippet)


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
        stored: A section that was opened is in the file.
    """

    stored = Signal()

    def __init__(
        self,
        window: PaneWindow,
        search: SearchController,
        vault: OpenVault,
        workers: CurrentWorkers,
        recents: RecentlyOpened,
        start: StartPage,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._window = window
        self._search = search
        self._vault = vault
        self._workers = workers
        self._recents = recents
        self._opened = deque[tuple[Path, str, SectionResult]]()  # to be stored
        self._storing = Lock()
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
            find = partial(find_recent, recents=self._recents, vaults=self._vault.folders)
            workers.reading.ask(Question("recents", find, self._list_recent))
            if self._start.hint and not self._example:
                workers.reading.ask(Question("example", find_heading, self._show_example))

    def add(self, section: SectionResult) -> None:
        """Store ``section``, which was opened, and list it as the first."""
        place = self._vault.place(section.path)
        if place:
            self._opened.append((*place, section))
            call = FileCall(self._store_next, self)
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

    def _store_next(self) -> None:
        with self._storing:  # in the order in which they were opened
            self._recents.add(*self._opened.popleft())

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
