"""One page of the settings: a title, and rows of a name, its control and what is said of it."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLayout,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from notesearch.gui.session.preferences import Preferences
from notesearch.gui.settings.fields import ProblemNote
from notesearch.gui.widgets.theme import px

_NAMES = 150


class SettingsPage(QScrollArea):
    """Rows below each other; scrolls where the window is too small for them."""

    def __init__(self, preferences: Preferences, title: str) -> None:
        super().__init__()
        self.preferences = preferences
        self.title = title
        self.setObjectName("settingsPage")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._body = body = QWidget()
        body.setObjectName("settingsBody")
        self._column = QVBoxLayout(body)
        head = said(title, role="title")
        self._column.addWidget(head)
        self._grid = QGridLayout()
        self._grid.setColumnStretch(1, 1)
        self._column.addLayout(self._grid)
        self._column.addStretch(1)
        self._stacks: list[QVBoxLayout] = []
        self._lines: list[QHBoxLayout] = []
        self.setWidget(body)
        self.fit()

    def add_row(self, name: str, *controls: QWidget, hint: str = "", setting: str = "") -> QLabel:
        """Add a row and return the label of its hint.

        Args:
            name: Stands at the left; names the first control for a screen reader too.
            controls: Stand below each other.
            hint: Stands below them, small.
            setting: Its problems in the file are told below.
        """
        row = self._grid.rowCount()
        label = said(name)
        label.setBuddy(controls[0])
        if not isinstance(controls[0], QLabel):
            label.setContentsMargins(0, px(5), 0, 0)  # in line with the text of the control
        self._grid.addWidget(label, row, 0, Qt.AlignmentFlag.AlignTop)
        stack = QVBoxLayout()
        self._stacks.append(stack)
        for control in controls:
            stack.addWidget(control)
        below = said(hint, role="meta", tone="text2")
        below.setVisible(bool(hint))
        stack.addWidget(below)
        if setting:
            stack.addWidget(ProblemNote(self.preferences, setting))
        self._grid.addLayout(stack, row, 1)
        first = controls[0].focusProxy() or controls[0]
        if not first.accessibleName() and not isinstance(first, QAbstractButton):
            first.setAccessibleName(name)
        if hint:
            first.setAccessibleDescription(hint)
        self.fit()
        return below

    def add_line(self, *widgets: QWidget, stretch: bool = True) -> QWidget:
        """Return ``widgets`` beside each other, as one control of a row."""
        line = QWidget()
        layout = QHBoxLayout(line)
        layout.setContentsMargins(0, 0, 0, 0)
        for widget in widgets:
            layout.addWidget(widget)
        if stretch:
            layout.addStretch(1)
        line.setFocusProxy(widgets[0])
        self._lines.append(layout)
        return line

    def add_foot(self, widget: QWidget) -> None:
        """Put ``widget`` below all rows."""
        self._column.addWidget(widget)

    def least_width(self) -> int:
        """Return the width that shows every control as a whole."""
        bar = self.verticalScrollBar().sizeHint().width()
        return self._body.minimumSizeHint().width() + bar

    def end(self) -> None:
        """End what the page has begun: it is not shown again."""

    def fit(self) -> None:
        """Take distances from the font that the application has now."""
        self._column.setContentsMargins(px(28), px(22), px(28), px(18))
        self._column.setSpacing(px(12))
        self._grid.setHorizontalSpacing(px(16))
        self._grid.setVerticalSpacing(px(14))
        self._grid.setColumnMinimumWidth(0, px(_NAMES))
        layouts: list[QLayout] = [*self._stacks, *self._lines]
        for layout in layouts:
            layout.setSpacing(px(6))


def said(text: str, *, role: str = "", tone: str = "") -> QLabel:
    """Return a label for ``text`` as it is."""
    label = QLabel(text)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    label.setProperty("role", role)
    label.setProperty("tone", tone)
    return label


def button(text: str, slot: Callable[[], None]) -> QPushButton:
    """Return a button that calls ``slot``, a method of an object of Qt."""
    made = QPushButton(text)
    made.setAutoDefault(False)
    made.clicked.connect(slot)
    return made
