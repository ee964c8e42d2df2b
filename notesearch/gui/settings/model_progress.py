"""How far something is that the models' settings have begun, and what came of it."""

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QPushButton, QVBoxLayout, QWidget

from notesearch.gui.settings.settings_page import button, said
from notesearch.gui.translation import translate
from notesearch.gui.widgets.told import told

_STEPS = 1000


class JobProgress(QWidget):
    """A bar with Cancel beside it while something goes on, then a sentence.

    Signals:
        cancelled: The user wants no more of it.
    """

    cancelled = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.bar = QProgressBar()
        self.bar.setAccessibleName(translate("settings", "Progress"))
        self.bar.setTextVisible(False)
        self.cancel: QPushButton = button(translate("settings", "Cancel"), self._cancel)
        self.outcome = said("")
        line = QHBoxLayout()
        line.addWidget(self.bar, 1)
        line.addWidget(self.cancel)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addLayout(line)
        column.addWidget(self.outcome)
        self.end()

    def begin(self, *, known_share: bool, can_be_cancelled: bool) -> None:
        """Show that something has begun."""
        self.tell("")
        self.bar.setRange(0, _STEPS if known_share else 0)
        self.bar.setValue(0)
        self.bar.show()
        self.cancel.setVisible(can_be_cancelled)
        self.cancel.setEnabled(True)
        self.show()

    @Slot(float)
    def show_share(self, share: float) -> None:
        """Show how much of it is done, 0 to 1."""
        self.bar.setValue(round(share * _STEPS))

    @Slot()
    def end(self) -> None:
        """Show that nothing goes on any more."""
        self.bar.hide()
        self.cancel.hide()
        self.setVisible(bool(self.outcome.text()))

    @Slot(str)
    def tell(self, text: str) -> None:
        """Say what came of it."""
        self._say(text, "text2")

    @Slot(str)
    def tell_failure(self, text: str) -> None:
        """Say why nothing came of it."""
        self._say(told(text), "danger")

    def _say(self, text: str, tone: str) -> None:
        self.outcome.setProperty("tone", tone)
        self.outcome.style().polish(self.outcome)
        self.outcome.setText(text)
        self.outcome.setAccessibleName(text)
        self.outcome.setVisible(bool(text))
        self.setVisible(bool(text) or not self.bar.isHidden())

    @Slot()
    def _cancel(self) -> None:
        self.cancel.setEnabled(False)
        self.cancelled.emit()
