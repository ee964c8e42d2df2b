"""The header of the preview: the breadcrumb, the file, the matches and some buttons."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QFontMetrics, QResizeEvent
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

from notesearch.gui.preview.highlights import MAX_MARKS
from notesearch.gui.translation import isolated, matches_text, shortcut_text, translate
from notesearch.gui.widgets import icons
from notesearch.gui.widgets.controls import ElidedLabel, icon_button, plain_tip, text_label
from notesearch.gui.widgets.marked_line import (
    ELLIPSIS,
    SHORTEST_START,
    fitted,
    shortenings,
    strong_weight,
    with_gaps,
)
from notesearch.gui.widgets.theme import Role, Theme, focus_ring, font, px
from notesearch.markdown.render.formulas import unicode_formulas
from notesearch.results import Scope, SectionLink, SectionText

_MARGIN = 24
_ROW_HEIGHTS = (30, 34)
_COMPACT_HEIGHTS = (26, 16)
_ROOM = (76, 130)
"""The minimum height of the preview, in pixels, at which each row of the head is shown."""
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
    first = 1 if path[:1] == (text.title,) else 0
    for number in range(first, len(path)):
        heading_path = path[: number + 1]
        links = (link for link in outline if link.path == heading_path and link.line <= text.line)
        last = max(links, key=lambda link: link.line, default=None)
        heading = last.heading if last else path[number]
        crumbs.append(Crumb(unicode_formulas(heading), last.line if last else None))
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
    return isolated(text).replace("&", "&&")


def _crumb_button(*, own: bool) -> QPushButton:
    part = QPushButton()
    part.setObjectName("crumb")
    part.setFlat(True)
    part.setProperty("own", own)
    return part


class PreviewHead(QWidget):
    """The breadcrumb; unless ``compact``, below it the file, matches, scope switch and buttons."""

    def __init__(self, *, compact: bool = False) -> None:
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
        self._matches.setText(matches_text(current, count, capped=count == MAX_MARKS))
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
