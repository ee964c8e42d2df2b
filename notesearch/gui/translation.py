"""Translates texts of the windows, and sentences of the library, into the user's language.

``packaging/translations.py`` collects the texts, and makes the translation files that Qt loads.
"""

import re
from typing import TYPE_CHECKING

from notesearch.config import resources
from notesearch.errors import NotesearchError
from notesearch.messages import SENTENCES, Sentence, filled, for_one

if TYPE_CHECKING:
    from PySide6.QtCore import QCoreApplication, QLocale
    from PySide6.QtGui import QKeySequence

_BEFORE_UNIT = re.compile(r"(?<=\d) (?=(?:[KMG]B|min|ms|%)(?!\w))")
"""The space between a number and its unit, at which no line may end."""

LANGUAGES = ("en", "de")
"""The languages of the windows. English texts are in the code, except plural forms."""


def translate(text: str, /, *, comment: str = "", **fields: object) -> str:
    """Return ``text`` in the user's language, with ``fields`` in place of the names in braces.

    ``comment`` tells translators which of two meanings the text has here.
    """
    # Imported here, because the command line starts editors without Qt.
    from PySide6.QtCore import QCoreApplication

    translated = QCoreApplication.translate("", text, comment or None)
    return translated.format(**fields) if fields else translated


def tr(text: str, number: int, /, *, comment: str = "", **fields: object) -> str:
    """Return a text with a count, like ``%Ln note(s)``, in the plural form for ``number``.

    ``comment`` and ``fields`` are as in ``translate``.
    """
    from PySide6.QtCore import QCoreApplication

    translated = QCoreApplication.translate("", text, comment or None, number)
    return translated.format(**fields) if fields else translated


def error_text(error: NotesearchError) -> str:
    """Return the sentence of ``error`` in the user's language."""
    return sentence_text(error.sentence)


def sentence_text(sentence: Sentence) -> str:
    """Return ``sentence`` in the user's language; in English if there is no translation."""
    from PySide6.QtCore import QCoreApplication, QLocale

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


def shortcut_text(keys: "str | QKeySequence") -> str:
    """Return one key combination in the platform's notation and the user's language: Strg+K."""
    from PySide6.QtGui import QKeySequence

    native = QKeySequence(keys).toString(QKeySequence.SequenceFormat.NativeText)
    for own in ("Return", "Enter"):  # Qt does not translate these; for users, they are one key
        if native.endswith(own):
            return native.removesuffix(own) + translate("Enter")
    return native


def install(application: "QCoreApplication", locale: "QLocale") -> str:
    """Install the translations for the language of ``locale``, else English; return the language.

    Numbers and dates have the format of ``locale`` if its language has translations.
    """
    from PySide6.QtCore import QLibraryInfo, QLocale, QTranslator

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
