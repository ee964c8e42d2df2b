"""What the parts of a search pane need of the window that they are in."""

from typing import Protocol

from PySide6.QtWidgets import QWidget

from notesearch.gui.preview.preview_pane import PreviewPane
from notesearch.gui.results.results_pane import ResultsPane
from notesearch.gui.results.results_view import RowDigits
from notesearch.gui.session.actions import CommandPalette
from notesearch.gui.widgets.message_page import MessagePage
from notesearch.gui.widgets.notices import Banner
from notesearch.gui.widgets.popovers import ChoicePopover, StarPopover
from notesearch.gui.widgets.search_field import SearchField


class PaneWindow(Protocol):
    """The parts of a window that a search pane needs. Both windows have them."""

    field: SearchField
    results: ResultsPane
    preview: PreviewPane
    page: MessagePage
    notice: Banner
    digits: RowDigits
    command_palette: CommandPalette
    star: StarPopover
    outline: ChoicePopover
    tips: ChoicePopover
    facets: ChoicePopover

    @property
    def shows_results(self) -> bool:
        """Whether the list of results is shown; otherwise a page with a message is."""

    @property
    def shows_problem(self) -> bool:
        """Whether a bar says what is wrong with the folder or its index."""

    @property
    def outline_anchor(self) -> QWidget:
        """The widget below which the note outline opens."""

    def show_results(self) -> None:
        """Show the list of results and the preview."""

    def show_page(self) -> None:
        """Show ``page`` in place of the results."""

    def flash(self, text: str, *, done: bool = True) -> None:
        """Show a short message for a moment, with a tick if it reports something ``done``."""
