"""A popover with a form for a starred query."""

from collections.abc import Container

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFormLayout, QHBoxLayout, QLineEdit, QPushButton, QWidget

from notesearch.gui.translation import shortcut_text, translate
from notesearch.gui.widgets.controls import DropDown, text_label
from notesearch.gui.widgets.popover import Popover
from notesearch.gui.widgets.theme import px

STAR_KEYS = tuple(f"Ctrl+Shift+F{number}" for number in range(1, 10))
"""The shortcuts to choose from. No other action of the windows has them."""
_STAR_WIDTH = 320


class StarPopover(Popover):
    """A form to name a query; ``saved`` carries the name and the shortcut, which may be empty."""

    saved = Signal(str, str)

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self.setAccessibleName(translate("Starred query"))

    def fill_card(self) -> None:
        """Put the form into the card."""
        self.name = QLineEdit()
        self.name.setPlaceholderText(translate("Optional"))
        self.keys = DropDown()
        self.button = QPushButton(translate("Save"))
        self.button.clicked.connect(self._save)
        self.button.setProperty("primary", "true")
        self._form = QFormLayout(self.card)
        self._form.setLabelAlignment(Qt.AlignmentFlag.AlignVCenter)
        self._form.addRow(text_label(self.accessibleName(), role="strong", wrap=False))
        self._form.addRow(translate("Name"), self.name)
        self._form.addRow(translate("Shortcut"), self.keys)
        row = QHBoxLayout()
        row.addStretch(1)
        row.addWidget(self.button)
        self._form.addRow(row)
        self.name.setAccessibleName(translate("Name"))
        self.keys.setAccessibleName(translate("Shortcut"))

    def edit(self, name: str, keys: str, taken: Container[str], anchor: QWidget) -> None:
        """Open below ``anchor`` with ``name`` and ``keys``, without the shortcuts ``taken``."""
        self.make_card()
        self.name.setText(name)
        self.keys.clear()
        self.keys.addItem(translate("None"), "")
        for shortcut in STAR_KEYS:
            if shortcut not in taken:
                self.keys.addItem(shortcut_text(shortcut), shortcut)
        self.keys.setCurrentIndex(max(0, self.keys.findData(keys)))
        self._fit()
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

    def _fit(self) -> None:
        self._form.setContentsMargins(px(14), px(12), px(14), px(14))
        self._form.setHorizontalSpacing(px(12))
        self._form.setVerticalSpacing(px(8))
        for part in (self.name, self.keys):
            part.setMinimumHeight(px(30))
        self.card.setMinimumWidth(px(_STAR_WIDTH))

    @Slot()
    def _save(self) -> None:
        name = " ".join(self.name.text().split())
        keys = self.keys.currentData()
        self.close_up()
        self.saved.emit(name, keys)
