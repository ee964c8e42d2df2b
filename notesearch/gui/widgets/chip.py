"""A chip: a small button that stands for a part of the query and removes it."""

from PySide6.QtCore import (
    Qt,
)
from PySide6.QtWidgets import (
    QToolButton,
)

from notesearch.gui.widgets import icons
from notesearch.gui.widgets.theme import Theme, px

_WIDEST_CHIP = 200
_CHIP_PADDING = 8
_LEFT_TO_RIGHT = "\N{LEFT-TO-RIGHT MARK}"


class Chip(QToolButton):
    """A small button with the text ``whole``, a part of the query, and a cross to remove it."""

    def __init__(self, whole: str = "") -> None:
        super().__init__()
        self.whole = whole
        self.setObjectName("chip")
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.setMinimumWidth(1)  # so that chips never keep the field from becoming narrower
        direction = Qt.LayoutDirection  # the opposite one puts the cross after the text
        is_mirrored = self.isRightToLeft()
        self.setLayoutDirection(direction.LeftToRight if is_mirrored else direction.RightToLeft)
        self._mark = _LEFT_TO_RIGHT if is_mirrored else ""  # else -a becomes a-

    def draw(self, theme: Theme, room: int) -> None:
        """Show the text in colours of ``theme`` and, elided, in at most ``room`` pixels."""
        self.ensurePolished()  # a new chip has the font of the style sheet only then
        icons.set_icon(self, "clear", theme.accent_text if self.isDown() else theme.text2, px(10))
        beside = self.iconSize().width() + icons.QT_GAP + 2 * px(_CHIP_PADDING)
        most = max(0, min(px(_WIDEST_CHIP), room - beside))
        metrics = self.fontMetrics()
        shown = metrics.elidedText(self.whole, Qt.TextElideMode.ElideRight, most)
        self.setText(f"{self._mark}{shown.replace('&', '&&')}{self._mark}")
        self.setMaximumWidth(metrics.horizontalAdvance(shown) + beside)
