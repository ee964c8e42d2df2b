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

from notesearch.gui.system.key_names import native_text
from notesearch.gui.translation import translate
from notesearch.gui.widgets.theme import px
from notesearch.results import Scope


class ScopeSwitch(QFrame):
    """Three buttons, one of which is checked.

    Signals:
        chosen: The user chose this ``Scope``.
    """

    chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("scopeSwitch")
        self.setAccessibleName(translate("preview", "How much of the note to show"))
        row = QHBoxLayout(self)
        row.setContentsMargins(px(3), px(3), px(3), px(3))
        row.setSpacing(px(2))
        self._group = QButtonGroup(self)
        self._buttons = {scope: QPushButton(_name(scope)) for scope in Scope}
        for scope, button in self._buttons.items():
            button.setCheckable(True)
            button.setToolTip(_tip(scope))
            self._group.addButton(button)
            row.addWidget(button)
        self._buttons[Scope.SECTION].setChecked(True)
        self._group.buttonClicked.connect(self._choose)

    @property
    def first(self) -> QWidget:
        """The first button in the tab order."""
        return self._buttons[Scope.SECTION]

    def scope(self) -> Scope:
        """Return the scope of the checked button."""
        return next(scope for scope, button in self._buttons.items() if button.isChecked())

    def set_scope(self, scope: Scope) -> None:
        """Check the button of ``scope`` without emitting ``chosen``."""
        self._buttons[scope].setChecked(True)

    @Slot(QAbstractButton)
    def _choose(self, _button: QAbstractButton) -> None:
        self.chosen.emit(self.scope())


def _name(scope: Scope) -> str:
    names = {
        Scope.SECTION: translate("preview", "Section"),
        Scope.PARENT: translate("preview", "Parent"),
        Scope.NOTE: translate("preview", "Note"),
    }
    return names[scope]


def _tip(scope: Scope) -> str:
    parent = translate("preview", "Show the parent section ({keys})")
    note = translate("preview", "Show the whole note ({keys})")
    tips = {
        Scope.SECTION: translate("preview", "Show the section found"),
        Scope.PARENT: parent.format(keys=native_text("Alt+Up")),
        Scope.NOTE: note.format(keys=native_text("Alt+Shift+Up")),
    }
    return tips[scope]
