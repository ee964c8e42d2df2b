"""The header of the preview: the breadcrumb, the file, the matches and some buttons."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QButtonGroup,
    QFrame,
    QHBoxLayout,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from notesearch.gui import wording
from notesearch.gui.preview.breadcrumb import Breadcrumb, Crumb
from notesearch.gui.preview.highlights import MAX_MARKS
from notesearch.gui.translation import shortcut_text, translate
from notesearch.gui.widgets import icons
from notesearch.gui.widgets.controls import ElidedLabel, icon_button, plain_tip, text_label
from notesearch.gui.widgets.theme import Theme, focus_ring, px
from notesearch.results import Scope

_MARGIN = 24
_ROW_HEIGHTS = (30, 34)
_COMPACT_HEIGHTS = (26, 16)
_ROOM = (76, 130)
"""The minimum height of the preview, in pixels, at which each row of the head is shown."""


class PreviewHead(QWidget):
    """The breadcrumb; unless ``compact``, below it the file, matches, scope switch and buttons."""

    def __init__(self, theme: Theme, *, compact: bool = False) -> None:
        super().__init__()
        self.setObjectName("previewHead")
        self._compact = compact
        self.breadcrumb = Breadcrumb()
        self.scope = ScopeSwitch()
        self.outline_button = icon_button(translate("Note outline ({keys})"), "Ctrl+Shift+O")
        self.open_button = icon_button(translate("Open in the editor at this line"))
        self._description = ElidedLabel(path=True, role="meta")
        self._matches = text_label(role="meta", wrap=False)
        self._matches.setObjectName("matches")
        self.previous_button = icon_button(translate("Previous match ({keys})"), "Shift+F3")
        self.next_button = icon_button(translate("Next match ({keys})"), "F3")
        for button in (self.previous_button, self.next_button):
            button.setObjectName("step")
        self._stepping = (self._matches, self.previous_button, self.next_button)
        self._lay_out()
        self.set_matches(0, 0)
        self.set_theme(theme)

    def show_place(
        self, crumbs: Sequence[Crumb], scope: Scope, description: str, path: str
    ) -> None:
        """Show headings, scope, ``description`` and, as its tooltip, ``path`` of a section."""
        self._description.setToolTip(plain_tip(path))
        self.breadcrumb.set_crumbs(crumbs)
        self.scope.set_scope(scope)
        self._description.set_texts(description, "")

    @Slot(int, int)
    def set_matches(self, current: int, count: int) -> None:
        """Show the number of the current match, from 1, and of all matches; hide them if none."""
        self._matches.setText(wording.matches_text(current, count, capped=count == MAX_MARKS))
        self._has_matches = count > 0
        self._fit_row()

    def set_theme(self, theme: Theme) -> None:
        """Apply the colours of ``theme`` and the sizes of the current font."""
        heights = _COMPACT_HEIGHTS if self._compact else _ROW_HEIGHTS
        for row, height in zip(self._rows, heights, strict=True):
            row.setFixedHeight(px(height))
        mirrored = self.isRightToLeft()  # Qt mirrors layouts, but not their margins
        for layout, ring in zip(self._layouts, (focus_ring(), 0), strict=True):
            start, end = px(_MARGIN) - ring, px(12)
            layout.setContentsMargins(*((end, 0, start, 0) if mirrored else (start, 0, end, 0)))
            layout.setSpacing(px(8))
        self._description.setContentsMargins(px(8) * mirrored, 0, px(8) * (not mirrored), 0)
        for button, name, size in (
            (self.outline_button, "outline", px(16)),
            (self.open_button, "open", px(16)),
            (self.previous_button, "up", px(13)),
            (self.next_button, "down", px(13)),
        ):
            icons.set_icon(button, name, theme.text2, size)
        self._fit_row()

    def fit(self, height: int) -> None:
        """Hide the rows that do not fit into a preview of ``height`` pixels."""
        for row, least in zip(self._rows, _ROOM, strict=True):
            row.setVisible(height >= px(least))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show only the parts of the lower row that fit into the new width."""
        super().resizeEvent(event)
        self._fit_row()

    def _fit_row(self) -> None:
        """Show each part of the lower row that fits, the most important ones first."""
        if self._compact:
            return
        layout = self._layouts[1]
        margins = layout.contentsMargins()
        room = self.width() - margins.left() - margins.right()
        buttons = (self.open_button, self.outline_button)
        for parts in (buttons, self._stepping, (self.scope,), (self._description,)):
            needed = sum(part.minimumSizeHint().width() + layout.spacing() for part in parts)
            is_shown = needed <= room and (self._has_matches or parts is not self._stepping)
            for part in parts:
                part.setVisible(is_shown)
            if is_shown:
                room -= needed

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, px(6), 0, 0)
        column.setSpacing(0)
        self._rows = (QWidget(), QWidget())
        self._layouts = upper, lower = QHBoxLayout(self._rows[0]), QHBoxLayout(self._rows[1])
        upper.addWidget(self.breadcrumb, 1)
        lower.addWidget(self._description, 1)
        lower.addStretch(0)  # in place of the description while that is hidden
        for widget in self._stepping:
            lower.addWidget(widget)
        lower.addWidget(self.scope, 0, Qt.AlignmentFlag.AlignVCenter)
        lower.addWidget(self.outline_button)
        lower.addWidget(self.open_button)
        for row in self._rows:
            # The row decides what fits into the pane, so that it does not make the pane wider.
            row.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
            column.addWidget(row)
        for part in (*self._stepping, self.scope, self.outline_button, self.open_button):
            part.setHidden(self._compact)


class ScopeSwitch(QFrame):
    """Three buttons to choose how much of a note is shown; ``chosen`` carries the ``Scope``."""

    chosen = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("scopeSwitch")
        self.setAccessibleName(translate("How much of the note to show"))
        row = QHBoxLayout(self)
        row.setContentsMargins(px(3), px(3), px(3), px(3))
        row.setSpacing(px(2))
        self._group = QButtonGroup(self)
        names = translate("Section"), translate("Parent"), translate("Note")
        tips = (
            translate("Show the section found"),
            translate("Show the parent section ({keys})").format(keys=shortcut_text("Alt+Up")),
            translate("Show the whole note ({keys})").format(keys=shortcut_text("Alt+Shift+Up")),
        )
        self._buttons: dict[Scope, QPushButton] = {}
        scopes = Scope.SECTION, Scope.PARENT, Scope.NOTE
        for scope, name, tip in zip(scopes, names, tips, strict=True):
            self._buttons[scope] = button = QPushButton(name)
            button.setCheckable(True)
            button.setToolTip(tip)
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
