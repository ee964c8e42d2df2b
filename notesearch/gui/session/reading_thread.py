"""The thread that reads notes for one window: for its preview, its popovers and its recent list."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from notesearch.gui.preview.svg import DrawingProcess
from notesearch.gui.session import lookups
from notesearch.gui.session.lookups import (
    CompletionRequest,
    CountRequest,
    ExamplesRequest,
    RecentRequest,
    RelatedRequest,
)
from notesearch.gui.session.newest_worker import NewestWorker
from notesearch.gui.session.section_reader import PreviewAnswer, PreviewRequest, SectionReader
from notesearch.gui.translation import translate

if TYPE_CHECKING:
    from notesearch.library import NoteLibrary


_ANY_NOTE = "note.md"


class WarmUpRequest:
    """Asks to import what most sections need, so that the first one does not wait for it."""


ReadingRequest = (
    PreviewRequest
    | RecentRequest
    | CountRequest
    | RelatedRequest
    | CompletionRequest
    | ExamplesRequest
    | WarmUpRequest
)


class ReadingThread(NewestWorker[ReadingRequest]):
    """Answers reading requests from ``begin`` on; earlier ones wait.

    Signals:
        answered: A ``PreviewAnswer``; better ones for the same request may follow.
        recalled: ``RecentSections``, the answer to a ``RecentRequest``.
        counted: ``MatchCounts``, the answer to a ``CountRequest``.
        related: ``RelatedSections``, the answer to a ``RelatedRequest``.
        completed: ``Completions``, the answer to a ``CompletionRequest``.
        exemplified: ``Examples``, the answer to an ``ExamplesRequest``.
    """

    answered = Signal(object)
    recalled = Signal(object)
    counted = Signal(object)
    related = Signal(object)
    completed = Signal(object)
    exemplified = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._library: NoteLibrary | None = None
        self._drawings = DrawingProcess()

    def begin(self, library: "NoteLibrary") -> None:
        """Start the thread on the open ``library``."""
        self._library = library
        self._reader = SectionReader(library, self._drawings, self.slot.replaced)
        self.start()

    def run(self) -> None:
        """Answer requests until stopped."""
        if self._library is not None:
            self._library.links(_ANY_NOTE).ready(0)
        try:
            super().run()
        finally:
            self._drawings.close()

    def work(self, request: ReadingRequest) -> None:
        """Answer one request."""
        assert self._library is not None
        match request:
            case PreviewRequest():
                for answer in self._reader.answers(request):
                    self.answered.emit(answer)
            case CountRequest():
                self.counted.emit(lookups.count_matches(self._library, request))
            case RelatedRequest():
                self.related.emit(lookups.find_related(self._library, request))
            case CompletionRequest():
                self.completed.emit(lookups.find_completions(self._library, request))
            case ExamplesRequest():
                self.exemplified.emit(lookups.find_examples(self._library))
            case RecentRequest():
                self.recalled.emit(lookups.find_recent(self._library, request))
            case WarmUpRequest():
                from notesearch.markdown.render.section_html import warm_up

                warm_up()

    def give_up(self, request: ReadingRequest) -> None:
        """Show a sentence in place of a section that caused an unexpected error."""
        if isinstance(request, PreviewRequest):
            problem = translate("preview", "This section can't be shown.")
            self.answered.emit(PreviewAnswer(request, problem=problem))
