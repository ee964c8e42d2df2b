"""The texts of the windows, as tables."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextDocument

from notesearch.gui import wording
from notesearch.results import Respelling, SearchResult
from notesearch.status import Phase, Progress, Status
from tests.gui.made import note, result, section

NOW = datetime(2026, 4, 12, 18, 0, tzinfo=UTC)


INDEX = Status(vault="/notes", model="m", passages=4000, pending=4000)


@pytest.mark.parametrize(
    ("status", "progress", "text"),
    [
        (None, Progress(Phase.IDLE), ""),
        (INDEX, Progress(Phase.IDLE), "0 of 4,000 passages are ready."),
        (INDEX, Progress(Phase.MEANING, 3, 4), "Getting ready to search by meaning… 75 %"),
        (replace(INDEX, pending=0), Progress(Phase.IDLE), "4,000 passages are ready."),
    ],
)
def test_how_far_search_by_meaning_is(status: Status | None, progress: Progress, text: str) -> None:
    """It said 0 of all passages beside a bar that said 75 %."""
    assert wording.meaning_text(status, progress) == text


@pytest.mark.parametrize(
    ("moment", "text"),
    [
        (datetime(2026, 4, 12, 14, 5, tzinfo=UTC), "14:05"),
        (datetime(2026, 4, 11, 14, 5, tzinfo=UTC), "11 Apr"),
        (datetime(2023, 11, 4, 14, 5, tzinfo=UTC), "4 Nov 2023"),
    ],
)
def test_dates_are_short(moment: datetime, text: str) -> None:
    assert wording.modified_text(moment.timestamp(), NOW) == text


@pytest.mark.parametrize("moment", [1e18, -1e18, float("nan"), float("inf")])
def test_a_date_outside_the_calendar_is_empty(moment: float) -> None:
    assert wording.modified_text(moment, NOW) == ""


def test_a_path_in_the_home_folder_begins_with_a_tilde(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Path, "home", lambda: Path("/home/anna"))
    assert wording.path_text(Path("/home/anna/My notes")) == "~/My notes"
    assert wording.path_text(Path("/home/anna")) == "~"
    assert wording.path_text(Path("/media/usb/notes")) == str(Path("/media/usb/notes"))


def test_moments_include_the_time() -> None:
    assert (
        wording.moment_text(datetime(2026, 4, 12, 9, 30, tzinfo=UTC).timestamp(), NOW)
        == "today 09:30"
    )
    assert (
        wording.moment_text(datetime(2026, 4, 2, 9, 30, tzinfo=UTC).timestamp(), NOW)
        == "2 Apr, 09:30"
    )


TWO = (note("a.md", "x", "y"), note("b.md", "z"))
COUNTING = Progress(Phase.WORDS, 431, 1204)


@pytest.mark.parametrize(
    ("found", "progress", "text"),
    [
        (result("q"), None, ""),
        (result("q", note("a.md", "x")), None, "1 section in 1 note"),
        (result("q", *TWO), None, "3 sections in 2 notes"),
        (result("q", *TWO, total=1304), None, "1,304 sections, the first 3 in 2 notes"),
        (result("q", *TWO), COUNTING, "3 sections so far · 431 of 1,204 notes"),
        (result("q", *TWO), Progress(Phase.SCAN), "3 sections so far"),
        (result("q", *TWO), Progress(Phase.MEANING, 1, 2), "3 sections in 2 notes"),
    ],
)
def test_result_counts(found: SearchResult, progress: Progress | None, text: str) -> None:
    assert wording.found_text(found, progress) == text


@pytest.mark.parametrize(
    ("progress", "text"),
    [
        (Progress(Phase.SCAN), "Looking for changes…"),
        (COUNTING, "Indexing 431 of 1,204 notes – you can search already"),
        (Progress(Phase.MEANING, 50, 200), "Getting ready to search by meaning… 25 %"),
        (Progress(Phase.MEANING, 200, 200), "Getting ready to search by meaning… 99 %"),
        (Progress(Phase.WORDS), ""),
        (Progress(Phase.IDLE), ""),
    ],
)
def test_progress(progress: Progress, text: str) -> None:
    assert wording.progress_text(progress) == text


@pytest.mark.parametrize(
    ("left", "told"),
    [
        (None, ""),
        (29, ""),
        (31, ", about 1 minute left"),
        (700, ", about 12 minutes left"),
        (7000, ", about 2 hours left"),
    ],
)
def test_the_remaining_time(left: float | None, told: str) -> None:
    text = wording.progress_text(Progress(Phase.MEANING, 50, 200), left)
    assert text == f"Getting ready to search by meaning… 25 %{told}"
    assert wording.progress_text(Progress(Phase.SCAN), left) == "Looking for changes…"


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
    assert wording.missing_words_text(missing) == text


@pytest.mark.parametrize(
    ("lost", "remarks", "text"),
    [
        (1, 0, "1 note could not be read. All others are searched."),
        (0, 2, "2 notes searched, but with warnings."),
        (2, 1, ("2 notes could not be read. All others are searched."
                " 1 note searched, but with warnings.")),
    ],
)  # fmt: skip
def test_unread_notes_and_warnings(lost: int, remarks: int, text: str) -> None:
    assert wording.unread_text(lost, remarks) == text


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
    assert wording.respelt_text(spelling) == (text, offer)


def test_words_that_were_not_found() -> None:
    assert wording.not_found_text(()) == ""
    assert wording.not_found_text(("butterfly", "moth")) == "Not found: “butterfly”, “moth”."


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
    assert wording.interpretation_text(found) == (text, offer)
    assert (wording.offered_query(found) if offer else "") == searched


@pytest.mark.parametrize(
    ("without", "text"),
    [((), ""), (("rf",), "Excluding “rf”."), (("rf", "two words"), "Excluding “rf”, “two words”.")],
)
def test_excluded_words(without: tuple[str, ...], text: str) -> None:
    assert wording.without_text(without) == text


def test_right_to_left_words_do_not_change_the_sentences_direction() -> None:
    text = wording.missing_words_text(("שלום", "עולם"))
    assert text.endswith("are not in your notes.")
    assert "שלום" in text
    assert QTextDocument(text).firstBlock().textDirection() == Qt.LayoutDirection.LeftToRight


def test_a_query_of_several_lines_becomes_one() -> None:
    assert wording.shortened(" kyoto\nfood\r\n\ttea ") == "kyoto food tea"


def test_locations() -> None:
    assert wording.folder_text("travel/japan/Trip.md") == "travel/japan/"
    assert wording.folder_text("Trip.md") == ""
    assert wording.location_text(section("Trip.md", "Kyoto > Food")) == "Trip, Kyoto, Food"
    assert wording.location_text(section("Trip.md", "Trip")) == "Trip"
    referring = replace(section("Trip.md", "… > Food"), resolved_path=("Kyoto", "Food"))
    assert wording.location_text(referring) == "Trip, Kyoto, Food"


def test_a_similar_filter_replaces_only_the_filter_that_matches_nothing() -> None:
    offers = wording.filter_offers("tag:tr (-tag:tr) tag:travel", {"tag:tr": (r"tag:a\1",)})
    assert list(offers) == [(r"Did you mean #a\1?", r"tag:a\1 (-tag:a\1) tag:travel")]
