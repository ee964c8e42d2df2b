"""The texts of the windows, as tables."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from notesearch.gui import wording
from tests.gui.sample_results import section


@pytest.fixture(autouse=True)
def now(monkeypatch: pytest.MonkeyPatch) -> None:
    evening = datetime(2026, 4, 12, 18, 0, tzinfo=UTC)
    monkeypatch.setattr(wording, "_now", lambda: evening)


@pytest.mark.parametrize(
    ("moment", "text"),
    [
        (datetime(2026, 4, 12, 14, 5, tzinfo=UTC), "14:05"),
        (datetime(2026, 4, 11, 14, 5, tzinfo=UTC), "11 Apr"),
        (datetime(2023, 11, 4, 14, 5, tzinfo=UTC), "4 Nov 2023"),
    ],
)
def test_dates_are_short(moment: datetime, text: str) -> None:
    assert wording.modified_text(moment.timestamp()) == text


@pytest.mark.parametrize("moment", [1e18, -1e18, float("nan"), float("inf")])
def test_a_date_outside_the_calendar_is_empty(moment: float) -> None:
    assert wording.modified_text(moment) == ""


def test_a_path_in_the_home_folder_begins_with_a_tilde(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Path, "home", lambda: Path("/home/anna"))
    assert wording.path_text(Path("/home/anna/My notes")) == "~/My notes"
    assert wording.path_text(Path("/home/anna")) == "~"
    assert wording.path_text(Path("/media/usb/notes")) == str(Path("/media/usb/notes"))


def test_moments_include_the_time() -> None:
    assert (
        wording.moment_text(datetime(2026, 4, 12, 9, 30, tzinfo=UTC).timestamp()) == "today 09:30"
    )
    assert (
        wording.moment_text(datetime(2026, 4, 2, 9, 30, tzinfo=UTC).timestamp()) == "2 Apr, 09:30"
    )


def test_a_query_of_several_lines_becomes_one() -> None:
    assert wording.shortened(" kyoto\nfood\r\n\ttea ") == "kyoto food tea"


def test_locations() -> None:
    assert wording.folder_text("travel/japan/Trip.md") == "travel/japan/"
    assert wording.folder_text("Trip.md") == ""
    assert wording.location_text(section("Trip.md", "Kyoto > Food")) == "Trip, Kyoto, Food"
    assert wording.location_text(section("Trip.md", "Trip")) == "Trip"
    referring = replace(section("Trip.md", "… > Food"), resolved_path=("Kyoto", "Food"))
    assert wording.location_text(referring) == "Trip, Kyoto, Food"
