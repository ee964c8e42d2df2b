"""A picture of the window with what a query finds, drawn without a display when all is on show."""

from pathlib import Path

from PySide6.QtCore import QEventLoop, QObject, QTimer, Signal, SignalInstance, Slot

from notesearch.config import Paths, Settings
from notesearch.gui.app import App
from notesearch.gui.front import Front
from notesearch.gui.session.read_worker import Matches, Reading, ReadRequest
from notesearch.gui.start import make_application

_LONGEST_MS = 120_000
_READINGS = 2
"""What comes of one request at most: what is there at once, and what was waited for."""
_WHOLE_MS = 30_000
"""A section of which something is never drawn is taken as it is then."""


def save_picture(vault: Path, settings: Settings, paths: Paths, target: Path, query: str) -> None:
    """Save a picture of the window on ``vault`` with what ``query`` finds; no display is needed.

    The same notes make the same picture, however busy the machine is: nothing in it blinks, and
    what takes long is waited for, formulas and pictures included.
    """
    application = make_application()
    application.setCursorFlashTime(0)
    base = application.font()
    base.setPointSizeF(10)
    application.setFont(base)
    app = App(Front(settings, paths))
    preview = _Preview(app)
    app.window.resize(app.window.sizeHint())
    app.window.show()
    app.start(vault)
    try:
        _wait_for(app.vaults.idle)
        app.window.field.set_text(query)
        _wait_for(app.search.settled)
        if app.window.results.view.section and not preview.is_complete:
            _wait_for(preview.completed, _WHOLE_MS)
        app.window.grab().save(str(target))
    finally:
        app.close()


def _wait_for(signal: SignalInstance, milliseconds: int = _LONGEST_MS) -> None:
    """Run the event loop until ``signal``, or for at most so long."""
    loop = QEventLoop()
    signal.connect(loop.quit)
    QTimer.singleShot(milliseconds, loop.quit)
    loop.exec()


class _Preview(QObject):
    """Sees to it that the preview shows all of its section, with its matches.

    On a busy machine the processes that draw may answer too late; then they are asked again.

    Signals:
        completed: All of it is on show.
    """

    completed = Signal()

    def __init__(self, app: App) -> None:
        super().__init__()
        self._reading = app.reading
        self._list = app.window.results.view
        self._request: ReadRequest | None = None
        self._incomplete = 0
        self._is_whole = False
        self._wanted = self._marked = 0
        app.preview.matches_wanted.connect(self._on_matches_wanted)
        app.vaults.loaded.connect(self._on_loaded)
        app.vaults.matched.connect(self._on_matched)

    @property
    def is_complete(self) -> bool:
        """Whether what is selected is on show, whole and marked."""
        selected, request = self._list.section, self._request
        if selected is None or request is None or request != self._reading.request:
            return False
        is_selected = (selected.path, selected.line) == (request.path, request.line)
        return is_selected and self._is_whole and self._wanted == self._marked

    @Slot(object)
    def _on_loaded(self, reading: Reading) -> None:
        if reading.request != self._request:
            self._request, self._incomplete = reading.request, 0
        self._is_whole = reading.whole
        self._incomplete += not reading.whole
        if self._incomplete == _READINGS:
            self._incomplete = 0
            self._reading.asked.emit(self._reading.request)
        self._tell()

    @Slot(int)
    def _on_matches_wanted(self, ticket: int) -> None:
        self._wanted = ticket

    @Slot(int, object)
    def _on_matched(self, ticket: int, _: Matches) -> None:
        self._marked = ticket
        self._tell()

    def _tell(self) -> None:
        if self.is_complete:
            self.completed.emit()
