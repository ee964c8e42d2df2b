"""Dates as people type them in a query: "2026-04", "7d", "last month", "yesterday"."""

import re
from datetime import date, datetime, time, timedelta

from notesearch.markdown.sections.periods import Period, month_of, period

_AGO = re.compile(r"(\d{1,4})[ _-]?(d|w|m|y|days?|weeks?|months?|years?)(?:[ _-]?ago)?")
_AROUND = re.compile(r"(last|previous|this|next)[ _-]?(week|month|year)")
_DAYS = {"yesterday": -1, "today": 0, "tomorrow": 1}


def period_of(text: str, today: date) -> Period | None:
    """Return the period that ``text`` means, seen from ``today``; None when it is no date."""
    text = text.strip().lower()
    now = datetime.combine(today, time())
    if text in _DAYS:
        return _day(now + timedelta(days=_DAYS[text]))
    ago, around = _AGO.fullmatch(text), _AROUND.fullmatch(text)
    try:
        if ago:
            return _day(_back(now, int(ago[1]), ago[2][0]))
        if around:
            steps = {"last": -1, "previous": -1, "this": 0, "next": 1}[around[1]]
            return _around(now, steps, around[2])
    except (ValueError, OverflowError):
        return None
    return period(text)


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
    return datetime(now.year + steps, 1, 1), datetime(now.year + steps + 1, 1, 1)


def _months_later(day: datetime, months: int) -> datetime:
    """Return the same day so many months later, or the last of a month that is too short."""
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    _, end = month_of(datetime(year, month + 1, 1))
    return datetime(year, month + 1, min(day.day, (end - timedelta(days=1)).day))
