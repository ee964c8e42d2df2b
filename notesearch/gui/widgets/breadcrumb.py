"""The path from a note's title to a heading; all parts but the last are links."""

import html
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QSizePolicy, QWidget

from notesearch.gui.translation import translate
from notesearch.gui.widgets.theme import Role, font, px

_TAB = Qt.FocusPolicy.TabFocus
_SEPARATOR, _MIRRORED = "›", "‹"
_ROUNDING = 2
_GAP = 4


@dataclass(frozen=True, slots=True)
class Crumb:
    """One part of the path.

    Attributes:
        line: The line of the heading; 0 for the whole note, None if it is not a link.
    """

    text: str
    line: int | None = None


class Breadcrumb(QWidget):
    """Buttons that look like text; in a narrow pane the parents are elided first.

    Signals:
        chosen: A heading was clicked; carries its line.
        note_chosen: The note's title was clicked.
    """

    chosen = Signal(int)
    note_chosen = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._crumbs: tuple[Crumb, ...] = ()
        self._links: list[QPushButton] = []
        self._separators: list[QLabel] = []
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(0)
        self._row.setAlignment(Qt.AlignmentFlag.AlignLeft)
        self._own = _part(own=True)
        self._own.setEnabled(False)
        self._own.hide()
        self._row.addWidget(self._own)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)

    def set_crumbs(self, crumbs: Sequence[Crumb]) -> bool:
        """Show ``crumbs``, the last being the current heading; return whether links were added."""
        if tuple(crumbs) == self._crumbs:
            return False
        self._crumbs = tuple(crumbs)
        self.setAccessibleName(
            translate("window", "Location: {path}").format(
                path=", ".join(crumb.text for crumb in crumbs)
            )
        )
        *above, own = self._crumbs
        grows = len(above) > len(self._links)
        while len(above) > len(self._links):
            self._add_link()
        for at, (link, separator) in enumerate(zip(self._links, self._separators, strict=True)):
            shown = at < len(above)
            link.setVisible(shown)
            separator.setVisible(shown)
            if shown:
                link.setEnabled(above[at].line is not None)
                link.setToolTip(_tip(above[at].text))
        self._own.setToolTip(_tip(own.text))
        self._own.show()
        self._fit()
        return grows

    def order_before(self, stop: QWidget) -> None:
        """Put the links before ``stop`` in the tab order; call it after links were added."""
        before = stop.previousInFocusChain()
        while before and before is not stop and not before.focusPolicy() & _TAB:
            before = before.previousInFocusChain()
        stops = [before, *self._links] if before else []
        for one, other in pairwise(stops):
            QWidget.setTabOrder(one, other)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Elide for the new width."""
        super().resizeEvent(event)
        self._fit()

    def _add_link(self) -> None:
        """Add a link. Links are reused, because Qt takes long to style new ones."""
        mirrored = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        link, separator = _part(own=False), QLabel(_MIRRORED if mirrored else _SEPARATOR)
        link.setCursor(Qt.CursorShape.PointingHandCursor)
        link.clicked.connect(self._choose)
        separator.setObjectName("separator")
        for number, widget in enumerate((link, separator)):
            self._row.insertWidget(2 * len(self._links) + number, widget)
        self._own.raise_()  # keep it last for screen readers too
        self._links.append(link)
        self._separators.append(separator)

    def _fit(self) -> None:
        """Elide the headings to the available width."""
        if not self._crumbs:
            return
        plain, strong = QFontMetrics(font(Role.ROW)), QFontMetrics(font(Role.ROW_STRONG))
        gaps = (len(self._crumbs) - 1) * (plain.horizontalAdvance(_SEPARATOR) + 2 * px(_GAP)) + px(
            _GAP
        )
        above = self._crumbs[:-1]
        room = max(0, self.width() - gaps)
        least = len(above) * (plain.horizontalAdvance("…") + _ROUNDING)
        own = strong.elidedText(self._crumbs[-1].text, Qt.TextElideMode.ElideRight, room - least)
        self._own.setText(own.replace("&", "&&"))
        room -= strong.horizontalAdvance(own) + _ROUNDING
        widths = [plain.horizontalAdvance(crumb.text) + _ROUNDING for crumb in above]
        for part, crumb, width in zip(self._links, above, _shares(widths, room), strict=False):
            shown = plain.elidedText(crumb.text, Qt.TextElideMode.ElideMiddle, width)
            part.setText((shown or "…").replace("&", "&&"))

    @Slot()
    def _choose(self) -> None:
        at = self._links.index(self.sender())  # type: ignore[arg-type]
        line = self._crumbs[at].line
        if line:
            self.chosen.emit(line)
        else:
            self.note_chosen.emit()


def _part(*, own: bool) -> QPushButton:
    part = QPushButton()
    part.setObjectName("crumb")
    part.setFlat(True)
    part.setProperty("own", own)
    return part


def _tip(text: str) -> str:
    return f"<span>{html.escape(text)}</span>"


def _shares(widths: Sequence[int], room: int) -> list[int]:
    """Divide ``room``: short parts get their full width, long ones equal shares of the rest."""
    shares = list(widths)
    left, order = room, sorted(range(len(widths)), key=widths.__getitem__)
    for count, at in enumerate(order):
        shares[at] = min(widths[at], max(0, left) // (len(order) - count))
        left -= shares[at]
    return shares
