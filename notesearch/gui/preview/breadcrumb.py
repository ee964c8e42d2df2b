"""The breadcrumb above the preview: the title of the note and the headings down to the section."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSizePolicy, QWidget

from notesearch.gui import wording
from notesearch.gui.translation import translate
from notesearch.gui.widgets.controls import plain_tip, text_label
from notesearch.gui.widgets.marked_line import (
    ELLIPSIS,
    SHORTEST_START,
    fitted,
    shortenings,
    strong_weight,
    with_gaps,
)
from notesearch.gui.widgets.theme import Role, font, px
from notesearch.markdown.render.formulas import unicode_formulas
from notesearch.results import SectionLink, SectionText

_SEPARATOR, _MIRRORED = "›", "‹"
_MOST_LINKS = 6
_ROUNDING = 2
_GAP = 4
_END = 12
"""Space after the breadcrumb, which ends above the signs of the buttons in the row below."""


@dataclass(frozen=True, slots=True)
class Crumb:
    """A part of a breadcrumb: the note's title or a heading.

    ``line`` is 0 for the title. A part whose line is None is not a link.
    """

    text: str
    line: int | None = None


def crumbs_of(text: SectionText, outline: Sequence[SectionLink]) -> list[Crumb]:
    """Return the title of the note, the headings above the section ``text``, and its own heading.

    A heading is a link if ``outline``, which has all sections of the note, has its line.
    """
    crumbs = [Crumb(unicode_formulas(text.title), 0)]
    path = text.section_path
    begins_with_title = path[:1] == (text.title,)
    for number in range(1 if begins_with_title else 0, len(path)):
        heading_path = path[: number + 1]
        links = (link for link in outline if link.path == heading_path and link.line <= text.line)
        last = max(links, key=lambda link: link.line, default=None)
        if last is not None:
            crumbs.append(Crumb(unicode_formulas(last.heading), last.line))
        else:
            crumbs.append(Crumb(unicode_formulas(path[number]), None))
    return crumbs


class Breadcrumb(QWidget):
    """The title of a note and the headings down to a section; all but the last are links.

    In a narrow pane, an ellipsis stands for headings in the middle. As a link, it leads to the last
    of these headings. If even that does not fit, the title's first words stand for all of them.

    Signals:
        chosen: A heading was clicked; carries its line.
        note_chosen: The note's title was clicked.
    """

    chosen = Signal(int)
    note_chosen = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._crumbs: tuple[Crumb, ...] = ()
        mirrored = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        # As many as there can be at once, because Qt is slow to style new ones.
        self._links = [_crumb_button(own=False) for _ in range(_MOST_LINKS)]
        separator = _MIRRORED if mirrored else _SEPARATOR
        self._separators = [text_label(separator, wrap=False) for _ in self._links]
        self._own = _crumb_button(own=True)
        self._own.setEnabled(False)
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(0)
        self._row.setAlignment(Qt.AlignmentFlag.AlignLeft)
        for link, sign in zip(self._links, self._separators, strict=True):
            link.setCursor(Qt.CursorShape.PointingHandCursor)
            link.clicked.connect(self._choose)
            sign.setObjectName("separator")
            self._row.addWidget(link)
            self._row.addWidget(sign)
        self._row.addWidget(self._own)
        self.set_crumbs([Crumb("")])
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)

    def set_crumbs(self, crumbs: Sequence[Crumb]) -> None:
        """Show ``crumbs``, all but the last as links; of very many, not those in the middle."""
        first = crumbs[:1] if len(crumbs) > _MOST_LINKS else ()
        kept = (*first, *crumbs[-_MOST_LINKS:])
        if kept == self._crumbs:
            return
        self._crumbs = kept
        path = ", ".join(crumb.text for crumb in crumbs)
        self.setAccessibleName(translate("Location: {path}", path=path))
        for link, crumb in zip(self._links, kept[:-1], strict=False):
            link.setEnabled(crumb.line is not None)
        self._own.setToolTip(plain_tip(kept[-1].text))
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show as many headings as fit into the new width."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        own_font = font(Role.ROW)
        own_font.setWeight(strong_weight(self._crumbs[-1].text))
        self._own.setFont(own_font)
        plain, strong = QFontMetrics(font(Role.ROW)), QFontMetrics(own_font)
        separator = plain.horizontalAdvance(_SEPARATOR) + 2 * px(_GAP) + _ROUNDING
        *above, own = self._crumbs
        widths = [plain.horizontalAdvance(crumb.text) + separator for crumb in above]
        widths.append(strong.horizontalAdvance(own.text) + _ROUNDING)
        gap = plain.horizontalAdvance(ELLIPSIS) + separator
        room = self.width() - px(_END)
        kept: Sequence[int] = ()
        for kept in shortenings(len(widths)):
            if sum(with_gaps(widths, kept, gap)) <= room:
                break
        start = ""
        if above and kept == (len(above),):
            start = _start(above[0].text, plain, room - widths[-1] - separator)
        rest = room - sum(with_gaps(widths, kept, gap)[:-1])
        self._own.setText(_label(own.text if start else fitted(own.text, strong, rest)))
        for index, (link, between) in enumerate(zip(self._links, self._separators, strict=True)):
            text = above[index].text if index in kept[:-1] else ""
            tip = text
            if start and index == 0:
                text = start
                tip = above[0].text
            elif not start and index + 1 in kept and index not in kept:
                text = ELLIPSIS
                hidden = [crumb.text for n, crumb in enumerate(above[: index + 1]) if n not in kept]
                tip = f" {_SEPARATOR} ".join(hidden)
            link.setText(_label(text))
            link.setToolTip(plain_tip(tip))
            link.setVisible(bool(text))
            between.setVisible(bool(text))

    @Slot()
    def _choose(self) -> None:
        index = self._links.index(self.sender())  # type: ignore[arg-type]
        line = self._crumbs[index].line
        if line:
            self.chosen.emit(line)
        else:
            self.note_chosen.emit()


def _start(title: str, metrics: QFontMetrics, room: int) -> str:
    """Return the first words of ``title`` that fit into ``room``; empty if they are too short.

    The title is always cut, because its ellipsis also stands for the headings below the title.
    """
    words = fitted(title, metrics, min(room, metrics.horizontalAdvance(title) - 1))
    return words if len(words) > SHORTEST_START else ""


def _label(text: str) -> str:
    """Return the label of a button that shows ``text`` as it is, in its own direction."""
    return wording.isolated(text).replace("&", "&&")


def _crumb_button(*, own: bool) -> QPushButton:
    part = QPushButton()
    part.setObjectName("crumb")
    part.setFlat(True)
    part.setProperty("own", own)
    return part
