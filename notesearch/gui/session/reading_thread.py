"""The thread of a window that reads notes: for the preview, and for questions about them."""

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal, Slot

from notesearch.errors import NotesearchError
from notesearch.gui.preview.svg import DrawingProcess
from notesearch.gui.session.section_reader import PreviewAnswer, PreviewRequest, SectionReader
from notesearch.gui.session.worker_threads import NewestWorker
from notesearch.gui.translation import translate

if TYPE_CHECKING:
    from notesearch.gui.session.search_worker import SearchedLibrary

log = logging.getLogger(__name__)

_ANY_NOTE = "note.md"
_PAINTED_S = 0.03
"""Seconds until an answer is painted. Better answers wait: Python runs one thread at a time."""


def _ignore(_answer: object) -> None:
    """Drop an answer for which nobody waits."""


@dataclass(slots=True, eq=False)
class Question:
    """Asks something about the notes. Only the newest question of each kind is answered.

    Attributes:
        kind: A word for the log that names the question.
        find: Called in the reading thread; returns the answer.
        heard: Called in the GUI thread with the answer, unless the thread was stopped. ``ask``
            keeps it apart from the question, so that no thread destroys it.
        nothing: The answer after an error; None for no answer.
    """

    kind: str
    find: Callable[["SearchedLibrary"], object]
    heard: Callable[[Any], object] = _ignore
    nothing: object = None


ReadingRequest = PreviewRequest | Question


def _kind(request: ReadingRequest) -> str:
    return request.kind if isinstance(request, Question) else ""


class ReadingThread(NewestWorker[ReadingRequest]):
    """Answers reading requests once begun; ``answered`` carries each ``PreviewAnswer``."""

    answered = Signal(object)
    _found = Signal(object, object)
    _library: "SearchedLibrary"
    _reader: SectionReader

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent, kind=_kind)
        self._drawings = DrawingProcess()
        self._newest: dict[str, tuple[Question, Callable[[Any], object]]] = {}
        self._found.connect(self._pass_on)

    def ask(self, request: ReadingRequest) -> None:
        """Pass a request to the thread. Call this in the GUI thread."""
        if isinstance(request, Question):
            self._newest[request.kind] = request, request.heard
            # Else the thread may be the last to release a window, which must not die there.
            request.heard = _ignore
        super().ask(request)

    def stop(self) -> None:
        """Let the thread end soon, without answering the questions that still wait."""
        self._newest.clear()
        super().stop()

    def begin(self, library: "SearchedLibrary") -> None:
        """Start the thread on the open ``library``."""
        self._library = library
        self._reader = SectionReader(library, self._drawings, self.slot.replaced)
        self.start()

    def run(self) -> None:
        """Answer requests until stopped."""
        for part in self._library.parts.values():
            part.links(_ANY_NOTE).ready(0)
        try:
            super().run()
        finally:
            self._drawings.close()

    def work(self, request: ReadingRequest) -> None:
        """Answer one request; between two answers for a preview, also what is asked meanwhile."""
        if isinstance(request, PreviewRequest):
            for answered in self._reader.answers(request):
                self.answered.emit(answered)
                self.slot.outdated_before(time.monotonic() + _PAINTED_S)
                self._answer_questions(request)
            return
        try:
            answer = request.find(self._library)
        except NotesearchError as error:
            log.info("no %s: %s", request.kind, error)
            self.give_up(request)
            return
        self._found.emit(request, answer)

    def _answer_questions(self, preview: PreviewRequest) -> None:
        """Answer the questions that wait, unless a newer request replaces ``preview``."""
        while self.slot.outdated() and not self.slot.replaced(preview):
            question = self.slot.take()
            if question is not None:
                self.answer(question)

    @Slot(object, object)
    def _pass_on(self, question: Question, answer: object) -> None:
        newest, heard = self._newest.get(question.kind, (None, _ignore))
        if newest is question:
            heard(answer)

    def give_up(self, request: ReadingRequest) -> None:
        """Answer after an error: a sentence instead of a section, or ``nothing`` of a question."""
        if isinstance(request, Question):
            if request.nothing is not None:
                self._found.emit(request, request.nothing)
        else:
            problem = translate("This section cannot be shown.")
            self.answered.emit(PreviewAnswer(request, problem=problem))
