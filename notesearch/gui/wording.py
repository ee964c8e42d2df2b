"""Pure functions that write numbers, dates, paths and names in the user's language."""

import unicodedata
from datetime import datetime
from pathlib import Path

from PySide6.QtCore import QDate, QLocale, Qt, QTime
from PySide6.QtGui import QGuiApplication

from notesearch.gui.translation import tr, translate
from notesearch.results import SectionResult

_NAMED = 80
"""The maximum number of characters of a query that a sentence quotes."""


def number(value: int) -> str:
    """Return a number in the user's format: ``1,204``."""
    return QLocale().toString(value)


def decimal(value: float) -> str:
    """Return a number with one decimal place in the user's format: ``9.5``."""
    return QLocale().toString(value, "f", 1)


def notes_text(notes: int) -> str:
    """Return ``1,204 notes`` or ``1 note``."""
    return tr("%Ln note(s)", notes)


def words_text(words: int) -> str:
    """Return ``1,204 words`` or ``1 word``."""
    return tr("%Ln word(s)", words)


def matches_text(current: int, matches: int, *, capped: bool) -> str:
    """Return ``3 of 12 matches`` for the third of 12; ``12+`` if there are more (``capped``)."""
    text = (
        tr("{current} of %Ln+ match(es)", matches)
        if capped
        else tr("{current} of %Ln match(es)", matches)
    )
    return text.format(current=number(current))


def bytes_text(value: int) -> str:
    """Return a size in readable units: 840 KB, 12.5 MB."""
    size = float(value)
    whole, units = translate("bytes"), ("KB", "MB", "GB")
    for unit in (whole, *units):
        if size < 1000 or unit == units[-1]:
            break
        size /= 1000
    digits = 0 if unit == whole or 100 <= size < 1000 else 1
    return f"{QLocale().toString(size, 'f', digits)} {unit}"


def moment_of(modified: float) -> datetime | None:
    """Return a time in seconds since the epoch as local time; None beyond the years 1 to 9999."""
    try:
        return datetime.fromtimestamp(modified).astimezone()
    except (OverflowError, OSError, ValueError):
        return None


def _now() -> datetime:
    return datetime.now().astimezone()


def modified_text(modified: float) -> str:
    """Return a time in a short form: 14:05 today, 12 Apr this year, else 4 Nov 2023.

    ``modified`` is in seconds since the epoch. The text is empty beyond the years 1 to 9999.
    """
    moment = moment_of(modified)
    if moment is None:
        return ""
    now = _now()
    moment = moment.astimezone(now.tzinfo)
    if moment.date() == now.date():
        return _time_text(moment)
    return day_text(moment, with_year=moment.year != now.year)


def day_text(moment: datetime, *, with_year: bool = True) -> str:
    """Return a day: 4 Nov 2023, or 4 Nov."""
    written = translate("d MMM yyyy") if with_year else translate("d MMM")
    return QLocale().toString(QDate(moment.year, moment.month, moment.day), written)


def _time_text(moment: datetime) -> str:
    time = QTime(moment.hour, moment.minute)
    return QLocale().toString(time, translate("HH:mm"))


def moment_text(moment: float) -> str:
    """Return a time in seconds since the epoch as ``today 14:05`` or ``12 Apr, 18:04``."""
    now = _now()
    then = datetime.fromtimestamp(moment).astimezone(now.tzinfo)
    if then.date() == now.date():
        return translate("today {time}", time=_time_text(then))
    return translate("{day}, {time}", day=modified_text(moment), time=_time_text(then))


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
    return translate("page {number}", number=label)


def location_text(result: SectionResult) -> str:
    """Return the note's title and the headings of a section, for screen readers."""
    has_title = result.section_path[:1] == (result.title,)
    return ", ".join(result.shown_path if has_title else (result.title, *result.shown_path))


def shortened(query: str) -> str:
    """Return at most ``_NAMED`` characters of a query, to quote in a sentence."""
    text = " ".join(query.split())
    return isolated(text if len(text) <= _NAMED else f"{text[:_NAMED].rstrip()}…")


def isolated(text: str) -> str:
    """Return ``text`` to put into a sentence.

    Marks around a right-to-left text keep the words of the sentence in their order.
    """
    if not any(unicodedata.bidirectional(letter) in {"R", "AL"} for letter in text):
        return text
    leftwards = QLocale().textDirection() == Qt.LayoutDirection.RightToLeft
    mark = "\N{RIGHT-TO-LEFT MARK}" if leftwards else "\N{LEFT-TO-RIGHT MARK}"
    # Without the mark, Qt would take the direction of the sentence from the isolated text.
    return f"{mark}\N{FIRST STRONG ISOLATE}{text}\N{POP DIRECTIONAL ISOLATE}"
