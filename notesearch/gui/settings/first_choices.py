"""What a new user may choose beside the folder: a key for quick search, a start at login."""

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from notesearch.gui.settings.fields import TickBox
from notesearch.gui.settings.quick_page import LoginBox
from notesearch.gui.settings.settings_page import said
from notesearch.gui.system.key_names import native_text
from notesearch.gui.system.login_item import LoginItem
from notesearch.gui.system.shortcut.global_shortcut import Kind, ShortcutState
from notesearch.gui.system.shortcut.keys import PROPOSED
from notesearch.gui.system.shortcut.shortcut_controller import ShortcutController
from notesearch.gui.translation import translate

_REFUSED = {Kind.TAKEN, Kind.UNAVAILABLE}


class FirstChoices(QWidget):
    """Two boxes on one line; neither is ticked unless the user does, and both count at once."""

    def __init__(self, flow: ShortcutController, item: LoginItem) -> None:
        super().__init__()
        self._flow = flow
        self._was_refused = False
        self._was_asked = False  # here: what was set elsewhere is not taken back
        wanted = translate("window", "Open quick search with {keys}")
        self.shortcut = TickBox(wanted.format(keys=native_text(flow.chosen or PROPOSED)))
        self.shortcut.clicked.connect(self._choose)
        self.login = LoginBox(item)
        self.told = said("", role="meta", tone="text2")
        line = QHBoxLayout()
        line.addStretch(1)
        line.addWidget(self.shortcut)
        line.addWidget(self.login)
        line.addStretch(1)
        column = QVBoxLayout(self)
        column.addLayout(line)
        for label in (self.told, self.login.problem):
            label.setAlignment(Qt.AlignmentFlag.AlignHCenter)
            column.addWidget(label)
        flow.changed.connect(self._show)
        self._show(flow.state)

    @Slot(bool)
    def _choose(self, chosen: bool) -> None:
        self._was_asked = chosen
        self._flow.choose(PROPOSED if chosen else "")

    @Slot(object)
    def _show(self, state: ShortcutState) -> None:
        """Say what became of the key; one that is refused is not wanted any more."""
        if self._was_refused and state.kind is Kind.OFF:
            self._was_refused = False  # why, stays said
            return
        refused = state.kind in _REFUSED
        self._was_refused = refused and self._was_asked
        self._was_asked = self._was_asked and state.kind is not Kind.ACTIVE
        self.told.setText("" if state.kind is Kind.OFF else state.sentence)
        self.told.setProperty("tone", "danger" if refused else "text2")
        self.told.style().polish(self.told)
        self.shortcut.setAccessibleDescription(self.told.text())
        self.shortcut.setChecked(bool(self._flow.chosen) and not refused)
        if self._was_refused:
            self._was_asked = False
            self._flow.choose("")
