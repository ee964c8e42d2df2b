"""Texts of the windows, and sentences of the library, in the user's language.

``packaging/translations.py`` collects the texts and makes the translation files that Qt loads.
"""

from typing import TYPE_CHECKING

from notesearch.config import resources
from notesearch.errors import NotesearchError
from notesearch.sentences import SENTENCES, Sentence, filled

if TYPE_CHECKING:
    from PySide6.QtCore import QCoreApplication, QLocale

LANGUAGES = ("en", "de")
"""What there are texts in; English ones stand in the code, but for those that count."""


def translate(context: str, text: str) -> str:
    """Return ``text`` of the part of the program called ``context`` in the user's language.

    Places are filled in afterwards: ``translate("preview", "Image · {name}").format(name=name)``.
    """
    # On first use: the command line starts editors too, and loads no Qt for that.
    from PySide6.QtCore import QCoreApplication

    return QCoreApplication.translate(context, text)


def tr(text: str, comment: str, number: int) -> str:
    """Return a text that counts, like ``%Ln note(s)``, in the form that ``number`` calls for.

    To be called in functions alone, not in methods: else its texts are collected under the name of
    the class and not found.
    """
    from PySide6.QtCore import QCoreApplication

    return QCoreApplication.translate("", text, comment or None, number)


def error_text(error: NotesearchError) -> str:
    """Return the sentence of ``error`` in the user's language."""
    return sentence_text(error.sentence)


def sentence_text(sentence: Sentence) -> str:
    """Return ``sentence`` in the user's language; in English where it has no translation."""
    from PySide6.QtCore import QLocale

    fields = {
        name: sentence_text(value) if isinstance(value, Sentence) else value
        for name, value in sentence.fields.items()
    }
    return filled(translate("library", SENTENCES[sentence.code]), fields, QLocale().toString)


def install(application: "QCoreApplication", locale: "QLocale") -> str:
    """Have ``application`` speak the language of ``locale`` where it can, else English.

    Numbers and dates are written as in ``locale``, where its language is spoken.

    Returns:
        The language, one of ``LANGUAGES``.
    """
    from PySide6.QtCore import QLibraryInfo, QLocale, QTranslator

    asked = locale.name().partition("_")[0]
    language = asked if asked in LANGUAGES else LANGUAGES[0]
    QLocale.setDefault(locale if asked == language else QLocale(language))
    own = str(resources() / "translations")
    qt = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
    for folder, name in ((qt, f"qtbase_{language}"), (own, f"notesearch_{language}")):
        translator = QTranslator(application)
        if translator.load(name, folder):
            application.installTranslator(translator)
    return language
