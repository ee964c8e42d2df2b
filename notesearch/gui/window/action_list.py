"""Ctrl+K: all that can be done with the selected section, each with its keys, to be filtered."""

from collections.abc import Iterable, Sequence

from PySide6.QtCore import Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from notesearch.gui.system.key_names import native_text
from notesearch.gui.translation import translate
from notesearch.gui.widgets.choice_popover import Choice, ChoicePopover
from notesearch.gui.widgets.theme import Theme

Groups = Iterable[Sequence[QAction]]

KEYS = "keys"
"""Property of an action whose key a widget takes itself, such as Enter: how that is written."""


def keys_text(action: QAction) -> str:
    """Return the first of the keys of ``action``, as the platform writes it."""
    told = action.property(KEYS)
    return native_text(told or action.shortcut())


class ActionList(ChoicePopover):
    """Shows actions in groups and triggers the one that is chosen, after it is gone."""

    def __init__(self, window: QWidget, theme: Theme) -> None:
        super().__init__(window, theme, translate("window", "Actions"))
        self._actions: list[QAction] = []
        self.chosen.connect(self._trigger)

    @property
    def offered(self) -> list[str]:
        """The names of the actions on show."""
        return [choice.text for choice in self.model.shown]

    def show_actions(self, groups: Groups) -> None:
        """Open with those actions of ``groups`` that work now; close where it is open."""
        if self.is_open:
            self.close_up()
            return
        self._actions = []
        choices: list[Choice] = []
        for group in groups:
            working = [action for action in group if action.isEnabled() and action.isVisible()]
            for action in working:
                last = action is working[-1]
                choices.append(Choice(action.text(), keys_text(action), ends_group=last))
            self._actions += working
        self.offer(choices, prompt=translate("window", "Search actions"))

    @Slot(int)
    def _trigger(self, place: int) -> None:
        chosen, self._actions = self._actions[place], []
        chosen.trigger()
