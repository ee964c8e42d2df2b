"""Takes what is composed elsewhere in a window, an accented letter or a word, to its search field.

Letters typed there come as keys, which the window hands to the field. A dead key with its letter,
and what an input method makes of several keys, come as a text to whoever takes such; before it is
meant, it comes as it is composed, to be seen.
"""

from collections.abc import Iterable

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QInputMethodEvent, QInputMethodQueryEvent
from PySide6.QtWidgets import QWidget

from notesearch.gui.widgets.search_field import SearchField


class Composing(QObject):
    """Hands a search field what is composed in other widgets.

    Args:
        field: Of their window.
        elsewhere: Widgets that take the keyboard, but no text.
    """

    def __init__(
        self, field: SearchField, elsewhere: Iterable[QWidget], parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._field = field
        for widget in elsewhere:
            widget.setAttribute(Qt.WidgetAttribute.WA_InputMethodEnabled)
            widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Say that text is taken, whatever the widget says, and take it."""
        if isinstance(event, QInputMethodQueryEvent):
            watched.event(event)  # where the keyboard is
            if event.queries() & Qt.InputMethodQuery.ImEnabled:
                event.setValue(Qt.InputMethodQuery.ImEnabled, self._field.takes_text)
            event.accept()
            return True
        if isinstance(event, QInputMethodEvent):
            self._field.compose(event)
            event.accept()
            return True
        return False
