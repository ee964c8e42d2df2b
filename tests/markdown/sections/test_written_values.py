"""Dates and numbers as people write them in properties, and the date of a note."""

from datetime import datetime
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QLocale

from notesearch.markdown.sections.written_values import (
    amount,
    date_of_property,
    own_date,
    period,
    start_of,
)
from notesearch.notes import Property

NUMBERS = [
    ("5", 5), ("-5", -5), ("\u22125", -5), ("+3", 3), ("007", 7), ("3.5", 3.5), ("1.250", 1.25),
    ("1e6", 1e6), ("1E-3", 0.001), ("3,5", 3.5), ("12,50", 12.5), ("0,125", 0.125),
    ("1,250", 1250), ("12,345", 12345), ("1,234,567.8", 1234567.8), ("1.234.567,8", 1234567.8),
    ("1 250", 1250), ("1\u202f250,5", 1250.5), ("1'250.50", 1250.5), ("1_000", 1000),
    ("1,25,000", 125000), ("1.250.000", 1250000), ("١٬٢٥٠", 1250), ("٣٫٥", 3.5), ("５０", 50),
    ("€5000", 5000), ("€ 5.000,50", 5000.5), ("US$1,250.75", 1250.75), ("-€50", -50),
    ("1.250 €", 1250), ("€1.250", 1250), ("R$ 10", 10), ("CHF 20.50", 20.5), ("kr 500", 500),
    ("500 kr", 500), ("5000 zł", 5000), ("5 000 Kč", 5000), ("1000円", 1000), ("₹ 1,00,000", 1e5),
    ("50%", 50), ("50 %", 50), ("1,250%", 1250), ("20 °C", 20), ("72 kg", 72), ("8GB", 8),
    ("5 km/h", 5), ("12 m²", 12), ("5 m", 5), ("90 min", 90),
    ("★★★", 3), ("⭐⭐⭐⭐", 4), ("★★☆☆☆", 2), ("⭐\ufe0f⭐\ufe0f", 2), ("★★★/5", 3),
    ("7/10", 7), ("3.5 / 5", 3.5), ("4,5/5", 4.5),
]  # fmt: skip


@pytest.mark.parametrize(("text", "number"), NUMBERS)
def test_a_number(text: str, number: float) -> None:
    assert amount(text) == number
    assert amount(f" {text} ") == number


@pytest.mark.parametrize(
    "text",
    [
        *("", "-", "€", "%", "cheap", "nan", "inf", "1e999", "1 2", "12 34", "1,2,3", "1,234,56"),
        *("1.10.200", "1..2", "10:30", "3/4", "2026-04-12", "12.4.2026", "ISO 9001", "12 monkeys"),
        *("5k", "5M", "2 Mio", "2 million", "(5)", "5-10", "5+", "~5", "#5", "9" * 41),
        *("☆", "★ good", "a★"),
    ],
)
def test_no_number(text: str) -> None:
    assert amount(text) is None


@given(st.floats(min_value=-1e12, max_value=1e12).map(lambda number: round(number, 2)))
def test_every_way_to_group_means_the_same(number: float) -> None:
    english = f"{number:,.2f}"
    german = english.translate(str.maketrans(",.", ".,"))
    for text in (f"{number:.2f}", english, german, german.replace(".", " "), f"{german} €"):
        assert amount(text) == pytest.approx(number)


@given(st.text(alphabet="0123456789.,' -+€%ekM\u202f٣", max_size=45))
def test_any_text_has_a_finite_number_or_none(text: str) -> None:
    number = amount(text)
    assert number is None or abs(number) < 1e140


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("2024-01-31", "2024-01-31 00:00"),
        ("2024/1/31", "2024-01-31 00:00"),
        ("31 января 2024", "2024-01-31 00:00"),
        ("31 stycznia 2024", "2024-01-31 00:00"),
        ("30 marraskuuta 2024", "2024-11-30 00:00"),
        ("3. července 2024", "2024-07-03 00:00"),
        ("31 tháng 1 2024", "2024-01-31 00:00"),
        ("31/1/2567", "2024-01-31 00:00"),
        ("3 พฤษภาคม 2567", "2024-05-03 00:00"),
        ("14 ก.พ. 2567", "2024-02-14 00:00"),
        ("3 Μαΐου 2024", "2024-05-03 00:00"),
        ("15 अगस्त 2024", "2024-08-15 00:00"),
        ("17 Agustus 2024", "2024-08-17 00:00"),
        ("20240131093000250", "2024-01-31 09:30"),
        ("2024.01.31", "2024-01-31 00:00"),
        ("20240131", "2024-01-31 00:00"),
        ("202401310930", "2024-01-31 09:30"),
        ("20240131T093000", "2024-01-31 09:30"),
        ("2024-01", "2024-01-01 00:00"),
        ("2024", "2024-01-01 00:00"),
        ("31.01.2024", "2024-01-31 00:00"),
        ("01/31/2024", "2024-01-31 00:00"),
        ("31/01/2024", "2024-01-31 00:00"),
        ("31-01-2024", "2024-01-31 00:00"),
        ("2024-01-31T09:30:00.123Z", "2024-01-31 09:30"),
        ("2024-01-31 09:30:00 +0100", "2024-01-31 09:30"),
        ("2024-01-31T09:30:00+01:00", "2024-01-31 09:30"),
        ("2024-01-31, 9:30 PM", "2024-01-31 21:30"),
        ("2024-01-31 12:05 am", "2024-01-31 00:05"),
        ("Wednesday, January 31st 2024, 9:30:00 pm", "2024-01-31 21:30"),
        ("Wed Jan 31 2024 09:30:00 GMT+0100", "2024-01-31 09:30"),
        (
            "Wed Jan 31 2024 09:30:00 GMT+0100 (Mitteleuropäische Normalzeit)",
            "2024-01-31 09:30",
        ),
        ("Wed, 31 Jan 2024 09:30:00 GMT", "2024-01-31 09:30"),
        ("January 31, 2024", "2024-01-31 00:00"),
        ("31 January 2024", "2024-01-31 00:00"),
        ("January 2024", "2024-01-01 00:00"),
        ("31-Jan-2024", "2024-01-31 00:00"),
        ("31. Januar 2024", "2024-01-31 00:00"),
        ("Mi, 31. Jan. 2024", "2024-01-31 00:00"),
        ("Wednesday 2024-01-31 09:30", "2024-01-31 09:30"),
        ("Mar 31, 2024", "2024-03-31 00:00"),
        ("31 janvier 2024", "2024-01-31 00:00"),
        ("31 de enero de 2024", "2024-01-31 00:00"),
        ("2024年1月31日", "2024-01-31 00:00"),
        ("[[January 31st, 2024]]", "2024-01-31 00:00"),
        ("<2024-01-31 Wed>", "2024-01-31 00:00"),
        ("[2024-01-31 Mi 17:05 +1w]", "2024-01-31 17:05"),
        ("2024. 1. 31.", "2024-01-31 00:00"),
        ("1/2/2024 5:05 PM", "2024-01-02 17:05"),
        ("2024-W05", "2024-01-29 00:00"),
        ("2024W05", "2024-01-29 00:00"),
        ("2024-W05-3", "2024-01-31 00:00"),
        ("2024-Q2", "2024-04-01 00:00"),
        ("le 31 janvier 2024", "2024-01-31 00:00"),
        ("Mittwoch, den 31. Januar 2024", "2024-01-31 00:00"),
        ("on Wednesday, 31 January 2024", "2024-01-31 00:00"),
        ("2024-01-31 (Wed)", "2024-01-31 00:00"),
        ("2024-01-31 Wednesday", "2024-01-31 00:00"),
        ("2024年1月31日（水） 9:30", "2024-01-31 09:30"),
        ("2024년 1월 31일 수요일", "2024-01-31 00:00"),
        ("2024. 1. 31. (수)", "2024-01-31 00:00"),
        ("2024-01-31 9h30", "2024-01-31 09:30"),
        ("14:05 31 January 2024", "2024-01-31 14:05"),
        ("2:05:09 pm, January 31st, 2024", "2024-01-31 14:05:09"),
        ("9h30 le 31 janvier 2024", "2024-01-31 09:30"),
        ("9:30 Uhr, Mittwoch, 31. Januar 2024", "2024-01-31 09:30"),
    ],
)
def test_dates_as_people_write_them(text: str, first: str) -> None:
    found = period(text)
    assert found is not None
    assert found[0] == datetime.fromisoformat(first)


@pytest.mark.parametrize(
    "text",
    [
        "2024-01-30 → 2024-02-02",
        "2024-01-30 - 2024-02-02",
        "30.–31. Januar 2024",
        "January 30-31, 2024",
        "30 – 31 January 2024",
    ],
)
def test_a_range_begins_on_its_first_day(text: str) -> None:
    assert start_of(text) == datetime(2024, 1, 30)


@pytest.mark.parametrize(
    "language", "en de fr es it pt nl sv da nb pl cs sk fi tr ru uk ar he ro".split()
)
def test_months_and_weekdays_in_many_languages(language: str) -> None:
    names = QLocale(language)
    for month, names_of in product(range(1, 13), (names.monthName, names.standaloneMonthName)):
        found = period(f"15 {names_of(month)} 2024")
        assert found is not None
        assert found[0] == datetime(2024, month, 15)
    for day in range(1, 8):
        weekday = names.dayName(day).partition("-")[0]
        assert period(f"{weekday} 15.1.2024") or not weekday.isalpha()


@pytest.mark.parametrize(
    "text",
    ["04/12/2024", "2024-13-01", "31.02.2024", "1.2.3", "hello 2024", "Part 2 2024", "12:30",
     "2024-W60", "2024-W1", "2024-Q5", "v2024", "99999999", "2024-01-31 25:00", "soon", "",
     "2024" * 50, "Sunday 2024", "14:05 2024", "25:05 31 January 2024"],
)  # fmt: skip
def test_other_texts_are_no_dates(text: str) -> None:
    assert period(text) is None


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
