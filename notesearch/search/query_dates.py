"""Reads dates as people type them in a query: "7d", "last month", "monday", "15 march"."""

import re
from datetime import date, datetime, time, timedelta

from notesearch.markdown.sections.note_dates import Period, month_of, period

_NUMBERS = "zero one two three four five six seven eight nine ten eleven twelve".split()
_UNIT = r"(d|w|m|mo|y|days?|weeks?|months?|years?)"
_COUNT = rf"(\d{{1,4}}|an?|{'|'.join(_NUMBERS)})"
_AGO = re.compile(
    rf"(\d{{1,4}})[ _-]?{_UNIT}(?:[ _-]?ago)?|{_COUNT}[ _-]{_UNIT}[ _-]ago"
    rf"|(?:last|past)[ _-](?:{_COUNT}[ _-]?)?{_UNIT}"
)
_AROUND = re.compile(r"(last|previous|this|next)[ _-]?(week|month|quarter|year)")
_STEPS = {"last": -1, "previous": -1, "this": 0, "": 0, "next": 1}
_DAYS = {"day before yesterday": -2, "yesterday": -1, "today": 0, "now": 0, "tomorrow": 1}

_WEEKDAYS = "mon tue wed thu fri sat sun".split()
_WEEKDAY = re.compile(
    r"(?:(last|previous|this|next)[ _-]?)?"
    r"(mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?"
)

_QUARTER_OF_YEAR = re.compile(r"(q[1-4])[ -](\d{4})")
_SHORT_YEAR = re.compile(r"\A\d{1,2}([./])\d{1,2}\1(?=\d\d\Z)")
_WITHOUT_YEAR = (
    (re.compile(r"(?:in |last )?([^\W\d_]{3,12}\.?)"), "{} {year}"),
    (re.compile(r"([^\W\d_]{3,12}\.? \d{1,2})(?:st|nd|rd|th)?"), "{} {year}"),
    (re.compile(r"(\d{1,2}(?:st|nd|rd|th|\.)? (?:of )?[^\W\d_]{3,12})\.?"), "{} {year}"),
    (re.compile(r"(\d{1,2}\.[ ]?\d{1,2}\.)"), "{}{year}"),
    (re.compile(r"q([1-4])"), "{year}-Q{}"),
    (re.compile(r"(?:w|kw|week) ?(\d\d)"), "{year}-W{}"),
    (re.compile(r"(?:w|kw|week) ?(\d)"), "{year}-W0{}"),
)
"""Dates without a year, each with the same date in a year."""

_YEARS_BACK = 8
"""A 29 February, or a week 53, is in one of so many years."""

_QUARTER = 3
"""Months."""


def date_period(text: str, today: date) -> Period | None:
    """Return the period that ``text`` means on the day ``today``; None if it is not a date.

    Examples are "2026-04", "7d", "last month" and "yesterday". A date without a year, such as
    "march" or "monday", is the latest that has begun.
    """
    text = text.strip().lower()
    now = datetime.combine(today, time())
    try:
        return _relative(text, now) or period(_with_whole_year(text)) or _without_year(text, now)
    except (ValueError, OverflowError):
        return None


def _with_whole_year(text: str) -> str:
    if named := _QUARTER_OF_YEAR.fullmatch(text):
        return f"{named[2]}-{named[1]}"
    return _SHORT_YEAR.sub(lambda start: f"{start[0]}20", text)


def _relative(text: str, now: datetime) -> Period | None:
    if text.replace("-", " ") in _DAYS:
        return _day(now + timedelta(days=_DAYS[text.replace("-", " ")]))
    if around := _AROUND.fullmatch(text):
        return _around(now, _STEPS[around[1]], around[2])
    if ago := _AGO.fullmatch(text):
        counted, unit = ago[1] or ago[3] or ago[5] or "1", ago[2] or ago[4] or ago[6]
        return _day(_back(now, _count(counted), unit[0]))
    if named := _WEEKDAY.fullmatch(text):
        return _day(_weekday(now, named[1] or "", _WEEKDAYS.index(named[2][:3])))
    return None


def _count(written: str) -> int:
    if written in {"a", "an"}:
        return 1
    return int(written) if written.isdecimal() else _NUMBERS.index(written)


def _day(first: datetime) -> Period:
    return first, first + timedelta(days=1)


def _back(now: datetime, count: int, unit: str) -> datetime:
    if unit in "dw":
        return now - timedelta(days=count * (7 if unit == "w" else 1))
    return _months_later(now, -count * (12 if unit == "y" else 1))


def _around(now: datetime, steps: int, unit: str) -> Period:
    if unit == "week":
        monday = now - timedelta(days=now.weekday()) + timedelta(weeks=steps)
        return monday, monday + timedelta(weeks=1)
    if unit == "month":
        return month_of(_months_later(now.replace(day=1), steps))
    if unit == "quarter":
        begun = now.replace(month=now.month - (now.month - 1) % _QUARTER, day=1)
        first = _months_later(begun, steps * _QUARTER)
        return first, _months_later(first, _QUARTER)
    return datetime(now.year + steps, 1, 1), datetime(now.year + steps + 1, 1, 1)


def _weekday(now: datetime, which: str, weekday: int) -> datetime:
    """Return the day with this number in the week; without ``which``, the latest such day."""
    since = (now.weekday() - weekday) % 7
    if which == "this":
        return now + timedelta(days=weekday - now.weekday())
    if which == "next":
        return now + timedelta(days=7 - since)
    return now - timedelta(days=7 if which and not since else since)


def _without_year(text: str, now: datetime) -> Period | None:
    """Return the latest period that a date without a year means."""
    dates = (
        with_year.format(found[1], year=now.year - back)
        for form, with_year in _WITHOUT_YEAR
        if (found := form.fullmatch(text))
        for back in range(_YEARS_BACK)
    )
    return next((named for named in map(period, dates) if named and named[0] <= now), None)


def _months_later(day: datetime, months: int) -> datetime:
    """Return the same day ``months`` later; in a month that is too short, its last day."""
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    _, end = month_of(datetime(year, month + 1, 1))
    return datetime(year, month + 1, min(day.day, (end - timedelta(days=1)).day))
