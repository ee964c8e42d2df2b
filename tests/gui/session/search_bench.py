"""A window whose searches the test itself answers."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit

from notesearch.gui.results.results_model import ResultRow, ResultsModel
from notesearch.gui.session.search_controller import SearchController
from notesearch.gui.session.search_worker import SearchAnswer, SearchRequest
from notesearch.gui.widgets.theme import LIGHT
from notesearch.gui.window.main_window import MainWindow
from notesearch.results import Mode, NoteResult
from tests.gui.sample_results import result


class Recorder:
    """Stands in for the searching threads and records their requests."""

    def __init__(self) -> None:
        self.requests: list[SearchRequest] = []
        self.library: object = "an open library"
        self.listener: Callable[[SearchRequest], None] = lambda _request: None

    def search(self, request: SearchRequest) -> None:
        self.requests.append(request)
        self.listener(request)


class Bench:
    """A window that the test itself answers."""

    def __init__(self) -> None:
        self.model = ResultsModel()
        self.window = MainWindow(LIGHT)
        self.window.furnish(self.model)
        self.workers = Recorder()
        self.requests = self.workers.requests
        self.controller = SearchController(
            self.window,
            lambda workers=self.workers: workers,  # type: ignore[misc]
            lambda _query: (),
            self.window,
        )
        self.opened: list[str] = []
        self.window.field.escaped.connect(self._escape)
        self.window.results.view.opened.connect(self._note_opened)
        self.window.resize(700, 400)

    def _note_opened(self) -> None:
        self.opened.append(self.selected)

    def _escape(self) -> None:
        if not self.controller.cancel_enter():
            self.window.field.clear()

    def type(self, text: str) -> None:
        self.window.field.set_text(text)
        QApplication.processEvents()  # until the text is painted, and the request follows

    def answer(self, *notes: NoteResult, final: bool = False, took_ms: float = 1.0) -> None:
        request = self.requests[-1]
        mode = Mode.HYBRID if final else Mode.WORDS
        missing = () if notes else ("xyzzy",)
        found = result(request.text, *notes, mode=mode, took_ms=took_ms, missing=missing)
        self.controller.answer(SearchAnswer(request, found, final))

    def press(self, key: Qt.Key) -> None:
        field = self.window.field.findChild(QLineEdit)
        assert field is not None
        QTest.keyClick(field, key)

    @property
    def sections(self) -> list[str]:
        return [row.result.section for row in self.model.rows if isinstance(row, ResultRow)]

    @property
    def selected(self) -> str:
        section = self.window.results.view.section
        return section.section if section else ""

    @property
    def y(self) -> int:
        view = self.window.results.view
        return view.visualRect(view.currentIndex()).top()
