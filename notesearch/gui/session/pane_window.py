"""What both windows have: a search field, and below it results and a preview, or a page."""

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QMainWindow, QStackedWidget, QWidget

from notesearch.gui.widgets.keys import focus_next_pane
from notesearch.gui.widgets.notices import Banner, MessagePage, scrolling
from notesearch.gui.widgets.search_field import InputMethodRelay, SearchField
from notesearch.gui.widgets.status_bar import StatusBar
from notesearch.gui.widgets.theme import Theme

if TYPE_CHECKING:
    from notesearch.gui.preview.preview_pane import PreviewPane
    from notesearch.gui.results.results_pane import ResultPanes, ResultsPane


class PaneWindow(QMainWindow):
    """The parts of a window that a search pane needs, and what they do alike in both windows.

    A subclass lays the parts out. The attributes from ``results`` on exist after ``add_panes``.

    Attributes:
        bar: The bar below, which shows the state of the index and short messages.
        page: A page with a message, in place of the results.
        panes: The splitter that holds results and preview.
        notice: The bar that reports what went wrong with the selected section.
        digits: Opens rows by Alt and their number.
        choices: The popover that shows all lists of the window: actions, headings, filters.
        star: The popover in which to edit the name and shortcut of a starred query.
        why: The popover that says why a section is a result, or why a note is not.

    Signals:
        activated: The window became the active one.
        deactivated: Another window, or none, became the active one.
        page_shown: The page is shown, so no section is selected.
    """

    activated = Signal()
    deactivated = Signal()
    page_shown = Signal()
    panes: "ResultPanes"
    results: "ResultsPane"
    preview: "PreviewPane"

    def __init__(
        self,
        theme: Theme,
        bar: StatusBar,
        flags: Qt.WindowType = Qt.WindowType.Window,
        *,
        large_field: bool = False,
    ) -> None:
        super().__init__(None, flags)
        self.setAnimated(False)  # otherwise Qt makes an animation for docks, which do not exist
        self.theme = theme
        self.bar = bar
        self.field = SearchField(theme, large=large_field)
        self.notice = Banner("notice")
        self.page = MessagePage(theme)
        self.stack = QStackedWidget()
        self.stack.addWidget(scrolling(self.page))
        self._parts: list[Any] = [self.field, self.notice, self.page, bar]

    def add_panes(self, panes: "ResultPanes") -> None:
        """Add ``panes`` with the results and the preview, and the popovers above them."""
        # Imported here, because the main window is first painted without them.
        from notesearch.gui.results.results_view import RowDigits
        from notesearch.gui.widgets.popovers import ChoicePopover, StarPopover, WhyPopover

        self.panes = panes
        self.results = results = panes.results
        self.preview = preview = panes.preview
        self.stack.addWidget(panes)
        self.digits = RowDigits(self, results.view)
        InputMethodRelay(self.field, (results.view, preview.browser), self)
        self.choices = ChoicePopover(self, self.theme)
        self.star = StarPopover(self)
        self.why = WhyPopover(self)
        self._parts += [panes, self.choices, self.star, self.why]

    @property
    def shows_results(self) -> bool:
        """Whether the results are shown, not the page."""
        return self.stack.currentIndex() == 1

    @property
    def shows_preview(self) -> bool:
        """Whether the preview is shown beside or below results."""
        return self.shows_results and self.preview.isVisibleTo(self)

    @property
    def shows_problem(self) -> bool:
        """Whether a bar says what is wrong with the folder or its index."""
        return False

    @property
    def outline_anchor(self) -> QWidget:
        """The widget below which popovers about the previewed section open."""
        raise NotImplementedError

    def show_results(self) -> None:
        """Show the results and the preview in place of the page."""
        self.stack.setCurrentIndex(1)
        self.update_hints()

    def show_page(self) -> None:
        """Show the page in place of the results and the preview."""
        self.stack.setCurrentIndex(0)
        self.update_hints()
        self.page_shown.emit()

    def update_hints(self) -> None:
        """Show the hints at the foot that fit what is shown above."""
        raise NotImplementedError

    def flash(self, text: str, *, done: bool = True) -> None:
        """Show a short message for a moment, with a tick if it reports something ``done``."""
        self.bar.flash(text, done=done)

    def escape(self) -> None:
        """Handle the key Escape outside of the field."""
        raise NotImplementedError

    def cycle_panes(self, step: int) -> None:
        """Move the keyboard focus to the next (1) or the previous (-1) pane."""
        panes: list[QWidget] = [self.field]
        panes += [self.results.view] if self.shows_results else []
        panes += [self.preview] if self.shows_preview else []
        focus_next_pane(panes, self.focusWidget(), step)

    @Slot()
    def toggle_preview(self) -> None:
        """Show the preview, or give all room to the results."""
        if self.panes.wants_preview and self.panes.holds_focus:
            self.field.setFocus()
        self.panes.set_preview_shown(not self.panes.wants_preview)

    def set_theme(self, theme: Theme) -> None:
        """Apply the theme and the font sizes to all parts."""
        self.theme = theme
        for part in self._parts:
            part.set_theme(theme)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Send typed letters to the search field."""
        if event.key() == Qt.Key.Key_Escape:
            self.escape()
        elif not self.field.take_key(event):
            super().keyPressEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        """Emit ``activated`` or ``deactivated`` when the window becomes active or inactive."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.ActivationChange:
            (self.activated if self.isActiveWindow() else self.deactivated).emit()
