"""Labels in narrow windows: whole words, folders and parts give way, never letters."""

import pytest
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from notesearch.gui.widgets.labels import ElidedLabel, fitted


def shown(label: ElidedLabel, as_wide_as: str) -> str:
    label.resize(label.fontMetrics().horizontalAdvance(as_wide_as), 20)
    return label.shown


@pytest.mark.parametrize(
    ("as_wide_as", "text"),
    [
        ("Getting ready to search", "Getting ready to search"),
        ("Getting ready to sear…", "Getting ready to…"),
        ("Getting ready…", "Getting ready…"),
        ("Getting read…", "Getting…"),
    ],
)
def test_words_at_the_end_give_way(qapp: QApplication, as_wide_as: str, text: str) -> None:
    metrics = QFontMetrics(qapp.font())
    room = metrics.horizontalAdvance(as_wide_as)
    assert fitted("Getting ready to search", metrics, room) == text


@pytest.mark.parametrize(
    ("as_wide_as", "text"),
    [
        ("a/b/c/ · line 4 · today", "a/b/c/ · line 4 · today"),
        ("a/b/c/ · line 4 · toda", "a/b/c/ · line 4"),
        ("a/b/c/ · line", "a/b/c/"),
        ("…/c/", "…/c/"),
        ("c/", ""),
    ],
)
def test_parts_give_way_then_folders(qtbot: QtBot, as_wide_as: str, text: str) -> None:
    label = ElidedLabel(path=True)
    qtbot.addWidget(label)
    label.set_texts("a/b/c/ · line 4 · today", "")
    assert shown(label, as_wide_as) == text


def test_a_shorter_text_stands_for_it(qtbot: QtBot) -> None:
    label = ElidedLabel()
    qtbot.addWidget(label)
    label.set_texts("38 sections in 11 notes", "38 sections", "38")
    texts = ("38 sections in 11 notes", "38 sections in 11 note", "38 section", "38")
    assert [shown(label, text) for text in texts] == [
        "38 sections in 11 notes",
        "38 sections",
        "38",
        "38",
    ]
