"""The outline of the note on show, in both windows: its headings, with how often each matches."""

from typing import Protocol

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QWidget

from notesearch.gui.session.lookups import CountRequest, MatchCounts
from notesearch.gui.session.preview_controller import PreviewController
from notesearch.gui.translation import translate
from notesearch.gui.widgets.choice_popover import ChoicePopover
from notesearch.gui.widgets.key_hints import Hint, caps_of
from notesearch.gui.window.outline import outline_choices, section_at
from notesearch.results import SectionLink


class OutlinedWindow(Protocol):
    """What a window has that shows notes."""

    @property
    def shows_results(self) -> bool:
        """The results are on show, not a page."""

    @property
    def outline_anchor(self) -> QWidget:
        """What the outline stands below."""


class OutlineFlow(QObject):
    """Fills the popover, and shows what is chosen in it.

    Signals:
        asked: The matches below each heading are to be counted (``CountRequest``).
        open_wanted: A place is to be opened in the editor: path of the note, line.
    """

    asked = Signal(object)
    open_wanted = Signal(str, int)

    def __init__(
        self,
        window: OutlinedWindow,
        popover: ChoicePopover,
        reading: PreviewController,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._window = window
        self._popover = popover
        self._reading = reading
        self._path = ""
        self._outline: tuple[SectionLink, ...] = ()
        popover.chosen.connect(self._show_heading)
        popover.opened.connect(self._open_heading)

    @Slot()
    def show(self) -> None:
        """Offer the headings of the note on show, and have the matches below them counted."""
        popover, place = self._popover, self._reading.place
        if popover.is_open or place is None or not self._window.shows_results:
            popover.close_up()
            return
        self._path, self._outline = place[0], self._reading.outline
        current = section_at(self._outline, place[1])
        popover.offer(
            outline_choices(self._outline, current),
            prompt=translate("window", "Filter headings in “{title}”").format(
                title=self._reading.title
            ),
            current=current,
            hints=section_hints(),
            anchor=self._window.outline_anchor,
        )
        if self._reading.query.strip():
            self.asked.emit(CountRequest(self._path, self._reading.query, self._outline))

    @Slot(object)
    def count(self, counted: MatchCounts) -> None:
        """Show how often each heading matches."""
        place = self._reading.place
        if self._popover.is_open and place and counted.request.outline == self._outline:
            current = section_at(self._outline, place[1])
            self._popover.refine(outline_choices(self._outline, current, counted.matches))

    @Slot(int)
    def _show_heading(self, at: int) -> None:
        self._reading.go_to(self._path, self._outline[at].line)

    @Slot(int)
    def _open_heading(self, at: int) -> None:
        self.open_wanted.emit(self._path, self._outline[at].line)


def section_hints() -> tuple[Hint, ...]:
    """Return what keys do in a list of sections."""
    return (
        Hint(caps_of("Enter"), translate("window", "Show section")),
        Hint(caps_of("Ctrl+Enter"), translate("window", "Open in editor")),
    )
