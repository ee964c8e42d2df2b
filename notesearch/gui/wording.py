"""Counts, dates and sentences of the window, as plain functions from values to text."""

import re
from datetime import datetime

from notesearch.notes import (
    NoteResult,
    Phase,
    Progress,
    Respelling,
    SearchResult,
    SectionResult,
    Status,
)

_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def count(number: int, noun: str) -> str:
    """Return ``1,204 notes`` or ``1 note``."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def paused_text(status: Status) -> str:
    """Return what the foot says while changed notes wait."""
    return f"{count(status.notes, 'note')}, indexing is paused"


def meaning_text(status: Status | None) -> str:
    """Return how far searching by meaning is."""
    if status is None:
        return ""
    if status.meaning_problem:
        return status.meaning_problem
    if status.pending:
        ready = status.passages - status.pending
        return f"{ready:,} of {status.passages:,} passages are ready."
    return f"{status.passages:,} passages are ready."


def bytes_text(number: int) -> str:
    """Return a size as people say it: 840 KB, 12.5 MB."""
    size = float(number)
    for unit in ("bytes", "KB", "MB"):
        if size < 1000:
            return f"{size:.0f} {unit}" if size >= 100 or unit == "bytes" else f"{size:.1f} {unit}"
        size /= 1000
    return f"{size:.1f} GB"


def modified_text(modified: float, now: datetime | None = None) -> str:
    """Return when a note was changed, as short as it is clear: 14:05, 12 Apr, 4 Nov 2023."""
    now = now or datetime.now().astimezone()
    try:
        moment = datetime.fromtimestamp(modified).astimezone(now.tzinfo)
    except (OverflowError, OSError, ValueError):
        return ""
    if moment.date() == now.date():
        return f"{moment:%H:%M}"
    day = f"{moment.day} {_MONTHS[moment.month - 1]}"
    return day if moment.year == now.year else f"{day} {moment.year}"


def moment_text(moment: float, now: datetime | None = None) -> str:
    """Return a past moment with its time: today 14:05, 12 Apr, 18:04."""
    now = now or datetime.now().astimezone()
    then = datetime.fromtimestamp(moment).astimezone(now.tzinfo)
    if then.date() == now.date():
        return f"today {then:%H:%M}"
    return f"{modified_text(moment, now)}, {then:%H:%M}"


def folder_text(path: str) -> str:
    """Return the folder of a note as the list shows it: ``travel/``, or nothing at the top."""
    folder, slash, _ = path.rpartition("/")
    return folder + slash


def found_text(result: SearchResult, progress: Progress | None = None) -> str:
    """Return the line above the results: 13 sections in 5 notes."""
    if not result.sections:
        return ""
    sections = count(result.total, "section")
    if progress is not None and progress.phase is Phase.WORDS and progress.total:
        return f"{sections} so far · {progress.done:,} of {count(progress.total, 'note')}"
    if result.total > len(result.sections):
        return sections
    return f"{sections} in {count(len(result.notes), 'note')}"


def more_text(hidden: int) -> str:
    """Return the row that unfolds a note's remaining sections."""
    return f"Show {hidden:,} more in this note"


def cap_text(shown: int) -> str:
    """Return the last row of a list that had to be cut."""
    return f"Showing the best {shown:,}. Add a word to narrow it down."


def location_text(result: SectionResult) -> str:
    """Return where a section stands, as a screen reader says it."""
    path = result.section_path
    return ", ".join(path if path[:1] == (result.title,) else (result.title, *path))


def section_text(result: SectionResult) -> str:
    """Return a result row as a screen reader says it."""
    related = " Related." if result.related else ""
    return f"{location_text(result)}.{related} {result.snippet.text}".rstrip()


def header_text(note: NoteResult) -> str:
    """Return a note's header row as a screen reader says it."""
    parts = (note.title, folder_text(note.path), modified_text(note.modified))
    return ", ".join(part for part in parts if part)


def respelt_text(spelling: tuple[Respelling, ...]) -> tuple[str, str]:
    """Return which words were looked for instead of those typed, and the offer to undo that.

    A word that hardly stands anywhere was looked for as well as the one it may have been meant for.
    """
    if not spelling:
        return "", ""
    meant = ", ".join(f"“{word.meant}”" for word in spelling)
    typed = ", ".join(f"“{word.typed}”" for word in spelling)
    if all(word.also for word in spelling):
        return f"Showing results for {meant}, too.", f"Search only for {typed}"
    return f"Showing results for {meant}.", f"Search for {typed} instead"


def exactly(query: str, spelling: tuple[Respelling, ...]) -> str:
    """Return ``query`` so that words taken for misspelt are looked for as they were typed."""
    for word in spelling:
        query = re.sub(
            rf'(?<![\w"]){re.escape(word.typed)}(?![\w"])', f'"{word.typed}"', query, count=1
        )
    return query


def missing_words_text(missing: tuple[str, ...]) -> str:
    """Return which words of a query stand in no note."""
    words = [f"“{word}”" for word in missing[:4]]
    if not words:
        return ""
    if len(words) == 1:
        return f"{words[0]} is not in your notes."
    return f"{', '.join(words[:-1])} and {words[-1]} are not in your notes."


def searched_text(status: Status | None, *, by_words: bool = True, within: str = "") -> str:
    """Return what a search without results looked through, and what to try.

    Where a rule found nothing ``by_words`` is false: other words would not help. ``within`` is the
    folder or the note that was searched; empty for everything.
    """
    words, rules = "Try fewer words, or describe what the note says.", "Try without it."
    hint = words if by_words else rules
    if within:
        return "Searched only in {place}. {hint}".format(place=within.strip("/"), hint=hint)
    if status is None or not status.notes:
        return hint
    notes = count(status.notes, "note")
    if not status.folders:
        return f"Searched {notes}. {hint}"
    return f"Searched {notes} in all folders. {hint}"


def unread_text(lost: int, remarks: int) -> str:
    """Return what stands above the list of notes that could not be read as others are."""
    sentences = []
    if lost:
        sentences.append(f"{count(lost, 'note')} could not be read. All others are searched.")
    if remarks:
        found = count(remarks, "remark")
        sentences.append(f"{found} on what is searched all the same.")
    return " ".join(sentences)


def progress_text(progress: Progress) -> str:
    """Return what the indexer is doing; empty while it has nothing to say."""
    if progress.phase is Phase.SCAN:
        return "Looking for changes…"
    if progress.phase is Phase.WORDS and progress.total:
        notes = count(progress.total, "note")
        return f"Indexing {progress.done:,} of {notes} – you can search already"
    if progress.phase is Phase.MEANING and progress.total:
        percent = min(99, 100 * progress.done // progress.total)
        return f"Getting ready to search by meaning… {percent} %"
    return ""


_FIELDS = {
    "path": "the file name",
    "title": "the title of the note",
    "aliases": "another name of the note",
    "headings": "the heading",
    "tags": "a tag",
    "body": "the text",
}


def why_sentences(result: SectionResult) -> list[str]:
    """Return why a section was found, a sentence for each reason."""
    why, said = result.why, list[str]()
    if why.words_rank is not None:
        said.append("Number {rank} by its words.".format(rank=f"{why.words_rank:,}"))
    if why.fields:
        places = [_FIELDS.get(field, field) for field in why.fields]
        said.append("Words were found in: {places}.".format(places=", ".join(places)))
    elif why.words_rank is None and why.meaning_rank is not None:
        said.append("None of the words is in it.")
    if why.meaning_rank is not None:
        said.append("Number {rank} by its meaning.".format(rank=f"{why.meaning_rank:,}"))
    elif why.words_rank is not None:
        said.append("By meaning it is not among the nearest.")
    if why.filters:
        said.append("It fulfils: {filters}.".format(filters=", ".join(why.filters)))
    return said or ["It was opened or changed lately."]
