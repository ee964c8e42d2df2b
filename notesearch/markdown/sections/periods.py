"""Dates as people write them in notes, read as periods; and the date of a note itself."""

import re
from collections.abc import Mapping
from datetime import datetime, timedelta

Period = tuple[datetime, datetime]
"""Start and exclusive end, in local time without a zone."""

_YEAR_FIRST = re.compile(
    r"(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?|/(\d{1,2})(?:/(\d{1,2}))?)?"
    r"(?:(?<=\d)[T ](\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d+)?)?[ ]?(?:Z|[+-]\d\d:?\d\d)?)?",
)
_DAY_FIRST = re.compile(r"(\d{1,2})\.(\d{1,2})\.(\d{4})")
_IN_NAME = re.compile(
    r"""(\d{4})([-_])(\d\d)\2(\d\d)(?!\d)  # with separators, as in Logseq's journals
    |((?:19|20)\d\d)(\d\d)(\d\d)(?:\d{4}|\d{6})?(?!\d)  # a Zettelkasten id, perhaps with a time
    """,
    re.VERBOSE,
)

_NAME_GROUPS = (1, 3, 4), (5, 6, 7)
"""Groups of year, month and day in ``_IN_NAME``, with separators and without."""

_DATE_PROPERTIES = (
    "date updated modified lastmod last_modified date_modified created date_created".split()
)
"""Properties that date a note; the first one present counts."""


def period(text: str) -> Period | None:
    """Return the period that a date names; None when ``text`` is not a date.

    Accepts "2026", "2026-04", "2026-04-12", "2026-04-12 10:30", "12.4.2026" and the like.
    """
    text = text.strip().removeprefix("[[").removesuffix("]]")
    try:
        day_first = _DAY_FIRST.fullmatch(text)
        if day_first:
            day, month, year = map(int, day_first.groups())
            return _day(datetime(year, month, day))
        match = _YEAR_FIRST.fullmatch(text)
        return _year_first(match) if match else None
    except (ValueError, OverflowError):
        return None


def _year_first(match: re.Match[str]) -> Period | None:
    year, month, day, month_2, day_2, hour, minute, second = (
        int(part) if part else None for part in match.groups()
    )
    month, day = month or month_2, day or day_2
    if hour is not None and minute is not None:
        if month is None or day is None:
            return None
        moment = datetime(int(match[1]), month, day, hour, minute, second or 0)
        return moment, moment + (timedelta(minutes=1) if second is None else timedelta(seconds=1))
    if month is None:
        return datetime(year or 0, 1, 1), datetime((year or 0) + 1, 1, 1)
    if day is None:
        return month_of(datetime(year or 0, month, 1))
    return _day(datetime(year or 0, month, day))


def month_of(moment: datetime) -> Period:
    """Return the month that contains ``moment``."""
    first = datetime(moment.year, moment.month, 1)
    return first, (first + timedelta(days=31)).replace(day=1)


def _day(first: datetime) -> Period:
    return first, first + timedelta(days=1)


def own_date(properties: Mapping[str, str], path: str) -> datetime | None:
    """Return the date of a note: from its front matter, else from the start of its file name."""
    named = {
        re.sub(r"[\s-]+", "_", key.strip().lower()): value for key, value in properties.items()
    }
    for key in _DATE_PROPERTIES:
        found = period(named[key]) if key in named else None
        if found:
            return found[0]
    in_name = _IN_NAME.match(path.rpartition("/")[2])
    found = period("-".join(in_name.group(*_NAME_GROUPS[in_name[1] is None]))) if in_name else None
    return found[0] if found else None
