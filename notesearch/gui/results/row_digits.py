"""Alt+1 to Alt+9: opens the n-th row on show; the digits stand on the rows while Alt is held."""

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QInputEvent, QKeyEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QApplication, QWidget

from notesearch.gui.results.results_view import ResultsView

_HELD_MS = 150  # who presses Alt+Up does not want to see digits


class RowDigits(QObject):
    """Watches the Alt key of ``window`` for its list.

    Signals:
        chosen: The section with that digit is selected now, and to be opened.
    """

    chosen = Signal()

    def __init__(self, window: QWidget, view: ResultsView) -> None:
        super().__init__(window)
        self._view = view
        self._held = QTimer(self)
        self._held.setSingleShot(True)
        self._held.setInterval(_HELD_MS)
        self._held.timeout.connect(self._show)
        window.installEventFilter(self)
        for digit in range(1, 10):
            shortcut = QShortcut(QKeySequence(f"Alt+{digit}"), window)
            shortcut.setAutoRepeat(False)
            shortcut.activated.connect(self._choose)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Notice Alt alone, and whatever ends it."""
        if watched is not self.parent():
            # A desktop that takes Alt+Shift+Up keeps the release of Alt for itself, too.
            if isinstance(event, QInputEvent) and not _with_alt(event):
                self._hide()
        elif event.type() == QEvent.Type.WindowDeactivate:
            self._hide()
        elif isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Alt:
            if event.type() == QEvent.Type.KeyPress and not event.isAutoRepeat():
                self._held.start()
            elif event.type() == QEvent.Type.KeyRelease and not event.isAutoRepeat():
                self._hide()
        return bool(super().eventFilter(watched, event))

    @Slot()
    def _show(self) -> None:
        self._view.set_numbered(True)
        QApplication.instance().installEventFilter(self)  # type: ignore[union-attr]

    def _hide(self) -> None:
        self._held.stop()
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


def _with_alt(event: QInputEvent) -> bool:
    """Whether Alt is held down meanwhile, or is what is pressed."""
    if isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Alt:
        return True
    return bool(event.modifiers() & Qt.KeyboardModifier.AltModifier)
