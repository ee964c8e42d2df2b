"""The messages of a ``MessagePage``, except the two in its module that the first paint may need."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from notesearch.gui import wording
from notesearch.gui.translation import sentence_text, tr, translate
from notesearch.gui.widgets import query_remarks
from notesearch.gui.widgets.message_page import Message, SearchLink, start_message
from notesearch.results import SearchResult, Unmet
from notesearch.status import Progress, Status


def empty_folder_message(vault: Path) -> Message:
    """Return the message that says that the folder ``vault`` has no notes."""
    return Message(
        "folder",
        translate("No Markdown files in this folder"),
        wording.path_text(vault),
        asks_folder=True,
    )


def unread_folder_message(vault: Path) -> Message:
    """Return the message that says that the folder ``vault`` could not be read so far."""
    title = translate("These notes have not been read yet")
    return Message("folder", title, wording.path_text(vault))


def empty_query_message(status: Status | None) -> Message:
    """Return the message of an empty query, with the number of notes if it is known."""
    notes = status.notes if status else 0
    return start_message(tr("Search %Ln note(s)", notes) if notes else "")


def type_to_search_message(status: Status | None) -> Message:
    """Return the message of quick search before a section was opened."""
    notes = status.notes if status else 0
    if notes:
        return Message("search", tr("Type to search %Ln note(s)", notes))
    return Message("search", translate("Type to search your notes"))


def searching_message(query: str) -> Message:
    """Return the message of a query that is not answered yet."""
    title = translate("Searching for “{query}”…", query=wording.shortened(query))
    return Message("search", title)


def not_yet_message(query: str, progress: Progress) -> Message:
    """Return the message of a query without results while notes are still being read."""
    title = translate("Nothing found yet for “{query}”")
    text = ""
    if progress.total:
        text = tr("{done} of %Ln note(s) have been read so far.", progress.total)
    done = wording.number(progress.done)
    return Message("search", title.format(query=wording.shortened(query)), text.format(done=done))


def no_results_message(result: SearchResult, status: Status | None, within: str = "") -> Message:
    """Return the message of a query without results in ``within`` (empty: in the whole vault).

    A folder without notes has the same message with and without a query: other words would not
    help.
    """
    if status and not status.notes and not status.vault_missing:
        folder = Path(status.vault)
        return empty_folder_message(folder) if status.last_scan else unread_folder_message(folder)
    if result.is_empty:
        title = translate("Nothing to search for in “{query}”")
        hint = translate("Type a word or a filter.")
        return Message("search", title.format(query=wording.shortened(result.query)), hint)
    # In a folder, name only filters with similar ones: the others may match elsewhere.
    unmet = [missed for missed in result.unmet if missed.near or not within]
    not_filters = query_remarks.not_filters_text(result)
    missing = missing_words_text(result.missing)
    without = query_remarks.without_text(result.without)
    silent = query_remarks.unanswered_text(result.unanswered)
    sentences = (*map(unmet_text, unmet), not_filters, missing, without, silent)
    text = " ".join(filter(None, sentences))
    filters: list[str] = []
    for missed in unmet:
        filters += missed.together or (missed.filter,)
    is_only_quotes = all(typed.startswith('"') for typed in filters)
    words = len(result.query.split()) if is_only_quotes else 0
    detail = _searched_text(status, words=words, within=within)
    title = translate("No sections match “{query}”", query=wording.shortened(result.query))
    return Message("search", title, text, detail, offers=tuple(_offers(result, unmet)))


def _offers(result: SearchResult, unmet: Sequence[Unmet]) -> Iterator[SearchLink]:
    """Yield links to a corrected query, or to the query with a similar filter that matches."""
    if result.suggestion:
        yield SearchLink(query_remarks.did_you_mean_text(result.suggestion), result.suggestion)
    near = {condition.filter: condition.near for condition in unmet} | dict(result.near_filters)
    for label, query in query_remarks.filter_offers(result.query, near):
        yield SearchLink(label, query)


def failed_message(reason: str) -> Message:
    """Return the message that says that the notes cannot be searched, with the ``reason``."""
    title = translate("Your notes cannot be searched")
    calm = translate("Your notes are safe.")
    return Message("warning", title, reason, calm, tone="danger")


def missing_words_text(missing: tuple[str, ...]) -> str:
    """Return a sentence with up to four words of a query that occur in no note; else ""."""
    words = [query_remarks.quoted(word) for word in missing[:4]]
    if not words:
        return ""
    if len(words) == 1:
        return translate("{word} is not in your notes.", word=words[0])
    return translate(
        "{words} and {last} are not in your notes.", words=", ".join(words[:-1]), last=words[-1]
    )


def unmet_text(unmet: Unmet) -> str:
    """Return the sentence about a filter that no note matches: No notes tagged #featur."""
    if unmet.together:
        filters = tuple(map(wording.shortened, unmet.together))
        return sentence_text(replace(unmet, together=filters).sentence)
    name, _, value = unmet.filter.partition(":")
    if " OR " in value:
        name = ""  # alternatives, each of which may be another filter
    value = wording.shortened(value.strip('"'))
    sentences = {
        "tag": translate("No notes tagged #{value}."),
        "path": translate("No notes in a folder “{value}”."),
        "file": translate("No notes named “{value}”."),
        "lang": translate("No notes or code in “{value}”."),
    }
    sentence = sentences.get(name, translate("No notes match the filter “{filter}”."))
    return sentence.format(value=value.lstrip("#"), filter=wording.shortened(unmet.filter))


def _searched_text(status: Status | None, *, words: int, within: str = "") -> str:
    """Return sentences that say what was searched without results, and what to try.

    ``words`` is the number of words that the user may change; 0 if a filter matches nothing.
    """
    if not words:
        hint = translate("Try removing the filter.")
    elif words == 1:
        hint = translate("Try another word, or describe what the note is about.")
    else:
        hint = translate("Try fewer words, or describe what the note is about.")
    if within:
        return translate("Only searched in {place}. {hint}", place=within.strip("/"), hint=hint)
    if status is None or not status.notes:
        return hint
    return tr("Searched %Ln note(s). {hint}", status.notes, hint=hint)
