"""Dates as people type them in a query."""

from datetime import date

import pytest

from notesearch.search.filters import date_period
from tests.search.query_text import TODAY


@pytest.mark.parametrize(
    ("text", "first", "end"),
    [
        ("2026", "2026-01-01", "2027-01-01"),
        ("2026-04", "2026-04-01", "2026-05-01"),
        ("2026-12", "2026-12-01", "2027-01-01"),
        ("2026-04-12", "2026-04-12", "2026-04-13"),
        ("2026/4/2", "2026-04-02", "2026-04-03"),
        ("12.4.2026", "2026-04-12", "2026-04-13"),
        ("today", "2026-04-15", "2026-04-16"),
        ("Yesterday", "2026-04-14", "2026-04-15"),
        ("tomorrow", "2026-04-16", "2026-04-17"),
        ("7d", "2026-04-08", "2026-04-09"),
        ("2w", "2026-04-01", "2026-04-02"),
        ("3m", "2026-01-15", "2026-01-16"),
        ("1y", "2025-04-15", "2025-04-16"),
        ("10 days ago", "2026-04-05", "2026-04-06"),
        ("this week", "2026-04-13", "2026-04-20"),
        ("last-week", "2026-04-06", "2026-04-13"),
        ("last month", "2026-03-01", "2026-04-01"),
        ("last_year", "2025-01-01", "2026-01-01"),
        ("next month", "2026-05-01", "2026-06-01"),
        *((text, "2026-03-16", "2026-03-17") for text in
          ("last 30 days", "past 30 days", "30 days")),
        *((text, "2026-04-08", "2026-04-09") for text in
          ("a week ago", "one week ago", "past week", "last 7 days")),
        *((text, "2026-04-14", "2026-04-15") for text in ("last day", "last days", "past day")),
        *((text, "2026-03-15", "2026-03-16") for text in ("last months", "past month")),
        ("two weeks ago", "2026-04-01", "2026-04-02"),
        ("6mo", "2025-10-15", "2025-10-16"),
        ("day before yesterday", "2026-04-13", "2026-04-14"),
        ("this quarter", "2026-04-01", "2026-07-01"),
        ("last quarter", "2026-01-01", "2026-04-01"),
        ("q2 2025", "2025-04-01", "2025-07-01"),
        *((text, "2026-04-13", "2026-04-14") for text in ("monday", "Mon", "last monday")),
        ("wednesday", "2026-04-15", "2026-04-16"),
        ("last wed", "2026-04-08", "2026-04-09"),
        ("next friday", "2026-04-17", "2026-04-18"),
        ("this sunday", "2026-04-19", "2026-04-20"),
        *((text, "2026-03-01", "2026-04-01") for text in ("march", "in march", "märz", "mar")),
        *((text, "2025-05-01", "2025-06-01") for text in ("may", "last may", "mai")),
        *((text, "2026-03-12", "2026-03-13") for text in
          ("12 march", "March 12th", "12th of march", "12. märz", "12.3.", "12.03.26")),
        ("3/15/26", "2026-03-15", "2026-03-16"),
        ("q1", "2026-01-01", "2026-04-01"),
        ("q3", "2025-07-01", "2025-10-01"),
        *((text, "2026-03-16", "2026-03-23") for text in ("w12", "week 12", "kw12")),
        ("week 40", "2025-09-29", "2025-10-06"),
        ("29 feb", "2024-02-29", "2024-03-01"),
        ("week 53", "2020-12-28", "2021-01-04"),
        *((text, "", "") for text in
          ("", "2026-13", "2026-02-30", "0d0", "9999y", "last decade", "d", "-7d", "12", "0000",
           "32 march", "marching", "q5", "week 60", "monday 3", "last 5", "3/12/26")),
    ],
)  # fmt: skip
def test_dates(text: str, first: str, end: str) -> None:
    found = date_period(text, TODAY)
    assert [day.date().isoformat() for day in found or ()] == [day for day in (first, end) if day]


def test_a_month_ago_may_be_the_last_day_of_a_shorter_month() -> None:
    found = date_period("1m", date(2026, 3, 31))
    assert found is not None
    assert found[0].date() == date(2026, 2, 28)
