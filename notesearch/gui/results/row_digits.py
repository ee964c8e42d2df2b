"""Alt+1 to Alt+9 open the rows in view; while Alt is held, the rows show their digits."""

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QInputEvent, QKeyEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QApplication, QWidget

from notesearch.gui.results.results_view import ResultsView

_DELAY_MS = 150
"""Someone who presses Alt+Up does not want to see digits."""


class RowDigits(QObject):
    """Watches the Alt key in ``window`` for its result list.

    Signals:
        chosen: The section with the pressed digit is selected now and should be opened.
    """

    chosen = Signal()

    def __init__(self, window: QWidget, view: ResultsView) -> None:
        super().__init__(window)
        self._view = view
        self._delay = QTimer(self, singleShot=True, interval=_DELAY_MS)
        self._delay.timeout.connect(self._show)
        window.installEventFilter(self)
        for digit in range(1, 10):
            shortcut = QShortcut(QKeySequence(f"Alt+{digit}"), window)
            shortcut.setAutoRepeat(False)
            shortcut.activated.connect(self._choose)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Show the digits for Alt alone; hide them when it is released or the window changes."""
        if watched is not self.parent():
            # A desktop that takes Alt+Shift+Up also keeps the release of Alt to itself.
            if isinstance(event, QInputEvent) and not _has_alt(event):
                self._hide()
        elif event.type() == QEvent.Type.WindowDeactivate:
            self._hide()
        elif isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Alt:
            if event.type() == QEvent.Type.KeyPress and not event.isAutoRepeat():
                self._delay.start()
            elif event.type() == QEvent.Type.KeyRelease and not event.isAutoRepeat():
                self._hide()
        return bool(super().eventFilter(watched, event))

    @Slot()
    def _show(self) -> None:
        self._view.set_numbered(True)
        QApplication.instance().installEventFilter(self)  # type: ignore[union-attr]

    def _hide(self) -> None:
        self._delay.stop()
        QApplication.instance().removeEventFilter(self)  # type: ignore[union-attr]
        self._view.set_numbered(False)

    @Slot()
    def _choose(self) -> None:
        shortcut = self.sender()
        assert isinstance(shortcut, QShortcut)
        digit = int(shortcut.key().toString().removeprefix("Alt+"))
        self._hide()
        if self._view.select_numbered(digit):
            self.chosen.emit()


def _has_alt(event: QInputEvent) -> bool:
    """Return whether Alt is held down or is the key of the event."""
    if isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Alt:
        return True
    return bool(event.modifiers() & Qt.KeyboardModifier.AltModifier)
