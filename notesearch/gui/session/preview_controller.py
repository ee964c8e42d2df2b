"""Decides what the preview shows: the selected section, or where its links and buttons lead."""

from dataclasses import replace

from PySide6.QtCore import QObject, QTimer, QUrl, Signal, Slot
from PySide6.QtGui import QDesktopServices

from notesearch.gui.preview.document import PreviewContent
from notesearch.gui.preview.preview_pane import PreviewPane
from notesearch.gui.session.section_reader import PreviewAnswer, PreviewRequest
from notesearch.gui.session.vault_session import WindowWorkers
from notesearch.gui.translation import translate
from notesearch.results import Scope, SectionLink, SectionResult

_LATE_MS = 150
_WIDER = {Scope.SECTION: Scope.PARENT, Scope.PARENT: Scope.NOTE, Scope.NOTE: Scope.NOTE}
_NARROWER = {Scope.SECTION: Scope.SECTION, Scope.PARENT: Scope.SECTION, Scope.NOTE: Scope.PARENT}

NotePlace = tuple[str, int]
"""The path of a note, and a line in it, from 1."""


class PreviewController(QObject):
    """Asks the reading thread for each selected section and shows its answers.

    Only answers to ``request``, the newest one, are shown. The previous section stays on screen for
    up to 150 ms while the next one is read.

    Signals:
        shown: The preview shows a new answer.
        note_missing: Carries the path of a note, and whether its file is missing.
    """

    shown = Signal()
    note_missing = Signal(str, bool)

    def __init__(self, pane: PreviewPane, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._pane = pane
        self._workers: WindowWorkers | None = None
        self.request: PreviewRequest | None = None
        self._answer: PreviewAnswer | None = None  # the answer on screen
        self._is_outdated = False  # set by ``attach``: the same request may now have another answer
        self._past: list[PreviewRequest] = []
        self._future: list[PreviewRequest] = []
        self._late = QTimer(self, singleShot=True, interval=_LATE_MS)
        self._late.timeout.connect(self._show_rendering)
        pane.head.scope.chosen.connect(self.set_scope)
        pane.head.breadcrumb.note_chosen.connect(self.show_note)
        pane.head.breadcrumb.chosen.connect(self._go_to_line)
        pane.browser.link_activated.connect(self._follow_link)
        pane.update_button.clicked.connect(self.reload)

    def attach(self, workers: WindowWorkers | None) -> None:
        """Let ``workers`` read for the preview from now on; None reads nothing."""
        self._late.stop()
        self._is_outdated = True
        if self._workers:
            self._workers.reading.answered.disconnect(self.receive)
        self._workers = workers
        if workers:
            workers.reading.answered.connect(self.receive)

    @property
    def content(self) -> PreviewContent | None:
        """The section on screen; None if a sentence is shown instead."""
        return self._answer.content if self._answer else None

    @property
    def is_complete(self) -> bool:
        """Whether the newest request is on screen with nothing missing."""
        is_newest = self._answer is not None and self._answer.request == self.request
        return is_newest and self.content is not None and self.content.complete

    @property
    def place(self) -> NotePlace | None:
        """The place of the section on screen, else of the newest request; None without one."""
        content = self.content
        if self._answer is not None and content is not None:
            text = content.text
            request = self._answer.request
            is_requested = text.path == request.path and not request.link
            return text.path, request.line if is_requested else text.line
        return (self.request.path, self.request.line) if self.request else None

    def shows(self, result: SectionResult) -> bool:
        """Return whether ``result`` itself is on screen, not a section that a link led to."""
        request = self.request
        if request is None or self._answer is None or self._answer.request != request:
            return False
        is_there = (request.path, request.line, request.link) == (result.path, result.line, "")
        return is_there and _identity(request.result) == _identity(result)

    def source_place(self, position: int = -1) -> tuple[str, int, int] | None:
        """Return path, line and column in the note of a shown character; None if nothing is shown.

        By default, the place is the current match, else the nearest sentence, else the heading.
        """
        if self.place is None:
            return None
        browser = self._pane.browser
        path, line = self.place
        exact = browser.place_in_source(position) if position >= 0 else None
        exact = exact or browser.place_in_source()
        return (path, *exact) if self.content and exact else (path, line, 1)

    @property
    def title(self) -> str:
        """The title of the note on screen, else of the requested note; empty without one."""
        if self.content:
            return self.content.text.title
        return self.request.result.title if self.request else ""

    @property
    def section_path(self) -> tuple[str, ...]:
        """The headings from the top of the note to the section; empty without a section."""
        if self.content:
            return self.content.text.section_path
        return self.request.result.section_path if self.request else ()

    @property
    def outline(self) -> tuple[SectionLink, ...]:
        """All sections of the note on screen; empty if there is none."""
        return self.content.outline if self.content else ()

    @property
    def query(self) -> str:
        """The query whose matches are marked."""
        return self.request.query if self.request else ""

    def show(self, result: SectionResult, query: str) -> None:
        """Show the section of ``result``, with the matches of ``query`` marked.

        If both are already on screen, the scope and a followed link stay as they are.
        """
        current = self.request
        if current and (_identity(current.result), current.query) == (_identity(result), query):
            is_here = current.path == result.path and not current.link
            request = replace(current, result=result, passage=_passage(result) if is_here else "")
            if request == current and self.is_complete and not self._is_outdated:
                self.request = request  # an answer by meaning may list the same section
            else:
                self._ask(request)
            return
        self._past.clear()
        self._future.clear()
        section = Scope.SECTION
        request = PreviewRequest(result, result.path, result.line, section, query)
        self._ask(replace(request, passage=_passage(result)))

    @Slot()
    def clear(self) -> None:
        """Empty the preview."""
        self._late.stop()
        self.request = self._answer = None
        self._pane.show_message("")

    @Slot()
    def reload(self) -> None:
        """Read the section again: its note may have changed, or its pictures may be ready."""
        if self.request:
            self._ask(self.request)

    @Slot(object)
    def receive(self, answer: PreviewAnswer) -> None:
        """Show ``answer`` unless it is outdated or already on screen."""
        if answer.request != self.request:
            return
        self._late.stop()
        if not answer.request.link:
            self.note_missing.emit(answer.request.path, answer.note_missing)
        before = self._answer
        self._answer = answer
        if before == answer:
            return
        if answer.content is None:
            self._pane.show_message(answer.problem, offer_update=answer.note_missing)
        else:
            is_same_view = before is not None and before.request == answer.request
            self._pane.show_content(answer.content, keep_position=is_same_view)
        self.shown.emit()

    @Slot(object)
    def set_scope(self, scope: Scope) -> None:
        """Show only the section, with its parent section, or with the whole note."""
        request = self.request
        place = self.place
        if request is None or place is None:
            return
        if self._answer is not None and self._answer.request == request:
            path, line = place
            request = replace(request, path=path, line=line, link="")
        self._ask(replace(request, scope=scope))

    @Slot()
    def widen(self) -> None:
        """Show the parent section; if it is already on screen, show the whole note."""
        if self.request:
            self.set_scope(_WIDER[self.request.scope])

    @Slot()
    def narrow(self) -> None:
        """Show the parent section if the whole note is on screen, else only the section."""
        if self.request:
            self.set_scope(_NARROWER[self.request.scope])

    @Slot()
    def show_note(self) -> None:
        """Show the whole note."""
        self.set_scope(Scope.NOTE)

    @Slot(object)
    def go_to(self, place: NotePlace) -> None:
        """Show the section at ``place``; ``back`` returns from there."""
        if self.request:
            old = self.request
            self._leave_for(PreviewRequest(old.result, *place, Scope.SECTION, old.query))

    @Slot()
    def back(self) -> None:
        """Return to the section in which the user followed a link."""
        self._step(self._past, self._future)

    @Slot()
    def forward(self) -> None:
        """Return to the section that ``back`` left."""
        self._step(self._future, self._past)

    def _step(self, source: list[PreviewRequest], target: list[PreviewRequest]) -> None:
        if source and self.request:
            target.append(self.request)
            self._ask(source.pop())

    def _leave_for(self, request: PreviewRequest) -> None:
        if self.request and request != self.request:
            self._past.append(self.request)
            self._future.clear()
            self._ask(request)

    @Slot(int)
    def _go_to_line(self, line: int) -> None:
        if self.content:
            self.go_to((self.content.text.path, line))

    @Slot(str)
    def _follow_link(self, target: str) -> None:
        url = QUrl(target)
        if url.scheme() in {"http", "https", "mailto"}:
            QDesktopServices.openUrl(url)
        elif url.scheme() == "section":
            self._go_to_line(int(target.removeprefix("section:")))
        elif url.scheme() == "note" and self.request:
            old = self.request
            path = self.content.text.path if self.content else old.path
            link = target.removeprefix("note:")
            self._leave_for(PreviewRequest(old.result, path, 0, Scope.SECTION, old.query, link))

    def _ask(self, request: PreviewRequest) -> None:
        browser = self._pane.browser
        width = browser.picture_width(self._pane.width())  # a hidden browser has another width
        self.request = replace(request, image_width=width, visible_lines=browser.visible_lines())
        if self._workers is None:
            return
        self._is_outdated = False
        self._workers.read(self.request)
        is_on_screen = self._answer is not None and self._answer.request == request
        if is_on_screen:
            self._late.stop()
        elif not self._late.isActive():
            self._late.start()

    @Slot()
    def _show_rendering(self) -> None:
        """Show a message instead of the previous section, which is no longer the selected one."""
        self._answer = None
        self._pane.show_message(translate("Rendering…"))


def _identity(result: SectionResult) -> tuple[str, int, tuple[str, ...]]:
    """Return what two results of the same section have in common."""
    return result.path, result.line, result.section_path


def _passage(result: SectionResult) -> str:
    """Return the text in which to find the nearest sentence; empty if matching words are marked."""
    return result.passage if result.by_meaning_alone else ""
