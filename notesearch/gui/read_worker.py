"""The reading thread: reads the section for the preview from its file, and finds its matches."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from notesearch.errors import NotesearchError
from notesearch.gui.newest import NewestWorker
from notesearch.notes import Scope, SectionResult, SectionText

if TYPE_CHECKING:
    from notesearch.library import NoteLibrary


@dataclass(frozen=True, slots=True)
class ReadRequest:
    """What the preview is to show: the section at ``line`` of the note at ``path``.

    Attributes:
        result: The result it belongs to.
        query: Its words are marked.
    """

    result: SectionResult
    path: str
    line: int
    scope: Scope
    query: str


@dataclass(frozen=True, slots=True)
class Reading:
    """What was read; ``text`` is None where ``problem`` says why it could not be."""

    request: ReadRequest
    text: SectionText | None
    problem: str = ""


class ReadWorker(NewestWorker[ReadRequest]):
    """Reads in a thread of its own.

    Signals:
        loaded: A ``Reading``.
    """

    loaded = Signal(object)

    def __init__(self, library: "NoteLibrary", parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._library = library

    def run(self) -> None:
        """Import what the preview will need, then read until stopped."""
        import notesearch.markdown.render  # noqa: F401 - 40 ms better spent here

        super().run()

    def work(self, request: ReadRequest) -> None:
        """Read one section."""
        try:
            text = self._library.read_at(request.path, request.line, request.scope)
        except NotesearchError as error:
            self.loaded.emit(Reading(request, None, str(error)))
        else:
            self.loaded.emit(Reading(request, text))
