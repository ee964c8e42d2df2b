"""Dates as people write them."""

from datetime import datetime
from itertools import product

import pytest
from PySide6.QtCore import QLocale

from notesearch.markdown.sections.written_values import period, start_of


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
