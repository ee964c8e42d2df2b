"""The segmented switch of the preview: the section, its parent, or the whole note."""

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import (
    QAbstractButton,
    QButtonGroup,
    QFrame,
    QHBoxLayout,
    QPushButton,
    QWidget,
)

from notesearch.gui.theme import px
from notesearch.notes import Scope

_TIPS = {
    Scope.SECTION: "Show the section that was found",
    Scope.PARENT: "Show the section around it (Alt+Up)",
    Scope.NOTE: "Show the whole note (Alt+Shift+Up)",
}


class ScopeSwitch(QFrame):
    """Three buttons of which one is down.

    Signals:
        chosen: The user wants another ``Scope``.
    """

    chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("scopeSwitch")
        self.setAccessibleName("How much of the note is shown")
        row = QHBoxLayout(self)
        row.setContentsMargins(px(3), px(3), px(3), px(3))
        row.setSpacing(px(2))
        self._group = QButtonGroup(self)
        self._buttons = {scope: QPushButton(scope.value.capitalize()) for scope in Scope}
        for scope, button in self._buttons.items():
            button.setCheckable(True)
            button.setToolTip(_TIPS[scope])
            self._group.addButton(button)
            row.addWidget(button)
        self._buttons[Scope.SECTION].setChecked(True)
        self._group.buttonClicked.connect(self._choose)

    def scope(self) -> Scope:
        """Return which one is down."""
        return next(scope for scope, button in self._buttons.items() if button.isChecked())

    def set_scope(self, scope: Scope) -> None:
        """Press the button of ``scope`` without telling."""
        self._buttons[scope].setChecked(True)

    @Slot(QAbstractButton)
    def _choose(self, _button: QAbstractButton) -> None:
        self.chosen.emit(self.scope())
