"""Fills what opens over the windows: completions of filters, and lists and cards on sections.

Facets are filters that narrow the results.
"""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from operator import methodcaller
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

from notesearch.errors import NotesearchError, SectionMissingError
from notesearch.gui.session.actions import MainActions, PaneActions
from notesearch.gui.session.pane_window import PaneWindow
from notesearch.gui.session.preview_controller import NotePlace, PreviewController
from notesearch.gui.session.query_examples import Examples, find_examples, tips
from notesearch.gui.session.search_controller import CurrentWorkers, SearchController, after_paint
from notesearch.gui.session.section_opener import SectionOpener
from notesearch.gui.session.section_reader import Question, part_of
from notesearch.gui.translation import (
    error_text,
    notes_text,
    number_text,
    page_text,
    sentence_text,
    translate,
)
from notesearch.gui.widgets import answer_texts
from notesearch.gui.widgets.choices import Choice
from notesearch.gui.widgets.keys import KeyHint, caps_of
from notesearch.markdown.render.formulas import unicode_formulas
from notesearch.note_addresses import split_vault
from notesearch.results import FilterChoice, LinkingSection, Scope, SectionLink, SectionResult

if TYPE_CHECKING:
    from notesearch.gui.session.search_worker import SearchedLibrary

_MAX_RELATED = 12


class PanePopovers(QObject):
    """Fills the popovers of a window: completions of filters, outline, facets, search tips.

    Of the main window, also related sections, backlinks, and why a section is a result.
    """

    def __init__(
        self,
        window: PaneWindow,
        actions: PaneActions,
        search: SearchController,
        preview: PreviewController,
        opener: SectionOpener,
        workers: CurrentWorkers,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._window = window
        self._workers = workers
        self._search = search
        self._preview = preview
        self._opener = opener
        for button, action, slot in (
            (window.preview.head.outline_button, actions.outline, self.show_outline),
            (window.results.summary.narrow_button, actions.narrow, self.ask_for_facets),
            (window.field.tips_button, actions.tips, self.ask_for_tips),
        ):
            button.clicked.connect(slot)
            action.triggered.connect(slot)
        self._begun = ""  # the beginning of a filter to complete
        self._after_paint = after_paint(self)
        self._after_paint.timeout.connect(self._ask_for_completions)
        window.field.filter_begun.connect(self._on_filter_begun)
        self._narrowed = ""  # the query whose facets wait for its final answer
        search.settled.connect(self._narrow)
        if isinstance(actions, MainActions):
            actions.related.triggered.connect(self.find_related)
            actions.backlinks.triggered.connect(self.find_backlinks)
            actions.why.triggered.connect(self.explain)
            actions.why_not.triggered.connect(window.why.ask)
            window.why.asked.connect(self._find_reasons)

    @Slot(str)
    def _on_filter_begun(self, begun: str) -> None:
        self._begun = begun
        if begun:
            self._after_paint.start()

    @Slot()
    def _ask_for_completions(self) -> None:
        workers = self._workers()
        begun = self._begun
        if workers and begun:
            complete = methodcaller("complete_filter", begun)
            offer = partial(self._offer_completions, begun)
            workers.reading.ask(Question("completions", complete, offer, nothing=()))

    def _offer_completions(self, begun: str, filters: Sequence[FilterChoice]) -> None:
        choices = []
        for offered in filters:
            detail = notes_text(offered.count) if offered.count else ""
            choices.append(Choice(offered.filter, detail=detail, value=offered.filter))
        nothing = answer_texts.no_values_text(begun)
        if nothing and not choices:
            choices = [Choice(nothing, value="")]
        self._window.field.offer(begun, choices)

    @Slot()
    def show_outline(self) -> None:
        """List the headings of the previewed note; close the list if it is already open."""
        popover = self._window.choices
        preview = self._preview
        name = translate("Note outline")
        is_closed = popover.close_list(name)
        if is_closed or preview.place is None or not self._window.shows_results:
            return
        path, line = preview.place
        outline = preview.outline
        current = section_at(outline, line)
        prompt = translate("Filter headings in “{title}”", title=preview.title)
        choices = outline_choices(path, outline, current)
        self._offer_sections(name, choices, prompt, current=current)
        workers = self._workers()
        if workers and preview.query.strip():
            count = partial(count_matches, path=path, query=preview.query, outline=outline)
            workers.read(Question("counts", count, partial(self._show_counts, path, outline)))

    def _show_counts(
        self, path: str, outline: tuple[SectionLink, ...], counts: tuple[int, ...]
    ) -> None:
        """Show how often the query matches below each heading, if ``outline`` is still open."""
        popover = self._window.choices
        shown_at = self._preview.place
        is_open = popover.shows(translate("Note outline"))
        if is_open and shown_at and (path, outline) == (shown_at[0], self._preview.outline):
            current = section_at(outline, shown_at[1])
            popover.refine(outline_choices(path, outline, current, counts))

    @Slot()
    def ask_for_facets(self) -> None:
        """Ask for the facets of all results; close the popover if it is already open."""
        if self._window.choices.close_list(translate("Narrow the results")):
            return
        self._narrowed = self._search.text
        if self._search.answered:
            self._narrow()

    @Slot()
    def _narrow(self) -> None:
        wanted = self._narrowed
        if not wanted:
            return
        self._narrowed = ""
        workers = self._workers()
        shown = self._search.shown
        if wanted == self._search.text and workers and shown and self._window.shows_results:
            find = methodcaller("facets", shown.sections)
            workers.reading.ask(Question("facets", find, self._offer_facets, nothing=()))

    def _offer_facets(self, groups: Sequence[Sequence[FilterChoice]]) -> None:
        choices = [
            Choice(
                answer_texts.facet_text(facet),
                detail=number_text(facet.count),
                ends_group=facet is group[-1],
                value=facet.filter,
            )
            for group in groups
            for facet in group
        ]
        button = self._window.results.summary.narrow_button
        self._window.choices.offer(
            translate("Narrow the results"),
            choices,
            self._window.field.add_filter,
            prompt=translate("Show only results with …"),
            nothing=translate("No filter would narrow these results."),
            anchor=button if button.isVisible() else self._window.field,
        )

    @Slot()
    def ask_for_tips(self) -> None:
        """Ask for examples from the notes; close the popover if it is already open."""
        workers = self._workers()
        if not self._window.choices.close_list(translate("Search tips")) and workers:
            question = Question("examples", find_examples, self._offer_tips, nothing=Examples())
            workers.reading.ask(question)

    def _offer_tips(self, examples: Examples) -> None:
        related = translate("Close in meaning, though it has none of your words")
        choices = [Choice(query, detail=meaning, value=query) for query, meaning in tips(examples)]
        self._window.choices.offer(
            translate("Search tips"),
            [*choices, Choice(translate("Related"), detail=related, value="")],
            self._search_tip,
            prompt=translate("Search tips: choose an example to try it"),
            anchor=self._window.field.tips_button,
        )

    def _search_tip(self, query: str) -> None:
        if query:
            self._window.field.set_text(query)
        self._window.field.focus_all()

    @Slot()
    def find_related(self) -> None:
        """Find sections of other notes similar to the previewed section, and offer them."""
        place = self._shown_place
        workers = self._workers()
        if place is not None and workers:
            find = partial(find_related, path=place[0], section_path=self._preview.section_path)
            workers.read(Question("related", find, self._show_related))

    @Slot()
    def find_backlinks(self) -> None:
        """Find the sections that link to the previewed note, and offer them."""
        place = self._shown_place
        workers = self._workers()
        if place is not None and workers:
            find = partial(find_backlinks, path=place[0])
            workers.read(Question("backlinks", find, self._show_backlinks, nothing=[]))

    @Slot()
    def explain(self) -> None:
        """Show why the selected section is a result."""
        section = self._window.results.view.section
        if section is not None and self._window.shows_results:
            shown = self._search.shown
            by_meaning = shown is not None and shown.meaning
            self._window.why.explain(section, compared=by_meaning and not self._is_preparing)

    @property
    def _shown_place(self) -> NotePlace | None:
        """The place of the section in the preview; None if no results are shown."""
        return self._preview.place if self._window.shows_results else None

    @property
    def _is_preparing(self) -> bool:
        """Whether some passages have no vectors yet, so that search by meaning cannot find them."""
        status = self._search.status
        return status is not None and status.awaits_vectors

    @Slot(str)
    def _find_reasons(self, note: str) -> None:
        workers = self._workers()
        name = note.strip()
        if workers and name:
            search = self._search
            find = partial(explain_absence, query=search.text, note=name, within=search.within)
            answer = partial(self._window.why.answer, name)
            workers.read(Question("reasons", find, answer))

    def _show_related(self, found: list[Choice] | str) -> None:
        nothing = translate("No other note has a related section.")
        if self._is_preparing:
            nothing = translate("Search by meaning is not ready yet.")
        elif isinstance(found, str):
            nothing = found
        choices = found if isinstance(found, list) else []
        prompt = translate("Filter related sections")
        self._offer_sections(translate("Related sections"), choices, prompt, nothing=nothing)

    def _show_backlinks(self, found: list[Choice]) -> None:
        nothing = translate("No other note links to this one.")
        prompt = translate("Filter backlinks")
        self._offer_sections(translate("Backlinks"), found, prompt, nothing=nothing)

    def _offer_sections(
        self, name: str, choices: list[Choice], prompt: str, *, nothing: str = "", current: int = 0
    ) -> None:
        hints = (
            KeyHint(caps_of("Enter"), translate("Show section")),
            KeyHint(caps_of("Ctrl+Enter"), translate("Open in editor")),
        )
        self._window.choices.offer(
            name,
            choices,
            self._preview.go_to,
            opened=self._opener.open_at,
            prompt=prompt,
            nothing=nothing,
            current=current,
            hints=hints if choices else (),
            anchor=self._window.outline_anchor,
        )


def outline_choices(
    path: str, outline: Sequence[SectionLink], current: int, matches: Sequence[int] = ()
) -> list[Choice]:
    """Return a row for each section of a note, indented by its level; ``current`` is bold.

    ``matches`` says how often the query matches in each section and its subsections, if known.
    """
    choices = list[Choice]()
    levels = list[int]()
    for index, link in enumerate(outline):
        while levels and levels[-1] >= link.level:
            levels.pop()
        count = matches[index] if index < len(matches) else 0
        choices.append(
            Choice(
                unicode_formulas(link.heading) or translate("Untitled"),
                detail=page_text(link.page) if link.page else "",
                badge=number_text(count) if count else "",
                depth=len(levels),
                strong=index == current,
                value=(path, link.line),
            )
        )
        levels.append(link.level)
    return choices


def count_matches(
    library: "SearchedLibrary", path: str, query: str, outline: Sequence[SectionLink]
) -> tuple[int, ...]:
    """Count how often ``query`` matches in each section of the note's file and its subsections."""
    part, inside, _ = part_of(library, path)
    note = part.read_at(inside, 1, Scope.NOTE)
    spans = part.matches(query, note.text)
    line_ends = [n for n, character in enumerate(note.text) if character == "\n"]
    lines = sorted(note.line + bisect_right(line_ends, start - 1) for start, _ in spans)
    return matches_below(outline, lines)


def matches_below(outline: Sequence[SectionLink], lines: Sequence[int]) -> tuple[int, ...]:
    """Return how many of the matching ``lines`` are in each section or its subsections.

    The text before the first heading has level 0 and no subsections. ``lines`` are in order.
    """
    counts = []
    for index, link in enumerate(outline):
        own_end = outline[index + 1].line if index + 1 < len(outline) else None
        following = (other.line for other in outline[index + 1 :] if other.level <= link.level)
        end = next(following, None) if link.level else own_end
        below = len(lines) if end is None else bisect_left(lines, end)
        counts.append(max(0, below - bisect_left(lines, link.line)))
    return tuple(counts)


def section_at(outline: Sequence[SectionLink], line: int) -> int:
    """Return the index of the section in ``outline`` that contains ``line``; 0 if none does."""
    return max((n for n, link in enumerate(outline) if link.line <= line), default=0)


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
    return _choices([(near.path, near) for near in related])


def find_backlinks(library: "SearchedLibrary", path: str) -> list[Choice]:
    """Return rows for the sections that link to the note at ``path``, grouped by note."""
    part, inside, prefix = part_of(library, path)
    return _choices([(prefix + near.path, near) for near in part.linking_sections(inside)])


def _choices(sections: Sequence[tuple[str, SectionResult | LinkingSection]]) -> list[Choice]:
    """Return a row for each section, given with its path.

    A row also shows the title of the note unless both have the same name, or the path if the row
    would look like that of another note.
    """
    choices = list[Choice]()
    alike = defaultdict[tuple[str, str], set[str]](set)
    for path, section in sections:
        name = unicode_formulas(" › ".join(section.shown_path))
        note = section.title if section.title != name else ""
        choices.append(Choice(name, detail=note, value=(path, section.line)))
        alike[name, note].add(path)
    return [
        replace(choice, detail=path) if len(alike[choice.text, choice.detail]) > 1 else choice
        for choice, (path, _) in zip(choices, sections, strict=True)
    ]


def explain_absence(
    library: "SearchedLibrary", query: str, note: str, within: str
) -> tuple[str, ...]:
    """Explain in sentences why ``note``, a name or path, is not found in the folder ``within``."""
    try:
        reasons = library.why_absent(query, note, within=within)
    except NotesearchError as error:
        reasons = (error.sentence,)
    return tuple(map(sentence_text, reasons))
