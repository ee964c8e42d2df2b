"""Sentences of the library are translated by their code, with their fields."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QLocale, QTranslator

from notesearch.embedding.model_folder import unusable
from notesearch.errors import NoteMissingError
from notesearch.gui import translation
from notesearch.gui.session.pane_popovers import outline_choices
from notesearch.gui.settings.models_page import _compared
from notesearch.gui.translation import error_text, sentence_text
from notesearch.messages import NO_SENTENCE, Sentence
from notesearch.models import Measurement
from notesearch.results import SectionLink


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
    ("sentence", "german_text"),
    [
        (Sentence("file_not_text"), "Keine Textdatei."),
        (Sentence("folder_unreadable", reason="{b}"),
         "Dieser Ordner lässt sich nicht auflisten: {b}. Prüfen Sie seine Zugriffsrechte."),
        (Sentence("setting_invalid", name="a", file="/b.toml", example="true"),
         "„a“ in /b.toml sollte wie true aussehen."),
        (Sentence("note_unusable", path="a.md", why=Sentence("file_not_text")),
         "„a.md“ lässt sich nicht lesen. Keine Textdatei."),
        (Sentence("found_passages_waiting", count=1), "1 Textstelle wartet auf ihren Vektor."),
        (Sentence("found_passages_waiting", count=2), "2 Textstellen warten auf ihren Vektor."),
        (NO_SENTENCE, ""),
    ],
)  # fmt: skip
def test_a_sentence_is_translated_with_its_fields(sentence: Sentence, german_text: str) -> None:
    assert sentence_text(sentence) == german_text


@pytest.mark.usefixtures("german")
def test_why_a_model_cannot_be_used_is_translated() -> None:
    error = unusable(Path("/m"), Sentence("model_other_dimensions", dimensions=384))
    assert "benutzen. Seine Vektoren haben nicht 384 Dimensionen. Inst" in error_text(error)


@pytest.mark.parametrize(
    ("sentence", "english_text"),
    [
        (Sentence("absence_ranked", rank=1, count=1, section="Reeds"),
         "It is number 1 of 1 note, with the section “Reeds”."),
        (Sentence("found_vectors_without_passage", count=1),
         "1 vector belongs to no passage but can still be found."),
        (Sentence("found_notes_gone", count=1204), "1,204 notes are gone but still indexed."),
    ],
)  # fmt: skip
def test_english_sentences_have_the_singular(sentence: Sentence, english_text: str) -> None:
    assert sentence_text(sentence) == english_text


@pytest.mark.usefixtures("german")
def test_numbers_are_written_as_the_language_does() -> None:
    sentence = Sentence("vault_emptied", vault="/notes", count=1204)
    assert "1.204" in sentence_text(sentence)
    assert "1,204" in sentence
    top = SectionLink("Reise", ("Reise",), 1, 1, 9, 7)
    (row,) = outline_choices("a.md", (top,), 0, (1204,))
    measured = Measurement("m", "ONNX", 0.1, 1204.0, 2.0, 90.0, 0.95)
    texts = row.badge, _compared([measured])
    assert ["1.204" in text for text in texts] == [True, True]
    assert "9,5" in texts[1]


@pytest.mark.usefixtures("german")
def test_an_error_is_translated_by_its_code() -> None:
    error = NoteMissingError("note_outside", path="a.md")
    assert error_text(error) == "„a.md“ liegt nicht im Notizordner. Wählen Sie eine Notiz darin."
    assert str(error) == "“a.md” is not in the notes folder. Choose a note that is."
