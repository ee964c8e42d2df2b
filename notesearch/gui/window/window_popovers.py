"""The popovers of the main window: folders to search, related sections, why a section is found."""

from PySide6.QtCore import QObject, Qt, Slot
from PySide6.QtWidgets import QVBoxLayout, QWidget

from notesearch.gui import wording
from notesearch.gui.session.note_outline import section_hints
from notesearch.gui.session.open_vault import OpenVault
from notesearch.gui.session.reading_thread import RelatedRequest, RelatedSections
from notesearch.gui.session.search_controller import SearchScope
from notesearch.gui.session.search_pane import SearchPane
from notesearch.gui.translation import translate
from notesearch.gui.widgets.labels import text_label
from notesearch.gui.widgets.popover import Choice, Popover
from notesearch.gui.widgets.theme import Theme, px
from notesearch.gui.window.field_buttons import all_folders
from notesearch.gui.window.main_actions import MainActions
from notesearch.gui.window.main_window import MainWindow
from notesearch.results import SectionResult


class FolderScope(QObject):
    """Offers the top-level folders of the vault and limits the search to the chosen one."""

    def __init__(
        self,
        window: MainWindow,
        actions: MainActions,
        scope: SearchScope,
        vault: OpenVault,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._window = window
        self._scope = scope
        self._vault = vault
        self._offered: tuple[str, ...] = ()
        window.folder.button.clicked.connect(self.offer_folders)
        window.folder.cross.clicked.connect(self.search_everywhere)
        window.folders.chosen.connect(self._choose)
        actions.choose_scope.triggered.connect(self.offer_folders)
        actions.search_everywhere.triggered.connect(self.search_everywhere)
        vault.opening.connect(self._show_folder)
        self._show_folder()

    @Slot()
    def offer_folders(self) -> None:
        """Open the list of the top-level folders, or close it."""
        window, status = self._window, self._vault.status
        popover, folder = window.folders, self._scope.folder
        if popover.is_open:
            popover.close_up()
            return
        self._offered = ("", *(status.folders if status else ()))
        choices = [
            Choice(name or all_folders(), strong=name == folder, ends_group=not name)
            for name in self._offered
        ]
        current = self._offered.index(folder) if folder in self._offered else 0
        popover.offer(
            choices,
            prompt=translate("window", "Filter folders"),
            current=current,
            anchor=window.folder,
        )

    @Slot()
    def search_everywhere(self) -> None:
        """Search all folders."""
        self._search_in("")

    @Slot(int)
    def _choose(self, place: int) -> None:
        self._search_in(self._offered[place])

    def _search_in(self, folder: str) -> None:
        self._scope.set_folder(folder)
        self._show_folder()
        self._window.field.setFocus()

    @Slot()
    def _show_folder(self) -> None:
        """Name the folder on the button. Without a vault there is no button."""
        self._window.folder.set_folder(self._scope.folder)
        self._window.folder.setVisible(self._vault.path is not None)


class SectionPopovers(QObject):
    """Opens the popovers, and shows or opens the related section that is chosen."""

    def __init__(
        self,
        window: MainWindow,
        actions: MainActions,
        pane: SearchPane,
        vault: OpenVault,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._window = window
        self._pane = pane
        self._vault = vault
        self._request: RelatedRequest | None = None
        self._related: tuple[SectionResult, ...] = ()
        actions.related.triggered.connect(self.find_related)
        actions.why.triggered.connect(self.explain)
        window.related.chosen.connect(self._show_section)
        window.related.opened.connect(self._open_section)
        vault.opening.connect(self._on_opening)

    @Slot()
    def find_related(self) -> None:
        """Find the sections of other notes that are close to the previewed one."""
        preview, workers = self._pane.preview, self._vault.main_workers()
        if preview.place is not None and workers and self._window.shows_results:
            self._request = RelatedRequest(preview.place[0], preview.section_path)
            workers.read(self._request)

    @Slot()
    def explain(self) -> None:
        """Say why the selected section is a result."""
        section = self._window.results.view.section
        if section is not None and self._window.shows_results:
            self._window.why.explain(section)

    @Slot()
    def _on_opening(self) -> None:
        self._request = None
        workers = self._vault.main_workers()
        if workers:
            workers.reading.related_found.connect(self._show_related)

    @Slot(object)
    def _show_related(self, related: RelatedSections) -> None:
        if related.request != self._request:
            return
        self._request, self._related = None, related.sections
        nothing = related.problem or translate("window", "No other note has a related section.")
        choices = [
            Choice(" › ".join(section.section_path), detail=section.title)
            for section in related.sections
        ]
        self._window.related.offer(
            choices,
            prompt=translate("window", "Filter related sections") if choices else nothing,
            hints=section_hints() if choices else (),
            anchor=self._window.outline_anchor,
        )

    @Slot(int)
    def _show_section(self, at: int) -> None:
        self._pane.preview.go_to(self._related[at].path, self._related[at].line)

    @Slot(int)
    def _open_section(self, at: int) -> None:
        self._pane.opener.open_at(self._related[at].path, self._related[at].line)


_WIDTH = 340


class WhyPopover(Popover):
    """Gives each reason in a sentence."""

    def __init__(self, window: QWidget, theme: Theme) -> None:
        super().__init__(window)
        self._title, self._text = text_label(role="strong"), text_label(tone="text2")
        self._column = QVBoxLayout(self.card)
        for label in (self._title, self._text):
            self._column.addWidget(label)
        self.card.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.set_theme(theme)

    @property
    def text(self) -> str:
        """The reasons."""
        return self._text.text()

    def explain(self, result: SectionResult) -> None:
        """Open with the reasons for ``result``."""
        self._title.setText(
            translate("window", "Why “{section}” is a result").format(section=result.section)
        )
        self._text.setText("\n".join(wording.why_sentences(result)))
        for label in (self._title, self._text):
            label.setFixedWidth(px(_WIDTH))
            label.setMinimumHeight(label.heightForWidth(px(_WIDTH)))
        self.card.setAccessibleName(f"{self._title.text()}. {self.text}")
        self.pop_up(self.card)

    def set_theme(self, theme: Theme) -> None:
        """Apply the font sizes."""
        self._column.setContentsMargins(px(16), px(14), px(16), px(14))
        self._column.setSpacing(px(8))
