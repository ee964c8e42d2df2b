"""Filters such as ``tag:work`` and ``before:7d``: reads, completes and suggests them."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date, datetime, time, timedelta
from itertools import accumulate, chain, islice
from pathlib import PurePosixPath

from notesearch.markdown.sections.language_detection import code_language, named_language
from notesearch.markdown.sections.written_values import Period, amount, month_of, period
from notesearch.notes import Feature
from notesearch.results import FilterChoice
from notesearch.store.conditions import (
    AnyOf,
    Compared,
    Condition,
    Holding,
    InFile,
    InLanguage,
    InPath,
    LinkedFrom,
    LinksToNote,
    Not,
    Since,
    Tagged,
    UnderHeading,
    WithProperty,
    versioned,
)
from notesearch.store.folding import QUOTES, folded_name
from notesearch.store.reader import Reader
from notesearch.store.rows import LabelledSection
from notesearch.store.word_cutting import holds_word

NAMES = tuple("path file tag section prop task has lang before after links linked-by".split())
"""The names of filters. A word with any other name before its colon is plain text."""

_KINDS = {
    "task:todo": Feature.TODO,
    "task:done": Feature.DONE,
    "has:code": Feature.CODE,
    "has:table": Feature.TABLE,
    "has:image": Feature.IMAGE,
    "has:link": Feature.LINK,
}
"""The filters for kinds of content that are offered to narrow a result."""

_FEATURES = {**_KINDS, "task:open": Feature.TODO, "has:task": Feature.TODO | Feature.DONE}

_QUOTED = re.compile(r'"([^"]+)"?')
_PROPERTY = re.compile(r'("[^"]*"?|[^"=<>]+)\s*(?:([<>]=?|==?|(?<="):)(.*))?', re.DOTALL)


def read_filter(name: str, value: str, today: date) -> Condition | None:
    """Return the condition that ``name:value`` means; None when it is plain text."""
    if name == "prop":
        return _property(value, today)
    value = value.replace('"', "").strip()
    if not holds_word(value):
        return None
    if name in ("has", "task"):
        feature = _FEATURES.get(f"{name}:{value.lower().removesuffix('s')}")
        return Holding(feature) if feature else None
    if name in ("before", "after"):
        dates = date_period(value, today)
        since = Since(dates[0]) if dates else None
        return Not(since) if since and name == "before" else since
    return _OF_TEXT[name](value)


def _language_code(value: str) -> str:
    return named_language({"lang": value})


def _in_path(value: str) -> Condition:
    value = value.replace("\\", "/")  # as Windows writes paths
    from_root = value.startswith("./")  # a shell's way to write a path from here
    return InPath(value[1:] if from_root else value)


def _note_name(value: str) -> str:
    """Return the name of a note, which may be written as a link to it: ``[[Tides|the tides]]``."""
    return value[2:].removesuffix("]]").partition("|")[0] if value.startswith("[[") else value


_OF_TEXT: dict[str, Callable[[str], Condition]] = {
    "path": _in_path,
    "file": InFile,
    "tag": Tagged,
    "section": UnderHeading,
    "lang": lambda value: InLanguage(_language_code(value), code_language(value)),
    "links": lambda value: LinksToNote(_note_name(value)),
    "linked-by": lambda value: LinkedFrom(_note_name(value)),
}


def _property(text: str, today: date) -> Condition | None:
    """Return the condition that ``key``, ``key=value`` or ``key>=value`` means; else None."""
    quoted = _QUOTED.fullmatch(text)
    match = _PROPERTY.fullmatch(quoted[1] if quoted else text)
    if match is None:
        return None
    key, sign, value = (part.replace('"', "").strip() if part else "" for part in match.groups())
    sign = "=" if sign in {"==", ":"} else sign
    if not any(c.isalnum() for c in key):
        return None
    if value:
        return _with_value(key, sign, value, today)
    first, colon, rest = (part.strip() for part in key.partition(":"))
    if not (colon and any(c.isalnum() for c in first)):
        return WithProperty(key)  # the user may not have typed the value yet
    other = _with_value(first, "=", rest, today) if rest else WithProperty(first)
    return AnyOf((WithProperty(key), other))


def _with_value(key: str, sign: str, value: str, today: date) -> WithProperty:
    value = _note_name(value)
    # A number with a unit is compared as text, because "=72kg" must not match "72 lb".
    number = None if sign == "=" and value[-1].isalpha() else amount(value)
    dated = date_period(value, today)
    is_version = "version" in key.lower()
    # A year is a date, too; "6.1.12" is a version, or a day in 2012.
    version = versioned(value) if is_version or period(value) is None else None
    return WithProperty(key, Compared(sign, value, number, dated, version, is_version))


# Dates as people type them: "7d", "last month", "monday", "15 march"

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

    "march" or "monday" is the latest that has begun.
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
        counted = ago[1] or ago[3] or ago[5] or "1"
        unit = ago[2] or ago[4] or ago[6]
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
    since = (now.weekday() - weekday) % 7
    if which == "this":
        return now + timedelta(days=weekday - now.weekday())
    if which == "next":
        return now + timedelta(days=7 - since)
    return now - timedelta(days=7 if which and not since else since)


def _without_year(text: str, now: datetime) -> Period | None:
    for form, with_year in _WITHOUT_YEAR:
        found = form.fullmatch(text)
        if not found:
            continue
        for back in range(_YEARS_BACK):
            named = period(with_year.format(found[1], year=now.year - back))
            if named and named[0] <= now:
                return named
    return None


def _months_later(day: datetime, months: int) -> datetime:
    """Return the same day ``months`` later; in a month that is too short, its last day."""
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    _, end = month_of(datetime(year, month + 1, 1))
    return datetime(year, month + 1, min(day.day, (end - timedelta(days=1)).day))


# Completion: from ``tag:tr`` to ``tag:travel``

_PERIODS = ("today", "yesterday", "7d", "4w", "3m", "1y", "this-month", "last-month", "this-year")
FIXED_VALUES: Mapping[str, Sequence[str]] = {
    "task": ("todo", "done"),
    "has": ("code", "table", "image", "link", "task"),
    "after": _PERIODS,
    "before": _PERIODS,
}


def complete_filter(reader: Reader, typed: str, limit: int) -> tuple[FilterChoice, ...]:
    """Return the filters that ``typed``, the beginning of one, may become; the best come first."""
    sign = "-" if typed.startswith("-") else ""
    name, colon, value = typed.removeprefix("-").partition(":")
    if not colon:
        names = (f"{sign}{label}:" for label in NAMES if label.startswith(name.lower()))
        return tuple(map(FilterChoice, names))
    name, value = name.lower(), value.lstrip('"')
    before = f"{sign}{name}:"
    after = ""
    if name == "prop":
        key, equals, value = value.partition("=")
        key = key.rstrip('"')
        if equals:
            before += f"{quoted_value(key)}="
            known: Mapping[str, int] = reader.labels.counted("value", key)
        else:
            value, after = key, "="
            known = reader.labels.counted("key")
    elif name in _VALUES:
        known = _VALUES[name](reader)
    else:
        known = dict.fromkeys(FIXED_VALUES.get(name, ()), 0)
    matching = islice(_matching(known, value).items(), limit)
    return tuple(FilterChoice(f"{before}{quoted_value(label)}{after}", n) for label, n in matching)


def joint_choices(lists: Iterable[Sequence[FilterChoice]]) -> list[FilterChoice]:
    """Return the choices of several vaults as one list: each filter once, with all its notes."""
    lists = tuple(lists)
    ranks: dict[str, int] = {}
    for rank, choice in chain(*map(enumerate, lists)):
        name = folded_name(choice.filter)
        ranks[name] = min(rank, ranks.get(name, rank))
    counts = same_names((choice.filter, choice.count) for choice in chain(*lists))
    best = sorted(counts.items(), key=lambda each: (ranks[folded_name(each[0])], -each[1]))
    return [FilterChoice(*each) for each in best]


def folders_of(paths: Iterable[str]) -> Counter[str]:
    """Return all folders that ``paths`` are in, each with the number of paths in or below it."""
    counts = Counter[str]()
    for folder, count in Counter(path.rpartition("/")[0] for path in paths).items():
        above = folder
        while above:
            counts[above] += count
            above = above.rpartition("/")[0]
    return counts


def file_stem(path: str) -> str:
    """Return the stem of the file name; ten times as fast as ``pathlib``."""
    name = path.rpartition("/")[2]
    at = name.rfind(".")
    return name[:at] if 0 < at < len(name) - 1 else name


def _folders(reader: Reader) -> Mapping[str, int]:
    counts = folders_of(path for path, _ in reader.rows.note_names())
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def _linked_files(reader: Reader) -> Mapping[str, int]:
    counts = Counter[str]()
    for path, count in reader.links.backlink_counts().items():
        counts[file_stem(path)] = max(count, counts[file_stem(path)])
    return dict(counts.most_common())


def languages(reader: Reader) -> Mapping[str, int]:
    """Return the languages of notes, then those of code, each most frequent first."""
    counts = sorted(reader.lexicon.languages().items(), key=lambda item: -item[1])
    notes = {name: count for name, count in counts if name}
    code = reader.labels.counted("code")
    return notes | {name: n for name, n in code.items() if _language_code(name) not in notes}


_VALUES: dict[str, Callable[[Reader], Mapping[str, int]]] = {
    "tag": lambda reader: dict(reader.labels.tag_counts()),
    "path": _folders,
    "file": lambda reader: Counter(file_stem(path) for path, _ in reader.rows.note_names()),
    "section": lambda reader: reader.labels.counted("heading"),
    "lang": languages,
    "links": _linked_files,
    "linked-by": lambda reader: dict.fromkeys(map(file_stem, reader.links.linking_notes()), 0),
}


def _matching(known: Mapping[str, int], typed: str) -> dict[str, int]:
    """Return the ``known`` values that begin with ``typed``; then those in which a word does."""
    first, *others = folded_name(typed.strip('"').lstrip("#")).split("*")
    at_later_word = re.compile(rf"[ /\-_(\[\"'“‘«]{re.escape(first)}")
    begun = dict[str, int]()
    later = dict[str, int]()
    for value, count in known.items():
        compared = folded_name(value)
        word = None if compared.startswith(first) else at_later_word.search(compared)
        if word and _holds_in_order(others, compared, word.end()):
            later[value] = count
        elif compared.startswith(first) and _holds_in_order(others, compared, len(first)):
            begun[value] = count
    return begun | later


def _holds_in_order(parts: Iterable[str], text: str, at: int) -> bool:
    for part in filter(None, parts):
        at = text.find(part, at)
        if at < 0:
            return False
        at += len(part)
    return True


_WITHOUT_QUOTES = str.maketrans("", "", QUOTES)


def quoted_value(value: str) -> str:
    """Return the value of a filter as it is written in a query: in quotes if it has a space."""
    value = value.translate(_WITHOUT_QUOTES)
    return f'"{value}"' if " " in value else value


def same_names(counts: Iterable[tuple[str, int]]) -> dict[str, int]:
    """Return names with their counts; those that filters treat alike count as the most frequent."""
    spellings: dict[str, Counter[str]] = {}
    for name, count in counts:
        spellings.setdefault(folded_name(name), Counter())[name] += count
    return {max(sorted(s), key=s.__getitem__): s.total() for s in spellings.values()}


# Facets: filters that would narrow a result

_MOST_FACETS = 6


def facets(rows: Sequence[LabelledSection]) -> tuple[tuple[FilterChoice, ...], ...]:
    """Return the filters that keep some of the sections ``rows``, but not all, in groups.

    The groups are tags, folders, kinds of content and years; empty groups are left out. Each has
    at most six filters: the most frequent first, but among years the newest.
    """
    groups = [_counted(rows, labels) for labels in (_tags_of, _folders_of, _kinds_of, _years_of)]
    groups[-1].sort(key=lambda facet: facet.filter, reverse=True)
    kept = (tuple(facet for facet in group if facet.count < len(rows)) for group in groups)
    return tuple(group[:_MOST_FACETS] for group in kept if group)


def _counted(
    rows: Iterable[LabelledSection], labels: Callable[[LabelledSection], Iterable[str]]
) -> list[FilterChoice]:
    of_rows = ({folded_name(label): label for label in labels(row)}.values() for row in rows)
    counts = same_names((name, 1) for name in chain(*of_rows))
    made = [FilterChoice(*counted) for counted in counts.items()]
    return sorted(made, key=lambda facet: (-facet.count, facet.filter))


def _tags_of(row: LabelledSection) -> Iterable[str]:
    for tag in row.tags:
        yield from (f"tag:{around}" for around in accumulate(tag.split("/"), "{}/{}".format))


def _folders_of(row: LabelledSection) -> Iterable[str]:
    for folder in PurePosixPath(row.path).parents:
        if folder.name:
            yield f"path:{quoted_value(f'/{folder}/')}"


def _kinds_of(row: LabelledSection) -> Iterable[str]:
    return (kind for kind, feature in _KINDS.items() if row.features & feature)


def _years_of(row: LabelledSection) -> Iterable[str]:
    return (f"after:{row.year} before:{row.year + 1}",) if 1 <= row.year < 9999 else ()
