"""The base class of settings pages: a title, and rows of a name, controls and a hint."""

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
    """A scrollable form; ``fit`` must be called before it is shown."""

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
        head = text_label(title, role="title")
        self._column.addWidget(head)
        self._grid = QGridLayout()
        self._grid.setColumnStretch(1, 1)
        self._column.addLayout(self._grid)
        self._column.addStretch(1)
        self._stacks: list[QVBoxLayout] = []
        self._lines: list[QHBoxLayout] = []
        self.setWidget(body)

    def add_row(self, name: str, *controls: QWidget, hint: str = "", setting: str = "") -> QLabel:
        """Add a row and return the label of its hint.

        Args:
            name: The label at the left, and the first control's name for screen readers.
            controls: The controls, from top to bottom.
            hint: A small text below them.
            setting: Problems with this setting in the settings file are shown below.
        """
        row = self._grid.rowCount()
        label = text_label(name)
        label.setBuddy(controls[0])
        if not isinstance(controls[0], QLabel):
            label.setContentsMargins(0, px(5), 0, 0)  # aligns it with the control's text
        self._grid.addWidget(label, row, 0, Qt.AlignmentFlag.AlignTop)
        stack = QVBoxLayout()
        self._stacks.append(stack)
        for control in controls:
            stack.addWidget(control)
        below = text_label(hint, role="meta", tone="text2")
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
        return below

    def add_line(self, *widgets: QWidget, stretch: bool = True) -> QWidget:
        """Return a control with ``widgets`` side by side."""
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
        """Add ``widget`` below all rows."""
        self._column.addWidget(widget)

    def least_width(self) -> int:
        """Return the smallest width that cuts no control."""
        bar = self.verticalScrollBar().sizeHint().width()
        return self._body.minimumSizeHint().width() + bar

    def end(self) -> None:
        """Stop everything the page has started, before it is destroyed."""

    def fit(self) -> None:
        """Set all distances from the application's font."""
        self._column.setContentsMargins(px(28), px(22), px(28), px(18))
        self._column.setSpacing(px(12))
        self._grid.setHorizontalSpacing(px(16))
        self._grid.setVerticalSpacing(px(14))
        self._grid.setColumnMinimumWidth(0, px(_NAMES))
        layouts: list[QLayout] = [*self._stacks, *self._lines]
        for layout in layouts:
            layout.setSpacing(px(6))


def text_label(text: str, *, role: str = "", tone: str = "") -> QLabel:
    """Return a label that shows ``text`` without markup, wrapped."""
    label = QLabel(text)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    label.setProperty("role", role)
    label.setProperty("tone", tone)
    return label


def button(text: str, slot: Callable[[], None]) -> QPushButton:
    """Return a button that calls ``slot``, a method of a QObject."""
    push_button = QPushButton(text)
    push_button.setAutoDefault(False)
    push_button.clicked.connect(slot)
    return push_button
