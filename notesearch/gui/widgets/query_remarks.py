"""Sentences on how a query was read, and links to the queries that may have been meant."""

import re
from collections.abc import Iterator, Mapping, Sequence

from notesearch.gui import wording
from notesearch.gui.translation import sentence_text, translate
from notesearch.messages import Sentence
from notesearch.results import FilterChoice, Respelling, SearchResult, Unanswered


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


def interpretation_text(result: SearchResult) -> tuple[str, str]:
    """Return sentences on how the query was read, and the label of a link to another query.

    Both may be empty. ``offered_query`` returns the other query.
    """
    sentence, offer = respelt_text(result.spelling)
    missing = not_found_text(result.missing) if result.sections else ""
    similar = [name for filters in result.near_filters.values() for name in filters]
    if len(similar) == 1 and not offer:
        offer, similar = did_you_mean_text(filter_text(*similar)), []
    sentences = (
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
    phrases = [
        (more if is_more else less).format(name=wording.shortened(name)) for is_more, name in likes
    ]
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
    return translate("“{word}”", word=wording.shortened(word))
