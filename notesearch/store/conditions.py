"""Conditions that sections must match; each has its SQL.

The SQL is an expression over a row ``s`` of the table section. It is never null, so that its
negation is also correct.
"""

import json
import re
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import chain

from notesearch.notes import Feature
from notesearch.store.folding import folded_name

Values = tuple[str | int | float, ...]
Sql = tuple[str, Values]
"""SQL and its parameters."""

_LARGEST = 2**63 - 1
_VERSION = re.compile(r"v?(\d{1,9}(?:\.\d{1,9})*)(?:[-+].*)?", re.DOTALL)
_DIGITS = 9


class Condition:
    """A condition that a section must match."""

    __slots__ = ()

    def sql(self) -> Sql:
        """Return SQL over a row ``s`` of the table section, and its parameters.

        Raises TypeError if the condition names a note that was not looked up yet.
        """
        return self._sql()

    def _sql(self) -> Sql:
        raise TypeError(self)


@dataclass(frozen=True, slots=True)
class All(Condition):
    """All of ``parts`` hold; with no parts it always holds."""

    parts: tuple[Condition, ...]

    def _sql(self) -> Sql:
        return _combined(self.parts, " and ", "1")


@dataclass(frozen=True, slots=True)
class AnyOf(Condition):
    """At least one of ``parts`` holds."""

    parts: tuple[Condition, ...]

    def _sql(self) -> Sql:
        return _combined(self.parts, " or ", "0")


@dataclass(frozen=True, slots=True)
class Not(Condition):
    """``part`` does not hold."""

    part: Condition

    def _sql(self) -> Sql:
        text, values = self.part.sql()
        return f"not {text}", values


@dataclass(frozen=True, slots=True)
class Matching(Condition):
    """The section matches an FTS5 expression with quoted terms."""

    match: str

    def _sql(self) -> Sql:
        return "(s.id in (select rowid from words where words match ?))", (self.match,)


@dataclass(frozen=True, slots=True)
class LinksTo(Condition):
    """The section links to the normalized ``address``, or to one below it unless ``exact``.

    If ``begun``, the address is still being typed, so that its last word may be unfinished.
    """

    address: str
    begun: bool = False
    exact: bool = False

    def _sql(self) -> Sql:
        of_links, values = self.links_sql()
        return f"(s.id in (select section_id from link where {of_links}))", values

    def links_sql(self) -> Sql:
        """Return SQL that selects the rows of the table link, and its parameters."""
        if self.exact:
            return "address = ?", (self.address,)
        values = (self.address, self.address, int(self.begun))
        return "instr(address, ?) and leads_to(address, ?, ?)", values


@dataclass(frozen=True, slots=True)
class LinksToNote(Condition):
    """The section links to the note ``name``; ``LinkReader.looked_up`` turns it into ids.

    If no note has this name, the target of a link is that name.
    """

    name: str


@dataclass(frozen=True, slots=True)
class LinkedFrom(Condition):
    """The note ``name`` links to the section's note; see ``LinksToNote``."""

    name: str


@dataclass(frozen=True, slots=True)
class InSections(Condition):
    """The section has one of these ids."""

    ids: tuple[int, ...]

    def _sql(self) -> Sql:
        return "(s.id in (select value from json_each(?)))", (json.dumps(self.ids),)


@dataclass(frozen=True, slots=True)
class InPath(Condition):
    """The name of a folder or file in the note's path begins with ``text``.

    If ``text`` begins with ``/``, the whole path begins with it. A ``*`` stands for any characters.
    """

    text: str

    def _sql(self) -> Sql:
        start = "" if self.text.startswith("/") else "*/"
        return _of_note("id from note where place glob ?"), (f"{start}{_pattern(self.text)}*",)


@dataclass(frozen=True, slots=True)
class Within(Condition):
    """The note is in the folder ``place`` (a path in the vault), or it is the note at this path."""

    place: str

    def _sql(self) -> Sql:
        place = self.place.rstrip("/").encode("utf-8", "replace").decode()  # lone surrogates
        values = (place, f"{place}/", f"{place}{chr(ord('/') + 1)}")
        return _of_note("id from note where path = ? or (path > ? and path < ?)"), values


@dataclass(frozen=True, slots=True)
class Tagged(Condition):
    """The section or its note has ``tag``, or a tag nested in it such as ``tag/detail``."""

    tag: str

    def _sql(self) -> Sql:
        tag = folded_name(self.tag).strip("#/")
        below = "(tag = ? or (tag > ? and tag < ?))"
        notes = _of_note(f"note_id from note_tag where {below}")
        own = f"s.id in (select section_id from section_tag where {below})"
        return f"({notes} or {own})", (tag, f"{tag}/", f"{tag}0") * 2


@dataclass(frozen=True, slots=True)
class InFile(Condition):
    """The name of the note's file contains ``text``; a ``*`` in it stands for any characters."""

    text: str

    def _sql(self) -> Sql:
        return _of_note("id from note where file glob ?"), (f"*{_pattern(self.text)}*",)


@dataclass(frozen=True, slots=True)
class UnderHeading(Condition):
    """A heading of the section or above it contains ``text``, whose last word may be unfinished."""

    text: str

    def _sql(self) -> Sql:
        words = f"({quoted(self.text, prefix=True)} OR {quoted(self.text)})"
        headings = "s.id in (select rowid from words where words match ?)"
        # A heading that is the note's title is only in the column of titles.
        values = f"{{parents heading}} : {words}", f"title : {words}"
        return f"({headings} or (s.ordinal = 0 and {headings}))", values


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

    def sql(self) -> Sql:
        """Return SQL over a row of the table property, and its parameters."""
        comparisons: list[str] = []
        values: list[str | int | float] = []
        if self.sign == "=":
            comparisons.append("text glob ?")
            values.append(_pattern(self.text))
        elif self.version is not None:
            others = "1" if self.is_version else "number is null and day is null"
            comparisons.append(f"({others} and versioned(text) {self.sign} ?)")
            values.append(self.version)
        elif self.period is None and self.number is None:
            comparisons.append(f"(number is null and text {self.sign} ?)")
            values.append(folded_name(self.text))
        if self.number is not None and (self.sign == "=" or not self.is_version):
            comparisons.append(f"(number is not null and number {self.sign} ?)")
            values.append(self.number)
        if self.period is not None:
            first, end = map(calendar_seconds, self.period)
            comparison, bounds = {
                "=": ("day >= ? and day < ?", (first, end)),
                "<": ("day < ?", (first,)),
                "<=": ("day < ?", (end,)),
                ">": ("day >= ?", (end,)),
                ">=": ("day >= ?", (first,)),
            }[self.sign]
            comparisons.append(f"(day is not null and {comparison})")
            values += bounds
        return " or ".join(comparisons), tuple(values)


@dataclass(frozen=True, slots=True)
class WithProperty(Condition):
    """The note has the property ``key``, and its value matches ``value``, if that is given."""

    key: str
    value: Compared | None = None

    def _sql(self) -> Sql:
        compared, values = self.value.sql() if self.value else ("1", ())
        notes = _of_note(f"note_id from property where key = ? and ({compared})")
        return notes, (property_key(self.key), *values)


@dataclass(frozen=True, slots=True)
class Holding(Condition):
    """The section has at least one of the features in ``feature``."""

    feature: Feature

    def _sql(self) -> Sql:
        return "(s.features & ? != 0)", (int(self.feature),)


@dataclass(frozen=True, slots=True)
class InLanguage(Condition):
    """The note is written in ``language``, or the section has a code block in ``code``."""

    language: str
    code: str

    def _sql(self) -> Sql:
        notes = _of_note("id from note where language = ? and language != ''")
        own = "s.id in (select section_id from section_code where language = ?)"
        return f"({notes} or {own})", (self.language, self.code)


@dataclass(frozen=True, slots=True)
class Since(Condition):
    """The note's own date, else the file's, is ``moment``, in local time, or later."""

    moment: datetime

    def _sql(self) -> Sql:
        dated = "(dated is not null and dated >= ?) or (dated is null and mtime_ns >= ?)"
        values = calendar_seconds(self.moment), _as_files_are_dated(self.moment)
        return _of_note(f"id from note where {dated}"), values


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


def _as_files_are_dated(moment: datetime) -> int:
    try:
        seconds = moment.timestamp()
    except (ValueError, OverflowError, OSError):  # beyond the system's clock
        seconds = calendar_seconds(moment)
    return max(-_LARGEST, min(int(seconds * 1e9), _LARGEST))


def _of_note(query: str) -> str:
    """Return SQL that is true if ``query``, without its ``select``, finds the section's note."""
    return f"(s.note_id in (select {query}))"


def _pattern(text: str) -> str:
    """Return ``text``, folded, as a GLOB pattern in which only ``*`` is special."""
    return "".join(f"[{c}]" if c in "?[" else c for c in folded_name(text))


def _combined(parts: tuple[Condition, ...], sign: str, empty: str) -> Sql:
    expressions = [part.sql() for part in parts]
    text = sign.join(text for text, _ in expressions) or empty
    return f"({text})", tuple(chain.from_iterable(values for _, values in expressions))


def only_those(condition: Condition | None, id_: str) -> Sql:
    """Return SQL that keeps rows whose section matches ``condition``, and its parameters.

    ``id_`` is the SQL expression of the section's id. SQLite checks the condition row by row, so
    only rows that are ranked cost time.
    """
    if condition is None:
        return "", ()
    text, values = condition.sql()
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
