"""Rows that are kept in memory are those that were read."""

import json

import numpy as np
import pytest

from notesearch.store.kept_rows import KeptRows

ROWS = {id_: bytes([id_, 7, 255 - id_, 0]) for id_ in range(1, 200, 2)}


class Table:
    """Rows that can be read, and which were."""

    def __init__(self) -> None:
        self.read: list[int] = []

    def __call__(self, ids: str) -> list[tuple[int, bytes]]:
        """Return what there is of the JSON list ``ids``."""
        asked = json.loads(ids)
        self.read += asked
        return [(id_, ROWS[id_]) for id_ in asked if id_ in ROWS]


@pytest.mark.parametrize("rows", [0, 3, 20, 60, 100])
def test_are_those_of_the_table_however_many_there_is_room_for(rows: int) -> None:
    table, kept = Table(), KeptRows(4 * rows)
    random = np.random.default_rng(rows)
    for number in range(200):
        ids = set(random.integers(1, 220, random.integers(1, 25)).tolist())
        found, those = kept.of(ids, table)
        assert found.tolist() == sorted(ROWS.keys() & ids)
        assert [row.tobytes() for row in those] == [ROWS[id_] for id_ in found.tolist()]
        if number % 50 == 49:
            kept.clear()


def test_are_read_once_until_the_index_changes() -> None:
    table, kept = Table(), KeptRows(400)
    kept.of([5, 1, 3], table)
    kept.of({3, 5}, table)
    assert table.read == [1, 3, 5]
    kept.of([3, 9, 5, 7], table)
    assert table.read == [1, 3, 5, 7, 9]
    kept.clear()
    kept.of([3], table)
    assert table.read == [1, 3, 5, 7, 9, 3]


def test_nothing_is_found_where_nothing_is() -> None:
    found, rows = KeptRows(400).of([2, 4], Table())
    assert len(found) == len(rows) == 0
