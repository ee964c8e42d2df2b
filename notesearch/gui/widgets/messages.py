"""What stands on the page instead of results: what is the matter, are notes safe, what to do."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from notesearch.gui import wording
from notesearch.gui.translation import translate
from notesearch.gui.widgets.message_page import Message, SearchLink, start_message
from notesearch.results import SearchResult, Unmet
from notesearch.status import Status


def empty_folder(vault: Path) -> Message:
    """Return the page of a folder without notes."""
    return Message(
        "folder",
        translate("window", "No Markdown files in this folder"),
        str(vault),
        asks_folder=True,
    )


def empty_query(status: Status | None) -> Message:
    """Return the page of an empty query."""
    notes = status.notes if status else 0
    return start_message(wording.search_notes_text(notes) if notes else "")


def type_to_search(status: Status | None) -> Message:
    """Return the page of quick search before anything was opened."""
    notes = status.notes if status else 0
    if notes:
        return Message("search", wording.type_to_search_text(notes))
    return Message("search", translate("window", "Type to search your notes"))


def no_results(result: SearchResult, status: Status | None, within: str = "") -> Message:
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
    return Message("search", title, text, detail, offers=tuple(_offers(result, unmet)))


def _offers(result: SearchResult, unmet: Sequence[Unmet]) -> Iterator[SearchLink]:
    """Yield what may have been meant: another query, or the query with a filter that matches."""
    question = translate("window", "Did you mean {query}?")
    if result.suggestion:
        yield SearchLink(question.format(query=result.suggestion), result.suggestion)
    for one in unmet:
        for near in one.near:
            query = result.query.replace(one.filter, near)
            yield SearchLink(question.format(query=wording.filter_text(near)), query)


def failed(reason: str) -> Message:
    """Return the page of a folder that cannot be searched at all."""
    title, calm = (
        translate("window", "Your notes can't be searched"),
        translate("window", "Your notes are safe."),
    )
    return Message("warning", title, reason, calm, tone="danger")
