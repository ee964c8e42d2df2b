"""What sections must fulfil beside being found, as frozen values, and its SQL."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import singledispatch

from notesearch.notes import Feature

Values = tuple[str | int | float, ...]

_LARGEST = 2**63 - 1


@dataclass(frozen=True, slots=True)
class All:
    """Every one of ``parts`` is fulfilled; so it is when there are none."""

    parts: "tuple[Condition, ...]"


@dataclass(frozen=True, slots=True)
class AnyOf:
    """At least one of ``parts`` is fulfilled."""

    parts: "tuple[Condition, ...]"


@dataclass(frozen=True, slots=True)
class Not:
    """``part`` is not fulfilled."""

    part: "Condition"


@dataclass(frozen=True, slots=True)
class Matching:
    """The section's words match an FTS5 expression, in which every term is quoted."""

    match: str


@dataclass(frozen=True, slots=True)
class LinksTo:
    """The section points at ``address``, a normal one, or below it.

    Attributes:
        begun: It may go on where ``address`` ends.
        exact: What is below it does not count.
    """

    address: str
    begun: bool = False
    exact: bool = False


@dataclass(frozen=True, slots=True)
class InPath:
    """Folders or files on the note's path begin so; ``/`` in front: the path itself does.

    A ``*`` stands for anything.
    """

    text: str


@dataclass(frozen=True, slots=True)
class Tagged:
    """The section or its note has this tag or one below it."""

    tag: str


@dataclass(frozen=True, slots=True)
class InFile:
    """The name of the note's file holds this text; a ``*`` stands for anything."""

    text: str


@dataclass(frozen=True, slots=True)
class UnderHeading:
    """These words stand together in the section's heading or in one above it."""

    text: str


@dataclass(frozen=True, slots=True)
class Compared:
    """How a property's value stands to another.

    Attributes:
        sign: ``= < <= > >=``.
        text: The other value; ``*`` in it stands for anything where the sign is ``=``.
        number: That as a number; None when it is none.
        period: That as a date; None when it is none.
        version: That as a version, ordered part by part; None when it is none.
        is_version: The property is one: 1.10 is more than 1.9.
    """

    sign: str
    text: str
    number: float | None = None
    period: tuple[datetime, datetime] | None = None
    version: str | None = None
    is_version: bool = False


@dataclass(frozen=True, slots=True)
class WithProperty:
    """The note's front matter has this property; with a value that stands so."""

    key: str
    value: Compared | None = None


@dataclass(frozen=True, slots=True)
class Holding:
    """The section has one of these in it."""

    feature: Feature


@dataclass(frozen=True, slots=True)
class InLanguage:
    """The note is written in ``language``, or the section has a block of code in ``code``."""

    language: str
    code: str


@dataclass(frozen=True, slots=True)
class Since:
    """The note's own date, else the time its file was changed, is ``moment`` or later.

    Attributes:
        moment: Without a zone: as the clock on the wall shows it.
    """

    moment: datetime


Condition = (
    All | AnyOf | Not | Matching | LinksTo | InPath | InFile | Tagged | UnderHeading | WithProperty
    | Holding | InLanguage | Since
)  # fmt: skip


def folded(text: str) -> str:
    """Return ``text`` as names are compared: without case, accents and width."""
    if text.isascii():
        return text.lower()
    apart = unicodedata.normalize("NFKD", text)
    plain = "".join(c for c in apart if not "\u0300" <= c <= "\u036f")
    return unicodedata.normalize("NFKC", plain).casefold()


def calendar_seconds(moment: datetime) -> int:
    """Return a number that orders moments as a calendar does, whatever the zone."""
    return int(moment.replace(tzinfo=UTC).timestamp())


def property_key(key: str) -> str:
    """Return a property's name as names are compared: "Due date" is "due-date"."""
    return re.sub(r"[\s_-]+", "-", folded(key))


def quoted(term: str, *, prefix: bool = False) -> str:
    """Return ``term`` as an FTS5 string that can never be read as syntax."""
    safe = term.replace('"', '""').replace("\0", " ")
    return f'"{safe}"*' if prefix else f'"{safe}"'


def wall_clock_ahead() -> int:
    """Return by how many seconds calendars here are ahead of those that files are dated by."""
    ahead = datetime.now().astimezone().utcoffset()
    return int(ahead.total_seconds()) if ahead else 0


def joined(*conditions: Condition | None) -> Condition | None:
    """Return the condition that all of ``conditions`` are fulfilled."""
    found = tuple(condition for condition in conditions if condition is not None)
    return found[0] if len(found) == 1 else All(found) if found else None


@singledispatch
def sql_of(condition: Condition) -> tuple[str, Values]:
    """Return ``condition`` as an SQL expression over a row ``s`` of section, and its values.

    The expression is never null, so that its negation holds exactly where it does not.

    Raises:
        TypeError: It is no condition.
    """
    raise TypeError(condition)


@sql_of.register
def _all(condition: All) -> tuple[str, Values]:
    return _combined(condition.parts, " and ", "1")


@sql_of.register
def _any(condition: AnyOf) -> tuple[str, Values]:
    return _combined(condition.parts, " or ", "0")


@sql_of.register
def _not(condition: Not) -> tuple[str, Values]:
    text, values = sql_of(condition.part)
    return f"not {text}", values


@sql_of.register
def _matching(condition: Matching) -> tuple[str, Values]:
    return "(s.id in (select rowid from words where words match ?))", (condition.match,)


@sql_of.register
def _links_to(condition: LinksTo) -> tuple[str, Values]:
    only, values = leading(condition)
    return f"(s.id in (select section_id from link where {only}))", values


def leading(condition: LinksTo) -> tuple[str, Values]:
    """Return what keeps to the links of ``condition``; ``instr`` tells of most that they do not."""
    asked = condition.address
    if condition.exact:
        return "address = ?", (asked,)
    return "instr(address, ?) and leads_to(address, ?, ?)", (asked, asked, int(condition.begun))


@sql_of.register
def _in_path(condition: InPath) -> tuple[str, Values]:
    start = "" if condition.text.startswith("/") else "*/"
    pattern = f"{start}{_pattern(condition.text)}*"
    return _of_note("select id from note where place glob ?"), (pattern,)


@sql_of.register
def _in_file(condition: InFile) -> tuple[str, Values]:
    return _of_note("select id from note where file glob ?"), (f"*{_pattern(condition.text)}*",)


@sql_of.register
def _tagged(condition: Tagged) -> tuple[str, Values]:
    tag = folded(condition.tag).strip("#/")
    below = "(tag = ? or (tag > ? and tag < ?))"
    notes = _of_note(f"select note_id from note_tag where {below}")
    own = f"s.id in (select section_id from section_tag where {below})"
    return f"({notes} or {own})", (tag, f"{tag}/", f"{tag}0") * 2


@sql_of.register
def _under_heading(condition: UnderHeading) -> tuple[str, Values]:
    words = f"({quoted(condition.text, prefix=True)} OR {quoted(condition.text)})"
    headings = "s.id in (select rowid from words where words match ?)"
    # What is the note's title is not held as a heading a second time.
    return (
        f"({headings} or (s.ordinal = 0 and {headings}))",
        (f"{{parents heading}} : {words}", f"title : {words}"),
    )


@sql_of.register
def _with_property(condition: WithProperty) -> tuple[str, Values]:
    query, values = "select note_id from property where key = ?", [property_key(condition.key)]
    if condition.value is None:
        return _of_note(query), tuple(values)
    ways, more = _compared(condition.value)
    return _of_note(f"{query} and ({ways})"), (*values, *more)


def _compared(value: Compared) -> tuple[str, Values]:
    """Return how the texts, the numbers and the dates of a property are compared."""
    ways: list[str] = []
    values: list[str | int | float] = []
    if value.sign == "=":
        ways.append("text glob ?")
        values.append(_pattern(value.text))
    elif value.version is not None:
        others = "1" if value.is_version else "number is null"
        ways.append(f"({others} and versioned(text) {value.sign} ?)")
        values.append(value.version)
    elif value.period is None:
        ways.append(f"text {value.sign} ?")
        values.append(folded(value.text))
    if value.number is not None and (value.sign == "=" or not value.is_version):
        ways.append(f"(number is not null and number {value.sign} ?)")
        values.append(value.number)
    if value.period is not None:
        first, end = map(calendar_seconds, value.period)
        way, bounds = {
            "=": ("day >= ? and day < ?", (first, end)),
            "<": ("day < ?", (first,)),
            "<=": ("day < ?", (end,)),
            ">": ("day >= ?", (end,)),
            ">=": ("day >= ?", (first,)),
        }[value.sign]
        ways.append(f"(day is not null and {way})")
        values += bounds
    return " or ".join(ways), tuple(values)


@sql_of.register
def _holding(condition: Holding) -> tuple[str, Values]:
    return "(s.features & ? != 0)", (int(condition.feature),)


@sql_of.register
def _in_language(condition: InLanguage) -> tuple[str, Values]:
    note = _of_note("select id from note where language = ? and language != ''")
    code = "s.id in (select section_id from section_code where language = ?)"
    return f"({note} or {code})", (condition.language, condition.code)


@sql_of.register
def _since(condition: Since) -> tuple[str, Values]:
    moment = condition.moment
    query = (
        "select id from note where (dated is not null and dated >= ?)"
        " or (dated is null and mtime_ns >= ?)"
    )
    return _of_note(query), (calendar_seconds(moment), _as_files_are_dated(moment))


def _as_files_are_dated(moment: datetime) -> int:
    """Return ``moment`` in nanoseconds, as near as SQLite's numbers come: to 1677 or to 2262."""
    try:
        seconds = moment.timestamp()
    except (ValueError, OverflowError, OSError):  # the system's clock does not go so far
        seconds = calendar_seconds(moment)
    return max(-_LARGEST, min(int(seconds * 1e9), _LARGEST))


def _of_note(query: str) -> str:
    return f"(s.note_id in ({query}))"


def _pattern(text: str) -> str:
    """Return ``text``, folded, for GLOB, which finds no sign in it but ``*``."""
    return "".join(f"[{c}]" if c in "?[" else c for c in folded(text))


def _combined(parts: "tuple[Condition, ...]", sign: str, empty: str) -> tuple[str, Values]:
    found = [sql_of(part) for part in parts]
    text = sign.join(text for text, _ in found) or empty
    return f"({text})", tuple(_flat(values for _, values in found))


def _flat(many: Iterator[Values]) -> Iterator[str | int | float]:
    for values in many:
        yield from values


def only_those(condition: Condition | None, id_: str) -> tuple[str, Values]:
    """Return what keeps to sections that fulfil ``condition``, whose id is ``id_``; and its values.

    It asks row by row, so that it never costs more than what is ranked.
    """
    if condition is None:
        return "", ()
    text, values = sql_of(condition)
    return f" and exists (select 1 from section s where s.id = {id_} and {text})", values
