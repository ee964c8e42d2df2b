"""The head of the preview: the path of headings, the file, the matches and some buttons."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QButtonGroup,
    QFrame,
    QHBoxLayout,
    QPushButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from notesearch.gui import wording
from notesearch.gui.preview.match_marks import MAX_MARKS
from notesearch.gui.preview.preview_style import FOCUS_RING
from notesearch.gui.system.keys import native_text
from notesearch.gui.translation import translate
from notesearch.gui.widgets import icons
from notesearch.gui.widgets.breadcrumb import Breadcrumb, Crumb
from notesearch.gui.widgets.labels import ElidedLabel, plain_tip, text_label
from notesearch.gui.widgets.theme import Theme, px
from notesearch.results import Scope

_MARGIN = 24
_ROWS = (30, 34)
_COMPACT_ROWS = (26, 16)
_ROOM = (80, 130)
"""The least height of the preview, in pixels, at which each row of the head is shown."""


class PreviewHead(QWidget):
    """The breadcrumb; below it the file, the matches, the scope switch and buttons.

    Args:
        compact: Show only the breadcrumb and the file.

    Attributes:
        breadcrumb: The headings that lead to the section, as links.
        scope: Lets the user choose how much of the note is shown.
        outline_button: Opens the outline of the note.
        open_button: Opens the note in the editor.
        previous_button, next_button: Go to the previous or next match.
    """

    def __init__(self, theme: Theme, *, compact: bool = False) -> None:
        super().__init__()
        self.setObjectName("previewHead")
        self._compact = compact
        self.breadcrumb = Breadcrumb()
        self.scope = ScopeSwitch()
        self.outline_button = _button(
            translate("preview", "Note outline ({keys})").format(keys=native_text("Ctrl+Shift+O"))
        )
        self.open_button = _button(translate("preview", "Open in the editor at this line"))
        self._description = ElidedLabel(path=True)
        self._matches = text_label(wrap=False)
        self._matches.setObjectName("matches")
        self.previous_button = _button(
            translate("preview", "Previous match ({keys})").format(keys=native_text("Shift+F3"))
        )
        self.next_button = _button(
            translate("preview", "Next match ({keys})").format(keys=native_text("F3"))
        )
        for button in (self.previous_button, self.next_button):
            button.setObjectName("step")
        for label in (self._description, self._matches):
            label.setProperty("role", "meta")
        self._lay_out()
        self.set_matches(0, 0)
        self.set_theme(theme)

    def show_place(
        self, crumbs: Sequence[Crumb], scope: Scope, description: str, path: str
    ) -> None:
        """Show the headings that lead to the section, the scope, and ``description`` of the file.

        ``path`` is the tooltip of the description.
        """
        self._description.setToolTip(plain_tip(path))
        if self.breadcrumb.set_crumbs(crumbs):
            self.breadcrumb.order_before(self.previous_button)
        self.scope.set_scope(scope)
        self._description.set_texts(description, "")

    @Slot(int, int)
    def set_matches(self, current: int, count: int) -> None:
        """Show the number of the current match, from 1, and of all matches; hide them if none."""
        self._matches.setText(wording.matches_text(current, count, capped=count == MAX_MARKS))
        for widget in (self._matches, self.previous_button, self.next_button):
            widget.setVisible(count > 0 and not self._compact)
        self._fit_scope()

    def set_theme(self, theme: Theme) -> None:
        """Apply the colours of ``theme`` and the sizes of the current font."""
        heights = _COMPACT_ROWS if self._compact else _ROWS
        for row, height in zip(self._rows, heights, strict=True):
            row.setFixedHeight(px(height))
        for layout, ring in zip(self._layouts, (FOCUS_RING, 0), strict=True):
            layout.setContentsMargins(px(_MARGIN) - ring, 0, px(12), 0)
            layout.setSpacing(px(8))
        for button, name, size in (
            (self.outline_button, "outline", px(16)),
            (self.open_button, "open", px(16)),
            (self.previous_button, "up", px(13)),
            (self.next_button, "down", px(13)),
        ):
            icons.set_icon(button, name, theme.text2, size)
        self._fit_scope()

    def fit(self, height: int) -> None:
        """Hide the rows for which a preview of ``height`` pixels has no room."""
        for row, least in zip(self._rows, _ROOM, strict=True):
            row.setVisible(height >= px(least))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Hide the scope switch if the row is too narrow for its words."""
        super().resizeEvent(event)
        self._fit_scope()

    def _fit_scope(self) -> None:
        if self._compact:
            return
        beside = [self._matches, self.previous_button, self.next_button]
        shown = [widget for widget in beside if not widget.isHidden()]
        shown += [self.scope, self.outline_button, self.open_button]
        margins = self._layouts[1].contentsMargins()
        needed = margins.left() + margins.right() + len(shown) * self._layouts[1].spacing()
        needed += sum(widget.sizeHint().width() for widget in shown)
        self.scope.setVisible(needed <= self.width())

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, px(6), 0, 0)
        column.setSpacing(0)
        self._rows = (QWidget(), QWidget())
        self._layouts = upper, lower = QHBoxLayout(self._rows[0]), QHBoxLayout(self._rows[1])
        upper.addWidget(self.breadcrumb, 1)
        lower.addWidget(self._description, 1)
        for widget in (self._matches, self.previous_button, self.next_button):
            lower.addWidget(widget)
        lower.addWidget(self.scope, 0, Qt.AlignmentFlag.AlignVCenter)
        lower.addWidget(self.outline_button)
        lower.addWidget(self.open_button)
        for row in self._rows:
            column.addWidget(row)
        self.scope.setHidden(self._compact)
        self.outline_button.setHidden(self._compact)
        self.open_button.setHidden(self._compact)


def _button(tip: str) -> QToolButton:
    button = QToolButton()
    button.setToolTip(tip)
    button.setAccessibleName(tip)
    button.setAutoRaise(True)
    return button


class ScopeSwitch(QFrame):
    """Three buttons to choose how much of a note is shown; one is checked.

    Signals:
        chosen: The user chose a scope; carries the ``Scope``.
    """

    chosen = Signal(object)

    def __init__(self) -> None:
        super().__init__()
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
