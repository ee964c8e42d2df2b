"""The context menu of a result."""

from collections.abc import Callable

from PySide6.QtCore import QObject, QPoint, Qt, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

from notesearch.gui.results.results_view import ResultsView

ActionGroups = Callable[[], list[list[QAction]]]


class RowMenu(QObject):
    """Selects the section under the mouse and offers its actions.

    The view must not hold the actions, which hold its window: objects in a cycle would be left to
    Python's garbage collector.
    """

    def __init__(self, view: ResultsView, actions: ActionGroups, parent: QObject) -> None:
        super().__init__(parent)
        self._view = view
        self._actions = actions
        view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        view.customContextMenuRequested.connect(self._show)

    @Slot(QPoint)
    def _show(self, point: QPoint) -> None:
        view = self._view
        corner = view.viewport().mapToGlobal(point)  # before the list scrolls to the section
        if not view.select_section(view.indexAt(point)):
            return
        menu = QMenu(view)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for group in self._actions():
            menu.addActions(group)
            menu.addSeparator()
        menu.popup(corner)
