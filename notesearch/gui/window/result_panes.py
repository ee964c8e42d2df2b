"""The results and the preview of the main window, side by side or stacked."""

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QFrame, QSplitter, QVBoxLayout

from notesearch.gui.preview.preview_pane import PreviewPane
from notesearch.gui.results.results_model import ResultsModel
from notesearch.gui.results.results_pane import ResultsPane
from notesearch.gui.widgets.theme import Theme

_SIDE_BY_SIDE = [440, 680]
_STACKED = [300, 370]


class ResultPanes(QSplitter):
    """A splitter with the list of results and the preview.

    Attributes:
        results: The list.
        preview: Shows the selected section.
    """

    def __init__(self, model: ResultsModel, preview: PreviewPane, theme: Theme) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self.results = ResultsPane(model, theme)
        self.preview = preview
        self._sizes = {Qt.Orientation.Horizontal: _SIDE_BY_SIDE, Qt.Orientation.Vertical: _STACKED}
        self._right = right = QFrame()
        right.setObjectName("previewPane")
        column = QVBoxLayout(right)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(preview)
        self.addWidget(self.results)
        self.addWidget(right)
        self.setHandleWidth(1)
        self.setChildrenCollapsible(False)
        self.setSizes(_SIDE_BY_SIDE)
        for index, share in enumerate(_SIDE_BY_SIDE):
            self.setStretchFactor(index, share)
        self.splitterMoved.connect(self._keep)

    @property
    def shows_preview(self) -> bool:
        """Whether the preview is not hidden."""
        return not self._right.isHidden()

    @property
    def holds_focus(self) -> bool:
        """Whether the preview has the keyboard focus."""
        focus = self.window().focusWidget()
        return focus is not None and self._right.isAncestorOf(focus)

    def set_preview_shown(self, shown: bool) -> None:
        """Show the preview, or give all room to the results."""
        orientation = self.orientation()
        sizes = self.pane_sizes(orientation)
        self._right.setVisible(shown)
        self.set_pane_sizes(orientation, sizes)

    def pane_sizes(self, orientation: Qt.Orientation) -> list[int]:
        """Return the chosen sizes of results and preview in ``orientation``, in pixels."""
        return self._sizes[orientation]

    def set_pane_sizes(self, orientation: Qt.Orientation, sizes: list[int]) -> None:
        """Set the sizes of results and preview in ``orientation``, in pixels."""
        self._sizes[orientation] = sizes
        if self.orientation() == orientation:
            self.setSizes(sizes)

    def turn(self, orientation: Qt.Orientation) -> None:
        """Put the preview beside the results (horizontal) or below them (vertical)."""
        if self.orientation() != orientation:
            self.setOrientation(orientation)
            self.setSizes(self._sizes[orientation])

    @Slot()
    def _keep(self) -> None:
        """Remember the sizes that the user has set; a narrow window does not change them."""
        self._sizes[self.orientation()] = self.sizes()
