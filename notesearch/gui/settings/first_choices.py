"""The check boxes of the first-run page: the global shortcut, and start at login."""

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from notesearch.gui.system.desktop_entry import login_item
from notesearch.gui.system.global_shortcut import PROPOSED, Kind, ShortcutController, ShortcutState
from notesearch.gui.translation import shortcut_text, translate
from notesearch.gui.widgets.controls import TickBox, show_text, text_label


class LoginBox(TickBox):
    """A check box for start at login; ``problem`` shows why the choice could not be changed."""

    def __init__(self) -> None:
        super().__init__(translate("Start at login"))
        self._item = login_item()
        self.problem = text_label("", role="meta", tone="danger")
        self.clicked.connect(self._choose)
        self.refresh()

    def refresh(self) -> None:
        """Show whether the program starts at login."""
        self.setChecked(self._item.is_set())
        self.problem.hide()

    @Slot(bool)
    def _choose(self, chosen: bool) -> None:
        change = self._item.set if chosen else self._item.clear
        try:
            change()
        except OSError as error:
            self.refresh()
            text = translate("The start at login could not be changed: {reason}.")
            self.problem.setText(text.format(reason=error.strerror or str(error)))
            self.problem.show()


REFUSED = {Kind.TAKEN, Kind.UNAVAILABLE}
"""The kinds of state in which the desktop has refused the shortcut."""


class FirstChoices(QWidget):
    """Check boxes for the proposed shortcut and for start at login; each takes effect at once."""

    def __init__(self, controller: ShortcutController) -> None:
        super().__init__()
        self._controller = controller
        self._was_refused = False
        self._is_ours = False  # whether this box has set the shortcut; others are left alone
        keys = shortcut_text(controller.chosen or PROPOSED)
        self.shortcut = TickBox(translate("Open quick search with {keys}", keys=keys))
        self.shortcut.clicked.connect(self._choose)
        self.login = LoginBox()
        self.state_label = text_label("", role="meta", tone="text2")
        line = QHBoxLayout()
        line.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        line.addWidget(self.shortcut)
        line.addWidget(self.login)
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
        """Show the state. If the desktop refused the shortcut that this box set, remove it."""
        if self._was_refused and state.kind is Kind.OFF:
            self._was_refused = False  # the reason stays visible
            return
        refused = state.kind in REFUSED
        self._was_refused = refused and self._is_ours
        self._is_ours = self._is_ours and state.kind is not Kind.ACTIVE
        sentence = "" if state.kind is Kind.OFF else state.sentence
        show_text(self.state_label, sentence, "danger" if refused else "text2")
        self.shortcut.setAccessibleDescription(self.state_label.text())
        self.shortcut.setChecked(bool(self._controller.chosen) and not refused)
        if self._was_refused:
            self._is_ours = False
            self._controller.choose("")
