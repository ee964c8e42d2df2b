"""What can be done with a result, by a right click on it or the key for menus."""

from collections.abc import Callable

from PySide6.QtCore import QObject, QPoint, Qt, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

from notesearch.gui.results.results_view import ResultsView

Offer = Callable[[], list[list[QAction]]]


class RowMenu(QObject):
    """Selects the section that is pointed at and offers the actions that ``offer`` returns."""

    def __init__(self, view: ResultsView, offer: Offer, parent: QObject) -> None:
        super().__init__(parent)
        self._view = view
        self._offer = offer
        view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        view.customContextMenuRequested.connect(self._show)

    @Slot(QPoint)
    def _show(self, place: QPoint) -> None:
        view = self._view
        corner = view.viewport().mapToGlobal(place)  # the list may scroll below it
        if not view.select_section(view.indexAt(place)):
            return
        menu = QMenu(view)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for group in self._offer():
            menu.addActions(group)
            menu.addSeparator()
        menu.popup(corner)
