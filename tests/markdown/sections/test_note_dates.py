"""The date of a note: from its front matter or its file name."""

from datetime import datetime

import pytest

from notesearch.markdown.sections.written_values import date_of_property, own_date
from notesearch.notes import Property


@pytest.mark.parametrize(
    ("properties", "path", "found"),
    [
        ({"date": "2026-04-12", "updated": "2026-05-01"}, "n.md", "2026-04-12 00:00"),
        ({"created": "2020-01-01", "Updated": "2026-05-01"}, "n.md", "2026-05-01 00:00"),
        ({"Date created": "2020-01-01T10:30:00Z"}, "n.md", "2020-01-01 10:30"),
        ({"last-modified": "2026-04"}, "n.md", "2026-04-01 00:00"),
        ({"date": "soon", "created": "[[2020-01-01]]"}, "n.md", "2020-01-01 00:00"),
        ({}, "journal/2026-04-12 Monday.md", "2026-04-12 00:00"),
        ({"date": "2025-01-01"}, "2026-04-12.md", "2025-01-01 00:00"),
        ({}, "journals/2026_04_12.md", "2026-04-12 00:00"),  # as Logseq names them
        ({}, "20260412 Boats.md", "2026-04-12 00:00"),
        ({}, "202604121030.md", "2026-04-12 00:00"),
        ({}, "20260412103059-boats.md", "2026-04-12 00:00"),  # as Zettlr does
        ({}, "2026041210305.md", ""),
        ({}, "20261312.md", ""),
        ({}, "12042026.md", ""),
        ({}, "2026-04_12.md", ""),
        ({}, "2026-04-12/note.md", ""),
        ({}, "2026-13-12.md", ""),
        ({}, "2026-04-123.md", ""),
        ({"dated": "2026-04-12"}, "n.md", ""),
        ({"created": "2020-01-01", "updated": "2021-01-01"}, "n.md", "2021-01-01 00:00"),
        ({"date": "2019-01-01", "updated": "2021-01-01"}, "n.md", "2019-01-01 00:00"),
        ({"published": "1954-07-29", "created": "2020-01-01"}, "n.md", "2020-01-01 00:00"),
        ({"published": "1954-07-29", "Date published": "1954"}, "n.md", ""),
        ({"due date": "2026-04-12", "Birth date": "1980-01-01"}, "n.md", ""),
        ({"date": "4/5/2026"}, "n.md", ""),
        ({"updated": "0000000001"}, "n.md", ""),
        ({}, "a/2024-W05.md", "2024-01-29 00:00"),
        ({}, "2024-Q2 plan.md", "2024-04-01 00:00"),
        ({}, "2024-02.md", "2024-02-01 00:00"),
        ({}, "2010-11 season.md", ""),
        ({}, "Standup 2026-04-12.md", "2026-04-12 00:00"),
        ({}, "Screenshot 2026-04-12 at 10.30.59.md", "2026-04-12 00:00"),
        ({}, "2026.04.12 Boats.md", "2026-04-12 00:00"),
        ({}, "daily.journal.2026.04.12.md", "2026-04-12 00:00"),
        ({}, "Notes 2026 04 12.md", "2026-04-12 00:00"),
        ({}, "2026年4月12日.md", "2026-04-12 00:00"),
        ({}, "2026년 4월 12일 회의.md", "2026-04-12 00:00"),
        ({}, "2026年4月.md", ""),
        ({}, "Part 4711 12 03.md", ""),
        ({}, "Boats 202604121030.md", "2026-04-12 00:00"),
        ({}, "Journal/2026/04/12.md", "2026-04-12 00:00"),
        ({}, "posts/2026/04/12-boats.md", "2026-04-12 00:00"),
        ({}, "Journal/2026/04/120.md", ""),
        ({}, "Invoice 20260412.md", ""),
        ({}, "Call 12026-04-12.md", ""),
        ({}, "Setup 1.2026.04.12.md", ""),
        ({}, "Order 4711-12-03.md", ""),
        ({}, "ISO 8601-01-02.md", ""),
        ({}, "0042/01/02.md", ""),
        ({}, "Fire of London 1666-09-02.md", "1666-09-02 00:00"),
        ({}, "January 31st, 2024.md", "2024-01-31 00:00"),
        ({}, "May 2024.md", ""),
        ({}, "2024-W054.md", ""),
        ({}, "Sunday January 31st, 2024.md", "2024-01-31 00:00"),
        ({}, "Mi 31. Jan. 2024.md", "2024-01-31 00:00"),
        ({}, "31.01.2024.md", "2024-01-31 00:00"),
        ({}, "2024.01.31.md", "2024-01-31 00:00"),
        ({}, "31-1-2024.md", "2024-01-31 00:00"),
        ({}, "śr 31 stycznia 2024.md", "2024-01-31 00:00"),
        ({}, "Magazin 3 2024.md", ""),
        ({}, "Outline 1 2024.md", ""),
        ({}, "Setup 3 2024.md", ""),
        ({}, "Dublin 5 2024.md", ""),
        ({}, "Market 10 2021.md", ""),
        ({}, "List 3 2024.md", ""),
        ({}, "2024 Decision 3.md", ""),
        ({}, "Version 1.2.2024.md", ""),
        ({}, "Invoice 31.1.2024.md", ""),
        ({}, "Team 3 May 2024.md", ""),
    ],
)
def test_the_date_of_a_note(properties: dict[str, str], path: str, found: str) -> None:
    values = [
        Property(key, value, day=date_of_property(key, value)) for key, value in properties.items()
    ]
    date = own_date(values, path)
    assert date == (datetime.fromisoformat(found) if found else None)


@pytest.mark.parametrize(
    "key",
    [
        *"date created updated modified last_updated last-modified lastmod created_at".split(),
        *"date_saved added".split(),
        *"dateCreated LAST_MODIFIED lastUpdated date-modified updatedAt publishDate mtime".split(),
        *("Datum", "Date created", "date modified", "Last Edited Time", "Modified at"),
    ],
)
def test_usual_names_of_dates(key: str) -> None:
    assert date_of_property(key, "2024-01-31") == datetime(2024, 1, 31)


@pytest.mark.parametrize(
    "key",
    [
        "due date",
        "published",
        "start",
        "birthdate",
        "date of birth",
        "time",
        "review date",
        "deadline",
    ],
)
def test_other_dates_do_not_date_the_note(key: str) -> None:
    assert date_of_property(key, "2024-01-31") is None


def test_seconds_and_milliseconds_since_1970() -> None:
    moment = datetime(2019, 3, 9, 12, 30)
    seconds = int(moment.timestamp())
    assert date_of_property("updated", f"{seconds}") == moment
    assert date_of_property("updated", f"{seconds}250") == moment
