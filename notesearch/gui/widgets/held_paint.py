"""Leaves what a widget shows on the screen until what is to replace it is complete: the preview."""

from PySide6.QtCore import QEvent, QObject, QTimer, Slot
from PySide6.QtWidgets import QWidget

_LONGEST_MS = 40


class HeldPaint(QObject):
    """Has a widget and all in it painted once, not for each of the parts that come together.

    It is painted after 40 ms at the latest, and at once in another size: nothing is there yet.
    """

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self._widget = widget
        self._longest = QTimer(self, singleShot=True, interval=_LONGEST_MS)
        self._longest.timeout.connect(self.let)
        widget.installEventFilter(self)

    @Slot()
    def hold(self) -> None:
        """Paint nothing for a while; that it is held already makes it no longer."""
        if not self._longest.isActive():
            self._longest.start()
            self._widget.setUpdatesEnabled(False)

    @Slot()
    def let(self) -> None:
        """Paint what is there now."""
        if self._longest.isActive() or not self._widget.updatesEnabled():
            self._longest.stop()
            self._widget.setUpdatesEnabled(True)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Notice another size."""
        if event.type() == QEvent.Type.Resize:
            self.let()
        return False
