"""The breadcrumb: the title of a note and the headings down to a section, as links."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QSizePolicy, QWidget

from notesearch.gui.translation import translate
from notesearch.gui.widgets.labels import plain_tip, shortenings, with_gaps
from notesearch.gui.widgets.theme import Role, font, px

_TAB = Qt.FocusPolicy.TabFocus
_SEPARATOR, _MIRRORED, _ELLIPSIS = "›", "‹", "…"
_ROUNDING = 2
_GAP = 4


@dataclass(frozen=True, slots=True)
class Crumb:
    """One part of a breadcrumb: the title of the note, or a heading.

    Attributes:
        line: The line of the heading; 0 for the title, None if it is not a link.
    """

    text: str
    line: int | None = None


class Breadcrumb(QWidget):
    """The title of a note and the headings down to a section; all but the last are links.

    In a narrow pane, an ellipsis stands for headings in the middle. As a link, it leads to the last
    of these headings.

    Signals:
        chosen: A heading was clicked; carries its line.
        note_chosen: The note's title was clicked.
    """

    chosen = Signal(int)
    note_chosen = Signal()

    def __init__(self) -> None:
        super().__init__()
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
        """Show ``crumbs``, the last one not as a link; return whether links were added."""
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
        for link, crumb in zip(self._links, above, strict=False):
            link.setEnabled(crumb.line is not None)
        self._own.setToolTip(plain_tip(own.text))
        self._own.show()
        self._fit()
        return grows

    def order_before(self, stop: QWidget) -> None:
        """Put the links before ``stop`` in the tab order; call it after links were added."""
        before = stop.previousInFocusChain()
        while before and before is not stop and not before.focusPolicy() & _TAB:
            before = before.previousInFocusChain()
        stops = [before, *self._links] if before else []
        for first, second in pairwise(stops):
            QWidget.setTabOrder(first, second)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show as many headings as fit into the new width."""
        super().resizeEvent(event)
        self._fit()

    def _add_link(self) -> None:
        """Add a link. Links are reused for other notes, because Qt is slow to style new ones."""
        mirrored = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        link, separator = _part(own=False), QLabel(_MIRRORED if mirrored else _SEPARATOR)
        link.setCursor(Qt.CursorShape.PointingHandCursor)
        link.clicked.connect(self._choose)
        separator.setObjectName("separator")
        for number, widget in enumerate((link, separator)):
            self._row.insertWidget(2 * len(self._links) + number, widget)
        self._own.raise_()  # so that it is last for screen readers, too
        self._links.append(link)
        self._separators.append(separator)

    def _fit(self) -> None:
        """Show as many headings as fit into the width."""
        if not self._crumbs:
            return
        plain, strong = QFontMetrics(font(Role.ROW)), QFontMetrics(font(Role.ROW_STRONG))
        separator = plain.horizontalAdvance(_SEPARATOR) + 2 * px(_GAP) + _ROUNDING
        *above, own = self._crumbs
        widths = [plain.horizontalAdvance(crumb.text) + separator for crumb in above]
        widths.append(strong.horizontalAdvance(own.text) + _ROUNDING)
        gap, room = plain.horizontalAdvance(_ELLIPSIS) + separator, self.width() - px(_GAP)
        kept: Sequence[int] = ()
        for kept in shortenings(len(widths)):
            if sum(with_gaps(widths, kept, gap)) <= room:
                break
        rest = room - sum(with_gaps(widths, kept, gap)[:-1])
        text = strong.elidedText(own.text, Qt.TextElideMode.ElideRight, rest)
        self._own.setText(text.replace("&", "&&"))
        for index, (link, between) in enumerate(zip(self._links, self._separators, strict=True)):
            is_gap = index < len(above) and index not in kept and index + 1 in kept
            link.setVisible(index in kept[:-1] or is_gap)
            between.setVisible(index in kept[:-1] or is_gap)
            if is_gap:
                hidden = [crumb.text for n, crumb in enumerate(above[: index + 1]) if n not in kept]
                link.setText(_ELLIPSIS)
                link.setToolTip(plain_tip(f" {_SEPARATOR} ".join(hidden)))
            elif index in kept[:-1]:
                link.setText(above[index].text.replace("&", "&&"))
                link.setToolTip(plain_tip(above[index].text))

    @Slot()
    def _choose(self) -> None:
        index = self._links.index(self.sender())  # type: ignore[arg-type]
        line = self._crumbs[index].line
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
