"""Pure functions that write counts, dates and sentences for the windows, in the user's language."""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from PySide6.QtCore import QDate, QLocale, Qt, QTime
from PySide6.QtGui import QGuiApplication

from notesearch.gui.translation import sentence_text, tr, translate
from notesearch.messages import Sentence
from notesearch.results import (
    FilterChoice,
    NoteResult,
    Respelling,
    SearchResult,
    SectionResult,
    Unanswered,
    Unmet,
)
from notesearch.status import Phase, Progress, Status

_MINUTES_AT_MOST = 100
"""A longer time is given in hours."""
_NAMED = 80
"""The maximum number of characters of a query that a sentence quotes."""


def number(value: int) -> str:
    """Return a number in the user's format: ``1,204``."""
    return QLocale().toString(value)


def decimal(value: float) -> str:
    """Return a number with one decimal place in the user's format: ``9.5``."""
    return QLocale().toString(value, "f", 1)


def ordinal(value: int) -> str:
    """Return a rank as the user's language writes it: 1st, 2nd, 3rd, 11th."""
    endings = {
        1: translate("window", "{number}st"),
        2: translate("window", "{number}nd"),
        3: translate("window", "{number}rd"),
    }
    last = 0 if value % 100 in {11, 12, 13} else value % 10
    written = endings.get(last, translate("window", "{number}th"))
    return written.format(number=number(value))


def notes_text(notes: int) -> str:
    """Return ``1,204 notes`` or ``1 note``."""
    return tr("%Ln note(s)", "", notes)


def words_text(words: int) -> str:
    """Return ``1,204 words`` or ``1 word``."""
    return tr("%Ln word(s)", "", words)


def matches_text(current: int, matches: int, *, capped: bool) -> str:
    """Return ``3 of 12 matches`` for the third of 12; ``12+`` if there are more (``capped``)."""
    text = (
        tr("{current} of %Ln+ match(es)", "", matches)
        if capped
        else tr("{current} of %Ln match(es)", "", matches)
    )
    return text.format(current=number(current))


def unreadable_text(notes: int) -> str:
    """Return ``2 notes could not be read``."""
    return tr("%Ln note(s) could not be read", "", notes)


def search_notes_text(notes: int) -> str:
    """Return the title of the start page: ``Search 1,204 notes``."""
    return tr("Search %Ln note(s)", "", notes)


def type_to_search_text(notes: int) -> str:
    """Return the title of quick search before a query: ``Type to search 1,204 notes``."""
    return tr("Type to search %Ln note(s)", "", notes)


def paused_text(status: Status | None) -> str:
    """Return the status line while indexing is paused, with the number of notes if it is known."""
    if status is None or not status.notes:
        return translate("window", "Indexing paused")
    notes = notes_text(status.notes)
    return translate("window", "{notes}, indexing paused").format(notes=notes)


def meaning_text(status: Status | None, progress: Progress) -> str:
    """Return how many passages have a vector, or why search by meaning is off; empty for None.

    While passages are embedded, they are not counted: return the ``progress`` then.
    """
    if status is None:
        return ""
    if status.meaning_problem:
        return sentence_text(status.meaning_problem)
    if progress.phase is Phase.MEANING and progress.total:
        return progress_text(progress)
    if status.pending:
        ready = status.passages - status.pending
        text = tr("{ready} of %Ln passage(s) are ready.", "", status.passages)
        return text.format(ready=number(ready))
    return tr("%Ln passage(s) are ready.", "", status.passages)


def bytes_text(value: int) -> str:
    """Return a size in readable units: 840 KB, 12.5 MB."""
    size = float(value)
    whole, units = translate("window", "bytes"), ("KB", "MB", "GB")
    for unit in (whole, *units):
        if size < 1000 or unit == units[-1]:
            break
        size /= 1000
    digits = 0 if unit == whole or 100 <= size < 1000 else 1
    return f"{QLocale().toString(size, 'f', digits)} {unit}"


def moment_of(modified: float) -> datetime | None:
    """Return a time in seconds since the epoch as local time; None if the calendar lacks it."""
    try:
        return datetime.fromtimestamp(modified).astimezone()
    except (OverflowError, OSError, ValueError):
        return None


def modified_text(modified: float, now: datetime | None = None) -> str:
    """Return a time in a short form: 14:05 today, 12 Apr this year, else 4 Nov 2023.

    ``modified`` is in seconds since the epoch. The result is empty if that is beyond the years 1 to
    9999, which Python's calendar has.
    """
    now = now or datetime.now().astimezone()
    moment = moment_of(modified)
    if moment is None:
        return ""
    moment = moment.astimezone(now.tzinfo)
    if moment.date() == now.date():
        return _time_text(moment)
    return day_text(moment, with_year=moment.year != now.year)


def day_text(moment: datetime, *, with_year: bool = True) -> str:
    """Return a day: 4 Nov 2023, or 4 Nov."""
    written = translate("dates", "d MMM yyyy") if with_year else translate("dates", "d MMM")
    return QLocale().toString(QDate(moment.year, moment.month, moment.day), written)


def _time_text(moment: datetime) -> str:
    time = QTime(moment.hour, moment.minute)
    return QLocale().toString(time, translate("dates", "HH:mm"))


def moment_text(moment: float, now: datetime | None = None) -> str:
    """Return a time in seconds since the epoch as ``today 14:05`` or ``12 Apr, 18:04``."""
    now = now or datetime.now().astimezone()
    then = datetime.fromtimestamp(moment).astimezone(now.tzinfo)
    if then.date() == now.date():
        return translate("dates", "today {time}").format(time=_time_text(then))
    return translate("dates", "{day}, {time}").format(
        day=modified_text(moment, now), time=_time_text(then)
    )


def folder_text(path: str) -> str:
    """Return the folder of a note: ``travel/``; empty at the top level."""
    folder, slash, _ = path.rpartition("/")
    return folder + slash


def path_text(path: Path) -> str:
    """Return ``path`` as text, relative to the home folder if it is inside: ``~/notes``."""
    home = Path.home()
    short = Path("~", path.relative_to(home)).as_posix() if path.is_relative_to(home) else str(path)
    # The mark keeps the tilde at the left in right-to-left layouts.
    return f"\N{LEFT-TO-RIGHT MARK}{short}" if QGuiApplication.isRightToLeft() else short


def page_text(label: str) -> str:
    """Return ``page 12`` for the label of a PDF's page."""
    return translate("preview", "page {number}").format(number=label)


def found_text(result: SearchResult, progress: Progress | None = None) -> str:
    """Return the line above the results: ``13 sections in 5 notes``; empty without results."""
    if not result.sections:
        return ""
    sections = tr("%Ln section(s)", "", result.total)
    if progress is not None and progress.phase is Phase.WORDS and progress.total:
        text = tr("{sections} so far · {done} of %Ln note(s)", "", progress.total)
        return text.format(sections=sections, done=number(progress.done))
    if progress is not None and progress.phase is Phase.SCAN:
        return translate("window", "{sections} so far").format(sections=sections)
    listed = len(result.sections)
    if result.total > listed:
        text = tr("{sections}, the first {listed} in %Ln note(s)", "", len(result.notes))
        return text.format(sections=sections, listed=number(listed))
    return tr("{sections} in %Ln note(s)", "", len(result.notes)).format(sections=sections)


def read_text(progress: Progress) -> str:
    """Return how many notes have been read: ``12 of 40 notes have been read so far.``."""
    text = tr("{done} of %Ln note(s) have been read so far.", "", progress.total)
    return text.format(done=number(progress.done))


def shorter_found_texts(result: SearchResult) -> tuple[str, ...]:
    """Return shorter forms of ``found_text`` for narrow windows: "13 sections", "13"."""
    return (tr("%Ln section(s)", "", result.total), number(result.total)) if result.sections else ()


def more_text(hidden: int) -> str:
    """Return the text of the row that shows ``hidden`` more sections of a note."""
    return tr("Show %Ln more in this note", "", hidden)


def cap_text(shown: int) -> str:
    """Return the text of the last row of a list that has only the best ``shown`` sections."""
    return tr("Showing the best %Ln. Add a word to narrow it down.", "", shown)


def location_text(result: SectionResult) -> str:
    """Return the note's title and the headings of a section, for screen readers."""
    has_title = result.section_path[:1] == (result.title,)
    return ", ".join(result.shown_path if has_title else (result.title, *result.shown_path))


def section_text(result: SectionResult, facts: Sequence[str], *, gone: bool = False) -> str:
    """Return a result row with its ``facts`` for screen readers; ``gone`` if its note is gone."""
    place = ", ".join((location_text(result), *facts))
    snippet = result.snippet.text
    if gone:
        return translate("window", "{place}. Moved or deleted.").format(place=place)
    if not result.by_meaning_alone:
        return f"{place}. {snippet}".rstrip()
    related = translate("window", "{place}. Related. {snippet}")
    return related.format(place=place, snippet=snippet).rstrip()


def header_text(note: NoteResult) -> str:
    """Return title, folder and date of a note, for screen readers."""
    facts = (note.title, folder_text(note.path), modified_text(note.modified))
    return ", ".join(filter(None, facts))


def respelt_text(spelling: tuple[Respelling, ...]) -> tuple[str, str]:
    """Return a sentence on the corrected words of a query, and the label of a link that undoes it.

    Both are empty without corrections. The sentence says if the typed words were searched for, too.
    """
    if not spelling:
        return "", ""
    meant = ", ".join(_quoted(word.meant) for word in spelling)
    typed = ", ".join(_quoted(word.typed) for word in spelling)
    if all(word.also for word in spelling):
        sentence = translate("window", "Also showing results for {meant}.")
        offer = translate("window", "Only search for {typed}")
    else:
        sentence = translate("window", "Showing results for {meant}.")
        offer = translate("window", "Search for {typed} instead")
    return sentence.format(meant=meant), offer.format(typed=typed)


def unanswered_text(unanswered: tuple[Unanswered, ...]) -> str:
    """Return sentences on vaults that did not answer, except while their first index is built."""
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
        _about(translate("window", "Similar filters: {words}."), similar),
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
    more = translate("window", "similar to “{name}”")
    less = translate("window", "unlike “{name}”")
    phrases = [(more if is_more else less).format(name=shortened(name)) for is_more, name in likes]
    line = translate("window", "Listed first: sections {likes}.").format(likes=", ".join(phrases))
    by_date = translate("window", "Newest first")
    by_match = translate("window", "Best match first")
    return line, by_date if newest else by_match


def without_text(without: tuple[str, ...]) -> str:
    """Return a sentence with the words that a minus excluded; empty if there are none."""
    return _about(translate("window", "Excluding {words}."), without)


def not_filters_text(result: SearchResult) -> str:
    """Return a sentence with words that look like filters but are not; empty without such words."""
    # The user may still type the value of a filter at the end of the query.
    begun = result.query.rpartition(" ")[2]
    words = [word for word in result.not_filters if word != begun or word[-1:] != ":"]
    return _about(translate("window", "Not a filter, searched as text: {words}."), words)


def did_you_mean_text(meant: str) -> str:
    """Return ``Did you mean …?``, the label of a link; ``meant`` is a query or a filter."""
    return translate("window", "Did you mean {query}?").format(query=meant)


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
        "tag:": translate("window", "No note has a tag."),
        "prop:": translate("window", "No note has a property."),
        "path:": translate("window", "No note is in a subfolder."),
    }
    return sentences.get(begun.removeprefix("-").lower(), "")


def not_found_text(missing: tuple[str, ...]) -> str:
    """Return a sentence with the words that occur in no result; empty if there are none."""
    return _about(translate("window", "Not found: {words}."), missing)


def as_typed(query: str, spelling: tuple[Respelling, ...]) -> str:
    """Return ``query`` with each word that was corrected in quotes, so that it is kept."""
    for word in spelling:
        query = re.sub(
            rf'(?<![\w"]){re.escape(word.typed)}(?![\w"])', f'"{word.typed}"', query, count=1
        )
    return query


def missing_words_text(missing: tuple[str, ...]) -> str:
    """Return a sentence with up to four words of a query that occur in no note; else ""."""
    words = [_quoted(word) for word in missing[:4]]
    if not words:
        return ""
    if len(words) == 1:
        return translate("window", "{word} is not in your notes.").format(word=words[0])
    return translate("window", "{words} and {last} are not in your notes.").format(
        words=", ".join(words[:-1]), last=words[-1]
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
        "tag": translate("window", "No notes tagged #{value}."),
        "path": translate("window", "No notes in a folder “{value}”."),
        "file": translate("window", "No notes named “{value}”."),
        "lang": translate("window", "No notes or code in “{value}”."),
    }
    sentence = sentences.get(name, translate("window", "No notes match the filter “{filter}”."))
    return sentence.format(value=value.lstrip("#"), filter=shortened(unmet.filter))


def filter_text(typed: str) -> str:
    """Return a filter as a person would name it: ``#travel`` for ``tag:travel``."""
    name, _, value = typed.partition(":")
    return "#" + value.strip('"').lstrip("#") if name == "tag" else typed


def facet_text(facet: FilterChoice) -> str:
    """Return the filter of a facet as it is typed; for the filter of a year, only the year."""
    name, _, year = facet.filter.partition(" ")[0].partition(":")
    return year if name == "after" else facet.filter


def shortened(query: str) -> str:
    """Return at most ``_NAMED`` characters of a query, to quote in a sentence."""
    text = " ".join(query.split())
    return isolated(text if len(text) <= _NAMED else f"{text[:_NAMED].rstrip()}…")


def isolated(text: str) -> str:
    """Return ``text``, if right-to-left, marked so that it does not turn the text around it."""
    if not any(unicodedata.bidirectional(letter) in {"R", "AL"} for letter in text):
        return text
    leftwards = QLocale().textDirection() == Qt.LayoutDirection.RightToLeft
    mark = "\N{RIGHT-TO-LEFT MARK}" if leftwards else "\N{LEFT-TO-RIGHT MARK}"
    # Without the mark, Qt would take the direction of the sentence from the isolated text.
    return f"{mark}\N{FIRST STRONG ISOLATE}{text}\N{POP DIRECTIONAL ISOLATE}"


def _about(sentence: str, words: Sequence[str]) -> str:
    """Return ``sentence`` with up to four ``words`` of a query; empty if there are none."""
    return sentence.format(words=", ".join(map(_quoted, words[:4]))) if words else ""


def _quoted(word: str) -> str:
    return translate("window", "“{word}”").format(word=shortened(word))


def searched_text(status: Status | None, *, words: int, within: str = "") -> str:
    """Return sentences that say what was searched without results, and what to try.

    ``words`` is the number of words of which others may help; 0 if a filter matches nothing.
    """
    if not words:
        hint = translate("window", "Try removing the filter.")
    elif words == 1:
        hint = translate("window", "Try another word, or describe what the note is about.")
    else:
        hint = translate("window", "Try fewer words, or describe what the note is about.")
    if within:
        return translate("window", "Only searched in {place}. {hint}").format(
            place=within.strip("/"), hint=hint
        )
    if status is None or not status.notes:
        return hint
    return tr("Searched %Ln note(s). {hint}", "", status.notes).format(hint=hint)


def unread_text(lost: int, remarks: int) -> str:
    """Return the text above the list of notes that were not read, and of notes with a warning."""
    sentences = []
    if lost:
        sentences.append(tr("%Ln note(s) could not be read. All others are searched.", "", lost))
    if remarks:
        warned = translate("window", "{notes} searched, but with warnings.")
        sentences.append(warned.format(notes=notes_text(remarks)))
    return " ".join(sentences)


def progress_text(progress: Progress, left: float | None = None) -> str:
    """Return what the indexer is doing, and the seconds ``left``, if known; empty if it is idle."""
    if progress.phase is Phase.SCAN:
        return translate("window", "Looking for changes…")
    if progress.phase is Phase.WORDS and progress.total:
        text = tr("Indexing {done} of %Ln note(s) – you can search already", "", progress.total)
        return text.format(done=number(progress.done))
    if progress.phase is Phase.MEANING and progress.total:
        percent = min(99, 100 * progress.done // progress.total)
        text = translate("window", "Getting ready to search by meaning… {percent} %")
        return text.format(percent=percent) + _left_text(left)
    return ""


def _left_text(left: float | None) -> str:
    """Return remaining seconds as ``, about 5 minutes left``; empty if unknown or short."""
    minutes = round((left or 0) / 60)
    if minutes < 1:
        return ""
    if minutes < _MINUTES_AT_MOST:
        return tr(", about %Ln minute(s) left", "", minutes)
    return tr(", about %Ln hour(s) left", "", round(minutes / 60))


def _field_text(field: str) -> str:
    """Return the name that users see for ``field``, a part of a note from ``Why.fields``."""
    names = {
        "path": translate("window", "the file name"),
        "title": translate("window", "the note title"),
        "aliases": translate("window", "another name for the note"),
        "headings": translate("window", "the heading"),
        "tags": translate("window", "a tag"),
        "properties": translate("window", "a property"),
        "body": translate("window", "the text"),
    }
    return names.get(field, field)


_WORTH_TELLING = 0.1
"""A preference counts as a reason if its value is at least this."""


def why_sentences(result: SectionResult, *, compared: bool = True) -> list[str]:
    """Return the reasons why a section was found; ``compared`` if also compared by meaning."""
    why = result.why
    reasons = list[str]()
    if why.named:
        reasons.append(translate("window", "It is listed first because its name is your query."))
    if why.words_rank is not None:
        reasons.append(
            translate("window", "Ranked {rank} for your words.").format(
                rank=ordinal(why.words_rank)
            )
        )
    places = [_field_text(field) for field in why.fields if field != "links"]
    if places:
        reasons.append(
            translate("window", "Your words are in: {places}.").format(places=", ".join(places))
        )
    elif why.words_rank is None and why.meaning_rank is not None:
        reasons.append(translate("window", "It contains none of your words."))
    if "links" in why.fields:
        reasons.append(translate("window", "It contains a link to the address in your query."))
    if why.meaning_rank is not None:
        reasons.append(
            translate("window", "Ranked {rank} by meaning.").format(rank=ordinal(why.meaning_rank))
        )
    elif why.words_rank is not None and compared:
        reasons.append(translate("window", "Not a close match in meaning."))
    preferred = {
        "opened": translate("window", "You opened it for this query before."),
        "recent": translate("window", "Its note changed recently, and you prefer recent notes."),
        "folder": translate("window", "It is in a folder that you prefer."),
    }
    reasons += [
        preferred[signal.name]
        for signal in result.signals
        if signal.name in preferred and signal.value >= _WORTH_TELLING
    ]
    if why.filters:
        reasons.append(
            translate("window", "It matches your filters: {filters}.").format(
                filters=", ".join(why.filters)
            )
        )
    return reasons or [translate("window", "You opened or changed it recently.")]
