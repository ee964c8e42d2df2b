"""Sentences on how a query was read, and links to other queries."""

from dataclasses import replace

import pytest

from notesearch.gui.widgets import query_remarks
from notesearch.results import Respelling
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
    assert query_remarks.respelt_text(spelling) == (text, offer)


def test_words_that_were_not_found() -> None:
    assert query_remarks.not_found_text(()) == ""
    assert query_remarks.not_found_text(("butterfly", "moth")) == "Not found: “butterfly”, “moth”."


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
    assert query_remarks.interpretation_text(found) == (text, offer)
    assert (query_remarks.offered_query(found) if offer else "") == searched


@pytest.mark.parametrize(
    ("without", "text"),
    [((), ""), (("rf",), "Excluding “rf”."), (("rf", "two words"), "Excluding “rf”, “two words”.")],
)
def test_excluded_words(without: tuple[str, ...], text: str) -> None:
    assert query_remarks.without_text(without) == text


def test_a_similar_filter_replaces_only_the_filter_that_matches_nothing() -> None:
    offers = query_remarks.filter_offers("tag:tr (-tag:tr) tag:travel", {"tag:tr": (r"tag:a\1",)})
    assert list(offers) == [(r"Did you mean #a\1?", r"tag:a\1 (-tag:a\1) tag:travel")]
