"""Every fault of the table has a row and a test, and only faults of the table have markers."""

import pytest

from reliability_page import GROUPS, marked, numbers, rows

COUNTS = {
    "A": 35,
    "B": 11,
    "C": 14,
    "D": 26,
    "E": 14,
    "F": 9,
    "G": 16,
    "H": 16,
    "I": 11,
    "J": 14,
    "K": 11,
}


@pytest.mark.parametrize("group", GROUPS)
def test_each_fault_of_a_group_has_a_test(group: str) -> None:
    found = [numbers(name) for name in marked() if name.startswith(group)]
    assert set().union(*found) == set(range(1, COUNTS[group] + 1))


@pytest.mark.parametrize("group", GROUPS)
def test_each_fault_of_a_group_has_one_row(group: str) -> None:
    described = [row.name for row in rows() if row.name.startswith(group)]
    found = sorted(number for name in described for number in numbers(name))
    assert found == list(range(1, COUNTS[group] + 1))
