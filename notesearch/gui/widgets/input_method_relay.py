"""Passes text from input methods in other widgets to the search field."""

from collections.abc import Iterable

from PySide6.QtCore import (
    QEvent,
    QObject,
    Qt,
)
from PySide6.QtGui import (
    QInputMethodEvent,
    QInputMethodQueryEvent,
)
from PySide6.QtWidgets import (
    QWidget,
)

from notesearch.gui.widgets.search_field import SearchField


class InputMethodRelay(QObject):
    """Passes text from input methods and dead keys in other widgets to the search field."""

    def __init__(
        self, field: SearchField, elsewhere: Iterable[QWidget], parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._field = field
        for widget in elsewhere:
            widget.setAttribute(Qt.WidgetAttribute.WA_InputMethodEnabled)
            widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Let input methods write into ``watched``, and pass their text to the search field."""
        if isinstance(event, QInputMethodQueryEvent):
            watched.event(event)  # the widget answers the other queries
            if event.queries() & Qt.InputMethodQuery.ImEnabled:
                event.setValue(Qt.InputMethodQuery.ImEnabled, self._field.takes_text)
        elif isinstance(event, QInputMethodEvent):
            self._field.compose(event)
        else:
            return False
        event.accept()
        return True
