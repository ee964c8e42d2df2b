"""The popover that asks for the name and the keyboard shortcut of a starred query."""

from collections.abc import Container

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFormLayout, QHBoxLayout, QLineEdit, QPushButton, QWidget

from notesearch.gui.system.shortcut.keys import native_text
from notesearch.gui.translation import translate
from notesearch.gui.widgets.controls import DropDown
from notesearch.gui.widgets.labels import text_label
from notesearch.gui.widgets.popover import Popover
from notesearch.gui.widgets.theme import px

STAR_KEYS = tuple(f"Ctrl+Shift+F{number}" for number in range(1, 10))
"""The shortcuts to choose from. No other action of the windows has them."""

_WIDTH = 320


class StarPopover(Popover):
    """A popover with a name, a shortcut and a button.

    Signals:
        saved: The user confirms; carries the name and the shortcut, which may be empty.
    """

    saved = Signal(str, str)

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self.setAccessibleName(translate("window", "Starred query"))

    def fill(self) -> None:
        """Put the form into the card."""
        self.name = QLineEdit()
        self.name.setPlaceholderText(translate("window", "Optional"))
        self.name.returnPressed.connect(self._save)
        self.keys = DropDown()
        self.button = QPushButton(translate("window", "Save"))
        self.button.clicked.connect(self._save)
        self.button.setProperty("primary", "true")
        self._title = text_label(self.accessibleName(), role="strong", wrap=False)
        self._form = QFormLayout(self.card)
        self._form.setLabelAlignment(Qt.AlignmentFlag.AlignVCenter)
        self._form.addRow(self._title)
        self._form.addRow(translate("window", "Name"), self.name)
        self._form.addRow(translate("window", "Shortcut"), self.keys)
        self._form.addRow(self._last_row())
        self.name.setAccessibleName(translate("window", "Name"))
        self.keys.setAccessibleName(translate("window", "Shortcut"))

    def edit(self, name: str, keys: str, taken: Container[str], anchor: QWidget) -> None:
        """Open below ``anchor`` with ``name`` and ``keys`` filled in.

        ``taken`` has the shortcuts of other starred queries; they are not offered.
        """
        self.furnish()
        self.name.setText(name)
        self.keys.clear()
        self.keys.addItem(translate("window", "None"), "")
        for shortcut in STAR_KEYS:
            if shortcut not in taken:
                self.keys.addItem(native_text(shortcut), shortcut)
        self.keys.setCurrentIndex(max(0, self.keys.findData(keys)))
        self._form.setContentsMargins(px(14), px(12), px(14), px(14))
        self._form.setHorizontalSpacing(px(12))
        self._form.setVerticalSpacing(px(8))
        for part in (self.name, self.keys):
            part.setMinimumHeight(px(30))
        self.card.setMinimumWidth(px(_WIDTH))
        self.pop_up(self.name, anchor)
        self.name.selectAll()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Save on Enter, wherever the focus is."""
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self._save()
            event.accept()
        else:
            super().keyPressEvent(event)

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Move the focus to the next or previous widget of the popover; return True."""
        widgets: tuple[QWidget, ...] = (self.name, self.keys, self.button)
        index = next((n for n, widget in enumerate(widgets) if widget.hasFocus()), 0)
        target = widgets[(index + (1 if forward else -1)) % len(widgets)]
        target.setFocus(Qt.FocusReason.TabFocusReason)
        return True

    def _last_row(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.addStretch(1)
        row.addWidget(self.button)
        return row

    @Slot()
    def _save(self) -> None:
        name, keys = " ".join(self.name.text().split()), self.keys.currentData()
        self.close_up()
        self.saved.emit(name, keys)
