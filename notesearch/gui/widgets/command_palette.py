"""The command palette (Ctrl+K) of both windows: a list of actions to search and choose from.

``session.pane_actions`` and what extends it tell which actions are in it, in which groups.
"""

from collections.abc import Iterable, Sequence

from PySide6.QtCore import Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from notesearch.gui.system.shortcut.keys import native_text
from notesearch.gui.translation import translate
from notesearch.gui.widgets.popover import Choice, ChoicePopover
from notesearch.gui.widgets.theme import Theme

Groups = Iterable[Sequence[QAction]]

KEYS = "keys"
"""A property of actions: the key that triggers it, if a widget handles the key, such as Enter."""


def keys_text(action: QAction) -> str:
    """Return the first shortcut of ``action`` as this platform writes it; empty for none."""
    return native_text(action.property(KEYS) or action.shortcut())


class CommandPalette(ChoicePopover):
    """Lists actions in groups. It closes before it triggers the action that the user chooses."""

    def __init__(self, window: QWidget, theme: Theme) -> None:
        super().__init__(window, theme, translate("window", "Actions"))
        self._actions: list[QAction] = []
        self.chosen.connect(self._trigger)

    @property
    def offered(self) -> list[str]:
        """The names of the actions in the list."""
        return [choice.text for choice in self.model.shown]

    def show_actions(self, groups: Groups) -> None:
        """List the enabled, visible actions of ``groups``; close the list if it is open already."""
        if self.is_open:
            self.close_up()
            return
        self._actions = []
        choices: list[Choice] = []
        for group in groups:
            enabled = [action for action in group if action.isEnabled() and action.isVisible()]
            for action in enabled:
                last = action is enabled[-1]
                choices.append(Choice(action.text(), keys_text(action), ends_group=last))
            self._actions += enabled
        self.offer(choices, prompt=translate("window", "Search actions"))

    @Slot(int)
    def _trigger(self, index: int) -> None:
        chosen, self._actions = self._actions[index], []
        chosen.trigger()
