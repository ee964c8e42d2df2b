"""Keeps an index small and quick, when it is new and when it was edited for years."""

from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    import apsw

_MERGE_PAGES = 500
"""Pages of the word list that are merged in one go: some twenty milliseconds."""

_STEPS = 10_000
"""More than any index needs; what is left then waits for the next time."""

_ENOUGH = 0.1
"""The share of the index that must be replaced, or free, before it is tidied."""

_DAY_S = 24 * 3600


def prepare(sql: "apsw.Connection") -> None:
    """Let a new file give room back later; it has to be said before the first table is made."""
    sql.execute("pragma auto_vacuum = incremental")
    sql.execute("vacuum")


def tidy(sql: "apsw.Connection", changed: int, idle_s: float) -> bool:
    """Merge the word list if that is due, and return whether it was; give free pages back.

    FTS5 looks each word up in each of its segments: a new index of 100,000 sections has 25, and a
    search by words takes two thirds of the time once they are one. It also keeps the words of
    deleted rows until it merges their segments: after twenty rounds of editing a fifth of all
    notes the file was 1.9 times as large as a new one. Merging once a day even after few changes
    makes deleted words leave the file.

    Args:
        sql: The writer's connection, outside a transaction.
        changed: Sections added or deleted since the last merge.
        idle_s: Seconds since the last merge.
    """
    many = changed > _ENOUGH * _number(sql, "select count(*) from section") + 20
    due = many or idle_s >= _DAY_S
    if due:
        _merge(sql)
    free = _number(sql, "pragma freelist_count")
    if free > _ENOUGH * _number(sql, "pragma page_count"):
        sql.execute("pragma incremental_vacuum").fetchall()
    return due


def _merge(sql: "apsw.Connection") -> None:
    """Merge all segments into one, in small steps, so that nobody waits for it."""
    pages = -_MERGE_PAGES  # negative: begin with all segments, whatever their level
    for _ in range(_STEPS):
        before = sql.total_changes()
        sql.execute("insert into words (words, rank) values ('merge', ?)", (pages,))
        if sql.total_changes() - before < 2:
            return
        pages = _MERGE_PAGES


def _number(sql: "apsw.Connection", query: str) -> int:
    return cast("int", sql.execute(query).fetchall()[0][0])
