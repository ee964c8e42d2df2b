"""Sentences about an answer: remarks above results, messages in place of them, and reasons."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from notesearch.gui.translation import (
    number_text,
    path_text,
    sentence_text,
    shortened,
    tr,
    translate,
)
from notesearch.gui.widgets.notices import Message, SearchLink, start_message
from notesearch.messages import Sentence
from notesearch.results import (
    LONGEST_QUERY,
    FilterChoice,
    Respelling,
    SearchResult,
    SectionResult,
    Unanswered,
    Unmet,
)
from notesearch.status import Progress, Status


def respelt_text(spelling: tuple[Respelling, ...]) -> tuple[str, str]:
    """Return a sentence on the corrected words of a query, and the label of a link that undoes it.

    Both are empty without corrections. The sentence says if the typed words were searched for, too.
    """
    if not spelling:
        return "", ""
    meant = ", ".join(quoted(word.meant) for word in spelling)
    typed = ", ".join(quoted(word.typed) for word in spelling)
    if all(word.also for word in spelling):
        sentence = translate("Also showing results for {meant}.")
        offer = translate("Only search for {typed}")
    else:
        sentence = translate("Showing results for {meant}.")
        offer = translate("Search for {typed} instead")
    return sentence.format(meant=meant), offer.format(typed=typed)


def unanswered_text(unanswered: tuple[Unanswered, ...]) -> str:
    """Return sentences on vaults that did not answer, except those without an index so far."""
    silent = [
        Sentence("vault_silent", vault=vault.vault, reason=vault.reason)
        for vault in unanswered
        if vault.reason.code != "index_missing"  # the status line says that it is being built
    ]
    return " ".join(map(sentence_text, silent))


def interpretation_text(result: SearchResult, typed: str) -> tuple[str, str]:
    """Return sentences on how ``typed`` was read, and the label of a link to another query.

    Both may be empty. ``offered_query`` returns the other query.
    """
    sentence, offer = respelt_text(result.spelling)
    missing = not_found_text(result.missing) if result.sections else ""
    similar = [name for filters in result.near_filters.values() for name in filters]
    if len(similar) == 1 and not offer:
        offer, similar = did_you_mean_text(filter_text(*similar)), []
    cut = translate("The middle of the query is left out, because it is so long.")
    sentences = (
        cut if len(typed) > LONGEST_QUERY else "",
        sentence,
        without_text(result.without),
        not_filters_text(result),
        _about(translate("Similar filters: {words}."), similar),
        missing,
        unanswered_text(result.unanswered),
    )
    return " ".join(filter(None, sentences)), offer


def offered_query(result: SearchResult) -> str:
    """Return the query to which the link of ``interpretation_text`` leads; empty without a link."""
    if result.spelling:
        return as_typed(result.query, result.spelling)
    return next((query for _, query in filter_offers(result.query, result.near_filters)), "")


def likeness_text(likes: list[tuple[bool, str]], *, newest: bool) -> tuple[str, str]:
    """Return a sentence on an order by likeness, and the label of the link that undoes the order.

    For each chosen section, ``likes`` says whether similar ones come first, and has its heading.
    ``newest`` says whether the newest notes come first when the order is undone.
    """
    more = translate("similar to “{name}”")
    less = translate("unlike “{name}”")
    phrases = [(more if is_more else less).format(name=shortened(name)) for is_more, name in likes]
    line = translate("Listed first: sections {likes}.", likes=", ".join(phrases))
    by_date = translate("Newest first")
    by_match = translate("Best match first")
    return line, by_date if newest else by_match


def without_text(without: tuple[str, ...]) -> str:
    """Return a sentence with the words that a minus excluded; empty if there are none."""
    return _about(translate("Excluding {words}."), without)


def not_filters_text(result: SearchResult) -> str:
    """Return a sentence with words that look like filters but are not; empty without such words."""
    # The user may still type the value of a filter at the end of the query.
    begun = result.query.rpartition(" ")[2]
    words = [word for word in result.not_filters if word != begun or word[-1:] != ":"]
    return _about(translate("Not a filter, searched as text: {words}."), words)


def did_you_mean_text(meant: str) -> str:
    """Return ``Did you mean …?``, the label of a link; ``meant`` is a query or a filter."""
    return translate("Did you mean {query}?", query=meant)


def filter_offers(query: str, near: Mapping[str, Sequence[str]]) -> Iterator[tuple[str, str]]:
    """Yield labels of links, and the query to which each link leads."""
    for word, filters in near.items():
        for name in filters:
            yield did_you_mean_text(filter_text(name)), _with_filter(query, word, name)


def _with_filter(query: str, typed: str, meant: str) -> str:
    """Return ``query`` with the filter ``meant`` in place of ``typed``, but not inside others."""
    whole = rf"(?<![^\s(-]){re.escape(typed)}(?![^\s)])"
    return re.sub(whole, lambda _: meant, query)


def no_values_text(begun: str) -> str:
    """Return the sentence that no note has a value for the filter ``begun``; else empty."""
    sentences = {
        "tag:": translate("No note has a tag."),
        "prop:": translate("No note has a property."),
        "path:": translate("No note is in a subfolder."),
        "links:": translate("No note links to another."),
    }
    return sentences.get(begun.removeprefix("-").lower(), "")


def not_found_text(missing: tuple[str, ...]) -> str:
    """Return a sentence with the words that occur in no result; empty if there are none."""
    return _about(translate("Not found: {words}."), missing)


def as_typed(query: str, spelling: tuple[Respelling, ...]) -> str:
    """Return ``query`` with quotes around the words that were corrected, so that they are kept."""
    for word in spelling:
        query = re.sub(
            rf'(?<![\w"]){re.escape(word.typed)}(?![\w"])', f'"{word.typed}"', query, count=1
        )
    return query


def filter_text(typed: str) -> str:
    """Return a filter as people write it: ``#travel`` for ``tag:travel``."""
    name, _, value = typed.partition(":")
    return "#" + value.strip('"').lstrip("#") if name == "tag" else typed


def facet_text(facet: FilterChoice) -> str:
    """Return the filter of a facet as it is typed; for the filter of a year, only the year."""
    name, _, year = facet.filter.partition(" ")[0].partition(":")
    return year if name == "after" else facet.filter


def _about(sentence: str, words: Sequence[str]) -> str:
    """Return ``sentence`` with up to four ``words`` of a query; empty if there are none."""
    return sentence.format(words=", ".join(map(quoted, words[:4]))) if words else ""


def quoted(word: str) -> str:
    """Return a word of a query in quotation marks."""
    return translate("“{word}”", word=shortened(word))


def empty_folder_message(vault: Path) -> Message:
    """Return the message that says that the folder ``vault`` has no notes."""
    return Message(
        "folder",
        translate("No Markdown files in this folder"),
        path_text(vault),
        asks_folder=True,
    )


def unread_folder_message(vault: Path) -> Message:
    """Return the message that says that the folder ``vault`` could not be read so far."""
    title = translate("These notes have not been read yet")
    return Message("folder", title, path_text(vault))


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
    title = translate("Searching for “{query}”…", query=shortened(query))
    return Message("search", title)


def not_yet_message(query: str, progress: Progress) -> Message:
    """Return the message of a query without results while notes are still being read."""
    title = translate("Nothing found yet for “{query}”")
    text = ""
    if progress.total:
        text = tr("{done} of %Ln note(s) have been read so far.", progress.total)
    done = number_text(progress.done)
    return Message("search", title.format(query=shortened(query)), text.format(done=done))


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
        return Message("search", title.format(query=shortened(result.query)), hint)
    # In a folder, name only filters with similar ones: the others may match elsewhere.
    unmet = [missed for missed in result.unmet if missed.near or not within]
    not_filters = not_filters_text(result)
    missing = missing_words_text(result.missing)
    without = without_text(result.without)
    silent = unanswered_text(result.unanswered)
    sentences = (*map(unmet_text, unmet), not_filters, missing, without, silent)
    text = " ".join(filter(None, sentences))
    filters: list[str] = []
    for missed in unmet:
        filters += missed.together or (missed.filter,)
    is_only_quotes = all(typed.startswith('"') for typed in filters)
    words = len(result.query.split()) if is_only_quotes else 0
    detail = _searched_text(status, words=words, within=within)
    title = translate("No sections match “{query}”", query=shortened(result.query))
    return Message("search", title, text, detail, offers=tuple(_offers(result, unmet)))


def _offers(result: SearchResult, unmet: Sequence[Unmet]) -> Iterator[SearchLink]:
    """Yield links to a corrected query, or to the query with a similar filter that matches."""
    if result.suggestion:
        yield SearchLink(did_you_mean_text(result.suggestion), result.suggestion)
    near = {condition.filter: condition.near for condition in unmet} | dict(result.near_filters)
    for label, query in filter_offers(result.query, near):
        yield SearchLink(label, query)


def failed_message(reason: str) -> Message:
    """Return the message that says that the notes cannot be searched, with the ``reason``."""
    title = translate("Your notes cannot be searched")
    calm = translate("Your notes are safe.")
    return Message("warning", title, reason, calm, tone="danger")


def missing_words_text(missing: tuple[str, ...]) -> str:
    """Return a sentence with up to four words of a query that occur in no note; else ""."""
    words = [quoted(word) for word in missing[:4]]
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
        filters = tuple(map(shortened, unmet.together))
        return sentence_text(replace(unmet, together=filters).sentence)
    name, _, value = unmet.filter.partition(":")
    if " OR " in value:
        name = ""  # alternatives, each of which may be another filter
    value = shortened(value.strip('"'))
    sentences = {
        "tag": translate("No notes tagged #{value}."),
        "path": translate("No notes in a folder “{value}”."),
        "file": translate("No notes named “{value}”."),
        "lang": translate("No notes or code in “{value}”."),
    }
    sentence = sentences.get(name, translate("No notes match the filter “{filter}”."))
    return sentence.format(value=value.lstrip("#"), filter=shortened(unmet.filter))


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


def _ordinal(value: int) -> str:
    """Return a rank as the user's language writes it: 1st, 2nd, 3rd, 11th."""
    endings = {
        1: translate("{number}st"),
        2: translate("{number}nd"),
        3: translate("{number}rd"),
    }
    last = 0 if value % 100 in {11, 12, 13} else value % 10
    written = endings.get(last, translate("{number}th"))
    return written.format(number=number_text(value))


def _field_text(field: str) -> str:
    """Return the name that users see for ``field``, a part of a note from ``Why.fields``."""
    names = {
        "path": translate("the file name"),
        "title": translate("the note title"),
        "aliases": translate("another name for the note"),
        "headings": translate("the heading"),
        "tags": translate("a tag"),
        "properties": translate("a property"),
        "body": translate("the text"),
    }
    return names.get(field, field)


_WORTH_TELLING = 0.1
"""A preference counts as a reason if its value is at least this."""


def why_sentences(result: SectionResult, *, compared: bool = True) -> list[str]:
    """Return a sentence for each reason why a section was found.

    ``compared`` says whether the search compared meaning as well as words.
    """
    why = result.why
    reasons = list[str]()
    if why.named:
        reasons.append(translate("It is listed first because its name is your query."))
    if why.words_rank is not None:
        reasons.append(translate("Ranked {rank} for your words.", rank=_ordinal(why.words_rank)))
    places = [_field_text(field) for field in why.fields if field != "links"]
    if places:
        reasons.append(translate("Your words are in: {places}.", places=", ".join(places)))
    elif why.words_rank is None and why.meaning_rank is not None:
        reasons.append(translate("It contains none of your words."))
    if "links" in why.fields:
        reasons.append(translate("It contains a link to the address in your query."))
    if why.meaning_rank is not None:
        reasons.append(translate("Ranked {rank} by meaning.", rank=_ordinal(why.meaning_rank)))
    elif why.words_rank is not None and compared:
        reasons.append(translate("Not a close match in meaning."))
    preferred = {
        "opened": translate("You opened it for this query before."),
        "recent": translate("Its note changed recently, and you prefer recent notes."),
        "folder": translate("It is in a folder that you prefer."),
    }
    reasons += [
        preferred[signal.name]
        for signal in result.signals
        if signal.name in preferred and signal.value >= _WORTH_TELLING
    ]
    if why.filters:
        reasons.append(
            translate("It matches your filters: {filters}.", filters=", ".join(why.filters))
        )
    return reasons or [translate("You opened or changed it recently.")]
