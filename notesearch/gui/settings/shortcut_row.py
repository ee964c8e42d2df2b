"""The controls of the global shortcut: a field that records keys, and its state."""

from PySide6.QtCore import QKeyCombination, QSize, Qt, Slot
from PySide6.QtGui import QFocusEvent, QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QHBoxLayout,
    QKeySequenceEdit,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from notesearch.gui.settings.settings_page import button, text_label
from notesearch.gui.system.key_names import native_text
from notesearch.gui.system.shortcut.global_shortcut import Kind, Remedy
from notesearch.gui.system.shortcut.shortcut_controller import ShortcutController
from notesearch.gui.translation import translate
from notesearch.gui.widgets.theme import px

_FRAME = 28
"""Width of a field's frame and margins."""


class ShortcutRow(QWidget):
    """Records a shortcut and shows its state and remedy."""

    def __init__(self, controller: ShortcutController) -> None:
        super().__init__()
        self._controller = controller
        self.keys = KeysField(controller)
        self.keys.setAccessibleName(translate("settings", "Global shortcut"))
        self._clear = button(translate("settings", "Clear"), self._clear_shortcut)
        self._help: QPushButton = button("", controller.help)
        self.sentence = text_label("", role="meta", tone="text2")
        line = QHBoxLayout()
        for widget in (self.keys, self._clear):
            line.addWidget(widget)
        line.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addLayout(line)
        column.addWidget(self.sentence)
        column.addWidget(self._help, 0, Qt.AlignmentFlag.AlignLeft)
        self.setFocusProxy(self.keys)
        controller.changed.connect(self._show)
        self._show()

    @Slot()
    def _show(self) -> None:
        state = self._controller.state
        wrong = state.kind in {Kind.TAKEN, Kind.UNAVAILABLE}
        self.sentence.setText(state.sentence)
        self.sentence.setProperty("tone", "danger" if wrong else "text2")
        self.sentence.style().polish(self.sentence)
        self.keys.setAccessibleDescription(state.sentence)
        remedy = _remedy(state.remedy)
        self._help.setText(remedy)
        self._help.setVisible(bool(remedy))
        self._clear.setEnabled(bool(self._controller.chosen))
        if not self.keys.hasFocus():  # changed elsewhere
            self.keys.show_chosen()

    @Slot()
    def _clear_shortcut(self) -> None:
        self._controller.choose("")
        self.keys.show_chosen()


class KeysField(QKeySequenceEdit):
    """Records one key combination; the old shortcut is suspended while it has the focus."""

    def __init__(self, controller: ShortcutController) -> None:
        super().__init__()
        self._controller = controller
        self.setMaximumSequenceLength(1)
        back = QKeyCombination(Qt.KeyboardModifier.ShiftModifier, Qt.Key.Key_Backtab)
        self.setFinishingKeyCombinations([QKeyCombination(Qt.Key.Key_Tab), back])
        self.editingFinished.connect(self._choose)
        self.show_chosen()

    def show_chosen(self) -> None:
        """Show the shortcut in the settings."""
        self.setKeySequence(QKeySequence(self._controller.chosen))
        self.updateGeometry()
        if (edit := self.findChild(QLineEdit)) is not None:  # Qt's own placeholder does not fit
            edit.setAccessibleName(translate("settings", "Global shortcut"))
            edit.setPlaceholderText(_placeholder())

    def minimumSizeHint(self) -> QSize:
        """Return room for the keys and for the placeholder."""
        texts = native_text(self._controller.chosen), _placeholder()
        widest = max(self.fontMetrics().horizontalAdvance(text) for text in texts)
        return super().minimumSizeHint().expandedTo(QSize(widest + px(_FRAME), 0))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Leave Escape to the dialog, which closes."""
        if event.key() == Qt.Key.Key_Escape and not event.modifiers():
            event.ignore()
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Receive all keys, even those that open quick search."""
        super().focusInEvent(event)
        self._controller.suspend()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Resume the shortcut and show the one in the settings."""
        super().focusOutEvent(event)
        self._controller.resume()
        self.show_chosen()

    @Slot()
    def _choose(self) -> None:
        text = self.keySequence().toString(QKeySequence.SequenceFormat.PortableText)
        if text and text != self._controller.chosen:
            self._controller.choose(text)


def _placeholder() -> str:
    return translate("settings", "Press shortcut")


def _remedy(remedy: Remedy) -> str:
    """Return the label of the button for ``remedy``; empty if it needs none."""
    buttons = {
        Remedy.CONFIGURE: translate("settings", "Change in desktop settings…"),
        Remedy.TRY_AGAIN: translate("settings", "Try again"),
        Remedy.COPY_COMMAND: translate("settings", "Copy command"),
    }
    return buttons.get(remedy, "")
