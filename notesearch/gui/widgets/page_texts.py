"""The messages of a ``MessagePage``, except the two in its module that the first paint may need."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from notesearch.gui import wording
from notesearch.gui.translation import translate
from notesearch.gui.widgets.message_page import Message, SearchLink, start_message
from notesearch.results import SearchResult, Unmet
from notesearch.status import Progress, Status


def empty_folder_message(vault: Path) -> Message:
    """Return the message that says that the folder ``vault`` has no notes."""
    return Message(
        "folder",
        translate("window", "No Markdown files in this folder"),
        wording.path_text(vault),
        asks_folder=True,
    )


def unread_folder_message(vault: Path) -> Message:
    """Return the message that says that the folder ``vault`` could not be read so far."""
    title = translate("window", "These notes have not been read yet")
    return Message("folder", title, wording.path_text(vault))


def empty_query_message(status: Status | None) -> Message:
    """Return the message of an empty query, with the number of notes if it is known."""
    notes = status.notes if status else 0
    return start_message(wording.search_notes_text(notes) if notes else "")


def type_to_search_message(status: Status | None) -> Message:
    """Return the message of quick search before a section was opened."""
    notes = status.notes if status else 0
    if notes:
        return Message("search", wording.type_to_search_text(notes))
    return Message("search", translate("window", "Type to search your notes"))


def not_yet_message(query: str, progress: Progress) -> Message:
    """Return the message of a query without results while notes are still being read."""
    title = translate("window", "Nothing found yet for “{query}”")
    text = wording.read_text(progress) if progress.total else ""
    return Message("search", title.format(query=wording.shortened(query)), text)


def no_results_message(result: SearchResult, status: Status | None, within: str = "") -> Message:
    """Return the message of a query without results in ``within`` (empty: in the whole vault).

    A folder without notes has the same message with and without a query: other words would not
    help.
    """
    if status and status.last_scan and not status.notes and not status.vault_missing:
        return empty_folder_message(Path(status.vault))
    if result.is_empty:
        title = translate("window", "Nothing to search for in “{query}”")
        hint = translate("window", "Type a word or a filter.")
        return Message("search", title.format(query=wording.shortened(result.query)), hint)
    # In a folder, name only filters with similar ones: the others may match elsewhere.
    unmet = [missed for missed in result.unmet if missed.near or not within]
    not_filters = wording.not_filters_text(result)
    missing = wording.missing_words_text(result.missing)
    without = wording.without_text(result.without)
    silent = wording.unanswered_text(result.unanswered)
    sentences = (*map(wording.unmet_text, unmet), not_filters, missing, without, silent)
    text = " ".join(filter(None, sentences))
    filters: list[str] = []
    for missed in unmet:
        filters += missed.together or (missed.filter,)
    is_only_quotes = all(typed.startswith('"') for typed in filters)
    words = len(result.query.split()) if is_only_quotes else 0
    detail = wording.searched_text(status, words=words, within=within)
    title = translate("window", "No sections match “{query}”").format(
        query=wording.shortened(result.query)
    )
    return Message("search", title, text, detail, offers=tuple(_offers(result, unmet)))


def _offers(result: SearchResult, unmet: Sequence[Unmet]) -> Iterator[SearchLink]:
    """Yield links to a corrected query, or to the query with a similar filter that matches."""
    if result.suggestion:
        yield SearchLink(wording.did_you_mean_text(result.suggestion), result.suggestion)
    near = {condition.filter: condition.near for condition in unmet} | dict(result.near_filters)
    for label, query in wording.filter_offers(result.query, near):
        yield SearchLink(label, query)


def failed_message(reason: str) -> Message:
    """Return the message that says that the notes cannot be searched, with the ``reason``."""
    title = translate("window", "Your notes cannot be searched")
    calm = translate("window", "Your notes are safe.")
    return Message("warning", title, reason, calm, tone="danger")
