"""The choices for new users on the first page: a global shortcut, and start at login."""

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from notesearch.gui.settings.fields import TickBox, text_label
from notesearch.gui.settings.quick_page import LoginBox
from notesearch.gui.system.login_item import LoginItem
from notesearch.gui.system.shortcut.global_shortcut import Kind, ShortcutState
from notesearch.gui.system.shortcut.keys import PROPOSED, native_text
from notesearch.gui.system.shortcut.shortcut_controller import ShortcutController
from notesearch.gui.translation import translate

_REFUSED = {Kind.TAKEN, Kind.UNAVAILABLE}


class FirstChoices(QWidget):
    """Two check boxes side by side, unticked at first; each takes effect at once."""

    def __init__(self, controller: ShortcutController, item: LoginItem) -> None:
        super().__init__()
        self._controller = controller
        self._was_refused = False
        self._is_ours = False  # by this box; a shortcut set elsewhere is left alone
        shortcut_text = translate("window", "Open quick search with {keys}")
        self.shortcut = TickBox(
            shortcut_text.format(keys=native_text(controller.chosen or PROPOSED))
        )
        self.shortcut.clicked.connect(self._choose)
        self.login = LoginBox(item)
        self.state_label = text_label("", role="meta", tone="text2")
        line = QHBoxLayout()
        line.addStretch(1)
        line.addWidget(self.shortcut)
        line.addWidget(self.login)
        line.addStretch(1)
        column = QVBoxLayout(self)
        column.addLayout(line)
        for label in (self.state_label, self.login.problem):
            label.setAlignment(Qt.AlignmentFlag.AlignHCenter)
            column.addWidget(label)
        controller.changed.connect(self._show)
        self._show(controller.state)

    @Slot(bool)
    def _choose(self, chosen: bool) -> None:
        self._is_ours = chosen
        self._controller.choose(PROPOSED if chosen else "")

    @Slot(object)
    def _show(self, state: ShortcutState) -> None:
        """Show the state; if the desktop refused the shortcut, give it up."""
        if self._was_refused and state.kind is Kind.OFF:
            self._was_refused = False  # keep showing the reason
            return
        refused = state.kind in _REFUSED
        self._was_refused = refused and self._is_ours
        self._is_ours = self._is_ours and state.kind is not Kind.ACTIVE
        self.state_label.setText("" if state.kind is Kind.OFF else state.sentence)
        self.state_label.setProperty("tone", "danger" if refused else "text2")
        self.state_label.style().polish(self.state_label)
        self.shortcut.setAccessibleDescription(self.state_label.text())
        self.shortcut.setChecked(bool(self._controller.chosen) and not refused)
        if self._was_refused:
            self._is_ours = False
            self._controller.choose("")
