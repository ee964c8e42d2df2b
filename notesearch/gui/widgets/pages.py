"""What stands on the page instead of results: what is the matter, are notes safe, what to do."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from notesearch.gui import wording
from notesearch.gui.translation import translate
from notesearch.gui.widgets import first_page
from notesearch.gui.widgets.message_page import Offer, Page
from notesearch.gui.widgets.told import told
from notesearch.results import SearchResult, Unmet
from notesearch.status import Status


def empty_folder_page(vault: Path) -> Page:
    """Return the page of a folder without notes."""
    return Page(
        "folder",
        translate("window", "No Markdown files in this folder"),
        str(vault),
        asks_folder=True,
    )


def start_page(status: Status | None) -> Page:
    """Return the page of an empty query."""
    notes = status.notes if status else 0
    return first_page.start_page(wording.search_notes_text(notes) if notes else "")


def type_page(status: Status | None) -> Page:
    """Return the page of quick search before anything was opened."""
    notes = status.notes if status else 0
    if notes:
        return Page("search", wording.type_to_search_text(notes))
    return Page("search", translate("window", "Type to search your notes"))


def no_results_page(result: SearchResult, status: Status | None, within: str = "") -> Page:
    """Return the page of a query that found nothing.

    Args:
        result: The answer.
        status: The state of the index.
        within: The folder or the note that was searched; empty for everything.
    """
    unmet = result.unmet if not within else ()
    missing = wording.missing_words_text(result.missing)
    without = wording.without_text(result.without)
    text = " ".join([*map(wording.unmet_text, unmet), missing, without]).strip()
    detail = wording.searched_text(status, by_words=not unmet, within=within)
    title = translate("window", "No sections match “{query}”").format(
        query=wording.shortened(result.query)
    )
    return Page("search", title, text, detail, offers=tuple(_offers(result, unmet)))


def _offers(result: SearchResult, unmet: Sequence[Unmet]) -> Iterator[Offer]:
    """Yield what may have been meant: another query, or the query with a filter that matches."""
    question = translate("window", "Did you mean {query}?")
    if result.suggestion:
        yield Offer(question.format(query=result.suggestion), result.suggestion)
    for one in unmet:
        for near in one.near:
            query = result.query.replace(one.filter, near)
            yield Offer(question.format(query=wording.filter_text(near)), query)


def failed_page(reason: str) -> Page:
    """Return the page of a folder that cannot be searched at all."""
    title, calm = (
        translate("window", "Your notes can't be searched"),
        translate("window", "Your notes are safe."),
    )
    return Page("warning", title, told(reason), calm, tone="danger")
