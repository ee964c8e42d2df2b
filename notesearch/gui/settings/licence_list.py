"""All parts of the program with their licences in full: behind a button of the settings."""

from collections.abc import Sequence

from PySide6.QtCore import QObject, Qt, QThread, Signal, Slot
from PySide6.QtWidgets import (
    QDialog,
    QListWidget,
    QPlainTextEdit,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from notesearch.gui.translation import translate
from notesearch.gui.widgets.dialog_foot import closing
from notesearch.gui.widgets.theme import px
from notesearch.licences import Component, components


class _Asking(QThread):
    """Reads what is installed in a thread of its own, as that takes some tenths of a second.

    Signals:
        answered: All parts (tuple of ``Component``).
    """

    answered = Signal(object)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)

    def run(self) -> None:
        """Ask once."""
        self.answered.emit(components())

    @Slot()
    def end(self) -> None:
        """Return when it has ended."""
        self.wait()


class LicenceList(QDialog):
    """The parts at the left, the text of the one selected at the right."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(translate("settings", "Licences"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._parts: Sequence[Component] = ()
        self.names = QListWidget()
        self.names.setObjectName("boxedList")
        self.names.setAccessibleName(translate("settings", "Components"))
        self.names.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.names.currentRowChanged.connect(self._show)
        self.text = QPlainTextEdit()
        self.text.setAccessibleName(translate("settings", "Full licence text"))
        self.text.setReadOnly(True)
        self.text.setTabChangesFocus(True)
        both = QSplitter()
        for widget in (self.names, self.text):
            both.addWidget(widget)
        both.setSizes([px(300), px(620)])
        column = QVBoxLayout(self)
        column.addWidget(both, 1)
        column.addWidget(closing(self))
        self.resize(px(960), px(560))
        self._asking = _Asking(self)
        self._asking.answered.connect(self._fill)
        self.destroyed.connect(self._asking.end)  # whoever takes it down: its thread ends before it
        self._asking.start()

    @Slot(object)
    def _fill(self, parts: Sequence[Component]) -> None:
        self._parts = parts
        self.names.addItems(
            [f"{part.name} {part.version}".rstrip() + f": {part.licence}" for part in parts]
        )
        self.names.setCurrentRow(0)
        self.names.setFocus()

    @Slot(int)
    def _show(self, row: int) -> None:
        if 0 <= row < len(self._parts):
            part = self._parts[row]
            self.text.setPlainText("\n".join([*part.inside, *part.texts]))
