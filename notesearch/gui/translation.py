"""Texts in the user's language: translations, error sentences, numbers, dates, paths and names.

``packaging/translations.py`` collects the texts of the windows, and makes the files that Qt loads.
"""

import re
import unicodedata
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QDate, QLibraryInfo, QLocale, Qt, QTime, QTranslator
from PySide6.QtGui import QGuiApplication, QKeySequence

from notesearch.config import resources
from notesearch.errors import NotesearchError
from notesearch.messages import SENTENCES, Sentence, filled, for_one

if TYPE_CHECKING:
    from notesearch.results import SectionResult

_NAMED = 80
"""The maximum number of characters of a query that a sentence quotes."""
_BEFORE_UNIT = re.compile(r"(?<=\d) (?=(?:[KMG]B|min|ms|%)(?!\w))")
"""The space between a number and its unit, at which no line may end."""

LANGUAGES = ("en", "de")
"""The languages of the windows. English texts are in the code, except plural forms."""


def translate(text: str, /, *, comment: str = "", **fields: object) -> str:
    """Return ``text`` in the user's language, with ``fields`` in place of the names in braces.

    ``comment`` tells translators which of two meanings the text has here.
    """
    translated = QCoreApplication.translate("", text, comment or None)
    return translated.format(**fields) if fields else translated


def tr(text: str, number: int, /, *, comment: str = "", **fields: object) -> str:
    """Return a text with a count, like ``%Ln note(s)``, in the plural form for ``number``.

    ``comment`` and ``fields`` are as in ``translate``.
    """
    translated = QCoreApplication.translate("", text, comment or None, number)
    return translated.format(**fields) if fields else translated


def error_text(error: NotesearchError) -> str:
    """Return the sentence of ``error`` in the user's language."""
    return sentence_text(error.sentence)


def sentence_text(sentence: Sentence) -> str:
    """Return ``sentence`` in the user's language; in English if there is no translation."""
    fields = {
        name: sentence_text(value) if isinstance(value, Sentence) else value
        for name, value in sentence.fields.items()
    }
    english = SENTENCES[sentence.code]
    count = sentence.fields.get("count")  # has plural forms, see packaging/translations.py
    plural = count if isinstance(count, int) else -1
    template = QCoreApplication.translate("library", english, None, plural)
    if template == english:
        template = for_one(english, fields)
    text = filled(template, fields, QLocale().toString)
    return _BEFORE_UNIT.sub("\u00a0", text)


def shortcut_text(keys: str | QKeySequence) -> str:
    """Return one key combination in the platform's notation and the user's language: Strg+K."""
    native = QKeySequence(keys).toString(QKeySequence.SequenceFormat.NativeText)
    for own in ("Return", "Enter"):  # Qt does not translate these; for users, they are one key
        if native.endswith(own):
            return native.removesuffix(own) + translate("Enter")
    return native


def install(application: QCoreApplication, locale: QLocale) -> str:
    """Install the translations for the language of ``locale``, else English; return the language.

    Numbers and dates have the format of ``locale`` if its language has translations.
    """
    requested = locale.name().partition("_")[0]
    language = requested if requested in LANGUAGES else LANGUAGES[0]
    QLocale.setDefault(locale if requested == language else QLocale(language))
    own = str(resources() / "translations")
    qt = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
    for folder, name in ((qt, f"qtbase_{language}"), (own, f"notesearch_{language}")):
        translator = QTranslator(application)
        if translator.load(name, folder):
            application.installTranslator(translator)
    return language


def number_text(value: int) -> str:
    """Return a number in the user's format: ``1,204``."""
    return QLocale().toString(value)


def decimal_text(value: float) -> str:
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
    return text.format(current=number_text(current))


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


def location_text(result: "SectionResult") -> str:
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
