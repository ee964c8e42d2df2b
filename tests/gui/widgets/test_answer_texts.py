"""Sentences about an answer: how a query was read, and what a query without results says."""

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextDocument

from notesearch.gui.widgets import answer_texts
from notesearch.gui.widgets.answer_texts import missing_words_text, no_results_message
from notesearch.results import Respelling
from notesearch.status import Status
from tests.gui.sample_results import result

TYPED = Respelling("recieve", "receive")
RARE = Respelling("tfile", "file", also=True)


@pytest.mark.parametrize(
    ("spelling", "text", "offer"),
    [
        ((), "", ""),
        ((TYPED,), "Showing results for “receive”.", "Search for “recieve” instead"),
        ((RARE,), "Also showing results for “file”.", "Only search for “tfile”"),
        ((TYPED, RARE), "Showing results for “receive”, “file”.",
         "Search for “recieve”, “tfile” instead"),
    ],
)  # fmt: skip
def test_corrected_words(spelling: tuple[Respelling, ...], text: str, offer: str) -> None:
    assert answer_texts.respelt_text(spelling) == (text, offer)


def test_words_that_were_not_found() -> None:
    assert answer_texts.not_found_text(()) == ""
    assert answer_texts.not_found_text(("butterfly", "moth")) == "Not found: “butterfly”, “moth”."


@pytest.mark.parametrize(
    ("query", "near", "text", "offer", "searched"),
    [
        ("type:foo", (), "Not a filter, searched as text: “type:foo”.", "", ""),
        # one that resembles it is a link, several are listed
        ("tga:a b", ("tag:a",), "Not a filter, searched as text: “tga:a”.", "Did you mean #a?",
         "tag:a b"),
        ("has:x", ("has:code", "has:table"),
         "Not a filter, searched as text: “has:x”. Similar filters: “has:code”, “has:table”.", "",
         ""),
        # the value is still to come
        ("b tag:", (), "", "", ""),
    ],
)  # fmt: skip
def test_words_that_only_look_like_filters(
    query: str, near: tuple[str, ...], text: str, offer: str, searched: str
) -> None:
    word = next(one for one in query.split() if ":" in one)
    near_filters = {word: near} if near else {}
    found = replace(result(query), not_filters=(word,), near_filters=near_filters)
    assert answer_texts.interpretation_text(found, found.query) == (text, offer)
    assert (answer_texts.offered_query(found) if offer else "") == searched


@pytest.mark.parametrize(
    ("without", "text"),
    [((), ""), (("rf",), "Excluding “rf”."), (("rf", "two words"), "Excluding “rf”, “two words”.")],
)
def test_excluded_words(without: tuple[str, ...], text: str) -> None:
    assert answer_texts.without_text(without) == text


def test_a_similar_filter_replaces_only_the_filter_that_matches_nothing() -> None:
    offers = answer_texts.filter_offers("tag:tr (-tag:tr) tag:travel", {"tag:tr": (r"tag:a\1",)})
    assert list(offers) == [(r"Did you mean #a\1?", r"tag:a\1 (-tag:a\1) tag:travel")]


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
