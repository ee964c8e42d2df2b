"""All popovers of the main window."""

from PySide6.QtWidgets import QWidget

from notesearch.gui.translation import translate
from notesearch.gui.widgets.choice_popover import ChoicePopover
from notesearch.gui.widgets.theme import Theme
from notesearch.gui.window.action_list import ActionList
from notesearch.gui.window.why_popover import WhyPopover


class Popovers:
    """Each is made once and is a part of the window."""

    def __init__(self, window: QWidget, theme: Theme) -> None:
        self.actions = ActionList(window, theme)
        self.folders = ChoicePopover(window, theme, translate("window", "Folders"))
        self.outline = ChoicePopover(window, theme, translate("window", "Note outline"))
        self.related = ChoicePopover(window, theme, translate("window", "Related sections"))
        self.why = WhyPopover(window, theme)

    def set_theme(self, theme: Theme) -> None:
        """Hand the colours, and the sizes of the font, to all of them."""
        for popover in (self.actions, self.folders, self.outline, self.related):
            popover.set_theme(theme)
        self.why.set_theme(theme)
