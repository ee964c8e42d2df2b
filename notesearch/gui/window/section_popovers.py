"""Opens the popovers of the main window that answer questions about a section or a note."""

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

from notesearch.errors import NotesearchError, SectionMissingError
from notesearch.gui.session.actions import MainActions
from notesearch.gui.session.open_vault import OpenVault
from notesearch.gui.session.pane_popovers import section_hints
from notesearch.gui.session.search_pane import SearchPane
from notesearch.gui.session.section_reader import Question, part_of
from notesearch.gui.translation import error_text, sentence_text, translate
from notesearch.gui.widgets.choices import Choice
from notesearch.gui.window.main_window import MainWindow
from notesearch.markdown.render.formulas import unicode_formulas
from notesearch.note_addresses import split_vault
from notesearch.results import LinkingSection, SectionResult

if TYPE_CHECKING:
    from notesearch.gui.session.search_worker import SearchedLibrary

_MAX_RELATED = 12


class SectionPopovers(QObject):
    """Opens the popovers about sections, and shows or opens the section chosen in one of them."""

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
        actions.related.triggered.connect(self.find_related)
        actions.backlinks.triggered.connect(self.find_backlinks)
        actions.why.triggered.connect(self.explain)
        actions.why_not.triggered.connect(window.why.ask)
        window.why.asked.connect(self._find_reasons)

    @Slot()
    def find_related(self) -> None:
        """Find sections of other notes similar to the previewed section, and offer them."""
        preview = self._pane.preview
        workers = self._vault.main_workers()
        if preview.place is not None and workers and self._window.shows_results:
            path = preview.place[0]
            headings = preview.section_path
            find = partial(find_related, path=path, section_path=headings)
            workers.read(Question("related", find, self._show_related))

    @Slot()
    def find_backlinks(self) -> None:
        """Find the sections that link to the previewed note, and offer them."""
        preview = self._pane.preview
        workers = self._vault.main_workers()
        if preview.place is not None and workers and self._window.shows_results:
            find = partial(find_backlinks, path=preview.place[0])
            workers.read(Question("backlinks", find, self._show_backlinks, nothing=[]))

    @Slot()
    def explain(self) -> None:
        """Show why the selected section is a result."""
        section = self._window.results.view.section
        if section is not None and self._window.shows_results:
            shown = self._pane.search.shown
            by_meaning = shown is not None and shown.meaning
            self._window.why.explain(section, compared=by_meaning and not self._is_preparing)

    @property
    def _is_preparing(self) -> bool:
        """Whether some passages have no vectors yet, so that search by meaning cannot find them."""
        status = self._vault.status
        return status is not None and status.awaits_vectors

    @Slot(str)
    def _find_reasons(self, note: str) -> None:
        workers = self._vault.main_workers()
        search = self._pane.search
        if workers and note.strip():
            name = note.strip()
            find = partial(explain_absence, query=search.text, note=name, within=search.within)
            answer = partial(self._window.why.answer, name)
            workers.read(Question("reasons", find, answer))

    def _show_related(self, found: list[Choice] | str) -> None:
        nothing = translate("No other note has a related section.")
        if isinstance(found, str):
            nothing, found = found, []
        if self._is_preparing:
            nothing = translate("Search by meaning is not ready yet.")
        name = translate("Related sections")
        self._offer(name, found, translate("Filter related sections"), nothing)

    def _show_backlinks(self, found: list[Choice]) -> None:
        nothing = translate("No other note links to this one.")
        name = translate("Backlinks")
        self._offer(name, found, translate("Filter backlinks"), nothing)

    def _offer(self, name: str, choices: list[Choice], prompt: str, nothing: str) -> None:
        self._window.choices.offer(
            name,
            choices,
            self._pane.preview.go_to,
            opened=self._pane.opener.open_at,
            prompt=prompt,
            nothing=nothing,
            hints=section_hints() if choices else (),
            anchor=self._window.outline_anchor,
        )


def find_related(
    library: "SearchedLibrary", path: str, section_path: Sequence[str]
) -> list[Choice] | str:
    """Return rows for related sections of other notes, or a sentence why there are none."""
    from notesearch.library import NoteLibrary

    if isinstance(library, NoteLibrary):
        find = partial(library.related, path, limit=_MAX_RELATED)
    else:
        find = partial(library.related, *split_vault(path, library.parts), limit=_MAX_RELATED)
    try:
        try:
            related = find("/".join(section_path))
        except SectionMissingError:  # several sections share this name: use the whole note
            related = find()
    except NotesearchError as error:
        return error_text(error)
    return [_choice(near.path, near) for near in related]


def find_backlinks(library: "SearchedLibrary", path: str) -> list[Choice]:
    """Return rows for the sections that link to the note at ``path``, grouped by note."""
    part, inside, prefix = part_of(library, path)
    return [_choice(prefix + near.path, near) for near in part.linking_sections(inside)]


def _choice(path: str, section: SectionResult | LinkingSection) -> Choice:
    """Return the row for a section; it shows the note unless both have the same name."""
    name = unicode_formulas(" › ".join(section.shown_path))
    note = section.title if section.title != name else ""
    return Choice(name, detail=note, value=(path, section.line))


def explain_absence(
    library: "SearchedLibrary", query: str, note: str, within: str
) -> tuple[str, ...]:
    """Explain in sentences why ``note``, a name or path, is not found in the folder ``within``."""
    try:
        reasons = library.why_absent(query, note, within=within)
    except NotesearchError as error:
        reasons = (error.sentence,)
    return tuple(map(sentence_text, reasons))
