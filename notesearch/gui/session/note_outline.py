"""The outline of the previewed note: its headings, and how often the query matches below each."""

from collections.abc import Sequence

from PySide6.QtCore import QObject, Slot

from notesearch.gui import wording
from notesearch.gui.session.preview_controller import PreviewController
from notesearch.gui.session.reading_thread import CountRequest, MatchCounts
from notesearch.gui.session.search_controller import CurrentWorkers, PaneWindow
from notesearch.gui.session.section_opener import SectionOpener
from notesearch.gui.translation import translate
from notesearch.gui.widgets.choices import Choice
from notesearch.gui.widgets.key_hints import Hint, caps_of
from notesearch.results import SectionLink


class NoteOutline(QObject):
    """Lists the headings in a popover, and shows or opens the section that the user chooses."""

    def __init__(
        self,
        window: PaneWindow,
        preview: PreviewController,
        opener: SectionOpener,
        workers: CurrentWorkers,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._window = window
        self._preview = preview
        self._opener = opener
        self._workers = workers
        self._path = ""
        self._outline: tuple[SectionLink, ...] = ()
        window.outline.chosen.connect(self._show_section)
        window.outline.opened.connect(self._open_section)

    @Slot()
    def show(self) -> None:
        """List the headings of the previewed note; close the list if it is open already."""
        popover, preview = self._window.outline, self._preview
        if popover.is_open or preview.place is None or not self._window.shows_results:
            popover.close_up()
            return
        self._path, line = preview.place
        self._outline = preview.outline
        current = section_at(self._outline, line)
        popover.offer(
            outline_choices(self._outline, current),
            prompt=translate("window", "Filter headings in “{title}”").format(title=preview.title),
            current=current,
            hints=section_hints(),
            anchor=self._window.outline_anchor,
        )
        workers = self._workers()
        if workers and preview.query.strip():
            workers.read(CountRequest(self._path, preview.query, self._outline))

    @Slot(object)
    def show_counts(self, counted: MatchCounts) -> None:
        """Show how often the query matches below each heading, if the same outline is open."""
        popover, shown_at = self._window.outline, self._preview.place
        if popover.is_open and shown_at and counted.request.outline == self._outline:
            current = section_at(self._outline, shown_at[1])
            popover.refine(outline_choices(self._outline, current, counted.matches))

    @Slot(int)
    def _show_section(self, index: int) -> None:
        self._preview.go_to(self._path, self._outline[index].line)

    @Slot(int)
    def _open_section(self, index: int) -> None:
        self._opener.open_at(self._path, self._outline[index].line)


def section_hints() -> tuple[Hint, ...]:
    """Return the keys that work in a list of sections."""
    return (
        Hint(caps_of("Enter"), translate("window", "Show section")),
        Hint(caps_of("Ctrl+Enter"), translate("window", "Open in editor")),
    )


def outline_choices(
    outline: Sequence[SectionLink], current: int, matches: Sequence[int] = ()
) -> list[Choice]:
    """Return a row for each section, indented by its level.

    Args:
        outline: The sections in the order of the note.
        current: The index of the previewed section, which is emphasised.
        matches: How often the query matches in each section and its subsections; empty if unknown.
    """
    choices, levels = list[Choice](), list[int]()
    for index, link in enumerate(outline):
        while levels and levels[-1] >= link.level:
            levels.pop()
        count = matches[index] if index < len(matches) else 0
        choices.append(
            Choice(
                link.heading or translate("window", "Untitled"),
                detail=wording.page_text(link.page) if link.page else "",
                badge=f"{count:,}" if count else "",
                depth=len(levels),
                strong=index == current,
            )
        )
        levels.append(link.level)
    return choices


def section_at(outline: Sequence[SectionLink], line: int) -> int:
    """Return the index of the section in ``outline`` that contains ``line``; 0 without one."""
    return max((n for n, link in enumerate(outline) if link.line <= line), default=0)
