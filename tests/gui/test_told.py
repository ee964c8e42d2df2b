"""What the library says is told in the user's language, where it is one of its usual sentences."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QLocale, QTranslator

from notesearch.gui import translation
from notesearch.gui.widgets.told import SENTENCES, _pattern, told

PACKAGE = Path(__file__).parents[2] / "notesearch"


@pytest.fixture
def german(qapp: QCoreApplication) -> Iterator[None]:
    locale, others = QLocale(), qapp.findChildren(QTranslator)
    translation.install(qapp, QLocale("de_DE"))
    yield
    for translator in set(qapp.findChildren(QTranslator)) - set(others):
        qapp.removeTranslator(translator)
        translator.deleteLater()
    QLocale.setDefault(locale)


@pytest.mark.usefixtures("german")
@pytest.mark.parametrize(
    ("english", "said"),
    [
        ("It is not a text file.", "Keine Textdatei."),
        ("This folder cannot be listed: {b}.", "Dieser Ordner lässt sich nicht auflisten: {b}."),
        ("No section fulfils “tag:x”.", "Kein Abschnitt erfüllt „tag:x“."),
        ("No section fulfils “x:y”. There is z.", "Kein Abschnitt erfüllt „x:y“. Es gibt z."),
        ("“a” in /b.toml should look like 200, a whole number from 10 to 1000.",
         "„a“ in /b.toml sollte wie 200 aussehen, eine ganze Zahl von 10 bis 1000."),
        ("“a” in /b.toml should look like \"c\", \"d\" or \"e\".",
         "„a“ in /b.toml sollte wie \"c\", \"d\" oder \"e\" aussehen."),
        ("“a” in /b.toml should look like true.", "„a“ in /b.toml sollte wie true aussehen."),
        ("Nobody knows this one.", "Nobody knows this one."),
        ("", ""),
    ],
)  # fmt: skip
def test_a_sentence_is_told_with_its_names(english: str, said: str) -> None:
    assert told(english) == said


@pytest.mark.parametrize("english", SENTENCES)
def test_in_english_it_is_as_the_library_says_it(english: str) -> None:
    assert told(english) == english


def test_what_no_sentence_resembles_has_no_pattern_made() -> None:
    made = _pattern.cache_info().currsize
    assert told("It is the answer to a letter, and nobody waits for sixty patterns.")
    assert _pattern.cache_info().currsize == made


def test_the_library_says_all_of_them() -> None:
    said = "\n".join(sentences())
    pieces = [re.split(r"\{\w+\}", english) for english in SENTENCES]
    assert [one for one in pieces if any(part.strip(" (”.") not in said for part in one)] == []


def sentences() -> Iterator[str]:
    """Yield every literal of the library, pieces of one sentence as well."""
    for file in PACKAGE.rglob("*.py"):
        if "gui" not in file.parts:
            for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Constant) and isinstance(node.value, str):
                    yield re.sub(r"\{\w+\}", "\n", node.value)
