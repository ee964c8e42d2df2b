"""The messages shown instead of results: what happened, and what to do."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from notesearch.gui import wording
from notesearch.gui.translation import translate
from notesearch.gui.widgets.message_page import Message, SearchLink, start_message
from notesearch.results import SearchResult, Unmet
from notesearch.status import Status


def empty_folder(vault: Path) -> Message:
    """Return the message of a folder without notes."""
    return Message(
        "folder",
        translate("window", "No Markdown files in this folder"),
        str(vault),
        asks_folder=True,
    )


def empty_query(status: Status | None) -> Message:
    """Return the message of an empty query."""
    notes = status.notes if status else 0
    return start_message(wording.search_notes_text(notes) if notes else "")


def type_to_search(status: Status | None) -> Message:
    """Return the message of quick search before a section was opened."""
    notes = status.notes if status else 0
    if notes:
        return Message("search", wording.type_to_search_text(notes))
    return Message("search", translate("window", "Type to search your notes"))


def no_results(result: SearchResult, status: Status | None, within: str = "") -> Message:
    """Return the message of a query without results.

    Args:
        result: The empty result.
        status: The state of the index.
        within: The folder or note searched; empty for the whole vault.
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
    """Yield links to a corrected query, or to the query with a similar filter that matches."""
    question = translate("window", "Did you mean {query}?")
    if result.suggestion:
        yield SearchLink(question.format(query=result.suggestion), result.suggestion)
    for one in unmet:
        for near in one.near:
            query = result.query.replace(one.filter, near)
            yield SearchLink(question.format(query=wording.filter_text(near)), query)


def failed(reason: str) -> Message:
    """Return the message of a vault that cannot be searched."""
    title, calm = (
        translate("window", "Your notes can't be searched"),
        translate("window", "Your notes are safe."),
    )
    return Message("warning", title, reason, calm, tone="danger")
