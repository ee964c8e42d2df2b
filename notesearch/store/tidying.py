"""Keeps an index small and quick, when it is new and when it was edited for years."""

from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    import apsw

_MERGE_PAGES = 500
"""Pages of the word list that are merged in one go: some twenty milliseconds."""

_STEPS = 10_000
"""More than any index needs; what is left then waits for the next time."""

_ENOUGH = 0.1
"""Which part of the index must have been replaced, or be free room, before it is tidied."""


def prepare(sql: "apsw.Connection") -> None:
    """Let a new file give room back later; it has to be said before the first table is made."""
    sql.execute("pragma auto_vacuum = incremental")
    sql.execute("vacuum")


def tidy(sql: "apsw.Connection", changed: int) -> int:
    """Merge the word list after many changes and give free room back; outside a transaction.

    FTS5 looks each word up in each of its segments: a new index of 100,000 sections has 25, and is
    searched by words in two thirds of the time once they are one. It also keeps the words of
    deleted rows until it happens to merge their segments: after twenty rounds of editing a fifth of
    all notes the file was 1.9 times as large as a new one.

    Args:
        sql: The writer's connection.
        changed: Sections added or deleted since the word list was merged the last time.

    Returns:
        What ``changed`` is from now on.
    """
    if changed > _ENOUGH * _number(sql, "select count(*) from section") + 20:
        _merge(sql)
        changed = 0
    free = _number(sql, "pragma freelist_count")
    if free > _ENOUGH * _number(sql, "pragma page_count"):
        sql.execute("pragma incremental_vacuum").fetchall()
    return changed


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
