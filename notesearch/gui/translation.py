"""The windows' texts in the user's language, by Qt's own translation files.

``packaging/translations.py`` collects what is asked for here, and makes the files that are loaded.
"""

from typing import TYPE_CHECKING

from notesearch.config import resources

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
