"""The command palette: the list of all actions that Ctrl+K opens.

``session/actions.py`` decides which actions it lists, in which groups.
"""

from collections.abc import Iterable, Sequence

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from notesearch.gui.translation import shortcut_text, translate
from notesearch.gui.widgets.choices import Choice
from notesearch.gui.widgets.popover import ChoicePopover
from notesearch.gui.widgets.theme import Theme

Groups = Iterable[Sequence[QAction]]

KEYS = "keys"
"""A property of actions: the key that triggers it, if a widget handles the key, such as Enter."""


def keys_text(action: QAction) -> str:
    """Return the first shortcut of ``action`` as this platform writes it; empty for none."""
    return shortcut_text(action.property(KEYS) or action.shortcut())


class CommandPalette(ChoicePopover):
    """Lists actions in groups; closes before one is triggered, by choice or by its keys."""

    def __init__(self, window: QWidget, theme: Theme) -> None:
        super().__init__(window, theme, translate("window", "Actions"))
        self.chosen.connect(self._trigger)

    def show_actions(self, groups: Groups) -> None:
        """List once each enabled, visible action of ``groups``; close the list if it is open."""
        if self.is_open:
            self.close_up()
            return
        choices, listed = list[Choice](), set[QAction]()
        for group in groups:
            useful = (action for action in group if action.isEnabled() and action.isVisible())
            enabled = [action for action in useful if action not in listed]
            listed.update(enabled)
            for action in enabled:
                action.triggered.connect(self.close_up, Qt.ConnectionType.UniqueConnection)
                last = action is enabled[-1]
                keys = keys_text(action)
                choices.append(Choice(action.text(), keys, ends_group=last, value=action))
        self.offer(choices, prompt=translate("window", "Search actions"))

    @Slot(object)
    def _trigger(self, action: QAction) -> None:
        action.trigger()
