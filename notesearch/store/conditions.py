"""Conditions that sections must match: frozen values, and their SQL."""

import json
import re
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import chain

from notesearch.notes import Feature
from notesearch.store.folding import folded_name

Values = tuple[str | int | float, ...]

_LARGEST = 2**63 - 1
_VERSION = re.compile(r"v?(\d{1,9}(?:\.\d{1,9})*)(?:[-+].*)?", re.DOTALL)
_DIGITS = 9


@dataclass(frozen=True, slots=True)
class All:
    """All of ``parts`` hold; with no parts it always holds."""

    parts: "tuple[Condition, ...]"


@dataclass(frozen=True, slots=True)
class AnyOf:
    """At least one of ``parts`` holds."""

    parts: "tuple[Condition, ...]"


@dataclass(frozen=True, slots=True)
class Not:
    """``part`` does not hold."""

    part: "Condition"


@dataclass(frozen=True, slots=True)
class Matching:
    """The section matches an FTS5 expression with quoted terms."""

    match: str


@dataclass(frozen=True, slots=True)
class LinksTo:
    """The section links to the normalized ``address``, or to one below it unless ``exact``.

    If ``begun``, the address is still being typed, so that its last word may be unfinished.
    """

    address: str
    begun: bool = False
    exact: bool = False


@dataclass(frozen=True, slots=True)
class LinksToNote:
    """The section links to the note ``name``; ``LinkReader.looked_up`` turns it into ids.

    If no note has this name, the target of a link is that name.
    """

    name: str


@dataclass(frozen=True, slots=True)
class LinkedFrom:
    """The note ``name`` links to the section's note; see ``LinksToNote``."""

    name: str


@dataclass(frozen=True, slots=True)
class InSections:
    """The section has one of these ids."""

    ids: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class InPath:
    """The name of a folder or file in the note's path begins with ``text``.

    If ``text`` begins with ``/``, the whole path begins with it. A ``*`` stands for any characters.
    """

    text: str


@dataclass(frozen=True, slots=True)
class Within:
    """The note is in the folder ``place`` (a path in the vault), or it is the note at this path."""

    place: str


@dataclass(frozen=True, slots=True)
class Tagged:
    """The section or its note has ``tag``, or a tag nested in it such as ``tag/detail``."""

    tag: str


@dataclass(frozen=True, slots=True)
class InFile:
    """The name of the note's file contains ``text``; a ``*`` in it stands for any characters."""

    text: str


@dataclass(frozen=True, slots=True)
class UnderHeading:
    """A heading of the section or above it contains ``text``, whose last word may be unfinished."""

    text: str


@dataclass(frozen=True, slots=True)
class Compared:
    """Compares the value of a property with another value: as a text, and as each kind given.

    Attributes:
        sign: The operator: one of ``= < <= > >=``.
        text: The other value. With ``=``, a ``*`` in it stands for any characters.
        period: The other value as a date: its first moment, and the first after it.
        version: The other value as ``versioned`` returns it.
        is_version: Whether the property is a version: 1.10 is more than 1.9.
    """

    sign: str
    text: str
    number: float | None = None
    period: tuple[datetime, datetime] | None = None
    version: str | None = None
    is_version: bool = False


@dataclass(frozen=True, slots=True)
class WithProperty:
    """The note has the property ``key``, and its value matches ``value``, if that is given."""

    key: str
    value: Compared | None = None


@dataclass(frozen=True, slots=True)
class Holding:
    """The section has at least one of the features in ``feature``."""

    feature: Feature


@dataclass(frozen=True, slots=True)
class InLanguage:
    """The note is written in ``language``, or the section has a code block in ``code``."""

    language: str
    code: str


@dataclass(frozen=True, slots=True)
class Since:
    """The note's own date, else the file's, is ``moment``, in local time, or later."""

    moment: datetime


Condition = (
    All
    | AnyOf
    | Not
    | Matching
    | LinksTo
    | LinksToNote
    | LinkedFrom
    | InSections
    | InPath
    | Within
    | InFile
    | Tagged
    | UnderHeading
    | WithProperty
    | Holding
    | InLanguage
    | Since
)


def calendar_seconds(moment: datetime) -> int:
    """Return a local time in seconds since 1970, as if it were UTC, so that it sorts."""
    return int(moment.replace(tzinfo=UTC).timestamp())


def property_key(key: str) -> str:
    """Return the form in which names of properties are compared: "due-date" for "Due date"."""
    return re.sub(r"[\s_-]+", "-", folded_name(key))


def quoted(term: str, *, prefix: bool = False) -> str:
    """Return ``term`` as an FTS5 string without syntax; a ``prefix`` matches longer words, too."""
    safe = term.replace('"', '""').replace("\0", " ")
    return f'"{safe}"*' if prefix else f'"{safe}"'


def wall_clock_ahead() -> int:
    """Return how many seconds local time is ahead of UTC; files are dated in UTC."""
    ahead = datetime.now().astimezone().utcoffset()
    return int(ahead.total_seconds()) if ahead else 0


def joined(*conditions: Condition | None) -> Condition | None:
    """Return a condition that holds if all of ``conditions`` do; None if all are None."""
    given = tuple(condition for condition in conditions if condition is not None)
    return All(given) if len(given) > 1 else next(iter(given), None)


def sql_of(condition: Condition) -> tuple[str, Values]:
    """Return ``condition`` as SQL over a row ``s`` of the table section, and its parameters.

    The expression is never null, so that its negation is also correct.

    Raises TypeError if ``condition`` is not a condition, or names a note that was not looked up
    yet.
    """
    match condition:
        case All(parts):
            return _combined(parts, " and ", "1")
        case AnyOf(parts):
            return _combined(parts, " or ", "0")
        case Not(part):
            text, values = sql_of(part)
            return f"not {text}", values
        case Matching(match):
            return "(s.id in (select rowid from words where words match ?))", (match,)
        case LinksTo():
            only, values = links_sql(condition)
            return f"(s.id in (select section_id from link where {only}))", values
        case InSections(ids):
            return "(s.id in (select value from json_each(?)))", (json.dumps(ids),)
        case Holding(feature):
            return "(s.features & ? != 0)", (int(feature),)
        case Tagged(tag):
            return _tagged(folded_name(tag).strip("#/"))
        case UnderHeading(text):
            words = f"({quoted(text, prefix=True)} OR {quoted(text)})"
            headings = "s.id in (select rowid from words where words match ?)"
            # A heading that is the note's title is only in the column of titles.
            values = f"{{parents heading}} : {words}", f"title : {words}"
            return f"({headings} or (s.ordinal = 0 and {headings}))", values
        case InLanguage(language, code):
            note = _of_note("select id from note where language = ? and language != ''")
            own = "s.id in (select section_id from section_code where language = ?)"
            return f"({note} or {own})", (language, code)
    query, values = _notes(condition)
    return _of_note(query), values


def _notes(condition: Condition) -> tuple[str, Values]:
    """Return SQL for the ids of the notes that match ``condition``, and its parameters."""
    match condition:
        case InPath(text):
            start = "" if text.startswith("/") else "*/"
            return "select id from note where place glob ?", (f"{start}{_pattern(text)}*",)
        case InFile(text):
            return "select id from note where file glob ?", (f"*{_pattern(text)}*",)
        case Within(place):
            place = place.rstrip("/").encode("utf-8", "replace").decode()  # lone surrogates
            query = "select id from note where path = ? or (path > ? and path < ?)"
            return query, (place, f"{place}/", f"{place}{chr(ord('/') + 1)}")
        case WithProperty(key, value):
            query = "select note_id from property where key = ?"
            values = (property_key(key),)
            if value is None:
                return query, values
            comparisons, more = _comparison(value)
            return f"{query} and ({comparisons})", (*values, *more)
        case Since(moment):
            query = (
                "select id from note where (dated is not null and dated >= ?)"
                " or (dated is null and mtime_ns >= ?)"
            )
            return query, (calendar_seconds(moment), _as_files_are_dated(moment))
    raise TypeError(condition)


def _tagged(tag: str) -> tuple[str, Values]:
    below = "(tag = ? or (tag > ? and tag < ?))"
    notes = _of_note(f"select note_id from note_tag where {below}")
    own = f"s.id in (select section_id from section_tag where {below})"
    return f"({notes} or {own})", (tag, f"{tag}/", f"{tag}0") * 2


def links_sql(condition: LinksTo) -> tuple[str, Values]:
    """Return SQL that selects the rows of the table link by ``condition``, and its parameters."""
    address = condition.address
    if condition.exact:
        return "address = ?", (address,)
    return "instr(address, ?) and leads_to(address, ?, ?)", (address, address, int(condition.begun))


def _comparison(value: Compared) -> tuple[str, Values]:
    """Return SQL that compares the text, number or date of a property, and its parameters."""
    comparisons: list[str] = []
    values: list[str | int | float] = []
    if value.sign == "=":
        comparisons.append("text glob ?")
        values.append(_pattern(value.text))
    elif value.version is not None:
        others = "1" if value.is_version else "number is null and day is null"
        comparisons.append(f"({others} and versioned(text) {value.sign} ?)")
        values.append(value.version)
    elif value.period is None and value.number is None:
        comparisons.append(f"(number is null and text {value.sign} ?)")
        values.append(folded_name(value.text))
    if value.number is not None and (value.sign == "=" or not value.is_version):
        comparisons.append(f"(number is not null and number {value.sign} ?)")
        values.append(value.number)
    if value.period is not None:
        first, end = map(calendar_seconds, value.period)
        comparison, bounds = {
            "=": ("day >= ? and day < ?", (first, end)),
            "<": ("day < ?", (first,)),
            "<=": ("day < ?", (end,)),
            ">": ("day >= ?", (end,)),
            ">=": ("day >= ?", (first,)),
        }[value.sign]
        comparisons.append(f"(day is not null and {comparison})")
        values += bounds
    return " or ".join(comparisons), tuple(values)


def _as_files_are_dated(moment: datetime) -> int:
    try:
        seconds = moment.timestamp()
    except (ValueError, OverflowError, OSError):  # beyond the system's clock
        seconds = calendar_seconds(moment)
    return max(-_LARGEST, min(int(seconds * 1e9), _LARGEST))


def _of_note(query: str) -> str:
    return f"(s.note_id in ({query}))"


def _pattern(text: str) -> str:
    """Return ``text``, folded, as a GLOB pattern in which only ``*`` is special."""
    return "".join(f"[{c}]" if c in "?[" else c for c in folded_name(text))


def _combined(parts: "tuple[Condition, ...]", sign: str, empty: str) -> tuple[str, Values]:
    expressions = [sql_of(part) for part in parts]
    text = sign.join(text for text, _ in expressions) or empty
    return f"({text})", tuple(chain.from_iterable(values for _, values in expressions))


def only_those(condition: Condition | None, id_: str) -> tuple[str, Values]:
    """Return SQL that keeps rows whose section matches ``condition``, and its parameters.

    ``id_`` is the SQL expression of the section's id. SQLite checks the condition row by row, so
    only rows that are ranked cost time.
    """
    if condition is None:
        return "", ()
    text, values = sql_of(condition)
    return f" and exists (select 1 from section s where s.id = {id_} and {text})", values


def versioned(text: str) -> str | None:
    """Return a key that sorts versions part by part; None if ``text`` is not a version.

    Zeros at the end (2.0 is 2) and the text after a hyphen or a plus do not count.
    """
    match = _VERSION.fullmatch(text.strip().lower())
    if match is None:
        return None
    parts = [part.rjust(_DIGITS, "0") for part in match[1].split(".")]
    while len(parts) > 1 and not parts[-1].strip("0"):
        parts.pop()
    return ".".join(parts)
