"""The messages of pages: what a query without results says."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextDocument

from notesearch.gui.widgets.page_texts import missing_words_text, no_results_message
from notesearch.status import Status
from tests.gui.sample_results import result


@pytest.mark.parametrize(
    ("missing", "text"),
    [
        ((), ""),
        (("kyotto",), "“kyotto” is not in your notes."),
        (("a", "b"), "“a” and “b” are not in your notes."),
        (("a", "b", "c"), "“a”, “b” and “c” are not in your notes."),
    ],
)
def test_missing_words(missing: tuple[str, ...], text: str) -> None:
    assert missing_words_text(missing) == text


def test_right_to_left_words_do_not_change_the_sentences_direction() -> None:
    text = missing_words_text(("שלום", "עולם"))
    assert text.endswith("are not in your notes.")
    assert "שלום" in text
    assert QTextDocument(text).firstBlock().textDirection() == Qt.LayoutDirection.LeftToRight


@pytest.mark.parametrize(
    ("notes", "last_scan", "title"),
    [
        (3, 1.0, "No sections match “dates”"),
        (0, 1.0, "No Markdown files in this folder"),
        (0, 0.0, "These notes have not been read yet"),
    ],
)
def test_a_folder_that_was_not_read_has_no_missing_words(
    notes: int, last_scan: float, title: str
) -> None:
    status = Status(vault="/notes", model="m", notes=notes, last_scan=last_scan)
    assert no_results_message(result("dates"), status).title == title
