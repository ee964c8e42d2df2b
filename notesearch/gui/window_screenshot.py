"""Saves a picture of the window with the results of a query, without a display."""

from pathlib import Path

from PySide6.QtCore import QEventLoop, QTimer, SignalInstance

from notesearch.config import Paths, Settings
from notesearch.gui.app import App
from notesearch.gui.start import FirstPaint, make_application

_MAX_MS = 120_000
_MAX_PREVIEW_MS = 30_000
"""After this time, the preview is drawn even if it is not complete."""
_RETRY_MS = 3_000


def save_screenshot(
    vault: Path, settings: Settings, paths: Paths, target: Path, query: str
) -> None:
    """Save a picture of the window on ``vault`` with the results of ``query``.

    The same notes give the same picture on a busy machine, too: nothing blinks, and slow parts such
    as formulas and pictures are complete.
    """
    application = make_application()
    application.setCursorFlashTime(0)
    base = application.font()
    base.setPointSizeF(10)
    application.setFont(base)
    app = App(FirstPaint(settings, paths))
    app.window.resize(app.window.sizeHint())
    app.window.show()
    app.start(vault)
    try:
        _wait_for(app.vault.idle)
        app.window.field.set_text(query)
        _wait_for(app.pane.search.settled)
        if app.window.results.view.section:
            _wait_for_preview(app)
        application.processEvents()  # lays a message out, too
        app.window.grab().save(str(target))
    finally:
        app.close()


def _wait_for(signal: SignalInstance) -> None:
    """Run the event loop until ``signal`` is emitted, or at most ``_MAX_MS``."""
    loop = QEventLoop()
    signal.connect(loop.quit)
    QTimer.singleShot(_MAX_MS, loop.quit)
    loop.exec()


def _wait_for_preview(app: App) -> None:
    """Wait until the preview shows all of the selected section, or at most ``_MAX_PREVIEW_MS``.

    Pictures and formulas that have missed their time limits on a busy machine are drawn again.
    """
    if _is_preview_complete(app):
        return
    loop, retry = QEventLoop(), QTimer(interval=_RETRY_MS)

    def look() -> None:
        if _is_preview_complete(app):
            loop.quit()

    app.pane.preview.shown.connect(look)
    retry.timeout.connect(app.pane.preview.reload)
    retry.start()
    QTimer.singleShot(_MAX_PREVIEW_MS, loop.quit)
    loop.exec()
    app.pane.preview.shown.disconnect(look)


def _is_preview_complete(app: App) -> bool:
    selected, request = app.window.results.view.section, app.pane.preview.request
    if selected is None or request is None:
        return False
    is_selected = (selected.path, selected.line) == (request.path, request.line)
    return is_selected and app.pane.preview.is_complete
